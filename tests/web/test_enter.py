"""What happens besides hands: entered, looked at, saved."""

import re

import pytest

from tests.pages import Alice, hand, words
from tests.web.form_entries import look, refused, save, send

pytestmark = pytest.mark.one_app

KINDS = ["penalty", "leave", "join", "end", "stop", "paid", "rename", "setup"]
ANSWERS = ["ruling", "buy_in", "decline", "first", "decider"]


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/new", "players-0-name"),
        ("/copy", "names"),
        ("/g/{code}/enter/join", "name"),
        ("/g/{code}/enter/rename", "name"),
        ("/g/{code}/delete", "name"),
    ],
)
def test_no_phone_corrects_a_name(alice, path, field):
    page = alice.client.get(path.format(code=alice.code)).text
    [tag] = re.findall(rf'<input[^>]* name="{field}"[^>]*>', page)
    assert 'autocorrect="off"' in tag


# ---- Penalty


PENALTY = {"seat": "2", "points": "5", "amount": "0,30", "reason": "talking"}


def test_a_penalty_is_looked_at_before_it_is_saved(alice):
    page = look(alice, "penalty", **PENALTY)
    assert "Penalty for Ben 5 points · €0.30 into the pool · talking" in page
    assert "Ben 0 → 5 −€0.30 In the pool: €1.50 → €1.80" in page
    assert save(alice, "penalty", **PENALTY) == {
        "kind": "penalty", "seat": 2, "points": 5, "amount": 30, "reason": "talking",
    }  # fmt: skip
    assert alice.totals == [0, 5, 0]


@pytest.mark.parametrize(
    ("kind", "typed", "does"),
    [
        ("stop", {"pool": "equal"}, "Game ends early the pool in equal parts"),
        ("stop", {"pool": "refund"}, "Game ends early the pool back to those who paid in"),
        ("leave", {"seat": "3"}, "Cat leaves"),
        ("join", {"name": "Dan", "after": "3"}, "Dan joins"),
        ("paid", {"payer": "2", "to": "1", "amount": "0.10"}, "Payment from Ben to Ann €0.10"),
    ],
)
def test_what_is_not_saved_yet_is_not_told_as_done(alice, kind, typed, does):
    alice.record(hand(1, s2=5, s3=6))
    assert does in look(alice, kind, **typed)


@pytest.mark.parametrize("typed", ["10+7", "۱۷", "１７", " 17 "])
def test_points_of_a_penalty_are_read_as_people_type_them(alice, typed):
    assert save(alice, "penalty", seat="2", points=typed)["points"] == 17


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
        ({"points": "many"}, "“many” cannot be read. Write a whole number"),
        ({"points": "-1001"}, "not a whole number from -1000 to 10000"),
        ({"points": "12.5"}, "“12.5” cannot be read. Write a whole number"),
        ({"amount": "-3"}, "Write an amount"),
        ({"seat": ""}, "Who? Choose one."),
        ({"seat": "9"}, "Who? Choose one."),
        ({"reason": "x" * 201}, "at most 200"),
        ({"points": "20000"}, "not a whole number from -1000 to 10000"),
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
    alice = Alice(app, players=("Ann", "Ben"))
    page = look(alice, "leave", seat="1")
    assert "This ends the game. Ben wins." in page
    assert "From the pool: Ben €1.00" in page
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
        ({"name": "x" * 41}, "A name has 1 to 40 characters"),
        ({"name": "ANN"}, "Name: ANN is there already"),
        ({"points": "150"}, "Starts at: 150 points would be out"),
    ],
)
def test_a_late_player_nobody_can_seat_is_refused(alice, typed, said):
    assert said in words(refused(alice, "join", **{"name": "Dan", "points": "10", "after": "3"} | typed))


# ---- The end


def test_the_table_ends_an_open_game_after_a_look(app):
    alice = Alice(app, "kalooki-51", stakes={"currency": "EUR", "initial": 50}).record(hand(1, s2=20, s3=100))
    assert "The scores decide" in alice.see("/more")
    page = alice.see("/enter/end")
    # 150 in the pool: 25 % rounded down is 37 for Ben; Cat, at 100, gets nothing
    assert "This ends the game. Ann wins. From the pool: Ann €1.13 , Ben €0.37." in page
    assert save(alice, "end") == {"kind": "end"}
    assert "The scores decide" not in alice.see("/more")


@pytest.mark.parametrize(
    ("variant", "kind", "other", "name"),
    [("kalooki-51", "end", "stop", "End the game"), ("european", "stop", "end", "End the game early")],
)
def test_a_game_is_ended_under_one_name_and_by_one_door(app, variant, kind, other, name):
    """Where the rules decide, they may also be set aside: the pool is then split or paid back."""
    alice = Alice(app, variant, stakes={"currency": "EUR", "initial": 50}).record(hand(1, s2=20, s3=100))
    for room in ("/more", "/settle"):
        page = alice.get(room).text
        assert f'/enter/{kind}">{name}<' in page
        assert f"/enter/{other}" not in page
    assert "/enter/stop" in alice.get(f"/enter/{kind}").text


def test_a_game_that_ends_by_itself_offers_no_end(alice):
    answer = alice.get("/enter/end")
    assert answer.status_code == 422
    assert "end it early and say what happens to the pool" in words(answer.text)
    assert send(alice, "end", do="save").status_code == 422


def test_what_a_leaver_paid_is_said_one_way(alice):
    alice.record(hand(1, s2=30, s3=20))
    leaving = alice.see("/enter/leave")
    assert (
        "What they paid stays in the pool; they get it back only if the game ends early and everybody does" in leaving
    )
    alice.record({"kind": "leave", "seat": 2})
    stopping = alice.see("/enter/stop")
    assert "Everybody gets back what they paid in, penalties too, even those who are out or have left" in stopping
    assert "Ben €0.50" in stopping


