"""Benchmarks work: each runs once, measuring next to nothing."""

import subprocess
import sys
from itertools import pairwise

import pytest

from tests.bench import _results
from tests.bench.__main__ import HERE, NAMES, python_for, with_numbers
from tests.conftest import ROOT

SAYS = {
    "earlier": "first sheet of 6 × 20: ",
    "faults": "lost 0, doubled 0, otherwise wrong 0",
    "find": " MB of weights",
    "fold": "20 entries: folded in ",
    "kills": "lost 0, doubled 0, otherwise wrong 0",
    "fuzz": "2 passed",
    "mutants": "of 1 faults found",
    "memory": "the most was ",
    "outages": "lost 0, doubled 0, otherwise wrong 0",
    "pictures": "7 pictures: ",
    "referee": "claims of up to 13 cards",
    "solver": "hard hands: the slowest takes ",
    "rules": "differences: 0",
    "serving": "refused nothing",
    "sheets": "times the quiet one",
}
"""A line each prints when it has measured."""


def bench(*words):
    command = [sys.executable, "-m", "tests.bench", *words]
    return subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=300)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_measures(name):
    done = bench("--tiny", name)
    assert done.returncode == 0, done.stderr
    assert SAYS.get(name, "times") in done.stdout


def test_every_benchmark_finds_what_it_imports():
    """They run rarely, so what moves in the product would break them unnoticed."""
    modules = ", ".join(f"tests.bench.{name}" for name in NAMES)
    subprocess.run([sys.executable, "-c", f"import {modules}"], check=True, cwd=ROOT)


def test_what_is_no_benchmark_is_named():
    done = bench("fold", "nonsense")
    assert done.returncode == 2
    assert done.stdout.startswith("No benchmark nonsense; there are: earlier, faults, find")


def test_numbers_follow_the_name_they_are_for():
    assert with_numbers(["fold", "kills", "20", "7"]) == [("fold", []), ("kills", ["20", "7"])]


def test_a_benchmark_without_packages_of_its_own_runs_where_the_app_does():
    assert python_for("fold") == sys.executable


@pytest.mark.parametrize("lock", sorted(HERE.glob("*.lock")), ids=lambda lock: lock.stem)
def test_packages_are_locked_with_hashes_and_without_addresses(lock):
    assert lock.stem.split("-")[0] in NAMES
    text = lock.read_text()
    assert "uv pip compile" in text.splitlines()[1]
    assert "://" not in text
    for line, following in pairwise(text.splitlines()):
        assert "==" not in line or "--hash=sha256:" in following or line.startswith(("#", " ")), line


def test_results_replace_what_was_measured_before(tmp_path):
    file = tmp_path / "RESULTS.md"
    for name, output in (("web", "first"), ("fold", "other"), ("web", "second")):
        _results.keep(name, output, file)
    text = file.read_text()
    assert "first" not in text
    assert text.index("## fold") < text.index("other") < text.index("## web") < text.index("second")
    assert text.count("Python 3.") == 2
