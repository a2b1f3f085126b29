"""Search by a bounded pool, as plainly as can be: what the native one must give, row by row."""

import numpy as np

EXPANDED_TOGETHER = 4
PRODUCTS_A_CANDIDATE = 5


def pool_search(
    neighbors: np.ndarray,
    walked: np.ndarray,
    ranked: np.ndarray,
    entries: list[int],
    pool: int,
    keep: int,
    budget: int | None = None,
    deferred: np.ndarray | None = None,
    second_looks: int = 0,
    allowed: set[int] | None = None,
    complete: bool = False,
) -> tuple[list[int], int]:
    """The best `keep` of the rows seen, best first, by `ranked`, and how many were seen; the walk goes by `walked`.

    `complete`: where what is excluded hides too many of the candidates, the walk goes on with allowed ones alone, by as
    many more as are hidden, and again as many; or all that is allowed is scanned, where that costs less.
    """
    n, left = len(walked), float("inf") if budget is None else budget
    seen: set[int] = set()
    candidates: list[int] = []
    expanded: set[int] = set()
    looked_again: set[int] = set()

    def look_up(rows: list[int]) -> None:
        nonlocal left
        for row in rows:
            if 0 <= row < n and row not in seen and left > 0:
                left -= 1
                seen.add(row)
                candidates.append(row)
        candidates.sort(key=place)
        del candidates[max(pool, keep) :]

    def place(row: int) -> tuple[float, int]:
        return -walked[row], row

    look_up(entries)
    while left > 0:
        if together := [row for row in candidates if row not in expanded][:EXPANDED_TOGETHER]:
            expanded.update(together)
            look_up(neighbors[together].ravel().tolist())
        elif deferred is not None and (best := [r for r in candidates[:second_looks] if r not in looked_again]):
            looked_again.add(best[0])
            look_up(deferred[best[0]].tolist())
        else:
            break
    if complete and allowed is not None and _too_few(candidates, allowed, keep, max(pool, keep), budget):
        size = min(max(pool, keep) + 2 * _hidden(sorted(seen, key=place), allowed, keep), n)
        if len(allowed) ** 2 <= PRODUCTS_A_CANDIDATE * size * n:  # a scan is cheaper
            return sorted(allowed, key=lambda row: (-ranked[row], row))[:keep], len(seen) + len(allowed)
        if left <= 0:  # cut short, so that not all of the last neighbours were seen
            left = float("inf")
            expanded.clear()
            looked_again.clear()
        while True:
            kept = sorted((row for row in seen if row in allowed), key=place)[:size]
            full = len(kept) == size
            still_open = sorted((row for row in seen if row not in expanded), key=place)
            together = [row for row in still_open if not full or place(row) <= place(kept[-1])][:EXPANDED_TOGETHER]
            if together:
                expanded.update(together)
                look_up(neighbors[together].ravel().tolist())
            elif deferred is not None and (best := [r for r in kept[:second_looks] if r not in looked_again]):
                looked_again.add(best[0])
                look_up(deferred[best[0]].tolist())
            else:
                break
    answers = sorted((row for row in seen if allowed is None or row in allowed), key=lambda row: (-ranked[row], row))
    return answers[:keep], len(seen)


def _too_few(candidates: list[int], allowed: set[int], keep: int, pool: int, budget: int | None) -> bool:
    """Whether answers are missing; or a full pool, not held to a budget, spent a quarter on what is excluded."""
    if sum(row in allowed for row in candidates) < keep:
        return True
    hidden = _hidden(candidates, allowed, keep)
    return budget is None and len(candidates) == pool and 4 * hidden > keep + hidden


def _hidden(rows: list[int], allowed: set[int], keep: int) -> int:
    """How many that are not allowed stand before the first `keep` that are."""
    passed = 0
    for place, row in enumerate(rows):
        passed += row in allowed
        if passed == keep:
            return place + 1 - keep
    return len(rows) - passed
