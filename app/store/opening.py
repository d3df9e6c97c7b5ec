"""Opens the database: inspects it, creates or upgrades it, and leaves one that is not ours untouched."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask, current_app
from flask_migrate import Migrate

from app.store.database import FILE, TO_POSTGRESQL, WRITES, begin_on_sqlite, engine_of
from app.store.file import MAGIC, File, connect, copy_whole, draft_of, require_whole
from app.store.models import db
from app.store.trouble import Unavailable, translating_errors

_LOG = logging.getLogger(__name__)
MIGRATIONS = Path(__file__).parent.parent / "migrations"
_UPGRADE_LOCK = 0x4B414C4F  # "KALO": PostgreSQL's advisory lock while tables are changed
_UPGRADE_PATIENCE = 120
"""Seconds to wait for another process that upgrades the tables."""
_COPIES = 3
"""So many copies made before updates lie beside a database; the oldest goes first."""
_VERSION = "alembic_version"
_BRING_BACK = "Bring a backup back: python3 -m app restore FILE."
_REMEDIES = {
    "damaged": f"See what is left of it: python3 -m app check. {_BRING_BACK}",
    "empty": f"{_BRING_BACK} Or move the file away to begin anew.",
    "foreign": "Name another one in DATABASE_URL.",
    "full": "Make room, then try again.",
    "gone": f"Name the right one in DATABASE_URL. {_BRING_BACK} To begin anew, delete the .in-use file in its place.",
    "locked": "End that one, then try again.",
    "newer": "Install that again, or restore the copy made before it came, named after its schema and time.",
    "read-only": "Make it and its folder this user’s, then try again.",
    "replaced": "",
    "unreachable": "See whether it can be reached, and whether DATABASE_URL is right.",
}
_NO_ADDRESS = (
    "DATABASE_URL is no address of a database: write it like sqlite:////srv/games.db or postgresql://user@host/name,"
    ' which needs its driver: .venv/bin/pip install "psycopg[binary]"'
)
_NOT_COPIED = "not copied, because this is PostgreSQL; a backup or dump made before is the way back"


def init(app: Flask) -> None:
    """Add ``flask db`` with our migrations."""
    Migrate(app, db, directory=str(MIGRATIONS), render_as_batch=True)


def open_database(app: Flask, *, must_exist: bool = False, even_damaged: bool = False) -> None:
    """Connect `app` to its database, created or upgraded first; raises SystemExit.

    With `must_exist` it creates none; `even_damaged` opens one despite damaged pages, to see what is left of it. If
    several processes start at once, one does the work and the others wait.
    """
    with app.app_context():
        url = address_in_use()
        file = file_of(url)
        usual = {name: value for name, value in TO_POSTGRESQL.items() if name not in url.query}
        own = {"creator": file.connect} if file else {"connect_args": usual}
        app.config["SQLALCHEMY_ENGINE_OPTIONS"] = app.config["SQLALCHEMY_ENGINE_OPTIONS"] | own
        with explaining_address():
            db.init_app(app)
        app.extensions[FILE] = file
        try:
            with translating_errors():
                if file:
                    _make_ready(file, must_exist=must_exist, even_damaged=even_damaged)
                    file.watch()
                    sa.event.listen(db.engine, "begin", begin_on_sqlite)
                else:
                    _upgrade(db.engine, None)
        except Unavailable as trouble:
            close_database(app)
            place = file.path if file else url.render_as_string()
            raise SystemExit(f"{place}: {trouble} Nothing was changed. {_REMEDIES[trouble.reason]}") from trouble


def address_in_use() -> sa.URL:
    """Return the address of the application's own database; raises SystemExit for none."""
    with explaining_address():
        return sa.make_url(current_app.config["SQLALCHEMY_DATABASE_URI"])


@contextmanager
def explaining_address() -> Iterator[None]:
    """Say what an address of a database looks like, instead of SQLAlchemy; raises SystemExit."""
    try:
        yield
    except (sa.exc.ArgumentError, ModuleNotFoundError) as cause:
        raise SystemExit(_NO_ADDRESS) from cause


