"""Who may do what: every route and every kind of entry, for everybody there can be at a table.

The tables below are the whole answer. A route or a kind without a row fails.
"""

import pytest
import sqlalchemy as sa

from app.kalooki.game.events import KINDS
from app.store import grants as stored_grants
from app.store.database import db
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

CLAIM = {"cards": "7H 8H 9H", "variant": "european"}
HAND = {"winner": "1", "ending": "going_out", "points-2": "5", "points-3": "5", "points-4": "5"}
OPEN_TO_ALL = {
    # no game, no right: everybody sees it, and what is sent changes nothing of anybody else's
    "GET": {
        "api.compare": "a=european&b=jamaican", "api.disputes": "variant=european",
        "api.find": "variant=european&q=joker",
        "privacy.ask_forget": "", "privacy.show": "",
        "api.openapi": "", "api.variant": "", "api.variants": "", "copying.ask_for_saved": "",
        "copying.start": "", "evenings.games": "",
        "evenings.settle": "", "health.alive": "", "health.ready": "", "help.show": "",
        "start.home": "", "start.new_game": "",
        "disputes.show_disputes": "", "disputes.elsewhere": "", "disputes.show_large": "", "disputes.wrong": "",
        "referee.check": "",
        "referee.show_large": "cards=7H+8H+9H",
        "rules.compare": "", "rules.index": "", "rules.variant": "",
        "sheets.ask_for_blank": "", "sheets.choose": "",
        "pwa.find_file": None,
        "pwa.offline": "", "pwa.robots": "", "pwa.worker": "", "static": "",
        "sheets.blank": None, "sheets.rules_card": None, "sheets.payments": None,
    },
    "POST": {
        "api.check_rules": {"variant": "european", "house": {"jokers": 4}}, "start.judge_rules": START_FORM,
        "copying.judge_rules": {"variant": "european", "names": "Ann, Ben"},
        "api.count": CLAIM, "api.deck": {"holdings": ["7H"], "variant": "european"}, "api.rule_on_claim": CLAIM,
        "api.solve": CLAIM | {"goal": "least_points"}, "api.import_game": None, "api.new_game": None,
        "api.new_club": None,
        "copying.bring_back": None, "copying.judge": {},
        "evenings.forget": {"forget": "NOSUCHGAME2"},
        "example.end": {}, "example.start": None,
        "start.open_typed": {"typed": "NOSUCHGAME2"}, "start.start_game": START_FORM, "privacy.forget": None,
    },
}  # fmt: skip
"""What is asked (an address's query, a form, or JSON); None is not tried here: it prints, or starts a game."""

SEES = (
    "api.show_game", "games.show", "updates.show_board", "games.show_table", "updates.version",
    "disputes.show_disputes", "disputes.elsewhere", "disputes.show_large", "disputes.wrong",
    "referee.check", "rules.game",
    "sheets.csv", "sheets.document", "game_pages.sheet", "sheets.json", "sheets.result_text", "sheets.text",
    "game_pages.hand", "game_pages.hindsight", "game_pages.history",
    "game_pages.more", "game_pages.result", "game_pages.settle",
    "game_pages.share", "game_pages.sheet_picture", "game_pages.rematch",
)  # fmt: skip
"""What anybody sees who has the game's code."""
SEES_ASKED = {"referee.show_large": "?cards=7H+8H+9H"}
UNTRIED = {
    "updates.refuse_stream", "sheets.pdf", "sheets.png", "sheets.result_picture",
    "sheets.table_card",
}  # fmt: skip
"""Open to whoever has the game's code, and tried elsewhere: what is printed, and what never ends."""
OF_A_CLUB = {"api.show_club": "GET", "api.add_to_club": "POST"}
OF_A_CLUB |= dict.fromkeys(("clubs.run", "clubs.version", "clubs.refuse_stream"), "GET")
"""Of a club, and tried in test_club_api.py."""
BY_SECRET = {"joining.enter": "/s/", "joining.choose_seat": "/p/", "joining.take_seat": "/p/"}
"""Whoever has the secret in the address."""

