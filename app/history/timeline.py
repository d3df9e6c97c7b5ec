"""The history of a game, entry by entry, in the words that pages, paper and files share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from app.history.facts import NOT_DEALT_IN, Fact, ending_word, facts_of
from app.history.gains import Gain, gains
from app.history.record import History, Stamp
from app.kalooki.game.corrections import corrections, effective_entries
from app.kalooki.game.events import Amend, BuyIn, Event, Hand, Insert, Ruling, Undo, Void
from app.kalooki.game.hands import hand_points
from app.kalooki.game.play import Game
from app.kalooki.game.state import PlayedHand
from app.kalooki.rules.wording import called


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
        return self.effective is not None and _is_pending(self.history.game, self.entry)

    @cached_property
    def timing(self) -> str:
        """When it counts, if it was recorded in mid-hand: “counts after hand 7”."""
        return _timing(self.history, self.entry) if self.effective else ""

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
    about = "".join(f": {what}" for what in (name, _subject_of_ruling(event)) if what)
    return called("kinds", event.kind).format(name=name, to=game.name(to) if to else "", about=about)


def _subject_of_ruling(event: Event) -> str:
    """Return what a ruling was about: the title of an irregularity, or a claim in words; otherwise empty."""
    if not isinstance(event, Ruling):
        return ""
    if event.mishap:
        return event.note
    return event.claim if isinstance(event.claim, str) else ""


def _timing(history: History, number: int) -> str:
    """Return when an entry recorded in mid-hand counts: “counts after hand 7”; empty for any other entry."""
    game = history.game
    if number in game.ineffective:
        return "changed nothing: the game ended with that hand"
    if _is_pending(game, number):
        return f"counts after hand {game.number}"
    hand = game.counts_with.get(number)
    is_hand = hand is not None and isinstance(hand.event, (Hand, Void))
    return f"counted after {name_within(history, hand.number)}" if hand and is_hand else ""


def _is_pending(game: Game, number: int) -> bool:
    """Return whether an entry was recorded in mid-hand and does not count yet, or not at all."""
    return number in game.ineffective or any(number == waiting for waiting, _event in game.pending)


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
