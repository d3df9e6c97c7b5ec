"""Several phones around one game: each sees what is saved, whatever happens to phones, network and server."""

import json
import re
import shutil

import pytest
from playwright.sync_api import expect

from tests.browser.phones import SHOWN, Table, asleep, watch
from tests.conftest import Server
from tests.pages import hand

pytestmark = pytest.mark.browser

FULL = """Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"""


@pytest.fixture(scope="module")
def running(empty_database, tmp_path_factory):
    """One server for the games of this file; whoever asks for the pen waits two seconds here."""
    database = shutil.copy(empty_database, tmp_path_factory.mktemp("live") / "games.db")
    server = Server(f"sqlite:///{database}", PEN_SECONDS=2)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def table(browser, running):
    """A game of three, and as many phones as a test asks for; alice keeps it by script."""
    table = Table(browser, running)
    yield table
    table.close()


def total(phone, name):
    return phone.locator(".player", has_text=name).locator(".player-total")


# ---- Everybody sees it


@pytest.mark.parametrize("count", [2, 6])
def test_every_phone_shows_a_saved_hand_within_a_second(table, count):
    phones = [table.phone() for _ in range(count)]
    watch(phones, "35")
    table.record(hand(1, s2=35, s3=7))
    delays = table.delays(phones)
    print(f"{count} phones: {', '.join(f'{delay * 1000:.0f}' for delay in sorted(delays))} ms")
    assert max(delays) < 1, delays


def test_the_table_view_and_the_history_of_hands_follow(table):
    view, game = table.phone("/table"), table.phone()
    table.record(hand(1, s2=35, s3=7))
    expect(view.locator(".big-players")).to_contain_text("35")
    expect(view.locator(".big-deal")).to_have_text("Ben deals")
    expect(game.locator(".hands")).to_contain_text("35")


def test_settling_up_and_the_history_follow_too(table):
    settle, history = table.phone("/settle"), table.phone("/history")
    table.record(hand(1, s2=35, s3=7))
    expect(history.locator(".history")).to_contain_text("Hand won by Ann")
    assert "UTC" not in history.locator(".history").inner_text()  # times as this phone's clock shows them
    expect(settle.locator("[data-live]")).to_have_attribute("data-version", "1.0")
    expect(settle.get_by_text("This game is played without money.")).to_be_visible()
    table.record({"kind": "setup", "stakes": {"currency": "EUR", "call_up": 10}})
    expect(settle.locator(".settled-name").first).to_have_text("Ann")


def test_what_is_unfolded_and_focused_stays_so(table):
    table.record(hand(1, s2=35, s3=7))
    phone = table.phone()
    phone.get_by_role("link", name="Share").focus()
    table.record(hand(1, s2=5, s3=7))
    expect(total(phone, "Ben")).to_contain_text("40")
    assert phone.evaluate("() => document.activeElement.textContent").startswith("Share")


def test_a_phone_without_a_stream_asks_every_few_seconds(table):
    phone = table.phone("/rules")
    phone.route("**/live", lambda route: route.fulfill(status=204))
    phone.goto(table.game)
    table.record(hand(1, s2=35, s3=7))
    expect(total(phone, "Ben")).to_contain_text("35", timeout=8_000)


def test_a_phone_that_slept_is_up_to_date_when_it_is_looked_at(table):
    phone = table.phone()
    asked = []
    with asleep(phone):
        phone.on("request", lambda request: "/static/" in request.url or asked.append(request.url))
        table.record(hand(1, s2=35, s3=7))
        phone.wait_for_timeout(500)
        assert asked == []
        expect(total(phone, "Ben")).to_have_text(re.compile("0$"))
    expect(total(phone, "Ben")).to_contain_text("35", timeout=1_000)


def test_a_server_started_again_is_found_again(browser, own_server):
    table = Table(browser, own_server)
    phone = table.phone()
    table.record(hand(1, s2=35, s3=7))
    expect(total(phone, "Ben")).to_contain_text("35")
    own_server.kill()
    expect(phone.get_by_text("No connection: this may be old.")).to_be_visible(timeout=8_000)
    own_server.start()
    table.record(hand(1, s2=5, s3=7))
    expect(total(phone, "Ben")).to_contain_text("40", timeout=8_000)
    expect(phone.get_by_text("No connection: this may be old.")).to_be_hidden()
    table.close()


