"""What a server's standard error told of the people it served: it is to be nothing, whatever a test does there."""

import json
import re
import sqlite3
from contextlib import closing, suppress
from urllib.parse import quote

from app.store.database import ALPHABET, CODE_LETTERS

REQUEST = re.compile(r"\[[0-9 :,-]{23}\] INFO in requests: (?:[A-Z]+|-) ([a-z_]+(?:\.[a-z_]+)?|-) \d{3} \d+ ms")
"""A line of a request, which names its endpoint."""
CODE = re.compile(rf"\b[{ALPHABET}]{{{CODE_LETTERS}}}\b")
PHONE = re.compile(r"(?<!http://)\b127\.\d+\.\d+\.\d+\b")
"""The address of a phone: all that tests have are on this machine, and so is the server, which may say its own."""
SHORTEST_NAME = 3


def told_of_people(said, database_url):
    """Codes of games, addresses, and names of the players in its database, if that can be read."""
    rest = "\n".join(line for line in said.splitlines() if not REQUEST.fullmatch(line))
    names = [name for name in players(database_url) if re.search(rf"\b{re.escape(name)}\b", rest)]
    return [*CODE.findall(said), *PHONE.findall(said), *names]


def players(database_url):
    """The names in every game of an SQLite database, but those that are as short as words of a program."""
    names, path = set(), quote(database_url.removeprefix("sqlite:///"))
    with suppress(sqlite3.Error, ValueError), closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        for (event,) in connection.execute("SELECT data FROM entry"):
            names |= named_in(json.loads(event))
    return sorted(name for name in names if len(name) >= SHORTEST_NAME)


def named_in(event):
    return {*map(str, event.get("players", ())), str(event.get("name", ""))}
