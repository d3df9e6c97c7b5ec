"""How Alembic reaches the database; `flask db migrate -m "..."` writes the next revision."""

from alembic import context
from flask import current_app

from app.store.database import AT_ONCE, begin

migrate = current_app.extensions["migrate"]
with migrate.db.engine.connect() as connection:
    begin(connection, AT_ONCE)
    context.configure(
        connection=connection,
        target_metadata=migrate.db.metadata,
        # SQLite can do it too: a migration cut short leaves nothing behind
        transactional_ddl=True,
        **migrate.configure_args,
    )
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()  # what began before Alembic is not its to commit
