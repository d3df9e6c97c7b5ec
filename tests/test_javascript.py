"""The types written beside the JavaScript are checked, and its modules do what they say."""

import re
import shutil

import pytest

from tests.conftest import ROOT
from tests.javascript import HERE, TOOLS, install, node, tool

SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.*s"))
UNIT_TESTS = sorted(HERE.glob("*.test.js"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
PROJECTS = [HERE / "tsconfig.json", HERE / "tsconfig.worker.json"]

DOM = (ROOT / "static" / "js" / "dom.js").read_text("utf-8")
NEEDED = {
    f"{owner}.{name}"
    for owner, names in re.findall(r'^  (\w+): "([\w ]+)",$', DOM, re.MULTILINE)
    for name in names.split()
}
"""The built-ins without which no script runs."""
OPTIONAL = {f"Navigator.{name}" for name in ("canShare", "share", "wakeLock")}
OPTIONAL |= {"NavigatorStorage.storage", "StorageManager.persist", "WakeLock.request"}
OPTIONAL |= {"SpeechSynthesis.cancel", "SpeechSynthesis.speak", "SpeechSynthesisUtterance", "speechSynthesis"}
"""Newer built-ins that the scripts do without where they are missing."""
MIXED_IN = {"ARIAMixin": "Element", "ElementContentEditable": "HTMLElement"}
"""Where browsers have what TypeScript declares apart."""


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
    done = node("--import", str(HERE / "browser.js"), "--test", str(path))
    assert done.returncode == 0, done.stdout


def older_builtins():
    """What every browser that loads modules has, Safari since 14.0, Chrome since 86 and Firefox since 79."""
    lines = (HERE / "builtins.txt").read_text("ascii").splitlines()
    owners = (line.split(": ") for line in lines)
    return {name if owner == "-" else f"{owner}.{name}" for owner, names in owners for name in names.split()}


def test_no_script_uses_a_built_in_that_the_check_at_its_start_does_not_name():
    """A new one is as old as those in builtins.txt, or belongs into the check (dom.js) with the browsers it names."""
    install()
    listed = node(str(HERE / "builtins.js"), str(TOOLS), *map(str, PROJECTS))
    assert listed.returncode == 0, listed.stdout
    used = set()
    for line in listed.stdout.split():
        owner, _, name = line.rpartition(".")
        used.add(f"{MIXED_IN.get(owner, owner)}.{name}" if owner else name)
    assert used - NEEDED - OPTIONAL - older_builtins() == set()
    assert (NEEDED | OPTIONAL | older_builtins()) - used == set()  # what nobody uses any more is not listed


def test_every_script_that_a_page_runs_begins_with_that_check():
    texts = {path.name: path.read_text("utf-8") for path in SCRIPTS}
    first = re.compile(r'^(?:import|} from) [^;]*?"./([\w.]+)"', re.MULTILINE)
    imports = {name: first.findall(text) for name, text in texts.items()}
    checked = {"dom.js"}
    while more := {name for name, found in imports.items() if checked & {*found}} - checked:
        checked |= more
    run = {f"{name}.js" for page in TEMPLATES for name in re.findall(r'script\("(\w+)"\)', page.read_text("utf-8"))}
    assert len(run) > 10
    assert run - checked == set()
