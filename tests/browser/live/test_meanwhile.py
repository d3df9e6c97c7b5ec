"""What others do while somebody types a hand: they record and count."""

import re

import pytest
from playwright.sync_api import expect

from tests.matrix import some
from tests.pages import hand

pytestmark = pytest.mark.browser


def total(phone, name):
    return phone.locator(".player", has_text=name).locator(".player-total")


# ---- While somebody types


def test_a_hand_recorded_elsewhere_is_told_and_changes_and_moves_nothing_typed(table):
    scorer = table.scorer()
    scorer.locator("#winner-0").check()
    scorer.locator("#left-2").fill("3")
    before = scorer.locator("#left-3").bounding_box()["y"]
    table.record(hand(3, s1=10, s2=20))
    told = scorer.locator(".overtaken")
    expect(told).to_contain_text("Somebody else has saved hand 1.")
    assert scorer.locator("#left-2").input_value() == "3"
    assert scorer.locator("#left-3").input_value() == ""
    assert scorer.locator("#left-3").bounding_box()["y"] == before
    expect(scorer.locator("[data-save]")).to_be_hidden()  # nobody types or saves the same hand again
    assert told.bounding_box()["y"] > before
    told.get_by_role("button", name="Mine was another hand").click()
    expect(scorer.get_by_role("heading", name="Hand 2")).to_be_attached()
    expect(scorer.locator("#left-2")).to_have_value("3")
    scorer.locator("#left-3").fill("7")
    scorer.get_by_role("button", name="Save hand 2").click()
    scorer.wait_for_url(f"**{table.game}")
    assert table.hands() == [(3, {"1": 10, "2": 20, "3": 0}), (1, {"1": 0, "2": 3, "3": 7})]


def test_a_hand_half_typed_is_compared_with_the_one_saved_elsewhere(table):
    scorer = table.scorer()
    scorer.locator("#winner-0").check()
    scorer.locator("#left-2").fill("12")
    table.record(hand(3, s1=10, s2=20))
    scorer.get_by_role("button", name="Compare").click()
    expect(scorer.locator("#mine").locator("..")).to_contain_text("12")
    expect(scorer.get_by_role("heading", name="Not saved yet: somebody else has saved hand 1")).to_be_visible()
    scorer.get_by_role("button", name="Correct it with mine").click()
    expect(scorer.get_by_role("heading", name="Correct hand 1")).to_be_attached()
    expect(scorer.locator("#left-2")).to_have_value("12")


def test_a_hand_of_which_nothing_is_typed_is_seen_where_it_counts(table):
    scorer = table.scorer()
    table.record(hand(3, s1=10, s2=20))
    told = scorer.locator(".overtaken")
    expect(told.get_by_role("button", name="Compare")).to_be_hidden()
    told.get_by_role("link", name="See it").click()
    scorer.wait_for_url(f"**{table.game}")


def test_what_else_is_recorded_elsewhere_is_told_above_and_stops_nobody(table):
    scorer = table.scorer()
    scorer.locator("#winner-0").check()
    scorer.locator("#left-2").fill("3")
    table.record({"kind": "penalty", "seat": 2, "points": 5, "reason": "talking", "after_hand": True})
    expect(scorer.locator("[data-incoming]")).to_contain_text("Somebody else has recorded “Penalty for Ben")
    scorer.locator("#left-3").fill("7")
    expect(scorer.get_by_role("button", name="Save hand 1")).to_be_enabled()


@pytest.mark.parametrize("lost", some(["request", "answer"], "answer"))
def test_a_save_cut_in_the_middle_is_one_hand_on_every_phone(table, lost):
    watcher, scorer = table.phone(), table.scorer()
    scorer.locator("#winner-0").check()
    scorer.locator("#left-2").fill("28")
    scorer.locator("#left-3").fill("35")
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
    scorer.wait_for_url(f"**{table.game}")
    expect(total(watcher, "Cat")).to_contain_text("35")
    assert table.hands() == [(1, {"1": 0, "2": 28, "3": 35})]
    assert len(cut) == 1


# ---- Everybody counts their own


def test_a_players_count_arrives_in_the_scorers_form(table):
    ben, scorer = table.seated(2), table.scorer()
    scorer.locator("#winner-0").check()
    ben.get_by_role("link", name="My cards").click()
    for key in ("card K", "card Q", "card 7"):
        ben.locator(f"[data-key='{key}']").click()
    expect(ben.locator(".loser-counted")).to_have_text("27")
    ben.get_by_role("button", name="Send").click()
    expect(ben.get_by_text("Sent to whoever records.")).to_be_visible()
    expect(scorer.locator("#left-2")).to_have_value("K Q 7")
    scorer.locator("#left-3").fill("35")
    scorer.locator("[data-save]").click()
    scorer.wait_for_url(f"**{table.game}")
    assert table.hands() == [(1, {"1": 0, "2": 27, "3": 35})]
    expect(total(ben, "Ben")).to_contain_text("27")


