"""A game of three on a server where nobody has long to refuse the pen."""

import shutil

import pytest

from tests.server import Server


@pytest.fixture(scope="module")
def server(empty_database, tmp_path_factory):
    """One server for the games of this file; whoever asks for the pen waits two seconds here."""
    database = shutil.copy(empty_database, tmp_path_factory.mktemp("live") / "games.db")
    with Server(f"sqlite:///{database}", PEN_SECONDS=2) as server:
        yield server
