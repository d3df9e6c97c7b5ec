"""The least that can be left as an integer programme for OR-tools' CP-SAT, with one worker."""

from collections.abc import Mapping
from time import process_time_ns

from _melds import Card, Meld, serve, worth
from ortools.sat.python import cp_model


def solve(naturals: Mapping[Card, int], jokers: int, melds: list[Meld]) -> tuple[int, int]:
    model = cp_model.CpModel()
    laid = [model.new_int_var(0, 2, "") for _ in melds]
    for card, count in naturals.items():
        uses = [times for times, (cards, _) in zip(laid, melds, strict=True) if card in cards]
        if uses:
            model.add(sum(uses) <= count)
    if jokers:
        model.add(sum(times * more for times, (_, more) in zip(laid, melds, strict=True)) <= jokers)
    model.maximize(sum(times * worth(meld) for times, meld in zip(laid, melds, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    start = process_time_ns()
    solver.solve(model)
    return process_time_ns() - start, round(solver.objective_value)


serve(solve)
