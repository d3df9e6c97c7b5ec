"""`.venv/bin/python -m bench [name …]`: ratios measured in one run; the absolute times are the machine's.

`kills` is no ratio: it takes minutes, runs only when it is named, and numbers may follow its name.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

SOAKS = {"kills"}
NAMES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))


def main(words: list[str]) -> int:
    """Run what is named, or all ratios; 1 when one of them found something wrong."""
    asked = with_numbers(words or [name for name in NAMES if name not in SOAKS])
    unknown = [name for name, numbers in asked if name not in NAMES or (numbers and name not in SOAKS)]
    if unknown:
        print(f"No benchmark {', '.join(unknown)}; there are: {', '.join(NAMES)}")
        return 2
    failed = 0
    for name, numbers in asked:
        print(f"== {name}")
        failed |= import_module(f"bench.{name}").main(*numbers) or 0
    return failed


def with_numbers(words: list[str]) -> list[tuple[str, list[int]]]:
    """Each name with the numbers that follow it."""
    asked: list[tuple[str, list[int]]] = []
    for word in words:
        if asked and word.isdecimal():
            asked[-1][1].append(int(word))
        else:
            asked.append((word, []))
    return asked


sys.exit(main(sys.argv[1:]))
