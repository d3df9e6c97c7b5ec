"""The table of a club, and who owes whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import lcm
from typing import NamedTuple

from app.kalooki.club.fold import Club, Meeting
from app.kalooki.club.summary import UNKNOWN, SeatResult
from app.kalooki.money import Currency, Payment, settlement
from app.kalooki.people import identify

_NEVER = "9999-99-99"


class LeagueRow(NamedTuple):
    """One person in the table; unranked people, who played too few games, have no place.

    `beaten` is twice the opponents placed behind plus once those placed equal, and twice the opponents met. `left` are
    the points held when others went out, and the hands lost. `money` is in minor units by currency, without payments.
    """

    place: int | None
    person: int
    games: int
    wins: int
    beaten: tuple[int, int]
    hands_won: int
    kalookis: int
    hands: int
    left: tuple[int, int]
    money: Mapping[str, int]

    @property
    def ranked(self) -> bool:
        return self.place is not None


class Slate(NamedTuple):
    """What is owed in one currency: by person what they are owed (negative: they owe), and payments that clear it."""

    currency: Currency
    balances: Mapping[int, int]
    payments: tuple[Payment, ...]


def season_start(today: str, season: str = "") -> str:
    """Return the first day of the season of a day; `season` is its first day of the year (MM-DD; empty: 1 January).

    >>> season_start("2026-08-31", "09-01"), season_start("2026-09-01", "09-01"), season_start("2026-02-03")
    ('2025-09-01', '2026-09-01', '2026-01-01')
    """
    begins = season or "01-01"
    year = int(today[:4]) - (today[5:] < begins)
    return f"{year:04}-{begins}"


def between(played: Iterable[Meeting], first: str = "", last: str = "") -> list[Meeting]:
    """Return the games of the days from `first` to `last`, either of which may be empty; none that are gone."""
    return [each for each in played if each.summary is not UNKNOWN and first <= each.summary.day <= (last or _NEVER)]


def league(
    club: Club, played: Sequence[Meeting], first: str = "", last: str = "", least: int = 1
) -> tuple[LeagueRow, ...]:
    """Return the table of the days from `first` to `last`: ranked people with `least` games or more, then the others.

    The order is by the share of opponents beaten, then wins, then more games; who is equal in all of these shares a
    place, and is sorted by name.
    """
    called = currencies(club, played)
    counts: dict[int, Counter[str]] = {}
    money: dict[int, Counter[str]] = {}
    for meeting in between(played, first, last):
        if meeting.counts:
            _count(meeting, counts, money, called)
    common = lcm(*(own["met"] for own in counts.values()))

    def merit(person: int) -> tuple[int, int, int]:
        own = counts[person]
        return own["beaten"] * (common // own["met"]), own["wins"], own["games"]

    in_order = sorted(counts, key=lambda person: (identify(club.people[person]), person))
    in_order.sort(key=lambda person: (counts[person]["games"] >= least, merit(person)), reverse=True)
    merits = [merit(person) for person in in_order if counts[person]["games"] >= least]
    rows = []
    for person in in_order:
        own = counts[person]
        place = merits.index(merit(person)) + 1 if own["games"] >= least else None
        beaten, left = (own["beaten"], own["met"]), (own["held"], own["lost"])
        sums = {name: own[name] for name in ("games", "wins", "hands_won", "kalookis", "hands")}
        rows.append(LeagueRow(place, person, beaten=beaten, left=left, money=dict(money[person]), **sums))
    return tuple(rows)


def _count(
    meeting: Meeting, counts: dict[int, Counter[str]], money: dict[int, Counter[str]], called: Mapping[str, Currency]
) -> None:
    """Add one game to the counts and the money of whoever sat in it."""
    paid_in = meeting.summary.currency
    for result in meeting.summary.seats:
        person = meeting.people[result.seat]
        beaten, met = beaten_by(meeting, result)
        own = counts.setdefault(person, Counter())
        own["games"] += 1
        own["wins"] += result.place == 1
        own["beaten"] += beaten
        own["met"] += met
        for name in ("hands_won", "kalookis", "hands", "held", "lost"):
            own[name] += getattr(result, name)
        sums = money.setdefault(person, Counter())
        if paid_in:
            currency = called[paid_in.name.casefold()]
            sums[currency.name] += result.won * 10 ** (currency.decimals - paid_in.decimals)


def beaten_by(meeting: Meeting, own: SeatResult) -> tuple[int, int]:
    """Return twice the opponents whom a seat of a game beat plus once those placed equal, and twice those it met."""
    others = [each.place for each in meeting.summary.seats if each.seat != own.seat]
    return sum(2 * (place > own.place) + (place == own.place) for place in others), 2 * len(others)


def currencies(club: Club, played: Iterable[Meeting]) -> dict[str, Currency]:
    """Return the club's currencies by their names in small letters, over all days.

    Each is spelt as in the first game that counts, or else payment, and has the most decimals of any of them.
    """
    games = (each.summary.currency for each in played if each.counts and each.summary.currency)
    paid = (Currency(payment.currency, decimals) for payment, decimals in club.paid)
    called: dict[str, Currency] = {}
    for currency in (*games, *paid):
        first = called.setdefault(currency.name.casefold(), currency)
        called[currency.name.casefold()] = first._replace(decimals=max(first.decimals, currency.decimals))
    return called


def slates(club: Club, played: Sequence[Meeting]) -> tuple[Slate, ...]:
    """Return what is owed in each currency: the balances of games kept on account, less what was paid; over all days.

    The payments are the fewest up to `money.MAX_EXACT` open balances; beyond, they clear everything.
    """
    called = currencies(club, played)
    owed: dict[str, Counter[int]] = {key: Counter() for key in called}
    sums: list[tuple[Currency, Mapping[int, int]]] = [
        (currency, {each.people[result.seat]: result.owed for result in each.summary.seats})
        for each in played
        if each.counts and (currency := each.summary.currency)
    ]
    for payment, decimals in club.paid:
        payer, to = club.whole(payment.payer), club.whole(payment.to)
        moved = Counter({payer: payment.amount})
        moved.subtract({to: payment.amount})
        sums.append((Currency(payment.currency, decimals), moved))
    for currency, amounts in sums:
        key = currency.name.casefold()
        unit = 10 ** (called[key].decimals - currency.decimals)
        owed[key].update({person: amount * unit for person, amount in amounts.items()})
    return tuple(
        Slate(called[key], dict(balances), _cleared(tuple(sorted(balances.items()))))
        for key, balances in sorted(owed.items())
    )


@lru_cache(maxsize=64)
def _cleared(balances: tuple[tuple[int, int], ...]) -> tuple[Payment, ...]:
    return tuple(settlement(dict(balances)))
