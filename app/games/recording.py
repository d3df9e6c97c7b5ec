"""Recording: open a game from its log, judge one more event, and save it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import takewhile
from threading import Condition, Lock
from typing import Any, NamedTuple, NoReturn, TypeVar, cast
from uuid import uuid4

from cachetools import LRUCache, cached
from flask import current_app

from app import days
from app.history.formats import currency_of
from app.history.phrases import GameLabel, label_of
from app.history.record import History, Stamp
from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.faults import Fault
from app.kalooki.game.events import Event, Hand, Setup, Start, Void, from_json, to_json
from app.kalooki.game.play import MOST_ENTRIES, Entry, Game, from_record, judge, opening_entry, play, play_on
from app.kalooki.money import Currency
from app.kalooki.readers import CURRENCY
from app.kalooki.variants import Variant
from app.store import games as stored_games
from app.store.database import NoSuchGame, Version
from app.store.games import Log, StoredEntry
from app.store.trouble import Unavailable

LONGEST_LOG = 500_000
"""The largest size of a log, the sum of `size_of`: a thousand hands of nine players with every card given."""
MOST_CACHED = 4 * LONGEST_LOG
"""The same for all games that a process caches: some 60 MB, one longest game or the evenings of 400 tables."""
MOST_RENDERED = 8 * 1024 * 1024
"""The most characters (bytes, if compressed) of rendered views to cache; a longest game takes less than a quarter."""
_GAMES = "recorded games"
_CACHE_LOCK = Lock()
Rendering = TypeVar("Rendering", str, bytes)


@dataclass(frozen=True)
class RecordedGame(History):
    """A game as recorded: its history, with the `log` from which it was read.

    `name` is the key for caching what is rendered of this game with these entries. Their number is not enough: after a
    backup is restored, the game may have as many, but other, entries.
    """

    log: Log = field(kw_only=True)
    name: str = field(default_factory=lambda: uuid4().hex, repr=False, compare=False, kw_only=True)

    @property
    def seen(self) -> int:
        return len(self.entries)

    @property
    def version(self) -> Version:
        """How far the game had come when it was read; what else a page reads later is at least as new."""
        return Version(self.seen, self.log.signals)

    @property
    def dealt_after(self) -> int:
        """The entry after which the current hand was dealt: the newest hand recorded, or the start."""
        return max((entry.number for entry in self.entries if isinstance(entry.event, (Hand, Void))), default=1)

    @property
    def label(self) -> GameLabel:
        """Where the game is played and when it began, as every page and list says."""
        return label_of(self, days.now())

    @property
    def minutes(self) -> int:
        """The minutes from the start to the newest hand, or to the end of the game; 0 before a hand and for paper."""
        if self.is_from_paper:
            return 0
        finish = self.game.finish
        until = finish.entry if finish else self.dealt_after
        ends = (days.moment(self.log.entries[number - 1].at) for number in (1, until))
        start, end = (at.timestamp() if at else 0 for at in ends)
        return max(0, int(end - start) // 60) if start else 0


class DamagedGame(Unavailable):
    """An entry of this game cannot be read; others may be whole."""

    def __init__(self) -> None:
        super().__init__("damaged")


def zone_of(entries: Sequence[Entry]) -> str:
    """Return the time zone given at the start; empty for none."""
    start = entries[0].event
    return start.zone if isinstance(start, Start) else ""


class Refused(NamedTuple):
    """A refused entry or exported log: all its faults, and the game as it is or would be."""

    faults: tuple[Fault, ...]
    game: Game

    @property
    def variant(self) -> Variant:
        return self.game.variant


class Saved(NamedTuple):
    """An event that is recorded as `entry`, now or (`is_repeated`) before; the game as it is now."""

    record: RecordedGame
    entry: int
    is_repeated: bool = False


class Reused(NamedTuple):
    """An event not saved because its submission was saved before with other contents, as `entry`."""

    record: RecordedGame
    entry: int


class Stale(NamedTuple):
    """An event not saved because somebody has recorded since its form was made."""

    record: RecordedGame


class StartResult(NamedTuple):
    """The result of starting a game: the game, its code, and the secret of the right to record in it.

    Without a secret, this submission started the game before and no longer gives that right. Without a code, the game
    cannot be played (`faults`), or this submission started another game.
    """

    game: Game
    code: str = ""
    secret: str = ""
    is_repeated: bool = False
    faults: tuple[Fault, ...] = ()


def open_game(code: str, *, keep: bool = True) -> RecordedGame | None:
    """Return the game with that code as it is now; unless told to `keep` it, leave it out of the cache.

    One SQL statement fetches only the entries that this process has not cached. Games are cached and shared between
    threads, so nobody may change one. Raises `DamagedGame` if an entry cannot be read.
    """
    with _CACHE_LOCK:
        cached = _cache().get(code)
    try:
        log = stored_games.load(code, cached.log if cached else None)
        if cached and log and log.entries is cached.log.entries and log.signals == cached.log.signals:
            return cached
        record = _read_log(code, log, cached) if log else None
    except (ValueError, LookupError) as cause:
        raise DamagedGame from cause
    with _CACHE_LOCK:
        if record is None:
            _cache().pop(code, None)
        elif keep:
            _cache()[code] = record
    return record


def render_once(record: RecordedGame, key: tuple[object, ...], render: Callable[[], Rendering]) -> Rendering:
    """Return what many phones are shown of a game as it is saved, rendered once.

    `key` is everything else it depends on.
    """
    rendering: Rendering = _render_once((record.name, record.version, key), render)
    return rendering


@cached(LRUCache(MOST_RENDERED, getsizeof=len), key=lambda whole_key, _: whole_key, condition=Condition())
def _render_once(_whole_key: tuple[object, ...], render: Callable[[], Any]) -> Any:
    """Return what is cached under the key; one thread renders it, and others that need it wait for that."""
    return render()


def delete(code: str, grant_id: int | None = None, *, unused_days: int = 0) -> None:
    """Delete a game for good; with `unused_days`, only if nothing was recorded in it for that many days.

    Raises `NoSuchGame`, and `NotAllowed` if the grant was revoked.
    """
    stored_games.delete(code, grant_id, unused_days=unused_days)
    with _CACHE_LOCK:
        _cache().pop(code, None)
    _render_once.cache_clear()


def _cache() -> LRUCache[str, RecordedGame]:
    """Return the cache of games this process opened recently; the caller must hold the lock."""
    cache: LRUCache[str, RecordedGame] = current_app.extensions.setdefault(
        _GAMES, LRUCache(MOST_CACHED, getsizeof=lambda record: record.log.size)
    )
    return cache


def _read_log(code: str, log: Log, cached: RecordedGame | None = None) -> RecordedGame:
    """Return the game that a log adds up to, reusing what is cached of it."""
    if cached and log.entries is cached.log.entries:
        return replace(cached, log=log)
    if cached and log.entries[: cached.seen] != cached.log.entries:
        cached = None
    new = [Entry(entry.seq, from_json(entry.event)) for entry in log.entries[cached.seen if cached else 0 :]]
    entries = [*(cached.entries if cached else ()), *new]
    return _make_record(
        code, log, entries, play_on(cached.game, entries, cached.seen) if cached else play(entries), cached
    )


def _make_record(
    code: str, log: Log, entries: Sequence[Entry], game: Game, earlier: RecordedGame | None = None
) -> RecordedGame:
    """Return the recorded game of a log; `earlier` is that of its first entries."""
    zone = days.known_zone(zone_of(entries))
    stamps = earlier.stamps if earlier and earlier.zone == zone else ()
    new = (Stamp(days.on_the_wall(entry.at, zone), entry.actor) for entry in log.entries[len(stamps) :])
    return RecordedGame(code, zone, game, entries, (*stamps, *new), log=log)


def start(event: Start, submission: str, actor: str) -> StartResult:
    """Start a game, exactly once however often the form is sent; raises BadInput for an unknown time zone."""
    require_zone(event.zone, "zone")
    recorded, game, faults = opening_entry(event)
    if faults:
        return StartResult(game, faults=tuple(faults))
    return StartResult(game, *stored_games.new_game(to_json(recorded), submission, actor))


def preview(record: RecordedGame, event: Event) -> RecordedGame | Refused:
    """Return the game as it would be with one more event; nothing is stored."""
    game, faults = _judge(record, event, to_json(event))
    return Refused(tuple(faults), record.game) if faults else replace(record, game=game)


def _judge(record: RecordedGame, event: Event, plain: stored_games.Event) -> tuple[Game, list[Fault]]:
    """Return the game with one more event, and its faults; the event must also fit into the log."""
    if record.log.size + stored_games.size_of(stored_games.serialize(plain)) > LONGEST_LOG:
        return record.game, [Fault("game-full", facts={"most": MOST_ENTRIES})]
    if isinstance(event.inner, Setup) and (event.inner.day or "") > days.today(record.zone):
        return record.game, [Fault("day-to-come", facts={"field": "day", "day": event.inner.day})]
    return judge(record.entries, event, record.game)


def save(
    code: str, event: Event, seen: int, submission: str, actor: str, grant_id: int | None = None
) -> Saved | Refused | Reused | Stale:
    """Judge an event against the log it extends, and add it exactly once.

    A submission that was saved before is recognised, because its form is out of date. Raises `NoSuchGame`, and
    `NotAllowed` if the grant may no longer record.
    """
    with _CACHE_LOCK:
        cached = _cache().get(code)
    # `append` makes sure that the cached game is the newest
    record, plain = cached if cached and cached.seen == seen else _open_existing(code), to_json(event)
    if record.seen != seen:
        return _answer_unsaved(code, plain, submission)
    # judged before the lock is taken; the ruling holds if nobody adds an entry in between
    game, faults = _judge(record, event, plain)
    if faults:
        unsaved = _answer_unsaved(code, plain, submission)
        is_in_time = isinstance(unsaved, Stale) and unsaved.record.seen == seen
        return Refused(tuple(faults), unsaved.record.game) if is_in_time else unsaved
    entry = stored_games.append(code, seen, plain, submission, actor, grant_id)
    if entry is None:
        return _answer_unsaved(code, plain, submission)
    saved = _make_record(code, record.log.extended(entry), [*record.entries, Entry(entry.seq, event)], game, record)
    with _CACHE_LOCK:
        _cache()[code] = saved
    return Saved(saved, entry.seq)


def _answer_unsaved(code: str, plain: stored_games.Event, submission: str) -> Saved | Reused | Stale:
    """Return what this submission was saved as before, if it was, or the game as it is without it."""
    number = stored_games.saved_as(code, submission)
    record = _open_existing(code)
    if number is None:
        return Stale(record)
    is_same = record.log.entries[number - 1].event == plain
    return Saved(record, number, is_repeated=True) if is_same else Reused(record, number)


def _open_existing(code: str) -> RecordedGame:
    record = open_game(code)
    if record is None:
        raise NoSuchGame(code)
    return record


def import_game(export: Sequence[dict[str, Any]], submission: str, actor: str) -> StartResult:
    """Start a new game from the exported log of another, as `read_export` reads it."""
    original = read_export(export)
    if isinstance(original, Refused):
        return StartResult(original.game, faults=original.faults)
    return StartResult(original.game, *stored_games.import_log(original.log.entries, submission, actor))


def read_export(export: Sequence[dict[str, Any]]) -> RecordedGame | Refused:
    """Return the game that an exported log would make, which has no code yet; its entries have `event`, `at` and `by`.

    Raises BadInput for something that is not a log or is too long. That error, and the faults of a game that cannot be
    played, name fields by their path in the log.
    """
    entries = from_record([entry.get("event") for entry in export])
    plain = [to_json(event) for _, event in entries]
    size = sum(stored_games.size_of(stored_games.serialize(event)) for event in plain)
    if size > LONGEST_LOG:
        raise BadInput("{field}: this log is longer than a game can be.", "log")
    require_zone(zone_of(entries), _of_start("zone"))
    try:
        opening = play(entries[:1])
    except BadInput as error:
        raise error.at(_of_start(error.field)) from error
    if opening.faults:
        at = ((noted.fault, _of_start(str(noted.fault.facts["field"]))) for noted in opening.faults)
        return Refused(tuple(replace(fault, facts={**fault.facts, "field": field}) for fault, field in at), opening)
    try:
        game = play(entries)  # if a later entry makes the game unplayable, say so now and not at every view
    except BadInput as error:  # the house rules of all entries together do not fit
        raise error.at("log") from error
    stored = (
        StoredEntry(number, event, str(raw.get("by") or ""), _time_in_export(raw, number))
        for number, (event, raw) in enumerate(zip(plain, export, strict=True), 1)
    )
    return _make_record("", Log(tuple(stored), size=size), entries, game)


def _time_in_export(raw: Mapping[str, Any], number: int) -> str:
    """Return when an entry was recorded, but never a time to come; empty if the file says nothing about it."""
    at = raw.get("at") or ""
    if at and not (isinstance(at, str) and (at := days.until_now(at))):
        message = "{field}: “{word}” isn’t a time. Write it like 2026-11-28T20:15:00Z."
        raise BadInput(message, f"log.{number}.at", raw["at"])
    return at


def require_zone(name: str, field: str) -> None:
    """Raise BadInput for an unknown time zone; an empty one means the server's own."""
    if name and not days.is_zone(name):
        raise BadInput("{field}: “{word}” isn’t a time zone. Write one such as America/Jamaica.", field, name)