def test_a_phone_whose_clock_is_hours_off_sees_the_same(table):
    phone = table.phone("/rules")
    phone.clock.install(time="2031-01-01T03:00:00")
    phone.goto(table.game)
    ben = table.seated(2)
    ben.get_by_role("button", name="Call the referee").click()
    expect(phone.get_by_text("Ben calls the referee.")).to_be_visible()
    table.record(hand(1, s2=35, s3=7))
    expect(total(phone, "Ben")).to_contain_text("35")


def test_an_idle_phone_asks_for_nothing(table):
    phone = table.phone()
    phone.wait_for_timeout(500)
    asked = []
    phone.on("request", lambda request: "/static/" in request.url or asked.append(request.url))
    phone.wait_for_timeout(2_500)
    assert asked == []


# ---- While somebody types


def type_points(page, seat, digits):
    page.locator(f"#points-{seat}").click()
    for digit in digits:
        page.locator(f"[data-keypad] [data-key='{digit}']:visible").click()


def test_a_hand_recorded_elsewhere_is_told_and_nothing_typed_is_touched(table):
    scorer = table.scorer()
    scorer.locator("#winner-0").check()
    type_points(scorer, 2, "3")
    table.record(hand(3, s1=10, s2=20))
    expect(scorer.locator("[data-arriving]")).to_contain_text("Somebody recorded meanwhile: Hand won by Cat")
    assert scorer.locator("#points-2").input_value() == "3"
    assert scorer.locator("#points-3").input_value() == ""


def test_two_scorers_at_once_are_both_told_and_one_hand_is_saved(table):
    one, other = table.scorer(), table.scorer()
    for page in (one, other):
        page.locator("#winner-0").check()
        type_points(page, 2, "28")
        type_points(page, 3, "35")
    one.locator("[data-save]").click()
    one.wait_for_url(f"**{table.game}")
    expect(other.locator("[data-arriving]")).to_contain_text("Somebody recorded meanwhile")
    other.locator("[data-save]").click()
    expect(other.get_by_role("heading", name="This hand is already saved")).to_be_visible()
    assert table.hands() == [(1, {"1": 0, "2": 28, "3": 35})]


@pytest.mark.parametrize("lost", ["request", "answer"])
def test_a_save_cut_in_the_middle_is_one_hand_on_every_phone(table, lost):
    watcher, scorer = table.phone(), table.scorer()
    scorer.locator("#winner-0").check()
    type_points(scorer, 2, "28")
    type_points(scorer, 3, "35")
    cut = []

    def once(route):
        if cut or route.request.method != "POST":
            return route.continue_()
        cut.append(route)
        if lost == "answer":
            route.fetch(max_redirects=0)
        return route.abort()

    scorer.route(re.compile(r"/hand$"), once)
    scorer.locator("[data-save]").click()
    scorer.wait_for_url(f"**{table.game}", timeout=15_000)
    expect(total(watcher, "Cat")).to_contain_text("35")
    assert table.hands() == [(1, {"1": 0, "2": 28, "3": 35})]
    assert len(cut) == 1


# ---- Everybody counts their own


def test_a_players_count_arrives_in_the_scorers_form(table):
    ben, scorer = table.seated(2), table.scorer()
    scorer.locator("#winner-0").check()
    ben.get_by_role("link", name="My cards left").click()
    for key in ("card K", "card Q", "card 7"):
        ben.locator(f"[data-key='{key}']").click()
    expect(ben.locator(".loser-counted")).to_have_text("27")
    ben.get_by_role("button", name="Hand in").click()
    expect(ben.get_by_text("Handed in: it stands in the scorer’s form for this hand.")).to_be_visible()
    expect(scorer.locator("#cards-2")).to_have_value("K Q 7")
    type_points(scorer, 3, "35")
    scorer.locator("[data-save]").click()
    scorer.wait_for_url(f"**{table.game}")
    assert table.hands() == [(1, {"1": 0, "2": 27, "3": 35})]
    expect(total(ben, "Ben")).to_contain_text("27")


