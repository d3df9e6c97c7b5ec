"""`rules [TIMES]`: the laws of a table's own rules, so many times as often as `python3 -m tests long` tries them.

What broke a law is told as hypothesis made it small, with what draws it again.
"""

from __future__ import annotations

from tests.bench.fuzz import tried

USUAL, TINY = 1, 0.03
LAWS = "tests/web/test_house_rule_laws.py"


def main(times: int = USUAL, *, tiny: bool = False) -> int:
    failed = tried(TINY if tiny else times, "--hypothesis-show-statistics", LAWS)
    print(f"differences: {failed}")
    return failed
