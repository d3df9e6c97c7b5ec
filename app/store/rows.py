"""All rows of a database in another one, from either engine to either, by the tables of this release."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa

from app.store.tables import db, entry


class RowRefused(Exception):
    """A row breaks a rule of the other engine; the message is what that said."""


def copy_rows(source: sa.Connection, target: sa.Connection) -> None:
    """Put the rows of `source` in the place of those of `target`, within its transaction; raises RowRefused.

    They keep their numbers, and new rows are numbered after them.
    """
    _empty(target)
    try:
        for table in db.metadata.sorted_tables:
            for rows in _in_turn(source, table):
                target.execute(sa.insert(table), rows)
            if target.dialect.name == "postgresql":
                _count_on(target, table)
    except (sa.exc.DataError, sa.exc.IntegrityError) as cause:
        raise RowRefused(str(cause.orig).partition("\n")[0]) from cause


def _empty(target: sa.Connection) -> None:
    for table in db.metadata.sorted_tables[::-1]:
        if table is not entry:  # entries go with their games
            target.execute(sa.delete(table))


def _in_turn(source: sa.Connection, table: sa.Table) -> Iterator[list[dict[str, object]]]:
    """The rows of a table, some at a time; entries as they were recorded, which is how SQLite knows the newest."""
    order = table.c.at if table is entry else None
    found = source.execute(sa.select(table).order_by(order), execution_options={"yield_per": 1_000})
    for rows in found.mappings().partitions():
        yield [dict(row) for row in rows]


def _count_on(target: sa.Connection, table: sa.Table) -> None:
    """Let PostgreSQL number the next row after the highest there is, as SQLite does by itself."""
    number = table.autoincrement_column
    if number is not None:
        sequence = sa.func.pg_get_serial_sequence(f'"{table.name}"', number.name)
        highest = sa.select(sa.func.max(number)).scalar_subquery()
        target.execute(sa.select(sa.func.setval(sequence, highest)))
