"""The result of a game for money stays when it is paid: what everybody won, and beside it what was paid and is owed."""

import io
import re

import pytest
from flask import render_template
from PIL import Image

from app.sheets.result import result_of
from tests.pages import EURO, Alice, hand, words
from tests.web.paper_reader import pages

pytestmark = pytest.mark.one_app

# Ann wins both hands: Ben is out at 150, then Cat. Ann -50 + 20 + 10 + 150 from the pool, Ben -50 - 10, Cat -50 - 20
PLAYED_OUT = [hand(1, s2=150, s3=20), hand(1, s3=130)]
BEN_PAYS, CAT_PAYS = ({"kind": "paid", "from": seat, "to": 1, "amount": amount} for seat, amount in ((2, 60), (3, 70)))
PAYMENTS = [[], [BEN_PAYS], [BEN_PAYS, CAT_PAYS]]
TOLD = [
    ["Ben pays Ann €0.60", "Cat pays Ann €0.70"],
    ["Ben paid Ann €0.60 ✓", "Cat pays Ann €0.70"],
    ["Ben paid Ann €0.60 ✓", "Cat paid Ann €0.70 ✓", "Nobody owes anything any more."],
]
RANKED = ["1. Ann 0, +€1.30", "2. Cat 150, out, −€0.70", "3. Ben 150, out, −€0.60"]


@pytest.fixture
def over(app):
    return Alice(app, stakes=EURO, house={"buy_ins": 0}).record(*PLAYED_OUT)


@pytest.mark.parametrize(("payments", "told"), [*zip(PAYMENTS, TOLD, strict=True)])
def test_the_text_tells_what_was_won_and_what_was_paid(over, payments, told):
    over.record(*payments)
    lines = over.get("/result.txt").text.splitlines()
    assert lines[3:6] == RANKED
    assert lines[7 : 7 + len(told)] == told
    shown = re.search(r"(?s)<textarea[^>]*>(.*?)</textarea>", over.get("/result").text)[1]
    assert words(shown) == words("\n".join(lines))


@pytest.mark.parametrize(("payments", "told"), [*zip(PAYMENTS, TOLD, strict=True)])
def test_the_picture_tells_both(over, app, payments, told):
    over.record(*payments)
    with app.test_request_context():
        page = render_template("sheets/result.html", result=result_of(over.table))
    assert re.findall(r'class="money">([^<]*)<', page) == ["+€1.30", "−€0.70", "−€0.60"]
    pool = "The pool of €1.50 is already included: Ann €1.50."
    assert re.findall(r'class="settled"[^>]*>([^<]*)<', page) == [*told, pool]
    assert Image.open(io.BytesIO(over.get("/result.png").data)).width == 1080


def test_the_picture_has_room_for_every_payment(app):
    # seven stakes of 50 go to the winner, each loser pays 10 more
    players = [f"Player number {seat:06}" for seat in range(1, 8)]
    alice = Alice(app, players=players, stakes=EURO, house={"buy_ins": 0})
    alice.record(hand(1, **{f"s{seat}": 150 for seat in range(2, 8)}))
    told = [f"{name} pays {players[0]} €0.60" for name in players[1:]]
    pool = f"The pool of €3.50 is already included: {players[0]} €3.50."
    assert [*result_of(alice.table).settled] == [*told, pool]
    alice.record(*({"kind": "paid", "from": seat, "to": 1, "amount": 60} for seat in range(2, 8)))
    assert result_of(alice.table).settled[-2:] == ("Nobody owes anything any more.", pool)
    assert {row.stands.money for row in result_of(alice.table).rows} == {"+€3.60", "−€0.60"}


def test_payments_leave_the_picture_its_bars(app):
    alice = Alice(app, players=("Ann", "Ben", "Cat", "Dan", "Eve"), stakes=EURO, house={"buy_ins": 0})
    alice.record(hand(1, s2=20, s3=20, s4=20, s5=20), hand(1, s2=130, s3=130, s4=130, s5=130))
    alice.record(*({"kind": "paid", "from": seat, "to": 1, "amount": 70} for seat in range(2, 6)))
    result = result_of(alice.table)
    assert " ".join(result.settled).count("✓") == 4
    assert [row.bar for row in result.rows] == [0, 100, 100, 100, 100]


def test_a_game_that_is_over_offers_three_things_and_the_rest_under_more(over):
    [bar] = re.findall(r'(?s)<div class="action-bar">(.*?)</div>', over.get().text)
    assert words(bar) == "Rematch Print Send the result"


def test_the_sheet_has_what_was_won_above_what_was_paid(over):
    assert "Won and lost" not in over.see("/sheet")
    over.record(BEN_PAYS, CAT_PAYS)
    feet = "Won and lost, € +1.30 −0.60 −0.70 Settled in cash, € −1.30 +0.60 +0.70 Balance, € 0.00 0.00 0.00"
    paid = "☑ Ben paid Ann €0.60 ☑ Cat paid Ann €0.70"
    for told in (over.see("/sheet"), printed(over, "sheet")):
        assert feet in told
        assert paid in told
        assert "Nobody owes anything any more." in told


def printed(alice, what):
    return " ".join(pages(alice.client, f"/api/v1/games/{alice.code}/{what}.pdf"))
