"""The least that can be left as an integer programme for HiGHS, called directly, with one thread."""

from collections.abc import Mapping
from time import process_time_ns

import highspy
import numpy as np
from _melds import Card, Meld, serve, worth


def solve(naturals: Mapping[Card, int], jokers: int, melds: list[Meld]) -> tuple[int, int]:
    rows = {card: number for number, card in enumerate(naturals)}
    entries = [[*sorted((rows[card], 1) for card in cards), (len(rows), more)] for cards, more in melds]
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(melds), len(rows) + 1
    model.col_cost_ = np.array([worth(meld) for meld in melds], dtype=float)
    model.col_lower_, model.col_upper_ = np.zeros(len(melds)), np.full(len(melds), 2.0)
    model.row_lower_ = np.full(len(rows) + 1, -highspy.kHighsInf)
    model.row_upper_ = np.array([*naturals.values(), jokers], dtype=float)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.cumsum([0, *map(len, entries)])
    model.a_matrix_.index_ = np.array([row for column in entries for row, _ in column])
    model.a_matrix_.value_ = np.array([times for column in entries for _, times in column], dtype=float)
    model.integrality_ = [highspy.HighsVarType.kInteger] * len(melds)
    model.sense_ = highspy.ObjSense.kMaximize
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.passModel(model)
    start = process_time_ns()
    highs.run()
    return process_time_ns() - start, round(highs.getObjectiveValue()) if melds else 0


serve(solve)
