"""A verdict follows from numbers alone: made-up tables whose verdict is plain to see."""

from collections.abc import Callable

from waypost.paper import verdicts as v
from waypost.paper.claims import CLAIMS
from waypost.paper.exhibits.hyper_parameters import VALUES
from waypost.paper.numbers import Measured
from waypost.paper.protocol import BUDGETS, GRAPHS, SPEED_BUDGETS

AT = v.Where("shop", "random", "agent")


def numbers(*rows: tuple[dict[str, str], float]) -> v.Numbers:
    return v.Numbers(Measured({"set": "shop", "entry": "random", **labels}, (value,), 1) for labels, value in rows)


def table_3(agent: Callable[[str, int], float]) -> v.Numbers:
    cells = [{"graph": graph, "IPC": str(budget)} for graph in GRAPHS for budget in BUDGETS]
    plain = [(cell | {"method": "unlearned"}, 0.5) for cell in cells]
    return numbers(*plain, *((cell | {"method": "agent"}, agent(cell["graph"], int(cell["IPC"]))) for cell in cells))


def test_above_unlearned() -> None:
    assert v.above_unlearned(table_3(lambda graph, budget: 0.6), AT).verdict == v.HOLDS
    assert v.above_unlearned(table_3(lambda graph, budget: 0.5), AT).verdict == v.FAILS
    partly = v.above_unlearned(table_3(lambda graph, budget: 0.6 if budget == 128 else 0.4), AT)
    assert (partly.verdict, partly.numbers) == (v.IN_PART, "3 of 9 cells, -0.100 to +0.100")


def test_largest_gains() -> None:
    printed = {"ip-nsw": 0.55, "ipdg": 0.6, "moebius": 0.7}
    assert v.largest_on_ipdg_and_moebius(table_3(lambda graph, b: printed[graph]), AT).verdict == v.HOLDS
    other = {"ip-nsw": 0.65, "ipdg": 0.6, "moebius": 0.7}
    found = v.largest_on_ipdg_and_moebius(table_3(lambda graph, b: other[graph]), AT)
    assert (found.verdict, found.numbers) == (v.IN_PART, "mean gain: ip-nsw +0.150, ipdg +0.100, moebius +0.200")


def shares(agent: dict[str, float], iltr: dict[str, float]) -> v.Numbers:
    return numbers(
        *(({"method": "agent", "ground truth": share}, value) for share, value in agent.items()),
        *(({"method": "ILTR", "ground truth": share}, value) for share, value in iltr.items()),
    )


def test_iltr() -> None:
    as_printed = shares({"5%": 0.6, "30%": 0.7}, {"5%": 0.4, "30%": 0.65})
    assert v.above_iltr(as_printed, AT).verdict == v.HOLDS
    assert v.more_so_with_little_truth(as_printed, AT).verdict == v.HOLDS
    turned = shares({"5%": 0.6, "30%": 0.7}, {"5%": 0.58, "30%": 0.5})
    assert v.more_so_with_little_truth(turned, AT).verdict == v.FAILS
    behind = shares({"5%": 0.5, "30%": 0.3}, {"5%": 0.6, "30%": 0.6})
    assert v.above_iltr(behind, AT).verdict == v.FAILS
    assert v.more_so_with_little_truth(behind, AT).verdict == v.FAILS  # less behind is not ahead


def test_embedding() -> None:
    def table(best: str) -> v.Numbers:
        widths = ("64", "80", "96", "112", "128")
        return numbers(*(({"method": "agent", "d'": width}, 0.7 if width == best else 0.5) for width in widths))

    assert v.no_gain_from_embedding(table("96"), AT).verdict == v.HOLDS
    assert v.no_gain_from_embedding(table("64"), AT).verdict == v.IN_PART


