"""A guest network or a login proxy answers instead of the app: nothing of it is kept, and it deletes nothing."""

import re
import shutil

import pytest
from playwright.sync_api import expect

from tests.browser.hand_entry import enter_hand
from tests.browser.phone_pool import OPTIONS
from tests.browser.phones import START, Table, asleep
from tests.browser.test_hand_kept import keeps, keeps_the_form
from tests.matrix import some
from tests.proxy import Proxy, answer
from tests.server import Server

pytestmark = pytest.mark.browser

HOTEL = answer("200 OK", "Welcome to Hotel Wi-Fi")
LOGIN = answer("302 Found", "", "Location: /login-of-the-proxy")
FIREWALL = answer("403 Forbidden", "Not from this network")
SIGN_IN = answer("511 Network Authentication Required", "Sign in")
BROKEN = answer("500 Internal Server Error", "Proxy broken")


@pytest.fixture(scope="module")
def wifi(empty_database, tmp_path_factory):
    """The network between all phones of this file and their server."""
    proxy = Proxy("", leaves_out=True)
    database = shutil.copy(empty_database, tmp_path_factory.mktemp("hotel") / "games.db")
    with Server(f"sqlite:///{database}", BASE_URL=proxy.url) as server:
        proxy.server = server.port
        yield proxy
    proxy.close()


@pytest.fixture
def proxy(wifi):
    """It lets everything through, until a test says otherwise."""
    wifi.own = to_everything(b"")
    return wifi


@pytest.fixture
def table(browser, proxy):
    """A game of three whose phones reach the server through the proxy."""

    class Room:
        url = proxy.url

    table = Table(browser, Room, **START)
    yield table
    table.close()


@pytest.fixture
def scorer(table):
    """A phone that records, whose worker keeps the game's page and the form of a hand."""
    phone = table.scorer("", service_workers="allow")
    phone.evaluate("navigator.serviceWorker.ready")
    phone.reload()
    keeps_the_form(phone, f"{table.game}/hand", "Hand 1")
    return phone


def to_everything(own):
    return lambda path: own  # noqa: ARG005 - the same for every path


