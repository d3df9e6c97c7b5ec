"""Databases as 0.3 left them, made by its migration."""

import flask_migrate
import sqlalchemy as sa
from flask import Flask

from app.settings import database_url
from app.store import opening
from app.store.database import db

CODES = ("ABCDEFGHJK2", "ABCDEFGHJK3")
BEGAN = "2026-11-21T19:00:00Z"
EVENTS = ('{"kind":"start","players":["Ann","Ben","Cat"],"variant":"european"}', '{"kind":"void","reason":"misdeal"}')


def row(table, **contents):
    """The statement that writes one row."""
    return sa.insert(sa.table(table, *map(sa.column, contents))).values(contents)


TWO_GAMES = (
    *(
        row("game", id=number, code=code, submission=code, created_at=BEGAN, head="stays")
        for number, code in enumerate(CODES, 1)
    ),
    *(
        row("entry", game_id=number, seq=seq, submission=f"s{seq}", data=event, actor="Ann", at=BEGAN)
        for number in (1, 2)
        for seq, event in enumerate(EVENTS, 1)
    ),
    *(
        row("grant", game_id=number, role="scorer", secret_hash=f"h{number}", device="", created_at=BEGAN)
        for number in (1, 2)
    ),
)
"""Two games of two entries each."""


def made(url, *steps):
    """A database at `url` after these steps: a text is the number of a migration, a tuple holds statements."""
    before = Flask("before")
    before.config["SQLALCHEMY_DATABASE_URI"] = url
    opening.init(before)
    db.init_app(before)
    with before.app_context():
        for step in steps:
            if isinstance(step, str):
                flask_migrate.upgrade(revision=step)
                continue
            with db.engine.begin() as connection:
                for statement in step:
                    connection.execute(statement)
        db.engine.dispose()
    return url


def dump(url):
    """All rows of all tables; nothing where there are no tables."""
    engine = sa.create_engine(database_url(url), poolclass=sa.NullPool)
    with engine.connect() as connection:
        there = sa.inspect(connection).get_table_names()
        tables = [table for table in db.metadata.sorted_tables if table.name in there]
        return {table.name: sorted(map(tuple, connection.execute(sa.select(table))), key=str) for table in tables}


def carried(old, new):
    """Put all rows of a database into another that has the same tables of an earlier release; returns its address."""
    tables = sa.MetaData()
    source, target = (sa.create_engine(database_url(url), poolclass=sa.NullPool) for url in (old, new))
    tables.reflect(source)
    tables.remove(tables.tables["alembic_version"])
    with source.connect() as here, target.begin() as there:
        for table in tables.sorted_tables:
            there.execute(sa.delete(table))  # what its migration put there
            if rows := [dict(row) for row in here.execute(sa.select(table)).mappings()]:
                there.execute(sa.insert(table), rows)
            if "id" in table.c:
                sequence = sa.func.pg_get_serial_sequence(f'"{table.name}"', "id")
                there.execute(sa.select(sa.func.setval(sequence, sa.func.max(table.c.id))))
    return new
