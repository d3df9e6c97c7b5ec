"""The tables of release 1.0, without those it no longer uses.

Entries are deleted only with their game. A game's row has its number of entries, the game it continues, and whether
only the device that started it records, as in every game started before.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0011"

SAID = "entries are never changed: record a correction"
STAYS = "EXISTS (SELECT 1 FROM game WHERE id = OLD.game_id)"
REFUSED = f"BEGIN SELECT RAISE(ABORT, '{SAID}'); END"
SQLITE_TRIGGERS = (
    f"CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry {REFUSED}",
    f"CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry WHEN {STAYS} {REFUSED}",
)
POSTGRESQL_FUNCTION = f"""
    CREATE OR REPLACE FUNCTION entry_goes_with_its_game() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF {STAYS} THEN RAISE EXCEPTION '{SAID}'; END IF;
        RETURN OLD;
    END $$
"""

COUNTS = """
    INSERT INTO "count" (game_id, dealt_after, seat, cards, at)
    SELECT game_id, about, seat, contents, at FROM message WHERE id IN
    (SELECT max(id) FROM message WHERE kind = 'count' GROUP BY game_id, about, seat)
"""


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER entry_no_update")
        op.execute("DROP TRIGGER entry_no_delete")
    delete_entries_with_their_game()
    change_games()
    keep_counts_only()
    op.drop_table("pulse")
    op.create_table(
        "gone",
        sa.Column("code_hash", sa.Text, nullable=False),
        sa.Column("day", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("code_hash", name="pk_gone"),
    )


def delete_entries_with_their_game() -> None:
    """Make the foreign key cascade; the triggers allow deleting an entry once its game is deleted."""
    # SQLite cannot change a foreign key: Alembic creates the table anew and copies its rows
    with op.batch_alter_table("entry") as entry:
        entry.drop_column("hash")
        entry.drop_constraint("fk_entry_game_id", type_="foreignkey")
        entry.create_foreign_key("fk_entry_game_id", "game", ["game_id"], ["id"], ondelete="CASCADE")
    if op.get_bind().dialect.name == "sqlite":
        for statement in SQLITE_TRIGGERS:
            op.execute(statement)
    else:
        op.execute(POSTGRESQL_FUNCTION)


def change_games() -> None:
    op.drop_column("game", "head")
    op.add_column("game", sa.Column("only_starter_records", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("game", sa.Column("length", sa.Integer, nullable=False, server_default="0"))
    op.add_column("game", sa.Column("continues", sa.Integer))
    op.create_index("ix_game_continues", "game", ["continues"])
    op.execute(sa.update(sa.table("game", sa.column("only_starter_records"))).values(only_starter_records=True))
    op.execute("UPDATE game SET length = (SELECT count(*) FROM entry WHERE game_id = game.id)")


def keep_counts_only() -> None:
    """Keep the counts that players handed in, and nothing else that phones sent besides entries."""
    op.create_table(
        "count",
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("dealt_after", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("cards", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "dealt_after", "seat", name="pk_count"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_count_game_id"),
    )
    op.execute(COUNTS)
    op.drop_table("message")