@pytest.mark.parametrize("own", some([HOTEL, BROKEN, SIGN_IN], HOTEL), ids=["hotel", "broken", "sign in"])
def test_a_foreign_page_never_stands_where_the_score_was_and_is_not_kept(proxy, table, scorer, own):
    for path in (table.game, f"{table.game}/hand", "/"):
        proxy.own = to_everything(own)
        scorer.goto(path)
        expect(scorer.locator(".site-head")).to_be_visible()
        if path == table.game:  # from the worker, which has the other pages too
            expect(scorer.locator("[data-connection]")).to_have_text("No connection: this may be old.")
    proxy.own = to_everything(b"")
    scorer.context.set_offline(True)
    scorer.goto(f"{table.game}/hand")
    expect(scorer.locator("form.is-live")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("own", some([LOGIN, FIREWALL], LOGIN), ids=["login", "firewall"])
def test_a_login_or_a_firewall_is_shown_and_deletes_nothing(proxy, table, scorer, own):
    proxy.own = lambda path: own if path == table.game else answer("200 OK", "Log in") if "login" in path else b""
    scorer.goto(table.game)
    expect(scorer.get_by_role("heading", name=re.compile("Log in|Not from this network"))).to_be_visible()
    scorer.context.set_offline(True)
    scorer.goto(f"{table.game}/hand")
    expect(scorer.locator("form.is-live")).to_be_visible()
    scorer.goto(table.game)
    expect(scorer.get_by_role("link", name="Record hand 1")).to_be_visible()


def test_a_script_that_is_not_ours_is_not_kept_under_our_name(proxy, table, scorer):
    proxy.own = lambda path: HOTEL if "/static/" in path else b""
    scorer.goto("/check")
    proxy.own = to_everything(b"")
    scorer.goto("/check")
    expect(scorer.locator("[data-picker]")).to_be_visible()
    keeps(scorer, "/check", "Kalooki Referee")


@pytest.mark.long
def test_a_board_keeps_its_score_and_says_that_the_connection_is_gone(proxy, table):
    phone = table.phone()
    proxy.own = to_everything(HOTEL)
    with asleep(phone):
        pass  # it wakes up in the hotel
    expect(phone.get_by_text("No connection: this may be old.")).to_be_visible()
    expect(phone.get_by_text("Welcome to Hotel Wi-Fi")).to_be_hidden()
    expect(phone.locator(".player", has_text="Ben")).to_be_visible()
    proxy.own = to_everything(b"")
    expect(phone.get_by_text("No connection: this may be old.")).to_be_hidden()


@pytest.mark.long
def test_stakes_typed_meanwhile_stay_and_start_begins_the_game_that_was_typed(browser, proxy):
    phone = browser.new_context(base_url=proxy.url, **OPTIONS).new_page()
    phone.goto("/new")
    names = phone.locator(".seat-name")
    names.nth(0).fill("Ann")
    names.nth(1).fill("Ben")
    phone.get_by_role("radio", name="other").check()
    unit = phone.locator("input[name='unit']")
    with phone.expect_response("**/new/rules*"):
        unit.fill("0.50")
    proxy.own = to_everything(HOTEL)
    with phone.expect_response("**/new/rules*") as answered:
        unit.press("Tab")
        folds = phone.locator("#house, .rule-row:has(#house-limit)")
        folds.evaluate_all("all => { for (const each of all) each.open = true }")
        phone.locator("#house-limit").fill("250")
    answered.value.finished()
    phone.evaluate("new Promise(requestAnimationFrame)")
    expect(phone.locator("#house-limit")).to_have_value("250")
    proxy.own = to_everything(b"")
    phone.get_by_role("button", name="Start the game").tap()
    phone.wait_for_url("**/g/*")
    phone.get_by_role("link", name="More", exact=True).tap()
    expect(phone.get_by_role("link", name="out at 250")).to_be_visible()
    phone.context.close()


def test_a_foreign_page_is_no_copy_of_a_game(proxy, table):
    proxy.own = lambda path: HOTEL if path.endswith("sheet.json") else b""
    phone = table.device()
    phone.request.get(f"{table.game}/s/{table.secret}")
    with phone.expect_response("**/sheet.json") as answered:
        phone.goto(table.game)
    answered.value.finished()
    phone.evaluate("new Promise(requestAnimationFrame)")
    kept = f"localStorage['kalooki:log:{table.code}']"
    assert phone.evaluate(kept) is None
    proxy.own = to_everything(b"")
    phone.reload()
    phone.wait_for_function(f"() => {kept}?.includes('Ann')")


# ---- Whose cookie


def test_a_preview_with_an_old_token_takes_a_fresh_one_and_saves(table):
    phone = table.scorer("/hand")
    phone.locator("[name=csrf_token]").evaluate("field => field.value = 'of another visit'")
    enter_hand(phone, "Ann", {"2": "28", "3": "35"})
    expect(phone.locator("[data-preview-region]")).to_contain_text("0 + 35 = 35")
    phone.locator("[data-save]").tap()
    phone.wait_for_url(f"**{table.game}")
    assert [points for _, points in table.hands()] == [{"1": 0, "2": 28, "3": 35}]


@pytest.mark.long
def test_a_phone_that_watches_and_joins_at_full_speed_has_joined(table):
    phone = table.device(service_workers="allow")
    phone.goto(table.game, wait_until="commit")
    phone.goto(f"{table.game}/p/{table.invitation()}", wait_until="commit")
    phone.get_by_role("button", name="Ben").tap()
    phone.wait_for_url(f"**{table.game}")
    phone.evaluate("() => navigator.serviceWorker.ready")
    keeps(phone, f"{table.game}/count", "Ben")  # a late answer of the worker's
    phone.goto(f"{table.game}/hand")
    expect(phone.locator("#hand")).to_be_attached()


@pytest.mark.long
def test_cached_home_form_takes_a_token_when_sent(table):
    phone = table.device(service_workers="allow")
    phone.goto("/rules")  # which has no form
    phone.evaluate("navigator.serviceWorker.ready")
    phone.reload()
    phone.context.set_offline(True)
    phone.goto("/")
    expect(phone.locator("[name=csrf_token]").first).to_have_value("")
    phone.context.set_offline(False)
    phone.get_by_role("button", name="Try a sample game").tap()
    phone.wait_for_url("**/g/*")


def test_the_first_page_that_a_phone_opens_is_kept(table):
    phone = table.scorer("", service_workers="allow")
    phone.evaluate("navigator.serviceWorker.ready")
    phone.context.set_offline(True)
    phone.reload()
    expect(phone.locator(".player", has_text="Ben")).to_be_visible()
    phone.get_by_role("link", name="Record hand 1").tap()
    expect(phone.locator("form.is-live")).to_be_visible()
