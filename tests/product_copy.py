"""A copy of the product with a few more lines: what adding something takes, and where it is then told."""

import json
import shutil
import subprocess
import sys

from tests.test_architecture import ROOT


def copied(to, pieces):
    """Copy the product, with each piece before the text it names in a file, or at its end; returns the folder."""
    for folder in ("app", "templates", "static"):
        shutil.copytree(ROOT / folder, to / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", to)
    for name, added in pieces.items():
        file = to / name
        text = file.read_text(encoding="utf-8")
        for before, piece in added:
            assert before in text, f"{name} has no {before!r}"
            text = text.replace(before, piece + before, 1) if before else text + piece
        file.write_text(text, encoding="utf-8")
    return to


def visited(copy, script):
    """What a script that runs in the copy prints as JSON; it is given the address of a database to make."""
    command = [sys.executable, "-c", script, f"sqlite:///{copy}/games.db"]
    done = subprocess.run(command, check=False, cwd=copy, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
