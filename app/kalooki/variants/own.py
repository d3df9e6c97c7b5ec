"""Own rules: a variant and what a table plays differently, as one short text that fits an address and a code on paper.

The text is `name~variant.release.date.book.key.value.key.value.check`. What comes after the name has only letters,
digits, dots and hyphens, in either case: a code holds capitals in fewer squares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from json import dumps
from tomllib import loads
from typing import Any
from zlib import crc32

from app.kalooki.cards import Malformed
from app.kalooki.files import decoded, place_of, table_of
from app.kalooki.variants import FOLDER, Contradiction, Value, Variant, as_told, ids, load, meanings, with_house_rules

RELEASE: str = loads(FOLDER.parents[2].joinpath("pyproject.toml").read_text("utf-8"))["project"]["version"]
"""The release of this product, which a set of own rules names: another one may have other values."""
LONGEST_TEXT = 4_000
LONGEST_TITLE = 40
_DATE = re.compile(r"(\d{4}-\d\d-\d\d)?", re.ASCII)
_SAYS_WHERE = 4
"""So many words before the values: variant, release, date, book."""
_NOT_WHOLE = "These own rules are not whole: copy the link again, or scan its code again."


@dataclass(frozen=True)
class OwnRules:
    """A variant, what a table plays differently, and what the table calls it.

    `date` is the day it was made (2026-11-23) or empty; `book` marks the variant's values in the release that made it.
    """

    variant_id: str
    house: Mapping[str, Value] = field(hash=False)
    name: str = ""
    release: str = RELEASE
    date: str = ""
    book: str = ""

    @property
    def variant(self) -> Variant:
        """The variant with these rules; raises Malformed if nobody can play so."""
        return with_house_rules(load(self.variant_id), self.house)[0]

    @property
    def text(self) -> str:
        """What an address holds of them; the same rules, name, day and release always give the same one."""
        fewest = own_rules(self.variant)
        words = [self.variant_id, self.release.replace(".", "-"), self.date, self.book or fewest.book]
        for key, value in fewest.house.items():
            words += [key.replace("_", "-"), _written(value)]
        text = ".".join(words)
        named = f"{self.name}~" if self.name else ""
        return f"{named}{text}.{_mark(self.name + text)}"

    @property
    def is_of_this_book(self) -> bool:
        """Whether this server's variant is the one these rules were made for, value by value."""
        return self.book in ("", mark_of(load(self.variant_id)))


def mark_of(variant: Variant) -> str:
    """Four signs that change with any value of a variant."""
    return _mark(repr([*variant.values.items()]))


def own_rules(variant: Variant, name: str = "", date: str = "") -> OwnRules:
    """The own rules a table plays: the fewest values that say what it plays differently."""
    book = load(variant.id)
    asked = {key: variant.values[key] for key, meaning in meanings().items() if meaning.house}
    leading = {
        key: value for key, value in asked.items() if value != getattr(book, key) and not meanings()[key].follows
    }
    # a value that follows another one is named only where it does not
    again = as_told(book, leading)
    house = {key: value for key, value in asked.items() if key in leading or value != getattr(again, key)}
    return OwnRules(variant.id, house, name, RELEASE, date, mark_of(book))


def _mark(text: str) -> str:
    return f"{crc32(text.encode('utf-8', 'replace')) & 0xFFFF:04x}"


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        pairs = ("x".join(map(str, each)) if isinstance(each, tuple) else str(each) for each in value)
        return "-".join(pairs) or "none"
    return "none" if value is None else str(value).replace("_", "-")


