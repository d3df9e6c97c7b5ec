"""What happened, as a timeline: every entry as an item with its title, its facts and its state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from app.history.formats import money_format, number_of, region_of, write_day
from app.history.phrases import and_list, stakes_by_value, stakes_words, whole
from app.history.record import Gain, History, Stamp, gains
from app.history.verdicts import describe_claim, order_words
from app.kalooki.cards import BadInput, Card
from app.kalooki.claims import CLAIMS, judge
from app.kalooki.decided_by import JudgedClaim
from app.kalooki.game import events
from app.kalooki.game.apply import hand_points
from app.kalooki.game.corrections import corrections, effective_entries
from app.kalooki.game.events import Amend, BuyIn, Decline, Event, Hand, Insert, Ruling, Undo, Void
from app.kalooki.game.play import Game
from app.kalooki.game.state import PlayedHand
from app.kalooki.readers import Carried, Stakes
from app.kalooki.rules.wording import Difference, called, differing
from app.kalooki.variants import Value, Variant, thaw

NOT_DEALT_IN = "not dealt in"


class Fact(NamedTuple):
    """One fact of an entry; in a hand, also what a `seat` had left: what it counts, the cards, the points as typed."""

    text: str
    seat: int = 0
    counts: int | None = None
    cards: tuple[Card, ...] = ()
    points_text: str = ""
    calls: str = ""


def facts_of(
    event: events.Event, game: Game, hand: PlayedHand | None = None, *, is_saved: bool = True
) -> tuple[Fact, ...]:
    """Return the facts of an entry in reading order; `hand` is the hand as it counts, if the entry is one that does."""
    event = event.inner
    if isinstance(event, events.Hand):
        return tuple(_of_hand(game, event, hand))
    if isinstance(event, events.Void):
        dealer = f"dealt by {game.name(hand.dealer)}" if hand else ""
        return tuple(Fact(text) for text in (dealer, event.reason) if text)
    if isinstance(event, events.Setup) and not is_saved:  # the preview shows the rules before and after
        event = replace(event, house={})
    describe = _FACTS_OF.get(type(event))
    return tuple(Fact(text) for text in describe(game, event) if text) if describe else ()


def _of_hand(game: Game, event: events.Hand, hand: PlayedHand | None) -> Iterator[Fact]:
    if word := ending_word(event.ending):
        yield Fact(word)
    for seat, left in event.left.items():
        counts = hand.scores[seat].points if hand and seat in hand.scores else None
        points = "" if left.points is None else str(left.points)
        points_text = (f"({points})" if points else "") if left.cards else points if left.points != counts else ""
        yield Fact(game.name(seat), seat, counts, left.cards, points_text, calls_word(event.calls.get(seat, 0)))
    for seat in hand.absent if hand else event.absent:
        yield Fact(f"{game.name(seat)} {NOT_DEALT_IN}")
    score = hand.scores.get(event.winner) if hand else None
    calls = calls_word(event.calls.get(event.winner, 0))
    if calls or (score and score.points):
        yield Fact(game.name(event.winner), event.winner, score.points if score else None, calls=calls)
    if event.note:
        yield Fact(event.note)


def ending_word(ending: str) -> str:
    """Return how a hand ended, as a word; empty for going out."""
    return called("endings", ending, "sign")


def calls_word(count: int) -> str:
    """Return how many calls a player made, such as “4 calls”; empty for none."""
    return number_of(count, "call") if count else ""


def _start(game: Game, event: events.Start) -> Iterator[str]:
    if event.carried:
        yield from carried_over(game, event.carried)
    yield f"{game.variant.name}: {', '.join(event.players)}"
    yield stakes_words(event.stakes or {}, region_of(game))
    yield from map(difference, (each for each in _house(game, event.house, event.stakes) if each.own != each.base))
    yield event.place
    yield event.note


def carried_over(game: Game, carried: Carried) -> Iterator[str]:
    """Yield what was played on paper before: hands, totals, buy-ins, and balances if there are stakes."""
    hands = number_of(carried.hands, "hand")
    yield f"Carried over from paper after {hands}: {_by_player(game, map(whole, carried.totals))}"
    if any(carried.buy_ins or ()):
        yield f"buy-ins: {_by_player(game, map(str, carried.buy_ins or ()))}"
    if carried.balances is not None and game.stakes:
        amounts = (money_format(game).amount(amount, plus=True) for amount in carried.balances)
        yield f"balances: {_by_player(game, amounts)}"


def _by_player(game: Game, column: Iterable[str]) -> str:
    return ", ".join(f"{name} {cell}" for name, cell in zip(game.names.values(), column, strict=False))


def _cost(game: Game, event: events.Penalty | events.Ruling) -> Iterator[str]:
    """Yield what a penalty or a ruling costs a player: points, then money."""
    if event.points < 0:
        yield f"a bonus of {number_of(-event.points, 'point')}"
    elif event.points:
        yield number_of(event.points, "point")
    if event.amount:
        yield f"{money_format(game).amount(event.amount)} into the pool"


def _ruling(game: Game, event: events.Ruling) -> Iterator[str]:
    """Yield what was decided (the words of a ruling, or a claim with its verdict) and what it costs."""
    verdict = event.verdict.get("ok") if isinstance(event.verdict, Mapping) else event.verdict
    if isinstance(verdict, bool):
        verdict = "legal" if verdict else "not legal"
    words = verdict if isinstance(verdict, str) else ""
    played_on = "the table played on anyway"
    if event.mishap or isinstance(event.claim, str):
        yield words if event.upheld else f"{words} ({played_on})".strip()
    else:
        raw = event.claim if isinstance(event.claim, Mapping) else {}
        claim = describe_claim(event.check, raw, game.variant)
        words = f"{words} {_order(event.check, raw, game.variant)}".strip() if words == "legal" else words
        yield ": ".join(filter(None, (claim, words if event.upheld else played_on)))
    if event.upheld:
        yield from _cost(game, event)
    yield "" if event.mishap else event.note


def _order(check: str, raw: Mapping[str, Any], variant: Variant) -> str:
    """Return in which order the cards of a claim are legal if they lie otherwise."""
    try:
        claim = CLAIMS[check].read(raw, "")
        return order_words(JudgedClaim(claim, variant, judge(claim, variant)))
    except (BadInput, KeyError):
        return ""


def _stop(game: Game, event: events.Stop) -> Iterator[str]:
    """Yield what happened to the pool, if there was one."""
    if event.pool or any(posting.why == "refund" for posting in game.postings):
        yield called("pools", event.outcome, "fact")


def _join(_game: Game, event: events.Join) -> Iterator[str]:
    if event.points is not None:
        yield f"at {number_of(event.points, 'point')}"
    yield "pays the stake" if event.stake else ""


def _setup(game: Game, event: events.Setup) -> Iterator[str]:
    if event.dealer:
        yield f"First dealer: {game.name(event.dealer)}"
    if not isinstance(event.stakes, str):
        # a setup may name only some stakes, without their currency
        stakes = {"currency": "", "decimals": game.currency.decimals, **(event.stakes or {})}
        yield stakes_words(stakes, region_of(game), least=0) if event.stakes is not None else "no money"
    if event.settle:
        yield called("settle", event.settle).lower()
    if event.day:
        yield f"Played on {write_day(event.day, region_of(game))}"
    if event.place is not None:
        yield f"Place: {event.place or '–'}"
    if event.note is not None:
        yield f"Note: {event.note or '–'}"
    named = event.stakes if isinstance(event.stakes, Mapping) else {}
    yield from map(difference, _house(game, event.house, {**(game.stakes or {}), **named}))


def differences(game: Game) -> tuple[Difference, ...]:
    """Return what the table plays differently from its variant."""
    return differing(game.variant, game.base, stakes_by_value(game.stakes, region_of(game)))


def _house(game: Game, house: Mapping[str, Value], stakes: Stakes | None) -> tuple[Difference, ...]:
    """Return the house rules that an entry names, including values that the variant has anyway.

    If the game is for money, `stakes` are what the table played for then.
    """
    table: Variant = replace(game.base, house=frozenset(house), **thaw(house))  # type: ignore[arg-type]
    return differing(table, game.base, stakes_by_value(stakes if game.stakes else None, region_of(game)))


def difference(each: Difference) -> str:
    """Return a house rule with the variant's own value: “Limit: 200 points (usually 150 points)”."""
    usual = "" if each.own == each.base else f" (usually {each.base})"
    return f"{each.label}: {each.own}{usual}"


