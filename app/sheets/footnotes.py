"""Footnotes of a score sheet: what was corrected, ruled, or cannot be read off the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from app.i18n import _, gettext
from app.kalooki.game.corrections import standing
from app.kalooki.game.events import (
    NO_CLAIM,
    Decider,
    Decline,
    Event,
    Hand,
    Insert,
    Leave,
    Penalty,
    Ruling,
    Setup,
    Stop,
    Void,
    to_json,
)
from app.kalooki.game.hands import hand_points
from app.kalooki.game.play import Game
from app.kalooki.money import written
from app.kalooki.rules.wording import called
from app.sheets.formats import currency
from app.table.history import Chapter, chronicle, did
from app.table.recording import Table

SMALL = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Note(NamedTuple):
    """A footnote to the row of `entry`; a loose one has no row of its own."""

    entry: int
    text: str
    is_loose: bool = False


def numbered(notes: Iterable[Note]) -> tuple[list[Note], dict[int, str]]:
    """The notes with their numbers in front, and the small numbers to set at each entry's row."""
    told: list[Note] = []
    marks: dict[int, str] = {}
    for number, note in enumerate(notes, 1):
        told.append(note._replace(text=f"{str(number).translate(SMALL)} {note.text}"))
        marks[note.entry] = f"{marks.get(note.entry, '')} {str(number).translate(SMALL)}".strip()
    return told, marks


def notes_of(table: Table) -> Iterator[Note]:
    """All footnotes: first those of a row, in the order of the sheet, then the loose ones."""
    game = table.game
    rows = {hand.entry for hand in game.hands} | {change.entry for change in game.changes}
    chapters = {chapter.number: chapter for chapter in chronicle(table)}
    skipped = {noted.entry for noted in game.faults}
    stands = [chapters[number] for number, _event in standing(table.entries) if number not in skipped]
    places = _places(game, [chapter.number for chapter in stands])
    found = [note for chapter in stands for note in _of_entry(game, chapter, places[chapter.number])]
    yield from (note for note in found if note.entry in rows)
    yield from (note._replace(is_loose=True) for note in found if note.entry not in rows)
    yield from (_taken_back(game, each) for each in chapters.values() if each.undone_by and not each.is_correction)


def _places(game: Game, entries: Sequence[int]) -> dict[int, str]:
    """Where in the game something happened that has no row: the hand that comes after each entry, as they stand."""
    hands = {hand.entry: hand.number for hand in game.hands}
    places: dict[int, str] = {}
    coming = game.number
    for entry in reversed(entries):
        places[entry] = _("before hand {number}").format(number=coming)
        coming = hands.get(entry, coming)
    return places


def _of_entry(game: Game, chapter: Chapter, place: str) -> Iterator[Note]:
    told = _told(game, chapter.stands, place) if chapter.stands else ()
    return (Note(chapter.number, text) for text in [*told, *_corrections(game, chapter)])


def _told(game: Game, event: Event, place: str) -> Iterator[str]:
    teller = _TELLERS.get(type(event))
    return teller(game, event, place) if teller else iter(())


def _hand(game: Game, event: Hand, _place: str) -> Iterator[str]:
    """Calls beyond those allowed are not seen in the row."""
    allowed = game.variant.calls
    for seat, calls in event.calls.items():
        if allowed and calls > allowed:
            points = (calls - allowed) * game.variant.call_penalty
            yield _("{name} called {calls} times: {points} points for it.").format(
                name=game.name(seat), calls=calls, points=points
            )


def _penalty(game: Game, event: Penalty, place: str) -> Iterator[str]:
    what = _against(game, event.seat, event.points, event.amount)
    reason = _(" Reason: {reason}").format(reason=event.reason) if event.reason else ""
    yield _("Penalty {place}: {what}.{reason}").format(place=place, what=what, reason=reason)


def _against(game: Game, seat: int | None, points: int, amount: int) -> str:
    told = [game.name(seat)] if seat else []
    if points:
        told.append(_("{points} points").format(points=points))
    if amount:
        told.append(_("{amount} {currency} to the pool").format(amount=written(amount), currency=currency(game)))
    return ", ".join(told)


def _ruling(game: Game, event: Ruling, place: str) -> Iterator[str]:
    counts = event.upheld and (event.points or event.amount)
    told = [
        _claim(event),
        _("the table played on all the same") if not event.upheld else _verdict(event.verdict),
        _against(game, event.seat, event.points if counts else 0, event.amount if counts else 0),
        event.note,
    ]
    yield _("Ruling {place}: {told}").format(place=place, told="; ".join(filter(None, told)))


