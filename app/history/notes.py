"""What a sheet says of each entry: the words of its row, and what takes a note below the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from app import days
from app.history.details import against, carried_over, claimed, details, verdict_words
from app.history.entries import does, is_without_effect, summary, when_it_counts
from app.history.formats import region_of, write_day
from app.history.story import Chapter, Story
from app.kalooki.game import events
from app.kalooki.game.corrections import effective_entries
from app.kalooki.game.hands import hand_points
from app.kalooki.game.play import Game
from app.kalooki.rules.wording import called

SMALL = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Told(NamedTuple):
    """What the sheet says about an entry: its note and, if it has a row of its own, the row's label and text."""

    label: str = ""
    row: str = ""
    note: str = ""


def happened(story: Story) -> list[tuple[Chapter, Told]]:
    """What a sheet says of each entry, in the order it counts; nothing of some."""
    return [(chapter, _told(story, chapter)) for chapter in story.in_order]


def numbered(happened: Iterable[tuple[Chapter, Told]]) -> Mapping[int, str]:
    """The small number of each entry's note, if it has one, in the order of their rows."""
    noted = (chapter.number for chapter, told in happened if told.note)
    return {entry: str(number).translate(SMALL) for number, entry in enumerate(noted, 1)}


def _told(story: Story, chapter: Chapter) -> Told:
    if chapter.undone_by:
        return _taken_back(story, chapter)
    teller = _TELLERS.get(type(chapter.stands))
    if not teller:
        return Told()
    told = teller(story.game, chapter.stands)
    if chapter.stands and is_without_effect(story.game, chapter.number):
        facts = _facts(story.game, chapter.stands)
        what = ", ".join([does(chapter.stands, story.game) or facts[0], *facts[1:3]])
        told = told._replace(label="pending", row=f"{when_it_counts(story, chapter.number)}: {what}")
    corrected = [*_corrections(story, chapter)]
    note = _sentence(told.note) if corrected else told.note
    return told._replace(note=" ".join(filter(None, (note, *corrected))))


def _hand(_game: Game, event: events.Hand) -> Told:
    return Told(note=_sentence(event.note))


def _sentence(text: str) -> str:
    """A text with a full stop at its end, so that another can follow."""
    return f"{text}." if text and text[-1].isalnum() else text


def _void(_game: Game, event: events.Void) -> Told:
    reason = event.reason or "does not count"  # in its row, and if it is long in full in a note
    return Told("void", reason, f"Void: {reason}" if len(reason) > 44 else "")


def _penalty(game: Game, event: events.Penalty) -> Told:
    what = ", ".join((game.name(event.seat), *against(game, event)))
    done = called("kinds", event.kind, "did").format(name=what)
    note = f"{done}: {event.reason}" if event.reason else f"{done}."
    return Told(called("changes", "penalty", "row"), "" if event.points else what, note)


def _ruling(game: Game, event: events.Ruling) -> Told:
    name = game.name(event.seat) if event.seat else ""
    whom = ", ".join(filter(None, (name, *(against(game, event) if event.upheld else ()))))
    verdict = verdict_words(event)
    told = _sentences(event.note if event.mishap else _claim(event), verdict, whom, "" if event.mishap else event.note)
    short = ": ".join(filter(None, (name, verdict or _claim(event))))
    return Told("ruling", short or told, "Ruling: {told}.".format(told=told.rstrip(".")))


def _sentences(*parts: str) -> str:
    """The parts one after the other, with a semicolon only where the one before does not end a sentence."""
    joined = ""
    for part in filter(None, parts):
        joined += ("" if not joined else " " if joined[-1] in ".!?" else "; ") + part
    return joined


def _claim(event: events.Ruling) -> str:
    claim = claimed(event)
    return f"{event.check}: {claim}" if event.check and claim else claim or event.check


def _stop(game: Game, event: events.Stop) -> Told:
    had_pool = event.pool or any(posting.why == "refund" for posting in game.postings)
    note = called("pools", event.outcome, "note") if had_pool else ""
    return Told(row="Ended early", note=note)


def _setup(_game: Game, event: events.Setup) -> Told:
    named = (
        (event.dealer is not None, "the dealer"),
        (event.stakes != events.UNCHANGED, "the stakes"),
        (bool(event.house), "the house rules"),
        (event.settle is not None, "how it is paid"),
        (event.place is not None, "the place"),
        (event.note is not None, "the note"),
    )
    what = ", ".join(word for changed, word in named if changed)
    return Told("mended", f"for the whole game: {what}")


