"""The tables of release 0.3, with which its databases begin: games, their entries, rights, and what phones sent."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = None

SAID = "entries are never changed: record a correction"
GOING = "EXISTS (SELECT 1 FROM game WHERE id = OLD.game_id AND head = '')"
REFUSED = f"BEGIN SELECT RAISE(ABORT, '{SAID}'); END"
TRIGGERS = {
    "sqlite": (
        f"CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry {REFUSED}",
        f"CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry WHEN NOT {GOING} {REFUSED}",
    ),
    "postgresql": (
        f"""
        CREATE FUNCTION entry_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION '{SAID}'; END $$
        """,
        """
        CREATE TRIGGER entry_is_final BEFORE UPDATE OR TRUNCATE ON entry
        FOR EACH STATEMENT EXECUTE FUNCTION entry_is_final()
        """,
        f"""
        CREATE FUNCTION entry_goes_with_its_game() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF {GOING} THEN RETURN OLD; END IF;
            RAISE EXCEPTION '{SAID}';
        END $$
        """,
        """
        CREATE TRIGGER entry_goes_with_its_game BEFORE DELETE ON entry
        FOR EACH ROW EXECUTE FUNCTION entry_goes_with_its_game()
        """,
    ),
}


def upgrade() -> None:
    create_log()
    create_grants()
    create_messages()
    create_pulse()


def create_log() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("submission", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("signals", sa.Integer, nullable=False, server_default="0"),
        sa.Column("sealed_at", sa.Text),
        sa.Column("head", sa.Text, nullable=False, server_default=""),
        sa.Column("rematch_of", sa.Integer),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
        sa.UniqueConstraint("code", name="uq_game_code"),
        sa.UniqueConstraint("submission", name="uq_game_submission"),
    )
    op.create_index("ix_game_rematch_of", "game", ["rematch_of"])
    op.create_table(
        "entry",
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("submission", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_entry"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_entry_game_id"),
        sa.UniqueConstraint("game_id", "submission", name="uq_entry_game_id_submission"),
    )
    for statement in TRIGGERS[op.get_bind().dialect.name]:
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


def create_messages() -> None:
    op.create_table(
        "message",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, server_default="0"),
        sa.Column("about", sa.Integer, nullable=False, server_default="0"),
        sa.Column("contents", sa.Text, nullable=False, server_default=""),
        sa.Column("device", sa.Text, nullable=False, server_default=""),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False, server_default=""),
        sa.Column("answered_by", sa.Text, nullable=False, server_default=""),
        sa.Column("answered_at", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_message"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_message_game_id"),
        sa.CheckConstraint("kind IN ('count', 'proposal', 'opinion', 'referee', 'pen')", "ck_message_kind"),
    )
    op.create_index("ix_message_game_id", "message", ["game_id"])


def create_pulse() -> None:
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("filler", sa.Text, nullable=False),
        sa.Column("ran_at", sa.Text, nullable=False, server_default=""),
        sa.Column("waiting", sa.Integer, nullable=False, server_default="0"),
        sa.Column("served_at", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_pulse"),
    )
    op.execute("INSERT INTO pulse (id, at, filler) VALUES (1, '', '')")
