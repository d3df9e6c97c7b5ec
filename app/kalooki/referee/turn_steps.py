"""Replaying a turn step by step on a copy of the hand and the table.

A step that breaks a rule is still carried out if possible, so that later steps are judged independently of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from app.kalooki.cards import JOKER, BadInput, Card
from app.kalooki.faults import Fault
from app.kalooki.referee.building import build_faults, end_faults, legal_ways, new_run_faults, ways_at
from app.kalooki.referee.jokers import judge
from app.kalooki.referee.meld_faults import meld_faults
from app.kalooki.referee.melds import Laid, Meld, readings
from app.kalooki.referee.opening import Opening, Reading, assignments, contract_of, open_with, repetition_faults
from app.kalooki.referee.verdict import JokerQuestion, joker_warnings, meld_rules, pack_faults, question, question_after
from app.kalooki.variants import Variant


class Step(NamedTuple):
    """One step of a turn: `do` is "draw", "meld", "build", "free_joker" or "discard", with these cards.

    `source` of a draw is "stock" or "discard". `on` is the index of a meld on the table; those laid in this turn come
    last. `end` ("low" or "high") is the end of a run for a joker that could go to either.
    """

    do: str
    cards: tuple[Card, ...]
    source: str = "stock"
    on: int = 0
    end: str | None = None


class OnTable(NamedTuple):
    """A meld on the table and the seat of the player who laid it."""

    cards: tuple[Card, ...]
    owner: int = 0


@dataclass(frozen=True, kw_only=True)
class TurnClaim:
    """A whole turn as described: the cards held before the draw, the table, the steps, and what is known of the hand.

    `me` is the player's seat. `first_turn` means the first turn of the player who plays first. `calls` counts the
    successful calls in this hand. `warned` says whether the player announced that they had few cards left, and
    `held_after_last_turn` how many (by default the size of the hand); if neither is known, a missing warning is no
    fault.
    """

    hand: tuple[Card, ...]
    steps: tuple[Step, ...]
    table: tuple[OnTable, ...] = ()
    me: int = 1
    opened: bool = False
    first_turn: bool = False
    held_after_last_turn: int | None = None
    warned: bool | None = None
    calls: int = 0
    hand_number: int = 1


@dataclass
class TurnMeld:
    """A meld during the turn, with its readings in `ways`; each step on the meld may leave fewer of them.

    A meld laid in this turn has the index of its step and the cards as claimed. `is_changed` says whether this turn
    built on the meld or freed its jokers.
    """

    cards: tuple[Card, ...]
    owner: int
    ways: tuple[Reading, ...]
    laid_at: int | None = None
    claimed: tuple[Card, ...] = ()
    is_changed: bool = False

    def become(self, ways: Iterable[Reading]) -> None:
        self.ways = tuple(dict.fromkeys(ways))
        self.cards = self.ways[0].now.cards
        self.is_changed = True

    def ask(self) -> JokerQuestion | None:
        """Return the question about jokers that this turn's player has yet to declare, None if nothing is open."""
        after = question_after(way.now for way in self.ways)
        laid = question(self.claimed, tuple(dict.fromkeys(way.first for way in self.ways)))
        return after and (laid or (after if self.is_changed else None))


@dataclass
class Replay:
    """The state of a turn while it is replayed.

    `seen` are all cards visible so far. `drawn` and `discarded` are the steps of the draw and the discard, `built` and
    `freed` the steps that built or freed jokers. `loose` has the step of each freed joker that is not yet placed.
    `joker_warnings` are warnings about jokers that were on the table before, which may have been declared differently.
    """

    claim: TurnClaim
    variant: Variant
    hand: list[Card]
    table: list[TurnMeld]
    seen: list[Card]
    contract: tuple[int, int] | None
    drawn: int | None = None
    discarded: int | None = None
    thrown: tuple[Card, ...] = ()
    loose: list[int] = field(default_factory=list)
    built: list[int] = field(default_factory=list)
    freed: list[int] = field(default_factory=list)
    joker_warnings: list[Fault] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)

    def blame(self, step: int | None, faults: Iterable[Fault]) -> None:
        """Record faults with the step that caused them, None for the state before the turn."""
        self.faults += [fault.with_facts(step=step) for fault in faults]

    def new_melds(self) -> list[TurnMeld]:
        return [meld for meld in self.table if meld.laid_at is not None]

    def opening(self, exempt: bool = False) -> Opening:
        """Return the opening that the new melds and the builds of this turn make."""
        new = [meld.ways for meld in self.new_melds() if meld.ways]
        elsewhere = [max(way.gained for way in meld.ways) for meld in self.table if meld.laid_at is None and meld.ways]
        gained = sum(elsewhere) if self.variant.builds_count else 0
        return open_with(new, gained, self.variant, self.contract, exempt)

    def question(self) -> JokerQuestion | None:
        """Return the first open question about a meld, None if there is none."""
        return next(filter(None, (meld.ask() for meld in self.table)), None)

    def has_opened(self) -> bool:
        """Return whether the player has opened, earlier or with what this turn has laid so far."""
        return self.claim.opened or not any(fault.rule in OPENS for fault in self.opening().faults)


