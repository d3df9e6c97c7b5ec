"""`mutants [MOST]`: how many of a hundred small faults, put into the product one at a time, the tests find.

Another comparison, `and` for `or`, plus for minus, one more, a statement left out. A fault is named by its function and
statement, and drawn by the hash of its name, so that a change elsewhere draws the same ones. Each runs the tests of its
part in a copy, the quick ones first, until one fails. `MUTANTS` names another checkout to measure.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from app import bootstrap

SECONDS = 120  # of processor, for the tests of one fault; a loop without an end takes them
CORE = "tests/kalooki"
QUICK = ("claims", "steps", "games", "game", "scoring", "money")
SLOW = ("find", "rulebook", "meld_laws", "solver", "disputes", "sentences")
STORE = ("open", "log", "deleting", "rights", "links", "stale", "who_may", "private", "share", "copies", "continue")
PHONE = (
    ("tests/test_javascript.py::test_a_module_without_a_page_does_what_it_says",),
    tuple(f"tests/browser/test_{name}.py" for name in ("swap", "hand_kept", "not_taken", "stale")),
)


class Part(NamedTuple):
    """Some files, how many faults they get, and the calls of pytest that find them, one after the other."""

    files: str
    share: int
    calls: tuple[tuple[str, ...], ...]


def core(*wanted: str) -> tuple[tuple[str, ...], ...]:
    """The core's tests, the quick ones first, without the slow ones that other parts are about."""
    slow = (f"--ignore={CORE}/test_{name}.py" for name in SLOW if name not in wanted)
    return tuple(f"{CORE}/test_{name}.py" for name in QUICK), (CORE, *slow)


def web(*names: str) -> tuple[tuple[str, ...], ...]:
    return (tuple(f"tests/web/test_{name}.py" for name in names),)


PARTS = (
    Part("app/kalooki/game/*.py", 18, core()),
    Part("app/kalooki/referee/*.py", 14, core("meld_laws")),
    Part("app/kalooki/solver/*.py", 8, core("solver")),
    Part("app/kalooki/rules/find.py", 3, ((f"{CORE}/test_find.py",),)),
    Part("app/kalooki/rules/[!f]*.py", 7, core("rulebook", "disputes", "sentences", "find")),
    Part("app/kalooki/variants/*.py", 4, core("rulebook", "disputes", "sentences", "find")),
    Part("app/kalooki/*.py", 12, (*core(), *web("amounts", "openapi"))),
    Part("app/store/[!of]*.py", 10, web(*STORE, "rematch")),
    Part("app/store/[of]*.py", 4, web("copies", "database_file", "data_folder", "damaged", "trouble")),
    Part("app/views/access.py", 6, web("who_may", *STORE, "sheet")),
    Part("app/live.py", 4, web("live")),
    Part("static/js/outbox.js", 6, PHONE),
    Part("static/js/form.js", 4, PHONE),
)

COMPARED = {"Lt": "<=", "LtE": "<", "Gt": ">=", "GtE": ">", "Eq": "!=", "NotEq": "=="}
COMPARED |= {"In": "not in", "NotIn": "in", "Is": "is not", "IsNot": "is"}
COUNTED = {"Add": "-", "Sub": "+", "Mult": "+", "FloorDiv": "*", "Mod": "*"}
SCRIPT = {
    " < ": " <= ",
    " > ": " >= ",
    "===": "!==",
    "!==": "===",
    "&&": "||",
    "||": "&&",
    " + ": " - ",
    "true": "false",
}
SCRIPT |= {"false": "true", "(!": "(", "await ": "void ", "?.": "."}

Change = tuple[str, int, int, str]
"""A change in words, the bytes it replaces, and what by."""


class Fault(NamedTuple):
    """A change in a file, and the calls of pytest that should find it."""

    name: str
    file: str
    start: int
    end: int
    new: str
    calls: tuple[tuple[str, ...], ...]


def main(most: int = 100, *, tiny: bool = False) -> int:
    root = Path(os.environ.get("MUTANTS", bootstrap.ROOT)).resolve()
    drawn = [fault for part in PARTS for fault in drawn_from(root, part)][: 1 if tiny else most]
    found = 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        place = Path(folder) / "checkout"
        shutil.copytree(
            root, place, ignore=shutil.ignore_patterns(".git", ".venv", "instance", "*_cache", "__pycache__")
        )
        for call in dict.fromkeys(call for fault in drawn for call in fault.calls):
            if broken := failing(place, call):
                sys.exit(f"{broken} fails without any fault")
        for number, fault in enumerate(drawn, start=1):
            finder = trial(place, fault)
            found += bool(finder)
            print(f"{number:3} {'found ' if finder else 'MISSED'} {fault.name}  {finder}", flush=True)
    print(f"{found} of {len(drawn)} faults found")
    return 0


