"""The tables of the database; only migrations make and change them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import sqlalchemy as sa
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

ROLES = ("scorer", "watch", "player", "recovery")
SCORERS = ("scorer", "recovery")
Text = Annotated[str, mapped_column(sa.Text)]


class Base(DeclarativeBase):
    """The base of all tables, which determines how constraints are named."""

    metadata = sa.MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


db = SQLAlchemy(model_class=Base)
if TYPE_CHECKING:
    Model = Base
else:
    Model = db.Model


class Game(Model):
    """A game: its code, how many entries it has, and how often anything besides them has changed (`signals`)."""

    id: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[Text] = mapped_column(unique=True)
    submission: Mapped[Text] = mapped_column(unique=True)
    created_at: Mapped[Text]
    signals: Mapped[int] = mapped_column(server_default="0")
    sealed_at: Mapped[Text | None]
    rematch_of: Mapped[int | None] = mapped_column(index=True)
    continues: Mapped[int | None] = mapped_column(index=True)
    only_starter_records: Mapped[bool] = mapped_column(server_default=sa.false())
    length: Mapped[int] = mapped_column(server_default="0")


class Entry(Model):
    """One recorded event; triggers prevent changing it, and deleting it before its game."""

    __table_args__ = (sa.UniqueConstraint("game_id", "submission"),)
    game_id: Mapped[int] = mapped_column(sa.ForeignKey("game.id", ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    submission: Mapped[Text]
    data: Mapped[Text]
    actor: Mapped[Text]
    at: Mapped[Text]


class Grant(Model):
    """A right of one phone to use one game; only a hash of its secret is stored."""

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(sa.ForeignKey("game.id"), index=True)
    role: Mapped[Text] = mapped_column(sa.CheckConstraint(f"role IN {ROLES}", "role"))
    seat: Mapped[int | None]
    secret_hash: Mapped[Text] = mapped_column(unique=True)
    device: Mapped[Text]
    created_at: Mapped[Text]
    revoked_at: Mapped[Text | None]


class Count(Model):
    """The cards that a player's phones handed in for the hand dealt after an entry."""

    game_id: Mapped[int] = mapped_column(sa.ForeignKey("game.id"), primary_key=True)
    dealt_after: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    cards: Mapped[Text]
    at: Mapped[Text]


class Gone(Model):
    """The hash of a code that once led to a game."""

    code_hash: Mapped[Text] = mapped_column(primary_key=True)
    day: Mapped[Text]