def test_graphs_of_other_similarities() -> None:
    def table(values: tuple[float, float, float]) -> v.Numbers:
        return numbers(
            *(
                ({"method": "agent", "recall": metric, "graph": kind}, value)
                for metric in ("1@1", "10@10")
                for kind, value in zip(("ip-nsw", "l2-nsw", "cos-nsw"), values, strict=True)
            )
        )

    assert v.ip_nsw_is_best(table((0.8, 0.0, 0.5)), AT).verdict == v.HOLDS
    assert v.ip_nsw_is_best(table((0.4, 0.0, 0.5)), AT).verdict == v.IN_PART


def test_ground_truths() -> None:
    def table(none: float, some: float, approximate: float) -> v.Numbers:
        values = {"none": none, "30%": some, "approximate": approximate}
        return numbers(*(({"method": "agent", "ground truth": name}, value) for name, value in values.items()))

    assert v.thirty_percent_is_best(table(0.7, 0.76, 0.68), AT).verdict == v.HOLDS
    assert v.thirty_percent_is_best(table(0.77, 0.76, 0.68), AT).verdict == v.IN_PART
    assert v.thirty_percent_is_best(table(0.77, 0.76, 0.78), AT).verdict == v.FAILS


def test_ablations() -> None:
    def table(ours: float, shaping: float, no_baseline: float, start: str = "plain") -> v.Numbers:
        values = {"ours": ours, "shaping alone": shaping, "no baseline": no_baseline}
        return numbers(*(({"method": "agent", "start": start, "agent": name}, x) for name, x in values.items()))

    assert v.ablations_are_far_worse(table(0.757, 0.194, 0.267), AT).verdict == v.HOLDS
    assert v.ablations_are_far_worse(table(0.757, 0.194, 0.700), AT).verdict == v.IN_PART
    assert v.ablations_are_far_worse(table(0.757, 0.740, 0.700), AT).verdict == v.FAILS
    assert v.ablations_are_far_worse(table(0.7, 0.1, 0.1, "the unlearned search"), AT).verdict == v.OPEN


def test_the_parameter_that_matters() -> None:
    def figure(widest: str) -> v.Numbers:
        def recall(parameter: str, at: int) -> float:
            return 0.5 + at * (0.05 if parameter == widest else 0.01)

        return v.Numbers(
            Measured({"set": "shop", "parameter": p, "method": "agent", "value": f"{x:g}"}, (recall(p, at),), 1)
            for p, values in VALUES.items()
            for at, x in enumerate(values)
        )

    assert v.alpha_matters_most(figure("alpha"), AT).verdict == v.HOLDS
    assert v.alpha_matters_most(figure("tau"), AT).verdict == v.FAILS


def test_the_budget_of_training() -> None:
    def figure(at_256: float) -> v.Numbers:
        values = {32: 0.5, 64: 0.6, 128: 0.7, 256: at_256, 512: 0.75, 1024: 0.75}
        return numbers(*(({"method": "agent", "training IPC": str(b)}, value) for b, value in values.items()))

    assert v.converges_quickly(figure(0.745), AT).verdict == v.HOLDS
    assert v.converges_quickly(figure(0.70), AT).verdict == v.FAILS


def test_queries_a_second() -> None:
    def figure(better: float) -> v.Numbers:
        rows = []
        for at, budget in enumerate(SPEED_BUDGETS):
            for method, more in (("unlearned", 0.0), ("agent", better)):
                labels = {"IPC": str(budget), "method": method}
                rows.append((labels | {"what": "recall 10@10"}, 0.4 + 0.1 * at + more))
                rows.append((labels | {"what": "QPS"}, 20_000.0 / 2**at))
        return numbers(*rows)

    assert v.more_queries_a_second(figure(0.05), AT).verdict == v.HOLDS
    assert v.more_queries_a_second(figure(-0.05), AT).verdict == v.FAILS
    assert v.more_queries_a_second(figure(-0.9), AT).verdict == v.FAILS  # their curves do not even meet


def test_nothing_measured_is_no_verdict() -> None:
    for claim in CLAIMS:
        assert claim.judge(v.Numbers([]), AT).verdict == v.OPEN