READS = {
    # a page that only some may open
    "corrections.ask_buy_in": ("/bought-in/2/2", WRITES),
    "corrections.ask_undo": ("/undo/2", WRITES),
    "corrections.ask_void": ("/void", WRITES),
    "hands.incoming": ("/arriving?seen=2", WRITES),
    "counts.ask_count": ("/count", SEATED),
    "joining.choose_seat": ("/seat", JOINED),
    "hands.enter": ("/hand", WRITES),
    "hands.show_preview": ("/hand/look?winner=1&points-2=5&points-3=5&points-4=5&seen=2", WRITES),
    "continuing.ask_continue": ("/continue", EVERYBODY),
    "continuing.follow_copy": ("/continue/NOSUCHGAME2", EVERYBODY),
    "managing.ask_delete": ("/delete", STARTED),
    "entries.enter": ("/enter/penalty", WRITES),
    "entries.show_preview": ("/enter/penalty/look?seat=2&points=5&reason=talking&seen=2", WRITES),
}
DOES = (
    # route, path, form, who
    ("corrections.buy_in", "/bought-in/2/2", {}, WRITES),
    ("corrections.undo", "/undo/2", {}, WRITES),
    ("corrections.void", "/void", {"reason": "misdeal"}, WRITES),
    ("counts.hand_in", "/count", {"seen": "2", "cards-4": "K"}, SEATED),
    ("games.answer_offer", "/offers", {"do": "decline-2"}, WRITES),
    ("games.decide", "/decider", {"winner": "1"}, WRITES),
    ("games.say_first", "/first", {"seat": "1"}, WRITES),
    ("hands.preview", "/hand/preview", HAND, WRITES),
    ("hands.send", "/hand", HAND | {"do": "save"}, WRITES),
    ("continuing.continue_here", "/continue", {}, EVERYBODY),
    ("continuing.ignore_copy", "/continue/NOSUCHGAME2", {}, EVERYBODY),
    ("continuing.join_rematch", "/rematch", {}, EVERYBODY),
    ("managing.choose_recorders", "/share/recorders", {"do": "as it is"}, STARTED),
    ("disputes.record_ruling", "/wrong/draw/drew-two/later", {"do": "keep"}, WRITES),
    ("disputes.record_answer", "/disputes", {"answer": "dispute/how-many-jokers"}, WRITES),
    ("referee.record_ruling", "/check?cards=7H+8H+9H", {}, WRITES),
    ("entries.judge_rules", "/enter/setup/rules", {"house-limit": "200"}, WRITES),
    ("game_pages.note_payment", "/settle", {"do": "paid-1-2-5"}, WRITES),
    *(
        ("entries.send", f"/enter/{kind}", {"do": "save"}, WRITES)
        for kind in ("penalty", "leave", "join", "end", "stop", "paid", "rename", "setup", "face")
    ),
    ("entries.send", "/enter/ruling", {"do": "save", "query": "cards=7H+8H+9H"}, WRITES),
    ("joining.take_seat", "/seat", {"seat": "4"}, JOINED),
)
ENDS = (
    # after these the game has another address, or none
    ("managing.reset_links", "/share", {}, STARTED),
    ("managing.delete", "/delete", {"name": "Ann"}, STARTED),
)
ENTRY = "api.add_entry"
KIND_OF_ENTRY = {
    "hand": {"winner": 1, "ending": "going_out", "left": {"2": "K", "3": "K", "4": "K"}},
    "void": {"reason": "misdeal"},
    "buy_in": {"seat": 2},
    "decline": {"seat": 2},
    "penalty": {"seat": 2, "points": 5, "reason": "talking"},
    "ruling": {"claim": {"cards": "7H"}, "verdict": {"ok": False}},
    "leave": {"seat": 4},
    "join": {"name": "Eve", "points": 0, "stake": False},
    "rename": {"seat": 1, "name": "Anne"},
    "setup": {"dealer": 2},
    "paid": {"from": 1, "to": 2, "amount": 5},
    "face": {"seat": 1, "colour": "teal"},
    "first": {"seat": 1},
    "end": {},
    "stop": {},
    "decider": {"winner": 1},
    "insert": {"before": 2, "event": {"kind": "void", "reason": "misdeal"}},
    "amend": {"target": 2, "event": {"kind": "void", "reason": "misdeal"}},
    "undo": {"target": 2},
}
"""One of each kind: only who writes may send it."""


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


@pytest.fixture(params=[False, True], ids=["everybody", "only-starter"])
def people(app, request):
    return Everybody(app, only_starter=request.param)


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
    rows |= {(name, "GET") for name in (*SEES, *SEES_ASKED, *UNTRIED, *READS, *BY_SECRET)}
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


def test_what_anybody_sees_who_has_the_code(app, people):
    before = people.stored()
    for endpoint in (*SEES, *SEES_ASKED):
        address = path(app, endpoint, code=people.code) + SEES_ASKED.get(endpoint, "")
        for name, device in people.devices.items():
            assert device.get(address).status_code in (200, 422), (endpoint, name)
    assert people.stored() == before


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
            values[name] = next(iter(getattr(converter, "items", ())), values[name])
        address = rule.build(values | {"code": guessed})[1]
        for method in rule.methods & {"GET", "POST"}:
            answer = stranger.open(address, method=method)
            assert answer.status_code == 404, (method, address)
    answer = stranger.get("/evening", query_string={"game": guessed})
    assert answer.status_code == 404
    assert people.stored() == before


def test_a_page_is_opened_by_those_who_may(people):
    for endpoint, (address, who) in READS.items():
        to = f"/g/{people.code}{address}"
        refuse(people, who, endpoint, lambda device, to=to: device.get(to))
        grant(people, who, endpoint, lambda device, to=to: device.get(to))


def test_a_form_is_sent_by_those_who_may(app, people):
    asked = [(row, sending(app, people, *row[:3])) for row in DOES]
    for row, send in asked:
        refuse(people, row[3], row, send)
    for row, send in asked:
        grant(people, row[3], row, send)


@pytest.mark.parametrize("row", ENDS, ids=[row[0] for row in ENDS])
def test_a_game_is_moved_or_deleted_by_those_who_may(app, people, row):
    send = sending(app, people, *row[:3])
    refuse(people, row[3], row, send)
    grant(people, row[3], row, send)
    for name in EVERYBODY - STARTED:
        assert people.devices[name].get(f"/g/{people.code}").status_code == 410, name


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


def test_a_link_is_opened_by_whoever_has_its_secret_and_by_no_guess(app, people):
    stranger = app.test_client()
    given = {
        "joining.enter": people.alice.link("scorer"),
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
