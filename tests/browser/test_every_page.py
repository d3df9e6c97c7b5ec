"""Every page, whoever wrote it: no barrier in either theme, nothing to scroll sideways for, nothing a thumb misses."""

import re

import pytest
from playwright.sync_api import expect

from app import create_app
from tests.browser.accessibility import barriers, pale, unfold
from tests.browser.phone_pool import PHONE
from tests.browser.phones import Table
from tests.browser.test_new_game import SMALL
from tests.pages import EURO, hand

pytestmark = pytest.mark.browser

ANYBODY = (
    "/clubs/new",
    "/", "/new", "/new?variant=jamaican", "/check", "/check?check=turn",
    "/check?check=solve&cards=7H 8H 9H * 9S KD&goal=open&discard=9D", "/rules", "/rules/european", "/compare",
    "/disputes", "/disputes?q=wibble", "/disputes/all", "/wrong", "/wrong/draw", "/wrong/draw/drew-two",
    "/wrong/draw/drew-two/later", "/shown/dispute/how-many-jokers", "/elsewhere/dispute/ace-low",
    "/check/shown?cards=AH 2H 3H", "/check?check=count&cards=KS AH *",
    "/check?check=out&meld=KS KD KH&thrown=2C", "/check/shown?check=count&cards=KS AH *",
    "/games", "/evening", "/sheets", "/sheets/blank?variant=jamaican&names=Ann, Ben, Cat&players=2",
    "/copy", "/copy/saved", "/offline", "/nowhere",
    "/privacy", "/device", "/help", "/evening?game={over}&game={faulty}", "/compare?a=european&b=jamaican",
    "/check?check=opening&variant=north-american&meld=KH KD KS&on=4H 5H 6H&add=7H",
    "/check?check=build&on=4S 5S 6S&cards=7S", "/check?check=turn&hand=5H 6H 7H&do=stock&place=&cards=KC",
)  # fmt: skip
SCORER = (
    "", "/hand", "/correct/2", "/insert/2", "/settle", "/history", "/more", "/share", "/sheet", "/table",
    "/check", "/rules", "/disputes", "/disputes/all", "/wrong/draw/drew-two/later", "/undo/2", "/void", "/rematch",
    "/bought-in/3/2", "/p/{invitation}", "/delete", "/result", "/sheet/picture", "/enter/face?seat=2",
    *(f"/enter/{kind}" for kind in ("penalty", "leave", "join", "end", "stop", "paid", "rename", "setup")),
    "/hand/look?winner=1&ending=going_out&left-2=35&left-3=KH+QD+*+5C&left-4=12&seen=4",
    "/correct/2/look?winner=1",
    "/enter/penalty/look?seat=2&points=5&reason=talking", "/enter/penalty/look?do=change", "/enter/ruling/4",
    "/enter/ruling/look?query=cards%3DAH+2H+3H&seat=2&points=5&amount=0.50", "/hands/2/best",
)  # fmt: skip
PLAYER = ("", "/count", "/p/{invitation}", "/seat", "/table", "/history", "/more", "/share")
WATCHER = (
    "", "/share", "/continue", "/settle", "/hands/2", "/hands/3", "/wrong", "/wrong/draw",
    "/wrong/draw/drew-two", "/shown/mishap/drew-two", "/elsewhere/dispute/ace-low", "/check/shown?cards=AH+2H+3H",
)  # fmt: skip
FAULTY = ("", "/settle", "/history", "/more")
ASKING = ("", "/hand")
OVER = ("", "/settle", "/rematch")
KEEPER = (
    "", "/person/1", "/game/2", "/history", "/more", "/share", "/add", "/add/{faulty}", "/table", "/new",
)  # fmt: skip
NO_PAGES = {
    "static", "health.alive", "health.ready", "updates.refuse_stream", "updates.version", "updates.show_board",
    "hands.show_incoming", "joining.open_link", "continuing.follow_copy",
    "club_links.run", "club_links.version", "club_links.refuse_stream",
    "pwa.find_file", "pwa.robots", "pwa.worker", "sheets.payments",
    "sheets.result_picture", "sheets.result_text",
}  # fmt: skip
"""Endpoints that answer a GET with something else than a page of its own."""

SIZES = {"small": (320, 640), "on its side": (740, 360), "laptop": (1280, 800)}
COLOURS = {
    ("anybody", "/"), ("anybody", "/check?check=out&meld=KS KD KH&thrown=2C"), ("anybody", "/rules/european"),
    ("scorer", ""), ("scorer", "/enter/penalty/look?seat=2&points=5&reason=talking"), ("scorer", "/settle"),
}  # fmt: skip
"""Together they show nearly every kind of box, badge and verdict."""

