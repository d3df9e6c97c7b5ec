"""A corrected hand knocks out a player who played on: the pages name the hand and offer the buy-in before it.

European, stakes 50, call-up 10, buy-in 50. Numbers by hand, as in tests/kalooki/test_late_buy_in.py.
"""

import re

import pytest

from tests.pages import EURO, Alice, hand, words

pytestmark = pytest.mark.one_app

CORRECTED = {"kind": "amend", "target": 3, "event": hand(1, s2=14, s3=10, s4=5)}
"""Hand 2 with 14 points for Ben, not 4."""


@pytest.fixture
def alice(app):
    """Hand 1: Ben 140, Cat 86, Dan 80. Hand 2: Ben 144, Cat 96, Dan 85. Hand 3: Ann 20, Ben 147, Dan 87."""
    alice = Alice(app, players=("Ann", "Ben", "Cat", "Dan"), stakes=EURO)
    return alice.record(
        hand(1, s2=140, s3=86, s4=80), hand(1, s2=4, s3=10, s4=5), hand(3, s1=20, s2=3, s4=2)
    )  # fmt: skip


def box(page):
    """What the red box of the game page says, and where its buttons lead."""
    section = re.search(r'(?s)<section class="notice notice-fault".*?</section>', page)[0]
    return words(section), dict(
        re.findall(r'<a(?: class="button[^"]*")? href="[^"]*?/(\w[\w-]*/[\d/]+)">([^<]*)<', section)
    )


def test_the_game_page_names_the_hand_and_offers_the_buy_in_before_it(alice):
    told, doors = box(alice.record(CORRECTED).get().text)

    assert "won’t count until you fix it: Hand 3 won by Cat – Ben is not in the game" in told
    assert doors == {
        "bought-in/4/2": "Ben bought in before hand 3",
        "correct/4": "Correct hand 3",
        "undo/4": "Undo hand 3",
        "undo/5": "Undo the correction of hand 2",
    }


def test_only_the_first_of_two_later_hands_asks_for_the_buy_in(alice):
    alice.record(hand(4, s1=7, s2=2, s3=1), CORRECTED)
    told, doors = box(alice.get().text)
    assert "Hand 4 won by Dan" in told
    assert [where for where in doors if "bought-in" in where] == ["bought-in/4/2"]
    assert (doors["correct/5"], doors["undo/5"]) == ("Correct hand 4", "Undo hand 4")
    assert "Correct hand 4" in alice.see("/correct/5")

    alice.send("/bought-in/4/2")
    assert alice.totals == [27, 101, 97, 87]
    assert alice.table.game.faults == []


def test_the_offer_is_not_answered_at_the_end_of_the_log(alice):
    page = alice.record(CORRECTED).get().text
    assert "buy_in-2" not in page
    assert "decline-2" not in page
    assert page.count(f'href="/g/{alice.code}/bought-in/4/2"') == 2
    assert "buy_in-2" not in alice.get("/hand").text

    answer = alice.send("/offers", do="buy_in-2")
    assert answer.location.endswith("/bought-in/4/2")
    assert alice.table.seen == 5


@pytest.mark.parametrize("answer", ["buy_in", "decline"])
def test_what_was_answered_at_the_end_is_moved_before_the_hand(alice, answer):
    alice.record(CORRECTED, {"kind": answer, "seat": 2})
    assert "bought-in/4/2" in box(alice.get().text)[1]

    sent = {"submission": "once"}
    alice.sent("/bought-in/4/2", sent)
    event = {"kind": "buy_in", "seat": 2, "before": 4}
    assert alice.events()[-1] == {"kind": "amend", "target": 6, "event": event}
    assert (alice.totals, alice.table.game.pool) == ([20, 99, 96, 87], 250)
    alice.sent("/bought-in/4/2", sent)
    assert alice.table.seen == 7


def test_a_void_hand_between_is_no_hindrance(alice):
    alice.record({"kind": "insert", "before": 4, "event": {"kind": "void"}}, CORRECTED)
    assert box(alice.get().text)[1]["bought-in/5/2"] == "Ben bought in before hand 3"
    assert "Once this is saved" not in alice.see("/bought-in/5/2")
    alice.send("/bought-in/5/2")
    assert (alice.totals, alice.table.game.faults) == ([20, 99, 96, 87], [])


def test_the_sheet_and_a_watcher_read_which_hand_does_not_count(app, alice):
    alice.record(CORRECTED)
    watching = app.test_client().get(f"/g/{alice.code}").text
    told, doors = box(watching)
    assert told.startswith("After a correction this doesn’t count: Hand 3 won by Cat")
    assert doors == {}
    assert "Doesn’t count: hand 3. Ben is not in the game" in alice.see("/sheet")


