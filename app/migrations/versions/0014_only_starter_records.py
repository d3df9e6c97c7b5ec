"""Whether only the device that started a game records in it, as in every game begun before 1.0."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("game", sa.Column("only_starter_records", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute(sa.update(sa.table("game", sa.column("only_starter_records"))).values(only_starter_records=True))