def test_the_scorers_word_stands_and_the_count_is_offered(table):
    ben, scorer = table.seated(2), table.scorer()
    scorer.locator("#winner-0").check()
    type_points(scorer, 2, "35")
    ben.goto(f"{table.game}/count")
    ben.locator("[data-key='mode']:visible").click()
    for digit in "28":
        ben.locator(f"[data-key='{digit}']:visible").click()
    ben.get_by_role("button", name="Hand in").click()
    offered = scorer.get_by_role("button", name="Ben handed in 28")
    expect(offered).to_be_visible()
    assert scorer.locator("#points-2").input_value() == "35"
    offered.click()
    assert scorer.locator("#points-2").input_value() == "28"
    expect(offered).to_be_hidden()


def test_a_count_is_kept_until_it_has_arrived(table):
    ben, scorer = table.seated(2, path="/count"), table.scorer()
    ben.locator("[data-key='card K']").click()
    ben.reload()
    expect(ben.locator("#cards-2")).to_have_value("K")
    ben.context.set_offline(True)
    ben.get_by_role("button", name="Hand in").click()
    expect(ben.get_by_text("Not handed in yet")).to_be_visible()
    ben.context.set_offline(False)
    expect(scorer.locator("#cards-2")).to_have_value("K")
    expect(ben.get_by_text("Handed in: it stands in the scorer’s form for this hand.")).to_be_visible()


def test_a_player_still_counting_is_told_that_the_hand_is_saved(table):
    ben = table.seated(2, path="/count")
    ben.locator("[data-key='card K']").click()
    table.record(hand(1, s2=35, s3=7))
    expect(ben.get_by_text("The scorer has saved the hand.")).to_be_visible()
    assert ben.locator("#cards-2").input_value() == "K"


def test_a_dead_phone_blocks_nobody(table):
    ben, scorer = table.seated(2), table.scorer()
    ben.context.close()
    table.contexts.remove(ben.context)
    scorer.locator("#winner-0").check()
    type_points(scorer, 2, "28")
    type_points(scorer, 3, "35")
    scorer.locator("[data-save]").click()
    scorer.wait_for_url(f"**{table.game}")
    assert table.hands() == [(1, {"1": 0, "2": 28, "3": 35})]


def test_on_waking_the_page_is_up_to_date_within_a_second(table):
    phone = table.phone()
    with asleep(phone):
        table.record(hand(1, s2=35, s3=7))
        watch([phone], "35")
        woken = phone.evaluate("performance.timeOrigin + performance.now()")
    assert phone.evaluate(SHOWN) - woken < 1000


def test_where_nothing_keeps_the_screen_on_it_is_said_once(table):
    """Plain http on a phone has no wake lock."""
    context = table.context()
    context.add_init_script("delete Navigator.prototype.wakeLock")
    phone = table.opened(context, "")
    told = phone.get_by_text("nothing can keep the screen on")
    expect(told).to_be_visible()
    phone.get_by_role("button", name="All right").tap()
    expect(told).to_be_hidden()
    phone.goto(f"{table.game}/table")
    expect(told).to_be_hidden()
    secure = table.phone()
    expect(secure.get_by_text("nothing can keep the screen on")).to_be_hidden()


def test_counting_and_saving_work_with_a_full_storage(table):
    ben, scorer = table.seated(2), table.scorer("/rules")
    for page in (ben, scorer):
        page.add_init_script(FULL)
    scorer.goto(f"{table.game}/hand")
    scorer.locator("#winner-0").check()
    ben.goto(f"{table.game}/count")
    ben.locator("[data-key='card K']").click()
    ben.get_by_role("button", name="Hand in").click()
    expect(scorer.locator("#cards-2")).to_have_value("K")
    type_points(scorer, 3, "35")
    scorer.locator("[data-save]").click()
    scorer.wait_for_url(f"**{table.game}")
    assert table.hands() == [(1, {"1": 0, "2": 10, "3": 35})]


# ---- The pen


def test_the_pen_passes_by_itself_when_nobody_refuses(table):
    ben, scorer = table.seated(2, path="/pen"), table.scorer("")
    ben.get_by_role("button", name="Ask for the pen").click()
    expect(scorer.get_by_text("Ben wants to take the pen.")).to_be_visible()
    ben.wait_for_url(f"**{table.game}")
    expect(ben.get_by_role("link", name="Record hand 1")).to_be_visible()
    expect(scorer.get_by_text("Ben writes now.")).to_be_visible()


