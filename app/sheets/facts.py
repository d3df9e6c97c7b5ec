"""The head of a score sheet: who won, what was played and when, and for what stakes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from app.i18n import N_, _, gettext, ngettext
from app.kalooki.game.events import Hand, Void
from app.kalooki.game.play import Game
from app.kalooki.game.ranking import ahead
from app.kalooki.variants import Variant
from app.sheets.formats import stakes_words
from app.table.recording import Table

_DAYS = (N_("Monday"), N_("Tuesday"), N_("Wednesday"), N_("Thursday"), N_("Friday"), N_("Saturday"), N_("Sunday"))
_MONTHS = (
    *(N_("January"), N_("February"), N_("March"), N_("April"), N_("May"), N_("June"), N_("July")),
    *(N_("August"), N_("September"), N_("October"), N_("November"), N_("December")),
)
MOST_KEEPERS = 3


def spoken(day: str) -> str:
    """A day (2026-11-21) as people say it; any other text unchanged.

    >>> spoken("2026-11-21"), spoken("long ago")
    ('Saturday 21 November 2026', 'long ago')
    """
    try:
        read = date.fromisoformat(day)
    except ValueError:
        return day
    return _("{weekday} {day} {month} {year}").format(
        weekday=gettext(_DAYS[read.weekday()]), day=read.day, month=gettext(_MONTHS[read.month - 1]), year=read.year
    )


def headline(game: Game) -> str:
    """The line people read first, even from afar: who won, or who leads."""
    winners = names_of(game, game.winners)
    if len(game.winners) == 1:
        return _("{name} won").format(name=winners)
    if winners:
        return _("{names} tied for first place").format(names=winners)
    if game.finish:
        return _("Broken off")
    if all(hand.is_void for hand in game.hands):
        return _("No hand played yet")
    leading = ahead(game)
    return ngettext("{names} leads", "{names} lead", len(leading)).format(names=names_of(game, leading))


def names_of(game: Game, seats: Iterable[int]) -> str:
    """The players in some seats as one phrase: “Ann and Ben”."""
    return and_list(game.name(seat) for seat in seats)


def and_list(names: Iterable[str]) -> str:
    """Names as one phrase.

    >>> and_list(["Ann", "Ben"]), and_list(["Ann", "Ben", "Cat"]), and_list([])
    ('Ann and Ben', 'Ann, Ben and Cat', '')
    """
    listed = [*names]
    return _(" and ").join(filter(None, (", ".join(listed[:-1]), *listed[-1:])))


def heading(table: Table) -> str:
    """The variant, the day, and how many hands were played."""
    return " · ".join(filter(None, (table.game.variant.name, spoken(table.day), hands_words(table.game))))


def hands_words(game: Game) -> str:
    """How many hands were played, and whether the game still goes on or was broken off before its end."""
    played = sum(not hand.is_void for hand in game.hands)
    words = ngettext("{n} hand", "{n} hands", played).format(n=played)
    if not game.finish:
        return _("{hands}, still playing").format(hands=words)
    return words if game.finish.pool == "winners" else _("{hands}, broken off").format(hands=words)


def table_facts(table: Table, place: str = "") -> Iterator[str]:
    """Where and when the game was played, who kept the score, and the rules and stakes that matter most."""
    game = table.game
    yield from filter(
        None, (place or game.place, _clock(table), _keepers(table), _("game {code}").format(code=table.code))
    )
    yield from rules_facts(game.variant)
    if game.stakes:
        yield stakes_words(game.stakes)
        yield _("money thrown on the table") if game.settle == "cash" else _("money on account")
    else:
        yield _("no money")


def rules_facts(variant: Variant) -> Iterator[str]:
    """The opening, the limit and the buy-ins."""
    if variant.opening_points:
        yield _("opening {n} points").format(n=variant.opening_points)
    if variant.limit is None:
        return
    yield (_("out at {n}") if variant.out_at == "limit" else _("out over {n}")).format(n=variant.limit)
    if not variant.buy_ins:
        yield _("no buy-ins")
        return
    yield ngettext("up to {n} buy-in each", "up to {n} buy-ins each", variant.buy_ins).format(n=variant.buy_ins)


def _clock(table: Table) -> str:
    """When the recording began and ended; empty if everything was entered at once."""
    hands = [entry.at for entry in table.log.entries if entry.event["kind"] in (Hand.kind, Void.kind, "insert")]
    finish = table.game.finish
    ends = [table.log.entries[finish.entry - 1].at] if finish else hands[-1:]
    start, *end = (table.when(at)[11:] for at in (table.log.entries[0].at, *ends))
    return _("{start} to {end}").format(start=start, end=end[0]) if end and end[0] != start else ""


def _keepers(table: Table) -> str:
    """Whose phones recorded the hands."""
    kept = (entry.actor for entry in table.log.entries if entry.event["kind"] in (Hand.kind, Void.kind))
    names = [name for name in dict.fromkeys(kept) if name][:MOST_KEEPERS]
    return _("kept by {names}").format(names=", ".join(names)) if names else ""
