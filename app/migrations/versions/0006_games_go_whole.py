"""The entries of a game may be deleted, all together with their game: one that is about to go has no newest entry."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

SAID = "entries are never changed: record a correction"
GOING = "EXISTS (SELECT 1 FROM game WHERE id = OLD.game_id AND head = '')"
SQLITE_TRIGGER = """
    CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry {when}
    BEGIN SELECT RAISE(ABORT, '{said}'); END
"""
POSTGRESQL_TRIGGER = """
    CREATE TRIGGER entry_is_final BEFORE {actions} ON entry
    FOR EACH STATEMENT EXECUTE FUNCTION entry_is_final()
"""
POSTGRESQL_WITH_ITS_GAME = [
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
]


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER entry_no_delete")
        op.execute(SQLITE_TRIGGER.format(when=f"WHEN NOT {GOING}", said=SAID))
        return
    op.execute("DROP TRIGGER entry_is_final ON entry")
    for statement in (POSTGRESQL_TRIGGER.format(actions="UPDATE OR TRUNCATE"), *POSTGRESQL_WITH_ITS_GAME):
        op.execute(statement)


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER entry_no_delete")
        op.execute(SQLITE_TRIGGER.format(when="", said=SAID))
        return
    op.execute("DROP TRIGGER entry_goes_with_its_game ON entry")
    op.execute("DROP FUNCTION entry_goes_with_its_game()")
    op.execute("DROP TRIGGER entry_is_final ON entry")
    op.execute(POSTGRESQL_TRIGGER.format(actions="UPDATE OR DELETE OR TRUNCATE"))
