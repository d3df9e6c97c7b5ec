"""Since when sending the start of a game once more gives no right any more."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("sealed_at", sa.Text))


def downgrade() -> None:
    op.drop_column("game", "sealed_at")