OPENS = ("builds-open", "opening-points", "contract")
"""The rules that decide whether an opening is reached; the others concern single melds."""


def replay(claim: TurnClaim, variant: Variant) -> Replay:
    """Return the turn after all its steps, with the faults of the single steps but not those of the turn as a whole.

    Raises BadInput for a build or a freed joker on a meld that is not there, and for a hand without a contract.
    """
    table = [TurnMeld(meld.cards, meld.owner, _first_readings(readings(meld.cards, variant))) for meld in claim.table]
    seen = [*claim.hand, *(card for on_table in table for card in on_table.cards)]
    bare = [undeclared(card) for card in claim.hand]
    turn = Replay(claim, variant, bare, table, seen, contract_of(variant, claim.hand_number))
    turn.blame(None, pack_faults(seen, variant))
    for number, meld in enumerate(table):
        turn.blame(None, [fault.with_facts(on=number) for fault in meld_faults(meld.cards, variant)])
    turn.blame(None, _repetition_faults(turn))
    for number, step in enumerate(claim.steps):
        _check_order(turn, number, step)
        _ACTIONS[step.do](turn, number, step)
    return turn


def _first_readings(melds: Iterable[Meld]) -> tuple[Reading, ...]:
    return tuple(Reading(meld, meld) for meld in melds)


def undeclared(card: Card) -> Card:
    """Return a card as it is in a hand, where a joker does not stand for another card."""
    return JOKER if card.is_joker else card


def _check_order(turn: Replay, number: int, step: Step) -> None:
    """Check that the turn begins with its only draw, and that nothing follows the discard."""
    if step.do == "draw":
        if turn.drawn is not None:
            turn.blame(number, [Fault("draw-first", step.cards, {"case": "twice"})])
    elif number == 0:
        late = any(later.do == "draw" for later in turn.claim.steps)
        turn.blame(number, [Fault("draw-first", step.cards, {"case": "late" if late else "missing"})])
    if turn.discarded is not None:
        turn.blame(number, [Fault("last-discard", step.cards, {"case": "over"})])


def _draw(turn: Replay, number: int, step: Step) -> None:
    cards = tuple(map(undeclared, step.cards))
    turn.hand += cards
    _count_visible(turn, number, cards)
    turn.drawn = number if turn.drawn is None else turn.drawn
    if step.source == "discard":
        turn.rules.append("discard-after-opening" if turn.claim.opened else "discard-before-opening")
        turn.blame(number, out_of_reach(cards, turn.claim.opened, turn.variant))


def out_of_reach(cards: Sequence[Card], opened: bool, variant: Variant) -> Iterator[Fault]:
    """Yield a fault if the discard pile may not be used at all; it may still require the card to be laid at once."""
    rule, allowed = "discard-before-opening", variant.discard_before_opening
    if opened:
        rule, allowed = "discard-after-opening", variant.discard_after_opening
    if allowed == "never":
        yield Fault(rule, tuple(cards), {"case": "never"})


def _count_visible(turn: Replay, number: int, cards: Iterable[Card]) -> None:
    """Check newly visible cards against the packs, and record only faults that were not there before."""
    already = pack_faults(turn.seen, turn.variant)
    turn.seen += cards
    turn.blame(number, [fault for fault in pack_faults(turn.seen, turn.variant) if fault not in already])


def _meld(turn: Replay, number: int, step: Step) -> None:
    _remove(turn, number, step.cards)
    ways = readings(step.cards, turn.variant)
    kind = ways[0].kind if ways else "run"
    turn.rules += meld_rules(kind, Laid.of(step.cards), turn.variant)
    turn.blame(number, meld_faults(step.cards, turn.variant))
    meld = TurnMeld(ways[0].cards if len(ways) == 1 else step.cards, turn.claim.me, _first_readings(ways))
    meld.laid_at, meld.claimed = number, step.cards
    before = _repetition_faults(turn)
    turn.table.append(meld)
    turn.blame(number, [fault for fault in _repetition_faults(turn) if fault not in before])


