"""``python3 -m tests``: make the environment, then check style, types and behaviour.

Arguments go to pytest. Without any the whole suite runs, the browser tests with it, file by file in two processes a
processor, and every branch of the core must have been taken. The one word `fast` runs what a minute has room for.
"""

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
EVERYTHING = (
    # half of the time a test waits: for a browser, a server, the press
    f"--numprocesses={2 * (os.cpu_count() or 1)}",
    # in the order collected: sorted by the number of tests, long files with few would be left for the end
    *("--dist=loadfile", "--no-loadscope-reorder"),
    *("--cov", "--cov-report=term-missing:skip-covered"),
)

FAST = (
    "--numprocesses=auto",
    *("app/kalooki", "tests/kalooki", "tests/test_architecture.py", "tests/test_javascript.py"),
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
    status = run("pytest", *(FAST if arguments == ["fast"] else arguments or EVERYTHING))
    return status or len(failed)


def run(*command: str) -> int:
    """Run ``python -m command`` and return its exit code."""
    print(f"$ {' '.join(command)}", flush=True)
    return subprocess.run([sys.executable, "-m", *command], check=False).returncode


if __name__ == "__main__":
    bootstrap.enter("tests", bootstrap.TESTS_LOCK, bootstrap.TESTS_PACKAGES)
    sys.exit(main(sys.argv[1:]))
