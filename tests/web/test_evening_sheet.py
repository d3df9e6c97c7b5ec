"""The settlement slip of a game and the sheet of a whole evening, with every number worked out by hand."""

import json
import re
from html import unescape
from urllib.parse import urlsplit

import pypdfium2
import pytest

from tests.json_scorer import Scorer
from tests.pages import EURO, hand
from tests.web.printed import BROWSER, millimetres, patiently, pdf, printed, texts

pytestmark = pytest.mark.one_app

EVENING = "/api/v1/evening.pdf"


def pages(client, address, **asked):
    return texts(printed(client, address, **asked))


@pytest.fixture
def european(client):
    """Ann KH 10 + call-up, then 140 makes 150: out, Ben wins a pool of 1.00. Ann −0.50 −0.10 −0.20, Ben the rest."""
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"], "stakes": EURO})
    scorer.record(hand(2, s1="KH"))
    scorer.record(hand(2, "kalooki", s1=140))
    return scorer


@pytest.fixture
def fifty_one(client):
    """Ben KH + 25 = 35, Zoë 101. Ann takes 75 % of 3.00, Ben 0.75: Ann +1.25, Ben −0.25, Zoë −1.00."""
    stakes = {"currency": "EUR", "initial": 100}
    scorer = Scorer(client, {"variant": "kalooki-51", "players": ["ann", "Ben", "Zoë"], "stakes": stakes})
    scorer.record(hand(1, "kalooki", s2="KH", s3=76))
    scorer.record({"kind": "end"})
    return scorer


def test_the_slip_says_who_pays_whom_and_why(european):
    (page,) = pages(european.client, f"/api/v1/games/{european.code}/settlement.pdf")
    assert "☐ Ann pays Ben 0.80 EUR received on by" in page
    assert "Ben won" in page
    assert page.index("Balance −0.80 +0.80") < page.index("Stakes −0.50 −0.50")
    assert "Stakes −0.50 −0.50" in page
    assert "Call-ups −0.10 +0.10" in page
    assert "Kalookis −0.20 +0.20" in page
    assert "Pool +1.00" in page
    assert "Balance −0.80 +0.80" in page


def test_a_slip_before_the_end_or_without_money_says_so(client):
    open_game = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"], "stakes": EURO})
    (page,) = pages(client, f"/api/v1/games/{open_game.code}/settlement.pdf")
    assert "The game goes on: it is settled at its end." in page
    assert page.index("In the pool: 1.00 EUR") < page.index("Balance −0.50 −0.50")
    for_nothing = Scorer(client, {"variant": "classic", "players": ["Ann", "Ben"]})
    (page,) = pages(client, f"/api/v1/games/{for_nothing.code}/settlement.pdf")
    assert "This game is played without money." in page


def test_an_evening_adds_games_and_players_up(client, european, fifty_one):
    (page,) = pages(client, EVENING, game=[european.code, fifty_one.code])
    shown = " ".join(page)
    # Ann −0.80 + 1.25, Ben +0.80 − 0.25; held: Ann 150 in 2 hands, Ben KH in 1 (what Kalooki adds is not held)
    assert any(line.startswith("Ben: +0.55 EUR") for line in page)
    assert "1 Ben +0.55 +0.80 0 −0.25 35 1 1 10.0" in shown
    assert "2 Ann +0.45 −0.80 150 +1.25 0 1 1 75.0" in shown
    assert "3 Zoë −1.00 −1.00 101 0 0 76.0" in shown
    for number, winner, game in (("1", "Ben", european), ("2", "ann", fifty_one)):
        assert re.search(rf"{number} {winner} [^✓]*{game.code}", shown)
    settled = page[page.index("Who pays whom (EUR)") + 1 :][:2]
    assert settled == ["☐ Zoë pays Ann 0.45 EUR", "☐ Zoë pays Ben 0.55 EUR"]


def test_an_evening_in_two_currencies_is_settled_in_each(client, european):
    other = Scorer(
        client, {"variant": "kalooki-40", "players": ["Ann", "Ben"], "stakes": {"currency": "USD", "initial": 100}}
    )
    other.record(hand(1, s2=101))
    other.record({"kind": "end"})
    (page,) = pages(client, EVENING, game=[european.code, other.code])
    assert page[page.index("Who pays whom (EUR)") + 1] == "☐ Ann pays Ben 0.80 EUR"
    # 101 is more than 100 behind the winner's 0, so Ben has no share and loses his stake of 1.00
    assert page[page.index("Who pays whom (USD)") + 1] == "☐ Ben pays Ann 1.00 USD"
    assert "Money after each game" not in page


