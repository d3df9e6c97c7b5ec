"""The shape of the code as its map draws it, read off the syntax trees."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

from app.settings import VERSION

ROOT = Path(__file__).resolve().parent.parent
APP = ROOT / "app"
CORE = APP / "kalooki"
MIGRATIONS = APP / "migrations"
VARIANTS = CORE / "variants"
SOURCES = sorted(path for path in APP.rglob("*.py") if MIGRATIONS not in path.parents)
OF_THE_CORE = [path for path in SOURCES if CORE in path.parents]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
HISTORY = [
    APP / "history" / f"{name}.py" for name in ("phrases", "settling", "standings", "story", "timeline", "verdicts")
]
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
WRITTEN = {".py", ".md", ".html", ".js", ".css", ".toml", ".service", ".yml", ""}
FORBIDDEN_NAMES = {"utils", "util", "helper", "helpers", "manager", "data"}


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def name_of(path):
    """The dotted name of a module: app.kalooki.cards."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports_of(path):
    """Every module a file imports; `from app import store` counts as app.store."""
    names = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            modules = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {name if is_module(name) else node.module for name in modules}
    return names


def is_module(name):
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


@cache
def nodes_of(path):
    return [*ast.walk(tree_of(path))]


def functions_of(path):
    return [node for node in nodes_of(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def blamed(paths, wrong):
    """The files in which something is wrong, and what."""
    found = {path.relative_to(ROOT).as_posix(): wrong(path) for path in paths}
    return {name: what for name, what in found.items() if what}


def tracked_files():
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a checkout, or no git here")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


@cache
def variant_names():
    """Every variant's id and name: words no line of code may compare with."""
    names = set()
    for path in VARIANTS.glob("*.toml"):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        if path.stem != "values":
            names |= {path.stem, str(table.get("name", path.stem))}
    return names


def test_names_say_what_a_thing_is():
    assert blamed(SOURCES, vague_names) == {}


def vague_names(path):
    parts = set(path.relative_to(ROOT).with_suffix("").parts)
    defined = {node.name.lower() for node in nodes_of(path) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    endings = {name.rsplit("_", 1)[-1] for name in defined}
    return (parts | defined | endings) & FORBIDDEN_NAMES


def test_no_two_classes_or_limits_share_a_name():
    # a model is a row of the table, the core's class of that name what it says
    homes = Counter(name for path in SOURCES if path != APP / "store/database.py" for name in named_in(path))
    assert sorted(name for name, many in homes.items() if many > 1) == []


def named_in(path):
    """The classes a file defines, and the limits: constants that say the most there may be of something."""
    classes = [node.name for node in nodes_of(path) if isinstance(node, ast.ClassDef)]
    assigned = [node.targets[0] for node in tree_of(path).body if isinstance(node, ast.Assign)]
    return classes + [each.id for each in assigned if isinstance(each, ast.Name) and each.id.startswith("MOST_")]


def test_the_core_needs_the_standard_library_only_and_of_it_neither_clock_nor_chance_nor_network():
    assert blamed(OF_THE_CORE, impure) == {}


def impure(path):
    modules = {"time", "datetime", "random", "secrets", "os", "sys", "socket", "subprocess"}
    modules |= {"logging", "threading", "asyncio", "urllib", "http", "tempfile", "sqlite3"}
    names = {name.split(".")[0] for name in imports_of(path) if not f"{name}.".startswith("app.kalooki.")}
    return names & modules | names - sys.stdlib_module_names


def test_money_and_points_are_whole_numbers():
    # find.py weighs words, never points or money
    assert blamed([path for path in OF_THE_CORE if path.name != "find.py"], floats) == {}


def floats(path):
    return [
        node.lineno
        for node in nodes_of(path)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or is_division(node)
        or (isinstance(node, ast.Name) and node.id in {"float", "Decimal", "Fraction"})
    ]


def is_division(node):
    """``a / b``, unless it joins a path: ``FOLDER / name``."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)):
        return False
    left = node.left
    while isinstance(left, ast.BinOp):
        left = left.left
    return getattr(left, "id", "") != "FOLDER"


def test_every_room_imports_from_floors_below_it():
    """The contracts of import-linter in pyproject.toml; what breaks one is printed."""
    assert lint_imports(no_cache=True) == 0


def test_no_line_compares_with_a_variants_name():
    assert blamed(SOURCES, variants_compared) == {}


def variants_compared(path):
    parts = []
    for node in nodes_of(path):
        if isinstance(node, ast.Compare):
            parts += [node.left, *node.comparators]
        elif isinstance(node, ast.match_case):
            parts.append(node.pattern)
    literals = {each.value for part in parts for each in ast.walk(part) if isinstance(each, ast.Constant)}
    return literals & variant_names()


def test_no_template_compares_with_a_variants_name():
    names = "|".join(map(re.escape, variant_names()))
    quoted = rf"""["']({names})["']"""
    compared = re.compile(rf"(==|!=|\bin)\s*[(\[]?\s*{quoted}|{quoted}\s*(==|!=)")
    assert blamed(TEMPLATES, lambda path: compared.search(path.read_text(encoding="utf-8"))) == {}


def test_templates_name_the_module_of_a_function_of_history():
    """`timeline.title_of(…)`, so that who reads the page finds the function."""
    modules = {name: f"{path.stem}.{name}" for path in HISTORY for name in public_functions(path)}
    texts = {path: path.read_text("utf-8") for path in TEMPLATES}
    for name in re.findall(r"{%-? macro (\w+)", "".join(texts.values())):
        modules.pop(name, None)
    called = re.compile(rf"(?<![\w.'\"])({'|'.join(modules)})\(")
    expressions = {path: "".join(re.findall(r"(?s){[{%].*?[%}]}", text)) for path, text in texts.items()}
    assert [(path.name, modules[name]) for path in TEMPLATES for name in called.findall(expressions[path])] == []


def public_functions(path):
    tree = ast.parse(path.read_text("utf-8"))
    return [each.name for each in tree.body if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")]


def test_templates_hold_no_script_or_style_the_browser_would_refuse():
    refused = re.compile(
        r"<script(?![^>]*\bsrc=)"
        r"|\son[a-z]+\s*=\s*[\"']"
        r"|(src|href)\s*=\s*[\"'](https?:)?//"
    )
    assert blamed(TEMPLATES, lambda path: refused.search(path.read_text(encoding="utf-8"))) == {}


def test_the_map_has_every_module_in_its_room_and_nothing_else():
    drawn = (ROOT / "docs/map.md").read_text(encoding="utf-8").split("```text")[1].split("```")[0]
    places = places_of(drawn)
    assert {place for place in places if place.suffix} == {path for path in SOURCES if not path.stem.startswith("__")}
    assert [place for place in places if not place.exists()] == []


@pytest.mark.parametrize("path", [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")], ids=lambda path: path.name)
def test_what_the_documents_link_to_is_there(path):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text("utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


def places_of(drawn):
    """The folders and modules of the map, by their indentation: each line begins with one."""
    open_folders, places = [], []
    for line in drawn.strip().splitlines()[1:]:
        depth = len(line) - len(line.lstrip())
        open_folders = [(indent, name) for indent, name in open_folders if indent < depth]
        name = line.split()[0]
        folder = APP.joinpath(*(each for _, each in open_folders))
        places.append(folder / name if name.endswith("/") else folder / f"{name}.py")
        if name.endswith("/"):
            open_folders.append((depth, name))
    return places


def test_starting_needs_the_standard_library_only():
    """A bare machine has nothing else yet: -S and -I leave out installed packages."""
    start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import app, app.bootstrap, app.settings"
    subprocess.run([sys.executable, "-I", "-S", "-c", start], check=True)


def test_what_prints_loads_nothing_of_the_application_but_values():
    """The renderer's child starts beside a game: every package more is memory and seconds of a small computer."""
    start = "import sys, app.sheets.render_worker; print(*sys.modules)"
    loaded = set(
        subprocess.run([sys.executable, "-c", start], cwd=ROOT, check=True, capture_output=True).stdout.decode().split()
    )
    assert {"weasyprint", "app.sheets.renderer"} <= loaded
    foreign = {"flask", "jinja2", "sqlalchemy", "alembic", "app.store", "app.games", "app.views"}
    assert loaded & foreign == set()
    assert {name for name in loaded if name.startswith("app.kalooki.")} == {"app.kalooki.cards"}


def test_every_test_can_fail():
    """Each test asserts, expects an exception, or calls something that does."""
    assert blamed(TESTS, idle_tests) == {}


def idle_tests(path):
    checking = {node.name for node in functions_of(path) if asserts(node, set())}
    tests = [node for node in functions_of(path) if node.name.startswith("test_")]
    return [node.name for node in tests if not asserts(node, checking)]


CHECKS = {"raises", "fail", "eventually", "expect", "call_and_validate", "run_state_machine_as_test"}
"""What fails by itself where something is wrong."""


def asserts(function, checking):
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call) and called(node) in CHECKS | checking:
            return True
        if isinstance(node, ast.keyword) and node.arg == "check":
            return True  # subprocess.run(check=True)
    return False


def called(node):
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def test_no_file_names_a_place_on_one_machine():
    private = [r"/work\b", r"/root\b", r"/home/\w", r"\b10\.\d+\.\d+\.\d+", r"\bfile:///(opt|usr|home)"]
    pattern = re.compile("|".join(private))
    found = []
    for path in tracked_files():
        if path == Path(__file__).resolve():
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # fonts and pictures
        found += [f"{path.relative_to(ROOT)}: {hit.group()}" for hit in pattern.finditer(text)]
    assert found == []


def test_one_file_states_the_version():
    stated = f"(?<![0-9.=]){re.escape(VERSION)}(?![0-9.])"
    said = [path for path in tracked_files() if path.suffix in WRITTEN and re.search(stated, path.read_text("utf-8"))]
    assert said == [ROOT / "pyproject.toml"]


def test_the_locks_hold_all_that_is_named_each_with_its_hash_and_no_place_to_install_from():
    texts = [(ROOT / name).read_text("utf-8") for name in ("app/requirements.lock", "tests/requirements.lock")]
    pinned = [set(re.findall(r"^([a-z0-9-]+)==(\S+)", text, re.MULTILINE)) for text in texts]
    assert pinned[0] < pinned[1]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = (project["dependencies"], project["optional-dependencies"]["test"])
    for text, lock, requirements in zip(texts, pinned, named, strict=True):
        assert not re.search("://|index-url|find-links", text)
        assert text.count("--hash=sha256:") >= len(lock) > 20
        wanted = {re.match(r"[A-Za-z0-9-]+", each)[0].lower() for each in requirements} - {project["name"]}
        assert wanted <= {name for name, _ in lock}
