"""Nothing typed is lost: a reload, a closed tab, no network, a lost answer, several hands waiting."""

import pytest
from playwright.sync_api import expect

from tests.browser.hand_entry import enter_hand
from tests.browser.scorer_phone import Phone, two_digit_sums, type_a_hand
from tests.pages import FOUR, hand

pytestmark = pytest.mark.browser

PERSIST = "() => { StorageManager.prototype.persist = async () => { window.asked = true; }; }"


def test_what_is_typed_outlives_reload_back_and_a_closed_tab(phone):
    phone.begin("Ben")
    phone.press(*"28", "3")
    phone.page.reload()
    expect(phone.points(1)).to_have_value("28")
    expect(phone.points(3)).to_have_value("3")
    phone.page.goto(f"/g/{phone.code}")
    phone.page.go_back()
    expect(phone.points(1)).to_have_value("28")
    tab = phone.page.context.new_page()
    phone.page.close()
    tab.goto(f"/g/{phone.code}/hand")
    expect(tab.locator("#left-3")).to_have_value("3")
    expect(tab.locator("#winner-1")).to_be_checked()


def test_a_hand_begun_says_what_it_is_and_comes_back_after_clear(phone):
    phone.begin("Ben")
    phone.press(*"28")
    phone.open("")
    phone.page.get_by_role("link", name="Resume hand 1").tap()
    expect(phone.page.get_by_text("Your half-typed hand is still here.")).to_be_visible()
    expect(phone.page.locator(".notice:visible button")).to_have_text(["Clear"])
    phone.page.locator(".notice").get_by_role("button", name="Clear").tap()
    expect(phone.page.locator("#winner-1")).not_to_be_checked()
    phone.page.reload()
    expect(phone.points(2)).to_have_value("")
    expect(phone.page.locator("[data-clear]")).to_be_hidden()
    two_digit_sums(phone)
    phone.tap(phone.page.get_by_role("link", name="Clear"))
    expect(phone.page.locator("input[name=winner]:checked")).to_have_count(0)
    phone.tap(phone.page.get_by_role("button", name="Bring it back"))
    expect(phone.points(2)).to_have_value("28")
    assert phone.saves() == [0, 28, 35, 47]


def test_a_correction_begun_earlier_says_so_and_leads_back_to_what_is_recorded(phone):
    phone.record(hand(1, s2=28, s3=35, s4=47))
    phone.open("/correct/2")
    phone.points(2).fill("29")
    phone.open("")
    phone.open("/correct/2")
    expect(phone.page.get_by_text("You had begun to change this hand")).to_be_visible()
    expect(phone.points(2)).to_have_value("29")
    phone.page.locator(".notice").get_by_role("button", name="Reset").click()
    expect(phone.points(2)).to_have_value("28")
    phone.open("/correct/2")
    expect(phone.points(2)).to_have_value("28")
    expect(phone.page.get_by_text("You had begun to change this hand")).to_be_hidden()


def test_what_waits_is_sent_from_the_game_page_too(phone):
    type_a_hand(phone)
    phone.page.route("**/hand", lambda route: route.abort())
    phone.save()
    expect(phone.page.locator("[data-outbox]")).to_contain_text("Kept on this phone – it will be sent")
    phone.page.goto(f"/g/{phone.code}")
    expect(phone.page.get_by_role("link", name="Record the next hand")).to_be_visible()
    phone.page.goto("/healthz")  # where nothing is tried again meanwhile
    phone.page.unroute("**/hand")
    phone.page.goto(f"/g/{phone.code}")
    expect(phone.page.locator(".score-table")).to_contain_text("+47")
    assert phone.totals == [0, 28, 35, 47]


def test_several_hands_wait_and_are_sent_in_order(phone):
    type_a_hand(phone)
    phone.page.context.set_offline(True)
    phone.save()
    note = phone.page.locator("[data-outbox]")
    expect(note).to_contain_text("Kept on this phone – it will be sent")
    phone.tap(phone.page.get_by_role("button", name="Record the next hand"))
    phone.won("Ben")
    phone.press(*"15", *"26", *"38")
    phone.save()
    expect(note).to_contain_text("2 hands are kept on this phone")
    expect(phone.page.get_by_text("The last hand is still on this phone")).to_be_hidden()
    phone.tap(phone.page.get_by_role("button", name="Record the next hand"))
    phone.won("Cat")
    phone.press(*"22")  # a third one, only begun
    phone.page.context.set_offline(False)
    phone.page.wait_for_url(f"**/g/{phone.code}/hand")
    expect(phone.page.get_by_role("heading", name="Hand 3")).to_be_attached()
    expect(phone.points(1)).to_have_value("22")
    # Ann 15, Ben 28, Cat 35 + 26, Dan 47 + 38
    assert phone.totals == [15, 28, 61, 85]
    assert phone.state()["seen"] == 3
    phone.press(*"29", *"34")
    assert phone.saves() == [37, 57, 61, 119]


