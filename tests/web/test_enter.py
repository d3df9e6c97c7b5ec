"""What happens besides hands: entered, looked at, saved; corrected on the same pages."""

import re

import pytest

from tests.pages import Alice, hand, words

EURO = {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}
KINDS = ["penalty", "leave", "join", "end", "stop", "paid", "rename", "setup"]
ANSWERS = ["ruling", "buy_in", "decline", "first", "decider"]


@pytest.fixture
def alice(app):
    return Alice(app, stakes=EURO)


def send(alice, kind, /, **fields):
    """The form sent as its page would send it, from the newest state."""
    return alice.sent(f"/enter/{kind}", fields)


def look(alice, kind, /, **fields):
    """The words of the page between entering and saving; nothing is recorded by it."""
    before = alice.table.seen
    answer = send(alice, kind, do="preview", **fields)
    assert answer.status_code == 200, words(answer.text)
    assert alice.table.seen == before
    return words(answer.text)


def save(alice, kind, /, **fields):
    """The event recorded by the form."""
    answer = send(alice, kind, do="save", **fields)
    assert answer.status_code == 303, words(answer.text)
    return alice.events()[-1]


def refused(alice, kind, /, **fields):
    """The page that says why nothing was recorded."""
    before = alice.table.seen
    answer = send(alice, kind, **fields)
    assert answer.status_code == 422
    assert alice.table.seen == before
    return answer.text


# ---- Penalty

PENALTY = {"seat": "2", "points": "5", "amount": "0,30", "reason": "talking"}


def test_a_penalty_is_looked_at_before_it_is_saved(alice):
    page = look(alice, "penalty", **PENALTY)
    assert "Penalty for Ben 5 points · 0.30 EUR into the pool · talking" in page
    assert "Ben 0 → 5 −0.50 → −0.80 EUR" in page
    assert save(alice, "penalty", **PENALTY) == {
        "kind": "penalty", "seat": 2, "points": 5, "amount": 30, "reason": "talking",
    }  # fmt: skip
    assert alice.totals == [0, 5, 0]


@pytest.mark.parametrize(
    ("kind", "typed", "does", "did"),
    [
        ("stop", {"pool": "equal"}, "Stops the game", "Game stopped"),
        ("stop", {"pool": "refund"}, "Everybody gets back what they paid in", "everybody got back"),
        ("leave", {"seat": "3"}, "Cat leaves", "Cat left"),
        ("join", {"name": "Dan", "after": "3"}, "Dan joins", "Dan joined"),
        ("paid", {"payer": "2", "to": "1", "amount": "0.10"}, "Ben pays Ann", "Ben paid Ann"),
    ],
)
def test_what_is_not_saved_yet_is_not_told_as_done(alice, kind, typed, does, did):
    alice.record(hand(1, s2=5, s3=6))
    page = look(alice, kind, **typed)
    assert does in page
    assert did not in page


def test_a_penalty_that_knocks_out_says_so(alice):
    alice.record(hand(1, s2=148, s3=20))
    # 150 is out; Ben may come back at Cat's 20
    assert "out – may buy in at 20" in look(alice, "penalty", seat="2", points="2")


def test_an_empty_penalty_is_refused_at_its_points(alice):
    page = refused(alice, "penalty", seat="2", reason="talking")
    assert "Points: Enter points, an amount, or both." in words(page)
    assert 'value="talking"' in page


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"points": "many"}, "Write a whole number"),
        ({"amount": "-3"}, "Write an amount"),
        ({"seat": ""}, "Who? Choose one."),
        ({"seat": "9"}, "Who? Choose one."),
        ({"reason": "x" * 201}, "at most 200"),
        ({"points": "20000"}, "not a whole number from 0 to 10000"),
    ],
)
def test_what_cannot_be_read_is_kept_and_named(alice, typed, said):
    page = refused(alice, "penalty", **PENALTY | typed)
    assert said in words(page)
    assert "Please fix this" in page


