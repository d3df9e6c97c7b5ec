"""The tables of release 0.1: games, their immutable entries, rights, players' counts and appeals."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = None

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
    create_log()
    create_grants()
    create_what_phones_say()


def create_log() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("submission", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("signals", sa.Integer, nullable=False, server_default="0"),
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
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in SQLITE_TRIGGERS if is_sqlite else POSTGRESQL_TRIGGERS:
        op.execute(statement)


def create_grants() -> None:
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


def create_what_phones_say() -> None:
    op.create_table(
        "count",
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("after_seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("cards", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "after_seq", "seat", name="pk_count"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_count_game_id"),
    )
    op.create_table(
        "appeal",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("device", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False, server_default=""),
        sa.Column("answered_by", sa.Text, nullable=False, server_default=""),
        sa.Column("answered_at", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_appeal"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_appeal_game_id"),
        sa.CheckConstraint("kind IN ('referee', 'pen')", "ck_appeal_kind"),
    )
    op.create_index("ix_appeal_game_id", "appeal", ["game_id"])