def _start(game: Game, event: events.Start) -> Told:
    return Told(note="; ".join(carried_over(game, event.carried)) + ".") if event.carried else Told()


_TELLERS: dict[type[Any], Callable[[Game, Any], Told]] = {
    events.Start: _start,
    events.Hand: _hand,
    events.Void: _void,
    events.Penalty: _penalty,
    events.Ruling: _ruling,
    events.Leave: lambda game, event: Told(row=does(event, game)),
    events.Decline: lambda game, event: Told(row=f"{game.name(event.seat)} does not buy in"),
    events.Stop: _stop,
    events.Decider: lambda game, event: Told(row=f"{game.name(event.winner)} wins the deciding hand"),
    events.Setup: _setup,
    # these have a row of figures in any case
    events.BuyIn: lambda _game, _event: Told(),
    events.Join: lambda _game, _event: Told(),
}


def _corrections(story: Story, chapter: Chapter) -> Iterator[str]:
    """How an entry came to be as it is, if it was inserted late or corrected."""
    recorded = chapter.event
    if isinstance(recorded, events.Insert):
        yield f"Forgotten at first, recorded at {_when(story, chapter)}."
        recorded = recorded.event
    if chapter.amended_by and chapter.stands:
        what = "; ".join(_differences(story.game, recorded, chapter.stands)) or "nothing that counts"
        when = _when(story, story.chapters[chapter.amended_by])
        yield f"Corrected at {when}: {what}."


def _when(story: Story, chapter: Chapter) -> str:
    """When an entry was recorded by the clock at the table, and by whom; with the day if it was another evening."""
    at = chapter.stamp.at
    clock = at[11:] if days.day_at_table(at) == story.day else write_day(at, region_of(story.game))
    return f"{clock} ({chapter.stamp.by})" if chapter.stamp.by else clock


def changed(story: Story, number: int) -> str:
    """What the correction at an entry changed, against what stood before it; empty for any other entry."""
    made = story.event(number)
    old = (
        dict(effective_entries(story.entries[: number - 1])).get(made.target)
        if isinstance(made, events.Amend)
        else None
    )
    return "; ".join(_differences(story.game, old, made.inner)) if made and old else ""


def _differences(game: Game, old: events.Event, new: events.Event) -> Iterator[str]:
    """What changed when a new event replaced the old one: the winner, the ending, the points."""
    if not isinstance(new, events.Hand) or not isinstance(old, events.Hand):
        was, now = _facts(game, old), _facts(game, new)
        gone = (f"not {fact}" for fact in was if fact not in now)
        yield from filter(None, [", ".join([*(fact for fact in now if fact not in was), *gone])])
        return
    if new.winner != old.winner:
        yield f"won by {game.name(new.winner)}, not {game.name(old.winner)}"
    if new.ending != old.ending:
        yield "{new}, not {old}".format(
            new=called("endings", new.ending, "noun"), old=called("endings", old.ending, "noun")
        )
    before, after = hand_points(game.variant, old), hand_points(game.variant, new)
    for seat in sorted(before.keys() | after.keys()):
        facts = {"name": game.name(seat), "new": after.get(seat, 0), "old": before.get(seat, 0)}
        if seat not in before and seat != old.winner:
            yield "{name} {new}, not in the hand before".format(**facts)
        elif facts["new"] != facts["old"]:
            yield "{name} {new}, not {old}".format(**facts)


def _facts(game: Game, event: events.Event) -> list[str]:
    """An event in the middle of a sentence, and what else it says; of a hand, only that it was one."""
    more = () if isinstance(event, events.Hand) else details(event, game)
    return [summary(game, event), *(detail.text for detail in more)]


def _taken_back(story: Story, chapter: Chapter) -> Told:
    assert chapter.undone_by  # noqa: S101 - the caller asked
    event = chapter.event.inner
    note = f"Taken back at {_when(story, story.chapters[chapter.undone_by])}."
    cost = against(story.game, event) if isinstance(event, (events.Penalty, events.Ruling)) else ()
    return Told("taken back", ", ".join((summary(story.game, event), *cost)), note)
