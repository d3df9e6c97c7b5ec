"""Rulings on whole turns: the opening, the steps from the draw to the discard, and how they end the hand.

The readings of all melds of an opening are chosen together: those that break the fewest rules and, among these, those
with the most points. Neither the order of the melds nor the order of their cards matters. A step that breaks a rule is
still carried out if possible, so that later steps are judged independently of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from app.kalooki.cards import JOKER, BadInput, Card, in_a_sentence
from app.kalooki.faults import Fault
from app.kalooki.referee.building import (
    UNBUILT,
    Built,
    Ends,
    build_faults,
    end_faults,
    judge_exchange,
    legal_ways,
    ways_at,
)
from app.kalooki.referee.melds import (
    JokerQuestion,
    Laid,
    Meld,
    Verdict,
    face,
    joker_warnings,
    meld_faults,
    meld_rules,
    pack_faults,
    points,
    question,
    question_after,
    readings,
    rules_applied,
)
from app.kalooki.variants import Variant

# ---- The opening

MAX_AMBIGUOUS = 8
"""The most melds that can each be a set or a run: such a meld has at least two of the at most sixteen jokers."""


class Reading(NamedTuple):
    """One reading of a meld: as it was at `first`, and as it is now after this turn's builds.

    `built` counts the cards this turn built on each end of a run, `gained` the points that builds added.
    """

    first: Meld
    now: Meld
    built: Ends = UNBUILT
    gained: int = 0

    def grow(self, way: Built, variant: Variant) -> Reading:
        """Return the reading after another build on the meld."""
        ends = Ends(self.built.low + way.ends.low, self.built.high + way.ends.high)
        return Reading(self.first, way.after, ends, self.gained + way.gain(variant))


class Opening(NamedTuple):
    """An opening: the melds in their best reading, the points including builds that count, and the faults."""

    melds: tuple[Meld, ...]
    points: int
    faults: tuple[Fault, ...]


def contract_of(variant: Variant, hand_number: int) -> tuple[int, int] | None:
    """Return the hand's contract as (sets, runs), None if the variant has no contracts.

    Raises BadInput if the variant has contracts but none for this hand.
    """
    contract = variant.contract(hand_number)
    if variant.contracts and contract is None:
        raise BadInput(
            "There is no hand {word}; hands are 1 to {most}.", "hand_number", hand_number, most=len(variant.contracts)
        )
    return contract


def opening_has_minimum(variant: Variant, hand_number: int) -> bool:
    """Return whether opening needs points or a contract, in which case the turn may lay any number of melds."""
    return bool(variant.opening_points) or variant.contract(hand_number) is not None


def melds_over_the_limit(count: int, variant: Variant) -> Iterator[Fault]:
    """Yield a fault if a turn has more new melds than allowed (rule `one-meld-a-turn`)."""
    if variant.melds_a_turn is not None and count > variant.melds_a_turn:
        yield Fault("one-meld-a-turn", facts={"count": count})


def _points_of(new: Reading, variant: Variant) -> int:
    """Return the points of a new meld in an opening, including builds on it if they count."""
    return points(new.first, variant) + (new.gained if variant.builds_count else 0)


def assignments(choices: Sequence[Sequence[Reading]]) -> Iterator[tuple[Reading, ...]]:
    """Return every combination of readings of some melds, with the first reading of each kind (set or run)."""
    options = [list({new.first.kind: new for new in reversed(ways)}.values())[::-1] for ways in choices]
    ambiguous = [number for number, kinds in enumerate(options) if len(kinds) > 1]
    for number in ambiguous[MAX_AMBIGUOUS:]:
        options[number] = options[number][:1]
    return product(*options)


def _judge_opening(
    new: tuple[Reading, ...], gained: int, variant: Variant, contract: tuple[int, int] | None, exempt: bool
) -> Opening:
    melds = tuple(each.first for each in new)
    total = gained + sum(_points_of(each, variant) for each in new)
    faults = [*repetition_faults(melds, variant)]
    if not melds:
        faults.append(Fault("builds-open"))
    kinds = Counter(meld.kind for meld in melds)
    sets, runs = contract or (0, 0)
    if kinds["set"] < sets or kinds["run"] < runs:
        facts = {"sets": sets, "runs": runs, "laid_sets": kinds["set"], "laid_runs": kinds["run"]}
        faults.append(Fault("contract", facts=facts))
    elif not contract and total < variant.opening_points and not exempt:
        faults.append(Fault("opening-points", facts={"points": total}))
    return Opening(melds, total, tuple(faults))


def repetition_faults(melds: Iterable[Meld], variant: Variant) -> Iterator[Fault]:
    """Yield a fault for each suit or rank in which a player has more runs or sets than allowed in a hand."""
    by_kind: dict[tuple[str, str], list[Meld]] = {}
    for meld in melds:
        first = next(face(card) for card in meld.cards if face(card).rank != "*")
        by_kind.setdefault((meld.kind, first.suit if meld.kind == "run" else first.rank), []).append(meld)
    allowed = {"run": variant.runs_of_one_suit, "set": variant.sets_of_one_rank}
    slugs = {"run": "runs-of-one-suit", "set": "sets-of-one-rank"}
    for (kind, _), alike in by_kind.items():
        if allowed[kind] == "one" and len(alike) > 1:
            apart = " / ".join(in_a_sentence(meld.cards) for meld in alike)
            yield Fault(slugs[kind], tuple(card for meld in alike for card in meld.cards), {"melds": apart})


# ---- Steps, replayed on a copy of the hand and the table


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
        earlier = question(self.claimed, tuple(dict.fromkeys(way.first for way in self.ways)))
        return after and (earlier or (after if self.is_changed else None))


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
        """Return the best opening that the new melds and the builds of this turn make.

        If `exempt`, it needs no minimum of points.
        """
        variant = self.variant
        elsewhere = [max(way.gained for way in meld.ways) for meld in self.table if meld.laid_at is None and meld.ways]
        gained = sum(elsewhere) if variant.builds_count else 0
        dearest = [sorted(meld.ways, key=lambda new: -_points_of(new, variant)) for meld in self.new_melds()]
        openings = (
            _judge_opening(new, gained, variant, self.contract, exempt) for new in assignments([*filter(None, dearest)])
        )
        return min(openings, key=lambda opening: (len(opening.faults), -opening.points))

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
        is_new = meld.laid_at is not None  # then rule `new-run-limit` is the one broken
        for fault in closest:
            turn.blame(number, [fault.with_facts(case="new") if is_new and fault.rule == "build-end-limit" else fault])
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
    ways, faults = judge_exchange([way.now for way in meld.ways], step.cards, turn.variant)
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


# ---- Turns


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
    for step, fault in _faults_of_whole_turn(turn):
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


def _faults_of_whole_turn(turn: Replay) -> StepFaults:
    claim, last = turn.claim, len(turn.claim.steps) - 1 if turn.claim.steps else None
    if last is None:
        yield None, Fault("draw-first", facts={"case": "missing"})
    yield from _opening_faults(turn)
    yield from _too_many_melds(turn)
    yield from _discard_pile_faults(turn)
    yield from ((step, Fault("freed-joker")) for step in turn.loose)
    if turn.discarded is None and (turn.hand or turn.variant.last_discard):
        yield last, Fault("last-discard", facts={"case": "missing" if turn.hand else "none-left"})
    held_after = claim.held_after_last_turn
    hand_size = len(claim.hand) if held_after is None else held_after
    is_unwarned = claim.warned is False or (claim.warned is None and held_after is not None)
    if is_unwarned and 0 < hand_size <= turn.variant.warning_at and not turn.hand and claim.steps:
        yield last, Fault("few-cards-warning", facts={"held": hand_size})


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
    card_taken, opened = _card_from_pile(turn), turn.claim.opened
    is_free = not opened and turn.claim.first_turn and turn.variant.first_draw_free
    if not card_taken or is_free or not turn.variant.discard_is_laid(opened):
        return
    rule = "discard-after-opening" if opened else "discard-before-opening"
    if not opened and _missing_to_open(turn):
        yield turn.drawn, Fault(rule, card_taken, {"case": "not-open"})
    cards = [undeclared(card) for meld in turn.new_melds() for card in meld.claimed]
    if any(card not in cards for card in card_taken):
        yield turn.drawn, Fault(rule, card_taken, {"case": "not-laid"})


def _card_from_pile(turn: Replay) -> tuple[Card, ...]:
    """Return the card drawn if it came from the discard pile, as a tuple; else an empty one."""
    draw = turn.claim.steps[turn.drawn] if turn.drawn is not None else None
    return tuple(map(undeclared, draw.cards)) if draw and draw.source == "discard" else ()


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
    by_contract = variant.dealt_by == "contract"
    dealt = [variant.cards_dealt(0, claim.hand_number)] if by_contract else variant.dealt
    if not claim.opened and len(claim.hand) - variant.cards_called(claim.calls) not in dealt:
        yield Fault("the-deal", facts={"case": "called" if variant.has_calls else "held", "held": len(claim.hand)})
    if variant.has_calls and claim.calls > variant.calls:
        yield Fault("calls", facts={"case": "over", "over": claim.calls - variant.calls})
    if 0 < len(turn.hand) <= variant.warning_at:
        yield Fault("few-cards-warning", facts={"case": "say", "held": len(turn.hand)})
    if turn.thrown and turn.thrown == _card_from_pile(turn):
        rule = "discard-after-opening" if claim.opened else "discard-before-opening"
        yield Fault(rule, turn.thrown, {"case": "back"})


# ---- Turns told without their steps

Cards = tuple[Card, ...]
Build = tuple[Cards, Cards]
"""A meld (on the table or new) and the cards built on it."""


class OpeningVerdict(Verdict):
    """A ruling on an opening; `readings` has one reading of each meld.

    `points` is what the opening counts, `needed` the minimum; it is None if the hand has a `contract` (sets, runs).
    """

    points: int = 0
    needed: int | None = None
    contract: tuple[int, int] | None = None


_DECIDED_AS_A_WHOLE = ("draw-first", "build-after-opening", "build-same-turn", "runs-of-one-suit", "sets-of-one-rank")
"""Rules whose faults in the replayed turn are ignored: the opening as a whole decides them, in whatever order."""


def check_opening(
    melds: Sequence[Cards], builds: Sequence[Build], variant: Variant, hand_number: int = 1, kalooki: bool = False
) -> OpeningVerdict:
    """Return the ruling on opening with these new melds and builds in one turn.

    `hand_number` counts from 1 and matters if hands have contracts. `kalooki` claims that the whole hand is laid.
    Raises BadInput if the variant has contracts but none for this hand.
    """
    turn = replay(brief_turn(melds, builds, hand_number=hand_number), variant)
    exempt = kalooki and variant.kalooki_below_opening and (variant.kalooki_builds or not builds)
    opening = turn.opening(exempt)
    faults = [
        *(
            _without_place(fault)
            for fault in sorted(turn.faults, key=lambda fault: "on" in fault.facts)
            if fault.rule not in _DECIDED_AS_A_WHOLE
        ),
        *_builds_out_of_place(builds, variant, kalooki),
        *(() if kalooki or opening_has_minimum(variant, hand_number) else melds_over_the_limit(len(melds), variant)),
        *opening.faults,
    ]
    joker_warnings = [] if faults else turn.joker_warnings
    return OpeningVerdict(
        faults=tuple(faults),
        rules=rules_applied(_rules(opening, builds, variant, kalooki), [*faults, *joker_warnings]),
        readings=opening.melds,
        ask=None if faults else turn.question(),
        warnings=(*joker_warnings, *(_kalooki_warnings(melds, variant) if kalooki else ())),
        points=opening.points,
        needed=None if turn.contract else variant.opening_points,
        contract=turn.contract,
    )


def _builds_out_of_place(builds: Sequence[Build], variant: Variant, kalooki: bool) -> Iterator[Fault]:
    cards = tuple(card for _, built in builds for card in built)
    if builds and not variant.build_same_turn:
        yield Fault("build-same-turn", cards)
    if builds and kalooki and not variant.kalooki_builds:
        yield Fault("kalooki", cards, {"case": "built", "values": ("kalooki_builds",)})


def _rules(opening: Opening, builds: Sequence[Build], variant: Variant, kalooki: bool) -> list[str]:
    rules = ["contract" if variant.contracts else "opening-points", "more-than-the-pack"]
    rules += ["builds-open", "building", "build-same-turn"] if builds else []
    rules += ["kalooki", "kalooki-below-opening"] if kalooki else []
    rules += ["one-meld-a-turn"] if len(opening.melds) > 1 else []
    kinds = {meld.kind for meld in opening.melds}
    rules += ["runs-of-one-suit"] if "run" in kinds else []
    rules += ["sets-of-one-rank"] if "set" in kinds else []
    return rules + [rule for meld in opening.melds for rule in meld_rules(meld.kind, Laid.of(meld.cards), variant)]


def _kalooki_warnings(melds: Sequence[Cards], variant: Variant) -> Iterator[Fault]:
    """Yield a warning if a Kalooki does not lay as many cards as are dealt."""
    card_count = sum(map(len, melds))
    expected = {cards + spare for cards in variant.dealt for spare in ((0,) if variant.last_discard else (0, 1))}
    if not variant.contracts and card_count not in expected:
        yield Fault("kalooki", facts={"case": "count", "count": card_count})


def brief_turn(melds: Sequence[Cards], builds: Sequence[Build], **known: Any) -> TurnClaim:
    """Return the turn that lays these new melds and builds, without a draw or discard.

    All builds on one meld become one step. `known` has further fields of the TurnClaim.
    """
    built: dict[Cards, Cards] = {}
    for on, cards in builds:
        built[_sorted_cards(on)] = built.get(_sorted_cards(on), ()) + tuple(cards)
    bags = [*map(_sorted_cards, melds)]
    table = {_sorted_cards(on): OnTable(tuple(on)) for on, _ in builds if _sorted_cards(on) not in bags}
    places = [*table, *bags]
    steps = (
        *(Step("meld", tuple(cards)) for cards in melds),
        *(Step("build", cards, on=places.index(on)) for on, cards in built.items()),
    )
    hand = tuple(card for step in steps for card in step.cards)
    return TurnClaim(hand=hand, steps=steps, table=tuple(table.values()), **known)


def _sorted_cards(cards: Iterable[Card]) -> Cards:
    """Return cards sorted by notation, so that the same meld in another order is recognised."""
    return tuple(sorted(cards, key=str))


def last_turn(melds: Sequence[Cards], builds: Sequence[Build], thrown: Cards, **known: Any) -> TurnClaim:
    """Return the turn in which a player goes out with these cards; `thrown` is empty if no card was left to throw."""
    brief = brief_turn(melds, builds, **known)
    hand = (*brief.hand, *thrown)
    draw, discard = Step("draw", hand[-1:]), Step("discard", thrown)
    steps = (*([draw] if hand else ()), *brief.steps, *([discard] if thrown else ()))
    return replace(brief, hand=hand[:-1], steps=steps)


def check_going_out(claim: TurnClaim, variant: Variant) -> TurnVerdict:
    """Return the ruling on going out with this turn; it does not matter which card was drawn.

    >>> from app.kalooki.cards import parse
    >>> from app.kalooki.variants import load
    >>> claim = last_turn([parse("7H 8H 9H")], [], thrown=parse("2C"), opened=True)
    >>> check_going_out(claim, load("european")).ending
    'going_out'
    """
    verdict = check_turn(claim, variant)
    return replace(verdict, faults=tuple(map(_without_place, verdict.faults)))


def _without_place(fault: Fault) -> Fault:
    """Return the fault without its step and meld number, since this turn was not described step by step."""
    return replace(fault, facts={name: fact for name, fact in fault.facts.items() if name not in ("step", "on")})