def test_an_evening_without_money_is_ranked_by_games_won(client):
    for_nothing = []
    for _ in range(2):
        scorer = Scorer(client, {"variant": "classic", "players": ["Ben", "Dora"], "stakes": None})
        scorer.record(hand(1, s2="KH"))
        scorer.record({"kind": "end"})
        for_nothing.append(scorer.code)
    (page,) = pages(client, EVENING, game=for_nothing)
    assert any(line.startswith("Ben won 2 games") for line in page)
    assert "1 Ben 0 0 2 0" in page
    assert "2 Dora 10 10 0 0 10.0" in page


def test_a_currency_written_otherwise_is_settled_with_its_like(client, european):
    stakes = {"currency": "eur", "initial": 100}
    other = Scorer(client, {"variant": "kalooki-40", "players": ["Ann", "Ben"], "stakes": stakes})
    other.record(hand(1, s2=101))
    other.record({"kind": "end"})
    (page,) = pages(client, EVENING, game=[european.code, other.code])
    # Ann −0.80 and +1.00 against Ben
    assert page[page.index("Who pays whom (EUR)") + 1] == "☐ Ben pays Ann 0.20 EUR"
    assert "1 Ann +0.20 −0.80 150 +1.00 0 1 0 75.0" in " ".join(page)
    assert "Money after each game" in page


def test_what_the_pools_of_running_games_hold_is_told(client, european):
    stakes = {"currency": "EUR", "initial": 100, "call_up": 10}
    running = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"], "stakes": stakes})
    running.record(hand(1, s2=5))
    (page,) = pages(client, EVENING, game=[european.code, running.code])
    assert "The money counts games still being played too; in their pools: 2.00 EUR." in " ".join(page)
    (page,) = pages(client, EVENING, game=[european.code])
    assert "still being played" not in " ".join(page)


def test_many_games_lay_the_evening_on_its_side(client, european):
    codes = [Scorer(client, {"variant": "classic", "players": ["Ann", "Ben"]}).code for _ in range(6)]
    for games, is_wide in ((codes[:5], False), (codes, True)):
        width, height = millimetres(pdf(client, EVENING, game=games, paper="letter"))
        assert (width > height) is is_wide


LONG_NAMES = ["Bartholomew", "Maximilian", "Bernhard", "Charlotte", "Wilhelmina", "Anneliese", "Konstantin", "Theodora"]
OTHERS = ["Isolde", "Melchior", "Balthasar", "Casimir"]


def dear_game(client, names):
    """The last wins, the others have more than a hundred and no share of the pool: each loses 10000.00."""
    start = {"variant": "kalooki-51", "players": names, "stakes": {"currency": "EUR", "initial": 1_000_000}}
    scorer = Scorer(client, start)
    scorer.record(hand(len(names), **{f"s{seat}": 101 for seat in range(1, len(names))}))
    scorer.record({"kind": "end"})
    return scorer.code


@pytest.mark.parametrize("players", [6, 8])
def test_names_and_amounts_are_whole_on_slip_and_evening(client, players):
    names = LONG_NAMES[:players]
    code = dear_game(client, names)
    (slip,) = pages(client, f"/api/v1/games/{code}/settlement.pdf")
    balances = [*["−10000.00"] * (players - 1), f"+{players - 1}0000.00"]
    if players == 6:
        assert " ".join(["Money", *names]) in slip
        assert " ".join(["Balance", *balances]) in slip
    for name, balance in zip(names, balances, strict=True) if players == 8 else ():  # below each other
        assert any(line.startswith(f"{name} {balance}") for line in slip)
    (evening,) = pages(client, EVENING, game=[code])
    assert "\n".join(evening).count("−10000.00 −10000.00\n101") == players - 1


