"""No dead end: every link a page offers is followed and every form sent as it opens, by everybody, without script."""

import shutil
import sqlite3
from contextlib import closing
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException

from app import create_app
from app.kalooki.variants import all_variants
from app.store.database import FILE, db
from tests.examples import IS_SHORT
from tests.pages import Alice, Player, hand
from tests.web.paper_reader import patiently
from tests.web.plain_pages import Offered

HOST = "http://localhost"
OPEN = {"RATELIMIT_ENABLED": False}
"""A walk presses more than an address may ask for."""
TOLD_APART = ("kind", "check", "variant_id", "filename", "do")
"""What makes another page of the same address or form."""

PRINTED = ("sheets.",)
"""What takes long and is printed from the same tables everywhere: asked for once."""

DRAWN = {
    *("sheets.blank", "sheets.payments", "sheets.pdf", "sheets.png", "sheets.result_picture"),
    *("sheets.rules_card", "sheets.table_card", "sheets.table_pdf"),
}
"""Files that the renderer makes, each with tests of its own: asked for in the long run alone."""

STEADY = ("rules.", "referee.check", "referee.show_large", "disputes.", "static")
"""Pages that no entry changes: asked for once by everybody of a variant."""

seen_by_all = set()


def variants():
    return {variant.id: variant for variant in all_variants()}


# ---- The states a game can be in


def before_the_first_deal(_variant):
    return []


def between_hands(variant):
    """One entry of each kind that can be corrected, and a correction of each kind."""
    paid = [{"kind": "paid", "from": 2, "to": 1, "amount": 10}] if variant.has_stakes else []
    first = [{"kind": "first", "seat": 2}] if variant.plays_first == "highest_card" else []
    return [
        *first,
        hand(1, s2="KH QD 7", s3=20, s4=5),
        {"kind": "void", "reason": "misdeal"},
        hand(2, variant.endings[1], s1=10, s3=12, s4=5),
        {"kind": "penalty", "seat": 3, "points": 5},
        {"kind": "join", "name": "Eve", "points": 12},
        {"kind": "rename", "seat": 3, "name": "Kat"},
        {"kind": "setup", "dealer": 2},
        *paid,
        {"kind": "ruling", "check": "meld", "claim": {"cards": "AH 2H 3H"}, "verdict": {"ok": False}, "seat": 2},
        {"kind": "amend", "target": 2 + len(first), "event": hand(1, s2=30, s3=20, s4=5)},
        {"kind": "insert", "before": 4 + len(first), "event": hand(3, s1=7, s2=9, s4=1)},
        {"kind": "leave", "seat": 5},
        {"kind": "penalty", "seat": 1, "points": 1},
        {"kind": "undo", "target": 13 + len(first) + len(paid)},
    ]


def offers_open(variant):
    return [hand(1, s2=variant.limit, s3=20, s4=5)]


def an_answer_each(variant):
    """One bought in, another declined: both can be corrected."""
    return [
        hand(1, s2=variant.limit, s3=variant.limit, s4=20),
        {"kind": "buy_in", "seat": 2},
        {"kind": "decline", "seat": 3},
    ]


def over(variant):
    if variant.limit:
        return [hand(1, s2=variant.limit, s3=variant.limit, s4=variant.limit)]
    return [*_all_hands(variant, hand(1, s2=20, s3=30, s4=5)), *_the_tables_end(variant)]


def tied(variant):
    level = [hand(1, s2=20, s3=30, s4=40), hand(2, s1=20, s3=30, s4=40)]
    # Ann and Ben stay level: Cat wins the others
    return [*level, *_all_hands(variant, hand(3, s1=5, s2=5, s4=9))[2:], *_the_tables_end(variant)]


def stopped(_variant):
    return [hand(1, s2=20, s3=30, s4=5), {"kind": "stop", "pool": "equal"}]


def with_faults(_variant):
    """Eve was never there: her penalty, a hand she won and her leaving make no sense any more."""
    return [
        {"kind": "join", "name": "Eve", "points": 0},
        {"kind": "penalty", "seat": 5, "points": 5},
        hand(5, s1=3, s2=4, s3=5, s4=6),
        {"kind": "leave", "seat": 5},
        {"kind": "undo", "target": 2},
    ]


def _all_hands(variant, each):
    return [each] * (variant.game_hands or 2)


def _the_tables_end(variant):
    return [{"kind": "end"}] if variant.ended_by_table else []


STATES = {
    before_the_first_deal: lambda _: True,
    between_hands: lambda _: True,
    offers_open: lambda variant: variant.buy_ins,
    an_answer_each: lambda variant: variant.buy_ins,
    over: lambda _: True,
    tied: lambda variant: variant.decided_by == "points",
    stopped: lambda _: True,
    with_faults: lambda _: True,
}
"""Every state with what a variant needs to come to it."""

WATCHED = (between_hands, an_answer_each, over)
"""The states in which a watcher looks too: they are offered less than a player, and much the same in all others."""

IN_EVERY_RUN = {("european", between_hands)}
"""The state in which most is offered."""

GAMES = [
    pytest.param(
        variant_id,
        state,
        id=f"{variant_id}: {state.__name__}",
        marks=() if (variant_id, state) in IN_EVERY_RUN else pytest.mark.long,
    )
    for variant_id, variant in variants().items()
    for state, occurs in STATES.items()
    if occurs(variant)
]