def test_without_money_no_amount_is_asked(app):
    alice = Alice(app, stakes=None)
    assert "Into the pool" not in alice.see("/enter/penalty")
    assert save(alice, "penalty", seat="2", points="5") == {"kind": "penalty", "seat": 2, "points": 5}


# ---- Leaving and joining


def test_who_leaves_may_end_the_game(app):
    alice = Alice(app, players=("Ann", "Ben"), stakes=EURO)
    page = look(alice, "leave", seat="1")
    assert "This ends the game. Ben wins." in page
    assert "From the pool: Ben 1.00 EUR" in page
    assert save(alice, "leave", seat="1") == {"kind": "leave", "seat": 1}


def test_who_has_left_cannot_leave_again(alice):
    alice.record({"kind": "leave", "seat": 2})
    assert "Ben" not in alice.see("/enter/leave")


def test_a_late_player_is_offered_the_highest_total_still_in(alice):
    alice.record(hand(1, s2=30, s3=47))
    page = alice.get("/enter/join").text
    assert 'value="47"' in page
    assert "checked" in page
    event = save(alice, "join", name=" Dan  Boy ", points="40", stake="y", after="1")
    assert event == {"kind": "join", "name": "Dan Boy", "points": 40, "stake": True, "after": 1}
    assert alice.table.game.order == [1, 4, 2, 3]
    assert alice.table.game.pool == 200


def test_a_score_left_blank_is_the_usual_one(alice):
    alice.record(hand(1, s2=30, s3=47))
    save(alice, "join", name="Dan", points="", after="3")
    assert alice.totals == [0, 30, 47, 47]
    assert alice.table.game.pool == 150


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"name": ""}, "Write the name"),
        ({"name": "x" * 21}, "too long"),
        ({"name": "ANN"}, "Name: ANN is there already"),
        ({"points": "150"}, "Starts at: 150 points would be out"),
    ],
)
def test_a_late_player_nobody_can_seat_is_refused(alice, typed, said):
    assert said in words(refused(alice, "join", **{"name": "Dan", "points": "10", "after": "3"} | typed))


# ---- The end


def test_the_table_ends_an_open_game_after_a_look(app):
    alice = Alice(app, "kalooki-51", stakes={"currency": "EUR", "initial": 50}).record(hand(1, s2=20, s3=100))
    assert "End the game now" in alice.see("/more")
    page = alice.see("/enter/end")
    # 150 in the pool: 25 % rounded down is 37 for Ben; Cat, at 100, gets nothing
    assert "This ends the game. Ann wins. From the pool: Ann 1.13 EUR , Ben 0.37 EUR." in page
    assert save(alice, "end") == {"kind": "end"}
    assert "The hands played decide" not in alice.see("/more")


def test_a_game_that_ends_by_itself_offers_no_end(alice):
    assert "End the game now" not in alice.see("/more")
    answer = alice.get("/enter/end")
    assert answer.status_code == 422
    assert "stop it and say what becomes of the pool" in words(answer.text)
    assert send(alice, "end", do="save").status_code == 422


def test_each_way_to_stop_says_who_gets_what(alice):
    # 150 in the pool and 30 more from Ben
    alice.record(hand(1, s2=30, s3=20), {"kind": "penalty", "seat": 2, "amount": 30})
    page = alice.see("/enter/stop")
    assert "Everybody gets back what they paid in Ann 0.50, Ben 0.80, Cat 0.50" in page
    assert "In equal parts to those still in Ann 0.60, Ben 0.60, Cat 0.60" in page
    assert "To the leader Ann 1.80" in page
    assert "This ends the game." in look(alice, "stop", pool="equal")
    assert save(alice, "stop", pool="equal") == {"kind": "stop", "pool": "equal"}
    assert alice.table.game.shares == {1: 60, 2: 60, 3: 60}


def test_what_becomes_of_the_pool_must_be_said(alice):
    assert "What becomes of the pool?" in words(refused(alice, "stop"))


