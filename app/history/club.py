"""A club's log in words: what each entry was, and what undoing it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from app.days import time_at_table
from app.history.formats import MoneyFormat, number_of, write_day
from app.history.phrases import and_list, stakes_words
from app.kalooki.club import events
from app.kalooki.club.events import ClubEntry, ClubEvent
from app.kalooki.club.fold import Club, Meeting
from app.kalooki.club.summary import UNKNOWN, GamePayment, SeatResult, Summary
from app.kalooki.money import Currency
from app.kalooki.people import identify
from app.kalooki.variants import all_variants


class ClubItem(NamedTuple):
    """An entry of a club's log in words; `undoing` is the label of a button that undoes it, empty without one.

    `is_noted_again` says why an undone payment has none: an equal one was noted after it, and both would count. An
    entry of one of the club's games has that `meeting`, and is undone there.
    """

    entry: int
    title: str
    at: str
    by: str
    undoing: str = ""
    is_undone: bool = False
    is_noted_again: bool = False
    meeting: Meeting | None = None


def labels_of(club: Club) -> dict[int, str]:
    """Return the names of all people who are not merged into others, in order, numbered if several have one."""
    of_name: dict[str, list[int]] = {}
    for person in club.people.keys() - club.merged.keys():
        of_name.setdefault(identify(club.people[person]), []).append(person)
    return {
        person: f"{club.people[person]} ({number})" if len(people) > 1 else club.people[person]
        for _, people in sorted(of_name.items())
        for number, person in enumerate(sorted(people), 1)
    }


class ClubWords:
    """Words about one club: its people's names, its games by their days, its amounts.

    `dropped` are the summaries of games that do not count any more, by the code with which they were added.
    """

    def __init__(
        self,
        club: Club,
        played: Sequence[Meeting],
        region: str,
        today: str = "",
        dropped: Mapping[str, Summary] = MappingProxyType({}),
    ) -> None:
        self.club, self.region, self.today = club, region, today
        self.played = played
        self.summaries = {**{each.game.code: each.summary for each in played}, **dropped}
        self._deleted = {each.game.code for each in played if each.problem and each.problem.why == "gone"}

    number = staticmethod(number_of)

    def name(self, person: int) -> str:
        """Return a person's name, numbered if several people have it; a number for who came by an undone entry."""
        return self.labels.get(person) or self.club.people.get(person, f"person {person}")

    @cached_property
    def labels(self) -> dict[int, str]:
        """Who can be chosen, in the order of their names."""
        return labels_of(self.club)

    def day(self, day: str) -> str:
        return write_day(day, self.region, self.today)

    def game(self, code: str) -> str:
        """Return what a game is called: by when it began, if its summary is known."""
        if code in self._deleted:
            return "a game, deleted since"
        when = self.began(self.summaries.get(code, UNKNOWN))
        return f"the game of {when}" if when else "a game"

    def people(self, meeting: Meeting) -> str:
        """Return who sat in a game, in order of seats, by their names now; of a deleted game whoever was named."""
        names = meeting.summary.names or dict.fromkeys(sorted(meeting.people), "")
        return and_list(
            self.name(meeting.people[seat]) if seat in meeting.people else name for seat, name in names.items()
        )

    def winners(self, meeting: Meeting) -> str:
        """Return who won a game, such as `Ann won`."""
        first = [self._at(meeting, each) for each in meeting.summary.seats if each.place == 1]
        if meeting.summary.ended_early:
            return f"ended early, {and_list(first)} in front"
        return f"{and_list(first)} {'won' if len(first) == 1 else 'shared first place'}"

    def when(self, meeting: Meeting) -> str:
        """Return the day of a game and when it began."""
        return self.began(meeting.summary)

    def began(self, summary: Summary) -> str:
        """Return the day of a game with this summary and when it began; empty if that is unknown."""
        return " ".join(filter(None, (self.day(summary.day), time_at_table(summary.time))))

    def places(self, meeting: Meeting) -> str:
        """Return who had which place in a game, by place."""
        in_order = sorted(meeting.summary.seats, key=lambda each: each.place)
        return ", ".join(f"{each.place} {self._at(meeting, each)}" for each in in_order)

    def _at(self, meeting: Meeting, seat: SeatResult) -> str:
        return self.name(meeting.people[seat.seat]) if seat.seat in meeting.people else seat.name

    def money(self, currency: Currency) -> MoneyFormat:
        return MoneyFormat(currency, self.region)

    def halves(self, twice: int) -> str:
        """Return half of a number, such as 3½ for 7; an opponent placed equal counts as half beaten."""
        return f"{twice // 2 or ''}½" if twice % 2 else str(twice // 2)

    def usual(self, usual: events.Usual) -> str:
        """Return the rules and stakes of a new game."""
        variant = next((each.name for each in all_variants() if each.id == usual.variant), usual.variant)
        house = f" with {number_of(len(usual.house), 'house rule')}" if usual.house else ""
        return f"{variant}{house}, {stakes_words(usual.stakes, self.region) if usual.stakes else 'not for money'}"

    def payment(self, payment: events.ClubPayment, decimals: int) -> str:
        """Return who paid whom how much."""
        return self._who_paid(payment.payer, payment.to, payment.amount, Currency(payment.currency, decimals))

    def paid_in_game(self, meeting: Meeting, paid: GamePayment) -> str:
        """Return who paid whom how much in a game that counts, and in which."""
        payer, to = meeting.people[paid.payer], meeting.people[paid.to]
        currency = meeting.summary.currency or Currency("", 0)
        return f"{self._who_paid(payer, to, paid.amount, currency)}, in the game of {self.when(meeting)}"

    def _who_paid(self, payer: int, to: int, amount: int, currency: Currency) -> str:
        return f"{self.name(payer)} paid {self.name(to)} {self.money(currency).amount(amount)}"


def game_items(words: ClubWords) -> Iterator[ClubItem]:
    """Yield what was recorded in the games that count and belongs to the club: payments, and corrections afterwards."""
    yield from _paid_in_games(words)
    for meeting in words.played:
        for each in meeting.summary.corrections if meeting.counts else ():
            title = f"In the game of {words.when(meeting)}: {each.title}"
            yield ClubItem(each.entry, title, each.at, each.by, meeting=meeting)


def _paid_in_games(words: ClubWords, of: int = 0) -> Iterator[ClubItem]:
    for meeting in words.played:
        for each in meeting.summary.paid if meeting.counts else ():
            if not of or of in (meeting.people[each.payer], meeting.people[each.to]):
                yield ClubItem(each.entry, words.paid_in_game(meeting, each), each.at, each.by, "Undo", meeting=meeting)


def club_items(words: ClubWords, log: Sequence[ClubEntry], stamps: Sequence[tuple[str, str]]) -> Iterator[ClubItem]:
    """Yield every entry in words, newest first; the first entry and what is undone have no button.

    `stamps` has when and by whom each was recorded.
    """
    titles = _titles(words, log)
    for number, event in reversed(log):
        is_undone = number in words.club.undone_by
        undone = log[event.target - 1] if isinstance(event, events.ClubUndo) else None
        is_redo = undone is not None and isinstance(undone.event, events.ClubUndo)
        is_noted_again = undone is not None and not is_undone and _is_noted_after(words, undone, log)
        has_none = is_undone or number == 1 or is_redo  # the entry that came back has a button itself
        label = "" if has_none or is_noted_again else "Redo" if undone else "Undo"
        yield ClubItem(number, titles[number], *stamps[number - 1], label, is_undone, is_noted_again)


def _is_noted_after(words: ClubWords, undone: ClubEntry, log: Sequence[ClubEntry]) -> bool:
    """Return whether a payment equal to one of an undone entry was noted after that and counts."""
    later = (event for number, event in log[undone.number :] if number not in words.club.undone_by)
    return bool(_payments(words, undone.event) & {each for event in later for each in _payments(words, event)})


def _payments(words: ClubWords, event: ClubEvent) -> set[tuple[object, ...]]:
    """Return the payments of an entry, without any that is equal: between the same people, as much of a currency."""
    if not isinstance(event, events.SettleUp):
        return set()
    whole, decimals = words.club.whole, event.decimals
    return {
        (
            whole(each.payer),
            whole(each.to),
            each.currency.casefold(),
            Decimal(each.amount).scaleb(-decimals[each.currency]),
        )
        for each in event.payments
    }


def _titles(words: ClubWords, log: Sequence[ClubEntry]) -> dict[int, str]:
    """Return what each entry is called; earlier ones say who has a new name, and who played in a dropped game."""
    titles: dict[int, str] = {}
    names: dict[int, str] = {}
    players: dict[str, str] = {}
    for number, event in log:
        titles[number] = _title(words, event, titles)
        for name in event.newcomers:
            names[len(names) + 1] = name
        if isinstance(event, events.PersonName):
            titles[number] = f"{names.get(event.id, words.name(event.id))} is now called {event.name}"
            names[event.id] = event.name
        elif isinstance(event, events.AddGame):
            players[event.code] = and_list(words.name(person) for _, person in sorted(event.seats.items()))
        elif isinstance(event, events.DropGame) and event.code in players:
            titles[number] += f": {players[event.code]}"
    return titles


def _title_of_game(words: ClubWords, event: Any) -> str:
    return (
        f"Added {words.game(event.code)}: {and_list(words.name(person) for _, person in sorted(event.seats.items()))}"
    )


def _title_of_seats(words: ClubWords, event: Any) -> str:
    named = (who if isinstance(who, str) else words.name(who) for _, who in sorted(event.people.items()))
    return f"Corrected who sat where in {words.game(event.code)}: {and_list(named)}"


def _title_of_payments(words: ClubWords, event: Any) -> str:
    return "; ".join(words.payment(each, event.decimals[each.currency]) for each in event.payments)


_TITLES: Mapping[type[ClubEvent], Callable[[ClubWords, Any], str]] = {
    events.ClubStart: lambda _words, event: f"The club “{event.name}” began",
    events.ClubName: lambda _words, event: f"The club is called “{event.name}”",
    events.Usual: lambda words, event: f"A new game begins with: {words.usual(event)}",
    events.NewPerson: lambda _words, event: f"{event.name} is in the club",
    events.PersonName: lambda _words, event: f"New name: {event.name}",
    events.AddGame: _title_of_game,
    events.SeatPeople: _title_of_seats,
    events.DropGame: lambda words, event: f"Dropped {words.game(event.code)}",
    events.Merge: lambda words, event: f"{words.name(event.person)} is the same person as {words.name(event.into)}",
    events.SettleUp: _title_of_payments,
}
"""What each kind of entry is called, but an undo, which is called by what it undoes."""


def _title(words: ClubWords, event: ClubEvent, before: Mapping[int, str]) -> str:
    if not isinstance(event, events.ClubUndo):
        return _TITLES[type(event)](words, event)
    title = before.get(event.target, "")
    return f"Redone: {title.removeprefix(_UNDONE)}" if title.startswith(_UNDONE) else f"{_UNDONE}{title}"


_UNDONE = "Undone: "


def merges_of(club: Club, log: Sequence[ClubEntry], person: int) -> dict[int, int]:
    """Return who was merged into a person, or that person, by the entry that merged them and counts."""
    return {
        number: event.person
        for number, event in log
        if isinstance(event, events.Merge) and person in (event.into, event.person)
        if number not in club.undone_by and club.merged.get(event.person) == event.into
    }


def payments_made(
    words: ClubWords, log: Sequence[ClubEntry], stamps: Sequence[tuple[str, str]], of: int = 0
) -> list[ClubItem]:
    """Return the payments that count, in the club and in its games, newest first: all or those `of` one person."""
    whole = words.club.whole
    items = list(_paid_in_games(words, of))
    for number, event in log:
        if isinstance(event, events.SettleUp) and number not in words.club.undone_by:
            payments = [each for each in event.payments if not of or of in (whole(each.payer), whole(each.to))]
            title = "; ".join(words.payment(each, event.decimals[each.currency]) for each in payments)
            items += [ClubItem(number, title, *stamps[number - 1], "Undo")] if title else []
    return sorted(items, key=lambda item: (item.at, item.entry), reverse=True)
