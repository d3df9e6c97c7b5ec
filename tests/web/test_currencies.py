"""Money in the decimals of its currency: yen without sen, dinars with three, as written on every surface."""

import csv
import io
import json
import re

import pytest

from tests.json_scorer import import_game, of_the_game
from tests.pages import START_FORM, Alice, hand, start, start_by_form, words
from tests.web.form_entries import look, refused, save
from tests.web.paper_reader import lines

pytestmark = pytest.mark.one_app

STAKES = {"call_up": 100, "kalooki": 200, "initial": 500, "buy_in": 500}
YEN = STAKES | {"currency": "JPY", "decimals": 0}
FORM = START_FORM | {"players-0-name": "Haru", "players-1-name": "Yuki", "money": "y"}


def played(app, stakes):
    """A game broken off. Pool: 3 × 500 + 25 = 1525, a third each, so 509 to seat 1 and 508 to the others.

    Haru −500 + 200 + 509 = +209, Yuki −500 − 100 + 508 = −92, Ken −500 − 100 − 25 + 508 = −117, of which 40 are paid.
    """
    alice = Alice(app, players=("Haru", "Yuki", "Ken"), stakes=stakes)
    return alice.record(
        hand(1, s2=30, s3=20),
        {"kind": "penalty", "seat": 3, "amount": 25, "reason": "late"},
        {"kind": "paid", "from": 3, "to": 1, "amount": 40},
        {"kind": "stop", "pool": "equal"},
    )


KINDS = pytest.mark.parametrize(
    ("counted_in", "written"),
    [
        ({"currency": "JPY", "decimals": 0}, "100 500 1525 509 508 25 40 92 77 209 117"),
        ({"currency": "KWD", "decimals": 3}, "0.100 0.500 1.525 0.509 0.508 0.025 0.040 0.092 0.077 0.209 0.117"),
        pytest.param(
            {"currency": "JPY"}, "1.00 5.00 15.25 5.09 5.08 0.25 0.40 0.92 0.77 2.09 1.17", marks=pytest.mark.long
        ),
    ],
    ids=["yen", "dinar", "yen as before, in hundredths"],
)
"""How the stakes are counted, and how these amounts are then written: 100 500 1525 509 508 25 40 92 77 209 117."""


@KINDS
def test_every_surface_writes_the_decimals_of_the_game(app, counted_in, written):
    call_up, stake, pool, first, _, fine, cash, yuki, ken, won, lost = written.split()
    pool = pool.replace("1525", "1,525")
    alice = played(app, STAKES | counted_in)
    code, char = alice.code, {"JPY": "¥", "KWD": "KWD "}[counted_in["currency"]]
    due = f"Yuki pays Haru {char}{yuki}", f"Ken pays Haru {char}{ken}"

    def paper(address, of="/api/v1", **asked):
        return " ".join(" ".join(lines(alice.client, f"{of}{address}", **asked)).split())

    def page(address):
        return words(alice.client.get(address).text)

    told = {
        "board": (page(f"/g/{code}"), (*due, f"+{char}{won}", f"−{char}{lost}")),
        "settle": (
            page(f"/g/{code}/settle"),
            (f"Pool: {char}{pool}", f"Ken paid Haru {char}{cash}", f"−{call_up}"),
        ),
        "history": (page(f"/g/{code}/history"), (f"{char}{fine} into the pool", f"call-up {char}{call_up}")),
        "result": (page(f"/g/{code}/result"), due),
        "sheet": (page(f"/g/{code}/sheet"), (*due, f"−{stake}")),
        "rules": (page(f"/g/{code}/rules"), (f"{char}{call_up}",)),
        "evening": (page(f"/evening?game={code}"), due),
        "text": (words(alice.client.get(f"/api/v1/games/{code}/sheet.txt").text), (*due, f"Haru {char}{first}")),
        "sheet.pdf": (paper(f"/games/{code}/sheet.pdf"), (f"−{stake}", f"+{won}")),
        "blank": (paper("/sheets/blank.pdf", game=code), (f"stake {char}{stake}", f"buy-in {char}{stake}")),
        "card": (paper(f"/games/{code}/rules.pdf"), (f"{char}{stake}",)),
        "payments": (paper(f"/evening/payments.pdf?game={code}", of=""), due),
    }
    decimals = counted_in.get("decimals", 2)
    for surface, (text, expected) in told.items():
        assert [each for each in expected if each not in text] == [], (surface, text)
        digits = {len(after) for after in re.findall(rf"{char}\d+(?:\.(\d+))?", text)}
        assert digits <= {decimals}, (surface, text)