def test_the_pen_passes_at_once_when_the_scorer_gives_it(table):
    ben, scorer = table.seated(2, path="/pen"), table.scorer("")
    ben.get_by_role("button", name="Ask for the pen").click()
    expect(ben.get_by_text("You have asked for the pen.")).to_be_visible()
    expect(ben.get_by_role("button", name="Take the pen")).to_be_hidden()
    scorer.get_by_role("button", name="Give it").click()
    ben.wait_for_url(f"**{table.game}")
    expect(ben.get_by_text("You write from now on.")).to_be_visible()
    expect(scorer.get_by_text("Ben writes now.")).to_be_visible()


def test_what_a_phone_said_about_a_hand_goes_with_that_hand(table):
    ben, cat = table.seated(2), table.seated(3, path="/count")
    ben.get_by_role("button", name="I went out").click()
    cat.locator("#points-3").fill("19")
    cat.locator("[data-key=next]:visible").click()
    went_out, handed_in = ben.get_by_text("You went out: the scorer"), cat.get_by_text("Handed in: it stands")
    expect(went_out).to_be_visible()
    expect(handed_in).to_be_visible()
    table.record(
        {"kind": "hand", "winner": 2, "ending": "going_out", "left": {"1": {"points": 5}, "3": {"points": 19}}}
    )
    expect(went_out).to_be_hidden()
    expect(handed_in).to_be_hidden()


def test_the_scorer_keeps_the_pen_with_one_tap_while_typing(table):
    ben, scorer = table.seated(2), table.scorer()
    scorer.locator("#winner-0").check()
    type_points(scorer, 2, "3")
    ben.goto(f"{table.game}/pen")
    ben.get_by_role("button", name="Ask for the pen").click()
    scorer.get_by_role("button", name="Refuse").click()
    expect(ben.get_by_text("The scorer has refused.")).to_be_visible()
    expect(scorer.get_by_text("Refused: you go on writing.")).to_be_visible()
    assert scorer.locator("#points-2").input_value() == "3"


# ---- Without JavaScript


def test_a_players_evening_without_javascript(table):
    ben = table.seated(2, java_script_enabled=False)
    ben.get_by_role("link", name="My cards left").click()
    ben.get_by_label("Cards").fill("K Q 7")
    ben.get_by_role("button", name="Hand in").click()
    expect(ben.get_by_text("Handed in: it stands in the scorer’s form for this hand.")).to_be_visible()
    scorer = table.scorer(java_script_enabled=False)
    assert scorer.locator("#cards-2").input_value() == "K Q 7"
    ben.goto(table.game)
    ben.get_by_role("button", name="Call the referee").click()
    expect(ben.get_by_text("Ben calls the referee.")).to_be_visible()
    ben.get_by_role("button", name="It is settled").click()
    expect(ben.get_by_text("Ben calls the referee.")).to_be_hidden()


# ---- Kept on the phone


def test_a_page_opened_before_opens_without_a_network(table):
    phone = table.phone(service_workers="allow")
    phone.evaluate("() => navigator.serviceWorker.ready")
    phone.reload()
    phone.wait_for_function("() => navigator.serviceWorker.controller")
    phone.reload()
    phone.context.set_offline(True)
    phone.reload()
    expect(total(phone, "Ben")).to_be_visible()
    phone.goto(f"{table.game}/settle")
    expect(phone.get_by_role("heading", name="No connection")).to_be_visible()


def test_the_first_page_weighs_less_than_twenty_kilobytes(browser, running):
    """Everything the first visit fetches, its worker too, as it travels: bodies compressed."""
    context = browser.new_context(base_url=running.url)
    page = context.new_page()
    fetched = {}
    context.on("requestfinished", lambda request: fetched.setdefault(request.url, request))
    page.goto("/", wait_until="networkidle")
    page.evaluate("() => navigator.serviceWorker.ready")
    weights = {url: request.sizes()["responseBodySize"] for url, request in fetched.items()}
    worker = context.request.get("/sw.js")  # fetched outside the page
    weights[worker.url] = int(worker.headers["content-length"])
    print(json.dumps(weights, indent=1))
    assert 5_000 < sum(weights.values()) < 20_000, weights
    assert all(url.startswith(running.url) for url in weights)
    context.close()
