"""Settling up: who pays whom, what each amount is made of, payments noted with one tap."""

import re

import pytest

from tests.pages import Alice, hand, words

STAYS = "The pool keeps what was paid in, unless the game ends early."
pytestmark = pytest.mark.one_app

# Ann wins both hands: Ben is out at 150, then Cat. Ann -50 + 20 + 10 + 150 from the pool, Ben -50 - 10, Cat -50 - 20
PLAYED_OUT = [hand(1, s2=150, s3=20), hand(1, s3=130)]


@pytest.fixture
def alice(app):
    return Alice(app, house={"buy_ins": 0}).record(*PLAYED_OUT)


def balances(alice):
    return list(alice.table.game.balances.values())


def test_a_payment_not_yet_made_has_a_box_to_tick_and_one_made_a_tick(alice):
    assert "☐ Paid : Ben to Ann" in alice.see("/settle")
    alice.send("/settle", do="paid-2-1-60")
    page = alice.see("/settle")
    assert "☐ Paid : Ben to Ann" not in page
    assert "✓ Ben paid Ann" in page


def test_every_amount_opens_into_its_lines(alice):
    page = alice.see("/settle")
    assert "Stake −0.50 Hand 1 Call-up to Ann −0.10 Total −0.60" in page
    assert (
        "Stake −0.50 Hand 1 Call-up from Ben and Cat +0.20 Hand 2 Call-up from Cat +0.10 "
        "Hand 2 Share of the pool +1.50 Total +1.30"
    ) in page


@pytest.mark.parametrize(
    ("fold", "amount"),
    [("seat-3", "Cat −€0.70"), ("pays-2-1", "Ben pays Ann €0.60"), ("pool", "Who paid in")],
)
def test_a_link_to_an_amount_opens_it_and_no_other(alice, fold, amount):
    opened = re.findall(r"(?s)<details[^>]* open>\s*<summary>(.*?)</summary>", alice.get(f"/settle?open={fold}").text)
    assert [words(each) for each in opened] == [amount]
    assert f'id="{fold}"' in alice.get("/settle").text
    assert " open>" not in alice.get("/settle").text


def test_cash_stands_below_what_was_won(app):
    # a payment in advance comes between the stake and the hand; Ben -50 - 10 and 40 of it paid
    alice = Alice(app, players=("Ann", "Ben"), house={"buy_ins": 0})
    alice.record({"kind": "paid", "from": 2, "to": 1, "amount": 40}, hand(1, s2=150))
    lines = "Stake −0.50 Hand 1 Call-up to Ann −0.10 Won and lost −0.60 Cash paid to Ann +0.40 Total −0.20"
    assert lines in alice.see("/settle")


def test_a_payment_is_noted_with_one_tap_and_leaves_the_others(alice):
    assert alice.send("/settle", do="paid-2-1-60").status_code == 303
    assert alice.events()[-1] == {"kind": "paid", "from": 2, "to": 1, "amount": 60}
    assert balances(alice) == [70, 0, -70]
    page = alice.see("/settle")
    assert "Ben pays Ann" not in page
    assert "Ben paid Ann €0.60" in page
    assert "Cat pays Ann €0.70" in page
    assert "Cash paid to Ann +0.60" in page


def rows(alice):
    """The payments in their order, without what their amounts are made of."""
    lines = re.findall(r'(?s)<li class="settled">(.*?)</li>', alice.get("/settle").text)
    return [words(re.sub(r"(?s)</summary>.*</details>|<button.*</button>", "", line)) for line in lines]


def test_a_payment_noted_keeps_its_place_among_the_others(alice):
    assert rows(alice) == ["Ben pays Ann €0.60", "Cat pays Ann €0.70"]
    alice.send("/settle", do="paid-3-1-70")
    assert rows(alice) == ["Ben pays Ann €0.60", "✓ Cat paid Ann €0.70"]
    alice.send("/settle", do="paid-2-1-60")
    assert rows(alice) == ["✓ Ben paid Ann €0.60", "✓ Cat paid Ann €0.70"]
    alice.send("/settle", do="undo-4")
    assert rows(alice) == ["✓ Ben paid Ann €0.60", "Cat pays Ann €0.70"]