_FACTS_OF: Mapping[type[Any], Callable[[Game, Any], Iterator[str]]] = {
    events.Start: _start,
    events.Penalty: lambda game, event: chain(_cost(game, event), [event.reason]),
    events.Ruling: _ruling,
    events.Join: _join,
    events.Setup: _setup,
    events.Paid: lambda game, event: iter([money_format(game).amount(event.amount)]),
    events.Stop: _stop,
    events.NewAvatar: lambda _game, event: iter(
        [" ".join(filter(None, (event.emoji, called("colours", event.colour))))]
    ),
    events.Rename: lambda _game, event: iter([f"seat {event.seat}"]),
}


@dataclass(frozen=True, eq=False)
class HistoryItem:
    """One entry of a game, in words and plain values.

    `event` is what was recorded or, in `effective_timeline`, what replaces it now; `effective` is what counts, None if
    nothing does. `undone_by` and `amended_by` are the entries that undid or replaced it. `hand` is the hand as it
    counts, and `gains` what the players got; both only if the entry counts as `event` says.
    """

    history: History = field(repr=False)
    entry: int
    event: Event
    effective: Event | None
    undone_by: int | None
    amended_by: int | None
    hand: PlayedHand | None = None
    gains: Sequence[Gain] = ()

    @property
    def stamp(self) -> Stamp:
        return self.history.stamp(self.entry)

    @cached_property
    def title(self) -> str:
        return title_of(self.history, self.event, self.entry)

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        return facts_of(self.event, self.history.game, self.hand)

    @property
    def faults(self) -> Sequence[str]:
        """Why it no longer makes sense."""
        return self.history.faults.get(self.entry, ())

    @cached_property
    def is_pending(self) -> bool:
        """Whether it was recorded in mid-hand and does not count yet, or not at all."""
        game = self.history.game
        is_waiting = self.entry in game.ineffective or any(self.entry == number for number, _ in game.pending)
        return self.effective is not None and is_waiting

    @cached_property
    def timing(self) -> str:
        """When it counts, if it was recorded in mid-hand: “counts after hand 7”; empty for any other entry."""
        game = self.history.game
        if not self.effective:
            return ""
        if self.entry in game.ineffective:
            return "changed nothing: the game ended with that hand"
        if self.is_pending:
            return f"counts after hand {game.number}"
        hand = game.counts_with.get(self.entry)
        is_hand = hand is not None and isinstance(hand.event, (Hand, Void))
        return f"counted after {name_within(self.history, hand.number)}" if hand and is_hand else ""

    @property
    def is_hand(self) -> bool:
        """Whether it counts as a hand or a void hand, which is corrected with the form for hands."""
        return isinstance(self.effective, (Hand, Void))

    @property
    def is_correction(self) -> bool:
        return isinstance(self.event, (Amend, Undo))


