"""Copies of a database, on either engine: back up while the server runs, restore while it does not.

A backup is an SQLite file, whichever engine it is of; restoring goes by such a file, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from flask import current_app

from app.store.database import reading
from app.store.file import appearing, remove, require_own
from app.store.stores import CopyRefused, Size, SQLiteStore, Store, copied, copied_rows, opened_file, store_of
from app.store.tables import db
from app.store.trouble import Unavailable, noticed


def backup(target: Path) -> Size:
    """Copy the running database to the new file `target`, whole and as of now, readable by this user only."""
    if not target.parent.is_dir():
        raise CopyRefused(f"{target} cannot be written: there is no folder {target.parent}")
    with _refused(f"{target} cannot be written"):
        try:
            with appearing(target) as draft:
                return _copied_now(draft)
        except FileExistsError as cause:
            raise CopyRefused(f"{target} exists: name a new file") from cause


def _copied_now(draft: Path) -> Size:
    if db.engine.dialect.name != "sqlite":
        return copied_rows(draft)
    with reading() as connection:
        source: Any = connection.connection.driver_connection
        return copied(source, draft)


class Replacement(NamedTuple):
    """A copy about to replace a database: its draft will take the place of what `store` holds."""

    store: Store
    size: Size
    old: Size | None

    @property
    def keeps_old(self) -> bool:
        """Whether there is anything to keep."""
        return self.store.is_there() and (self.old is None or self.old.games > 0)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Work on the draft meanwhile, which is upgraded first."""
        with opened_file(self.store.draft) as app, app.app_context():
            yield

    def put_in_place(self) -> Path | None:
        """Replace the database as a whole; returns the file that keeps the old one.

        Raises CopyRefused if another program has the old one open.
        """
        aside = self.store.keep() if self.keeps_old else None
        self.store.take(self.store.draft)
        return aside


def own_store() -> Store:
    """The database this app's settings name, whether or not it exists; raises CopyRefused."""
    return store_of(current_app.config["SQLALCHEMY_DATABASE_URI"])


@contextmanager
def restoring(source: Path) -> Iterator[Replacement]:
    """Copy the backup `source` for the app's own database, which nobody may use meanwhile; raises CopyRefused."""
    store, of_backup = own_store(), SQLiteStore(source)
    _require_there(of_backup)
    if isinstance(store, SQLiteStore) and store.is_there() and source.samefile(store.path):
        raise CopyRefused(f"{source} is the database itself: name a backup")
    if isinstance(store, SQLiteStore):
        require_own(store.path)
    with _shut(store), _drafted(store, of_backup) as replacement:
        yield replacement


def _require_there(store: Store) -> None:
    if not store.is_there():
        raise CopyRefused(f"{store} is not there")


@contextmanager
def _shut(store: Store) -> Iterator[None]:
    with _refused(store):
        store.draft.parent.mkdir(parents=True, exist_ok=True)
        with store.alone():
            yield


@contextmanager
def _drafted(store: Store, source: Store) -> Iterator[Replacement]:
    try:
        remove(store.draft)
        with _refused(source):
            size = source.copy_to(store.draft)
        yield Replacement(store, size, store.size())
    finally:
        remove(store.draft)


@contextmanager
def _refused(what: object) -> Iterator[None]:
    """Turn trouble into a refusal that first says what is refused."""
    try:
        with noticed():
            yield
    except Unavailable as trouble:
        raise CopyRefused(f"{what}: {trouble}") from trouble
