"""How Alembic connects to the database; `flask db migrate -m "..."` writes the next revision."""

from alembic import context
from flask import current_app
from sqlalchemy import Connection

from app.store.database import db


def run(connection: Connection) -> None:
    """Run migrations in the transaction of a connection."""
    context.configure(connection=connection, target_metadata=db.metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


if "connection" in context.config.attributes:
    run(context.config.attributes["connection"])
else:  # flask db
    if "sqlalchemy" not in current_app.extensions:
        db.init_app(current_app._get_current_object())  # noqa: SLF001 - Flask's own way
    with db.engine.begin() as connection:
        run(connection)
