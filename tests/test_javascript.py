"""The types written beside the JavaScript are checked, and its modules do what they say."""

import shutil

import pytest

from tests.conftest import ROOT
from tests.javascript import HERE, node, tool

SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.*s"))
UNIT_TESTS = sorted(HERE.glob("*.test.js"))


@pytest.mark.parametrize("project", ["tsconfig.json", "tsconfig.worker.json"])
def test_the_types_hold(project):
    checked = tool("tsc", "--project", str(HERE / project))
    assert (checked.returncode, checked.stdout) == (0, "")


@pytest.mark.parametrize(
    ("script", "wrong", "project"),
    [
        ("counting.js", 'isWithin("13", "148");', "tsconfig.json"),
        ("worker.js", "worker.skipWaiting(1);", "tsconfig.worker.json"),
    ],
)
def test_a_wrong_type_is_found(tmp_path, script, wrong, project):
    for path in (*HERE.glob("tsconfig*.json"), *SCRIPTS):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    with (tmp_path / "static" / "js" / script).open("a", encoding="utf-8") as file:
        file.write(wrong)
    checked = tool("tsc", "--project", str(tmp_path / HERE.relative_to(ROOT) / project))
    assert checked.returncode != 0
    lines = checked.stdout.splitlines()
    assert lines
    assert all(f"{script}(" in line for line in lines)


@pytest.mark.parametrize("path", UNIT_TESTS, ids=lambda path: path.name)
def test_a_module_without_a_page_does_what_it_says(path):
    done = node("--test", str(path))
    assert done.returncode == 0, done.stdout
