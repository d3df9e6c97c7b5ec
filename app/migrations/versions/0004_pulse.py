"""A row to write to, so that the server can say whether it can write."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("filler", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_pulse"),
    )
    op.execute("INSERT INTO pulse (id, at, filler) VALUES (1, '', '')")


def downgrade() -> None:
    op.drop_table("pulse")
