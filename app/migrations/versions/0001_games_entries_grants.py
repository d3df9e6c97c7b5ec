"""Games, their entries that are never changed, and the rights given away."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SQLITE_TRIGGERS = [
    f"""
    CREATE TRIGGER entry_no_{action.lower()} BEFORE {action} ON entry
    BEGIN SELECT RAISE(ABORT, 'entries are never changed: record a correction'); END
    """
    for action in ("UPDATE", "DELETE")
]
POSTGRESQL_TRIGGERS = [
    """
    CREATE FUNCTION entry_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'entries are never changed: record a correction'; END $$
    """,
    """
    CREATE TRIGGER entry_is_final BEFORE UPDATE OR DELETE OR TRUNCATE ON entry
    FOR EACH STATEMENT EXECUTE FUNCTION entry_is_final()
    """,
]


def upgrade() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("submission", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
        sa.UniqueConstraint("code", name="uq_game_code"),
        sa.UniqueConstraint("submission", name="uq_game_submission"),
    )
    op.create_table(
        "entry",
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("submission", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_entry"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_entry_game_id"),
        sa.UniqueConstraint("game_id", "submission", name="uq_entry_game_id_submission"),
    )
    op.create_table(
        "grant",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("secret_hash", sa.Text, nullable=False),
        sa.Column("device", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("revoked_at", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_grant"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_grant_game_id"),
        sa.UniqueConstraint("secret_hash", name="uq_grant_secret_hash"),
        sa.CheckConstraint("role IN ('scorer', 'watch', 'player', 'recovery')", "ck_grant_role"),
    )
    op.create_index("ix_grant_game_id", "grant", ["game_id"])
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in SQLITE_TRIGGERS if is_sqlite else POSTGRESQL_TRIGGERS:
        op.execute(statement)


def downgrade() -> None:
    for name in ("grant", "entry", "game"):
        op.drop_table(name)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION entry_is_final()")