def file_of(url: sa.URL) -> File | None:
    """Return the file that an address names, None for PostgreSQL; raises SystemExit for anything else."""
    if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
        return File(Path(current_app.instance_path, str(url.database)))
    if url.get_backend_name() == "postgresql":
        return None
    raise SystemExit(_NO_ADDRESS)


def is_open(app: Flask) -> bool:
    """Return whether `app` has opened its database."""
    return FILE in app.extensions


def schema() -> str:
    """Return the number of the newest migration, which made the tables of this release: 0016."""
    return str(_scripts().get_current_head())


def close_database(app: Flask) -> None:
    """Close the database, which then lies whole in its file."""
    file: File | None = app.extensions.pop(FILE, None)
    with app.app_context():
        db.engine.dispose()
    if file:
        file.close()


def require_ours(path: Path) -> None:
    """Raise Unavailable unless an SQLite file that exists is whole and one we can use; never changes it."""
    _schema_of(path)
    with translating_errors(), closing(connect(path, "ro")) as connection:
        require_whole(connection)


def _schema_of(path: Path) -> str | None:
    """Return the schema of a file's tables, None where there is no file; raises Unavailable if they are not ours."""
    if not path.exists():
        return None
    with translating_errors():
        with path.open("rb") as file:  # SQLite itself would delete the journal of an empty file
            start = file.read(len(MAGIC))
        if start != MAGIC:
            raise Unavailable("foreign" if start else "empty")
        with engine_of(path, "ro").connect() as connection:
            current = schema_in(connection)
    if current is None:
        raise Unavailable("empty")
    return current


def schema_in(connection: sa.Connection) -> str | None:
    """Return the schema of a database's tables, None where there are none; raises Unavailable if they are not ours."""
    tables = set(sa.inspect(connection).get_table_names())
    if connection.dialect.name != "sqlite":  # others may share it
        tables &= {_VERSION, *db.metadata.tables}
    current = MigrationContext.configure(connection).get_current_revision()
    if current is None and tables <= {_VERSION}:
        return None
    if current not in {script.revision for script in _scripts().walk_revisions()}:
        raise Unavailable("newer" if current and tables >= {"game", "entry"} else "foreign")
    return current


def _make_ready(file: File, *, must_exist: bool, even_damaged: bool) -> None:
    """Create or upgrade the file unless it is ready, while nobody else uses it; then share it with others."""
    file.require_own()
    if file.path.exists() and not even_damaged:
        require_ours(file.path)
    elif (must_exist or file.was_here()) and not file.path.exists():
        raise Unavailable("gone")
    until = time.monotonic() + _UPGRADE_PATIENCE
    while _schema_of(file.path) != schema():
        if file.lock(alone=True):
            _make_or_upgrade(file.path)
        elif time.monotonic() > until:
            raise Unavailable("locked")
        else:
            time.sleep(0.05)
    if not file.lock(alone=False):
        raise Unavailable("locked")


def _make_or_upgrade(path: Path) -> None:
    current = _schema_of(path)
    if current is None:
        with draft_of(path) as draft:
            _upgrade(engine_of(draft, "rw"), None)
    elif current != schema():  # else another process was first
        copy = path.with_name(f"{path.name}.schema-{current}.{datetime.now(UTC):%Y%m%d-%H%M%S-%f}")
        with closing(connect(path, "ro")) as source:
            copy_whole(source, copy)
        for oldest in sorted(path.parent.glob(f"{path.name}.schema-*.*"), key=lambda each: each.suffix)[:-_COPIES]:
            oldest.unlink()
        _upgrade(engine_of(path, "rw"), copy)


def _upgrade(engine: sa.Engine, copy: Path | None) -> None:
    """Bring the tables up to date, in one transaction; of several processes one at a time."""
    with engine.connect().execution_options(**WRITES) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(sa.text(f"SET LOCAL lock_timeout = '{_UPGRADE_PATIENCE}s'"))
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_UPGRADE_LOCK)))
        current = schema_in(connection)
        if current == schema():
            return
        if current:
            _LOG.warning(
                "The database goes from schema %s to %s. As it was: %s", current, schema(), copy or _NOT_COPIED
            )
        migrate(connection)


def migrate(connection: sa.Connection) -> None:
    """Make our tables, or bring them up to date, within the transaction of a connection."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS))
    command.upgrade(config, "head")


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS))