def test_a_part_paid_stands_beside_what_is_left_of_it(alice):
    alice.record({"kind": "paid", "from": 2, "to": 1, "amount": 40})
    assert rows(alice) == ["Ben pays Ann €0.20", "✓ Ben paid Ann €0.40", "Cat pays Ann €0.70"]


def test_noting_a_payment_pushes_nothing_down(alice):
    alice.send("/settle", do="paid-2-1-60")
    assert 'class="notice notice-ok visually-hidden" role="status">Noted as paid.</div>' in alice.get("/settle").text
    alice.send("/settle", do="paid-2-1-60", seen=3)
    assert 'class="notice notice-warn" role="status">Somebody else recorded' in alice.get("/settle").text


def test_the_page_opens_at_the_payment_that_was_noted_or_taken_back(alice):
    for do, row in (("paid-3-1-70", "undo-4"), ("undo-4", "paid-3-1-70")):
        assert alice.send("/settle", do=do).location == f"/g/{alice.code}/settle#{row}"
        assert f'id="{row}"' in alice.get("/settle").text


def test_a_payment_not_noted_opens_the_page_at_the_reason(alice):
    for refused in ({"do": "paid-2-9-60"}, {"do": "paid-2-1-60", "seen": 2}):
        assert alice.send("/settle", **refused).location == f"/g/{alice.code}/settle"


def test_a_note_is_taken_back_with_one_tap(alice):
    alice.send("/settle", do="paid-2-1-60")
    alice.send("/settle", do="undo-4")
    assert balances(alice) == [130, -60, -70]
    assert "Ben pays Ann €0.60" in alice.see("/settle")


def test_when_all_is_paid_nobody_owes_anything(alice):
    alice.send("/settle", do="paid-2-1-60")
    alice.send("/settle", do="paid-3-1-70")
    assert "Nobody owes anything any more." in alice.see("/settle")


def test_a_double_tap_is_noted_once(alice):
    for _ in range(2):
        alice.send("/settle", do="paid-2-1-60", seen=3, submission="p-1")
    assert balances(alice) == [70, 0, -70]


def test_a_late_tap_is_not_noted_and_says_so(alice):
    alice.record({"kind": "paid", "from": 2, "to": 1, "amount": 60})
    alice.send("/settle", do="paid-2-1-60", seen=3)
    assert "Somebody else recorded something first" in alice.see("/settle")
    assert balances(alice) == [70, 0, -70]


@pytest.mark.parametrize("do", ["undo-2", "undo-1", "undo-99", "paid-2-1", "paid--2-1-60", "nonsense", ""])
def test_only_payments_are_noted_and_taken_back_here(alice, do):
    assert alice.send("/settle", do=do).status_code == 400
    assert alice.table.seen == 3


def test_an_amount_nobody_can_pay_is_refused_in_words(alice):
    answer = alice.send("/settle", do="paid-2-1-0")
    assert answer.status_code == 422
    assert alice.send("/settle", do="paid-2-9-60").status_code == 303
    assert "Nobody sits at seat 9" in alice.see("/settle")
    assert alice.table.seen == 3


def test_bob_sees_the_amounts_and_no_buttons(app, alice):
    bob = app.test_client()
    page = bob.get(f"/g/{alice.code}/settle").text
    assert "Ben pays Ann" in page
    assert "<button" not in page
    assert (
        bob.post(f"/g/{alice.code}/settle", data={"do": "paid-2-1-60", "seen": 3, "submission": "b"}).status_code == 403
    )
    assert alice.table.seen == 3


def test_while_the_game_runs_it_shows_what_each_would_pay_if_it_ended_now(app):
    alice = Alice(app).record(hand(1, s2=30, s3=20))
    page = alice.see("/settle")
    # with the stakes back, Ben and Cat owe the call-up of the hand
    assert (
        "If the game ended now Ben pays Ann €0.10 Cat pays Ann €0.10 With the pool back to those who paid in." in page
    )
    lines = "Stake −0.50 Hand 1 Call-up from Ben and Cat +0.20 Back from the pool +0.50 Total +0.20"
    assert f"Ann +€0.20 Hand Reason Amount {lines} Ben −€0.10" in page
    assert page.count("If the game ended now") == 1
    assert "Balances" not in page
    assert "It holds €1.50 Who paid in" in page
    assert "Paid" not in page
    assert "Call-up: what each loser pays the winner of a hand." in page
    assert "Buy-in:" not in page


