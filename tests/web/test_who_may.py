"""Who may do what: every route and every kind of entry, for everybody there can be at a table.

The tables of `who_may.toml` are the whole answer. A route or a kind without a row fails.
"""

import re
import tomllib
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.kalooki.game.events import KINDS
from app.store import grants as stored_grants
from app.store.database import db
from tests.matrix import some
from tests.pages import START_FORM, Alice, hand, take_back, words

pytestmark = pytest.mark.both_engines

IN_CLUBS = {"keeper of another club": [], "watcher of the club": [], "keeper after a drop": ["drop"]}
KEEPS = {"keeper": [], "keeper after a drop undone": ["drop", "undo"]}
"""Who keeps a club in which the game counts, with the right to record, and what the club said since."""
WATCHES = {"watcher", "other game", "revoked scorer", "revoked seat", *IN_CLUBS}
STARTED = {"starter"}
SCORES = STARTED | {"scorer"}
SEATED = {"seated", "same seat"}
JOINED = SEATED | {"just watching"}
EVERYBODY = WATCHES | JOINED | SCORES | KEEPS.keys()
WRITES = "writes"
"""Whoever scores or keeps; and whoever is seated, unless the switch says that only the starting phone records."""

ROWS = tomllib.loads(Path(__file__).with_name("who_may.toml").read_text(encoding="utf-8"))
WHO = {"writes": WRITES, "started": STARTED, "seated": SEATED, "sits": JOINED | STARTED, "everybody": EVERYBODY}
SENT = {"untried": None, "the form of a game": START_FORM}
OPEN_TO_ALL = {
    method: {
        name: SENT.get(sent, sent) if isinstance(sent, str) else sent for name, sent in ROWS[method.lower()].items()
    }
    for method in ("GET", "POST")
}
SEES, UNTRIED = ROWS["sees"], ROWS["untried"]["routes"]
READS = {name: (path, WHO[who]) for name, (path, who) in ROWS["reads"].items()}
DOES, ENDS = ([(*row, WHO[who]) for *row, who in ROWS["sends"][part]] for part in ("does", "ends"))
KIND_OF_ENTRY = ROWS["entries"]

OF_A_CLUB = {"api.show_club": "GET", "api.add_to_club": "POST"}
OF_A_CLUB |= dict.fromkeys(("club_links.run", "club_links.version", "club_links.refuse_stream"), "GET")
CLUB_GETS = ("show", "person", "seats", "send", "next_game", "history", "more", "share", "choose_games", "ask_people")
CLUB_POSTS = ("record_entry", "reset_links", "add_games")
OF_A_CLUB |= {f"clubs.{name}": "GET" for name in CLUB_GETS} | {f"clubs.{name}": "POST" for name in CLUB_POSTS}
OF_A_CLUB |= {"new_club.ask": "GET", "new_club.start": "POST", "club_links.forget": "POST"}
OF_A_CLUB |= dict.fromkeys(("sheets.table_csv", "sheets.table_text", "sheets.table_pdf"), "GET")
"""Of a club, and tried in test_club_api.py, test_club_tables.py and test_club_pages.py."""
BY_SECRET = {"joining.open_link": "/s/", "joining.choose_seat": "/p/", "joining.take_seat": "/p/"}
"""Whoever has the secret in the address."""

ENTRY = "api.add_entry"