@KINDS
def test_files_for_other_programs_hold_the_same_amounts(app, counted_in, written):
    _, stake, _, first, share, *_, yuki, ken, _, _ = written.split()
    alice = played(app, STAKES | counted_in)
    api = f"/api/v1/games/{alice.code}"
    rows = [*csv.DictReader(io.StringIO(alice.client.get(f"{api}/sheet.csv").data.decode("utf-8-sig")))]
    assert [row["paid"] for row in rows if row["kind"] == "stake"] == [f"-{stake}"] * 3
    assert [row["paid"] for row in rows if row["kind"] == "pool"] == [first, share, share]
    assert [row["balance"] for row in rows][-2:] == [f"-{yuki}", f"-{ken}"]


def test_amounts_are_typed_in_the_decimals_of_the_game(app):
    alice = Alice(app, stakes=YEN)
    assert save(alice, "penalty", seat="1", amount="25")["amount"] == 25
    assert save(alice, "paid", payer="2", to="1", amount="1200.00")["amount"] == 1200
    assert 'value="25"' in alice.get("/enter/penalty/2").text
    page = refused(alice, "paid", payer="2", to="1", amount="2.5")
    assert "Write a whole amount such as 10: JPY has nothing smaller." in page
    assert save(alice, "paid", payer="2", to="1", amount="1.000")["amount"] == 1000
    assert save(alice, "paid", payer="2", to="1", amount="¥3")["amount"] == 3
    dinar = Alice(app, stakes=STAKES | {"currency": "KWD", "decimals": 3})
    assert save(dinar, "paid", payer="2", to="1", amount="1,25")["amount"] == 1250
    assert "Write an amount such as 0.100 or 2." in refused(dinar, "paid", payer="2", to="1", amount="1.2345")


def test_amounts_are_typed_as_people_write_them(app):
    alice = Alice(app, stakes=STAKES | {"currency": "GBP"})
    for typed, pence in (("£2", 200), ("£2.50", 250), ("£ 0.5", 50), ("2 GBP", 200)):
        assert save(alice, "penalty", seat="1", amount=typed)["amount"] == pence
    assert save(Alice(app, stakes=STAKES | {"currency": "£"}), "penalty", seat="1", amount="£0.20")["amount"] == 20
    for typed in ("€2", "30 cents", "30p", "p"):
        assert "Write an amount such as 0.10 or 2." in refused(alice, "penalty", seat="1", amount=typed)


def shown(page, names):
    """What stands in these fields of a form."""
    fields = {name: re.search(rf'<input[^>]* name="{name}"[^>]*>', page)[0] for name in names}
    return {name: re.search(r' value="([^"]*)"', field)[1] for name, field in fields.items()}