@pytest.mark.parametrize(("variant", "kind"), [("kalooki-51", "end"), ("european", "stop")])
def test_a_running_game_is_ended_the_way_its_rules_end_it(app, variant, kind):
    page = Alice(app, variant).get("/settle").text
    assert re.findall(r"/enter/(end|stop)", page) == [kind]


def test_nobody_is_in_debt_before_the_first_hand(app):
    for variant in ("european", "kalooki-51", "kalooki-40", "south-african"):
        alice = Alice(app, variant, stakes={"currency": "EUR", "initial": 50})
        for path in ("", "/settle", "/table"):
            assert "−€" not in alice.see(path), (variant, path)
        assert "Nobody would pay anybody." in alice.see("/settle")
        assert alice.get("/result.txt").text.count(", €0.00\n") == 3


@pytest.mark.parametrize("settle", ["account", "cash"])
def test_the_money_beside_the_players_is_the_same_everywhere(app, settle):
    alice = Alice(app, settle=settle).record(hand(1, s2=30, s3=20), hand(3, s1=5, s2=6))
    # Ann +20 - 10, Ben -10 - 10, Cat -10 + 20; the stakes would be paid back
    told = {"Ann": "+€0.10", "Ben": "−€0.20", "Cat": "+€0.10"}
    for path in ("/settle", "/result.txt", "/table"):
        page = alice.see(path)
        assert all(re.search(rf"\b{name}\b[^€]*{re.escape(money)}", page) for name, money in told.items()), path
    assert re.findall(r"[−+]€[\d.]+", alice.see()) == [*told.values()]
    state = alice.client.get(f"/api/v1/games/{alice.code}").json
    assert [player["balance"] for player in state["players"]] == [-40, -70, -40]


def test_ending_early_counts_the_pool_by_the_rules(app):
    # 150 in the pool: 25 % of it for Ben, who is under 100: 37; the rest, 113, for Ann. Cat has 100
    alice = Alice(app, "kalooki-51", stakes={"currency": "EUR", "initial": 50}).record(hand(1, s2=20, s3=100))
    assert re.findall(r"[−+]€[\d.]+", alice.see()) == ["+€0.63", "−€0.13", "−€0.50"]
    assert "With the pool shared by the rules." in alice.see("/settle")


def test_cash_on_the_table_is_shown_and_owed_by_nobody(app):
    alice = Alice(app, house={"buy_ins": 0}, settle="cash").record(*PLAYED_OUT)
    page = alice.see("/settle")
    assert "these amounts are already settled" in page
    assert "Ann +€1.30" in page
    assert "Ben pays" not in page
    assert "Another amount" not in page
    assert "Cash was paid after each hand: only the pool is left to share out." in alice.get("/result.txt").text


def test_a_game_without_money_has_nothing_to_settle(app):
    alice = Alice(app, stakes=None).record(hand(1, s2=20, s3=30))
    assert "played without money" in alice.see("/settle")
    assert 'settle"' not in alice.get().text
    assert "pays nothing more" not in alice.see("/enter/leave")
    assert "payment" not in alice.see("/void")


def test_stakes_are_mended_only_where_there_may_be_any(app):
    assert "Correct the stakes" in Alice(app, stakes=None).see("/settle")
    assert "Correct the stakes" not in Alice(app, "jamaican").see("/settle")


def test_who_pays_in_parts_is_said_to(app):
    # +20 for Ann, +20 for Ben, -10 and -10 for Cat who won nothing: Ann and Ben each end at +10
    alice = Alice(app).record(hand(1, s2=5, s3=5), hand(2, s1=5, s3=5), {"kind": "stop", "pool": "refund"})
    page = alice.see("/settle")
    assert "Cat pays Ann €0.10 Cat owes more than this and pays it in parts:" in page
    assert "Cat pays Ben €0.10" in page
    assert "The table ended the game early: everybody got back what they had paid in" in page