@pytest.fixture(scope="module")
def place(empty_database, tmp_path_factory):
    """One application with its database for all games: it compiles every template once."""
    database = shutil.copy(empty_database, tmp_path_factory.mktemp("ends") / "games.db")
    app = create_app({"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test", "WTF_CSRF_ENABLED": False} | OPEN)
    yield app, database
    with app.app_context():
        db.engine.dispose()


@pytest.mark.parametrize(("variant_id", "state"), GAMES)
def test_nothing_offered_leads_nowhere(place, variant_id, state):
    app, database = place
    variant = variants()[variant_id]
    stakes = {} if variant.has_stakes else None
    alice = Alice(app, variant_id, ("Ann", "Ben", "Cat", "Dan"), stakes=stakes)
    alice.record(*state(variant))
    seated = Player(alice, seat=2)
    people = {"scorer": alice.client, "player": seated.client}
    if state in WATCHED:
        people["watcher"] = app.test_client()
    walks = [Walk(app, database, f"{variant_id} {who}", client) for who, client in people.items()]

    assert [problem for walk in walks for problem in walk.from_page(f"/g/{alice.code}")] == []


def test_nothing_offered_to_a_stranger_leads_nowhere(place):
    app, database = place
    assert Walk(app, database, "stranger", app.test_client()).from_page("/") == []


class Walk:
    """Somebody who follows every link and sends every form, one of each kind; `problems` say what broke."""

    def __init__(self, app, database, who, client):
        self.app, self.database, self.who, self.client = app, database, who, client
        self.known = set()
        self.problems = []

    def from_page(self, start):
        """Everything that is offered from one page on."""
        self.explore([(start, self.page(self.client.get(start), start))])
        return self.problems

    def explore(self, pages):
        """Follow all links of some pages, then send each form from the game as it is now, and go on from there."""
        forms = []
        while pages:
            address, page = pages.pop()
            forms += [
                (form, address) for form in page.forms if form.buttons and self.is_new(self.form_kind(form, address))
            ]
            links = [link for link in self.links(page, address) if self.is_new(self.page_kind(link))]
            found = [
                (link, self.page(patiently(self.client, link), f"{link} (offered on {address})")) for link in links
            ]
            pages += [(link, page) for link, page in found if page]
        cookies = dict(self.client._cookies)
        with closing(sqlite3.connect(":memory:")) as kept:
            self.copy_games(kept)
            for form, address in forms:
                page = self.press(form, address)
                self.explore([(address, page)] if page else [])
                self.copy_games(kept, back=True)
                self.client._cookies = dict(cookies)

    def press(self, form, address):
        """The page that the first button of a form as it opens leads to."""
        action, sent = form.first_press
        action = urljoin(address, action)
        fields = MultiDict(sent)
        answer = self.client.get(action, query_string=fields) if form.is_get else self.client.post(action, data=fields)
        return self.page(answer, f"{action} with {sent} (form of {address})")

    def page(self, answer, what):
        """The page an answer leads to, or None; an answer that is none, and torn texts, are problems."""
        while answer.status_code in (302, 303):
            answer = self.client.get(answer.location)
        page = Offered(answer.text) if answer.mimetype == "text/html" else None
        says_why = answer.status_code == 422 and page and page.complains
        if answer.status_code >= 400 and not says_why:
            self.problems.append(f"{self.who}: {answer.status_code} at {what}")
        self.problems += [f"{self.who}: torn at {what}: {text}" for text in (page.torn if page else ())]
        return page

    def links(self, page, address):
        """Where the links of a page lead on this server; one to a place of the page itself needs that place."""
        lost = [link for link in page.links if link.startswith("#") and link[1:] not in page.ids]
        self.problems += [f"{self.who}: {link} leads nowhere on {address}" for link in lost]
        every = (urljoin(HOST + address, link) for link in page.links + page.pictures)
        return [link.removeprefix(HOST).partition("#")[0] for link in every if link.startswith(HOST)]

    def is_new(self, kind):
        """Whether a page or a form of this kind was not met before."""
        endpoint, *_ = kind
        if IS_SHORT and endpoint in DRAWN:
            return False
        if endpoint.startswith(PRINTED):
            kind = (endpoint,)
        elif endpoint.startswith(STEADY):
            kind = (self.who, *kind)
        known = seen_by_all if endpoint.startswith(PRINTED + STEADY) else self.known
        is_new = kind not in known
        known.add(kind)
        return is_new

    def page_kind(self, address, method="GET"):
        """The endpoint with what makes another page of it; an address nobody serves is a kind of its own."""
        split = urlsplit(address)
        try:
            endpoint, values = self.app.url_map.bind("localhost").match(split.path, method)
        except HTTPException:
            return (address,)
        told = values | dict(parse_qsl(split.query))
        apart = tuple(str(told[name]) for name in TOLD_APART if name in told)
        return (endpoint, *apart, *sorted(told))

    def form_kind(self, form, address):
        """Where a form leads with its first button, but for whom or what that is pressed."""
        action, _ = form.first_press
        name, value, _ = form.buttons[0]
        return (*self.page_kind(urljoin(address, action), form.method.upper()), name, value.partition("-")[0])

    def copy_games(self, kept, back=False):
        with closing(sqlite3.connect(self.database)) as games:
            (kept if back else games).backup(games if back else kept)
            if back:  # now, else the next save would shorten the file
                games.execute("PRAGMA wal_checkpoint").fetchone()
        if back:
            self.app.extensions[FILE]._length = 0  # a shorter file would be taken for one that was cut
