"""Clubs: open one from its log, judge one more event, and save it; the summaries of its games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from cachetools import LRUCache
from flask import current_app

from app import days
from app.games.recording import SAMPLE_NOTE, DamagedGame, RecordedGame, delete, import_sample, open_game, require_zone
from app.history.timeline import title_of
from app.kalooki.club.events import (
    AddGame,
    ClubEntry,
    ClubEvent,
    ClubStart,
    DropGame,
    Merge,
    SeatPeople,
    SettleUp,
    read_recorded,
    read_sent,
)
from app.kalooki.club.fold import Club, Meeting, fold, meetings
from app.kalooki.club.judging import FoundGame, fault_of_return, judge
from app.kalooki.club.summary import GameCorrection, Summary, summarize
from app.kalooki.faults import Fault
from app.kalooki.game.corrections import is_correction
from app.kalooki.game.play import corrected_start
from app.kalooki.kinds import to_json
from app.kalooki.readers import LONGEST_SUBMISSION
from app.store import clubs as stored_clubs
from app.store import games as stored_games
from app.store.clubs import CountedGame
from app.store.database import NoSuchGame, Version, clean_label, version
from app.store.games import Log, StoredEntry

CLUB = "club"
USUAL = ("variant", "house", "stakes", "settle")
"""What the club's usual rules have of a game's start."""
LONGEST_CLUB = 2_000_000
"""The largest size of a club's log, the sum of `size_of`: a thousand games of nine people take an eighth."""
MOST_CACHED_CLUBS = 16
MOST_SUMMARIES = 5_000
"""The most clubs and summaries that a process caches: of a game of five, a summary takes some 2 kB."""
MOST_ANSWERS = 20
"""The most things kept that were made of one club as it is: tables of other days, answers in JSON."""
_CLUBS, _SUMMARIES = "recorded clubs", "summaries"
_CACHE_LOCK = Lock()
T = TypeVar("T")


@dataclass(frozen=True)
class RecordedClub:
    """A club as recorded, with the games that count in it as they are now, by id.

    `version` is how far it had come when it was read; `answers` keeps what was made of it since (`once`).
    """

    code: str
    version: Version
    log: Log
    entries: tuple[ClubEntry, ...]
    club: Club
    counted: Mapping[int, CountedGame]
    answers: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def seen(self) -> int:
        return len(self.entries)

    @property
    def stamps(self) -> list[tuple[str, str]]:
        """When and by whom each entry was recorded."""
        return [(each.at, each.actor) for each in self.log.entries]

    @property
    def zone(self) -> str:
        return days.known_zone(self.club.zone)

    @cached_property
    def played(self) -> tuple[Meeting, ...]:
        """The club's games with who sat where and how they ended, in the order of their days."""
        return meetings(self.club, {each.id: _summary(each, self.zone) for each in self.counted.values()})

    @cached_property
    def dropped(self) -> dict[str, str]:
        """When each game was dropped that does not count any more, by the code with which it was added."""
        return {
            event.code: self.log.entries[number - 1].at
            for number, event in self.entries
            if isinstance(event, DropGame) and number not in self.club.undone_by and not self.club.game(event.code)
        }

    @cached_property
    def dropped_games(self) -> dict[str, Summary]:
        """The summaries of dropped games that are still there, by the code with which they were added."""
        games = {code: open_game(code, keep=False) for code in self.dropped}
        return {code: _summarize(game, self.zone) for code, game in games.items() if game}

    def once(self, key: object, make: Callable[[], T]) -> T:
        """Return what `make` returns, made once for the club as it is; the first few are kept, by `key`."""
        answer: T | None = self.answers.get(key)
        if answer is None:
            answer = make()
            if len(self.answers) < MOST_ANSWERS:
                self.answers[key] = answer
        return answer

    def code_of(self, meeting: Meeting) -> str | None:
        """Return the code of a game; None if its links were reset since it was added, or it is gone."""
        now = self.counted.get(meeting.game.id)
        return now.code if now and now.code == meeting.game.code else None


class ClubResult(NamedTuple):
    """What became of an event: it was `saved` as `entry`, now or before (`repeated`), or was not.

    Then it was `refused` with `faults`, `stale` because somebody has recorded since, or its submission was `reused`
    with other contents, after saving them as `entry`.
    """

    state: str
    record: RecordedClub
    entry: int = 0
    faults: tuple[Fault, ...] = ()


def start(event: ClubStart, submission: str, actor: str) -> stored_games.NewGame:
    """Start a club, exactly once however often it is sent; raises BadInput for an unknown time zone."""
    require_zone(event.zone, "zone")
    return stored_games.new_game(to_json(event), submission, actor, CLUB)


