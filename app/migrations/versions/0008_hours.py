"""The last hour a server has run, and for how many more deletions wait because its clock may be wrong."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("pulse", sa.Column("ran_at", sa.Text, nullable=False, server_default=""))
    op.add_column("pulse", sa.Column("waiting", sa.Integer, nullable=False, server_default="0"))
