"""Every page once, as a browser without JavaScript gets it: it opens, and says by one heading what it is."""

import re
import shutil
from functools import cache

import pytest

from app.settings import ROOT
from app.store import opening
from tests.browser.test_every_page import EVERY
from tests.conftest import application
from tests.pages import EURO, Alice, Player, hand, words

REFUSED = {
    ("anybody", "/nowhere"): 404,
    ("anybody", "/sheets/blank?variant=jamaican&names=Ann, Ben, Cat&players=2"): 422,
    ("scorer", "/enter/end"): 422,
    ("scorer", "/bought-in/3/2"): 422,
}
"""Pages that say what is missing: an address, players, a right, a reason to end, an offer to buy in."""
PAGES = [
    (who, path) for who, path in EVERY if who in ("anybody", "scorer", "player", "watcher") and "{over}" not in path
]
"""Those of the one game here; the browser's test opens the pages of games with faults, offers and an end."""


@pytest.fixture(scope="module")
def people(empty_database, tmp_path_factory):
    """The scorer, a seated player, a watcher and somebody who knows no game, with the game of the browser's test."""
    database = shutil.copy(empty_database, tmp_path_factory.mktemp("views") / "games.db")
    app = application(f"sqlite:///{database}")
    alice = Alice(app, players=("Annemarie", "Ben", "Cat", "Dan"), stakes=EURO, place="Church hall")
    ruling = {"kind": "ruling", "claim": {"cards": "AH 2H 3H"}, "verdict": {"ok": False}, "seat": 2, "points": 5}
    alice.record(hand(1, s2=35, s3="KH QD 7C 8C 9C", s4=12), hand(2, "kalooki", s1=28, s3=47, s4=90), ruling)
    invitation = alice.link("player")
    player = Player(alice, seat=2)
    anybody, watcher = app.test_client(), app.test_client()
    clients = {"anybody": anybody, "scorer": alice.client, "player": player.client, "watcher": watcher}

    @cache
    def opened(who, path):
        path = path.format(invitation=invitation.rpartition("/")[2])
        return clients[who].get(path if who == "anybody" else f"/g/{alice.code}{path}", follow_redirects=True)

    yield opened
    opening.close_database(app)


@pytest.mark.parametrize(("who", "path"), PAGES, ids=[f"{who} {path}" for who, path in PAGES])
def test_a_page_opens_and_says_what_it_is(people, who, path):
    answer = people(who, path)

    assert answer.status_code == REFUSED.get((who, path), 200)
    assert answer.text.count("<main") == 1
    assert len(re.findall(r"<h1\b", answer.text)) == 1
    assert re.search(r"<title>[^<]*\w[^<]*</title>", answer.text)
    assert "{{" not in words(answer.text)


IN_A_GAME = [(who, path) for who, path in PAGES if who != "anybody"]


@pytest.mark.parametrize(("who", "path"), IN_A_GAME, ids=[f"{who} {path}" for who, path in IN_A_GAME])
def test_a_page_of_a_game_says_at_which_table(people, who, path):
    page = people(who, path).text

    assert re.search(r"<title>Church hall, \w{3} \d+ \w{3}( \d{4})?, from \d\d:\d\d( after midnight)?: ", page)
    assert "Church hall" in words(re.search(r"(?s)<header.*?</header>", page)[0])


def test_every_address_that_is_asked_for_by_name_exists(app):
    """A template that names a page wrongly fails when it is rendered, perhaps for the first time at a table."""
    known = {rule.endpoint for rule in app.url_map.iter_rules()}
    sources = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "app").rglob("*.py")]
    texts = [path.read_text("utf-8") for path in sources]
    asked = {name for text in texts for name in re.findall(r"""\b(?:url_for|address)\(\s*["']([\w.]+)["']""", text)}

    assert len(asked) > 40
    assert asked - known == set()