ZOOMED_OR_GUESSED = """() => [...document.querySelectorAll('input:not([type=hidden]), select, textarea')]
    .filter(each => !/checkbox|radio|submit|file/.test(each.type)).flatMap(each => [
        Number.parseFloat(getComputedStyle(each).fontSize) < 16 ? `${each.id}: zoomed when it is tapped` : [],
        each.matches('select, [readonly]') || (each.autocomplete || each.form?.autocomplete) === 'off'
            ? [] : `${each.id}: guessed`,
    ].flat())"""
"""Fields that a phone zooms to, or fills in by itself."""

TOO_WIDE = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def people(browser, server):
    """The scorers of four games, a seated player, a watcher and somebody who knows no game: a page each.

    In one a correction has made a buy-in senseless and a penalty was taken back; in one Dan may buy in; one is over.
    """
    table, faulty, asking, over = tables = [
        Table(browser, server, players=["Annemarie", "Ben", "Cat", "Dan"], stakes=EURO) for _ in range(4)
    ]
    table.record(
        hand(1, s2=35, s3="KH QD 7C 8C 9C", s4=12),
        hand(2, "kalooki", s1=28, s3=47, s4=90),
        {"kind": "ruling", "claim": {"cards": "AH 2H 3H"}, "verdict": {"ok": False}, "seat": 2, "points": 5},
    )
    faulty.record(
        hand(1, s2=54, s3=150, s4=14),
        {"kind": "buy_in", "seat": 3},
        {"kind": "penalty", "seat": 1, "points": 5, "amount": 30, "reason": "false claim"},
        {"kind": "undo", "target": 4},
        {"kind": "amend", "target": 2, "event": hand(1, s2=54, s3=67, s4=14)},
    )
    asking.record(hand(1, s2=28, s3="K", s4=140), hand(1, s2=2, s3=3, s4=20))
    over.record(hand(4, s1=150, s2=150, s3=20), *({"kind": "decline", "seat": seat} for seat in (1, 2)))
    over.record(hand(4, s3=130))
    invitation = table.invitation()
    player = table.seated(2, invitation)
    for make in ("Android", "Windows"):
        table.seated(1, invitation, user_agent=make)
    people = {"anybody": table.phone(), "scorer": table.scorer(""), "player": player, "watcher": table.phone()}
    people |= {"faulty": faulty.scorer(""), "asking": asking.scorer(""), "over": over.scorer("")}
    codes = {"invitation": invitation, "over": over.code, "faulty": faulty.code}
    people["keeper"], club = _keeper(table, over)
    games = {"faulty": faulty.game, "asking": asking.game, "over": over.game, "anybody": "", "keeper": club}
    yield lambda who, path: _opened(people[who], games.get(who, table.game) + path.format(**codes))
    for each in tables:
        each.close()


def _keeper(table, game):
    """A phone that runs a club in which a game counts, and the club's address."""
    page = table.device()
    club = page.request.post("/api/v1/clubs", data={"name": "Thursday"}).json()
    event = {"kind": "game", "code": game.code}
    sent = {"seen": 1, "submission": "first", "event": event, "right": game.secret}
    bearer = {"Authorization": f"Bearer {club['keeper']}"}
    assert page.request.post(f"/api/v1/clubs/{club['code']}/entries", data=sent, headers=bearer).status == 201
    page.goto(f"/c/{club['code']}/s/{club['keeper']}")
    return page, f"/c/{club['code']}"


def _opened(page, path):
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(path, timeout=120_000)  # one shows a picture, which a busy renderer takes some seconds to make
    unfold(page)
    return page


PEOPLE = {"anybody": ANYBODY, "scorer": SCORER, "player": PLAYER, "watcher": WATCHER}
PEOPLE |= {"faulty": FAULTY, "asking": ASKING, "over": OVER, "keeper": KEEPER}
EVERY = [(who, path) for who, paths in PEOPLE.items() for path in paths]


def _built(who, path):
    marks = pytest.mark.long if (who, path) in BUILT_LIKE_OTHERS else ()
    return pytest.param(who, path, marks=marks, id=f"{who} {path}")


