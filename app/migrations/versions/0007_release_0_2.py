"""The tables of release 0.2, which chains the entries of each log and lets a game go with all of them.

A game that is about to go has no newest entry. Besides: sealed starts, a row to see whether the database can be
written, what the scorer is about to save and what players say to it.
"""

import sqlalchemy as sa
from alembic import op

from app.log.chain import LINKED, first_link, linked

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

game = sa.table("game", sa.column("id"), sa.column("created_at"), sa.column("head"))
entry = sa.table("entry", sa.column("game_id"), sa.column("hash"), *map(sa.column, LINKED))


def upgrade() -> None:
    op.add_column("game", sa.Column("sealed_at", sa.Text))
    op.add_column("game", sa.Column("head", sa.Text, nullable=False, server_default=""))
    op.add_column("entry", sa.Column("hash", sa.Text, nullable=False, server_default=""))
    connection = op.get_bind()
    for statement in LET_IN[connection.dialect.name]:
        op.execute(statement)
    for game_id, created_at in connection.execute(sa.select(game.c.id, game.c.created_at)).all():
        link_game(connection, game_id, created_at)
    for statement in SHUT[connection.dialect.name]:
        op.execute(statement)
    create_tables()


def link_game(connection: sa.Connection, game_id: int, created_at: str) -> None:
    columns = [entry.c[name] for name in LINKED]
    found = connection.execute(sa.select(*columns).where(entry.c.game_id == game_id).order_by(entry.c.seq))
    rows = list(linked(first_link(game_id, created_at), (dict(row) for row in found.mappings())))
    if not rows:
        return
    this = sa.and_(entry.c.game_id == game_id, entry.c.seq == sa.bindparam("number"))
    hashes = [{"number": row["seq"], "link": row["hash"]} for row in rows]
    connection.execute(sa.update(entry).where(this).values(hash=sa.bindparam("link")), hashes)
    connection.execute(sa.update(game).where(game.c.id == game_id).values(head=rows[-1]["hash"]))


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
