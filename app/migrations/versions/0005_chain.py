"""A chain of hashes over each log; logs that are there get theirs now."""

import sqlalchemy as sa
from alembic import op

from app.log.chain import LINKED, first_link, linked

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

SQLITE_TRIGGER = """
    CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry
    BEGIN SELECT RAISE(ABORT, 'entries are never changed: record a correction'); END
"""
LET_IN = {"sqlite": "DROP TRIGGER entry_no_update", "postgresql": "ALTER TABLE entry DISABLE TRIGGER entry_is_final"}
SHUT = {"sqlite": SQLITE_TRIGGER, "postgresql": "ALTER TABLE entry ENABLE TRIGGER entry_is_final"}

game = sa.table("game", sa.column("id"), sa.column("created_at"), sa.column("head"))
entry = sa.table("entry", sa.column("game_id"), sa.column("hash"), *map(sa.column, LINKED))


def upgrade() -> None:
    op.add_column("game", sa.Column("head", sa.Text, nullable=False, server_default=""))
    op.add_column("entry", sa.Column("hash", sa.Text, nullable=False, server_default=""))
    connection = op.get_bind()
    op.execute(LET_IN[connection.dialect.name])
    for game_id, created_at in connection.execute(sa.select(game.c.id, game.c.created_at)).all():
        link_game(connection, game_id, created_at)
    op.execute(SHUT[connection.dialect.name])


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


def downgrade() -> None:
    op.drop_column("entry", "hash")
    op.drop_column("game", "head")