@pytest.fixture
def overtaken(phone):
    """A hand waits, the next one is half typed, and somebody else has recorded another meanwhile."""
    type_a_hand(phone)
    phone.page.route("**/hand", lambda route: route.abort())
    phone.save()
    phone.tap(phone.page.get_by_role("button", name="Record the next hand"))
    phone.won("Ben")
    phone.press(*"15", *"26")
    phone.record(hand(4, s1=5, s2=6, s3=7))
    phone.page.unroute("**/hand")
    return phone


def test_the_first_of_several_is_asked_about_and_none_is_lost(overtaken):
    """One page may not see yet what the page before has written: then the draft of a saved hand comes back."""
    phone = overtaken
    note = phone.page.locator("[data-outbox]")
    expect(note).to_contain_text("no longer fits")
    phone.tap(note.get_by_role("button", name="Look at it"))
    another = phone.page.get_by_role("button", name="Save as hand 2")
    another.wait_for()
    draft = f"kalooki:draft:/g/{phone.code}/hand"
    of_the_first = phone.page.evaluate("name => localStorage[name]", draft)
    phone.tap(another)
    assert phone.saved() == [5, 34, 42, 47]
    phone.page.evaluate("([name, written]) => { localStorage[name] = written }", [draft, of_the_first])
    phone.open()
    expect(phone.page.get_by_role("region", name="Yours, not saved")).to_contain_text("Ann 15")
    expect(phone.page.get_by_role("region", name="Yours, not saved")).to_contain_text("Cat 26")


def test_hand_saved_offline_can_be_changed_is_sent_later_and_leaving_is_confirmed(phone):
    type_a_hand(phone)
    phone.page.evaluate(PERSIST)
    phone.page.context.set_offline(True)
    assert not phone.page.evaluate("window.asked")
    phone.save()
    note = phone.page.locator("[data-outbox]")
    expect(note).to_contain_text("Kept on this phone – it will be sent")
    expect(phone.page.locator("[data-save]")).to_be_hidden()
    assert phone.page.evaluate("window.asked")  # or a browser short of space might delete it
    assert phone.state()["seen"] == 1
    # no worker keeps the game's page for it
    phone.page.get_by_role("button", name="Change it").wait_for()
    asked = []
    phone.page.once("dialog", lambda dialog: asked.append(dialog.type) or dialog.dismiss())
    phone.tap(phone.page.get_by_role("link", name="← Score"))
    expect(note).to_contain_text("Change it")
    assert asked == ["beforeunload"]
    assert phone.page.url.endswith("/hand")
    phone.tap(phone.page.get_by_role("button", name="Change it"))
    phone.tap(phone.points(4))
    phone.press("back", "8")
    phone.save()
    expect(note).to_contain_text("Kept on this phone – it will be sent")
    phone.page.context.set_offline(False)
    assert phone.saved() == [0, 28, 35, 48]


NO_STORAGE = """Object.defineProperty(window, 'localStorage', {get() { throw new Error('forbidden') }})"""


def test_without_storage_the_hand_is_saved_all_the_same(page, server):
    page.add_init_script(NO_STORAGE)
    phone = Phone(page, server)
    type_a_hand(phone)
    assert phone.saves() == [0, 28, 35, 47]


FULL = """Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError") }"""


def test_with_a_full_storage_and_no_network_the_page_promises_nothing_and_stays(page, server):
    page.add_init_script(FULL)
    phone = Phone(page, server)
    phone.open()
    phone.won("Ann")
    page.context.set_offline(True)
    phone.press(*"28", *"35", *"47")
    expect(phone.preview).to_contain_text("this phone has no room to keep the hand")
    phone.save()
    expect(page.locator("[data-outbox]")).to_contain_text("Not saved: the server doesn’t answer")
    expect(phone.points(4)).to_have_value("47")
    page.context.set_offline(False)
    assert phone.saves() == [0, 28, 35, 47]


# ---- The hand after one that waits


@pytest.fixture
def offline(phone):
    """Ann won again while there was no network: Ben is out at 170, Cat has 70, Dan 88; Ben may buy in at 88."""
    phone.record(hand(1, s2=145, s3=50, s4=60))
    phone.begin("Ann")
    phone.press(*"25", *"20", *"28")
    phone.page.context.set_offline(True)
    phone.save()
    phone.tap(phone.page.get_by_role("button", name="Record the next hand"))
    return phone


