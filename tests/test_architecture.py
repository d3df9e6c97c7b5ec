"""The shape of the code as README draws it, read off the syntax trees."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APP = ROOT / "app"
CORE = APP / "kalooki"
MIGRATIONS = APP / "migrations"
VARIANTS = CORE / "variants"
SOURCES = sorted(path for path in APP.rglob("*.py") if MIGRATIONS not in path.parents)
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
LONGEST_FUNCTION = 40
LONGEST_FILE = 350
FORBIDDEN_NAMES = {"utils", "util", "helper", "helpers", "manager", "data"}

# packages that only one place may import, and that place
SOLE_USERS = {
    "sqlalchemy": APP / "log",
    "alembic": APP / "log",
    "flask_sqlalchemy": APP / "log",
    "flask_migrate": APP / "log",
    "weasyprint": APP / "sheets",
    "uvicorn": APP / "server.py",
}
# the rooms of the core in the order of README's map: a room imports from the rooms above it
CORE_ROOMS = ("", "rules", "referee", "solver", "game")
# and the modules of a room: a module imports from its own room's rows above its own
CORE_ORDER = {
    "": ({"cards", "money"}, {"faults", "variants"}, {"readers", "scoring"}, {"any_json"}),
    "rules": (
        {"wording"},
        {"sources"},
        {"mishaps", "rulebook"},
        {"disputes", "find"},
        {"answers", "quick"},
    ),
    "referee": (
        {"melds"},
        {"meld_faults", "verdict"},
        {"building", "checks"},
        {"jokers", "opening"},
        {"turn_steps"},
        {"turn"},
        {"going_out"},
    ),
    "solver": ({"holding"}, {"plays"}, {"search"}, {"weighing"}, {"growing"}, {"deals"}, {"laydown"}, {"solve"}),
    "game": (
        {"faces", "recorded"},
        {"events"},
        {"corrections", "state"},
        {"finish", "hands"},
        {"apply", "doubles", "evening"},
        {"play"},
        {"rematch"},
    ),
}
# modules that read and judge claims need both the referee and the solver
CLAIMS = ("claims", "decided_by")


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def name_of(path):
    """The dotted name of a module: app.kalooki.cards."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports_of(path):
    """Every module a file imports; `from app import log` counts as app.log."""
    names = set()
    for node in ast.walk(tree_of(path)):
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


