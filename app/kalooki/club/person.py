"""One person in a club: their games, their evenings, and whom they met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from app.kalooki.club.fold import Club, Meeting
from app.kalooki.club.league import beaten_by, between, currencies
from app.kalooki.club.summary import SeatResult
from app.kalooki.people import identify


class PersonGame(NamedTuple):
    """A game that counts, as one person's; `beaten` adds up to that of their row, and so does `money`.

    `money` is in minor units of the club's currency `currency`; that is None in a game without money.
    """

    meeting: Meeting
    result: SeatResult
    beaten: tuple[int, int]
    currency: str | None
    money: int


class Evening(NamedTuple):
    """A person's games of one day, with the sums of their `beaten` and, by currency, of their money."""

    day: str
    games: tuple[PersonGame, ...]
    beaten: tuple[int, int]
    money: Mapping[str, int]


class Opponent(NamedTuple):
    """Somebody a person met, in how many games, and how often the person was placed `ahead`, `level` and `behind`."""

    person: int
    games: int
    ahead: int
    level: int
    behind: int


def games_of(
    club: Club, played: Sequence[Meeting], person: int, first: str = "", last: str = ""
) -> tuple[PersonGame, ...]:
    """Return the games that count of one person, from day `first` to day `last`, in their order."""
    called = currencies(club, played)
    games = []
    for meeting in between(played, first, last):
        own = next((each for each in meeting.summary.seats if meeting.people.get(each.seat) == person), None)
        if own is None or not meeting.counts:
            continue
        paid_in = meeting.summary.currency
        currency = called[paid_in.name.casefold()] if paid_in else None
        money = own.won * 10 ** (currency.decimals - paid_in.decimals) if currency and paid_in else 0
        games.append(PersonGame(meeting, own, beaten_by(meeting, own), currency.name if currency else None, money))
    return tuple(games)


def evenings(games: Iterable[PersonGame]) -> tuple[Evening, ...]:
    """Return a person's evenings, in the order of their days."""
    by_day: dict[str, list[PersonGame]] = {}
    for game in games:
        by_day.setdefault(game.meeting.summary.day, []).append(game)
    return tuple(_evening(day, tuple(its)) for day, its in sorted(by_day.items()))


def _evening(day: str, games: tuple[PersonGame, ...]) -> Evening:
    money: Counter[str] = Counter()
    for game in games:
        if game.currency:
            money[game.currency] += game.money
    beaten = sum(game.beaten[0] for game in games), sum(game.beaten[1] for game in games)
    return Evening(day, games, beaten, dict(money))


def best_and_worst(of: Sequence[Evening]) -> tuple[Evening, Evening] | None:
    """Return a person's best and worst evening, by the share of opponents beaten; None if these are equal.

    Of several equal ones, it is the last.
    """
    if not of:
        return None
    best = worst = of[0]
    for evening in of:
        best = evening if _compare(evening, best) >= 0 else best
        worst = evening if _compare(evening, worst) <= 0 else worst
    return (best, worst) if _compare(best, worst) > 0 else None


def _compare(one: Evening, other: Evening) -> int:
    """Return a positive number if more was beaten on `one` evening than on the `other`, a negative one if less."""
    return one.beaten[0] * other.beaten[1] - other.beaten[0] * one.beaten[1]


def opponents(club: Club, games: Iterable[PersonGame]) -> tuple[Opponent, ...]:
    """Return whom a person met in these games: who they met most often first, then by name."""
    counts: dict[int, Counter[str]] = {}
    for game in games:
        own = game.result
        for other in game.meeting.summary.seats:
            if other.seat != own.seat:
                how = "ahead" if own.place < other.place else "level" if own.place == other.place else "behind"
                counts.setdefault(game.meeting.people[other.seat], Counter()).update(games=1, **{how: 1})
    met = [Opponent(person, *(of[name] for name in Opponent._fields[1:])) for person, of in counts.items()]
    return tuple(sorted(met, key=lambda each: (-each.games, identify(club.people[each.person]), each.person)))
