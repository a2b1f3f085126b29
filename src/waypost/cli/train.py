"""`waypost train`: teaches an index the way."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from waypost.cli.inputs import Sets, beside, open_index, place
from waypost.cli.options import Column, IndexFile, Json, Key, Seed, Threads, as_counts, as_entry
from waypost.cli.output import Output
from waypost.cli.progress import bar
from waypost.cli.shell import stopped
from waypost.interruption import noticed_interruption

if TYPE_CHECKING:
    from waypost import Index, TrainConfig
    from waypost.arguments import Floats

TRUTHS = ("exact", "unlearned", "none")
LABELS = 10  # true answers of a training query


def train(
    index: IndexFile,
    queries: Annotated[
        Path, typer.Argument(metavar="QUERIES", help="Factors by `waypost factorize`, or a file of query vectors.")
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The learned index to write.")],
    budget: Annotated[int, typer.Option("--budget", min=1, help="The products a search may cost later.")] = 256,
    budgets: Annotated[str | None, typer.Option("--budgets", help="Several of them, as 64,128,256.")] = None,
    learner: Annotated[
        str, typer.Option("--learner", help="bias, reinforce (the paper's agent) or imitation.")
    ] = "bias",
    preset: Annotated[
        str | None, typer.Option("--preset", help="A preset of TrainConfig, in the learner's place.")
    ] = None,
    steps: Annotated[int | None, typer.Option("--steps", min=1, help="How many updates.")] = None,
    truth: Annotated[str, typer.Option("--truth", help="Who labels the queries: exact, unlearned or none.")] = "exact",
    most: Annotated[int, typer.Option("--most", min=2, help="How many training queries to use at most.")] = 10_000,
    valid: Annotated[Path | None, typer.Option("--valid", help="A file of validation queries.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any other field of TrainConfig.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", help="Kept up to date, and left there when training has ended.")
    ] = None,
    log: Annotated[
        Path | None, typer.Option("--log", help="A line of JSON an update; else OUT's name and .jsonl.")
    ] = None,
    column: Column = None,
    key: Key = None,
    seed: Seed = 0,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Trains a router on the training queries, chooses among what it learned on the validation queries.

    The result never does worse on validation than the index it began with. Ctrl-C keeps the best so far in OUT, and a
    checkpoint beside it: the same command again goes on from there.

    Example: `waypost train shop.waypost shop.factors.npz shop.learned.waypost --budget 256`
    """
    from waypost import train_router

    output, plain, sets = Output(json), open_index(index), Sets.of(queries, column, key)
    kept, lines = place(checkpoint or beside(out, ".training")), place(log or beside(out, ".jsonl"))
    place(out)
    named = {"budget": budget, "seed": seed, "threads": threads} | _settings(settings)
    named |= {} if budgets is None else {"budgets": as_counts(budgets, "--budgets")}
    config = _config(learner, preset, named | ({} if steps is None else {"steps": steps}))
    asked, held_out = sets.queries("train"), _valid(sets, valid)
    if len(asked) > most:
        output.note(f"{most:,} of the {len(asked):,} training queries are used; --most takes more.")
    asked = asked[:most]
    labels = _labels(plain, asked, truth, threads)
    done = [0]
    with noticed_interruption() as interruption, bar("training") as progress:

        def count(step: int, steps: int) -> None:
            done[0] = step
            progress(step, steps)

        router = train_router(
            plain.items, plain.graph, asked, labels, config, held_out, log=lines, progress=count, checkpoint=kept
        )
    learned = plain.with_router(router)
    if not (interruption.happened and router.is_identity):
        learned.save(out)
    if interruption.happened:
        _say_what_is_kept(out, kept, done[0], config.steps, nothing=router.is_identity)
    if checkpoint is None:
        kept.unlink(missing_ok=True)
    output.record(_about(learned, plain, held_out, config) | {"file": str(out), "log": str(lines)})


def _config(learner: str, preset: str | None, named: dict[str, Any]) -> TrainConfig:
    from waypost import TrainConfig

    try:
        return TrainConfig(learner=learner, **named) if preset is None else TrainConfig.preset(preset, **named)
    except TypeError as error:
        if "unexpected keyword" not in str(error):
            raise
        unknown = str(error).rpartition(" ")[2]
        raise ValueError(f"--set names {unknown}, which is no field of TrainConfig; see docs/guide.md.") from None


def _settings(given: list[str] | None) -> dict[str, Any]:
    settings = {}
    for pair in given or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f"--set is {pair!r}; pass NAME=VALUE, as lr=0.05.")
        try:
            read = json_module.loads(value)
        except ValueError:
            read = value
        settings[name.strip()] = tuple(read) if isinstance(read, list) else read
    if "entry" in settings:
        settings["entry"] = as_entry(str(settings["entry"]))
    return settings


def _valid(sets: Sets, valid: Path | None) -> Floats | None:
    from waypost.learn.training_input import MOST_VALIDATION

    if valid is not None:
        return Sets.of(valid).queries("valid")
    if sets.factors is None or sets.factors.split is None:
        return None
    return sets.queries("valid")[:MOST_VALIDATION]


def _labels(index: Index, asked: Floats, truth: str, threads: int) -> Any:
    from waypost import exact_search

    if truth not in TRUTHS:
        raise ValueError(f"--truth is {truth!r}; pass one of {', '.join(TRUTHS)}.")
    if truth != "exact":
        return None if truth == "none" else truth
    with bar("exact answers of the training queries"):
        return exact_search(index.items, asked, min(LABELS, len(index)), threads=threads).ids


def _say_what_is_kept(out: Path, kept: Path, done: int, steps: int, nothing: bool) -> None:
    best = f"nothing better was learned yet, so {out} was not written" if nothing else f"the best so far is {out}"
    again = "; the same command again goes on from " + str(kept) if kept.exists() else ""
    raise stopped(f"stopped after update {done} of {steps}: {best}{again}.")


def _about(learned: Index, plain: Index, held_out: Floats | None, config: TrainConfig) -> dict[str, Any]:
    from waypost import recall

    about: dict[str, Any] = {"learned": not learned.router.is_identity, "learner": config.learner}
    if held_out is None:
        return about
    k = min(config.k, len(plain))
    truth = plain.exact(held_out, k, threads=config.threads).ids
    for name, index in (("unlearned", plain), ("learned", learned)):
        answers = [index.search(held_out, k, budget, threads=config.threads).ids for budget in config.all_budgets]
        found = {str(b): recall(ids, truth, k, k) for b, ids in zip(config.all_budgets, answers, strict=True)}
        about[f"validation_recall_{name}"] = found
    return about