@pytest.mark.long
def test_of_a_player_who_handed_in_calls_are_asked_all_the_same(begin):
    table = begin(variant="jamaican")
    ben, scorer = table.seated(2, path="/count"), table.scorer()
    ben.locator("[data-key='card K']").click()
    ben.get_by_role("button", name="Send").click()
    expect(scorer.locator("#left-2")).to_have_value("K")
    scorer.locator("#winner-0").check()
    expect(scorer.locator("[data-seat='3']")).to_have_class(re.compile("is-active"))
    more = scorer.get_by_role("button", name="Ben: one call more")
    for _ in range(4):
        more.click()
    scorer.locator("#left-3").fill("35")
    expect(scorer.locator("[data-preview]")).to_contain_text("10 + calls 50")  # for the fourth


@pytest.mark.long
def test_a_sum_no_cards_make_is_read_out_as_one_though_it_was_handed_in(table):
    ben = table.seated(2, path="/count")
    ben.locator("#left-2").fill("410")
    ben.get_by_role("button", name="Send").locator("visible=true").click()
    expect(ben.get_by_text("Sent to whoever records")).to_be_visible()
    scorer = table.scorer()
    scorer.locator("#winner-0").check()
    scorer.locator("#left-3").fill("35")
    expect(scorer.locator("[data-preview-region]")).to_contain_text("Ben: no hand of 13 cards or fewer adds up to 410.")


@pytest.mark.long
def test_the_scorers_word_stands_and_the_count_is_offered(table):
    ben, scorer = table.seated(2), table.scorer()
    scorer.locator("#winner-0").check()
    scorer.locator("#left-2").fill("35")
    ben.goto(f"{table.game}/count")
    ben.locator("[data-key='mode']:visible").click()
    for digit in "28":
        ben.locator(f"[data-key='{digit}']:visible").click()
    ben.get_by_role("button", name="Send").click()
    offered = scorer.get_by_role("button", name="Ben sent 28")
    expect(offered).to_be_visible()
    assert scorer.locator("#left-2").input_value() == "35"
    offered.click()
    assert scorer.locator("#left-2").input_value() == "28"
    expect(offered).to_be_hidden()


def test_a_count_is_kept_until_it_has_arrived(table):
    ben, scorer = table.seated(2, path="/count"), table.scorer()
    ben.locator("[data-key='card K']").click()
    ben.reload()
    expect(ben.locator("#left-2")).to_have_value("K")
    ben.context.set_offline(True)
    ben.get_by_role("button", name="Send").click()
    expect(ben.get_by_text("Kept on this phone – it will be sent")).to_be_visible()
    ben.context.set_offline(False)
    expect(scorer.locator("#left-2")).to_have_value("K")
    expect(ben.get_by_text("Sent to whoever records.")).to_be_visible()


def test_a_player_still_counting_is_told_that_the_hand_is_saved(table):
    ben = table.seated(2, path="/count")
    ben.locator("[data-key='card K']").click()
    table.record(hand(1, s2=35, s3=7))
    expect(ben.get_by_text("The hand is saved.")).to_be_visible()
    assert ben.locator("#left-2").input_value() == "K"


def test_what_a_phone_said_about_a_hand_goes_with_that_hand(table):
    ben, cat = table.seated(2), table.seated(3, path="/count")
    ben.get_by_role("button", name="I went out").click()
    cat.locator("#left-3").fill("19")
    cat.get_by_role("button", name="Send").locator("visible=true").click()
    went_out, handed_in = (
        ben.get_by_text("You went out. Now everyone else counts"),
        cat.get_by_text("Sent to whoever records"),
    )
    expect(went_out).to_be_visible()
    expect(handed_in).to_be_visible()
    table.record(hand(2, s1=5, s3=19))
    expect(went_out).to_be_hidden()
    expect(handed_in).to_be_hidden()


@pytest.mark.long
def test_the_count_of_a_player_who_was_not_dealt_in_is_not_offered(table):
    ben, scorer = table.seated(2, path="/count"), table.scorer()
    scorer.locator("#winner-0").check()
    scorer.locator("#not-dealt-in summary").tap()
    scorer.locator("label:has(#absent-2)").tap()
    ben.locator("#left-2").fill("17")
    ben.get_by_role("button", name="Send").tap()
    expect(scorer.locator("[data-left-of='2']")).to_be_attached()
    expect(scorer.locator("[data-seat='2']").locator(".loser-offer, .loser-from")).to_have_count(0)
    expect(scorer.locator("#left-2")).to_have_value("")
    scorer.locator("label:has(#absent-2)").tap()
    expect(scorer.locator("#left-2")).to_have_value("17")
