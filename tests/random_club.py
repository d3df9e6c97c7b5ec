"""Random clubs: evenings with the games worked out by hand, and whatever a table may tell its club of them."""

from copy import copy
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from app.kalooki.club.events import ClubEntry, read_recorded, read_sent
from app.kalooki.club.fold import fold, meetings
from app.kalooki.club.judging import FoundGame, judge
from app.kalooki.club.league import slates
from app.kalooki.club.summary import summarize
from app.kalooki.game import play as games
from app.kalooki.game.events import from_json
from app.kalooki.kinds import to_json
from tests import slow_club
from tests.kalooki.test_games import GAMES, load

FIRST = ["Ann", "ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida"]
NAMES = [f"{name}{more}" for more in ("", " O’Brien", " Zoë") for name in FIRST]
ZONES = ["Europe/London", "Pacific/Auckland", "America/Jamaica"]
CURRENCIES = [("EUR", 2), ("eur", 2), ("Eur", 3), ("JPY", 0), ("JPY", 2), ("KWD", 3)]
STORIES = [load(path) for path in GAMES]


class Evening:
    """A game of the server: its log, when its first two entries were told, and its address now."""

    def __init__(self, rng, number, names, week):
        self.code, self.origin, self.is_readable, self.cached = f"G{number}", number, True, {}
        self.zone = rng.choice(ZONES)
        self.times = self.times_in(rng, week)
        story = rng.choice(STORIES)
        self.told = [each["event"] for each in story["entries"] if not each.get("refused")]
        self.log = [games.Entry(1, random_start(rng, story["start"], names))]
        self.go_on(rng.choice([2, 5, len(self.told), len(self.told)]))

    def times_in(self, rng, week):
        """Around six in the morning, in the evening, or from paper: noon twice."""
        day = datetime(2025, 12, 1, tzinfo=UTC) + timedelta(days=3 * week)
        if rng.random() < 0.2:
            noon = day.replace(hour=12, tzinfo=ZoneInfo(self.zone)).astimezone(UTC)
            return [noon.isoformat(), noon.isoformat()]
        begun = day.replace(hour=rng.choice([5, 6, 11, 16, 17, 20, 23]), minute=rng.choice([0, 59]))
        return [begun.isoformat(), (begun + timedelta(minutes=9)).isoformat()]

    @property
    def game(self):
        return self.cache("game", lambda: games.play(self.log))

    def day(self, zone):
        return slow_club.day_of(self.times, self.zone, zone, self.game.day)

    def record(self, event):
        if event and not games.judge(self.log, from_json(event), self.game)[1]:
            self.log = [*self.log, games.Entry(len(self.log) + 1, from_json(event))]

    def go_on(self, many):
        for event in self.told[:many]:
            self.record(event)
        self.told = self.told[many:]

    def correct(self, rng):
        """Something is fixed, perhaps long after: a hand, an entry undone, the day; or somebody joins."""
        target = rng.randint(2, max(2, len(self.log)))
        hands = [to_json(entry.event) for entry in self.log if entry.event.kind == "hand"]
        amended = {"kind": "amend", "target": target, "event": rng.choice(hands)} if hands else None
        day = {"kind": "setup", "day": f"2026-0{rng.randint(1, 9)}-15"}
        joined = {"kind": "join", "name": rng.choice(FIRST), "points": 1, "stake": rng.random() < 0.5}
        self.record(rng.choice([amended, {"kind": "undo", "target": target}, day, joined]))

    def plain(self, zone):
        now = {"code": self.code, "origin": self.origin if len(self.log) > 1 else self, "readable": self.is_readable}
        return self.cache("plain", lambda: slow_club.plain(self.game, self.day(zone))) | now

    def summary(self, zone):
        return self.cache("summary", lambda: summarize(self.game, self.day(zone))) if self.is_readable else None

    def cache(self, name, compute):
        if self.cached.get(name, (0, None))[0] != len(self.log):
            self.cached[name] = len(self.log), compute()
        return self.cached[name][1]