BUILT_LIKE_OTHERS = {
    *(("watcher", path) for path in WATCHER),
    *(
        ("anybody", path)
        for path in ("/check", "/rules/european", "/disputes", "/disputes/all", "/wrong/draw/drew-two/later")
    ),
    *(("anybody", path) for path in ("/check?check=turn", "/disputes?q=wibble", "/wrong/draw", "/wrong", "/offline")),
    *(("anybody", path) for path in ("/nowhere", "/privacy", "/elsewhere/dispute/ace-low", "/copy/saved", "/compare")),
    ("anybody", "/check?check=build&on=4S 5S 6S&cards=7S"),
    ("anybody", "/check?check=turn&hand=5H 6H 7H&do=stock&place=&cards=KC"),
    *(("anybody", path) for path in ("/evening", "/compare?a=european&b=jamaican", "/rules")),
    *(("anybody", path) for path in ("/check?check=count&cards=KS AH *", "/device")),
    *(("anybody", path) for path in ("/check/shown?check=count&cards=KS AH *", "/new?variant=jamaican")),
    *(
        ("scorer", path)
        for path in (
            "/check",
            "/rules",
            "/disputes",
            "/disputes/all",
            "/insert/2",
            "/sheet",
            "/correct/2/look?winner=1",
        )
    ),
    *(("scorer", path) for path in ("/wrong/draw/drew-two/later", "/enter/penalty/look?do=change", "/void")),
    *(("scorer", f"/enter/{kind}") for kind in ("leave", "join", "end", "rename", "paid")),
    *(("player", path) for path in ("/table", "/history", "/more", "/share", "/p/{invitation}")),
    *(("faulty", path) for path in ("", "/more", "/settle")),
    *(("over", path) for path in ("", "/rematch")),
    *(("scorer", path) for path in ("/history", "/rematch", "/enter/ruling/4", "/hand", "/enter/stop")),
    *(("anybody", path) for path in ("/check/shown?cards=AH 2H 3H", "/sheets")),
    ("anybody", "/check?check=opening&variant=north-american&meld=KH KD KS&on=4H 5H 6H&add=7H"),
    ("keeper", "/add"),
}
"""Another page of the same kind shows as much and more."""


def _faults(page, *, in_colour=False):
    """What stands in somebody's way: barriers, pale colours, what is too wide or too small."""
    found = barriers(page)
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        if page.evaluate(TOO_WIDE):
            found[name] = "scrolls sideways"
    page.set_viewport_size(PHONE)
    if small := page.evaluate(SMALL):
        found["too small for a thumb"] = small
    if fields := page.evaluate(ZOOMED_OR_GUESSED):
        found["fields"] = fields
    letters = page.context.new_cdp_session(page)
    letters.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    if page.evaluate(TOO_WIDE):
        found["letters of twice the size"] = "scrolls sideways"
    letters.send("Page.setFontSizes", {"fontSizes": {"standard": 16}})
    return found | (pale(page) if in_colour else {})


@pytest.mark.parametrize(("who", "path"), [_built(*each) for each in EVERY])
def test_a_page_has_no_barrier_and_fits(people, who, path):
    """The colours of most pages are those of a few."""
    assert _faults(people(who, path), in_colour=(who, path) in COLOURS) == {}


def test_the_form_of_a_hand_has_no_barrier_whatever_is_typed(people):
    page = people("asking", "/hand")
    key = "[data-keypad] > :not([hidden]) [data-key='{}']"
    page.locator(".winner .choice", has_text="Annemarie").tap()
    assert _faults(page) == {}
    page.locator(key.format("mode")).tap()
    page.locator(key.format("card K")).tap()
    page.locator(key.format("card K")).tap()
    assert _faults(page) == {}
    page.locator(key.format("next")).tap()
    page.locator(key.format("card 5")).tap()
    expect(page.locator("[data-preview-region]")).to_contain_text("Ben")
    assert _faults(page, in_colour=True) == {}


def test_a_form_that_is_refused_has_no_barrier_and_leads_to_its_field(people):
    page = people("anybody", "/new")
    page.get_by_role("radio", name="other").check()
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("alert").wait_for()
    assert _faults(page, in_colour=True) == {}
    page.get_by_role("link", name="Player 2: Give this player a name").click()
    assert page.evaluate("() => document.activeElement.id") == "players-1-name"


OTHERS = [each for each in EVERY if each not in COLOURS]


@pytest.mark.long
@pytest.mark.parametrize(("who", "path"), [pytest.param(*each, id=" ".join(each)) for each in OTHERS])
def test_a_page_stands_out_from_its_ground_in_both_themes(people, who, path):
    assert pale(people(who, path)) == {}


def test_no_page_is_left_out(database):
    rules = create_app({"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test"}).url_map.iter_rules()
    left_out = {
        str(rule)
        for rule in rules
        if "GET" in rule.methods and rule.endpoint not in NO_PAGES and not str(rule).startswith("/api/")
        if not any(_matches(str(rule), who, path) for who, path in EVERY)
    }
    # with an entry number there is the same page again
    assert left_out == {"/g/<code>/enter/<kind>/<int:entry>/look", "/g/<code>/void/<int:entry>"}


def _matches(rule, who, path):
    path = path.partition("?")[0]
    address = path if who == "anybody" else f"/c/CODE{path}" if who == "keeper" else f"/g/CODE{path}"
    pattern = re.sub(r"<any\((\w+), (\w+)\):\w+>", r"(\1|\2)", rule)
    pattern = re.sub(r"<int:\w+>", r"\\d+", pattern)
    return re.fullmatch(re.sub(r"<\w+>", r"[^/]+", pattern), address) is not None
