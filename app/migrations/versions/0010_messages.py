"""What phones say beside the log, in one table: own counts, proposals and opinions, appeals and their answers."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

MOVED = {
    # appeals keep their numbers, which open pages name
    "appeal": """
        INSERT INTO message (id, game_id, kind, seat, device, at, answer, answered_by, answered_at)
        SELECT id, game_id, kind, seat, device, at, answer, answered_by, answered_at FROM appeal
    """,
    "count": """
        INSERT INTO message (game_id, kind, seat, about, contents, at)
        SELECT game_id, 'count', seat, after_seq, cards, at FROM "count"
    """,
    "opinion": """
        INSERT INTO message (game_id, kind, seat, about, contents, at, answer)
        SELECT proposal.game_id, 'opinion', seat, seen, words, at, CASE WHEN agrees THEN 'right' ELSE 'stop' END
        FROM opinion JOIN proposal ON proposal.game_id = opinion.game_id
    """,
    "proposal": """
        INSERT INTO message (game_id, kind, about, contents, at)
        SELECT game_id, 'proposal', seen, data, at FROM proposal
    """,
}
COUNT_ON = "SELECT setval(pg_get_serial_sequence('message', 'id'), (SELECT max(id) FROM message))"


def upgrade() -> None:
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
    for table, statement in MOVED.items():
        op.execute(statement)
        if op.get_bind().dialect.name == "postgresql":
            op.execute(COUNT_ON)
        op.drop_table(table)