def test_after_the_end_nothing_more_is_entered(alice):
    alice.record({"kind": "stop", "pool": "refund"})
    assert alice.get("/enter/stop").status_code == 200
    assert "The game is over" not in alice.see("/enter/stop")
    assert "has ended" in words(refused(alice, "stop", pool="equal"))
    assert "has ended" in words(refused(alice, "leave", seat="1"))


# ---- Cash, names


def test_cash_handed_over_is_noted(alice):
    page = look(alice, "paid", payer="2", to="1", amount="0.20")
    assert "Ben pays Ann 0.20 EUR" in page
    assert save(alice, "paid", payer="2", to="1", amount="0.20") == {"kind": "paid", "from": 2, "to": 1, "amount": 20}
    assert list(alice.table.game.balances.values()) == [-70, -30, -50]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"to": "2"}, "Who receives? Ben cannot pay Ben"),
        ({"amount": ""}, "How much? Write the amount"),
        ({"amount": "0"}, "How much? Write the amount"),
        ({"payer": "7"}, "Choose one."),
    ],
)
def test_a_payment_nobody_can_make_is_refused(alice, typed, said):
    assert said in words(refused(alice, "paid", **{"payer": "2", "to": "1", "amount": "1"} | typed))


def test_a_name_is_mended_at_once(alice):
    page = alice.get("/enter/rename?seat=2").text
    assert 'value="Ben"' in page
    assert 'value="save"' in page
    assert save(alice, "rename", seat="2", name="Benno") == {"kind": "rename", "seat": 2, "name": "Benno"}
    assert "Benno" in alice.see("/mend")


@pytest.mark.parametrize(
    ("name", "said"), [("ann", "ann is there already"), ("", "Write the name"), ("x" * 21, "long")]
)
def test_a_name_nobody_can_have_is_refused(alice, name, said):
    assert said in words(refused(alice, "rename", seat="2", name=name, do="save"))


# ---- The set-up

AS_SET = {
    "dealer": "1", "out_at": "limit", "money": "y", "currency": "EUR", "call_up": "0.10", "kalooki": "0.20",
    "initial": "0.50", "buy_in": "0.50", "settle": "account",
}  # fmt: skip


def test_the_set_up_is_shown_as_it_is(app):
    alice = Alice(app, stakes=EURO, dealer=2, house={"limit": 200})
    page = alice.see("/mend")
    assert "Dealt first Ben" in page
    assert "Limit 200 points" in page
    form = alice.get("/enter/setup").text
    assert 'value="200"' in form
    assert 'name="call_up" type="text" value="0.10"' in form


def test_mended_stakes_count_from_the_start(alice):
    alice.record(hand(1, s2=30, s3=20))
    page = look(alice, "setup", **AS_SET | {"call_up": "0.25"})
    # Ann -50 + 2 x 25 instead of -50 + 2 x 10
    assert "Ann 0 −0.30 → 0.00 EUR" in page
    assert "Call-up 0.25" in page
    assert save(alice, "setup", **AS_SET | {"call_up": "0.25"}) == {"kind": "setup", "stakes": {"call_up": 25}}


def test_a_mended_limit_says_who_would_be_out(alice):
    alice.record(hand(1, s2=30, s3=120))
    page = look(alice, "setup", **AS_SET | {"house-limit": "100"})
    assert "Cat 120 out – may buy in at 30" in page


def test_later_entries_that_lose_their_sense_are_named_before_saving(alice):
    alice.record(hand(1, s2=30, s3=120), hand(2, s1=10, s3=10))
    page = look(alice, "setup", **AS_SET | {"house-limit": "100"})
    assert "Hand 2 – Cat is not in the game" in page


def test_only_what_differs_is_recorded(alice):
    changed = AS_SET | {"dealer": "3", "out_at": "over_limit", "settle": "cash"}
    assert save(alice, "setup", **changed) == {
        "kind": "setup", "dealer": 3, "house": {"out_at": "over_limit"}, "settle": "cash",
    }  # fmt: skip
    assert alice.table.game.next_dealer == 3


