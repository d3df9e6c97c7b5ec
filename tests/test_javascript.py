"""The types written beside the JavaScript hold, where TypeScript is there to check them."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = sorted((Path(__file__).resolve().parent.parent / "static" / "js").glob("*.js"))
STRICT = ("--noEmit", "--allowJs", "--checkJs", "--strict", "--skipLibCheck", "--target", "esnext")
MODULES = ("--module", "esnext", "--moduleResolution", "bundler", "--lib", "esnext,dom,dom.iterable")
LONGEST = 200


def test_the_types_hold():
    checker = shutil.which("tsc")
    if checker is None:
        pytest.skip("TypeScript is not installed: no tsc on the path")
    checked = subprocess.run([checker, *STRICT, *MODULES, *SCRIPTS], check=False, capture_output=True, text=True)
    assert checked.stdout == ""
    assert checked.returncode == 0


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_module_stays_short_enough_to_read(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < LONGEST
