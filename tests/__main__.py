"""``python3 -m tests``: make the environment, then check style, types and behaviour.

Arguments go to pytest. Without any the whole suite runs, the browser tests with it: first the core, of which every
branch must be taken, then everything else. The one word `fast` runs what a minute has room for.
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
FILE_BY_FILE = ("--dist=loadfile", "--no-loadscope-reorder")
"""In the order collected: sorted by the number of tests, long files with few would be left for the end."""
CORE = ("app/kalooki", "tests/kalooki")
EVERYTHING = (
    ("--numprocesses=auto", *FILE_BY_FILE, *CORE, "--cov", "--cov-report=term-missing:skip-covered"),
    # by themselves, because a page takes three times as long while branches are noted
    (
        # half of the time a test waits: for a browser, a server, the press
        f"--numprocesses={2 * (os.cpu_count() or 1)}",
        *FILE_BY_FILE,
        *(f"--ignore={each}" for each in CORE),
    ),
)
"""What pytest is called with, one after the other."""

TESTS_FAILED = 1
"""What pytest then exits with; other numbers say that it could not run them."""

FAST = (
    "--numprocesses=auto",
    *CORE,
    *("tests/test_architecture.py", "tests/test_javascript.py"),
    *("tests/web/test_views.py", "tests/web/test_look.py"),
)
"""The core whole, the shape of the code, and every page once; no Chromium, no press, no PostgreSQL."""


def main(arguments: list[str]) -> int:
    """Run everything, even after a failure; the result is 0 when all of it passed."""
    os.chdir(bootstrap.ROOT)
    failed = [command for command in STYLE_AND_TYPES if run(*command)]
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
    """Whether nothing failed but what waits for a browser, which a busy machine can slow beyond any wait."""
    return bool(names) and all(name.startswith("tests/browser/") for name in names)


def calls(arguments: list[str]) -> tuple[tuple[str, ...], ...]:
    """What pytest is to be called with, once or several times."""
    if arguments == ["fast"]:
        return (FAST,)
    return (tuple(arguments),) if arguments else EVERYTHING


def run(*command: str) -> int:
    """Run ``python -m command`` and return its exit code."""
    print(f"$ {' '.join(command)}", flush=True)
    return subprocess.run([sys.executable, "-m", *command], check=False).returncode


if __name__ == "__main__":
    bootstrap.enter("tests", bootstrap.TESTS_LOCK, bootstrap.TESTS_PACKAGES)
    sys.exit(main(sys.argv[1:]))
