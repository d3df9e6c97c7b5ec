"""Entries in a few words: what was recorded, what it is called, what saving or undoing it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.i18n import _, gettext
from app.kalooki.game.events import Amend, BuyIn, Event, Hand, Insert, Ruling, Undo, Void
from app.kalooki.game.play import Game
from app.kalooki.rules.wording import called, names
from app.telling.story import Story


def told(story: Story, event: Event) -> str:
    """What an event says happened: “Hand won by Ann”, “Cat bought in”, “Hand 2 corrected: won by Ben”."""
    teller = _TELLERS.get(type(event))
    return teller(story, event) if teller else did(event, story.game)


def outcome(story: Story, event: Event) -> str:
    """What an event makes of a hand, or the event: “won by Ben”, “void: dealt 12 cards”."""
    if isinstance(event, Hand):
        return _("won by {name}").format(name=story.game.name(event.winner))
    return _because(_("void"), event.reason) if isinstance(event, Void) else told(story, event)


def about(story: Story, number: int) -> str:
    """What the table calls what was recorded at an entry: “Hand 2”, “Penalty for Ben”."""
    if hand := story.hand_number(number):
        return _("Hand {number}").format(number=hand)
    event = story.event(number)
    if isinstance(event, Amend):
        return _("The correction of {what}").format(what=within(story, event.target))
    return told(story, event) if event else ""


def within(story: Story, number: int) -> str:
    """The same in the middle of a sentence: “hand 2”, or the words in quotation marks."""
    hand = story.hand_number(number)
    return _("hand {number}").format(number=hand) if hand else f"“{about(story, number)}”"


def undoing(story: Story, number: int) -> str:
    """What undoing an entry does: “Remove hand 2”, “Undo the correction of hand 2”."""
    event = story.event(number)
    if isinstance(event, Amend):
        return _("Undo the correction of {what}").format(what=within(story, event.target))
    if isinstance(event, Undo):
        return _("Put back {what}").format(what=within(story, event.target))
    return _("Remove {what}").format(what=within(story, number))


def late_buy_in(story: Story, seat: int, before: int) -> str:
    """A buy-in told late, by the hand it belongs before: “Ben bought in before hand 8”."""
    return _("{name} bought in before {what}").format(name=story.game.name(seat), what=within(story, before))


def _amend(story: Story, event: Amend) -> str:
    what = about(story, event.target)
    return _("{what} corrected: {outcome}").format(what=what, outcome=outcome(story, event.event))


def _insert(story: Story, event: Insert) -> str:
    what = within(story, event.before)
    return _("Hand put in before {what}: {outcome}").format(what=what, outcome=outcome(story, event.event))


def _undo(story: Story, event: Undo) -> str:
    undone = story.event(event.target)
    if isinstance(undone, Undo):
        return _("{what} put back").format(what=about(story, undone.target))
    return _("{what} taken back").format(what=about(story, event.target))


def _buy_in(story: Story, event: BuyIn) -> str:
    return late_buy_in(story, event.seat, event.before) if event.before else did(event, story.game)


_TELLERS: Mapping[type[Any], Callable[[Story, Any], str]] = {
    Hand: lambda story, event: _("Hand won by {name}").format(name=story.game.name(event.winner)),
    Void: lambda _story, event: _because(_("Hand void"), event.reason),
    Amend: _amend,
    Insert: _insert,
    Undo: _undo,
    BuyIn: _buy_in,
}


def _because(what: str, reason: str) -> str:
    return f"{what}: {reason}" if reason else what


def summary(game: Game, event: Event) -> str:
    """An event in the middle of a sentence: “a hand won by Ann”."""
    if isinstance(event, Hand):
        return _("a hand won by {name}").format(name=game.name(event.winner))
    return _("a void hand") if isinstance(event, Void) else did(event, game)


def objection(name: str, words: str) -> str:
    """What a player said against a hand before it was saved."""
    said = _("{name} objected: {words}") if words else _("{name} objected")
    return said.format(name=name, words=words)


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
    words = called("kinds", event.kind, form, gettext)
    return words.format(name=name, to=game.name(to) if to else "", about=about_what)


def _quarrel(event: Event) -> str:
    """What a ruling was about, if words say it: the title of a mishap, or a claim that is text."""
    if not isinstance(event, Ruling):
        return ""
    if event.mishap:
        return event.note
    return event.claim if isinstance(event.claim, str) else ""
