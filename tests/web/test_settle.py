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


@pytest.mark.parametrize(("fold", "amount"), [("seat-3", "Cat −€0.70"), ("pool", "Who paid in")])
def test_a_link_to_an_amount_opens_it_and_no_other(alice, fold, amount):
    opened = re.findall(r"(?s)<details[^>]* open>\s*<summary>(.*?)</summary>", alice.get(f"/settle?open={fold}").text)
    assert [words(each) for each in opened] == [amount]
    assert f'id="{fold}"' in alice.get("/settle").text
    assert " open>" not in alice.get("/settle").text


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


def test_who_leaves_is_told_what_they_owe_and_the_payment_is_one_tap_away(app):
    # Ben: 50 staked, 10 for the hand Ann won; Ann would get most if the game ended now
    alice = Alice(app).record(hand(1, s2=30, s3=20))
    owes = f"Ben owes €0.60: lost €0.10, and €0.50 stays in the pool. {STAYS}"
    assert owes in alice.send("/enter/leave", seat="2", do="preview").text
    page = alice.record({"kind": "leave", "seat": 2}).see("/settle")
    takes = "Ann would get the most now, and can take it for the table."
    assert f"{owes} Then Ben owes €0.10, as below. {takes} Ben pays Ann €0.60 Record the payment : Ben pays Ann" in page
    address = re.search(r'href="/g/\w+(/enter/paid[^"]+)"', alice.get("/settle").text)[1].replace("&amp;", "&")
    form = alice.get(address).text
    assert re.search(r'name="amount"[^>]* value="0.60"', form)
    assert re.findall(r'<input checked id="[^"]+" name="(payer|to)" type="radio" value="(\d)"', form) == [
        ("payer", "2"),
        ("to", "1"),
    ]
    nothing = f"Ben owes nothing: lost €0.10, paid €0.60, and €0.50 stays in the pool. {STAYS}"
    paid = {"payer": "2", "to": "1", "amount": "0.60", "do": "preview"}
    assert f"{nothing} If the game ended now:" in alice.send("/enter/paid", **paid).text
    page = alice.record({"kind": "paid", "from": 2, "to": 1, "amount": 60}).see("/settle")
    assert f"{nothing} Then Ben is owed €0.50, as below." in page
    assert "Record the payment" not in page
