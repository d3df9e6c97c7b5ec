"""Games that were played before: rows as the app writes them, put in by the thousand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app import create_app, store
from app.store import Game, Grant
from app.store.database import ALPHABET, CODE_LETTERS, now, transaction
from tests.bench.fold import a_record

HANDS = 12
DIFFERENT = 50
"""Records; of that many games one is played like the first."""
AT_ONCE = 1_000
"""Games of one transaction."""
COLUMNS = {
    "game": ("id", "code", "submission", "created_at", "length"),
    "entry": ("game_id", "seq", "submission", "data", "actor", "at"),
    "grant": ("id", "game_id", "role", "secret_hash", "device", "created_at"),
}


def fill(url: str, games: int) -> None:
    """Add games of twelve hands until there are so many."""
    chance = Random(games)
    records = [[store.as_kept(event) for event in a_record(1 + HANDS, chance)] for _ in range(DIFFERENT)]
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    with app.app_context():
        while (missing := games - _many()) > 0:
            with transaction() as connection:
                _put(connection, min(missing, AT_ONCE), records)
    store.close_database(app)


def _many() -> int:
    return len(store.codes())


def _put(connection: Connection, games: int, records: Sequence[Sequence[str]]) -> None:
    """So many games more, with the right of whoever started them."""
    first = 1 + max(
        connection.execute(sa.select(sa.func.coalesce(sa.func.max(each.id), 0))).scalar_one() for each in (Game, Grant)
    )
    rows: dict[str, list[tuple[object, ...]]] = {name: [] for name in COLUMNS}
    for number in range(first, first + games):
        at = now()
        entries = [*_entries(number, at, records[number % len(records)])]
        rows["game"].append((number, _code(number), f"stored-{number}", at, len(entries)))
        rows["entry"] += [tuple({"game_id": number, **each}[name] for name in COLUMNS["entry"]) for each in entries]
        rows["grant"].append((number, number, "scorer", _hash(f"right {number}"), "Ann’s phone", at))
    driver: Any = connection.connection.driver_connection
    put = _copy if connection.dialect.name == "postgresql" else _insert
    for name, told in rows.items():
        put(driver, f'"{name}" ({", ".join(COLUMNS[name])})', told)
    if connection.dialect.name == "postgresql":
        for name in ("game_id_seq", "grant_id_seq"):
            connection.execute(sa.select(sa.func.setval(name, first + games)))


def _copy(driver: Any, where: str, rows: Iterable[Sequence[object]]) -> None:
    with driver.cursor().copy(f"COPY {where} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _insert(driver: Any, where: str, rows: Sequence[Sequence[object]]) -> None:
    driver.executemany(f"INSERT INTO {where} VALUES ({', '.join('?' * len(rows[0]))})", rows)  # noqa: S608 - our own


def _entries(number: int, at: str, record: Sequence[str]) -> Iterator[dict[str, object]]:
    for seq, data in enumerate(record, 1):
        yield {"seq": seq, "submission": f"s{number}-{seq}", "data": data, "actor": "Ann’s phone", "at": at}


def _code(number: int) -> str:
    """A code of its own, as random as any."""
    return "".join(ALPHABET[each % len(ALPHABET)] for each in sha256(b"%d" % number).digest()[:CODE_LETTERS])


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
