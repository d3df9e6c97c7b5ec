"""Where a rule or a ruling comes from, in words: its document, common practice, or a house rule of the table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from app.kalooki.rules.answers import Answer
from app.kalooki.rules.rulebook import Explained, Source, merge_sources


class Piece(NamedTuple):
    """Some words or the title of a `document`, and the CSS classes in which pages show them."""

    text: str
    style: str = ""
    document: str = ""


HOUSE = Piece("house rule", "badge badge-won")
COMMON = Piece("common practice", "badge badge-offer")
PARTLY = Piece("partly common practice", "badge badge-offer")
STATED = Piece("written rule", "badge")


def provenance(of: Explained | Answer, length: str = "full") -> list[Piece]:
    """Return where a rule, or the ruling of an answer, comes from, and whether its document is unclear or disagrees.

    `length` is "badge" for the badge alone, "named" for the badge and the house rule, "short" for the document as well,
    or "full": also what the variant says instead of a house rule, the place in the document, and its other reading.
    """
    pieces = _of_answer(of, length) if isinstance(of, Answer) else _of_rule(of, length)
    return [piece for piece in pieces if piece.text or piece.document]


def unclear_beside(answer: Answer) -> list[Explained]:
    """Return the rules behind an answer whose source is unclear or disagrees, except one that decides its standing."""
    candidates = answer.beside if answer.standing == "both" else answer.rules + answer.beside
    return [rule for rule in candidates if rule.standing == "both" and not answer.is_mishap]


def doubt(rule: Explained) -> list[Piece]:
    """Return the other reading of a rule whose document is unclear or disagrees."""
    document = [Piece("", document=f"{source.title}.") for source in rule.sources[:1]]
    return [_unclear(rule, ":"), *document, Piece(rule.remark)]


def _of_answer(answer: Answer, length: str) -> list[Piece]:
    pieces = [piece for own in answer.own for piece in _of_rule(own, length)]
    if answer.by and answer.by.standing != "house":
        pieces += _of_rule(answer.by, length)
    elif answer.is_mishap and answer.standing == "usual":
        pieces += [COMMON, _muted("The source doesn’t cover this.", length)]
    elif answer.standing != "house":
        pieces += _of_rule(answer, length)
    is_partly = answer.standing in ("source", "both") and any(rule.standing == "usual" for rule in answer.beside)
    pieces += [PARTLY] if is_partly and length in ("short", "full") else []
    return [*pieces, _muted(answer.of_remedy, length)]


def _of_rule(rule: Explained | Answer, length: str) -> list[Piece]:
    badge = COMMON if rule.standing == "usual" or rule.disagrees else STATED
    badges = [] if rule.standing == "both" and badge is STATED else [badge]  # not "written rule" if that is unclear
    if isinstance(rule, Explained) and rule.standing == "house":
        return [HOUSE] if length == "badge" else _of_house_rule(rule, length)
    if length == "badge":
        return [Piece(_doubt_of(rule).lower(), COMMON.style)] if rule.standing == "both" else [badge]
    if length == "full":
        return _in_full(rule, badges)
    documents = [Piece("", document=each.title) for each in merge_sources(rule.sources)] if length == "short" else []
    doubts = [_unclear(rule, ":" if documents else ".")] if rule.standing == "both" else []
    return [*badges, *doubts, *(documents if rule.standing != "usual" else [])]


def _of_house_rule(rule: Explained, length: str) -> list[Piece]:
    if length == "full":
        return [HOUSE, Piece(rule.house_rule or ""), _muted(rule.note), *(_cite(rule.sources) if rule.note else [])]
    first = rule.note.partition(". ")[0].rstrip(".")
    return [HOUSE, Piece(rule.house_rule or ""), _muted(f"{first}." if first else "")]


def _in_full(rule: Explained | Answer, badges: list[Piece]) -> list[Piece]:
    if rule.standing == "both":
        return [*badges, _unclear(rule, ":"), *_cite(rule.sources), Piece(rule.remark)]
    if rule.standing == "usual":
        same = [_muted("The same in"), *_cite(rule.sources)] if rule.sources else []
        return [*badges, _muted("The source doesn’t say."), _muted(rule.remark), *same]
    return [Piece(rule.remark), *_cite(rule.sources)]


def _unclear(rule: Explained | Answer, end: str) -> Piece:
    return _muted(f"{_doubt_of(rule)}{end}")


def _doubt_of(rule: Explained | Answer) -> str:
    return "The source disagrees" if rule.disagrees else "The source is unclear"


def _muted(text: str, length: str = "full") -> Piece:
    """Return muted text, which only the full length has."""
    return Piece(text if length == "full" else "", "muted")


def _cite(sources: Iterable[Source]) -> list[Piece]:
    """Return the documents with the places in them, as the end of a sentence."""
    merged = merge_sources(sources)
    ends = [*";" * (len(merged) - 1), "."]
    return [Piece(f"{each.where}{end}", "muted", f"{each.title}:") for each, end in zip(merged, ends, strict=False)]
