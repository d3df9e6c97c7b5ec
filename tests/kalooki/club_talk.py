"""Helpers for tests that tell a club's story entry by entry, with the results of its games."""

from app.kalooki.club.events import ClubEntry, read_recorded, read_sent
from app.kalooki.club.fold import fold, meetings
from app.kalooki.club.judging import FoundGame, judge
from app.kalooki.club.league import league, slates
from app.kalooki.club.summary import SeatResult, Summary
from app.kalooki.money import Currency


def game(*seats, day="2026-11-26", currency="EUR", decimals=2, status="over", variant="european"):
    """A game's summary; each seat is (name, place, won) or a SeatResult, and what was won is owed."""
    rows = tuple(each if isinstance(each, SeatResult) else seat(number, *each) for number, each in enumerate(seats, 1))
    return Summary(day, variant, status, Currency(currency, decimals) if currency else None, rows)


def seat(number, name, place=1, won=0, **more):
    """A seat's result: the numbers of hands by name, and `owed` if it differs from what was won."""
    hands = dict.fromkeys(("hands", "hands_won", "kalookis", "held", "lost"), 0)
    return SeatResult(number, name, place, won=won, **{**hands, "owed": won, **more})


class Talk:
    """A club as it is told; games have the codes G1, G2, … and the ids 1, 2, …"""

    def __init__(self):
        self.log = [ClubEntry(1, read_recorded({"kind": "start", "name": "Thursday", "zone": "Europe/London"}))]
        self.games = {}
        self.copies = {}

    @property
    def club(self):
        return fold(self.log)

    @property
    def played(self):
        return meetings(self.club, self.games)

    def judged(self, kind, **fields):
        fields = {name.rstrip("_"): value for name, value in fields.items()}
        event = read_sent({"kind": kind} | fields)
        number = int(fields["code"][1:]) if str(fields.get("code")).startswith("G") else None
        found = None
        if number in self.games:
            summary = self.games[number]
            found = FoundGame(number, summary and summary.names, self.copies.get(number, ()))
        return judge(self.club, event, self.played, found, records=kind == "game")

    def say(self, kind, **fields):
        event, faults = self.judged(kind, **fields)
        assert not faults, faults
        self.log.append(ClubEntry(len(self.log) + 1, event))
        return len(self.log)

    def refused(self, kind, **fields):
        """The slugs for which it is refused, with their fields."""
        return [(fault.rule, fault.facts["field"]) for fault in self.judged(kind, **fields)[1]]

    def play(self, *seats, people=None, **more):
        """Play a game and add it; return the number of the entry."""
        number = len(self.games) + 1
        self.games[number] = game(*seats, **more)
        return self.say("game", code=f"G{number}", people=people or {})

    def people(self):
        return dict(self.club.people)

    def table(self, *dates, least=1):
        return league(self.club, self.played, *dates, least=least)

    def places(self, *dates, least=1):
        """Who has which place, by name and in order."""
        return [(self.club.people[row.person], row.place) for row in self.table(*dates, least=least)]

    def owed(self):
        """What is owed: (from, to, amount, currency) by name."""
        names = self.club.people
        return [
            (names[each.payer], names[each.to], each.amount, slate.currency.name)
            for slate in slates(self.club, self.played)
            for each in slate.payments
        ]

    def problems(self):
        return [(each.game.code, *each.problem) for each in self.played if each.problem]