def test_a_quarter_of_the_pool_is_explained(app):
    # 200 in the pool: 25 % is 50, for Ben and Cat, who are under 100
    alice = Alice(app, "kalooki-51", ("Ann", "Ben", "Cat", "Dan"), stakes={"currency": "EUR", "initial": 50})
    page = alice.record(hand(1, s2=20, s3=99, s4=100), {"kind": "end"}).see("/settle")
    assert "It held €2.00 25% of it in equal parts: Ben and Cat, each €0.25. The rest: Ann, €1.50." in page


def test_what_is_rounded_down_is_said_to_stay_with_the_winner(app):
    # 20 in the pool: 25 % is 5, two parts of 2; 16 are left for Ann
    alice = Alice(app, "kalooki-51", ("Ann", "Ben", "Cat", "Dan"), stakes={"currency": "EUR", "initial": 5})
    page = alice.record(hand(1, s2=20, s3=99, s4=100), {"kind": "end"}).see("/settle")
    assert "each €0.02. Rounded down; the rest stays with the winner. The rest: Ann, €0.16." in page


def test_odd_cents_are_explained(app):
    # Ann and Ben tie at 20, Cat has 105: 15 in two parts, the odd cent to the first seat
    alice = Alice(app, "kalooki-51", stakes={"currency": "EUR", "initial": 5})
    page = alice.record(hand(1, s2=20, s3=100), hand(2, s1=20, s3=5), {"kind": "end"}).see("/settle")
    assert "All of it: Ann and Ben, €0.15 in equal parts; the odd coin goes to Ann, in seat order." in page


def test_a_penalty_names_its_reason_in_the_pool(app):
    alice = Alice(app).record({"kind": "penalty", "seat": 2, "amount": 30, "reason": "talking"})
    page = alice.see("/settle")
    assert "Ben Penalty talking 0.30" in page
    assert "Penalty talking −0.30" in page


def test_names_are_text_only(app):
    alice = Alice(app, players=("<b>Al", "Ben"), house={"buy_ins": 0}).record(hand(1, s2=150))
    page = alice.get("/settle").text
    assert "<b>Al" not in page
    assert "&lt;b&gt;Al" in page
    assert "&amp;lt;" not in page


def test_who_leaves_is_told_what_they_owe_and_the_payment_is_one_tap_away(app):
    # Ben: 50 staked, 10 for the hand Ann won; Ann would get most if the game ended now
    alice = Alice(app).record(hand(1, s2=30, s3=20))
    assert f"Ben owes €0.60. {STAYS}" in alice.send("/enter/leave", seat="2", do="preview").text
    page = alice.record({"kind": "leave", "seat": 2}).see("/settle")
    assert f"Ben owes €0.60. {STAYS} Record the payment : Ben pays Ann" in page
    address = re.search(r'href="/g/\w+(/enter/paid[^"]+)"', alice.get("/settle").text)[1].replace("&amp;", "&")
    form = alice.get(address).text
    assert re.search(r'name="amount"[^>]* value="0.60"', form)
    assert re.findall(r'<input checked id="[^"]+" name="(payer|to)" type="radio" value="(\d)"', form) == [
        ("payer", "2"),
        ("to", "1"),
    ]
    alice.record({"kind": "paid", "from": 2, "to": 1, "amount": 60})
    assert "Record the payment" not in alice.see("/settle")


def test_who_leaves_with_money_to_get_is_paid_by_who_would_pay_most(app):
    # Ben won two Kalookis of 20 from each: 80 less the stake of 50
    alice = Alice(app).record(hand(2, "kalooki", s1=5, s3=5), hand(2, "kalooki", s1=5, s3=5), hand(1, s2=5, s3=9))
    page = alice.record({"kind": "leave", "seat": 2}).see("/settle")
    # and 10 for the last hand
    assert f"Ben is owed €0.20. {STAYS} Record the payment : Cat pays Ben" in page