def open_club(code: str) -> RecordedClub | None:
    """Return the club with that code as it is now; one SQL statement if nothing changed in it or in its games.

    Raises `DamagedGame` if an entry cannot be read.
    """
    now = version(code, CLUB)
    with _CACHE_LOCK:
        cached = _cache(_CLUBS, MOST_CACHED_CLUBS).get(code)
    if now is None or (cached and cached.version == now):
        return cached if now else None
    try:
        log = stored_games.load(code, cached.log if cached else None, CLUB)
        if log is None:
            return None
        if cached and cached.log.entries is log.entries:  # something changed in its games only
            entries, club = cached.entries, cached.club
        else:
            entries = tuple(ClubEntry(each.seq, read_recorded(each.event)) for each in log.entries)
            club = fold(entries)
        record = RecordedClub(code, now, log, entries, club, stored_clubs.counted_games(code))
    except (ValueError, LookupError) as cause:
        raise DamagedGame from cause
    with _CACHE_LOCK:
        _cache(_CLUBS, MOST_CACHED_CLUBS)[code] = record
    return record


def _cache(name: str, most: int) -> LRUCache[Any, Any]:
    """Return a cache of this process; the caller must hold the lock."""
    cache: LRUCache[Any, Any] = current_app.extensions.setdefault(name, LRUCache(most))
    return cache


def _summary(counted: CountedGame, zone: str) -> Summary | None:
    """Return the summary of a game by the day in a club's zone; None if the game cannot be read."""
    key = (counted.id, counted.length, zone)
    with _CACHE_LOCK:
        summary: Summary | None = _cache(_SUMMARIES, MOST_SUMMARIES).get(key)
    if summary is None:
        with suppress(DamagedGame):
            if record := open_game(counted.code, keep=False):
                summary = _summarize(record, zone)
                with _CACHE_LOCK:
                    _cache(_SUMMARIES, MOST_SUMMARIES)[counted.id, record.seen, zone] = summary
    return summary


def _summarize(record: RecordedGame, zone: str) -> Summary:
    began = "" if record.is_from_paper or record.game.day else days.on_the_wall(record.log.entries[0].at, zone)[11:]
    finish = record.game.finish
    early = finish is not None and finish.pool != "winners"
    summary = summarize(record.game, _day_of(record, zone))
    stored = record.log.entries
    paid = tuple(each._replace(at=stored[each.entry - 1].at, by=stored[each.entry - 1].actor) for each in summary.paid)
    since = record.entries[finish.entry :] if finish else ()
    corrections = tuple(
        GameCorrection(number, stored[number - 1].at, stored[number - 1].actor, title_of(record, event, number))
        for number, event in since
        if is_correction(event)
    )
    return summary._replace(time=began, hand=record.game.number, ended_early=early, paid=paid, corrections=corrections)


def _day_of(record: RecordedGame, zone: str) -> str:
    """Return the day of a game: as corrected, or on paper, else the day at the table in that zone when it began."""
    if record.game.day or record.is_from_paper:
        return record.day
    return days.day_at_table(days.on_the_wall(record.log.entries[0].at, zone))


def save(
    code: str, event: ClubEvent, seen: int, submission: str, right: tuple[str, int | None], *, records: bool = False
) -> ClubResult:
    """Judge an event against the log it extends, and add it exactly once.

    `right` is who records and the id of the grant they do it by; `records` whether they have a right to record in the
    game they add. Raises `NoSuchGame`, and `NotAllowed` if that grant was revoked.
    """
    record, (actor, grant) = _open_existing(code), right
    faults: list[Fault] = []
    if seen == record.seen:
        recorded, faults = _judge(record, event, records=records)
        entry = StoredEntry(seen + 1, to_json(recorded), clean_label(actor), days.now())
        club = fold([*record.entries, ClubEntry(entry.seq, recorded)]) if not faults else record.club
        faults = faults or _judge_return(record.club, club)
        games = {each.id: (each.code, each.records) for each in club.games.values()}
        if not faults and stored_games.append_entry(
            code, entry, submission, grant, lambda club_id: stored_clubs.count(club_id, games)
        ):
            return ClubResult("saved", _open_existing(code), entry.seq)
    number = stored_games.saved_as(code, submission)
    record = _open_existing(code)
    if number:
        is_same = record.entries[number - 1].event.as_sent == event.as_sent
        return ClubResult("repeated" if is_same else "reused", record, number)
    is_refused = faults and seen == record.seen
    return ClubResult("refused", record, faults=tuple(faults)) if is_refused else ClubResult("stale", record)


def add_game(
    code: str,
    game: str,
    submission: str,
    right: tuple[str, int | None],
    *,
    records: bool,
    people: Mapping[int, int | str] | None = None,
) -> ClubResult:
    """Add a game to a club exactly once, whatever is recorded in the club meanwhile; `people` as an event has them.

    `submission` is that of the page, which may add several games.
    """
    event, own = AddGame(game, people or {}), f"{game} {submission}"[:LONGEST_SUBMISSION]
    result = save(code, event, _open_existing(code).seen, own, right, records=records)
    while result.state == "stale":
        result = save(code, event, result.record.seen, own, right, records=records)
    return result


def usual_of(game: RecordedGame) -> dict[str, Any]:
    """Return the rules and stakes with which a game was played."""
    start = to_json(corrected_start(game.entries))
    return {name: start[name] for name in USUAL if name in start}


