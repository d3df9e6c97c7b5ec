"""``python3 -m tests``: make the environment, then check style, types and behaviour.

Arguments go to pytest. Without any the whole suite runs, the browser tests with it, file by file on all
processors, and every branch of the core must have been taken.
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
)
EVERYTHING = ("--numprocesses=auto", "--dist=loadfile", "--cov", "--cov-report=term-missing:skip-covered")


def main(arguments: list[str]) -> int:
    """Run everything, even after a failure; the result is 0 when all of it passed."""
    os.chdir(bootstrap.ROOT)
    failed = [command for command in STYLE_AND_TYPES if run(*command)]
    for command in failed:
        print(f"FAILED: {' '.join(command)}", flush=True)
    # last, so that the last line is pytest's summary
    status = run("pytest", *(arguments or EVERYTHING))
    return status or len(failed)


def run(*command: str) -> int:
    """Run ``python -m command`` and return its exit code."""
    print(f"$ {' '.join(command)}", flush=True)
    return subprocess.run([sys.executable, "-m", *command], check=False).returncode


if __name__ == "__main__":
    bootstrap.enter("tests", bootstrap.TESTS_LOCK, bootstrap.TESTS_PACKAGES)
    sys.exit(main(sys.argv[1:]))
