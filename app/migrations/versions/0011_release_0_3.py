"""The tables of release 0.3: rematches, and one table for what phones send besides entries.

Of the earlier messages only players' counts are kept, because release 1.0 keeps nothing else.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0007"

COUNTS = """
    INSERT INTO message (game_id, kind, seat, about, contents, at)
    SELECT game_id, 'count', seat, after_seq, cards, at FROM "count"
"""


def upgrade() -> None:
    op.add_column("game", sa.Column("rematch_of", sa.Integer))
    op.create_index("ix_game_rematch_of", "game", ["rematch_of"])
    op.add_column("pulse", sa.Column("ran_at", sa.Text, nullable=False, server_default=""))
    op.add_column("pulse", sa.Column("waiting", sa.Integer, nullable=False, server_default="0"))
    op.add_column("pulse", sa.Column("served_at", sa.Text))
    op.create_table(
        "message",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, server_default="0"),
        sa.Column("about", sa.Integer, nullable=False, server_default="0"),
        sa.Column("contents", sa.Text, nullable=False, server_default=""),
        sa.Column("device", sa.Text, nullable=False, server_default=""),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False, server_default=""),
        sa.Column("answered_by", sa.Text, nullable=False, server_default=""),
        sa.Column("answered_at", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_message"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_message_game_id"),
        sa.CheckConstraint("kind IN ('count', 'proposal', 'opinion', 'referee', 'pen')", "ck_message_kind"),
    )
    op.create_index("ix_message_game_id", "message", ["game_id"])
    op.execute(COUNTS)
    for table in ("appeal", "count", "opinion", "proposal"):
        op.drop_table(table)