def drawn_from(root: Path, part: Part) -> list[Fault]:
    faults: dict[str, Fault] = {}
    for path in sorted(root.glob(part.files)):
        text = path.read_text("utf-8")
        for told, start, end, new in (in_script if path.suffix == ".js" else in_module)(text):
            name = f"{path.stem}.{told}"
            faults.setdefault(name, Fault(name, str(path.relative_to(root)), start, end, new, part.calls))
    return sorted(faults.values(), key=lambda fault: hashlib.sha256(fault.name.encode()).digest())[: part.share]


def in_script(text: str) -> Iterator[Change]:
    start = 0
    for line in text.splitlines(keepends=True):
        code = "" if re.match(r"\s*(\*|/[*/]|import|})", line) else line.split(" // ")[0]
        for before, after in SCRIPT.items():
            if (at := code.find(before)) >= 0:
                first = len(text[: start + at].encode())
                yield f"{line.strip()}  {before}→{after}", first, first + len(before.encode()), after
        start += len(line)


def in_module(text: str) -> Iterator[Change]:
    lines = text.encode().splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]
    tree = ast.parse(text)
    in_strings = {id(node) for each in ast.walk(tree) if isinstance(each, ast.JoinedStr) for node in ast.walk(each)}
    for function in (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)):
        for node in (each for statement in function.body for each in ast.walk(statement) if id(each) not in in_strings):
            for new in changed(node):
                start, end = (
                    starts[node.lineno - 1] + node.col_offset,
                    starts[node.end_lineno - 1] + node.end_col_offset,
                )
                told = " ".join(text.encode()[start:end].decode().split())
                yield f"{function.name}: {lines[node.lineno - 1].decode().strip()}  {told}→{new}", start, end, new


def changed(node: ast.AST) -> Iterator[str]:
    """What may stand in a node's place."""
    match node:
        case ast.Compare(left, [operator], [right]) if type(operator).__name__ in COMPARED:
            yield f"({ast.unparse(left)} {COMPARED[type(operator).__name__]} {ast.unparse(right)})"
        case ast.BoolOp(operator, values):
            word = " or " if isinstance(operator, ast.And) else " and "
            yield f"({word.join(f'({ast.unparse(value)})' for value in values)})"
        case ast.BinOp(left, operator, right) if type(operator).__name__ in COUNTED:
            yield f"({ast.unparse(left)} {COUNTED[type(operator).__name__]} {ast.unparse(right)})"
        case ast.UnaryOp(ast.Not(), operand):
            yield f"({ast.unparse(operand)})"
        case ast.Constant(bool(value)):
            yield str(not value)
        case ast.Constant(int(value)):
            yield str(value + 1)
            yield f"({value - 1})"
        case ast.Return(ast.AST()):
            yield "return None"
        case ast.Raise() | ast.AugAssign() | ast.Expr(ast.Call()):
            yield "pass"


def trial(place: Path, fault: Fault) -> str:
    """The test that finds a fault; empty if none does."""
    path = place / fault.file
    right = path.read_bytes()
    path.write_bytes(right[: fault.start] + fault.new.encode() + right[fault.end :])
    try:
        return next(filter(None, (failing(place, call) for call in fault.calls)), "")
    finally:
        path.write_bytes(right)


def failing(place: Path, call: tuple[str, ...]) -> str:
    """The first test that fails, or why they ended; empty if all pass."""
    python = sys.executable if find_spec("pytest") else bootstrap.environment(bootstrap.TESTS_LOCK)
    there = [each for each in call if each.startswith("--") or (place / each.partition("::")[0]).exists()]
    command = ["prlimit", f"--cpu={SECONDS}", python, "-m", "pytest", "-qxrfE", "--tb=no", "-m", "not long", *there]
    few = os.environ | {"LONGER": "0.1"}  # examples by luck
    done = subprocess.run(command, cwd=place, env=few, check=False, capture_output=True, text=True)
    said = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return (said[1] if said else f"exit code {done.returncode}") if done.returncode else ""
