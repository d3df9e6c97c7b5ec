"""Entries besides hands, corrected on the pages that entered them."""

import re

import pytest

from tests.pages import FOUR, Alice, hand, words
from tests.web.form_entries import look, refused, save, send

pytestmark = pytest.mark.one_app


def test_an_entry_is_corrected_in_its_place(alice):
    alice.record({"kind": "penalty", "seat": 2, "points": 5, "reason": "talking"}, hand(1, s2=10, s3=20))
    page = alice.get("/enter/penalty/2").text
    assert "replaces “Penalty for Ben”" in page
    assert 'value="talking"' in page
    assert "Ben 15 → 60" in look(alice, "penalty/2", seat="2", points="50", reason="")
    assert save(alice, "penalty/2", seat="2", points="50", reason="") == {
        "kind": "amend", "target": 2, "event": {"kind": "penalty", "seat": 2, "points": 50},
    }  # fmt: skip
    assert alice.totals == [0, 60, 20]


def test_a_correction_is_judged_at_the_table_of_its_time(alice):
    # Ben was still in when punished, though out now
    alice.record({"kind": "penalty", "seat": 2, "points": 5}, hand(1, s2=150, s3=20))
    assert "Ben 155 → 156" in look(alice, "penalty/2", seat="2", points="6")


def test_what_a_correction_does_not_ask_stays_as_recorded(alice):
    alice.record({"kind": "penalty", "seat": 2, "points": 5, "rule": "talking"})
    assert save(alice, "penalty/2", seat="2", points="6")["event"] == {
        "kind": "penalty", "seat": 2, "points": 6, "rule": "talking",
    }  # fmt: skip


def test_a_penalty_in_money_is_corrected_to_points_once_there_is_no_money(alice):
    alice.record({"kind": "penalty", "seat": 2, "amount": 30}, {"kind": "setup", "stakes": None})
    assert len(alice.table.game.faults) == 1
    save(alice, "penalty/2", seat="2", points="5")
    assert alice.table.game.faults == []
    assert alice.totals == [0, 5, 0]


CLAIM = {"check": "meld", "claim": {"cards": "AH 2H 3H"}, "verdict": {"ok": False, "faults": ["ace-high"]}}


@pytest.fixture
def punished(app):
    """Cat, at 100 points, has 5 more and 9 cents for a claim; then the limit is mended to 100."""
    return Alice(app, players=FOUR).record(
        hand(1, s2=60, s3=100, s4=30),
        {"kind": "ruling", **CLAIM, "seat": 3, "note": "twice", "points": 5, "amount": 9},
        {"kind": "setup", "house": {"limit": 100}},
    )


def test_a_ruling_whose_points_lost_their_sense_keeps_the_money(punished):
    page = punished.get()
    assert "Ruling: Cat (after hand 1) – Cat is not in the game" in words(page.text)
    assert f"/g/{punished.code}/enter/ruling/3" in page.text
    form = punished.get("/enter/ruling/3").text
    assert '<option selected value="3">Cat' in form
    for name, typed in (("points", "5"), ("amount", "0.09"), ("note", "twice")):
        assert f'name="{name}" type="text" value="{typed}"' in form
    typed = {"seat": "3", "upheld": "yes", "note": "twice", "points": "", "amount": "0.09"}
    # ended now, what Cat paid into the pool would come back to them
    page = look(punished, "ruling/3", **typed)
    assert "Ruling: Cat meld AH 2H 3H: not legal · €0.09 into the pool · twice" in page
    assert "Cat −€0.09" in page
    assert save(punished, "ruling/3", **typed) == {
        "kind": "amend", "target": 3,
        "event": {"kind": "ruling", **CLAIM, "seat": 3, "note": "twice", "amount": 9},
    }  # fmt: skip
    assert punished.table.game.faults == []
    assert punished.totals == [0, 60, 100, 30]
    # four times 50, and the 9
    assert punished.table.game.pool == 209


