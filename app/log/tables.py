"""The tables of the database."""

from __future__ import annotations

import sqlalchemy as sa
from flask_sqlalchemy import SQLAlchemy

ROLES = ("scorer", "watch", "player", "recovery")
MESSAGES = ("count", "proposal", "opinion", "referee", "pen")

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
game = sa.Table(
    "game",
    db.metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("code", sa.Text, nullable=False, unique=True),
    sa.Column("submission", sa.Text, nullable=False, unique=True),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("signals", sa.Integer, nullable=False, server_default="0"),
    sa.Column("head", sa.Text, nullable=False, server_default=""),
    sa.Column("sealed_at", sa.Text),
    sa.Column("rematch_of", sa.Integer, index=True),
)
entry = sa.Table(
    "entry",
    db.metadata,
    sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("submission", sa.Text, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False, server_default=""),
    sa.UniqueConstraint("game_id", "submission"),
)
grant = sa.Table(
    "grant",
    db.metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id"), nullable=False, index=True),
    sa.Column("role", sa.Text, sa.CheckConstraint(f"role IN {ROLES}", "role"), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("secret_hash", sa.Text, nullable=False, unique=True),
    sa.Column("device", sa.Text, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("revoked_at", sa.Text),
)
message = sa.Table(
    "message",
    db.metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id"), nullable=False, index=True),
    sa.Column("kind", sa.Text, sa.CheckConstraint(f"kind IN {MESSAGES}", "kind"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False, server_default="0"),
    sa.Column("about", sa.Integer, nullable=False, server_default="0"),
    sa.Column("contents", sa.Text, nullable=False, server_default=""),
    sa.Column("device", sa.Text, nullable=False, server_default=""),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False, server_default=""),
    sa.Column("answered_by", sa.Text, nullable=False, server_default=""),
    sa.Column("answered_at", sa.Text),
)
pulse = sa.Table(
    "pulse",
    db.metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("filler", sa.Text, nullable=False),
    sa.Column("ran_at", sa.Text, nullable=False, server_default=""),
    sa.Column("waiting", sa.Integer, nullable=False, server_default="0"),
    sa.Column("served_at", sa.Text),
)
"""One row: what is written to see whether the database accepts writes, the last hour a server ran on it, and when one
that has no line last said so."""
