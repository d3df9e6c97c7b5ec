"""Entries in a few words: what was recorded, what it is called, what saving or undoing it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.history.story import Story
from app.kalooki.game.events import Amend, BuyIn, Event, Hand, Insert, Ruling, Undo, Void
from app.kalooki.game.play import Game
from app.kalooki.rules.wording import called, names


def told(story: Story, event: Event) -> str:
    """What an event says happened: “Hand won by Ann”, “Cat bought in”, “Hand 2 corrected: won by Ben”."""
    teller = _TELLERS.get(type(event))
    return teller(story, event) if teller else did(event, story.game)


def outcome(story: Story, event: Event) -> str:
    """What an event makes of a hand, or the event: “won by Ben”, “void: dealt 12 cards”."""
    if isinstance(event, Hand):
        return f"won by {story.game.name(event.winner)}"
    return _because("void", event.reason) if isinstance(event, Void) else told(story, event)


def about(story: Story, number: int) -> str:
    """What the table calls what was recorded at an entry: “Hand 2”, “Penalty for Ben”."""
    if hand := story.hand_number(number):
        return f"Hand {hand}"
    event = story.event(number)
    if isinstance(event, Amend):
        return f"The correction of {within(story, event.target)}"
    return told(story, event) if event else ""


def within(story: Story, number: int) -> str:
    """The same in the middle of a sentence: “hand 2”, or the words in quotation marks."""
    hand = story.hand_number(number)
    return f"hand {hand}" if hand else f"“{about(story, number)}”"


def undoing(story: Story, number: int) -> str:
    """What undoing an entry does: “Remove hand 2”, “Undo the correction of hand 2”."""
    event = story.event(number)
    if isinstance(event, Amend):
        return f"Undo the correction of {within(story, event.target)}"
    if isinstance(event, Undo):
        return f"Put back {within(story, event.target)}"
    return f"Remove {within(story, number)}"


def late_buy_in(story: Story, seat: int, before: int) -> str:
    """A buy-in told late, by the hand it belongs before: “Ben bought in before hand 8”."""
    return f"{story.game.name(seat)} bought in before {within(story, before)}"


def _amend(story: Story, event: Amend) -> str:
    what = about(story, event.target)
    return f"{what} corrected: {outcome(story, event.event)}"


def _insert(story: Story, event: Insert) -> str:
    what = within(story, event.before)
    return f"Hand put in before {what}: {outcome(story, event.event)}"


def _undo(story: Story, event: Undo) -> str:
    undone = story.event(event.target)
    if isinstance(undone, Undo):
        return f"{about(story, undone.target)} put back"
    return f"{about(story, event.target)} taken back"


def _buy_in(story: Story, event: BuyIn) -> str:
    return late_buy_in(story, event.seat, event.before) if event.before else did(event, story.game)


_TELLERS: Mapping[type[Any], Callable[[Story, Any], str]] = {
    Hand: lambda story, event: f"Hand won by {story.game.name(event.winner)}",
    Void: lambda _story, event: _because("Hand void", event.reason),
    Amend: _amend,
    Insert: _insert,
    Undo: _undo,
    BuyIn: _buy_in,
}


def _because(what: str, reason: str) -> str:
    return f"{what}: {reason}" if reason else what


def when_it_counts(story: Story, number: int) -> str:
    """When an entry recorded in mid-hand counts: “counts after hand 7”; empty for any other."""
    game = story.game
    if number in game.ineffective:
        return "changed nothing: the game ended with that hand"
    if any(number == waiting for waiting, _event in game.pending):
        return f"counts after hand {game.number}"
    hand = game.counts_with.get(number)
    is_hand = hand is not None and isinstance(hand.event, (Hand, Void))
    return f"counted after {within(story, hand.number)}" if hand and is_hand else ""


def is_without_effect(game: Game, number: int) -> bool:
    """Whether an entry recorded in mid-hand counts for nothing, yet or at all."""
    return number in game.ineffective or any(number == waiting for waiting, _event in game.pending)


def summary(game: Game, event: Event) -> str:
    """An event in the middle of a sentence: “a hand won by Ann”."""
    if isinstance(event, Hand):
        return f"a hand won by {game.name(event.winner)}"
    return "a void hand" if isinstance(event, Void) else did(event, game)


def did(event: Event, game: Game) -> str:
    """What an event says happened, in a few words: “Penalty for Ann”. Not for hands and corrections."""
    return _in_words(event, game, "did")


def does(event: Event, game: Game) -> str:
    """What saving an event would do, in a few words: “Stops the game”; empty where `did` says it as well."""
    return _in_words(event, game, "does") if "does" in names("kinds").get(event.kind, {}) else ""


def _in_words(event: Event, game: Game, form: str) -> str:
    seats = (getattr(event, field, None) for field in ("seat", "winner", "payer"))
    seat = next(filter(None, seats), None)
    name = getattr(event, "name", "") or (game.name(seat) if seat else "")
    to = getattr(event, "to", None)
    about_what = "".join(f": {what}" for what in (name, _quarrel(event)) if what)
    words = called("kinds", event.kind, form)
    return words.format(name=name, to=game.name(to) if to else "", about=about_what)


def _quarrel(event: Event) -> str:
    """What a ruling was about, if words say it: the title of a mishap, or a claim that is text."""
    if not isinstance(event, Ruling):
        return ""
    if event.mishap:
        return event.note
    return event.claim if isinstance(event.claim, str) else ""
