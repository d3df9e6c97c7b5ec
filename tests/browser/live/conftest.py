"""What tests of a server that lost something share."""

import shutil
import sqlite3
from contextlib import closing
from uuid import uuid4

import pytest

from tests.browser.phones import Table
from tests.server import Server


class Evening:
    """A server whose database may be put back to how it was."""

    def __init__(self, browser, database):
        self.database = database
        self.server = Server(f"sqlite:///{database}")
        self.browser = browser

    def begin(self):
        return Table(self.browser, self.server)

    def copy(self):
        copy = self.database.with_suffix(f".{uuid4()}")
        with closing(sqlite3.connect(self.database)) as connection:
            connection.execute("VACUUM INTO ?", (str(copy),))
        return copy

    def put_back(self, copy):
        self.server.stop()
        for ending in ("-wal", "-shm"):
            self.database.with_name(f"{self.database.name}{ending}").unlink(missing_ok=True)
        fresh = shutil.copy(copy, copy.with_suffix(".fresh"))
        fresh.replace(self.database)  # a new file: SQLite knows files by their inode, and nobody has this one open
        self.server.start()


@pytest.fixture(scope="module")
def evening(browser, empty_database, tmp_path_factory):
    """One for all tests of a file: each has games of its own."""
    folder = tmp_path_factory.mktemp("evening")
    shutil.copy(empty_database, folder / "games.db")
    evening = Evening(browser, folder / "games.db")
    with evening.server:
        yield evening
