"""The payments that settle several games, on paper: every number worked out by hand."""

import pytest

from tests.pages import EURO, hand, start
from tests.web.paper_reader import BROWSER, lines, patiently

pytestmark = pytest.mark.one_app

PAYMENTS = "/evening/payments.pdf"


@pytest.fixture
def european(client):
    """Ann KH 10 + call-up, then 140 makes 150: out, Ben wins a pool of 1.00. Ann −0.50 −0.10 −0.20, Ben the rest."""
    scorer = start(client, stakes=EURO)
    scorer.record(hand(2, s1="KH"))
    scorer.record(hand(2, "kalooki", s1=140))
    return scorer


@pytest.fixture
def fifty_one(client):
    """Ben KH + 25 = 35, Zoë 101. Ann takes 75 % of 3.00, Ben 0.75: Ann +1.25, Ben −0.25, Zoë −1.00."""
    stakes = {"currency": "EUR", "initial": 100}
    scorer = start(client, "kalooki-51", ["ann", "Ben", "Zoë"], stakes=stakes)
    scorer.record(hand(1, "kalooki", s2="KH", s3=76))
    scorer.record({"kind": "end"})
    return scorer


def test_games_and_players_are_added_up(client, european, fifty_one):
    """Ann −0.80 + 1.25 and Ben +0.80 − 0.25 are for Zoë to pay, who lost 1.00."""
    shown = " ".join(lines(client, PAYMENTS, game=[european.code, fifty_one.code]))
    assert "☐ Zoë pays Ann €0.45 ☐ Zoë pays Ben €0.55" in shown
    assert shown.index("From these games") < shown.index("European Kalooki") < shown.index("Kalooki 51")
    assert "ann, Ben and Zoë" in shown


def test_each_currency_is_settled_by_itself(client, european):
    """101 is more than 100 behind the winner’s 0, so Ben has no share and loses his stake of 1.00."""
    stakes = {"currency": "USD", "initial": 100}
    other = start(client, "kalooki-40", stakes=stakes)
    other.record(hand(1, s2=101), {"kind": "end"})
    shown = " ".join(lines(client, PAYMENTS, game=[european.code, other.code]))
    assert "EUR ☐ Ann pays Ben €0.80 USD ☐ Ben pays Ann $1.00" in shown


def test_a_game_that_goes_on_or_has_no_money_is_not_counted(client, european):
    running = start(client, "european", ["Ann", "Cat"], stakes=EURO)
    shown = " ".join(lines(client, PAYMENTS, game=[european.code, running.code]))
    assert "Cat" not in shown
    shown = " ".join(lines(client, PAYMENTS, game=[running.code]))
    assert "None of these games has anything to settle." in shown


def test_the_page_offers_its_payments_on_paper(client, european):
    page = client.get(f"/evening?game={european.code}").text
    for paper in ("a4", "letter", "a5"):
        assert f'href="{PAYMENTS}?game={european.code}&amp;paper={paper}"' in page
    european.record({"kind": "paid", "from": 1, "to": 2, "amount": 80})
    assert PAYMENTS not in client.get(f"/evening?game={european.code}").text


def test_payments_of_no_game_or_too_many_are_refused(client, european):
    for games, more in (([], {}), ([european.code], {"paper": "a3"}), ([*range(61)], {})):
        assert client.get(PAYMENTS, query_string={"game": games} | more).status_code == 422
    assert client.get(PAYMENTS, query_string={"game": [european.code, "AAAAAAAAAAA"]}).status_code == 404
    assert "choose 1 to 60 games, not 61." in client.get("/evening", query_string={"game": [*range(61)]}).text


def test_payments_change_with_any_of_their_games(client, european, fifty_one):
    asked = {"game": [european.code, fifty_one.code]}
    first = patiently(client, PAYMENTS, query_string=asked)
    seen = {"If-None-Match": first.headers["ETag"]}
    assert client.get(PAYMENTS, query_string=asked, headers=seen).status_code == 304
    fifty_one.record({"kind": "rename", "seat": 3, "name": "Zora"})
    assert patiently(client, PAYMENTS, query_string=asked, headers=seen).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "is_page"),
    [
        (BROWSER["Accept"], True),
        ("text/html;q=0.9,application/json", False),
        ("text/html,application/json", False),
        ("text/*", True),
        ("*/*", False),
        ("application/pdf", False),
        (None, False),
    ],
)
def test_paper_refused_is_a_page_only_for_who_would_rather_have_one(client, accepted, is_page):
    headers = {"Accept": accepted} if accepted else {}
    answer = client.get("/api/v1/variants/european/rules.pdf?paper=a5", headers=headers)
    assert answer.status_code == 422
    assert answer.mimetype == ("text/html" if is_page else "application/json")


@pytest.mark.parametrize("path", ["evening.pdf", "games/{}/settlement.pdf", "games/{}/sheet.ods"])
def test_the_papers_of_earlier_releases_are_not_there(client, european, path):
    answer = client.get(f"/api/v1/{path.format(european.code)}?game={european.code}")
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "not_found")
