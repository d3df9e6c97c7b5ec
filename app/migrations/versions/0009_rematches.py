"""In which game a table plays on."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("game", sa.Column("rematch_of", sa.Integer))
    op.create_index("ix_game_rematch_of", "game", ["rematch_of"])
