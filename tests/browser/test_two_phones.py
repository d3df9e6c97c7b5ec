"""An evening that two phones record, one of which is thrown away; and one whose only phone is gone."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.hand_entry import enter_hand
from tests.browser.phones import asleep
from tests.pages import FOUR

pytestmark = pytest.mark.browser


@pytest.fixture
def table(begin):
    return begin(players=FOUR, house={"limit": 500})


def joined(table, scorer, name):
    """A phone that has scanned the code on the scorer's and chosen a seat."""
    scorer.goto(f"{table.game}/share")
    phone = table.device()
    phone.goto(urlsplit(scorer.locator("#join-link").get_attribute("href")).path)
    phone.get_by_role("button", name=name).tap()
    phone.wait_for_url(f"**{table.game}")
    scorer.goto(table.game)
    return phone


def type_hand(phone, number, winner, points):
    phone.get_by_role("link", name=f"Record hand {number}").tap()
    enter_hand(phone, winner, points)


def save(phone):
    phone.locator("[data-save]").tap()


def saves(phone, table, number, winner, points):
    """A hand recorded on a phone, until it shows the game again."""
    type_hand(phone, number, winner, points)
    save(phone)
    phone.wait_for_url(f"**{table.game}")


def test_two_phones_record_turn_by_turn_then_at_once_then_one_is_thrown_away(table):
    ann, played = table.scorer(""), []
    ben = joined(table, ann, "Ben")
    for number, phone in enumerate((ann, ben), 1):
        points = {"2": f"2{number}", "3": f"3{number}", "4": f"4{number}"}
        saves(phone, table, number, "Ann", points)
        played.append((1, {"1": 0} | {seat: int(each) for seat, each in points.items()}))
    assert table.hands() == played

    # the same hand on both
    for phone in (ann, ben):
        type_hand(phone, 3, "Cat", {"1": "41", "2": "42", "4": "43"})
    with asleep(ben):
        save(ann)
        ann.wait_for_url(f"**{table.game}")
        save(ben)
        ben.wait_for_url(f"**{table.game}")
    expect(ben.get_by_text("Already saved: Hand 3")).to_be_visible()
    played.append((3, {"1": 41, "2": 42, "3": 0, "4": 43}))
    assert table.hands() == played

    # two hands at once: Ben had played the next one already
    type_hand(ann, 4, "Dan", {"1": "31", "2": "32", "3": "33"})
    type_hand(ben, 4, "Ben", {"1": "34", "3": "35", "4": "36"})
    with asleep(ben):
        save(ann)
        ann.wait_for_url(f"**{table.game}")
        save(ben)
        ben.get_by_role("button", name="Save as hand 5").wait_for()
    ben.get_by_role("button", name="Save as hand 5").tap()
    ben.wait_for_url(f"**{table.game}")
    played += [(4, {"1": 31, "2": 32, "3": 33, "4": 0}), (2, {"1": 34, "2": 0, "3": 35, "4": 36})]
    assert table.hands() == played

    # Ann's phone falls into the punch while she types; nobody asks anybody
    ann.goto(table.game)
    type_hand(ann, 6, "Ann", {"2": "27"})
    ann.close()
    saves(ben, table, 6, "Ann", {"2": "27", "3": "28", "4": "29"})
    played.append((1, {"1": 0, "2": 27, "3": 28, "4": 29}))
    assert table.hands() == played
    assert [entry["by"] for entry in table.state()["log"]][-2:] == ["Ben", "Ben"]


def test_the_only_phone_is_gone_and_the_table_goes_on_with_its_hands_once(table):
    """It comes back with a hand that waits: it is told, asked, and sent nowhere by itself."""
    ann, cat = table.scorer(""), table.phone()
    saves(ann, table, 1, "Ann", {"2": "28", "3": "35", "4": "47"})
    type_hand(ann, 2, "Ben", {"1": "21", "3": "22", "4": "23"})
    ann.context.set_offline(True)
    save(ann)
    expect(ann.locator("[data-outbox]")).to_contain_text("on this phone")

    watcher = table.phone()
    cat.get_by_role("link", name="Continue on this phone").tap()
    cat.get_by_role("button", name="Continue on this phone").tap()
    expect(cat.get_by_text("The game continues here.")).to_be_visible()
    copy = re.search(r"/g/\w+", cat.url)[0]
    expect(watcher.locator("[data-continuation]")).to_contain_text("continued this game as a copy at hand 2")
    dan = table.device()
    dan.goto(urlsplit(cat.locator("#join-link").get_attribute("href")).path)
    dan.get_by_role("button", name="Dan").tap()
    dan.get_by_role("link", name="Record hand 2").tap()
    enter_hand(dan, "Ben", {"1": "21", "3": "22", "4": "23"})
    save(dan)
    dan.wait_for_url(f"**{copy}")
    cat.goto(copy)
    expect(cat.get_by_role("link", name="Record hand 3")).to_be_visible()

    ann.context.set_offline(False)
    expect(ann.get_by_role("heading", name="the table may play elsewhere")).to_be_visible()
    assert len(table.hands()) == 1
    ann.get_by_role("link", name="Discard mine").tap()
    ann.wait_for_url(f"**{table.game}")
    note = ann.locator("[data-continuation]")
    expect(note).to_contain_text("continued this game as a copy at hand 2")
    note.get_by_role("button", name="Ignore").tap()
    expect(note).to_have_count(0)
    ann.reload()
    expect(note).to_have_count(0)
    saves(ann, table, 2, "Cat", {"1": "31", "2": "32", "4": "33"})  # and the original can be recorded in as before
    assert len(table.hands()) == 2

    watcher.locator("[data-continuation]").get_by_role("link", name="Go to the copy").tap()
    watcher.wait_for_url(f"**{copy}")


@pytest.mark.long
def test_a_hand_typed_when_only_the_starter_records_goes_along_into_the_copy(table):
    ann = table.scorer("")
    ben = joined(table, ann, "Ben")
    type_hand(ben, 1, "Cat", {"1": "41", "2": "42", "4": "43"})
    ann.goto(f"{table.game}/share")
    ann.get_by_role("button", name="Only this device records").tap()
    ann.wait_for_url("**/share#recorders")
    save(ben)
    expect(ben.get_by_role("heading", name="Only the phone that started this game records now")).to_be_visible()
    expect(ben.get_by_text("What you typed is kept on this phone.")).to_be_visible()
    ben.get_by_role("link", name="Continue on this phone").tap()
    ben.get_by_role("button", name="Continue on this phone").tap()
    ben.get_by_role("link", name="← Score").tap()
    ben.get_by_role("link", name="Resume hand 1").tap()
    expect(ben.locator("#left-4")).to_have_value("43")
    save(ben)
    expect(ben.get_by_role("link", name="Record hand 2")).to_be_visible()
    assert table.hands() == []
