"""Rulings as lines of text: the verdict, what decided it and the document that says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from app.i18n import _, gettext, ngettext
from app.kalooki import claims
from app.kalooki.cards import parse, write
from app.kalooki.decided_by import decided_by
from app.kalooki.faults import Fault
from app.kalooki.referee.checks import legal_in
from app.kalooki.referee.melds import Meld, points
from app.kalooki.referee.opening import OpeningVerdict
from app.kalooki.referee.verdict import Verdict
from app.kalooki.rules.rulebook import Explained, Source, explain, remark, rule_in_words, says_otherwise
from app.kalooki.rules.sources import document_of
from app.kalooki.rules.wording import contract_words
from app.kalooki.solver.laydown import Laydown
from app.kalooki.variants import Variant, load

LEGAL, NOT_LEGAL, UNREADABLE = 0, 1, 2
"""How a command ends: legal, or answered; not legal, or not possible; cannot be read, or not decided."""
CAN_FAIL = ("open", "go_out", "kalooki")
"""The goals of a lay-down that may be out of reach; the others always have a best way."""
INDENT = "  "


class Answered(NamedTuple):
    """An answer: its lines, and how the command ends. What begins with two spaces goes on so when it is folded."""

    lines: tuple[str, ...]
    status: int


def meld(cards: str, variant: Variant) -> Answered:
    """Whether some cards are a meld."""
    verdict = claims.check("meld", {"cards": cards}, variant)
    others = [load(each).name for each in legal_in(parse(cards)) if each != variant.id]
    elsewhere = _("Legal in: {variants}.") if not verdict.ok else _("Also legal in: {variants}.")
    readings = [_reading(each, variant) for each in verdict.readings]
    lines = [*readings[:1], *(_("or {reading}").format(reading=each) for each in readings[1:])]
    more = [elsewhere.format(variants=", ".join(others))] if others else []
    return _ruled("meld", {"cards": cards}, variant, verdict, lines, more)


def opening(melds: Sequence[str], number: int, variant: Variant) -> Answered:
    """Whether some melds open."""
    raw = {"melds": [*melds], "hand_number": number}
    verdict = claims.check("opening", raw, variant)
    return _ruled("opening", raw, variant, verdict, [*_opened(verdict, variant)], [])


def _opened(verdict: Verdict, variant: Variant) -> Iterator[str]:
    yield from (_reading(each, variant) for each in verdict.readings)
    if not isinstance(verdict, OpeningVerdict):
        return
    if verdict.contract and verdict.ok:
        yield _("The contract is met: {contract}.").format(contract=contract_words(variant, *verdict.contract, gettext))
    elif verdict.needed:
        yield _("{points} points; {needed} are needed.").format(points=verdict.points, needed=verdict.needed)


def count(cards: str, bent: bool, variant: Variant) -> Answered:
    """What cards left in a hand count, kind by kind."""
    verdict = claims.count({"cards": cards, "bending": bent}, variant)
    lines = [points_words(verdict.points), *_broken(verdict.faults, variant), *_warnings(verdict, variant)]
    for each in verdict.lines:
        rule = rule_in_words(each.rule, variant, gettext)
        lines.append(f"{INDENT}{each.points:>4}  {write(each.cards) or _('Doubled')} – {rule.title}: {stands(rule)}")
    return Answered(tuple(lines), LEGAL if verdict.ok else NOT_LEGAL)


def solve(raw: Mapping[str, Any], variant: Variant) -> Answered:
    """The best way to lay a hand down."""
    verdict = claims.solve(raw, variant)
    found, warnings = verdict.laydown, [*_warnings(verdict, variant)]
    if verdict.faults:
        return Answered((*_broken(verdict.faults, variant), *warnings), NOT_LEGAL)
    if found.possible is None:
        undecided = _("There are too many ways to look through them all. Ask with fewer melds on the table.")
        return Answered((_("UNDECIDED"), undecided), UNREADABLE)
    if not found.possible:
        return Answered((_("NO"), _("There is no way."), *warnings), NOT_LEGAL)
    head = _("YES") if raw["goal"] in CAN_FAIL else ""
    left = write(found.left) or _("nothing")
    kept = _("Left: {cards} – {points}").format(cards=left, points=points_words(found.points_left))
    return Answered((*filter(None, [head]), *_turn(found, raw["table"]), kept, *warnings), LEGAL)


def _turn(found: Laydown, table: Iterable[str]) -> Iterator[str]:
    """The turn step by step, each meld named by its cards."""
    lying = [write(parse(cards)) for cards in table]
    for step in found.steps:
        cards = write(step.cards)
        if step.do == "meld":
            lying.append(cards)
            yield _("Lay {cards}").format(cards=cards)
        elif step.do == "discard":
            yield _("Throw {cards}").format(cards=cards)
        else:
            said = _("Build {cards} on {meld}") if step.do == "build" else _("Give {cards} for the joker of {meld}")
            yield said.format(cards=cards, meld=lying[step.on])


def points_words(many: int) -> str:
    """Points as people say them: 1 point, 10 points."""
    return ngettext("{num} point", "{num} points", many).format(num=many)


def _reading(laid: Meld, variant: Variant) -> str:
    words = (_("Three"), _("Four")) if variant.has_fours else (_("Set"), _("Run"))
    worth = "" if variant.contracts else f" – {points_words(points(laid, variant))}"
    return f"{words[laid.kind == 'run']}: {laid}{worth}"


def _ruled(
    kind: str, raw: Mapping[str, Any], variant: Variant, verdict: Verdict, readings: Sequence[str], more: Sequence[str]
) -> Answered:
    """A ruling: the verdict, each broken rule and who says so; or whose other reading would turn it."""
    asks = verdict.ask
    asked = [f"{gettext(asks.text)} {' / '.join(asks.choices)}"] if asks else []
    faults = {fault.rule for fault in verdict.faults}
    doubts = [each.rule for each in decided_by(kind, raw, variant, verdict) if each.rule not in faults]
    turning = [rule_in_words(rule, variant, gettext) for rule in doubts]
    behind = [f"{rule.title}: {stands(rule)}" for rule in turning] or ([] if faults else [_plainly(verdict, variant)])
    lines = (
        _("LEGAL") if verdict.ok else _("NOT LEGAL"),
        *(readings if verdict.ok else _broken(verdict.faults, variant)),
        *_warnings(verdict, variant),
        *asked,
        *behind,
        *more,
    )
    return Answered(lines, LEGAL if verdict.ok else NOT_LEGAL)


def _broken(faults: Iterable[Fault], variant: Variant) -> Iterator[str]:
    """Each broken rule in a sentence, and below it who says so."""
    said = (explain(fault, variant, gettext) for fault in faults)
    return chain.from_iterable((each.text, f"{INDENT}{each.title}: {stands(each)}") for each in said)


def _warnings(verdict: Verdict, variant: Variant) -> Iterator[str]:
    return (explain(each, variant, gettext).text for each in verdict.warnings)


def _plainly(verdict: Verdict, variant: Variant) -> str:
    """Who says it, where no reading would turn the ruling: the table's own rules, or else the document."""
    applied = [rule_in_words(rule, variant, gettext) for rule in verdict.rules]
    own = [stands(rule) for rule in applied if rule.standing == "house"]
    sourced = sum(rule.standing == "source" for rule in applied)
    plain = document_of(variant, gettext).title if sourced * 2 > len(applied) else _("Usual default.")
    return " ".join(own) or plain


def stands(rule: Explained) -> str:
    """Who says a rule: the table, its document with the place, or nobody."""
    said = remark(rule.note, gettext)
    if rule.standing == "house":
        words = [_("your table’s rule: {rule}.").format(rule=rule.house_rule), rule.note]
    elif rule.standing == "usual":
        words = [_("usual default; the source does not say."), said]
    elif rule.standing == "both":
        read = _("the source says otherwise") if says_otherwise(rule.note, gettext) else _("the source says both")
        words = [f"{read} – {_places(rule.sources)}.", said]
    else:
        words = [f"{_places(rule.sources)}.", rule.note]
    return " ".join(filter(None, words))


def _places(sources: Iterable[Source]) -> str:
    """The documents, each with the places in it."""
    places: dict[str, list[str]] = {}
    for source in sources:
        places.setdefault(source.title, []).append(source.where)
    return "; ".join(f"{title}, {'; '.join(dict.fromkeys(where))}" for title, where in places.items())
