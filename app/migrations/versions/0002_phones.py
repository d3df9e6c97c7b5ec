"""Own counts of the hand being recorded, and what players ask of the whole table."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("signals", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "count",
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("after_seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("cards", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "after_seq", "seat", name="pk_count"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_count_game_id"),
    )
    op.create_table(
        "appeal",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("device", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False, server_default=""),
        sa.Column("answered_by", sa.Text, nullable=False, server_default=""),
        sa.Column("answered_at", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_appeal"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_appeal_game_id"),
        sa.CheckConstraint("kind IN ('referee', 'pen')", "ck_appeal_kind"),
    )
    op.create_index("ix_appeal_game_id", "appeal", ["game_id"])


def downgrade() -> None:
    op.drop_table("appeal")
    op.drop_table("count")
    op.drop_column("game", "signals")