def test_ten_people_and_five_games_stand_on_one_page(client):
    names = [*LONG_NAMES, *OTHERS[:2]]
    games = []
    for number in range(5):
        start = {"variant": "kalooki-51", "players": names[number : number + 5], "stakes": {"initial": 1_000}}
        scorer = Scorer(client, start)
        scorer.record(hand(1, **{f"s{seat}": 101 for seat in range(2, 6)}))
        scorer.record({"kind": "end"})
        games.append(scorer.code)
    start = {"variant": "kalooki-51", "players": names[8:], "stakes": None}
    assert len(pages(client, EVENING, game=games)) == 1
    with_all = pages(client, EVENING, game=[*games[:4], Scorer(client, start).code])
    assert len(with_all) == 1
    assert "10 players" in " ".join(with_all[0])


def test_an_evening_carries_its_games(client, european, fifty_one):
    carried = pdf(client, EVENING, game=[european.code, fifty_one.code]).attachments
    assert sorted(carried) == sorted(f"kalooki-{code}.json" for code in (european.code, fifty_one.code))
    made = client.post("/api/v1/games/import", json=json.loads(carried[f"kalooki-{european.code}.json"][0]))
    assert made.status_code == 201


@pytest.mark.parametrize("address", [EVENING + "?game={code}", "/api/v1/games/{code}/settlement.pdf"])
def test_the_widest_names_stay_on_the_paper(client, address):
    code = dear_game(client, [letter * 20 for letter in "WMQGOADH"])
    for page in pypdfium2.PdfDocument(printed(client, address.format(code=code))):
        text = page.get_textpage()
        edge = max(text.get_rect(number)[2] for number in range(text.count_rects()))
        assert edge <= page.get_width() - 9 * 72 / 25.4 + 0.5


def test_an_evening_of_nothing_is_refused(client, european):
    for games, more, field in (
        ([], {}, "game"),
        ([european.code], {"paper": "a5"}, "paper"),
        ([*range(21)], {}, "game"),
    ):
        answer = client.get(EVENING, query_string={"game": games} | more)
        assert (answer.status_code, answer.json["error"]["field"]) == (422, field)
    assert client.get(EVENING, query_string={"game": [european.code, "AAAAAAAAAAA"]}).status_code == 404


def test_paper_opened_in_a_browser_is_refused_by_a_page(client):
    answer = client.get(EVENING, headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (422, "text/html")
    assert "Games: choose 1 to 20 games, not 0." in answer.text
    assert client.get(EVENING, headers={"Accept": "*/*"}).mimetype == "application/json"


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
def test_only_who_would_rather_have_a_page_is_shown_one(client, accepted, is_page):
    answer = client.get(EVENING, headers={"Accept": accepted} if accepted else {})
    assert answer.mimetype == ("text/html" if is_page else "application/json")


def test_an_evening_refused_leads_back_to_the_games_chosen(client, european, fifty_one):
    for game in (european, fifty_one):
        client.get(f"/g/{game.code}/s/{game.secret}")
    asked = {"game": [fifty_one.code, *(f"{number}" for number in range(20))], "paper": "letter"}
    page = client.get(EVENING, query_string=asked, headers=BROWSER).text
    assert "Games: choose 1 to 20 games, not 21." in page
    back, home = re.findall(r'<a class="button[^"]*" href="([^"]*)"', page)
    assert (urlsplit(back).path, urlsplit(back).fragment, home) == ("/sheets", "evening", "/")
    form = client.get(unescape(back)).text
    assert re.findall(r'name="game" value="(\w+)" checked', form) == [fifty_one.code]
    assert '<option value="letter" selected>' in form


def test_an_evening_changes_with_any_of_its_games(client, european, fifty_one):
    asked = {"game": [european.code, fifty_one.code]}
    first = patiently(client, EVENING, query_string=asked)
    same = client.get(EVENING, query_string=asked, headers={"If-None-Match": first.headers["ETag"]})
    assert same.status_code == 304
    fifty_one.record({"kind": "rename", "seat": 3, "name": "Zora"})
    later = patiently(client, EVENING, query_string=asked, headers={"If-None-Match": first.headers["ETag"]})
    assert later.status_code == 200


def test_the_page_of_papers_offers_the_games_of_this_device(client):
    page = client.get("/sheets").text
    assert "An evening on one sheet" not in page
    scorer = Scorer(client, {"variant": "classic", "players": ["Ann", "Ben"]})
    client.get(f"/g/{scorer.code}")
    assert f'name="game" value="{scorer.code}"' in client.get("/sheets").text
