"""The cast of the page tests: alice scores, bob watches, a stranger has no link; and pages read as people read them."""

import re
from html import unescape
from uuid import uuid4

import sqlalchemy as sa

from app.games.recording import open_game
from app.store.database import Grant, db
from app.store.grants import mint
from tests.json_scorer import Scorer
from tests.kalooki.table_talk import hand

FOUR = ("Ann", "Ben", "Cat", "Dan")
EURO = {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}
START_FORM = {"variant": "european", "players-0-name": "Ann", "players-1-name": "Ben", "dealer": "0"}
START_FORM |= {"out_at": "limit", "settle": "account", "submission": "page-1", "do": "start"}
"""The form that starts a game, as the page sends it."""


def start(client, variant="european", players=("Ann", "Ben"), *events, **more):
    """A game that a device starts through the JSON interface, after some entries; the device has no page of it open."""
    scorer = Scorer(client, {"variant": variant, "players": [*players]} | more)
    scorer.record(*events)
    return scorer


def start_by_form(client, form=None, /, **typed):
    """The game that the form of a page starts, as recorded."""
    answer = client.post("/new", data=(START_FORM if form is None else form) | typed)
    assert answer.status_code == 303, words(answer.text)
    with client.application.app_context():
        return open_game(answer.location.rsplit("/", 1)[-1])


def words(page):
    """The text of a page, tags and surplus white space gone."""
    body = re.sub(r"(?s)<head>.*?</head>", "", page)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).replace(" .", ".").split())


def all_hold(held, players, winner=1, ending="going_out"):
    """A hand of so many players, after which all who lost it hold the same."""
    return hand(winner, ending, **{f"s{seat}": held for seat in range(1, players + 1) if seat != winner})


def see(client, path):
    """The words of a page that is there."""
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return words(answer.text)


def take_back(app, *grants):
    """Revoke rights by their numbers, as 0.3 did one by one."""
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(sa.update(Grant).where(Grant.id.in_(grants)).values(revoked_at="2026-11-21T20:15:00Z"))


class Device:
    """A browser without JavaScript on a game."""

    def get(self, path=""):
        return self.client.get(f"/g/{self.code}{path}")

    def see(self, path=""):
        """The words of a page of the game."""
        return see(self.client, f"/g/{self.code}{path}")


class Alice(Device):
    """The scorer: a browser without JavaScript on her own game."""

    def __init__(self, app, variant="european", players=("Ann", "Ben", "Cat"), *events, **more):
        self.app = app
        self.client = app.test_client()
        self.scorer = start(app.test_client(), variant, players, *events, **more)
        self.code = self.scorer.code
        assert self.client.get(f"/g/{self.code}/s/{self.scorer.secret}").status_code == 303

    def record(self, *events):
        """Record entries elsewhere with her right."""
        self.scorer.record(*events)
        return self

    def send(self, path, **fields):
        """Send a form as a page would, from the newest state."""
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        return self.sent(path, fields)

    def sent(self, path, fields):
        """The response to a form; a preview is a page with its own address."""
        fields = {"seen": self.table.seen, "submission": str(uuid4())} | fields
        answer = self.client.post(f"/g/{self.code}{path}", data=fields)
        return self.client.get(answer.location) if "/look?" in (answer.location or "") else answer

    def link(self, role):
        """The path by which another phone gets a right: a scorer's as the command prints it, or the one to join."""
        if role == "scorer":
            with self.app.app_context():
                return f"/g/{self.code}/s/{mint(self.code, 'scorer')}"
        return re.search(rf"/g/{self.code}/p/\w+", self.get("/share").text)[0]

    def let_only_starter_record(self, *, only=True):
        """Press the switch on the share page."""
        do = {"do": "only" if only else "all"}
        assert self.client.post(f"/g/{self.code}/share/recorders", data=do).status_code == 303

    def reset_links(self):
        """Give the game a new address, as the button on the share page does."""
        self.code = self.client.post(f"/g/{self.code}/share").location.split("/")[2]

    @property
    def table(self):
        with self.app.app_context():
            return open_game(self.code)

    @property
    def totals(self):
        return [player.total for player in self.table.game.players.values()]

    def events(self):
        """What has been recorded since the start, as JSON."""
        return [entry.event for entry in self.table.log.entries[1:]]


class Player(Device):
    """A phone with a seat: joined by the link for that, without JavaScript; seat 0 is just watching."""

    def __init__(self, alice, seat):
        self.alice, self.code, self.seat = alice, alice.code, seat
        self.client = alice.app.test_client()
        assert self.client.post(alice.link("player"), data={"seat": str(seat)}).status_code == 303

    def count(self, left="", after=None):
        """Send a count for the current hand."""
        after = self.alice.table.dealt_after if after is None else after
        fields = {"seen": str(after), f"left-{self.seat}": left}
        return self.client.post(f"/g/{self.code}/count", data=fields)
