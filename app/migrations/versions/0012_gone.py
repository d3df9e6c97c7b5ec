"""Addresses that led to a game once, as fingerprints."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "gone",
        sa.Column("code_hash", sa.Text, nullable=False),
        sa.Column("day", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("code_hash", name="pk_gone"),
    )
