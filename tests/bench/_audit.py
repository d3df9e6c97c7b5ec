"""Compares a database with the answers that phones got while they recorded into it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from app.kalooki.game.events import from_json
from app.kalooki.game.play import Game, from_record, play
from app.settings import database_url
from tests.phone import Phone
from tests.server import flask

EVERYTHING = "SELECT code, seq, entry.submission, data FROM game JOIN entry ON game_id = id ORDER BY id, seq"

Row = tuple[int, str, str]
"""An entry as the database holds it: number, submission, event."""


@dataclass(frozen=True)
class Played:
    """A game all its phones have done with; `newest` holds the players and faults of the newest answer, if any."""

    submission: str
    phones: list[Phone]
    newest: dict[str, Any]


def audit(url: str, games: Mapping[str, Played]) -> Iterator[tuple[str, str]]:
    """What is wrong with a database as the last kill left it: the kind of fault and its place.

    That includes what `check` finds in the file, and by playing every game again.
    """
    stored: dict[str, list[Row]] = {code: [] for code in games}
    try:
        with sa.create_engine(database_url(url)).connect() as database:
            for code, *row in database.execute(sa.text(EVERYTHING)):
                stored.setdefault(code, []).append(tuple(row))
    except sa.exc.DBAPIError as cause:
        yield "integrity", str(cause)
    checked = flask("check", settings={"DATABASE_URL": url})
    if checked.returncode:
        yield "integrity", checked.stdout + checked.stderr
    for code, rows in stored.items():
        if code in games:
            yield from ((kind, f"{code} {what}") for kind, what in audit_game(games[code], rows))
        else:
            yield "doubled", f"{code}, a game nobody was told of"


def audit_game(game: Played, rows: list[Row]) -> Iterator[tuple[str, str]]:
    """The rows against what the phones have sent and were answered."""
    sent = {submission: event for phone in game.phones for submission, event in phone.sent.items()}
    found = {submission: (number, from_json(json.loads(text))) for number, submission, text in rows}
    times = Counter(submission for _, submission, _ in rows)
    for name, count in times.items():
        if count > 1 or name not in {*sent, game.submission}:
            yield "doubled", f"{name}, {count} times"
    for phone in game.phones:
        yield from (("refused", f"{phone.name}: {status} {answer.get('error')}") for status, answer in phone.problems)
        for name, number in phone.answered.items():
            if found.get(name) != (number, from_json(sent[name])):
                yield "lost", f"{name}, answered as entry {number}"
        if list(phone.answered.values()) != sorted(phone.answered.values()):
            yield "order", phone.name
    if [number for number, _, _ in rows] != list(range(1, len(rows) + 1)):
        yield "gap", "in the numbers of the entries"
    elif rows and game.newest:
        yield from audit_fold(game.newest, play(from_record([json.loads(text) for _, _, text in rows])))


def audit_fold(newest: dict[str, Any], folded: Game) -> Iterator[tuple[str, str]]:
    """What the log adds up to against the newest answer."""
    answered = {(fault["entry"], fault["rule"]) for fault in newest["faults"]}
    for noted in folded.faults:
        if (noted.entry, noted.fault.rule) not in answered:
            yield "fault", f"entry {noted.entry}: {noted.fault.rule}"
    if [player.total for player in folded.players.values()] != [player["total"] for player in newest["players"]]:
        yield "totals", "differ from the newest answer"