def test_each_way_to_stop_says_who_gets_what(alice):
    # 150 in the pool and 30 more from Ben
    alice.record(hand(1, s2=30, s3=20), {"kind": "penalty", "seat": 2, "amount": 30})
    page = alice.see("/enter/stop")
    assert "even those who are out or have left Ann €0.50, Ben €0.80, Cat €0.50" in page
    assert "The game ends early. Its hands still count." in page
    assert "Shared equally by those still in Ann €0.60, Ben €0.60, Cat €0.60" in page
    assert "To the leader Ann €1.80" in page
    assert "This ends the game early. Ann is in front, on 0." in look(alice, "stop", pool="equal")
    assert save(alice, "stop", pool="equal") == {"kind": "stop", "pool": "equal"}
    assert alice.table.game.shares == {1: 60, 2: 60, 3: 60}


def test_what_becomes_of_the_pool_must_be_said(alice):
    assert "What happens to the pool?" in words(refused(alice, "stop"))


def test_after_the_end_nothing_more_is_entered(alice):
    alice.record({"kind": "stop", "pool": "refund"})
    assert alice.get("/enter/stop").status_code == 200
    assert "The game is over" not in alice.see("/enter/stop")
    assert "has ended" in words(refused(alice, "stop", pool="equal"))
    assert "has ended" in words(refused(alice, "leave", seat="1"))


# ---- Cash, names


def test_cash_handed_over_is_noted(alice):
    page = look(alice, "paid", payer="2", to="1", amount="0.20")
    assert "Payment from Ben to Ann €0.20" in page
    assert "Ann has had €0.20 from Ben. Their balances now:" in page
    assert save(alice, "paid", payer="2", to="1", amount="0.20") == {"kind": "paid", "from": 2, "to": 1, "amount": 20}
    assert list(alice.table.game.balances.values()) == [-70, -30, -50]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"to": "2"}, "Who receives? Ben can’t pay themselves"),
        ({"amount": ""}, "How much? Write the amount"),
        ({"amount": "0"}, "How much? Write the amount"),
        ({"payer": "7"}, "Choose one."),
    ],
)
def test_a_payment_nobody_can_make_is_refused(alice, typed, said):
    assert said in words(refused(alice, "paid", **{"payer": "2", "to": "1", "amount": "1"} | typed))


def test_an_amount_that_cannot_be_read_is_told_in_one_sentence(alice):
    page = words(refused(alice, "paid", payer="2", to="1", amount="abc"))
    assert "Write an amount such as 0.10 or 2." in page
    assert "Write the amount" not in page


def test_a_name_is_mended_at_once(alice):
    page = alice.get("/enter/rename?seat=2").text
    assert 'value="Ben"' in page
    assert 'value="save"' in page
    assert save(alice, "rename", seat="2", name="Benno") == {"kind": "rename", "seat": 2, "name": "Benno"}
    assert "Benno" in alice.see("/more")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ann", "ann is there already"),
        ("Ａｎｎ\u200b", "Ａｎｎ is there already"),
        ("", "Write the name"),
        ("\u3164", "a letter, a digit or a symbol"),
        ("…", "a letter, a digit or a symbol"),
        ("x" * 41, "A name has 1 to 40 characters"),
    ],
)
def test_a_name_nobody_can_have_is_refused(alice, name, said):
    assert said in words(refused(alice, "rename", seat="2", name=name, do="save"))


# ---- Late and doubled forms


def test_a_late_form_is_kept_with_what_happened_meanwhile(alice):
    alice.record(hand(1, s2=10, s3=20))
    answer = send(alice, "penalty", do="save", seen=1, **PENALTY)
    assert answer.status_code == 409
    page = words(answer.text)
    assert "Not saved yet: somebody else recorded something first. Hand 1 won by Ann (script)" in page
    assert "Ben 10 → 15" in page
    assert "Between hands: count it now" in page
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
    assert "Already saved: Penalty for Ben" in alice.see()
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


def test_bob_finds_nothing_to_enter(app, alice):
    answer = app.test_client().get(f"/g/{alice.code}/more")
    assert "/enter/" not in answer.text
    assert answer.status_code == 200


@pytest.mark.parametrize("path", ["/more", *(f"/enter/{kind}" for kind in KINDS)])
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
    assert "Who drew the highest card and plays first?" in alice.see()
    alice.record({"kind": "first", "seat": 2})
    assert "Who drew the highest card" not in alice.see()


def test_a_tie_leads_to_the_deciding_hand(app):
    alice = Alice(app, "kalooki-51").record(hand(1, s2=20, s3=30), hand(2, s1=20, s3=5), {"kind": "end"})
    assert "Play one deciding hand?" in alice.see()


def test_a_game_without_money_is_stopped_without_a_word_about_a_pool(app):
    alice = Alice(app, "jamaican")
    assert "pool" not in alice.see("/enter/stop").lower()
    assert alice.send("/enter/stop", do="save").status_code == 303
    assert alice.table.game.status == "over"
    assert "paid in" not in alice.see("/history")


@pytest.mark.parametrize("path", ["enter/penalty", "enter/stop", "void", "undo/2", "delete"])
def test_nothing_stands_below_the_bar_that_confirms(alice, path):
    alice.record(hand(1, s2=54, s3=30))
    page = alice.get(f"/{path}").text
    assert 'class="action-bar"' in page
    assert "site-foot" not in page
