"""The tables of release 0.2, in which a game can be deleted with all of its entries.

A game that is being deleted has no head. Also new: sealed starts, a row for testing whether the database can be
written, what the scorer is about to save, and what players say about it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0002"

SAID = "entries are never changed: record a correction"
GOING = "EXISTS (SELECT 1 FROM game WHERE id = OLD.game_id AND head = '')"
REFUSED = f"BEGIN SELECT RAISE(ABORT, '{SAID}'); END"
LET_IN = {
    "sqlite": ("DROP TRIGGER entry_no_update", "DROP TRIGGER entry_no_delete"),
    "postgresql": ("DROP TRIGGER entry_is_final ON entry",),
}
SHUT = {
    "sqlite": (
        f"CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry {REFUSED}",
        f"CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry WHEN NOT {GOING} {REFUSED}",
    ),
    "postgresql": (
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
    op.add_column("game", sa.Column("sealed_at", sa.Text))
    op.add_column("game", sa.Column("head", sa.Text, nullable=False, server_default=""))
    op.add_column("entry", sa.Column("hash", sa.Text, nullable=False, server_default=""))
    connection = op.get_bind()
    for statement in LET_IN[connection.dialect.name]:
        op.execute(statement)
    op.execute("UPDATE game SET head = 'stays'")
    for statement in SHUT[connection.dialect.name]:
        op.execute(statement)
    create_tables()


def create_tables() -> None:
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("filler", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_pulse"),
    )
    op.execute("INSERT INTO pulse (id, at, filler) VALUES (1, '', '')")
    op.create_table(
        "proposal",
        sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id", name="fk_proposal_game_id_game"), nullable=False),
        sa.Column("seen", sa.Integer, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_proposal"),
    )
    op.create_table(
        "opinion",
        sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id", name="fk_opinion_game_id_game"), nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("agrees", sa.Boolean, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_opinion"),
    )