def test_a_late_buy_in_is_taken_back_like_everything_else(alice):
    alice.record(CORRECTED, {"kind": "buy_in", "seat": 2, "before": 4})
    assert "Undo “Ben bought in before hand 3”?" in alice.see("/undo/6")
    alice.send("/undo/6")
    assert "bought-in/4/2" in box(alice.get().text)[1]
    log = alice.client.get(f"/api/v1/games/{alice.code}").json["log"]
    assert [entry["inserted_before"] for entry in log] == [None, None, None, None, None, 4, None]


def test_a_late_buy_in_corrected_keeps_its_place_and_declined_gives_it_up(alice):
    alice.record(CORRECTED, {"kind": "buy_in", "seat": 2, "before": 4})
    assert alice.send("/enter/buy_in/6", do="save", seat="2", kind="buy_in").status_code == 303
    assert alice.events()[-1]["event"] == {"kind": "buy_in", "seat": 2, "before": 4}
    assert alice.send("/enter/buy_in/6", do="save", seat="2", kind="decline").status_code == 303
    assert alice.events()[-1]["event"] == {"kind": "decline", "seat": 2}
    assert "bought-in/4/2" in box(alice.get().text)[1]


# ---- A player who did not take the offer, and buys in after all


@pytest.fixture
def out(app):
    """Hand 1: Ben 140, Cat 86, Dan 80. Hand 2: Ben 154 and out, Cat 96, Dan 85; he may buy in at 96."""
    alice = Alice(app, players=("Ann", "Ben", "Cat", "Dan"), stakes=EURO)
    return alice.record(hand(1, s2=140, s3=86, s4=80), hand(1, s2=14, s3=10, s4=5))


def back(alice):
    """Where “Buy in now”, or a question after another hand, leads in a row; without the game’s code."""
    return re.findall(rf'href="/g/{alice.code}(/bought-in/\d+/\d)">(?:Buy in now|Did \w+ buy in\?)<', alice.get().text)


@pytest.mark.parametrize("answers", [[], [{"kind": "decline", "seat": 2}]])
def test_late_buy_in_is_dated_back_and_offers_missing_cards(out, answers):
    """Without Ben: hand 3 Ann 7, Dan 6; hand 4 Cat 8, Dan 9. With him 11 in hand 3: 96 + 11 = 107."""
    out.record(*answers, hand(3, s1=7, s4=6), hand(1, s3=8, s4=9))
    assert back(out) == ([] if answers else ["/bought-in/4/2"])  # a no is corrected in the history
    assert ("Did Ben buy in?" in out.see()) is not bool(answers)
    assert (f'href="/g/{out.code}/enter/decline/4"' in out.get("/history").text) is bool(answers)
    third, fourth = 4 + len(answers), 5 + len(answers)

    page = out.see("/bought-in/4/2")
    how = "declined, and" if answers else "hadn’t answered when"
    assert f"Ben {how} hand 3 was recorded without them." in page
    for number in (3, 4):
        assert f"Hand {number} has nothing for Ben, so they count as not dealt in." in page
    assert "no longer make sense" not in page

    answer = out.send("/bought-in/4/2")
    assert answer.location == f"/g/{out.code}"
    assert out.totals == [7, 96, 104, 100]
    page = out.get().text
    for entry in (third, fourth):
        assert f'<a href="/g/{out.code}/correct/{entry}?held=2">Ben held cards</a>' in page

    # Ben pays the winner of hand 3 as well: 10 to Cat
    kept = {"winner": "3", "ending": "going_out", "left_1": "7", "left_4": "6"}
    answer = out.send(f"/correct/{third}", do="save", left_2="11", **kept)
    assert answer.location == f"/g/{out.code}"
    assert (out.totals, out.table.game.pool) == ([7, 107, 104, 100], 250)
    assert "Ben 11, not in the hand before" in out.see("/sheet")
    assert "notice-fault" not in out.get().text


def test_a_void_hand_also_ends_the_offer_and_lacks_nothing(out):
    out.record({"kind": "void"})
    page = out.see(back(out)[0])
    assert "Ben hadn’t answered when hand 3 was recorded without them." in page
    assert "not dealt in" not in page
    assert out.send("/bought-in/4/2").location == f"/g/{out.code}"
    assert (out.totals, out.table.game.faults) == ([0, 96, 96, 85], [])
