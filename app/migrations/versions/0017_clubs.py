"""Clubs: rows of `game` with entries and rights like games, and which games count in them."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("game", sa.Column("kind", sa.Text, nullable=False, server_default="game"))
    op.create_table(
        "club_game",
        sa.Column("club_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("game_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("records", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("club_id", "game_id", name="pk_club_game"),
        sa.ForeignKeyConstraint(["club_id"], ["game.id"], name="fk_club_game_club_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_club_game_game_id", ondelete="CASCADE"),
    )
    op.create_index("ix_club_game_game_id", "club_game", ["game_id"])
