"""What a training is told: one frozen object, one documented line a field."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from waypost.entry import Start, as_start, is_drawn

LEARNERS = ("bias", "reinforce", "imitation")
BASELINES = ("samples", "expectation", "none")
CHOICES = ("neighbors", "frontier")
LESSONS = ("imitation", "reinforcement")
HEADS = ("table", "bias", "both")

BY_LEARNER: Any = None  # stands for the learner's own default, from the table below
BY_GCN = {"lr": 0.002}  # of a bias that the GCN computes: the rate of its weights
DEFAULTS: dict[str, dict[str, Any]] = {
    "bias": {"batch": 512, "lr": 0.075, "tau": 0.5, "check_every": 50},
    "reinforce": {"batch": 4096, "lr": 0.001, "tau": 0.15, "check_every": 10},
    "imitation": {"batch": 4096, "lr": 0.001, "tau": 0.15, "check_every": 10},
}


@dataclass(frozen=True)
class TrainConfig:
    """Settings of a training; without arguments, the recipe that did best for us.

    >>> TrainConfig(steps=20).batch, TrainConfig(learner="reinforce").batch
    (512, 4096)
    >>> TrainConfig.preset("amazon").tau
    0.5
    """

    learner: str = "bias"
    """Who learns: "bias", one number a vertex, from states of the search that is used; "reinforce", the paper's agent;
    or "imitation", the same agent taught by shortest paths."""
    entry: Start | None = None
    """Where paths and searches start: "largest-norm", "first", "random" (by the seed) or a row; for the bias also
    several rows, such as ("largest-norm", 64). None: where searches of the graph start."""
    budget: int = 256
    """The most inner products of one training path, and of one validation search."""
    budgets: tuple[int, ...] = ()
    """Budgets that validation takes the mean over, in the place of `budget` alone. The bias is trained for all of them;
    left empty, for half, once and twice `budget`."""
    steps: int = 100
    """How many updates; each takes one batch."""
    batch: int = BY_LEARNER
    """Training queries an update: 4,096, or 512 for the bias."""
    lr: float = BY_LEARNER
    """Adam's learning rate at the first update: 0.001. For the bias 0.075, in units of the gap between a query's first
    and tenth answer where these are close (its 10% quantile)."""
    lr_decay: float = 0.1
    """What is left of `lr` after the last update; it falls exponentially. For the bias it falls linearly to 0."""
    tau: float = BY_LEARNER
    """Temperature of the softmax that the next vertex is drawn from; lower is greedier. 0.15, or 0.5 gaps for the
    bias."""
    noise: float = 0.12
    """Scale of the Gumbel noise on the scores that the bias is trained by, in gaps; 0 trains on the search as it is."""
    head: str = "table"
    """What holds the bias: a "table", one free number a vertex; "bias", a number that the GCN computes, so that items
    that come later get theirs without training; or "both", that and routing vectors beside it."""
    lesson: str = "imitation"
    """What beam states teach a bias: "imitation" of the choices that show an unseen answer, or "reinforcement": as many
    newly shown answers as possible, relative to the number that the policy expects in that state."""
    kinds: int = 8
    """How many kinds of queries get a bias and seeds of their own, beside the bias for all; 0 tells none apart."""
    seeds: int = 6
    """How many vertices a walk starts from where its query's kind is known."""
    choose_from: str = "neighbors"
    """Among what a path of "reinforce" chooses: the unvisited "neighbors" of the vertex that it is at, as printed, or
    the whole "frontier", all that it has seen and not yet gone to, as the search does."""
    found: int = 0
    """How many answers of each training query an agent's learner takes for true where fewer are known: those that the
    unlearned search finds at sixteen times the budget. 0: what is not known stays unknown."""
    gamma: float = 0.9
    """Discount of later rewards."""
    alpha: float = 1.0
    """Weight of the reward shaping, for queries whose true answer is known; 0 leaves it out."""
    b: int = 4
    """Draws from each state whose mean reward is the baseline."""
    baseline: str = "samples"
    """"samples" (the paper's self-critic), "expectation" (the exact mean that it estimates) or "none". From the
    frontier, and with `later_baselines`, the expectation credits every candidate, not the one drawn alone."""
    later_baselines: bool = True
    """Whether later rewards count less their own baselines, as printed; False credits a choice with all of them."""
    products: bool = True
    """Whether the gain in inner product is a reward; False leaves the shaping alone."""
    width: int | None = None
    """The width d' of the routing vectors; None keeps that of the items and leaves queries as they are."""
    residual: bool | None = None
    """Whether the agent starts as the unlearned search; None: wherever the width allows it."""
    neighborhood: int | None = None
    """How many of the vertices that the paths met an update learns from, so that its cost follows the batch; None: the
    whole graph, whose every vertex is embedded at each update."""
    blends: tuple[float, ...] = (1.0, 0.5, 0.25, 0.125)
    """Shares of what the agent learned that may be added to the items, where the agent starts from them; validation
    chooses among them."""
    rerank: tuple[int, ...] = (0, 16, 32, 64)
    """How many of the best visited may be scored exactly, inside the budget; validation chooses among them, and one
    that leaves too little to walk counts as 0."""
    scales: tuple[float, ...] = (0.25, 0.5, 0.75, 1.0, 1.25)
    """How many times the bias may be added to the scores; validation chooses among them, or none, for each budget."""
    k: int = 10
    """How many answers of a query validation counts: recall k@k."""
    check_every: int = BY_LEARNER
    """Updates between two validations: 10, or 50 for the bias. A checkpoint is written with each."""
    patience: int = 10
    """Validations without a gain after which the training ends early."""
    seed: int = 0
    """Of the starting weights, the batches and the paths."""
    threads: int = 0
    """Cores to use; 0 takes all. The result does not depend on it."""
    device: str = "cpu"
    """Where the GCN runs: "cpu" or "cuda"."""

    def __post_init__(self) -> None:
        self._check("learner", self.learner in LEARNERS, f"one of {', '.join(LEARNERS)}")
        self._check("head", self.head in HEADS, f"one of {', '.join(HEADS)}")
        self._check("head", self.head == "table" or self.learner == "bias", "it with learner='bias' alone")
        for name, value in (DEFAULTS[self.learner] | (BY_GCN if self.head != "table" else {})).items():
            if getattr(self, name) is BY_LEARNER:
                object.__setattr__(self, name, value)
        if self.entry is not None:
            object.__setattr__(self, "entry", as_start(self.entry))
        if isinstance(self.entry, tuple):
            self._check("entry", not is_drawn(self.entry), "a rule that is not random, or one row")
            self._check("entry", self.learner == "bias", "one row or a rule for one: paths start at one row")
        for name in ("budget", "steps", "batch", "b", "k", "check_every", "patience"):
            self._check(name, getattr(self, name) >= 1, "1 or more")
        for name in ("lr", "tau"):
            self._check(name, getattr(self, name) > 0, "a number above 0")
        for name in ("gamma", "lr_decay"):
            self._check(name, 0 < getattr(self, name) <= 1, "a number above 0 and at most 1")
        self._check("blends", len(self.blends) > 0 and all(0 < share <= 1 for share in self.blends), "shares up to 1")
        embeds = self.learner != "bias"
        self._check("neighborhood", self.neighborhood is None or embeds, "it with an agent's learner alone")
        self._check("neighborhood", self.neighborhood is None or self.neighborhood >= 1, "1 or more, or None")
        self._check("alpha", self.alpha >= 0, "0 or more")
        self._check("baseline", self.baseline in BASELINES, f"one of {', '.join(BASELINES)}")
        self._check("products", self.products or self.alpha > 0, "True, or alpha above 0, or there is no reward at all")
        self._check("budgets", all(budget >= 1 for budget in self.budgets), "counts of 1 or more")
        self._check("choose_from", self.choose_from in CHOICES, f"one of {', '.join(CHOICES)}")
        self._check("found", self.found >= 0, "0 or more")
        self._check("found", not self.found or embeds, "it with an agent's learner alone: a bias always finds answers")
        self._check("lesson", self.lesson in LESSONS, f"one of {', '.join(LESSONS)}")
        for name in ("kinds", "noise"):
            self._check(name, getattr(self, name) >= 0, "0 or more")
        self._check("seeds", self.seeds >= 1, "1 or more")
        self._check("scales", len(self.scales) > 0, "at least one number")
        self._check("rerank", len(self.rerank) > 0 and all(r >= 0 for r in self.rerank), "counts of 0 or more")

    def _check(self, name: str, good: bool, wanted: str) -> None:
        if not good:
            raise ValueError(f"{name} is {getattr(self, name)!r}; pass {wanted}.")

    @property
    def all_budgets(self) -> tuple[int, ...]:
        """The budgets that validation looks at.

        >>> TrainConfig(learner="bias", budget=100).all_budgets
        (50, 100, 200)
        """
        if self.budgets or self.learner != "bias":
            return self.budgets or (self.budget,)
        return (max(self.budget // 2, 1), self.budget, 2 * self.budget)

    @classmethod
    def preset(cls, name: str, **changes: Any) -> TrainConfig:
        """The paper's agent with its settings for one of its data sets, or one of its ablations; `changes` replace
        single fields.

        "movielens", "amazon", "echonest": as printed, batches of 30, 60,000 of them, the plain agent. "agent": few
        large batches and an agent that starts as the unlearned search. "frontier": the same, but choosing as the search
        does and rewarded for ways to answers; the unlearned search finds those that are not known. "shaping-only",
        "no-baseline" and "no-shaping" are the paper's ablations of "agent".

        >>> TrainConfig.preset("echonest", steps=10).alpha
        2.7
        """
        if name not in PRESETS:
            raise ValueError(f"preset is {name!r}; pass one of {', '.join(PRESETS)}.")
        return cls(**(PRESETS[name] | changes))

    def as_dict(self) -> dict[str, Any]:
        """All fields by name, for logs.

        >>> TrainConfig().as_dict()["gamma"]
        0.9
        """
        return {field.name: getattr(self, field.name) for field in fields(self)}


_AGENT: dict[str, Any] = {"learner": "reinforce"}
# The rewards of single choices are enough where all ways can be gone back on; gains in product drew the agent to what
# scores highest in the frontier, which is the unlearned search.
FRONTIER: dict[str, Any] = {
    "choose_from": "frontier",
    "baseline": "expectation",
    "products": False,
    "found": 5,
    "steps": 60,
    "lr": 0.004,
}
_PAPER: dict[str, Any] = _AGENT | {
    "batch": 30,
    "steps": 60_000,
    "lr": 0.001,
    "gamma": 0.9,
    "b": 4,
    "residual": False,
    "check_every": 1000,
}

PRESETS: dict[str, dict[str, Any]] = {
    "movielens": _PAPER | {"alpha": 0.7, "tau": 0.15},
    "amazon": _PAPER | {"alpha": 1.0, "tau": 0.5},
    "echonest": _PAPER | {"alpha": 2.7, "tau": 1.0},
    "agent": _AGENT,
    "frontier": _AGENT | FRONTIER,
    "shaping-only": _AGENT | {"products": False},
    "no-baseline": _AGENT | {"baseline": "none"},
    "no-shaping": _AGENT | {"alpha": 0.0},
}