def set_usual(
    code: str, game: RecordedGame, submission: str, right: tuple[str, int | None], season: str = ""
) -> ClubResult:
    """Record that a new game of a club begins with the rules and stakes of a game."""
    usual = read_sent({"kind": "usual", "season": season} | usual_of(game))
    return save(code, usual, _open_existing(code).seen, submission, right)


def _open_existing(code: str) -> RecordedClub:
    record = open_club(code)
    if record is None:
        raise NoSuchGame(code)
    return record


def _judge(record: RecordedClub, event: ClubEvent, *, records: bool) -> tuple[ClubEvent, list[Fault]]:
    if record.log.size + stored_games.size_of(stored_games.serialize(to_json(event))) > LONGEST_CLUB:
        return event, [Fault("club-full", facts={"field": "kind", "what": "characters", "most": LONGEST_CLUB})]
    played = record.played if isinstance(event, (Merge, SeatPeople, SettleUp)) else ()
    return judge(record.club, event, played, _find(record, event), records=records)


def _judge_return(now: Club, then: Club) -> list[Fault]:
    """Return the fault of an entry by which a game counts whose copy counts already."""
    back = then.games.keys() - now.games.keys()
    return fault_of_return(now, [copy for each in back for copy in stored_clubs.copies(each, now.games)])


def _find(record: RecordedClub, event: ClubEvent) -> FoundGame | None:
    """Return the game that an event's code leads to: for a game that counts, whatever code it has now."""
    code, game_id = "", None
    if isinstance(event, AddGame):
        code, game_id = event.code, stored_clubs.find_game(event.code)
    elif isinstance(event, SeatPeople) and (game := record.club.game(event.code)) and game.id in record.counted:
        code, game_id = record.counted[game.id].code, game.id
    if game_id is None:
        return None
    try:
        recorded = open_game(code)
    except DamagedGame:
        return FoundGame(game_id)
    if recorded is None:
        return None
    return FoundGame(game_id, recorded.game.names, stored_clubs.copies(game_id, record.club.games))


def faults_of_index(record: RecordedClub) -> Iterator[str]:
    """Yield what differs between the games that count by a club's log and those stored as counting."""
    by_log = {game.id: game for game in record.club.games.values()}
    for game_id, counted in stored_clubs.counted_games(record.code).items():
        game = by_log.pop(game_id, None)
        if game is None:
            yield f"game {counted.code} counts by the index, not by the log"
        elif counted.records != (game.records and game.code == counted.code):
            yield f"keepers {'may' if counted.records else 'may not'} record in game {counted.code} by the index alone"
    for game in by_log.values():
        if stored_clubs.find_game(game.code) == game.id:  # otherwise it was deleted
            yield f"game {game.code} counts by the log, not by the index"


SAMPLE_CLUB = "Sample club"
SAMPLE_EVENINGS = (
    (("Alma", "Bruno", "Cleo", "Dario"), ((1, {2: 62, 3: 48, 4: 90}), (3, {1: 35, 2: 91, 4: 71}), (1, {3: 104}))),
    (("Cleo", "Dario", "Bruno"), ((2, {1: 84, 3: 55}), (3, {1: 66, 2: 31}), (2, {3: 97}))),
    (("Dario", "Alma", "Bruno", "Cleo"), ((4, {1: 77, 2: 25, 3: 102}), (2, {1: 73, 3: 51, 4: 38}), (4, {2: 125}))),
)
"""Who sat where on each evening, and each hand's winner and points of the others still in; nobody bought in."""


def start_sample_club(region: str, submission: str, actor: str) -> stored_games.NewGame:
    """Start a club with three sample games, a week apart, the last a week ago; its season begins with the first."""
    club = start(ClubStart(SAMPLE_CLUB), submission, actor)
    games, weeks = [], range(len(SAMPLE_EVENINGS), 0, -1)
    for ago, (players, hands) in zip(weeks, SAMPLE_EVENINGS, strict=True):
        played = [
            {"winner": winner, "ending": "going_out", "left": {str(seat): {"points": left[seat]} for seat in left}}
            for winner, left in hands
        ]
        terms = {"region": region, "house": {"buy_ins": 0}}
        game = import_sample(players, played, terms, f"{submission} {ago}", actor, 7 * ago)
        add_game(club.code, game.code, submission, (actor, None), records=True)
        games.append(game.code)
    first = _open_existing(club.code).played[0].summary.day[5:]
    if latest := open_game(games[-1]):
        season = "02-28" if first == "02-29" else first  # no season begins on a leap day
        set_usual(club.code, latest, f"{submission} usual", (actor, None), season)
    return club


def delete_sample_club(record: RecordedClub) -> None:
    """Delete a sample club and its sample games; other games that were added to it stay."""
    for counted in record.counted.values():
        game = open_game(counted.code)
        if game and game.game.note == SAMPLE_NOTE:
            delete(counted.code)
    delete(record.code)
