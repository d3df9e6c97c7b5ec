"""``python3 -m tests.bench [--tiny] [name …]``: what things take; the times are the machine's.

The packages that only one benchmark needs are locked in `tests/bench/NAME.lock` and installed into an environment of
its own, `instance/bench-NAME`, when it first runs. Benchmarks without a lock run in the app's environment.

A full run also replaces the benchmark's section in `tests/bench/RESULTS.md`, with the machine and the date.

`--tiny` measures just enough to show that a benchmark works; the tests run each one this way. Some are not ratios and
run only when named; a number may follow the name. `kills`, `faults`, `outages` and `serving` take minutes; `earlier`
compares this release with the checkout of an earlier one. `fuzz` tries longer what the tests try at random, `rules`
plays by any rules, and `mutants` puts faults into the product. `pictures` photographs the screens in README and help.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from app import bootstrap
from tests.bench import _results as results

HERE = Path(__file__).parent
SOAKS = {"earlier", "faults", "fuzz", "kills", "mutants", "outages", "pictures", "rules", "serving"}
UNKEPT = {"fuzz", "pictures"}
NAMES = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))
TINY = "--tiny"


def main(words: list[str]) -> int:
    """Run what is named, or all ratios; returns 1 if one of them found something wrong."""
    flags = [word for word in words if word == TINY]
    asked = with_numbers([word for word in words if word != TINY] or [name for name in NAMES if name not in SOAKS])
    unknown = [name for name, numbers in asked if name not in NAMES or (numbers and name not in SOAKS)]
    if unknown:
        print(f"No benchmark {', '.join(unknown)}; there are: {', '.join(NAMES)}")
        return 2
    failed = 0
    for name, numbers in asked:
        print(f"== {name}", flush=True)
        failed |= run([python_for(name), "-m", "tests.bench._run", name, *flags, *numbers], name, keeps=not flags)
    return min(failed, 1)


def run(command: list[str], name: str, *, keeps: bool) -> int:
    """Run one benchmark, showing its output as it comes; returns its exit code."""
    shown = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        for line in running.stdout or ():
            print(line, end="", flush=True)
            shown.append(line)
    if keeps and not running.returncode and name not in UNKEPT:
        results.keep(name, "".join(shown))
    return running.returncode


def python_for(name: str) -> str:
    """The Python of the environment that a benchmark needs."""
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
    bootstrap.enter("tests.bench", bootstrap.APP_LOCK, bootstrap.APP_PACKAGES)
    sys.exit(main(sys.argv[1:]))
