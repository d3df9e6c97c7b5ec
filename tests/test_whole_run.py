"""What the whole run makes of tests that failed, and what it tells of its time."""

import pytest

from tests.__main__ import REPORTING, again_alone, run

TESTS = {
    "luck": """
from pathlib import Path

def test_luck():
    been = Path(__file__).with_suffix(".been")
    first = not been.exists()
    been.touch()
    assert not first
""",
    "stuck": """
import time
from pathlib import Path

def test_stuck():
    been = Path(__file__).with_suffix(".been")
    if not been.exists():
        been.touch()
        time.sleep(600)
""",
    "wrong": "def test_wrong():\n    assert False",
    "fine": "def test_fine():\n    pass",
    "setup": """
import pytest

@pytest.fixture
def place():
    raise OSError

def test_setup(place):
    pass
""",
}


@pytest.fixture(autouse=True)
def few_plugins(monkeypatch):
    """A run here has what it needs: to load all others would take most of its time."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "xdist.plugin")


def alone_in(folder):
    """Pytest's arguments to run the tests of a folder, and to read nothing that lies above it."""
    return [f"--rootdir={folder}", f"--confcutdir={folder}", "-c", "/dev/null", str(folder)]


@pytest.fixture
def project(tmp_path):
    """Write some tests and run them; returns where they keep what failed, and pytest's arguments to run them."""

    def write(*names, how=()):
        for name in names:
            (tmp_path / f"test_{name}.py").write_text(TESTS[name])
        where = alone_in(tmp_path)
        assert run("pytest", "-o", f"cache_dir={tmp_path / 'cache'}", *how, *where) == 1
        return tmp_path / "cache", *where

    return write


def last_line(capfd):
    return capfd.readouterr().out.splitlines()[-1]


def test_what_fails_by_bad_luck_passes_when_run_again_alone(project, capfd):
    assert again_alone(*project("luck", "fine")) == 0
    assert last_line(capfd) == "1 passed when run again alone."


def test_what_fails_again_is_named_in_the_last_line(project, capfd):
    assert again_alone(*project("luck", "wrong", "setup")) == 1
    assert last_line(capfd) == (
        "2 of 3 failed again when run alone: test_setup.py::test_setup, test_wrong.py::test_wrong"
    )


@pytest.mark.parametrize("dist", ["load", "loadfile"])  # the latter passes it in another worker of the same run
def test_what_hangs_is_ended_told_and_run_again_alone(project, capfd, dist):
    ended = ("-o", "faulthandler_timeout=2", "-o", "faulthandler_exit_on_timeout=true")
    workers = ("--numprocesses=1", f"--dist={dist}")
    assert again_alone(*project("fine", "stuck", how=(*REPORTING, *ended, *workers))) == 0
    told = capfd.readouterr()
    assert "crashed while running 'test_stuck.py::test_stuck'" in told.out
    assert "in test_stuck" in told.err
    assert told.out.splitlines()[-1] == "1 passed when run again alone."


@pytest.mark.long
def test_a_run_that_hangs_between_tests_is_given_up_and_says_where(tmp_path, capfd, monkeypatch):
    (tmp_path / "conftest.py").write_text("import time\n\ndef pytest_sessionfinish():\n    time.sleep(600)")
    (tmp_path / "test_fine.py").write_text("def test_fine():\n    pass")
    monkeypatch.setattr("tests.__main__.MOST_SECONDS", 30)
    monkeypatch.delenv("LONGER", raising=False)
    assert run("pytest", *alone_in(tmp_path)) == 1
    told = capfd.readouterr()
    assert "in pytest_sessionfinish" in told.err
    assert told.out.splitlines()[-1] == "Given up after 30 seconds."


def test_a_run_tells_where_its_time_went(tmp_path, capfd):
    (tmp_path / "test_busy.py").write_text("def test_busy():\n    assert sum(range(20_000_000)) > 0")
    where = alone_in(tmp_path)
    assert run("pytest", "-p", "no:cacheprovider", "-p", "tests.timings", "--numprocesses=1", *where) == 0
    told = capfd.readouterr().out.partition("where the time went")[2].splitlines()
    [busy] = [line.split() for line in told if line.endswith("test_busy.py")]
    assert 0 < float(busy[0]) < 20
    assert busy[1] == "s"