def test_the_next_hand_says_what_it_does_not_know_and_asks_who_was_out(offline):
    note = offline.page.locator("[data-unknown]")
    expect(note).to_contain_text("can’t know who is out, who has bought in or who deals")
    offline.tap(note.get_by_text("Ben"))
    expect(offline.page.get_by_role("radio", name="Ben")).to_be_disabled()
    offline.won("Cat")
    expect(offline.points(2)).to_be_hidden()
    offline.press(*"22", *"31")
    offline.save()
    offline.page.context.set_offline(False)
    offline.saved()
    assert offline.totals == [22, 170, 70, 119]


def test_a_hand_that_fits_no_longer_is_shown_as_typed_beside_what_happened(offline):
    offline.won("Cat")
    offline.press(*"22", *"26", *"31")
    offline.save()
    offline.page.context.set_offline(False)
    expect(offline.page.get_by_text("Ben has been out since the hand before")).to_be_visible()
    assert offline.totals == [0, 170, 70, 88]
    expect(offline.points(2)).to_have_value("26")

    offline.tap(offline.page.get_by_role("button", name="Buy in"))
    offline.page.get_by_text("Ben buys in").first.wait_for(state="attached")
    offline.open()
    expect(offline.page.get_by_role("heading", name="Hand 3")).to_be_attached()
    expect(offline.points(2)).to_have_value("26")
    expect(offline.preview).to_contain_text("88 + 26 = 114")
    offline.saves()
    assert offline.totals == [22, 114, 70, 119]


@pytest.fixture
def away(begin):
    """A scorer's phone with a worker, that has only opened the game page, and loses its network there."""
    table = begin(players=FOUR)
    phone = table.scorer("", service_workers="allow")
    phone.evaluate("navigator.serviceWorker.ready")
    phone.reload()  # from now on the worker keeps what is opened
    return table, phone


def keeps(phone, path, text):
    """Wait until the phone keeps a page that says something."""
    kept = """async ([path, text]) => {
        const page = await (await caches.open("kalooki")).match(path, {ignoreSearch: true, ignoreVary: true});
        return page !== undefined && (await page.text()).includes(text);
    }"""
    phone.wait_for_function(kept, arg=[path, text])


def keeps_the_form(phone, path, text):
    """Wait until the phone keeps the form of a hand, and the scripts it needs."""
    keeps(phone, path, text)
    for script in ("hand", "incoming", "compare", "counting", "loser", "outbox", "preview", "rows", "sums"):
        keeps(phone, f"/static/js/{script}.js", "const ")


def test_an_older_form_never_replaces_a_newer_one(away):
    """Two were on their way, and the older one came last."""
    table, phone = away
    form = f"{table.game}/hand"
    keeps(phone, form, "Hand 1")
    newer = """async (path) => {
        const page = new Response("Hand 9", { headers: { "Kalooki-Seen": "99" } });
        await (await caches.open("kalooki")).put(path, page);
    }"""
    phone.evaluate(newer, form)
    phone.goto(form)  # shown once it has been kept or not
    kept = "async (path) => (await (await caches.open('kalooki')).match(path, {ignoreVary: true})).text()"
    assert phone.evaluate(kept, form) == "Hand 9"


def test_without_a_network_the_form_knows_what_the_game_page_knew(away):
    """It was never opened here; another phone recorded two hands meanwhile."""
    table, phone = away
    keeps_the_form(phone, f"{table.game}/hand", "Hand 1")
    table.record(hand(1, s2=28, s3=35, s4=47))
    table.record(hand(2, s1=5, s3=6, s4=7))
    expect(phone.get_by_role("link", name="Record hand 3")).to_be_visible()
    keeps(phone, f"{table.game}/hand", "Hand 3")
    phone.context.set_offline(True)
    phone.get_by_role("link", name="Record hand 3").tap()
    expect(phone.get_by_role("heading", name="Hand 3")).to_be_attached()
    now = [phone.locator(f"[data-seat='{seat}'] .loser-now").text_content() for seat in range(1, 5)]
    assert now == ["5", "28", "41", "54"]

    for winner, points in (("Ann", {2: "25", 3: "30", 4: "35"}), ("Ben", {1: "25", 3: "26", 4: "31"})):
        enter_hand(phone, winner, points)
        expect(phone.locator("[data-save]")).to_have_attribute("aria-disabled", "false")
        phone.locator("[data-save]").tap()
        expect(phone.locator("form.is-sent")).to_be_attached()
        expect(phone.locator("[data-outbox]")).to_contain_text("on this phone")
        if winner == "Ann":
            phone.get_by_role("button", name="Record the next hand").tap()
    phone.context.set_offline(False)
    phone.wait_for_url(f"**{table.game}")
    expect(phone.locator(".score-table")).to_contain_text("+31")
    # Ann 5 + 25, Ben 28 + 25, Cat 41 + 30 + 26, Dan 54 + 35 + 31
    assert [player["total"] for player in table.state()["players"]] == [30, 53, 97, 120]