def functions_of(path):
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(tree_of(path)) if isinstance(node, kinds)]


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


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_a_file_stays_short_enough_to_read(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LONGEST_FILE


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_a_function_does_one_thing(path):
    long = {
        node.name: node.end_lineno - node.lineno + 1
        for node in functions_of(path)
        if node.end_lineno - node.lineno + 1 > LONGEST_FUNCTION
    }
    assert long == {}


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_names_say_what_a_thing_is(path):
    parts = set(path.relative_to(ROOT).with_suffix("").parts)
    defined = {
        node.name.lower() for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    endings = {name.rsplit("_", 1)[-1] for name in defined}
    assert (parts | defined | endings) & FORBIDDEN_NAMES == set()


@pytest.mark.parametrize("path", [path for path in SOURCES if CORE in path.parents], ids=name_of)
def test_the_core_needs_the_standard_library_only(path):
    foreign = {
        name
        for name in imports_of(path)
        if name.split(".")[0] not in sys.stdlib_module_names and not (name + ".").startswith("app.kalooki.")
    }
    assert foreign == set()


@pytest.mark.parametrize("path", [path for path in SOURCES if CORE in path.parents], ids=name_of)
def test_the_core_knows_neither_clock_nor_chance_nor_network(path):
    impure = {"time", "datetime", "random", "secrets", "os", "sys", "socket", "subprocess"}
    impure |= {"logging", "threading", "asyncio", "urllib", "http", "tempfile", "sqlite3"}
    used = {name.split(".")[0] for name in imports_of(path)} & impure
    called = {
        node.func.id
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    } & {"open", "print", "input", "eval", "exec", "__import__"}
    assert used | called == set()


# find.py weighs words, never points or money
COUNTING = [path for path in SOURCES if CORE in path.parents and path.name != "find.py"]


@pytest.mark.parametrize("path", COUNTING, ids=name_of)
def test_money_and_points_are_whole_numbers(path):
    floats = [
        node.lineno
        for node in ast.walk(tree_of(path))
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or is_division(node)
        or (isinstance(node, ast.Name) and node.id in {"float", "Decimal", "Fraction"})
    ]
    assert floats == []


def is_division(node):
    """``a / b``, unless it joins a path: ``FOLDER / name``."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)):
        return False
    left = node.left
    while isinstance(left, ast.BinOp):
        left = left.left
    return getattr(left, "id", "") != "FOLDER"


def place_of(module):
    """The place of a core module: its room and its row there, as numbers; None if it has none."""
    words = module.removeprefix("app.kalooki").strip(".").split(".")
    if words[0] in CLAIMS:
        return len(CORE_ROOMS), CLAIMS.index(words[0])
    room = words[0] if words[0] in CORE_ROOMS else ""
    name = words[bool(room)] if len(words) > bool(room) else ""
    row = next((row for row, names in enumerate(CORE_ORDER[room]) if name in names), None)
    return None if row is None else (CORE_ROOMS.index(room), row)


@pytest.mark.parametrize("path", [path for path in SOURCES if CORE in path.parents], ids=name_of)
def test_imports_of_the_core_run_one_way(path):
    own = place_of(name_of(path))
    needed = {name: place_of(name) for name in imports_of(path) if name.startswith("app.kalooki.")}
    assert own is not None or path.name == "__init__.py", "give the module its row in CORE_ORDER"
    assert {name for name, place in needed.items() if place is None or (own is not None and place >= own)} == set()


def test_the_referee_and_the_game_need_nothing_of_each_other():
    rooms = {"referee": "game", "game": "referee"}
    crossing = {
        (name_of(path), name)
        for room, other in rooms.items()
        for path in (CORE / room).glob("*.py")
        for name in imports_of(path)
        if name.startswith(f"app.kalooki.{other}.")
    }
    assert crossing == set()


def test_no_modules_of_the_core_import_each_other_in_a_circle():
    needed = {
        name_of(path): {name for name in imports_of(path) if name.startswith("app.kalooki.")}
        for path in SOURCES
        if CORE in path.parents
    }
    left = dict(needed)
    while free := [name for name, names in left.items() if not (names - {name}) & set(left)]:
        for name in free:
            del left[name]
    assert left == {}


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_what_has_one_user_keeps_one_user(path):
    for package, home in SOLE_USERS.items():
        used = any(name.split(".")[0] == package for name in imports_of(path))
        assert not used or path == home or home in path.parents, package


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_only_views_know_the_request(path):
    if APP / "views" in path.parents:
        return
    named = {
        alias.name
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and node.module == "flask"
        for alias in node.names
    }
    assert named & {"request", "session", "g"} == set()


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_nothing_imports_the_views(path):
    if APP / "views" in path.parents or path == APP / "__init__.py":
        return
    assert not any((name + ".").startswith("app.views.") for name in imports_of(path))


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_no_line_compares_with_a_variants_name(path):
    names = variant_names()
    found = []
    for node in ast.walk(tree_of(path)):
        compared = []
        if isinstance(node, ast.Compare):
            compared = [node.left, *node.comparators]
        elif isinstance(node, ast.match_case):
            compared = [node.pattern]
        literals = {each.value for part in compared for each in ast.walk(part) if isinstance(each, ast.Constant)}
        found += [(node, literal) for literal in literals if literal in names]
    assert [literal for _, literal in found] == []


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.html")), ids=lambda path: path.name)
def test_no_template_compares_with_a_variants_name(path):
    text = path.read_text(encoding="utf-8")
    for name in variant_names():
        quoted = rf"""["']{re.escape(name)}["']"""
        assert not re.search(rf"(==|!=|\bin)\s*[(\[]?\s*{quoted}|{quoted}\s*(==|!=)", text), name


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.html")), ids=lambda path: path.name)
def test_templates_hold_no_script_or_style_the_browser_would_refuse(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"\son[a-z]+\s*=\s*[\"']", text)
    assert not re.search(r"(src|href)\s*=\s*[\"'](https?:)?//", text)


@pytest.mark.parametrize("path", [path for path in SOURCES if not path.stem.startswith("__")], ids=name_of)
def test_readmes_map_has_every_module_in_its_room(path):
    drawn = (ROOT / "README.md").read_text(encoding="utf-8").split("## The map")[1].split("## Decisions")[0]
    folder = path.parent.relative_to(APP).as_posix()
    assert re.search(rf"\b{path.stem}\b", "\n".join(rooms_of(drawn).get("" if folder == "." else folder, ())))


def rooms_of(drawn):
    """The lines of README's map, folder by folder below app/, found by their indentation."""
    rooms, open_folders = {}, []
    tree = drawn.split("```text")[1].split("```")[0].splitlines()
    for line in [line for line in tree if line.strip()]:
        depth = len(line) - len(line.lstrip())
        open_folders = [(set_in, name) for set_in, name in open_folders if set_in < depth]
        if folder := re.match(r"\s*([a-z]+)/(\s|$)", line):
            open_folders.append((depth, folder[1]))
        path = "/".join(name for _, name in open_folders if name != "app")
        rooms.setdefault(path, []).append(line)
    return rooms


def test_starting_needs_the_standard_library_only():
    """A bare machine has nothing else yet: -S and -I leave out installed packages."""
    start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import app, app.bootstrap"
    subprocess.run([sys.executable, "-I", "-S", "-c", start], check=True)


@pytest.mark.parametrize("path", TESTS, ids=name_of)
def test_every_test_can_fail(path):
    """Each test asserts, expects an exception, or calls something that does."""
    tree = tree_of(path)
    checking = {node.name for node in functions_of(path) if asserts(node, set())}
    idle = [
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not asserts(node, checking)
    ]
    assert idle == []


CHECKS = {"raises", "fail", "expect", "call_and_validate", "run_state_machine_as_test"}
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


def test_the_locks_name_no_place_to_install_from():
    for lock in (APP / "requirements.lock", ROOT / "tests" / "requirements.lock"):
        text = lock.read_text(encoding="utf-8")
        assert "://" not in text
        assert "index-url" not in text
        assert "find-links" not in text
        pinned = re.findall(r"^[a-z0-9].*==\S+", text, re.MULTILINE)
        assert len(pinned) > 20
        assert text.count("--hash=sha256:") >= len(pinned)


def test_the_tests_lock_holds_the_apps():
    def pinned(name):
        text = (ROOT / name).read_text(encoding="utf-8")
        return set(re.findall(r"^([a-z0-9].*?==\S+)", text, re.MULTILINE))

    assert pinned("app/requirements.lock") <= pinned("tests/requirements.lock")


def test_every_named_dependency_is_locked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    def named(requirements):
        names = {re.match(r"[A-Za-z0-9-]+", each).group().lower() for each in requirements}
        return names - {project["name"]}

    def locked(name):
        return set(re.findall(r"^([a-z0-9-]+)==", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))

    extras = project["optional-dependencies"]
    assert named(project["dependencies"]) <= locked("app/requirements.lock")
    assert named(extras["test"] + extras["postgres"]) <= locked("tests/requirements.lock")
