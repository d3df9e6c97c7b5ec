"""A verdict: every broken rule, every rule applied, and what to ask the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, dataclass_transform

from app.kalooki.cards import JOKER, Card, beyond_pack
from app.kalooki.faults import Fault
from app.kalooki.referee.melds import Laid, Meld, face, in_order
from app.kalooki.variants import Variant


class JokerQuestion(NamedTuple):
    """What the player must say before the cards count: `text` is a question, `choices` are cards in notation."""

    text: str
    choices: tuple[str, ...]


@dataclass_transform(frozen_default=True, kw_only_default=True)
@dataclass(frozen=True, kw_only=True)
class Verdict:
    """A ruling, legal if no rule is broken; `rules` are the slugs of all rules applied.

    `readings` are the legal readings of the claim, the dearest first. `warnings` have the shape of faults: odd, but
    allowed. The verdicts of the checks, which say more, are frozen dataclasses by this one.
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
    """Return the cards beyond what the packs have (rule `more-than-the-pack`), naturals and jokers apart."""
    over = beyond_pack(cards, variant.packs, variant.jokers)
    naturals = in_order(card for card in over if not card.is_joker)
    faults = [Fault("more-than-the-pack", naturals, {"values": ("packs",)})] if naturals else []
    if len(naturals) < len(over):
        faults.append(Fault("more-than-the-pack", (JOKER,), {"values": ("jokers",)}))
    return tuple(faults)


def rules_applied(rules: Iterable[str], faults: Iterable[Fault]) -> tuple[str, ...]:
    """Return the rules in order, each once, including broken ones."""
    return tuple(dict.fromkeys([*rules, *(fault.rule for fault in faults)]))


def meld_rules(kind: str, laid: Laid, variant: Variant) -> tuple[str, ...]:
    """Return the rules that decide whether such cards are a set, or a run."""
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


def unsaid(before: Sequence[Meld], fitting: Sequence[Meld]) -> tuple[Fault, ...]:
    """Return what nobody may have declared of a meld's jokers, though it must be so for a claim to be legal.

    `before` are all readings of the meld, `fitting` those that make the claim legal (rule `declaring-a-joker`).
    """
    against = [meld for meld in before if meld not in fitting]
    if not fitting or not against:
        return ()
    if len(against) > 1 or len(against[0].jokers) > 1:
        return (Fault("declaring-a-joker", facts={"case": "otherwise"}),)
    return (Fault("declaring-a-joker", tuple(map(face, against[0].jokers)), {"case": "unsaid"}),)


def question(cards: Sequence[Card], readings: Sequence[Meld]) -> JokerQuestion | None:
    """Return what to ask if bare jokers leave several readings (rule `declaring-a-joker`), the lowest first."""
    bare = sum(card == JOKER for card in cards)
    if not bare or len(readings) < 2:
        return None
    declared = {card for card in cards if card.stands_for}
    ordered = sorted(readings, key=lambda meld: (meld.kind == "set", meld.kind == "run" and meld.low))
    return which(ordered, [[card for card in meld.jokers if card not in declared] for meld in ordered])


def which(ordered: Sequence[Meld], jokers: Sequence[Sequence[Card]]) -> JokerQuestion:
    """Asks for one joker by its card, and for several by the whole meld; `jokers` are those of each reading."""
    if len(jokers[0]) > 1:
        return JokerQuestion("Which cards are the jokers?", tuple(map(str, ordered)))
    return JokerQuestion("Which card is the joker?", tuple(dict.fromkeys(str(face(joker)) for (joker,) in jokers)))
