"""Files that people write: one of a folder is read within bounds, its TOML in one sentence refused or understood."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from tomllib import loads
from typing import Any

from app.kalooki.cards import Malformed

MOST_KILOBYTES = 64
MOST_FILES = 99
_MOST_DOTS = 50
"""On one line: a key of very many parts would be read for minutes."""
_MOST_LEVELS = 6
_TOO_LARGE = 2**63
"""No number of TOML is: one that is could not even be quoted."""
_TOO_DEEP = "this is nested too deeply."
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_ID = 40
LONGEST = {"name": 40, "summary": 200, "published": 200}
"""The most letters of what a file says in words; `published` is its `source`."""


def is_id(name: str) -> bool:
    """Whether a name can be the id of a variant.

    >>> is_id("kalooki-51"), is_id("Our Kalooki"), is_id("../european")
    (True, False, False)
    """
    return len(name) <= LONGEST_ID and bool(_ID.fullmatch(name))


def paths_in(folder: Path) -> list[Path]:
    """The TOML files of a folder, in order; none if there is no such folder. Raises Malformed."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".toml")
    except FileNotFoundError:
        return []
    except OSError as cause:
        raise Malformed("{why}", "the folder", why=cause.strerror) from cause


def text_of(path: Path) -> str:
    """The text of a file; raises Malformed for anything but a short text inside its folder.

    What is no file is never opened: a pipe would keep its reader waiting.
    """
    try:
        real = path.resolve(strict=True)
        if not real.is_relative_to(path.parent.resolve()):
            raise Malformed("this is a link that leads out of the folder.", "the file")
        if not real.is_file():
            raise Malformed("this is no file.", "the file")
        with real.open("rb") as file:
            raw = file.read(1024 * MOST_KILOBYTES + 1)
    except RuntimeError as cause:  # Python 3.12 and older, for links in a circle
        raise Malformed("this is a link to itself.", "the file") from cause
    except OSError as cause:
        raise Malformed("{why}", "the file", why=cause.strerror) from cause
    return decoded(raw)


def decoded(raw: bytes) -> str:
    """The text in the bytes of a file; raises Malformed for too many, and for what is no UTF-8."""
    if len(raw) > 1024 * MOST_KILOBYTES:
        raise Malformed("this is longer than {most} kB.", "the file", most=MOST_KILOBYTES)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        line = raw[: cause.start].count(b"\n") + 1
        raise Malformed("line {line} is no text: save the file as UTF-8.", "the file", line=line) from cause


def table_of(text: str) -> dict[str, Any]:
    """What a TOML text says; raises Malformed with the line where the parser tells it."""
    if any(line.count(".") > _MOST_DOTS for line in text.split("\n") if not line.startswith("#")):
        raise Malformed(_TOO_DEEP, "the file")
    try:
        table = loads(text)
    except RecursionError as cause:
        raise Malformed(_TOO_DEEP, "the file") from cause
    except ValueError as cause:
        raise Malformed("{why}", "the file", why=cause) from cause
    for level in by_level(table, _MOST_LEVELS):
        if any(isinstance(each, int) and abs(each) >= _TOO_LARGE for each in level):
            raise Malformed("a number is too large.", "the file")
    if any(map(_inside, level)):
        raise Malformed(_TOO_DEEP, "the file")
    return table


def by_level(value: object, most: int) -> Iterator[list[Any]]:
    """What lists and tables hold, level by level from the outside, so that no depth overflows the stack."""
    level = [value]
    for _ in range(most):
        level = [inner for each in level for inner in _inside(each)]
        yield level


def _inside(value: object) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def place_of(key: str, text: str) -> str:
    r"""A key with the line that first gives it a value, if one does.

    >>> place_of("limit", "[stated]\nlimit = 0"), place_of("packs", "")
    ('limit (line 2)', 'packs')
    """
    line = line_of(key, text)
    return f"{key} (line {line})" if line else key


def line_of(key: str, text: str) -> int:
    r"""The line that first gives a key, or a table of that name, its value; 0 if none does.

    >>> line_of("limit", "[stated]\nlimit = 0"), line_of("stated", "[stated]"), line_of("packs", "")
    (2, 1, 0)
    """
    given = re.search(rf"""^[ \t]*(\[+[ \t]*)?["']?{re.escape(key)}["']?[ \t]*[.=\]]""", text, re.MULTILINE)
    return text.count("\n", 0, given.end()) + 1 if given else 0
