"""``python3 -m tests``: make the environment, then check style, types and behaviour.

Without arguments: first the core, whose every branch must be covered, then everything else, including the browser
tests. `fast` runs what fits into about a minute; `long` runs only what takes too long for every run, and the random
examples in full. Other arguments go to pytest.
"""

import json
import os
import subprocess
import sys

from app import bootstrap

STYLE_AND_TYPES = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("mypy", "--strict", "app"),
    ("tests.javascript", "biome", "check", "--error-on-warnings"),
    ("djlint", "templates", "--lint", "--quiet"),
)
CORE = ("app/kalooki", "tests/kalooki")
BENCHMARKS = "tests/test_bench.py"
SHARED_OUT = (
    # tests wait half of the time: for a browser, a server, the press
    f"--numprocesses={2 * (os.cpu_count() or 1)}",
    # a file's tests share what they start; sorted by their number of tests, long files with few would run last
    *("--dist=loadfile", "--no-loadscope-reorder"),
)
EVERYTHING = (
    ("--numprocesses=auto", *CORE, "-m", "not long", "--cov", "--cov-report=term-missing:skip-covered"),
    # separately, because a page takes three times as long while coverage is measured
    (*SHARED_OUT, *(f"--ignore={each}" for each in CORE), "-m", "not long"),
)
"""The arguments of each call of pytest, in order."""

FAST = (
    "--numprocesses=auto",
    *CORE,
    *("tests/test_architecture.py", "tests/test_javascript.py"),
    *("tests/web/test_views.py", "tests/web/test_look.py"),
    *("-m", "not long"),
)
"""The core whole, the shape of the code, and every page once; no Chromium, no press, no PostgreSQL."""

LONG = (
    (*SHARED_OUT, f"--ignore={BENCHMARKS}", "-m", "long or hypothesis"),
    # one after the other: they measure
    (BENCHMARKS, "-m", "long"),
)

TESTS_FAILED = 1
"""Pytest's exit code for failed tests; others mean that it could not run them."""


def main(arguments: list[str]) -> int:
    """Run everything, even after a failure; returns 0 if all of it passed."""
    os.chdir(bootstrap.ROOT)
    if arguments == ["long"]:
        os.environ.setdefault("LONGER", "1")
    failed = [command for command in STYLE_AND_TYPES if run(*command)] if arguments != ["long"] else []
    for command in failed:
        print(f"FAILED: {' '.join(command)}", flush=True)
    # last, so that the last line is pytest's summary
    statuses = [run("pytest", *call) for call in calls(arguments)]
    if not arguments and statuses[-1] == TESTS_FAILED and all_in_browsers(last_failed()):
        print("Only in browsers, with others beside them. Alone:", flush=True)
        statuses[-1] = run("pytest", "--last-failed")
    return next((status for status in statuses if status), len(failed))


def last_failed() -> list[str]:
    """The tests that failed when they last ran, by pytest's names for them."""
    kept = bootstrap.ROOT / ".pytest_cache/v/cache/lastfailed"
    return list(json.loads(kept.read_text())) if kept.exists() else []


def all_in_browsers(names: list[str]) -> bool:
    """Whether only browser tests failed, which a busy machine can slow beyond any time-out."""
    return bool(names) and all(name.startswith("tests/browser/") for name in names)


def calls(arguments: list[str]) -> tuple[tuple[str, ...], ...]:
    """The arguments for pytest, for one call or several."""
    named = {(): EVERYTHING, ("fast",): (FAST,), ("long",): LONG}
    return named.get(tuple(arguments), (tuple(arguments),))


def run(*command: str) -> int:
    """Run ``python -m command`` and return its exit code."""
    print(f"$ {' '.join(command)}", flush=True)
    return subprocess.run([sys.executable, "-m", *command], check=False).returncode


if __name__ == "__main__":
    bootstrap.enter("tests", bootstrap.TESTS_LOCK, bootstrap.TESTS_PACKAGES)
    sys.exit(main(sys.argv[1:]))
