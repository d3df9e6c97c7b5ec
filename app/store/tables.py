"""The tables of the database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from flask_sqlalchemy import SQLAlchemy

ROLES = ("scorer", "watch", "player", "recovery")
SCORERS = ("scorer", "recovery")

db = SQLAlchemy(
    metadata=sa.MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
)


def _texts(*names: str, **options: Any) -> Iterator[sa.Column[str]]:
    """Columns of text that is always there."""
    return (sa.Column(name, sa.Text, nullable=False, **options) for name in names)


game = sa.Table(
    "game",
    db.metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    *_texts("code", "submission", unique=True),
    *_texts("created_at"),
    sa.Column("signals", sa.Integer, nullable=False, server_default="0"),
    sa.Column("sealed_at", sa.Text),
    sa.Column("rematch_of", sa.Integer, index=True),
    sa.Column("only_starter_records", sa.Boolean, nullable=False, server_default=sa.false()),
)
entry = sa.Table(
    "entry",
    db.metadata,
    sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    *_texts("submission", "data", "actor", "at"),
    sa.UniqueConstraint("game_id", "submission"),
)
grant = sa.Table(
    "grant",
    db.metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id"), nullable=False, index=True),
    sa.Column("role", sa.Text, sa.CheckConstraint(f"role IN {ROLES}", "role"), nullable=False),
    sa.Column("seat", sa.Integer),
    *_texts("secret_hash", unique=True),
    *_texts("device", "created_at"),
    sa.Column("revoked_at", sa.Text),
)
may_record = sa.or_(
    grant.c.role.in_(SCORERS),
    sa.and_(grant.c.role == "player", grant.c.seat.is_not(None), sa.not_(game.c.only_starter_records)),
)
"""Whether a right of a game is one to record in it: a scorer's, or a seat's unless only the starting device records."""
count = sa.Table(
    "count",
    db.metadata,
    sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("dealt_after", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    *_texts("cards", "at"),
)
gone = sa.Table(
    "gone",
    db.metadata,
    sa.Column("code_hash", sa.Text, primary_key=True),
    *_texts("day"),
)
pulse = sa.Table(
    "pulse",
    db.metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    *_texts("at", "filler"),
)
"""One row: what is written to see whether the database accepts writes."""
