"""``python3 -m bench [--tiny] [name …]``: ratios measured in one run; the absolute times are the machine's.

What a benchmark compares with is locked in `bench/NAME.lock` and installed, when it is first asked for, into an
environment of its own: `instance/bench-NAME`. Those without a lock run where the app does.

What is printed is kept in `bench/RESULTS.md` too, with the machine and the date, in place of what was there of it.

`--tiny` measures so little that only its working is shown: the tests run each benchmark so. `kills` and `faults`
are no ratios: they take minutes, run only when they are named, and numbers may follow their names. So does `climb`,
which looks for hard hands, and `fuzz`, which tries by chance what the tests try in short. `pictures` photographs the
screens that README shows.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from app import bootstrap
from bench import _results as results

HERE = Path(__file__).parent
SOAKS = {"climb", "faults", "fuzz", "kills", "pictures"}
UNKEPT = {"climb", "fuzz", "pictures"}
NAMES = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))
TINY = "--tiny"


def main(words: list[str]) -> int:
    """Run what is named, or all ratios; 1 when one of them found something wrong."""
    flags = [word for word in words if word == TINY]
    asked = with_numbers([word for word in words if word != TINY] or [name for name in NAMES if name not in SOAKS])
    unknown = [name for name, numbers in asked if name not in NAMES or (numbers and name not in SOAKS)]
    if unknown:
        print(f"No benchmark {', '.join(unknown)}; there are: {', '.join(NAMES)}")
        return 2
    failed = 0
    for name, numbers in asked:
        print(f"== {name}", flush=True)
        failed |= run([python_for(name), "-m", "bench._run", name, *flags, *numbers], name, keeps=not flags)
    return min(failed, 1)


def run(command: list[str], name: str, *, keeps: bool) -> int:
    """Run one benchmark, showing what it prints as it does; the result is its exit code."""
    shown = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        for line in running.stdout or ():
            print(line, end="", flush=True)
            shown.append(line)
    if keeps and not running.returncode and name not in UNKEPT:
        results.keep(name, "".join(shown))
    return running.returncode


def python_for(name: str) -> str:
    """The Python that has what the benchmark compares with."""
    lock = HERE / f"{name}.lock"
    return (
        bootstrap.environment(lock, bootstrap.ROOT / "instance" / f"bench-{name}") if lock.exists() else sys.executable
    )


def with_numbers(words: list[str]) -> list[tuple[str, list[str]]]:
    """Each name with the numbers that follow it."""
    asked: list[tuple[str, list[str]]] = []
    for word in words:
        if asked and word.isdecimal():
            asked[-1][1].append(word)
        else:
            asked.append((word, []))
    return asked


if __name__ == "__main__":
    bootstrap.enter("bench", bootstrap.APP_LOCK, bootstrap.APP_PACKAGES)
    sys.exit(main(sys.argv[1:]))