class Everybody:
    """One game, one hand played, and a device for each of the people there can be."""

    def __init__(self, app, *, only_starter):
        self.app = app
        self.alice = Alice(app, players=["Ann", "Ben", "Cat", "Dan"])
        self.code = self.alice.code
        self.alice.record(hand(1, s2=35, s3="KH QD", s4=10))
        self.other = Alice(app)
        self.devices = {"watcher": app.test_client(), "other game": self.other.client, "starter": self.alice.client}
        self.invitation = self.alice.link("player")
        for name in ("scorer", "revoked scorer"):
            self.devices[name] = app.test_client()
            assert self.devices[name].get(self.alice.link("scorer")).status_code == 303
        for name, seat in (("revoked seat", 3), ("seated", 4), ("same seat", 4), ("just watching", 0)):
            self.devices[name] = app.test_client()
            assert self.devices[name].post(self.invitation, data={"seat": str(seat)}).status_code == 303
        for name, said in (IN_CLUBS | KEEPS).items():
            self.devices[name] = self.in_a_club(name, said)
        if only_starter:
            self.alice.let_only_starter_record()
        self.writers = SCORES | KEEPS.keys() | (set() if only_starter else SEATED)
        with app.app_context():
            grants = stored_grants.list_grants(self.code)
        scorers = [grant.id for grant in grants if grant.role == "scorer"]
        take_back(app, scorers[-1], *(grant.id for grant in grants if grant.seat == 3))

    def in_a_club(self, name, said):
        """The device of somebody in a club with this game; only a keeper of another club has none of its rights."""
        script, keeps = self.app.test_client(), name != "watcher of the club"
        club = script.post("/api/v1/clubs", json={"name": "Thursday"}).json
        right = {} if name == "keeper of another club" else {"right": self.alice.scorer.secret}
        events = [
            {"kind": "game", "code": self.code},
            {"kind": "drop", "code": self.code},
            {"kind": "undo", "target": 3},
        ]
        for seen, event in enumerate(events[: 1 + len(said)], 1):
            body = {"event": event, "seen": seen, "submission": f"{seen}"} | (right if seen == 1 else {})
            bearer = {"Authorization": f"Bearer {club['keeper']}"}
            assert script.post(f"/api/v1/clubs/{club['code']}/entries", json=body, headers=bearer).status_code == 201
        device = self.app.test_client()
        with device.session_transaction() as cookie:
            cookie["clubs"] = [[club["code"], club["keeper"] if keeps else ""]]
        return device

    def who(self, row):
        """Those a row means."""
        return self.writers if row == WRITES else row

    def secret(self, name):
        """The secret a device has, if any: a script may send it as a bearer's."""
        with self.devices[name].session_transaction() as cookie:
            known = [*cookie.get("games", []), *cookie.get("clubs", [])]
            return next((each[1] for each in known if each[1]), "")

    def stored(self):
        with self.app.app_context(), db.engine.connect() as connection:
            tables = [table for name, table in db.metadata.tables.items() if name not in ("alembic_version", "pulse")]
            return [connection.execute(sa.select(table)).all() for table in tables]


SWITCH = ["everybody", "only-starter"]
WHERE_IT_MATTERS = pytest.mark.parametrize("people", SWITCH, indirect=True)
ELSEWHERE = pytest.mark.parametrize("people", some(SWITCH, "everybody"), indirect=True)


@pytest.fixture
def people(app, request):
    return Everybody(app, only_starter=request.param == "only-starter")


def refuse(people, who, what, ask):
    """To all who may not it is refused, and nothing is written."""
    before = people.stored()
    for name in sorted(EVERYBODY - people.who(who)):
        assert ask(people.devices[name]).status_code == 403, (what, name)
    assert people.stored() == before, what


def grant(people, who, what, ask):
    """All who may are answered: it is done, or asked for once more."""
    for name in sorted(people.who(who)):
        answer = ask(people.devices[name])
        assert answer.status_code in (200, 204, 302, 303, 409, 422), (what, name)


def sending(app, people, endpoint, address, form):
    """What sends a form from a device."""
    to = f"/g/{people.code}{address}" if address else path(app, endpoint, "POST")
    fields = {"seen": "2", "submission": "page", "game": people.code, f"seen-{people.code}": "2"} | form
    return lambda device: device.post(to, data=fields)


def tried():
    """Every route and method that has a row."""
    rows = {(name, method) for method, routes in OPEN_TO_ALL.items() for name in routes}
    rows |= {(name, "GET") for name in (*SEES, *UNTRIED, *READS, *BY_SECRET)}
    rows |= {(name, "POST") for name in (*BY_SECRET, ENTRY)} | {*OF_A_CLUB.items()}
    return rows | {(name, "POST") for name, *_ in (*DOES, *ENDS)}


def routes(app):
    return {
        (rule.endpoint, method) for rule in app.url_map.iter_rules() for method in rule.methods - {"HEAD", "OPTIONS"}
    }