def timeline(history: History, since: int = 0) -> list[HistoryItem]:
    """Return every entry after the first `since` as it was recorded, oldest first."""
    return [*_items(history, history.entries[since:])]


def recorded_since(history: History, seen: int) -> list[HistoryItem]:
    """Return what was recorded since a page that showed `seen` entries; nothing for a page that showed none."""
    return timeline(history, seen) if 0 < seen < len(history.entries) else []


def saved_first(items: Sequence[HistoryItem]) -> str:
    """Return who has recorded something meanwhile, and what: “Ben has saved hand 1”."""
    by = {item.stamp.by for item in items}
    seated = {name for item in items for name in item.history.game.names.values()}
    who = by.pop() if len(by) == 1 and by <= seated else "somebody else"
    hands = all(item.is_hand for item in items)
    what = and_list([name_within(item.history, item.entry) if hands else f"“{item.title}”" for item in items])
    return f"{who} has {'saved' if hands else 'recorded'} {what}"


def effective_timeline(history: History) -> list[HistoryItem]:
    """Return the entries that count, in the order in which they do."""
    order = [(number, event) for number, event in history.effective.items() if number not in history.faults]
    return [*_items(history, order, gains(history))]


def _items(
    history: History, events: Iterable[tuple[int, Event]], gained: Mapping[int, Sequence[Gain]] = MappingProxyType({})
) -> Iterator[HistoryItem]:
    amendments = corrections(history.entries)
    hands = {hand.entry: hand for hand in history.game.hands}
    for number, event in events:
        effective = history.effective.get(number)
        hand = hands.get(number) if event.inner is effective else None
        undone_by, amended_by = amendments.undone_by.get(number), amendments.amended_by.get(number)
        yield HistoryItem(history, number, event, effective, undone_by, amended_by, hand, gained.get(number, ()))


