"""A dispute on a phone: three taps to the ruling of what went wrong, kept, found and shown to the other side."""

import pytest
from playwright.sync_api import expect

from tests.server import eventually

pytestmark = pytest.mark.browser


def test_a_question_typed_is_answered_in_sight(page):
    page.goto("/")
    page.get_by_role("link", name="Referee", exact=True).first.tap()
    page.get_by_label("Ask the referee").fill("he picked up two cards")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Answer", exact=True).wait_for()

    first = page.locator("#found ~ .panel .rule").first
    assert "Two cards were drawn!" in first.inner_text()
    assert first.bounding_box()["y"] < 740


def test_the_checks_follow_the_variant_that_is_chosen(page):
    page.goto("/disputes?variant=european")
    page.get_by_label("By the rules of").select_option("jamaican")
    page.get_by_role("link", name="Rules of Jamaican Kalooki").wait_for()
    page.get_by_role("link", name="A turn").tap()
    expect(page.locator("select[name=variant]")).to_have_value("jamaican")


def test_from_an_answer_one_tap_leads_to_the_field_that_says_it_otherwise(page):
    page.goto("/disputes?variant=european&q=how+many+jokers+may+a+meld+have")
    found = page.locator("#found ~ .panel .rule").first
    found.locator("summary", has_text="Why").first.tap()
    found.get_by_role("link", name="Two jokers side by side in a run").tap()
    field = page.get_by_label("Two jokers side by side in a run")
    expect(field).to_be_in_viewport()
    expect(field).to_be_focused()
    page.goto("/new?variant=jamaican&open=opening#house-contracts")
    expect(page.locator("#house-contracts input").first).to_be_in_viewport()


def test_a_link_to_an_answer_unfolds_it(page):
    page.goto("/disputes/all?variant=european#drew-two")
    answer = page.locator("#drew-two")
    answer.get_by_text("Before the next player draws", exact=True).click()
    answer.get_by_text("Put the second card back.").wait_for()
    assert answer.bounding_box()["y"] < 740

    page.evaluate("location.hash = 'how-many-jokers'")
    page.get_by_text("2 jokers in 2 packs.").wait_for()


def test_a_dispute_takes_two_taps(page):
    page.goto("/disputes")
    page.get_by_role("link", name="Took two cards").tap()
    answer = page.locator("#found ~ .panel .rule").first
    assert "Put the second card back." in answer.inner_text()
    answer.get_by_role("link", name="Show to the table").first.tap()
    expect(page.locator(".shown")).to_contain_text("Put the second card back.")


def test_a_verdict_is_shown_on_the_whole_screen_and_turns_round_for_the_other_side(page):
    page.goto("/check?cards=AH 2H 3H")
    page.locator("#verdict .verdict").tap()
    shown = page.locator(".shown")
    expect(shown).to_contain_text("NOT LEGAL")
    page.get_by_text("Flip").tap()
    expect(shown).to_have_css("rotate", "180deg")


KEPT = """async path => {
    const kept = await (await caches.open("kalooki")).keys();
    return kept.map(each => new URL(each.url).pathname).includes(path);
}"""
KEPT_WHOLE = """async path => {
    const kept = await caches.open("kalooki");
    const page = await kept.match(path, { ignoreVary: true });
    const files = [...(await page?.text() ?? "").matchAll(/(?:href|src)="([^"]*\\/static\\/[^"]+)"/g)];
    const all = await Promise.all(files.map(([, file]) => kept.match(file, { ignoreVary: true })));
    return all.length > 0 && all.every(Boolean);
}"""
"""Whether a page is kept with all that it needs."""


def test_without_a_network_the_kept_disputes_answer_a_question_never_asked(table):
    phone = table.phone(service_workers="allow")
    phone.goto("/")
    phone.wait_for_function("() => navigator.serviceWorker.ready")
    phone.goto(table.game)
    eventually(lambda: phone.evaluate(KEPT_WHOLE, f"{table.game}/disputes/all"))
    phone.context.set_offline(True)

    phone.get_by_role("link", name="Referee", exact=True).tap()
    expect(phone.get_by_role("heading", name="All disputes")).to_be_visible()
    phone.get_by_label("Find a dispute").fill("he picked up two cards")
    phone.get_by_role("button", name="Find").tap()
    phone.get_by_text("No connection: these are the answers kept on this phone.").wait_for()
    expect(phone.get_by_label("Find a dispute")).to_have_value("picked cards")
    answer = phone.locator("#drew-two")
    expect(answer).to_be_visible()
    expect(phone.locator("#how-many-jokers")).to_be_hidden()
    answer.get_by_role("heading", name="Two cards were drawn!").tap()
    answer.get_by_text("Before the next player draws", exact=True).tap()
    assert "Put the second card back." in answer.inner_text()

    phone.get_by_label("Find a dispute").fill("wibble")
    phone.get_by_text("No dispute has all these words.").wait_for()
    expect(answer).to_be_hidden()


MARK = """async ([disputes, form, release]) => {
    const pages = await caches.open("kalooki");
    const { headers } = await pages.match(disputes, { ignoreVary: true });
    const kept = new Headers(headers);
    const rules = kept.get("Kalooki-Rules");
    if (release) kept.set("Kalooki-Rules", rules.replace(/^\\w+/, release));
    await pages.put(disputes, new Response("kept", { headers: kept }));
    await pages.delete(form, { ignoreVary: true });
}"""
TEXT = """async path => {
    const page = await (await caches.open("kalooki")).match(path, { ignoreVary: true });
    return (await page?.text()) ?? ""; // a page is replaced in two steps
}"""


@pytest.mark.long
def test_disputes_are_fetched_once_for_a_release_and_its_rules(table):
    phone = table.scorer("", service_workers="allow")
    phone.wait_for_function("() => navigator.serviceWorker.ready")
    disputes, form = f"{table.game}/disputes/all", f"{table.game}/hand"

    def open_again(release=""):
        """Open the game; its form is fetched after its disputes. Then mark them, as if they were of that release."""
        phone.goto(table.game)
        eventually(lambda: phone.evaluate(KEPT, form))
        text = phone.evaluate(TEXT, disputes)
        phone.evaluate(MARK, [disputes, form, release])
        return text

    assert "All disputes" in open_again()
    assert open_again("earlier") == "kept"
    assert "All disputes" in open_again()
    assert open_again() == "kept"
    table.record({"kind": "setup", "house": {"limit": 200}})
    phone.goto(table.game)
    eventually(lambda: "All disputes" in phone.evaluate(TEXT, disputes))


def test_the_verdict_stays_in_sight_while_cards_are_laid_further_down(page):
    page.goto("/check?check=out&meld=7H 8H 9H&meld=KS KD KH")
    page.locator(".slot", has=page.locator("#thrown")).locator(".fan").tap()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.get_by_role("button", name="two", exact=True).tap()
    page.get_by_role("button", name="clubs", exact=True).tap()
    page.locator(".verdict", has_text="Going out").wait_for()
    assert 0 <= page.locator(".verdict").bounding_box()["y"] < 200