def random_start(rng, start, names):
    """The start of a game, with other names and for other money; what no longer fits is not recorded."""
    currency, decimals = rng.choice(CURRENCIES)
    stakes = {**(start.get("stakes") or {}), "currency": currency, "decimals": decimals}
    different = [*{name.casefold(): name for name in rng.sample(names, len(names))}.values()]
    start = start | {"kind": "start", "players": different[: len(start["players"])]}
    start |= {"stakes": rng.choice([stakes, stakes, None]), "settle": rng.choice(["account"] * 5 + ["cash"])}
    return games.opening_entry(from_json(start))[0]


class RandomClub:
    """A club, its games, and what was said: to the program (`log`) and to the slow secretary (`book`)."""

    def __init__(self, rng, evenings, people):
        self.rng, self.evenings, self.names = rng, {}, rng.sample(NAMES, people)
        self.zone, self.week, self.last = rng.choice(ZONES), 0, 0
        start = {"kind": "start", "name": "Thursday", "zone": self.zone}
        self.book, self.log = [{"event": start}], [ClubEntry(1, read_recorded(start))]
        self.most_evenings = evenings

    def copy(self, length=None):
        """The club after so many entries, of which other things can be told; its games are as they are now."""
        other = copy(self)
        other.book, other.log = self.book[:length], self.log[:length]
        return other

    @property
    def plain(self):
        return {number: evening.plain(self.zone) for number, evening in self.evenings.items()}

    @property
    def summaries(self):
        return {number: evening.summary(self.zone) for number, evening in self.evenings.items()}

    @property
    def club(self):
        return fold(self.log)

    @property
    def played(self):
        return meetings(self.club, self.summaries)

    def judged(self, event, *, records=False):
        event, club = read_sent(event), self.club
        number = None
        if event.kind == "game":
            number = next((number for number, each in self.evenings.items() if each.code == event.code), None)
        elif event.kind == "people" and (added := club.game(event.code)):
            number = added.id
        found = self.find(number) if number in self.evenings else None
        return judge(club, event, self.played, found, records=records)

    def find(self, number):
        evening = self.evenings[number]
        if not evening.is_readable:
            return FoundGame(number)
        alike = [other for other, each in self.evenings.items() if each.origin == evening.origin and other != number
                 if len(each.log) > 1 < len(evening.log)]  # fmt: skip
        return FoundGame(number, evening.game.names, alike)

    def say(self, **event):
        """Say something to both; they refuse the same. Return the number of the entry, None if it was refused."""
        records = event["kind"] == "game" and self.rng.random() < 0.5
        recorded, faults = self.judged(event, records=records)
        entry, rules = slow_club.tell(self.book, event, self.plain, records)
        assert bool(faults) == bool(rules), (event, faults, rules)
        assert {fault.rule for fault in faults} <= rules, (event, faults, rules)
        if faults:
            return None
        assert read_recorded(to_json(recorded)) == recorded
        self.book.append(entry)
        self.log.append(ClubEntry(len(self.log) + 1, recorded))
        return len(self.log)

    # Whatever happens

    def some_person(self):
        """Somebody of the club, rarely somebody who is gone or never was."""
        known = [*self.club.people]
        return self.rng.choice(known) if known and self.rng.random() < 0.9 else self.rng.randint(1, 2 * len(known) + 2)

    def some_code(self):
        """The code with which a game was added, rarely any other."""
        added = [game.code for game in self.club.games.values()]
        return self.rng.choice(added) if added and self.rng.random() < 0.9 else f"G{self.rng.randint(1, 99)}"

    def some_evening(self):
        return self.rng.choice([*self.evenings.values()]) if self.evenings else None

    def who(self, seats):
        some = self.rng.sample(seats, self.rng.randint(0, len(seats)))
        return {str(seat): self.rng.choice([self.some_person(), self.some_person(), "New"]) for seat in some}

    def add(self, evening=None):
        evening = evening or self.some_evening()
        if evening:
            people = self.who([*evening.game.players]) if self.rng.random() < 0.3 else {}
            return self.say(kind="game", code=evening.code, **({"people": people} if people else {}))
        return None

    def add_new(self):
        """An evening is added; where names do not tell who sat there, the club does."""
        if len(self.evenings) >= self.most_evenings:
            return
        self.week += self.rng.randint(0, 2)
        self.last += 1
        evening = self.evenings[self.last] = Evening(self.rng, self.last, self.names, self.week)
        people = [*self.club.people.keys() - self.club.merged.keys()]
        if not self.add(evening) and len(people) >= len(evening.game.players):
            told = zip(evening.game.players, self.rng.sample(people, len(evening.game.players)), strict=True)
            self.say(kind="game", code=evening.code, people={str(seat): person for seat, person in told})

    def add_copy(self):
        evening = self.some_evening()
        if evening:
            self.last += 1
            copied = self.evenings[self.last] = copy(evening)
            copied.code, copied.log, copied.cached = f"G{self.last}", evening.log[:2], {}

    def change_evening(self):
        evening = self.some_evening()
        if evening:
            self.rng.choice([lambda: evening.go_on(3), lambda: evening.correct(self.rng)])()

    def reset(self):
        evening = self.some_evening()
        if evening:
            self.last += 1
            evening.code = f"G{self.last}"

    def lose(self):
        if self.evenings and self.rng.random() < 0.5:
            del self.evenings[self.rng.choice([*self.evenings])]
        elif self.evenings:
            evening = self.some_evening()
            evening.is_readable = not evening.is_readable

    def pay(self):
        amount = self.rng.randint(1, 400)
        payment = {"from": self.some_person(), "to": self.some_person(), "amount": amount}
        self.say(kind="paid", payments=[payment | {"currency": self.rng.choice(CURRENCIES)[0]}])

    def pay_all(self):
        owed = [(slate.currency.name, each) for slate in slates(self.club, self.played) for each in slate.payments]
        payments = [payment._asdict() | {"currency": name} for name, payment in owed[:100]]
        if payments:
            self.say(kind="paid", payments=[{"from": each.pop("payer")} | each for each in payments])

    def undo(self):
        """Something is undone: most often an undo, a merge or a drop; rarely what cannot be."""
        turning = [number for number, event in self.log if event.kind in ("undo", "merge", "drop")]
        anything = range(1, len(self.log) + 2)
        self.say(kind="undo", target=self.rng.choice(self.rng.choice([turning or anything, anything])))

    def regret(self):
        """A merge is undone; after both sat in games, or one was merged into somebody else, it holds again."""
        merges = [
            entry for entry in self.log if entry.event.kind == "merge" and entry.number not in self.club.undone_by
        ]
        undo = self.say(kind="undo", target=self.rng.choice(merges).number) if merges else None
        if undo:
            merge = self.log[self.log[-1].event.target - 1].event
            other = self.some_person()
            self.say(kind="merge", person=self.rng.choice([merge.person, merge.into]), into=other)
            for number, evening in self.evenings.items():
                if number not in self.club.games:
                    self.say(kind="game", code=evening.code, people={"1": merge.person, "2": merge.into})
            self.say(kind="undo", target=undo)

    def happen(self):
        code, person, name = self.some_code(), self.some_person(), self.rng.choice(self.names)
        some = {
            self.add_new: 12,
            self.add: 6,
            self.add_copy: 1,
            self.change_evening: 9,
            self.reset: 1,
            self.lose: 1,
            self.pay: 2,
            self.pay_all: 2,
            self.undo: 9,
            self.regret: 3,
            lambda: self.say(kind="person", name=self.rng.choice([*FIRST, *NAMES])): 2,
            lambda: self.say(kind="person_name", id=person, name=self.rng.choice(NAMES)): 2,
            lambda: self.say(kind="people", code=code, people=self.who([1, 2, 3, 4, 9]) or {"1": person}): 4,
            lambda: self.say(kind="drop", code=code): 2,
            lambda: self.say(kind="merge", person=person, into=self.some_person()): 4,
            lambda: self.say(kind="name", name=name): 1,
        }
        self.rng.choices([*some], [*some.values()])[0]()