def _claim(event: Ruling) -> str:
    claim = event.claim if event.claim != NO_CLAIM else ""
    if isinstance(claim, Mapping):
        cards = [claim.get(key) for key in ("cards", "on", "hand", "melds")]
        claim = next((_plain(each) for each in cards if each), "")
    return f"{event.check}: {claim}" if event.check and claim else str(claim or event.check)


def _plain(value: Any) -> str:
    return " / ".join(map(str, value)) if isinstance(value, list) else str(value)


def _verdict(verdict: Any) -> str:
    legal = verdict.get("ok") if isinstance(verdict, Mapping) else verdict
    if isinstance(legal, bool):
        return _("legal") if legal else _("not legal")
    return str(legal) if isinstance(legal, str) else ""


def _leave(game: Game, event: Leave, place: str) -> Iterator[str]:
    yield _("{name} left the game {place}.").format(name=game.name(event.seat), place=place)


def _decline(game: Game, event: Decline, place: str) -> Iterator[str]:
    yield _("{name} did not buy in {place}.").format(name=game.name(event.seat), place=place)


def _stop(game: Game, event: Stop, _place: str) -> Iterator[str]:
    had_pool = event.pool or any(posting.why == "refund" for posting in game.postings)
    yield called("pools", event.outcome, "note", gettext) if had_pool else _("Broken off before its end.")


def _decider(game: Game, event: Decider, _place: str) -> Iterator[str]:
    yield _("{name} won the deciding hand.").format(name=game.name(event.winner))


def _setup(_game: Game, event: Setup, _place: str) -> Iterator[str]:
    named = (
        (event.dealer is not None, _("the dealer")),
        (event.stakes != "unchanged", _("the stakes")),
        (bool(event.house), _("the house rules")),
        (event.settle is not None, _("how it is paid")),
    )
    yield _("Mended for the whole game: {what}.").format(what=", ".join(word for changed, word in named if changed))


_TELLERS: dict[type[Any], Callable[[Game, Any, str], Iterator[str]]] = {
    Hand: _hand,
    Penalty: _penalty,
    Ruling: _ruling,
    Leave: _leave,
    Decline: _decline,
    Stop: _stop,
    Decider: _decider,
    Setup: _setup,
}


def _corrections(game: Game, chapter: Chapter) -> Iterator[str]:
    """How the entry came to stand as it does, where it was not recorded so in the first place."""
    recorded = chapter.event
    if isinstance(recorded, Insert):
        yield _("Forgotten at first, recorded later.")
        recorded = recorded.event
    if chapter.amended_by and chapter.stands:
        what = "; ".join(_differences(game, recorded, chapter.stands))
        yield _("Corrected later: {what}.").format(what=what or _("nothing that counts"))


def _differences(game: Game, old: Event, new: Event) -> Iterator[str]:
    """What another event in its place changed: the winner, how, and everybody's points."""
    if not isinstance(new, Hand) or not isinstance(old, Hand):
        yield _("{new}, not {old}").format(new=summary(game, new), old=summary(game, old))
        return
    if new.winner != old.winner:
        yield _("won by {new}, not {old}").format(new=game.name(new.winner), old=game.name(old.winner))
    if new.ending != old.ending:
        yield _("{new}, not {old}").format(
            new=called("endings", new.ending, "noun", gettext), old=called("endings", old.ending, "noun", gettext)
        )
    before, after = hand_points(game.variant, old), hand_points(game.variant, new)
    for seat in sorted(before.keys() | after.keys()):
        if before.get(seat, 0) != after.get(seat, 0):
            yield _("{name} {new}, not {old}").format(
                name=game.name(seat), new=after.get(seat, 0), old=before.get(seat, 0)
            )


def summary(game: Game, event: Event) -> str:
    """An event in a few words."""
    if isinstance(event, Hand):
        return _("a hand won by {name}").format(name=game.name(event.winner))
    if isinstance(event, Void):
        return _("a void hand")
    return did(to_json(event), game)


def _taken_back(game: Game, chapter: Chapter) -> Note:
    event = chapter.event.event if isinstance(chapter.event, Insert) else chapter.event
    text = _("Taken back: {what}.").format(what=summary(game, event))
    return Note(chapter.number, text, is_loose=True)