def path(app, endpoint, method="GET", *, code=""):
    """An address of a route, with a game's code or without."""
    values = {
        "check": "meld", "variant_id": "european", "filename": "js/game.js", "kind": "dispute", "heading": "draw",
        "slug": "how-many-jokers", "entry": 2, "seat": 2, "when": "later",
    }  # fmt: skip
    if endpoint == "disputes.wrong":
        values["slug"] = "drew-two"
    rules = [
        rule
        for rule in app.url_map.iter_rules(endpoint)
        if method in rule.methods and ("code>" in rule.rule) == bool(code)
    ]
    given = {name: values[name] for name in rules[0].arguments - {"code", *(rules[0].defaults or {})}}
    return rules[0].build(given | ({"code": code} if code else {}))[1]


def test_every_route_has_a_row(app):
    missing = {each for each in routes(app) if each not in tried() and each[0] not in BY_SECRET}
    assert missing == set(), "say in the tables of this file who may use it"
    assert {name for name, _ in tried()} == {name for name, _ in routes(app)}


def test_every_kind_of_entry_has_a_row():
    assert KIND_OF_ENTRY.keys() == KINDS.keys() - {"start"}


@ELSEWHERE
@pytest.mark.parametrize("method", OPEN_TO_ALL)
def test_what_belongs_to_no_game_is_open_to_all(app, people, method):
    for endpoint, sent in OPEN_TO_ALL[method].items():
        if sent is None:
            continue
        address = path(app, endpoint, method)
        for name in ("watcher", "seated", "just watching", "starter", "revoked scorer"):
            device = people.devices[name]
            if method == "GET":
                answer = device.get(f"{address}?{sent}")
            else:
                answer = device.post(address, **{"json" if endpoint.startswith("api.") else "data": sent})
            assert answer.status_code in (200, 303, 422), (endpoint, name)
            answer.close()


@ELSEWHERE
def test_what_anybody_sees_who_has_the_code(app, people):
    before, keepers = people.stored(), {*KEEPS, "keeper of another club"}
    for endpoint, asked in SEES.items():
        address = path(app, endpoint, code=people.code) + asked
        for name, device in people.devices.items():
            answer = device.get(address)
            if endpoint == "game_pages.rematch" and name in keepers:  # the next game is their club's
                assert re.fullmatch(r"/c/\w+/new", answer.location), name
            else:
                assert answer.status_code in (200, 422), (endpoint, name)
    assert people.stored() == before


@ELSEWHERE
def test_without_the_code_there_is_nothing(app, people):
    """A stranger guesses."""
    stranger = app.test_client()
    guessed = "NOSUCHGAME2"
    before = people.stored()
    for rule in app.url_map.iter_rules():
        if "code>" not in rule.rule:
            continue
        values = {name: 2 if name in ("entry", "seat") else "penalty" for name in rule.arguments}
        for name, converter in rule._converters.items():
            values[name] = next(iter(getattr(converter, "items", ())), 2 if converter.regex == r"\d+" else values[name])
        address = rule.build(values | {"code": guessed})[1]
        for method in rule.methods & {"GET", "POST"}:
            answer = stranger.open(address, method=method)
            assert answer.status_code == 404, (method, address)
    answer = stranger.get("/evening", query_string={"game": guessed})
    assert answer.status_code == 404
    assert people.stored() == before


@WHERE_IT_MATTERS
def test_a_page_is_opened_by_those_who_may(people):
    for endpoint, (address, who) in READS.items():
        to = f"/g/{people.code}{address}"
        refuse(people, who, endpoint, lambda device, to=to: device.get(to))
        grant(people, who, endpoint, lambda device, to=to: device.get(to))


@WHERE_IT_MATTERS
def test_a_form_is_sent_by_those_who_may(app, people):
    asked = [(row, sending(app, people, *row[:3])) for row in DOES]
    for row, send in asked:
        refuse(people, row[3], row, send)
    for row, send in asked:
        grant(people, row[3], row, send)