def test_a_ruling_that_still_makes_no_sense_says_so_at_its_player(punished):
    page = refused(punished, "ruling/3", seat="3", points="5")
    assert "Whose claim? Cat is not in the game" in words(page)


def test_a_ruling_is_let_go_and_upheld_again(punished):
    typed = {"seat": "3", "points": "5", "amount": "0.09"}
    assert "the table played on anyway · twice" in look(punished, "ruling/3", upheld="no", **typed)
    assert save(punished, "ruling/3", upheld="no", **typed)["event"]["upheld"] is False
    assert punished.table.game.pool == 200
    assert 'checked id="upheld-1"' in punished.get("/enter/ruling/3").text
    assert "upheld" not in save(punished, "ruling/3", upheld="yes", seat="3", points="", amount="0.09")["event"]
    assert punished.table.game.pool == 209


def test_a_claim_of_nobody_is_punished_later(alice):
    alice.record({"kind": "ruling", **CLAIM})
    assert save(alice, "ruling/2", seat="2", points="5")["event"] == {
        "kind": "ruling", **CLAIM, "seat": 2, "points": 5,
    }  # fmt: skip
    assert alice.totals == [0, 5, 0]


def test_a_ruling_stays_with_a_player_who_has_left_by_then(alice):
    alice.record({"kind": "leave", "seat": 3}, {"kind": "ruling", **CLAIM, "seat": 2, "points": 5})
    alice.record({"kind": "amend", "target": 2, "event": {"kind": "leave", "seat": 2}})
    page = alice.get("/enter/ruling/3").text
    assert re.findall('<option value="([^"]*)">', page) == ["", "1", "3"]
    assert re.findall('<option selected value="([^"]*)">', page) == ["2"]
    assert save(alice, "ruling/3", seat="2", points="")["event"]["seat"] == 2
    assert alice.table.game.faults == []


# Ben, out with 150 points, may come back at Cat's 60 for 50 cents
KNOCKED_OUT = hand(1, s2=150, s3=60)


def test_a_buy_in_becomes_a_decline_and_a_buy_in_again(alice):
    alice.record(KNOCKED_OUT, {"kind": "buy_in", "seat": 2})
    page = alice.get("/enter/buy_in/3").text
    assert re.findall(r'checked id="([^"]*)"', page) == ["seat-0", "kind-0"]
    assert "Cat" not in words(page)
    # the 50 of the buy-in come back; ended now, he owes 10 for the hand either way
    assert "Ben doesn’t buy in What changes Ben 60 → 150 is out +€0.50" in look(
        alice, "buy_in/3", seat="2", kind="decline"
    )
    assert save(alice, "buy_in/3", seat="2", kind="decline") == {
        "kind": "amend", "target": 3, "event": {"kind": "decline", "seat": 2},
    }  # fmt: skip
    assert alice.totals == [0, 150, 60]
    assert f"/g/{alice.code}/enter/decline/3" in alice.get("/history").text
    save(alice, "decline/3", seat="2", kind="buy_in")
    assert alice.totals == [0, 60, 60]


def test_an_answer_corrected_twice_with_one_tap_is_saved_once(alice):
    alice.record(KNOCKED_OUT, {"kind": "buy_in", "seat": 2})
    for _ in range(2):
        answer = send(alice, "buy_in/3", do="save", seen=3, submission="b-1", seat="2", kind="decline")
        assert answer.status_code == 303
    look = alice.client.get(f"/g/{alice.code}/enter/buy_in/3/look?seat=2&kind=decline&seen=3&submission=b-1")
    assert (look.status_code, look.location) == (303, f"/g/{alice.code}")
    assert alice.table.seen == 4