@pytest.mark.parametrize(
    ("currency", "unit", "stakes"),
    [
        # units as usual: 1, 2, 5 and 5
        ("JPY", "100", {"decimals": 0, "call_up": 100, "kalooki": 200, "initial": 500, "buy_in": 500}),
        ("jpy", "10", {"decimals": 0, "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}),
        ("KWD", "0.25", {"decimals": 3, "call_up": 250, "kalooki": 500, "initial": 1250, "buy_in": 1250}),
        ("EUR", "0.25", {"call_up": 25, "kalooki": 50, "initial": 125, "buy_in": 125}),
    ],
)
def test_a_game_started_on_the_page_has_its_currencys_decimals(client, currency, unit, stakes):
    table = start_by_form(client, FORM, currency=currency, unit=unit)
    assert table.game.stakes == {"currency": currency} | stakes
    assert table.log.entries[0].event["stakes"] == {"currency": currency} | stakes


def test_the_same_table_again_is_asked_in_its_own_decimals(client):
    game = start_by_form(client, FORM, currency="JPY", unit="100")
    for address in ("/new?again=1", f"/g/{game.code}/rematch"):
        page = client.get(address).text
        assert shown(page, ("unit", *STAKES)) == {"unit": "100"} | dict.fromkeys(STAKES, "")
        assert [page.count(f'placeholder="{usual}"') for usual in (100, 200, 500)] == [1, 1, 2]


def test_the_unit_of_a_rematch_is_the_one_most_stakes_follow_from(app):
    """2, 5 and 5 units of R1.00; the call-up was lowered to 0.50."""
    stakes = {"currency": "ZAR", "call_up": 50, "kalooki": 200, "initial": 500, "buy_in": 500}
    page = Alice(app, stakes=stakes).get("/rematch").text
    assert shown(page, ("unit", "call_up")) == {"unit": "1.00", "call_up": "0.50"}


def test_a_rematch_of_a_game_in_hundredths_of_yen_goes_on_in_whole_yen(app):
    before = Alice(app, stakes={"currency": "JPY", "call_up": 10000, "kalooki": 20000, "initial": 31250, "buy_in": 0})
    page = before.get("/rematch").text
    # 312.50 yen cannot be paid: what is usual is suggested, as where a stake is the usual one
    assert shown(page, STAKES) == {"call_up": "", "kalooki": "", "initial": "", "buy_in": "0"}


def test_the_decimals_stay_when_the_setup_is_fixed(app):
    alice = Alice(app, stakes=YEN)
    form = alice.get("/enter/setup").text
    assert 'name="call_up" type="text" value="100"' in form
    as_set = {"dealer": "1", "out_at": "limit", "settle": "account", "money": "y", "currency": "EUR"}
    typed = {"call_up": "150", "kalooki": "200", "initial": "500", "buy_in": "500"}
    assert "call-up €150" in look(alice, "setup", **as_set | typed)
    assert save(alice, "setup", **as_set | typed)["stakes"] == {"currency": "EUR", "call_up": 150}
    assert alice.table.game.stakes == YEN | {"currency": "EUR", "call_up": 150}
    assert "call-up ¥100" in alice.see("/history")
    assert "call-up €150" in alice.see("/history")


def test_money_played_for_later_is_counted_as_its_currency_is(app):
    alice = Alice(app, stakes=None)
    told = {"dealer": "1", "out_at": "limit", "settle": "account", "money": "y", "currency": "JPY", "call_up": "150"}
    assert save(alice, "setup", **told)["stakes"] == {"currency": "JPY", "decimals": 0, "call_up": 150}
    # the other stakes are as usual, 2, 5 and 5 units of 10 yen
    assert alice.table.game.stakes == {
        "currency": "JPY", "decimals": 0, "call_up": 150, "kalooki": 20, "initial": 50, "buy_in": 50,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("stakes", "told"),
    [
        (YEN, {"decimals": 2}),
        (STAKES | {"currency": "JPY"}, {"decimals": 0}),
        (YEN, {"decimals": 3, "currency": "KWD"}),
    ],
)
def test_no_setup_changes_the_decimals_of_amounts(client, stakes, told):
    scorer = start(client, "european", ["Haru", "Yuki"], stakes=stakes)
    answer = scorer.send({"kind": "setup", "stakes": told})
    assert (answer.status_code, answer.json["error"]["code"]) == (422, "counted-otherwise")
    assert answer.json["error"]["field"] == "stakes"
    assert scorer.state()["stakes"] == stakes
    kept = scorer.record({"kind": "setup", "stakes": {"decimals": stakes.get("decimals", 2), "call_up": 150}})
    assert kept["stakes"]["call_up"] == 150


def test_money_taken_away_does_not_come_back_otherwise_counted(client):
    scorer = start(client, "european", ["Haru", "Yuki"], stakes=YEN)
    scorer.record({"kind": "penalty", "seat": 1, "amount": 25})
    scorer.record({"kind": "setup", "stakes": None})
    for told in ({"currency": "JPY"}, {"currency": "JPY", "decimals": 2}):
        assert scorer.send({"kind": "setup", "stakes": told}).json["error"]["code"] == "counted-otherwise"
    assert scorer.record({"kind": "setup", "stakes": {"currency": "JPY", "decimals": 0}})["stakes"]["decimals"] == 0


def test_a_game_without_an_amount_may_choose_its_decimals(client):
    nothing = dict.fromkeys(STAKES, 0)
    scorer = start(client, "european", ["Haru", "Yuki"], stakes=nothing | {"currency": "JPY"})
    assert scorer.record({"kind": "setup", "stakes": {"decimals": 0, "call_up": 100}})["stakes"]["decimals"] == 0


def test_a_game_saved_and_brought_back_keeps_its_decimals(app):
    alice = played(app, YEN)
    saved = json.loads(alice.client.get(f"/api/v1/games/{alice.code}/sheet.json").data)
    assert saved["log"][0]["event"]["stakes"]["decimals"] == 0
    state = import_game(alice.client, saved["log"]).state()
    assert of_the_game(state) == of_the_game(alice.scorer.state())
    assert state["stakes"] == YEN
    assert state["settlement"] == [{"from": 2, "to": 1, "amount": 92}, {"from": 3, "to": 1, "amount": 77}]


def test_paper_knows_what_it_is_counted_in(client):
    page = " ".join(lines(client, "/api/v1/sheets/blank.pdf", variant="european", unit="100", currency="JPY"))
    assert "call-up ¥100, Kalooki ¥200, stake ¥500, buy-in ¥500" in page
    for unit in ("100", "100.00", "¥100"):  # as paper printed before says it
        form = client.get(f"/copy?variant=european&currency=JPY&unit={unit}").text
        assert 'name="unit" type="text" value="100"' in form
    answer = client.get("/api/v1/sheets/blank.pdf?variant=european&unit=0.10&currency=JPY")
    assert (answer.status_code, "Write a whole amount" in answer.json["error"]["message"]) == (422, True)


def test_an_evening_adds_up_yen_however_they_were_counted(app):
    """Whole yen: Haru +209, Yuki −92, Ken −117, 40 paid; the same in hundredths: +2.09, −0.92, −1.17, 0.40 paid."""
    games = [played(app, YEN), played(app, STAKES | {"currency": "jpy"})]
    codes = "&".join(f"game={game.code}" for game in games)
    reader = games[0].client
    page = words(reader.get(f"/evening?{codes}").text)
    # 92 + 0.92, and 117 − 40 + 1.17 − 0.40
    assert "Yuki pays Haru ¥92.92" in page
    assert "Ken pays Haru ¥77.77" in page
    paper = " ".join(lines(reader, f"/evening/payments.pdf?{codes}"))
    assert "Yuki pays Haru ¥92.92" in paper


def test_an_evening_of_two_currencies_settles_each_in_its_own_decimals(app):
    games = [played(app, YEN), played(app, STAKES | {"currency": "KWD", "decimals": 3})]
    codes = "&".join(f"game={game.code}" for game in games)
    page = words(games[0].client.get(f"/evening?{codes}").text)
    assert "Yuki pays Haru ¥92" in page
    assert "Yuki pays Haru KWD 0.092" in page