def read_own(text: str) -> OwnRules:
    """The own rules in a text; raises Malformed, in words, if it is not whole or nobody here can play by it."""
    name, _, rest = text.rpartition("~")
    rest, _, mark = rest.lower().rpartition(".")
    words = rest.split(".")
    if len(text) > LONGEST_TEXT or mark != _mark(name + rest) or len(words) < _SAYS_WHERE or len(words) % 2:
        raise Malformed(_NOT_WHOLE, "own")
    variant_id, release, date, book = words[:_SAYS_WHERE]
    if not _DATE.fullmatch(date) or not is_title(name):
        raise Malformed(_NOT_WHOLE, "own")
    if variant_id not in ids():
        raise Malformed(
            "These own rules change “{word}”, which this server does not have. Open them on the server they are from.",
            "own",
            variant_id,
        )
    try:
        house = dict(_values(words[_SAYS_WHERE:], load(variant_id)))
        with_house_rules(load(variant_id), house)
    except Malformed as cause:
        raise _of_release(cause, release.replace("-", ".")) from cause
    return OwnRules(variant_id, house, name, release.replace("-", "."), date, book)


def is_title(name: str) -> bool:
    """Whether a set of own rules can have this name."""
    return len(name) <= LONGEST_TITLE and name.isprintable() and name == name.strip()


def _values(words: list[str], book: Variant) -> Iterator[tuple[str, Any]]:
    for key, word in zip(words[::2], words[1::2], strict=True):
        name = key.replace("-", "_")
        if name not in meanings():
            raise Malformed("“{word}” is no value of a variant.", "own", key)
        yield name, _value(word, getattr(book, name))


def _value(word: str, usual: Value) -> Any:
    """A value as it was written, of the type that the variant has there; a word that is none of it stays a word."""
    if isinstance(usual, bool):
        return {"yes": True, "no": False}.get(word, word)
    if isinstance(usual, str):
        return word.replace("-", "_")
    if isinstance(usual, tuple):
        return () if word == "none" else tuple(map(_item, word.split("-")))
    return None if word == "none" else _number(word)


def _item(word: str) -> Any:
    return tuple(map(_number, word.split("x"))) if "x" in word else _number(word)


def _number(word: str) -> int | str:
    return int(word) if word.isascii() and word.isdigit() and len(word) <= len("10000") else word


def _of_release(cause: Malformed, release: str) -> Malformed:
    if release == RELEASE:
        return cause
    return Malformed(
        "These own rules were made by release {release}, and this server has {own}: it cannot read all of them. {why}",
        "own",
        release=release,
        own=RELEASE,
        why=cause,
    )


_OF_A_FILE = {"name", "summary", "source", "extends", "order", "stated", "usual"}


def as_file(own: OwnRules) -> str:
    """The own rules as a file of a variant: one that a server can have in its folder, too."""
    book, house = load(own.variant_id), own_rules(own.variant).house
    about = {"name": own.name or book.name, "summary": f"{book.name}, as one table plays it.", "extends": book.id}
    lines = [f"{key} = {_toml(value)}" for key, value in about.items()]
    lines += ["", "[stated]", *(f"{key} = {_toml(value)}" for key, value in house.items()), ""]
    return "\n".join(lines)


def _toml(value: Any) -> str:
    return dumps("none" if value is None else value, ensure_ascii=False)


def _fits(key: str, value: object) -> bool:
    if key == "name":
        return isinstance(value, str) and is_title(value)
    return key in _OF_A_FILE and (key not in ("stated", "usual") or isinstance(value, dict))


def read_file(raw: bytes, date: str = "") -> OwnRules:
    """The own rules in a file; raises Malformed with the line of each mistake, a row for each."""
    text = decoded(raw)
    table = table_of(text)
    variant_id, stated, usual = table.get("extends"), table.get("stated", {}), table.get("usual", {})
    name = table.get("name", "")
    if variant_id not in ids():
        raise Malformed("{where}: name one of this server’s variants.", where=place_of("extends", text))
    for key in (each for each, value in table.items() if not _fits(each, value)):
        raise Malformed("{where}: this does not fit a set of own rules.", where=place_of(key[:LONGEST_TITLE], text))
    values = {key: None if value == "none" else value for key, value in (usual | stated).items()}
    try:
        return own_rules(with_house_rules(load(str(variant_id)), values)[0], name, date)
    except Contradiction as cause:
        raise Malformed("{why}", why="\n".join(cause.placed(text))) from cause
