"""``python3 -m tests``: make the environment, then check style, types and behaviour.

Without arguments: everything, including the browser tests. `fast` runs what fits into about a minute; `long` runs only
what takes too long for every run, the random examples in full, and the core once more to see that its tests of examples
cover every branch. What waits for anybody and fails runs once more alone. Other arguments go to pytest.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from app import bootstrap
from tests import PACKAGES

STYLE_AND_TYPES = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("mypy", "--strict", "app"),
    ("tests.javascript", "check", "--error-on-warnings"),
    ("djlint", "templates", "--lint", "--quiet"),
)
# the core, and what its documentation and the shell's show: apart, no worker has to load every module for that
CORE = ("app", "tests/kalooki")
BENCHMARKS = "tests/test_bench.py"
REPORTING = ("-p", "tests.timings", "-p", "tests.failures")
PATIENTLY = ("-o", "faulthandler_timeout=1800")
SHORT = (*REPORTING, "-m", "not long")
# tests wait half of the time: for a browser, a server, the renderer; a file's tests share what they start
SHARED_OUT = (f"--numprocesses={5 * (os.cpu_count() or 1) // 2}", "--dist=loadfile", "--no-loadscope-reorder")
# apart and alone: a test takes two to three times as long while coverage is measured
MEASURED = ("pytest", *SHORT, *CORE, "-p", "no:cacheprovider", "--cov", "--cov-report=", "--cov-fail-under=0")
EVERY_BRANCH = (MEASURED, ("coverage", "report"))
NAMED = {
    (): ((*SHORT, *SHARED_OUT),),
    # the core whole, the shape of the code, and every page once; no Chromium, no renderer, no PostgreSQL
    ("fast",): (
        (
            *(*SHORT, "--numprocesses=auto", "--dist=loadfile", *CORE),
            *("tests/test_architecture.py", "tests/test_javascript.py"),
            *("tests/web/test_views.py", "tests/web/test_look.py"),
        ),
    ),
    ("long",): (
        (*REPORTING, *PATIENTLY, "-m", "long or hypothesis", *SHARED_OUT, f"--ignore={BENCHMARKS}"),
        # one after the other: they measure
        (*REPORTING, *PATIENTLY, "-m", "long", BENCHMARKS),
    ),
}
"""The arguments of each call of pytest, in order, by what this is called with."""
BESIDE = {("long",): EVERY_BRANCH}
"""What else is run meanwhile; style and types where nothing is said."""

COMPILED = bootstrap.ROOT / "tests" / "web" / "__pycache__"
"""Where the first run keeps what it has compiled."""

CACHE = bootstrap.ROOT / ".pytest_cache"
LAST_FAILED = "v/cache/lastfailed"
"""Where in its cache pytest keeps the names of the tests that failed when they last ran."""

MOST_SECONDS = 2400
"""A run of pytest that takes longer hangs where no test's own limit sees it; the long run may take four times that."""

TESTS_FAILED = 1
"""Pytest's exit code for failed tests; others mean that it could not run them."""


def main(arguments: list[str]) -> int:
    """Run everything, even after a failure; returns 0 if all of it passed."""
    os.chdir(bootstrap.ROOT)
    # servers, renderers and commands start by the hundred: none may compile everything anew
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    named = NAMED.get(tuple(arguments))
    if arguments == ["long"]:
        os.environ.setdefault("LONGER", "1")
    (CACHE / LAST_FAILED).unlink(missing_ok=True)
    with ThreadPoolExecutor(1) as beside:
        checks = beside.submit(failing, BESIDE.get(tuple(arguments), STYLE_AND_TYPES))
        if named and not COMPILED.exists():
            called("pytest", "--collect-only", "-qq")  # once for all workers, each of which would compile every test
        statuses = [run("pytest", *call) for call in named or [arguments]]
        failed = checks.result()
    status = again_alone() if named and max(statuses) == TESTS_FAILED else max(statuses)
    for command, said in failed:
        print(f"{said}\nFAILED: {command}", flush=True)
    return status or len(failed)


def again_alone(cache: Path = CACHE, *where: str) -> int:
    """Run what failed once more, one test at a time; returns pytest's exit code, and says which it was."""
    first = last_failed(cache)
    if not first:
        return TESTS_FAILED
    print(f"Again, alone: {', '.join(first)}", flush=True)
    status = run("pytest", "--last-failed", "-o", f"cache_dir={cache}", *where)
    print(outcome(first, last_failed(cache)), flush=True)
    return status


def outcome(first: Sequence[str], again: Sequence[str]) -> str:
    """What the last line says of tests that failed beside others, and of those that failed alone too."""
    if not again:
        return f"{len(first)} passed when run again alone."
    return f"{len(again)} of {len(first)} failed again when run alone: {', '.join(again)}"


def last_failed(cache: Path) -> list[str]:
    """The tests that failed when they last ran, by pytest's names for them."""
    kept = cache / LAST_FAILED
    return sorted(json.loads(kept.read_text())) if kept.exists() else []


def failing(commands: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Those of some commands that fail, with what they said."""
    ran = [(" ".join(command), called(*command)) for command in commands]
    passed = (done.stdout for command, done in ran if command.startswith("pytest") and not done.returncode)
    print(*passed, sep="", flush=True)
    return [(command, done.stdout + done.stderr) for command, done in ran if done.returncode]


def called(*command: str) -> subprocess.CompletedProcess[str]:
    """What ``python -m command`` says."""
    return subprocess.run([sys.executable, "-m", *command], check=False, capture_output=True, text=True)


def run(*command: str) -> int:
    """Run ``python -m command`` and return its exit code; what hangs has to say where, and has failed."""
    print(f"$ {' '.join(command)}", flush=True)
    most = MOST_SECONDS * (4 if os.environ.get("LONGER") else 1)
    with subprocess.Popen([sys.executable, "-m", *command], start_new_session=True) as process:
        try:
            return process.wait(most)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGABRT)  # at which pytest and its workers write where they stand
            print(f"\nGiven up after {most} seconds.", flush=True)
            return TESTS_FAILED
        except KeyboardInterrupt:
            os.killpg(process.pid, signal.SIGINT)
            raise


if __name__ == "__main__":
    bootstrap.enter("tests", bootstrap.TESTS_LOCK, PACKAGES)
    sys.exit(main(sys.argv[1:]))
