"""What a variant's own document says about each rule.

The document may state the rule, contradict itself, state another rule, or say nothing. `sources.toml` records this by
rule and variant. No variant inherits from another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from app.kalooki.rules.wording import read
from app.kalooki.variants import Variant


class Document(NamedTuple):
    """A text that rules come from: our title for it, its own heading, and where to read it, if known."""

    title: str
    published: str
    place: str


class Mark(NamedTuple):
    """What a document says about a rule: `where` names a heading of the document, `note` is a remark for players.

    `standing` is "source" if the document states the rule, "both" if it can be read in two ways, and "usual" if it is
    silent. With "both" the note names the readings and the one played; with "usual" it names the nearest statement.
    `disagrees` marks a "both" whose document has only one reading, which is not the one played.
    """

    standing: str
    where: str = ""
    note: str = ""
    disagrees: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the document states the rule and no remark is needed."""
        return self.standing == "source" and not self.note


USUAL = Mark("usual")


@cache
def documents() -> Mapping[str, Document]:
    """Return all documents by id, S0 to S4."""
    return MappingProxyType({key: Document(**entry) for key, entry in read("sources.toml")["documents"].items()})


def document_of(variant: Variant) -> Document:
    """Return the document a variant comes from; for a server's own variant it is the variant's file."""
    if variant.is_own:
        return Document(variant.name, variant.published or variant.source, "")
    return documents()[variant.source]


def mark(slug: str, variant_id: str) -> Mark:
    """Return what the variant's own document says about a rule.

    >>> mark("ace-high", "classic").standing, mark("ace-high", "european").where
    ('usual', 'Turn by turn play, (2) Melding')
    """
    return marks().get((slug, variant_id), USUAL)


@cache
def marks() -> Mapping[tuple[str, str], Mark]:
    """Return all marks by (rule, variant id); a missing one means common practice."""
    return MappingProxyType({entry: _mark(mark) for entry, mark in _by_variant("rules")})


@cache
def documented_readings() -> Mapping[tuple[str, str], Mapping[str, Any]]:
    """Return the values under which a document plays a rule differently, by (rule, variant id)."""
    return MappingProxyType(dict(_by_variant("readings")))


def _by_variant(part: str) -> Iterator[tuple[tuple[str, str], Any]]:
    """Yield the entries of one part of `sources.toml` as ((rule, variant id), entry)."""
    for slug, by_variants in read("sources.toml")[part].items():
        for variant_ids, mark in by_variants.items():
            yield from (((slug, variant_id), mark) for variant_id in variant_ids.split())


def _mark(entry: str | Mapping[str, Any]) -> Mark:
    if isinstance(entry, str):
        return Mark("source", entry)
    kind = next(each for each in ("usual", "both", "otherwise", "note") if each in entry)
    standing = {"otherwise": "both", "note": "source"}.get(kind, kind)
    return Mark(standing, entry.get("where", ""), entry[kind], disagrees=kind == "otherwise")
