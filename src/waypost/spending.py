"""What a search that spends a budget may spend on what: its entries, its walk and its re-rank."""


def reserved(rerank: object, budget: int) -> int:
    """What a re-rank that the caller asked for leaves no entry, as far as it is one at all."""
    return rerank if isinstance(rerank, int) and 0 < rerank < budget else 0


def fitting(rerank: int, k: int, budget: int, entries: int) -> int:
    """A router's own re-rank, where it leaves at least as much to walk as it takes.

    >>> fitting(32, 10, 256, 1), fitting(32, 10, 60, 1)
    (32, 0)
    """
    return rerank if rerank >= k and budget - rerank >= max(rerank, entries) else 0


def check_spending(k: int, budget: int, rerank: int, entries: int) -> int:
    """The re-rank, if the budget pays for it, the entries and some of a walk."""
    if budget < entries:
        raise ValueError(f"budget is {budget}, below the {entries} entries of a query; pass budget={entries} or more.")
    if 0 < rerank < k:
        raise ValueError(f"rerank is {rerank}, below k={k}; pass 0 or at least {k}.")
    if rerank and budget - rerank < entries:
        raise ValueError(
            f"rerank is {rerank} of a budget of {budget}, which leaves too little to walk; "
            f"pass a budget of at least {rerank + entries}."
        )
    return rerank
