"""Which game a copy of it continues."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("game", sa.Column("continues", sa.Integer))
    op.create_index("ix_game_continues", "game", ["continues"])
