"""Verdicts: the faults, the rules applied, and the question to ask the player."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, dataclass_transform

from app.kalooki.cards import JOKER, Card, beyond_pack
from app.kalooki.faults import Fault
from app.kalooki.referee.melds import Laid, Meld, face, in_order
from app.kalooki.variants import Variant


class JokerQuestion(NamedTuple):
    """A question about jokers that the player must answer before the cards count.

    `choices` are cards in notation, `melds` what the meld is by each of them.
    """

    text: str
    choices: tuple[str, ...]
    melds: tuple[Meld, ...]


@dataclass_transform(frozen_default=True, kw_only_default=True)
@dataclass(frozen=True, kw_only=True)
class Verdict:
    """A ruling, which is legal if there are no faults; `rules` are the slugs of all rules applied.

    `readings` are the legal readings of the cards, the one with most points first. `warnings` are faults that are odd
    but allowed. Subclasses add the results of single checks; this class makes them frozen dataclasses.
    """

    faults: tuple[Fault, ...] = ()
    rules: tuple[str, ...] = ()
    readings: tuple[Meld, ...] = ()
    ask: JokerQuestion | None = None
    warnings: tuple[Fault, ...] = ()

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    @property
    def ok(self) -> bool:
        return not self.faults


def pack_faults(cards: Iterable[Card], variant: Variant) -> tuple[Fault, ...]:
    """Return faults for cards that exceed the packs (rule `more-than-the-pack`), separate for naturals and jokers."""
    over = beyond_pack(cards, variant.packs, variant.jokers)
    naturals = in_order(card for card in over if not card.is_joker)
    faults = [Fault("more-than-the-pack", naturals, {"values": ("packs",)})] if naturals else []
    if len(naturals) < len(over):
        faults.append(Fault("more-than-the-pack", (JOKER,), {"values": ("jokers",)}))
    return tuple(faults)


def rules_applied(rules: Iterable[str], faults: Iterable[Fault]) -> tuple[str, ...]:
    """Return the rules and those of the faults, in order and each once."""
    return tuple(dict.fromkeys([*rules, *(fault.rule for fault in faults)]))


def meld_rules(kind: str, laid: Laid, variant: Variant) -> tuple[str, ...]:
    """Return the slugs of the rules that decide whether the cards are a meld of this kind, "set" or "run"."""
    jokers = laid.size - laid.naturals
    if kind == "set":
        rules = ["set-or-run", "set-rank", "set-size", "set-suits"]
    else:
        rules = ["set-or-run", "run-suit", "run-sequence", "run-length"]
        rules += ["ace-high", "round-the-corner"] if "A" in laid.ranks else []
        rules += ["jokers-together"] if jokers > 1 else []
    rules += ["naturals" if kind == "set" else "naturals-in-a-run"] if jokers else []
    rules += [] if variant.contracts else ["meld-points"]
    counts = variant.opening_points or variant.joker_points is not None
    return (*rules, "joker-points") if jokers and counts and not variant.contracts else tuple(rules)


def joker_warnings(before: Sequence[Meld], fitting: Sequence[Meld]) -> tuple[Fault, ...]:
    """Return a warning if a claim is legal only for some readings of a meld (rule `declaring-a-joker`).

    `before` are all readings of the meld, `fitting` those that make the claim legal; the player who laid the jokers may
    have declared another reading.
    """
    against = [meld for meld in before if meld not in fitting]
    if not fitting or not against:
        return ()
    if len(against) > 1 or len(against[0].jokers) > 1:
        return (Fault("declaring-a-joker", facts={"case": "otherwise"}),)
    return (Fault("declaring-a-joker", tuple(map(face, against[0].jokers)), {"case": "unsaid"}),)


def question(cards: Sequence[Card], readings: Sequence[Meld]) -> JokerQuestion | None:
    """Return the question to ask if bare jokers leave several readings (rule `declaring-a-joker`), else None."""
    if JOKER not in cards or len(readings) < 2:
        return None
    declared = {card for card in cards if card.stands_for}
    return _ask(readings, declared)


def question_after(melds: Iterable[Meld]) -> JokerQuestion | None:
    """Return the question if a build or an exchange can leave one of several melds, None if it leaves only one.

    A whole suit with its ace low or high has the same cards, so there is nothing to ask.
    """
    apart = list({frozenset(meld.cards): meld for meld in melds}.values())
    if len(apart) < 2:
        return None
    return _ask(apart, set.intersection(*(set(meld.jokers) for meld in apart)))


def _ask(melds: Iterable[Meld], known: Container[Card]) -> JokerQuestion:
    """Return the question which meld it is, with the lowest first.

    A choice is the card of the only joker that is not `known`, or the whole meld if there are several.
    """
    ordered = sorted(melds, key=lambda meld: (meld.kind == "set", meld.kind == "run" and meld.low))
    unknown = [[face(card) for card in meld.jokers if card not in known] for meld in ordered]
    if len(unknown[0]) > 1:
        return JokerQuestion("Which cards are the jokers?", tuple(map(str, ordered)), tuple(ordered))
    by_card = {str(joker): meld for (joker,), meld in zip(unknown, ordered, strict=True)}
    return JokerQuestion("Which card is the joker?", tuple(by_card), tuple(by_card.values()))
