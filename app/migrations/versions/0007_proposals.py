"""What the scorer is about to save, and what the players in their seats say to it."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "proposal",
        sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id", name="fk_proposal_game_id_game"), nullable=False),
        sa.Column("seen", sa.Integer, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_proposal"),
    )
    op.create_table(
        "opinion",
        sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id", name="fk_opinion_game_id_game"), nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("agrees", sa.Boolean, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_opinion"),
    )


def downgrade() -> None:
    op.drop_table("opinion")
    op.drop_table("proposal")