def test_money_is_taken_away_and_brought_back(alice):
    without = {key: value for key, value in AS_SET.items() if key != "money"}
    assert save(alice, "setup", **without) == {"kind": "setup", "stakes": None}
    assert "no money" in alice.see("/mend")
    event = save(alice, "setup", **AS_SET | {"kalooki": ""})
    assert event == {"kind": "setup", "stakes": {"currency": "EUR", "call_up": 10, "initial": 50, "buy_in": 50}}
    assert alice.table.game.stakes == EURO


def test_nothing_different_is_nothing_to_save(alice):
    assert "Nothing here differs" in words(refused(alice, "setup", **AS_SET))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"house-limit": "0"}, "out of range"),
        ({"call_up": "lots"}, "Write an amount"),
        ({"currency": ""}, "1 to 8 characters"),
        ({"dealer": "9"}, "Choose one."),
    ],
)
def test_a_set_up_nobody_can_play_is_refused(alice, typed, said):
    assert said in words(refused(alice, "setup", **AS_SET | typed))


def test_a_variant_without_stakes_asks_for_none(app):
    alice = Alice(app, "jamaican")
    assert "Play for money" not in alice.see("/enter/setup")
    event = save(alice, "setup", dealer="2", settle="account", **{"house-warning_at": "2"})
    assert event["dealer"] == 2


# ---- Correcting, late and doubled forms


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
    alice = Alice(app, players=("Ann", "Ben", "Cat", "Dan"), stakes=EURO)
    return alice.record(
        hand(1, s2=60, s3=100, s4=30),
        {"kind": "ruling", **CLAIM, "seat": 3, "note": "twice", "points": 5, "amount": 9},
        {"kind": "setup", "house": {"limit": 100}},
    )


def test_a_ruling_whose_points_lost_their_sense_keeps_the_money(punished):
    page = punished.get()
    assert "Ruling: Cat – Cat is not in the game" in words(page.text)
    assert f"/g/{punished.code}/enter/ruling/3" in page.text
    form = punished.get("/enter/ruling/3").text
    assert '<option selected value="3">Cat' in form
    for name, typed in (("points", "5"), ("amount", "0.09"), ("note", "twice")):
        assert f'name="{name}" type="text" value="{typed}"' in form
    typed = {"seat": "3", "upheld": "yes", "note": "twice", "points": "", "amount": "0.09"}
    # Cat paid 50 at first and 10 to Ann for the hand
    page = look(punished, "ruling/3", **typed)
    assert "Ruling: Cat AH 2H 3H: not legal · 0.09 EUR into the pool · twice" in page
    assert "Cat 100 −0.60 → −0.69 EUR" in page
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
    assert "Whose claim: Cat is not in the game" in words(page)


def test_a_ruling_is_let_go_and_upheld_again(punished):
    typed = {"seat": "3", "points": "5", "amount": "0.09"}
    assert "the table played on all the same · 5 points" in look(punished, "ruling/3", upheld="no", **typed)
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
    assert re.findall('<option( selected)? value="([^"]*)">', page) == [
        ("", ""),
        ("", "1"),
        (" selected", "2"),
        ("", "3"),
    ]
    assert save(alice, "ruling/3", seat="2", points="")["event"]["seat"] == 2
    assert alice.table.game.faults == []


# Ben, out with 150 points, may come back at Cat's 60 for 50 cents
KNOCKED_OUT = hand(1, s2=150, s3=60)