@WHERE_IT_MATTERS
@pytest.mark.parametrize("row", ENDS, ids=[row[0] for row in ENDS])
def test_a_game_is_moved_or_deleted_by_those_who_may(app, people, row):
    send = sending(app, people, *row[:3])
    refuse(people, row[3], row, send)
    grant(people, row[3], row, send)
    for name in EVERYBODY - STARTED:
        assert people.devices[name].get(f"/g/{people.code}").status_code == 410, name


@ELSEWHERE
def test_after_a_reset_every_other_device_and_every_old_link_opens_nothing(app, people):
    old, links = people.code, (people.invitation, people.alice.link("scorer"))
    secrets = {name: people.secret(name) for name in people.devices}
    people.alice.reset_links()
    fresh = people.alice.code
    body = {"event": {"kind": "void"}, "seen": 2, "submission": "one"}
    for name in EVERYBODY - STARTED:
        device, bearer = people.devices[name], {"Authorization": f"Bearer {secrets[name]}"}
        for link in links:
            for opened in (link, link.replace(old, fresh)):
                assert device.get(opened).status_code in (404, 410), (name, opened)
        for address, (path, who) in READS.items():
            if who != EVERYBODY:
                assert device.get(f"/g/{fresh}{path}").status_code == 403, (name, address)
        assert app.test_client().post(f"/api/v1/games/{old}/entries", json=body, headers=bearer).status_code == 410
        assert app.test_client().post(f"/api/v1/games/{fresh}/entries", json=body, headers=bearer).status_code == 403
    assert people.alice.get("/hand").status_code == 200


@WHERE_IT_MATTERS
def test_what_a_page_offers_is_what_its_device_may(people):
    for name, device in people.devices.items():
        game, more, share = (words(device.get(f"/g/{people.code}{path}").text) for path in ("", "/more", "/share"))
        assert ("Record hand 2" in game) == (name in people.writers), name
        assert ("My cards" in game) == (name in SEATED), name
        assert ("Choose a seat" in game) == (name == "just watching"), name
        assert ("Penalty" in more) == (name in people.writers), name
        assert ("Delete this game" in more) == (name in STARTED), name
        assert ("Choose your seat" in share) == (name in JOINED | SCORES), name
        assert ("Reset all links" in share) == ("Who records" in share) == (name in STARTED), name


@ELSEWHERE
def test_a_link_is_opened_by_whoever_has_its_secret_and_by_no_guess(app, people):
    stranger = app.test_client()
    given = {
        "joining.open_link": people.alice.link("scorer"),
        "joining.choose_seat": people.invitation,
        "joining.take_seat": people.invitation,
    }
    others = people.other.link("player").rsplit("/", 1)[1]
    wrong = ["A" * 20, people.code, others, *map(people.secret, ("revoked scorer", "revoked seat", "other game"))]
    before = people.stored()
    for endpoint, prefix in BY_SECRET.items():
        method = "POST" if endpoint == "joining.take_seat" else "GET"
        for secret in wrong:
            guess = stranger.open(f"/g/{people.code}{prefix}{secret}", method=method, data={"seat": "3"})
            assert guess.status_code == 404, endpoint
    assert people.stored() == before
    for endpoint, link in given.items():
        method = "POST" if endpoint == "joining.take_seat" else "GET"
        answer = app.test_client().open(link, method=method, data={"seat": "3"})
        assert answer.status_code in (200, 303), endpoint


@WHERE_IT_MATTERS
def test_an_entry_is_sent_by_those_who_write_and_by_no_cookie(app, people):
    address = path(app, ENTRY, "POST", code=people.code)
    bearers = {name: {"Authorization": f"Bearer {people.secret(name)}"} for name in people.devices}
    before = people.stored()
    for kind, fields in KIND_OF_ENTRY.items():
        body = {"event": {"kind": kind} | fields, "seen": 2, "submission": "one"}
        for name, device in people.devices.items():
            assert device.post(address, json=body).status_code == 403, (kind, name)
            if name not in people.writers:
                told = app.test_client().post(address, json=body, headers=bearers[name])
                assert told.status_code == 403, (kind, name)
        for name in people.writers:
            told = app.test_client().post(address, json=body | {"preview": True}, headers=bearers[name])
            assert told.status_code in (200, 422), (kind, name)
    assert people.stored() == before
