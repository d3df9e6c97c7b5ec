"""Claims in words and cards: everything that a ruling on them was decided by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from app.history.plurals import number_of, plural
from app.history.verdicts import Line
from app.kalooki.cards import BadInput, Card, write
from app.kalooki.claims import (
    CLAIMS,
    BuildClaim,
    Claim,
    CountClaim,
    DeckClaim,
    JokerClaim,
    MeldClaim,
    OpeningClaim,
    OutClaim,
    SolveClaim,
)
from app.kalooki.referee.turn import Build, Step, TurnClaim
from app.kalooki.rules.wording import contract_words
from app.kalooki.variants import Variant

Cards = tuple[Card, ...]


def describe_claim(check: str, raw: Mapping[str, Any], variant: Variant) -> str:
    """Return a recorded claim in a few words, the cards in notation: “opening AS AH AD / 6H on 7H 8H 9H”.

    Of a claim that no check can read, only the cards are described.
    """
    name = _CHECKS.get(check, check)
    try:
        claim = CLAIMS[check].read(raw, "")
    except (BadInput, KeyError):
        return f"{name} {_cards_of(raw)}".strip()
    lines = (" ".join(part if isinstance(part, str) else write(part) for part in line) for line in lines_of(claim))
    return ", ".join([f"{name} {' / '.join(lines) or _cards_of(raw)}".strip(), *conditions_of(claim, variant)])


def _cards_of(raw: Mapping[str, Any]) -> str:
    cards = next(filter(None, (raw.get(key) for key in ("cards", "on", "hand", "melds"))), "")
    return " / ".join(map(str, cards)) if isinstance(cards, list) else str(cards)


def lines_of(claim: Claim) -> tuple[Line, ...]:
    """Return what is on the table, what is laid on it and what is thrown, in reading order."""
    return tuple(line for line in _LINES[type(claim)](claim) if any(line))


def conditions_of(claim: Claim, variant: Variant) -> tuple[str, ...]:
    """Return what else decides: whether the player has opened, which hand is played, and what happened before."""
    return tuple(_conditions(claim, variant))


def _builds(builds: tuple[Build, ...]) -> Iterator[Line]:
    return ((cards, "on", on) for on, cards in builds)


def _opening(claim: OpeningClaim) -> Iterator[Line]:
    yield from ((cards,) for cards in claim.melds)
    yield from _builds(claim.builds)


def _joker(claim: JokerClaim) -> Iterator[Line]:
    yield claim.give, plural("for the joker of", "for jokers of", len(claim.give)), claim.on


def _out(claim: OutClaim) -> Iterator[Line]:
    yield from ((cards,) for cards in claim.melds)
    yield from _builds(claim.builds)
    yield "throws", claim.thrown or "nothing"


def _solve(claim: SolveClaim) -> Iterator[Line]:
    yield (claim.cards,)
    yield from (("on the table", cards) for cards in claim.table)


def _turn(claim: TurnClaim) -> Iterator[Line]:
    yield "holds", claim.hand
    for cards, owner in claim.table:
        yield "on the table", cards, *(["(their own)"] if owner == claim.me else [])
    melds = [meld.cards for meld in claim.table]
    for step in claim.steps:
        yield _step(step, melds)
        if step.do == "meld":
            melds.append(step.cards)


def _step(step: Step, melds: list[Cards]) -> Line:
    """Return one step of a turn; a meld on the table is named by its cards as they were at first."""
    on = melds[step.on] if step.on < len(melds) else f"meld {step.on + 1}"
    match step.do:
        case "draw":
            return "draws" if step.source == "stock" else "takes the discard", step.cards
        case "build":
            return "builds", step.cards, *([f"at the {step.end} end"] if step.end else []), "on", on
        case "free_joker":
            return "frees the joker of", on, "with", step.cards
        case "meld":
            return "lays", step.cards
    return "throws", step.cards


_LINES: Mapping[type, Callable[[Any], Iterator[Line]]] = {
    MeldClaim: lambda claim: iter([(claim.cards,)]),
    OpeningClaim: _opening,
    BuildClaim: lambda claim: _builds(((claim.on, claim.cards),)),
    JokerClaim: _joker,
    TurnClaim: _turn,
    OutClaim: _out,
    CountClaim: lambda claim: iter([(claim.cards,)]),
    DeckClaim: lambda claim: ((cards,) for cards in claim.holdings),
    SolveClaim: _solve,
}


def _conditions(claim: Claim, variant: Variant) -> Iterator[str]:
    has_opened = getattr(claim, "opened", isinstance(claim, (MeldClaim, CountClaim, DeckClaim)))
    contract = variant.contract(getattr(claim, "hand_number", 0))
    if not has_opened and not isinstance(claim, OpeningClaim):
        yield "not laid down yet" if variant.contracts else "not opened yet"
    if not has_opened and contract:
        yield f"the contract is {contract_words(variant, *contract)}"
    match claim:
        case OpeningClaim(kalooki=True):
            yield "the whole hand at once"
        case BuildClaim(built_this_turn=built) if variant.build_end_limit is not None:
            yield from (f"{count} built at the {end} end before" for end, count in built._asdict().items() if count)
        case CountClaim(bending=True) if variant.kalooki_ending == "bending":
            yield "the table was bent"
        case SolveClaim():
            yield _GOALS[claim.goal]
            yield from (f"{card} taken from the pile" for card in claim.taken)
        case TurnClaim() | OutClaim():
            yield from _before(claim, variant)


def _before(claim: TurnClaim | OutClaim, variant: Variant) -> Iterator[str]:
    """Yield what happened before a turn, as far as it decides anything under the rules of the variant."""
    if isinstance(claim, TurnClaim):
        if claim.first_turn and variant.first_draw_free:
            yield "the first turn of the hand"
        if claim.calls and variant.has_calls:
            yield f"{number_of(claim.calls, 'call')} made"
        if claim.held_after_last_turn is not None and variant.warning_at:
            yield f"{number_of(claim.held_after_last_turn, 'card')} held after the last turn"
    if claim.warned is not None and variant.warning_at:
        yield "warned" if claim.warned else "did not warn"


_CHECKS = {"out": "going out", "solve": "what could be laid"}
"""The checks that words call otherwise."""
_GOALS = {
    "least_points": "for fewest points left",
    "least_after_throw": "for fewest points left",
    "most_points": "to lay most points",
    "open": "to open",
    "go_out": "to go out",
    "kalooki": "to go out all at once",
}