def _of_start(field: str) -> str:
    """Return the path of a start's field in the imported log."""
    return f"log.1.event.{field}"


def without_continued(records: Sequence[RecordedGame], follows: Callable[[str], bool | None]) -> list[RecordedGame]:
    """Keep one of a game and the copy in which it continues: the copy or, if it is not followed, the game.

    `follows` says whether a copy counts on this device. If it returns None, both are kept if both were continued.
    """
    by_code = {record.code: record for record in records}
    uncounted = set()
    for copy in stored_games.copies_among(by_code) if len(records) > 1 else ():
        if original := by_code.get(copy.of):
            counts = follows(copy.code)
            if counts is False:
                uncounted.add(copy.code)
            elif counts or not _was_continued(original, by_code[copy.code]):
                uncounted.add(copy.of)
    return [record for record in records if record.code not in uncounted]


def _was_continued(original: RecordedGame, copy: RecordedGame) -> bool:
    """Return whether something was recorded in a game after that copy was made."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(_plain_entries(original), _plain_entries(copy), strict=False))
    return sum(1 for _ in same) < original.seen


def copy(record: RecordedGame, submission: str, device: str) -> StartResult:
    """Start a copy of a game, in which the table continues on another device."""
    result = StartResult(record.game, *stored_games.import_log(record.log.entries, submission, device))
    if result.secret:
        stored_games.continue_in(record.code, result.code, device)
    return result


def without_copies(records: Sequence[RecordedGame]) -> list[RecordedGame]:
    """Drop every game whose log is a prefix of another's, such as a game restored from its sheet next to its original.

    Of two games with equally long logs, the first is kept.
    """
    originals: dict[str, RecordedGame] = {}
    for record in sorted(records, key=lambda each: -each.seen):
        if not any(is_same_so_far(record, other) for other in originals.values()):
            originals[record.code] = record
    return [record for record in records if record.code in originals]


def is_same_so_far(record: RecordedGame, other: RecordedGame) -> bool:
    """Return whether one log begins with the other: the same game, which may have continued in one of them."""
    both = min(record.seen, other.seen)
    return _plain_entries(record, both) == _plain_entries(other, both)


def codes_of_repeats(records: Sequence[RecordedGame]) -> list[str]:
    """Return the codes of games that began as an older one of them did: the same start, first entry and times."""
    same: dict[str, list[str]] = {}
    for record in records:
        if record.seen > 1:
            same.setdefault(json.dumps(_plain_entries(record, 2), sort_keys=True), []).append(record.code)
    alike = [codes for codes in same.values() if len(codes) > 1]
    by_age = stored_games.codes([code for codes in alike for code in codes]) if alike else ()
    return [code for codes in alike for code in sorted(codes, key=by_age.index)[1:]]


def _plain_entries(record: RecordedGame, most: int | None = None) -> list[tuple[dict[str, Any], str]]:
    return [(entry.event, entry.at) for entry in record.log.entries[:most]]


LEVELS_OF_A_LOG = 2 * readers.MOST_LEVELS
"""The most levels of nesting: enough for the deepest claim that a log can store, inside an imported log."""
MOST_BRACKETS = LONGEST_LOG // 10
"""The most lists and objects of a JSON text: twice those of a longest log, whose export adds some to each entry."""


def whole_log(record: RecordedGame) -> str:
    """Return the game as JSON from which it can be restored."""
    log = [{"entry": each.seq, "at": each.at, "by": each.actor, "event": each.event} for each in record.log.entries]
    # sorted, because an entry just typed and the same one read back have their keys in different orders
    return json.dumps({"code": record.code, "log": log}, ensure_ascii=False, indent=1, sort_keys=True)


def log_of(raw: object) -> list[dict[str, Any]]:
    """Return the log in the file of an exported game; raises BadInput for anything else."""
    log = raw.get("log") if isinstance(raw, dict) else None
    if isinstance(log, list) and log and all(isinstance(each, dict) for each in log):
        return log
    raise BadInput("{field}: send the log of an exported game.", "log")


def as_json(text: bytes) -> Any:
    """Return the value of a JSON text; raises ValueError or RecursionError for any other text.

    Also refuses NaN and Infinity, which are not JSON; a lone surrogate, which no page or sheet could show; nesting too
    deep to quote in an error message; and more than MOST_BRACKETS lists, which would take 25 times as much memory.
    """
    if text.count(b"[") + text.count(b"{") > MOST_BRACKETS:
        raise ValueError("too many lists")
    raw = json.loads(text, parse_float=_number, parse_constant=_refuse)
    if readers.is_deeper(raw, LEVELS_OF_A_LOG):
        raise ValueError("nested too deeply")
    json.dumps(raw, ensure_ascii=False).encode()
    return raw


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)


def _number(text: str) -> int | float:
    """Return a number written with a point or an exponent; in JSON, 25.0 is as whole as 25."""
    number = float(text)
    return int(number) if number.is_integer() and abs(number) <= readers.MOST_MONEY else number


SAMPLE_VARIANT = "european"
SAMPLE_PLAYERS = ("Alma", "Bruno", "Cleo", "Dario")
SAMPLE_STAKES = {"call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}
SAMPLE_NOTE = "Sample game: deleted when you leave"
SAMPLE_HANDS = (
    {"winner": 2, "ending": "going_out", "left": {"1": "KH QD 5C", "3": {"points": 28}, "4": "9S 9D 4H"}},
    {"winner": 1, "ending": "kalooki", "left": {"2": {"points": 17}, "3": "JC 8H 3D 2S", "4": {"points": 34}}},
    {"winner": 3, "ending": "going_out", "left": {"1": {"points": 12}, "2": "10H 10C 4S", "4": "* KD"}},
)


def start_sample(zone: str, region: str, submission: str, actor: str) -> StartResult:
    """Start a sample game with its three hands recorded."""
    place = {"region": region, "zone": zone if days.is_zone(zone) else ""}
    return import_sample(SAMPLE_PLAYERS, SAMPLE_HANDS, place, submission, actor)


def import_sample(
    players: Sequence[str],
    hands: Sequence[Mapping[str, Any]],
    more: Mapping[str, Any],
    submission: str,
    actor: str,
    days_ago: int = 0,
) -> StartResult:
    """Start a game with these hands recorded, nine minutes each, some days ago; its start has `more`, such as a region.

    Empty values of `more` are left out.
    """
    stakes = Currency.called(currency_of(more["region"]) or CURRENCY).stated | SAMPLE_STAKES
    usual = {"kind": "start", "variant": SAMPLE_VARIANT, "stakes": stakes, "note": SAMPLE_NOTE}
    fields = {key: value for key, value in more.items() if value}
    start = cast("Start", from_json({**usual, "players": [*players], **fields}))
    recorded, _game, _faults = opening_entry(start)
    events = [to_json(recorded), *({"kind": "hand", **hand} for hand in hands)]
    now = days.moment(days.now())
    assert now  # noqa: S101 - the log writes times that can be read
    beginning = now - timedelta(days=days_ago, minutes=9 * len(events))
    export = [
        {"event": event, "at": f"{beginning + timedelta(minutes=9 * place):%Y-%m-%dT%H:%M:%SZ}", "by": actor}
        for place, event in enumerate(events)
    ]
    result = import_game(export, submission, actor)
    assert result.secret  # noqa: S101 - a submission of our own, a game that can be played
    return result