def _repetition_faults(turn: Replay) -> list[Fault]:
    """Return the faults of too many runs of one suit or sets of one rank, for the readings with the fewest."""
    mine = [meld.ways for meld in turn.table if meld.owner == turn.claim.me and meld.ways]
    read = ([way.first for way in ways] for ways in assignments(mine))
    return min(([*repetition_faults(melds, turn.variant)] for melds in read), key=len)


def _remove(turn: Replay, number: int, cards: Sequence[Card], freed: bool = True) -> None:
    """Remove cards from the hand, freed jokers first (if `freed`); record missing cards as faults.

    Missing cards are counted against the packs like other visible cards.
    """
    absent = []
    for card in map(undeclared, cards):
        if freed and card == JOKER and turn.loose:
            turn.loose.pop()
        elif card in turn.hand:
            turn.hand.remove(card)
        else:
            absent.append(card)
    if absent:
        turn.blame(number, [Fault("held-cards", tuple(absent))])
        _count_visible(turn, number, absent)


def _meld_at(turn: Replay, number: int, step: Step) -> TurnMeld:
    if not 0 <= step.on < len(turn.table):
        raise BadInput("There is no meld {word} on the table; they count from 0.", f"steps.{number}.on", step.on)
    return turn.table[step.on]


def _build(turn: Replay, number: int, step: Step) -> None:
    meld = _meld_at(turn, number, step)
    turn.rules.append("building")
    turn.blame(number, _too_early(turn, "build-after-opening", turn.variant.builds_open))
    _remove(turn, number, step.cards)
    turn.built.append(number)
    if not step.cards:
        turn.blame(number, [Fault("building", facts={"case": "none"})])
    elif meld.ways:
        _grow(turn, number, step, meld)


def _grow(turn: Replay, number: int, step: Step, meld: TurnMeld) -> None:
    variant = turn.variant
    built = [(was, way) for was in meld.ways for way in legal_ways([was.now], step.cards, variant, was.built)]
    there = ways_at([way for _, way in built], step.end)
    if not there:
        find_faults = partial(end_faults, step.end) if built and step.end else build_faults
        closest = min((find_faults([was.now], step.cards, variant, was.built) for was in meld.ways), key=len)
        turn.blame(number, closest if meld.laid_at is None else new_run_faults(closest))
        return
    _warn_of_jokers(turn, meld, [was.now for was, way in built if way in there])
    meld.become(was.grow(way, variant) for was, way in built if way in there)


def _warn_of_jokers(turn: Replay, laid: TurnMeld, fitting: Sequence[Meld]) -> None:
    """Record a warning if a step fits only some readings of a meld whose jokers may have been declared before."""
    if laid.laid_at is None:
        turn.joker_warnings += joker_warnings([way.now for way in laid.ways], fitting)


def _too_early(turn: Replay, rule: str, may_open: bool = False) -> list[Fault]:
    """Return the faults of building or freeing jokers before the opening.

    If builds count towards the opening (`may_open`), only the turn as a whole decides.
    """
    if turn.claim.opened:
        return []
    if not turn.variant.build_same_turn:
        return [Fault("build-same-turn")]
    return [] if may_open or turn.has_opened() else [Fault(rule)]


def _free(turn: Replay, number: int, step: Step) -> None:
    meld = _meld_at(turn, number, step)
    turn.rules += ["joker-after-opening", "joker-for-naturals"]
    turn.blame(number, _too_early(turn, "joker-after-opening"))
    _remove(turn, number, step.cards, freed=False)
    turn.freed.append(number)
    ways, faults = judge([way.now for way in meld.ways], step.cards, turn.variant)
    turn.blame(number, faults)
    if ways:
        _warn_of_jokers(turn, meld, [way.before for way in ways])
        meld.become(was._replace(now=way.after) for was in meld.ways for way in ways if way.before == was.now)
        turn.loose += [number] * ways[0].released


def _discard(turn: Replay, number: int, step: Step) -> None:
    _remove(turn, number, step.cards, freed=False)
    turn.discarded = number
    turn.thrown = tuple(map(undeclared, step.cards))
    jokers = tuple(card for card in step.cards if card.is_joker)
    if jokers:
        turn.rules.append("joker-discard")
    if jokers and not turn.variant.joker_discard:
        turn.blame(number, [Fault("joker-discard", jokers)])


_ACTIONS: Mapping[str, Callable[[Replay, int, Step], None]] = {
    "draw": _draw,
    "meld": _meld,
    "build": _build,
    "free_joker": _free,
    "discard": _discard,
}