def title_of(history: History, event: Event, entry: int = 0) -> str:
    """Return what happened: “Hand 3 won by Ann”, “Cat buys in”, “Hand 2 corrected: Ben 28, not 30”.

    `entry` is the number under which it was recorded; 0 if it was not.
    """
    if isinstance(event, Undo):
        undone = history.event(event.target)
        name = name_within(history, undone.target if isinstance(undone, Undo) else event.target)
        return f"{_capitalise(name)} {'redone' if isinstance(undone, Undo) else 'undone'}"
    brief = brief_of(event.inner, history.game)
    if isinstance(event, Amend):
        changes = changes_at(history, entry) if isinstance(event.inner, Hand) else ""
        return f"{name_of(history, event.target)} corrected: {changes or brief}"
    if isinstance(event, BuyIn) and event.before:
        return late_buy_in(history, event.seat, event.before)
    if not isinstance(event, (Hand, Void, Insert)):
        return brief
    number = history.hand_number(entry) if entry else None
    hand = f"Hand {number}" if number else "Hand"
    if isinstance(event, Insert):
        return f"{hand} added before {name_within(history, event.before)}: {brief}"
    return f"{hand} {brief}" if isinstance(event, Hand) else f"{hand}: {brief}"


def dropped_answer(history: History, number: int) -> str:
    """Return that the answer at an entry no longer counts, because a correction took away what it answered."""
    event = history.effective.get(number)
    if not isinstance(event, Decline):
        return "There is no tie any more: the deciding hand no longer counts."
    player = history.game.players.get(event.seat)
    why = "isn’t out any more" if player and player.playing else "can’t buy in any more"
    return f"{history.game.name(event.seat)} {why}: their No to buying in no longer counts."


def answers_dropped(before: History, then: History) -> list[str]:
    """Return which answers count before an entry and no longer afterwards."""
    dropped = then.faults.keys() - then.faults_to_fix.keys() - before.faults.keys()
    return [dropped_answer(then, number) for number in sorted(dropped)]


def name_of(history: History, number: int) -> str:
    """Return the name of what was recorded at an entry: “Hand 2”, “Penalty for Ben”."""
    event = history.event(number)
    if history.hand_number(number) or isinstance(event, Amend):
        return _capitalise(name_within(history, number))
    return title_of(history, event, number) if event else ""