def test_an_offer_that_went_to_another_is_answered_by_that_player(alice):
    alice.record(KNOCKED_OUT, {"kind": "buy_in", "seat": 2})
    alice.record({"kind": "amend", "target": 2, "event": hand(1, s2=60, s3=150)})
    page = alice.get().text
    assert "Ben buys in (after hand 1) – Ben has no buy-in to take or to decline now." in words(page)
    assert f"/g/{alice.code}/enter/buy_in/3" in page
    assert "<span>Ben</span>" not in alice.get("/enter/buy_in/3").text
    save(alice, "buy_in/3", seat="3", kind="buy_in")
    assert alice.table.game.faults == []
    assert alice.totals == [0, 60, 60]


def test_an_offer_nobody_had_can_only_be_undone(alice):
    alice.record(KNOCKED_OUT, {"kind": "buy_in", "seat": 2})
    save(alice, "buy_in/3", seat="2", kind="decline")
    corrected = {"winner": "1", "ending": "going_out", "points_2": "15", "points_3": "60"}
    assert alice.send("/correct/2", do="save", **corrected).status_code == 303
    # what stands at entry 3 is a decline by now
    assert f'<a class="button" href="/g/{alice.code}/undo/3">' in alice.get().text
    page = alice.get("/enter/decline/3").text
    assert "can only be undone" in words(page)
    assert f'href="/g/{alice.code}/undo/3"' in page
    refused(alice, "decline/3", seat="2", kind="buy_in")


def test_another_player_drew_the_highest_card(app):
    alice = Alice(app, "kalooki-51").record({"kind": "first", "seat": 2})
    assert re.findall(r'checked id="([^"]*)"', alice.get("/enter/first/2").text) == ["seat-1"]
    assert "Cat plays first" in look(alice, "first/2", seat="3")
    assert save(alice, "first/2", seat="3") == {"kind": "amend", "target": 2, "event": {"kind": "first", "seat": 3}}
    assert alice.table.game.first == 3


def test_who_has_left_by_then_did_not_draw_the_highest_card(app):
    alice = Alice(app, "kalooki-51").record({"kind": "leave", "seat": 3}, {"kind": "first", "seat": 2})
    alice.record({"kind": "amend", "target": 2, "event": {"kind": "leave", "seat": 2}})
    assert f"/g/{alice.code}/enter/first/3" in alice.get().text
    assert "<span>Ben</span>" not in alice.get("/enter/first/3").text
    save(alice, "first/3", seat="3")
    assert alice.table.game.faults == []
    assert alice.table.game.first == 3


@pytest.fixture
def tied(app):
    """Ann and Ben tied at 20, Cat at 35; the deciding hand was noted for Ann."""
    return Alice(app, "kalooki-51").record(
        hand(1, s2=20, s3=30), hand(2, s1=20, s3=5), {"kind": "end"}, {"kind": "decider", "winner": 1}
    )


def test_a_tie_was_won_by_another_of_those_who_tied(tied):
    page = tied.get("/enter/decider/5").text
    assert re.findall(r'checked id="([^"]*)"', page) == ["winner-0"]
    assert "Cat" not in words(page)
    assert "Ben wins the deciding hand" in look(tied, "decider/5", winner="2")
    assert save(tied, "decider/5", winner="2") == {
        "kind": "amend", "target": 5, "event": {"kind": "decider", "winner": 2},
    }  # fmt: skip
    assert tied.table.game.winners == (2,)


def test_a_tie_between_others_is_decided_among_them(tied):
    # Ann 30, Ben 20, Cat 20
    tied.record({"kind": "amend", "target": 2, "event": hand(1, s2=20, s3=15)})
    tied.record({"kind": "amend", "target": 3, "event": hand(2, s1=30, s3=5)})
    assert f"/g/{tied.code}/enter/decider/5" in tied.get().text
    assert "<span>Ann</span>" not in tied.get("/enter/decider/5").text
    save(tied, "decider/5", winner="3")
    assert tied.table.game.faults == []
    assert tied.table.game.winners == (3,)


def test_where_nobody_ties_the_deciding_hand_can_only_be_undone(tied):
    tied.record({"kind": "amend", "target": 2, "event": hand(1, s2=25, s3=30)})
    assert "can only be undone" in tied.see("/enter/decider/5")
