"""When a server that has no line of its own to PostgreSQL last said that it runs."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("pulse", sa.Column("served_at", sa.Text))
