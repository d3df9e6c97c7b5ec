"""`fuzz [TIMES]`: what the tests try by chance in short, tried so many times as long, with other luck each time.

Every operation of the OpenAPI document by schemathesis, random bytes at every route, one game at two processes;
entries, claims and forms by luck (`tests/fuzzing.py`), which `python3 -m tests long` tries for a minute each. Then
pip-audit, where it is installed (``pip install pip-audit``), looks up known faults of the locked packages.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

from app import bootstrap

USUAL = 10
TRIED = {
    "tests/web/test_two_processes.py": "holds_at",
    "tests/web/test_malformed.py": "random_bytes",
    "tests/web/test_openapi.py": "whatever_is_asked",
    "tests/web/test_fuzz.py": "any_rules or as_pages or odd_forms",
}


def main(times: int = USUAL, *, tiny: bool = False) -> int:
    """All of it; 1 when anything failed, or a package has a known fault."""
    paths = [*TRIED][:1] if tiny else [*TRIED]
    failed = tried(0.25 if tiny else times, "-k", " or ".join(TRIED.values()), *paths)
    return int(bool(failed) | (not tiny and audited()))


def tried(times: float, *arguments: str) -> int:
    """The exit code of tests tried so many times as long."""
    python = sys.executable if find_spec("pytest") else bootstrap.environment(bootstrap.TESTS_LOCK)
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=bootstrap.ROOT, env=os.environ | {"LONGER": str(times)}, check=False).returncode


def audited() -> bool:
    """Whether a locked package has a known fault, as far as that can be looked up."""
    if not find_spec("pip_audit"):
        print("pip-audit is not installed: known faults of packages were not looked up")
        return False
    lock = str(bootstrap.APP_LOCK)
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "-r", lock]
    return subprocess.run(command, check=False).returncode != 0