def _capitalise(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def name_in_place(history: History, number: int) -> str:
    """Return the name of an entry with the hand it came after: “Dave buys in (after hand 2)”."""
    return place_after(history, number, name_of(history, number))


def place_after(history: History, number: int, name: str) -> str:
    """Return a name with the hand its entry came after, to tell equal names apart; hands have numbers for that."""
    event = history.event(number)
    if history.hand_number(number) or getattr(event, "before", None):
        return name
    hand = next(filter(None, map(history.hand_number, range(number - 1, 0, -1))), 0)
    return f"{name} (after hand {hand})" if hand else name


def name_within(history: History, number: int) -> str:
    """Return the name of an entry for use within a sentence: “hand 2”, or its title in quotation marks."""
    if hand := history.hand_number(number):
        return f"hand {hand}"
    event = history.event(number)
    if isinstance(event, Amend):
        return f"the correction of {name_within(history, event.target)}"
    return f"“{title_of(history, event, number)}”" if event else ""


def undoing(history: History, number: int) -> str:
    """Return what undoing an entry does: “Undo hand 2”, “Redo hand 2”, “Undo “Penalty for Ben””."""
    event = history.event(number)
    if isinstance(event, Ruling):  # its title may be a whole question
        return "Undo this ruling"
    if isinstance(event, Undo):
        undone = history.event(event.target)
        if isinstance(undone, Undo):
            return f"Undo {name_within(history, undone.target)} again"
        return f"Redo {name_within(history, event.target)}"
    return f"Undo {name_within(history, number)}"


def late_buy_in(history: History, seat: int, before: int) -> str:
    """Return that a player bought in, recorded late: “Ben bought in before hand 8”."""
    return f"{history.game.name(seat)} bought in before {name_within(history, before)}"


def brief_of(event: Event, game: Game) -> str:
    """Return in a few words what an event is; for a hand, only how it ended: “won by Ann”, “Penalty for Ann”."""
    seats = (getattr(event, field, None) for field in ("seat", "winner", "payer"))
    seat = next(filter(None, seats), None)
    name = getattr(event, "name", "") or (game.name(seat) if seat else "")
    to = getattr(event, "to", None)
    subject = ""
    if isinstance(event, Ruling):  # the title of an irregularity, or a claim in words
        subject = event.note if event.mishap else event.claim if isinstance(event.claim, str) else ""
    about = "".join(f": {what}" for what in (name, subject) if what)
    return called("kinds", event.kind).format(name=name, to=game.name(to) if to else "", about=about)


def is_repeated(history: History, number: int) -> bool:
    """Return whether what an undo undid was recorded again after it; redoing it would count it twice."""
    undo = history.event(number)
    if not isinstance(undo, Undo):
        return False
    undone = history.event(undo.target)
    return any(undone in (event, history.effective.get(later)) for later, event in history.entries[number:])


def changes_at(history: History, number: int) -> str:
    """Return what the correction at an entry changed from the state before it; empty for any other entry."""
    event = history.event(number)
    if not isinstance(event, Amend):
        return ""
    before = dict(effective_entries(history.entries[: number - 1])).get(event.target)
    return describe_correction(history.game, before, event.inner) if before else ""


def describe_correction(game: Game, old: Event, new: Event) -> str:
    """Return what changed when a new event replaced an old one: the winner, the ending, the points."""
    return "; ".join(_corrections(game, old, new))


def _corrections(game: Game, old: Event, new: Event) -> Iterator[str]:
    if not isinstance(new, Hand) or not isinstance(old, Hand):
        was, now = _texts(game, old), _texts(game, new)
        gone = (f"not {text}" for text in was if text not in now)
        yield from filter(None, [", ".join([*(text for text in now if text not in was), *gone])])
        return
    if new.winner != old.winner:
        yield f"won by {game.name(new.winner)}, not {game.name(old.winner)}"
    if new.ending != old.ending:
        yield f"{ending_word(new.ending) or 'going out'}, not {ending_word(old.ending) or 'going out'}"
    before, after = hand_points(game.variant, old), hand_points(game.variant, new)
    named = sorted(set(new.absent) - set(old.absent) - before.keys())
    yield from (f"{game.name(seat)} {NOT_DEALT_IN}" for seat in named)
    for seat in sorted(before.keys() | after.keys()):
        name, now_has, had = game.name(seat), after.get(seat, 0), before.get(seat, 0)
        if seat not in after:
            yield f"{name} {NOT_DEALT_IN}"
        elif seat not in before:
            yield f"{name} {now_has}, not in the hand before"
        elif now_has != had:
            yield f"{name} {now_has}, not {had}"


def _texts(game: Game, event: Event) -> list[str]:
    """Return the words and facts of an event; for a hand, only who won it."""
    facts = () if isinstance(event, Hand) else facts_of(event, game)
    return ["a redeal" if isinstance(event, Void) else brief_of(event, game), *(fact.text for fact in facts)]
