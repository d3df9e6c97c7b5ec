"""Rulings on whole turns, from the draw to the discard, and on how they end the hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from app.kalooki.cards import Card
from app.kalooki.faults import Fault
from app.kalooki.referee.opening import melds_over_the_limit, opening_has_minimum
from app.kalooki.referee.turn_steps import OPENS, OnTable, Replay, TurnClaim, replay, undeclared
from app.kalooki.referee.verdict import Verdict, rules_applied
from app.kalooki.variants import Variant


class TurnVerdict(Verdict):
    """A ruling on a turn. Every fault has a fact `step`: the index of the step, None for the state before the turn.

    `ending` is "going_out", or the variant's name for going out all at once; None if the hand continues or the turn is
    illegal. `why` explains that ending (as a Fault, although nothing is wrong). `hand` and `table` are those after the
    turn.
    """

    ending: str | None = None
    why: Fault | None = None
    hand: tuple[Card, ...] = ()
    table: tuple[OnTable, ...] = ()


def check_turn(claim: TurnClaim, variant: Variant) -> TurnVerdict:
    """Return the ruling on a turn as described, with the ending if it ends the hand.

    Raises BadInput for a meld that is not on the table and for a hand without a contract.
    """
    turn = replay(claim, variant)
    for find_faults in END_OF_TURN:
        for step, fault in find_faults(turn):
            turn.blame(step, [fault])
    why = None if turn.faults else _ending(turn)
    rules = ["draw-first", "last-discard", "more-than-the-pack", *turn.rules, *_ending_rules(turn, why)]
    unstated = [] if turn.faults else turn.joker_warnings
    return TurnVerdict(
        faults=tuple(turn.faults),
        rules=rules_applied(rules, [*turn.faults, *unstated]),
        readings=tuple(meld.ways[0].first for meld in turn.new_melds() if meld.ways),
        ask=None if turn.faults else turn.question(),
        warnings=(*unstated, *_warnings(turn)),
        ending=dict(zip(("going-out", "kalooki"), variant.endings, strict=True))[why.rule] if why else None,
        why=why,
        hand=tuple(turn.hand),
        table=tuple(OnTable(meld.cards, meld.owner) for meld in turn.table),
    )


StepFaults = Iterator[tuple[int | None, Fault]]
"""Faults, each with the step that caused it."""


def _missing_draw(turn: Replay) -> StepFaults:
    if not turn.claim.steps:
        yield None, Fault("draw-first", facts={"case": "missing"})


def _opening_faults(turn: Replay) -> StepFaults:
    """Yield faults if a player who had not opened laid something that does not make an opening."""
    places = [meld.laid_at for meld in turn.new_melds()] + (turn.built if turn.variant.builds_open else [])
    if turn.claim.opened or not places:
        return
    for fault in _missing_to_open(turn):
        if fault.rule != "builds-open" or not turn.new_melds():
            yield places[-1], fault


def _missing_to_open(turn: Replay) -> list[Fault]:
    exempt = turn.variant.kalooki_below_opening and not turn.hand and _is_all_at_once(turn)
    return [fault for fault in turn.opening(exempt).faults if fault.rule in OPENS]


def _is_all_at_once(turn: Replay) -> bool:
    """Return whether a player who had not opened laid only new melds, or may also build (rule `kalooki`)."""
    return not turn.claim.opened and (turn.variant.kalooki_builds or not (turn.built or turn.freed))


def _too_many_melds(turn: Replay) -> StepFaults:
    """Yield a fault for too many new melds, except in a Kalooki and in an opening with a minimum or a contract."""
    places = [meld.laid_at for meld in turn.new_melds()]
    has_minimum = opening_has_minimum(turn.variant, turn.claim.hand_number)
    if (not turn.claim.opened and has_minimum) or (not turn.hand and _is_all_at_once(turn)):
        return
    for fault in melds_over_the_limit(len(places), turn.variant):
        yield places[turn.variant.melds_a_turn or 0], fault


def _discard_pile_faults(turn: Replay) -> StepFaults:
    """Yield faults if a card from the discard pile that had to be laid at once was not, or does not open."""
    card_taken = _card_from_pile(turn)
    if not card_taken or not _must_be_laid(turn):
        return
    rule = "discard-after-opening" if turn.claim.opened else "discard-before-opening"
    if not turn.claim.opened and _missing_to_open(turn):
        yield turn.drawn, Fault(rule, card_taken, {"case": "not-open"})
    cards = [undeclared(card) for meld in turn.new_melds() for card in meld.claimed]
    if any(card not in cards for card in card_taken):
        yield turn.drawn, Fault(rule, card_taken, {"case": "not-laid"})


def _card_from_pile(turn: Replay) -> tuple[Card, ...]:
    """Return the card drawn if it came from the discard pile, as a tuple; else an empty one."""
    draw = turn.claim.steps[turn.drawn] if turn.drawn is not None else None
    return tuple(map(undeclared, draw.cards)) if draw and draw.source == "discard" else ()


def _must_be_laid(turn: Replay) -> bool:
    free = not turn.claim.opened and turn.claim.first_turn and turn.variant.first_draw_free
    return turn.variant.discard_is_laid(turn.claim.opened) and not free


def _unplaced_jokers(turn: Replay) -> StepFaults:
    for step in turn.loose:
        yield step, Fault("freed-joker")


def _missing_discard(turn: Replay) -> StepFaults:
    """Yield a fault for a missing discard, unless no card is left and the last one need not be thrown."""
    if turn.discarded is None and (turn.hand or turn.variant.last_discard):
        step = len(turn.claim.steps) - 1 if turn.claim.steps else None
        yield step, Fault("last-discard", facts={"case": "missing" if turn.hand else "none-left"})


def _missing_warning(turn: Replay) -> StepFaults:
    """Yield a fault for going out by a player who kept few cards after their last turn without a warning."""
    held_after, warned = turn.claim.held_after_last_turn, turn.claim.warned
    hand_size = len(turn.claim.hand) if held_after is None else held_after
    is_unwarned = warned is False or (warned is None and held_after is not None)
    if is_unwarned and 0 < hand_size <= turn.variant.warning_at and not turn.hand and turn.claim.steps:
        yield len(turn.claim.steps) - 1, Fault("few-cards-warning", facts={"held": hand_size})


END_OF_TURN: tuple[Callable[[Replay], StepFaults], ...] = (
    _missing_draw,
    _opening_faults,
    _too_many_melds,
    _discard_pile_faults,
    _unplaced_jokers,
    _missing_discard,
    _missing_warning,
)


def _ending(turn: Replay) -> Fault | None:
    """Return the ending of a legal turn and its reason as a Fault, None if the hand continues."""
    if turn.hand:
        return None
    if turn.claim.opened:
        return Fault("going-out", facts={"case": "opened"})
    if turn.new_melds() and _is_all_at_once(turn):
        return Fault("kalooki", facts={"case": turn.variant.kalooki_ending})
    return Fault("going-out", facts={"case": "built" if turn.built else "freed"})


def _ending_rules(turn: Replay, why: Fault | None) -> list[str]:
    rules = [] if turn.claim.opened or not turn.new_melds() else ["contract" if turn.contract else "opening-points"]
    rules += ["one-meld-a-turn"] if len(turn.new_melds()) > 1 else []
    rules += ["freed-joker"] if turn.freed else []
    return rules + ([why.rule, "going-out-ends"] if why else [])


def _warnings(turn: Replay) -> Iterator[Fault]:
    """Yield warnings: what is odd but allowed, and what the player must announce now."""
    variant, claim = turn.variant, turn.claim
    if not claim.opened and len(claim.hand) not in _hand_sizes(variant, claim):
        yield Fault("the-deal", facts={"case": "called" if variant.has_calls else "held", "held": len(claim.hand)})
    if variant.has_calls and claim.calls > variant.calls:
        yield Fault("calls", facts={"case": "over", "over": claim.calls - variant.calls})
    if 0 < len(turn.hand) <= variant.warning_at:
        yield Fault("few-cards-warning", facts={"case": "say", "held": len(turn.hand)})
    if turn.thrown and turn.thrown == _card_from_pile(turn):
        rule = "discard-after-opening" if claim.opened else "discard-before-opening"
        yield Fault(rule, turn.thrown, {"case": "back"})


def _hand_sizes(variant: Variant, claim: TurnClaim) -> set[int]:
    """Return the possible sizes of a hand before the opening: as dealt, plus two for each successful call."""
    by_contract = variant.dealt_by == "contract"
    dealt = {variant.cards_dealt(0, claim.hand_number)} if by_contract else set(variant.dealt)
    return {cards + variant.cards_called(claim.calls) for cards in dealt}
