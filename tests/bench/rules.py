"""`rules [TIMES]`: the laws of a table's own rules, so many times as often as `python3 -m tests long` tries them.

What broke a law is told as hypothesis made it small, with what draws it again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

from app import bootstrap

USUAL, TINY = 1, 0.03
LAWS = "tests/web/test_house_rule_laws.py"


def main(times: int = USUAL, *, tiny: bool = False) -> int:
    python = sys.executable if find_spec("pytest") else bootstrap.environment(bootstrap.TESTS_LOCK)
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--hypothesis-show-statistics", LAWS]
    environment = os.environ | {"LONGER": str(TINY if tiny else times)}
    done = subprocess.run(command, cwd=bootstrap.ROOT, env=environment, check=False)
    print(f"differences: {done.returncode}")
    return done.returncode
