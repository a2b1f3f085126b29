"""The lessons of one beam search in plain Python: the softmax over the whole frontier, state by state."""

import math

import numpy as np


def beam_lessons(
    neighbors: np.ndarray,
    scores: np.ndarray,
    entries: list[int],
    answers: list[int],
    budget: int,
    tau: float,
    lesson: str,
    deferred: np.ndarray | None = None,
    penalty: float = 0.0,
) -> tuple[list[int], list[float], float, int, int]:
    """Rows seen, the gradient of the loss by the score of each, the loss, the states that taught, the answers found.

    `scores` are those that both the walk and the policy go by; there is no noise. A frontier holds (row, visit).
    """
    seen: list[int] = []
    gradient: dict[int, float] = {}
    frontier: list[tuple[int, int]] = []
    loss, states = 0.0, 0

    def see(rows: list[int]) -> None:
        for row in rows:
            if row < 0:
                break
            if row not in gradient and len(seen) < budget:
                seen.append(row)
                gradient[row] = 0.0
                frontier.append((row, 1))

    def shown(row: int, visit: int) -> list[int]:
        return neighbors[row].tolist() if visit == 1 or deferred is None else deferred[row].tolist()

    def score(row: int, visit: int) -> float:
        return scores[row] if visit == 1 else scores[row] - penalty

    see(entries)
    while len(seen) < budget and frontier:
        unseen = set(answers) - {-1} - set(seen)
        worth = [len(unseen & set(shown(*one))) for one in frontier]
        if lesson == "imitation":
            worth = [min(value, 1) for value in worth]
        if any(worth):
            top = max(score(*one) for one in frontier)
            shares = [math.exp((score(*one) - top) / tau) for one in frontier]
            p = [share / sum(shares) for share in shares]
            expected = sum(a * b for a, b in zip(p, worth, strict=True))
            for (row, _), chance, value in zip(frontier, p, worth, strict=True):
                slope = chance * (value - expected) / tau  # of the expected worth, by this vertex's score
                gradient[row] -= slope / expected
            loss -= math.log(expected)
            states += 1
        best = max(frontier, key=lambda one: (score(*one), frontier.index(one) * -1))
        frontier.remove(best)
        if best[1] == 1 and deferred is not None and deferred[best[0], 0] >= 0:
            frontier.append((best[0], 2))
        see(shown(*best))
    found = len((set(answers) - {-1}) & set(seen))
    return seen, [gradient[row] for row in seen], loss, states, found


def numeric_gradient(loss_of: "object", scores: np.ndarray, rows: list[int], step: float = 1e-5) -> list[float]:
    """Central differences of `loss_of(scores)` by the scores of some rows."""
    slopes = []
    for row in rows:
        up, down = scores.copy(), scores.copy()
        up[row] += step
        down[row] -= step
        slopes.append((loss_of(up) - loss_of(down)) / (2 * step))  # type: ignore[operator]
    return slopes