def test_a_buy_in_becomes_a_decline_and_a_buy_in_again(alice):
    alice.record(KNOCKED_OUT, {"kind": "buy_in", "seat": 2})
    page = alice.get("/enter/buy_in/3").text
    assert re.findall(r'checked id="([^"]*)"', page) == ["seat-0", "kind-0"]
    assert "Cat" not in words(page)
    # -50, -10 for the hand, -50 for the buy-in
    assert "Ben did not buy in What changes Ben 60 → 150 is out −1.10 → −0.60 EUR" in look(
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
    assert "Ben bought in – Ben has no buy-in to take or to decline now." in words(page)
    assert f"/g/{alice.code}/enter/buy_in/3" in page
    assert "<span>Ben</span>" not in alice.get("/enter/buy_in/3").text
    save(alice, "buy_in/3", seat="3", kind="buy_in")
    assert alice.table.game.faults == []
    assert alice.totals == [0, 60, 60]


def test_an_offer_nobody_had_can_only_be_taken_back(alice):
    alice.record(KNOCKED_OUT, {"kind": "buy_in", "seat": 2})
    save(alice, "buy_in/3", seat="2", kind="decline")
    corrected = {"winner": "1", "ending": "going_out", "points_2": "15", "points_3": "60"}
    assert alice.send("/correct/2", do="save", **corrected).status_code == 303
    # what stands at entry 3 is a decline by now
    assert f"/g/{alice.code}/enter/decline/3" in alice.get().text
    page = alice.get("/enter/decline/3").text
    assert "can only be taken back" in words(page)
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
    assert "Tie won by Ben" in look(tied, "decider/5", winner="2")
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


def test_where_nobody_ties_the_deciding_hand_can_only_be_taken_back(tied):
    tied.record({"kind": "amend", "target": 2, "event": hand(1, s2=25, s3=30)})
    assert "can only be taken back" in tied.see("/enter/decider/5")


def test_a_late_form_is_kept_with_what_happened_meanwhile(alice):
    alice.record(hand(1, s2=10, s3=20))
    answer = send(alice, "penalty", do="save", seen=1, **PENALTY)
    assert answer.status_code == 409
    page = words(answer.text)
    assert "Not saved yet: somebody recorded meanwhile. Hand won by Ann (script)" in page
    assert "Ben 10 → 15" in page
    assert "Save anyway" in page
    assert 'name="reason" value="talking"' in answer.text
    assert alice.table.seen == 2
    save(alice, "penalty", **PENALTY)
    assert alice.totals == [0, 15, 20]


def test_a_late_form_that_no_longer_makes_sense_says_why(alice):
    alice.record({"kind": "leave", "seat": 2})
    answer = send(alice, "penalty", do="save", seen=1, **PENALTY)
    assert answer.status_code == 422
    assert "Cat" in answer.text
    assert alice.table.seen == 2


def test_a_form_sent_twice_is_saved_once(alice):
    for _ in range(2):
        answer = send(alice, "penalty", do="save", seen=1, submission="p-1", **PENALTY)
        assert answer.status_code == 303
    assert alice.totals == [0, 5, 0]


def test_a_form_changed_after_saving_asks_before_it_saves_again(alice):
    send(alice, "penalty", do="save", seen=1, submission="p-1", **PENALTY)
    answer = send(alice, "penalty", do="save", seen=1, submission="p-1", **PENALTY | {"points": "7"})
    assert answer.status_code == 409
    assert "has already saved something" in words(answer.text)
    assert 'value="p-1"' not in answer.text
    assert alice.totals == [0, 5, 0]


def test_the_form_comes_back_for_a_change(alice):
    answer = send(alice, "penalty", do="change", **PENALTY)
    assert answer.status_code == 200
    assert 'value="talking"' in answer.text
    assert alice.table.seen == 1


def test_what_is_looked_at_stands_in_the_address_without_its_token(alice):
    typed = {"seen": 1, "submission": "p-1", "csrf_token": "secret", "do": "preview", **PENALTY}
    answer = alice.client.post(f"/g/{alice.code}/enter/penalty", data=typed)
    assert answer.status_code == 303
    assert "reason=talking" in answer.location
    assert "secret" not in answer.location
    assert "Penalty for Ben" in words(alice.client.get(answer.location).text)


def test_a_look_at_what_is_saved_leads_on_without_saving_again(alice):
    look = alice.client.post(
        f"/g/{alice.code}/enter/penalty", data={"seen": 1, "submission": "p-1", "do": "preview", **PENALTY}
    ).location
    send(alice, "penalty", do="save", seen=1, submission="p-1", **PENALTY)
    answer = alice.client.get(look)
    assert (answer.status_code, answer.location) == (303, f"/g/{alice.code}")
    assert "Saved already." in alice.see()
    assert alice.totals == [0, 5, 0]


def test_more_than_an_address_holds_is_answered_at_once(alice):
    typed = PENALTY | {"reason": "x" * 5000, "seen": 1, "submission": "p-1", "do": "preview"}
    answer = alice.client.post(f"/g/{alice.code}/enter/penalty", data=typed)
    assert answer.status_code == 422
    assert "at most 200" in answer.text


# ---- Who may, and what there is


@pytest.mark.parametrize("kind", KINDS + ANSWERS)
def test_bob_who_watches_enters_nothing(app, alice, kind):
    bob = app.test_client()
    address = f"/g/{alice.code}/enter/{kind}"
    assert bob.get(address).status_code == 403
    assert bob.get(f"{address}/look?seat=2&points=5&seen=1").status_code == 403
    assert bob.post(address, data={"do": "save", "seen": 1, "submission": "b-1", **PENALTY}).status_code == 403
    assert alice.table.seen == 1


@pytest.mark.parametrize("path", ["/more", "/mend"])
def test_bob_finds_nothing_to_enter(app, alice, path):
    answer = app.test_client().get(f"/g/{alice.code}{path}")
    assert "/enter/" not in answer.text
    assert answer.status_code == (200 if path == "/more" else 403)


@pytest.mark.parametrize("path", ["/more", "/mend", *(f"/enter/{kind}" for kind in KINDS)])
def test_a_stranger_with_a_wrong_code_learns_nothing(client, path):
    assert client.get(f"/g/NOSUCHGAME2{path}").status_code == 404


@pytest.mark.parametrize(
    "path",
    ["/enter/hand", "/enter/nonsense", "/enter/penalty/2", "/enter/leave/3", "/enter/end/4", "/enter/decline/3"]
    + [f"/enter/{kind}" for kind in ANSWERS],
)
def test_what_cannot_be_entered_is_not_there(app, path):
    alice = Alice(app, "kalooki-51").record(
        hand(1, s2=5, s3=6), {"kind": "penalty", "seat": 2, "points": 5}, {"kind": "end"}
    )
    assert alice.get(path).status_code == 404
    assert send(alice, path.removeprefix("/enter/"), do="save", **PENALTY).status_code == 404
    assert alice.table.seen == 4


def test_an_entry_taken_back_is_not_corrected(alice):
    alice.record({"kind": "penalty", "seat": 2, "points": 5}, {"kind": "undo", "target": 2})
    assert alice.get("/enter/penalty/2").status_code == 404


def test_in_kalooki_51_the_drawn_first_player_is_asked_on_the_game(app):
    alice = Alice(app, "kalooki-51")
    assert "Who plays first?" in alice.see("/more")
    alice.record({"kind": "first", "seat": 2})
    assert "Who plays first?" not in alice.see("/more")


def test_a_tie_leads_to_the_deciding_hand(app):
    alice = Alice(app, "kalooki-51").record(hand(1, s2=20, s3=30), hand(2, s1=20, s3=5), {"kind": "end"})
    assert "The deciding hand" in alice.see("/more")


def test_a_game_without_money_is_stopped_without_a_word_about_a_pool(app):
    alice = Alice(app, "jamaican")
    assert "pool" not in alice.see("/enter/stop").lower()
    assert alice.send("/enter/stop", do="save").status_code == 303
    assert alice.table.game.status == "over"
    assert "paid in" not in alice.see("/history")
