"""Games as files for other programs, whose sums explain every total and every balance, and as text for a chat."""

import csv
import io
import json
import re
from datetime import datetime
from decimal import Decimal

import pytest

from app.history.spreadsheet import harmless
from tests.kalooki.test_games import GAMES, load
from tests.pages import EURO, hand, start
from tests.web.paper_reader import imported

pytestmark = pytest.mark.one_app


@pytest.fixture
def eventful(client):
    """One happening of each kind: a hand, a buy-in, a void hand, penalties, a joiner, a leaver, a cash payment.

    Everybody pays 0.50. Hand 1 (Ann deals): Ben Kalooki; Ann KH 10, Cat 150: out; both pay him 0.20. Cat buys in at
    10, the highest total still in, for 0.50. Hand 2 (Ben) void. Ann 20 points and 1.00 for playing out of turn. Dan
    joins at 30, Ann's total by then the highest, and pays 0.50. Cat goes home with 10. Ben pays Ann 0.25 in cash. Hand
    2 (Ben): Ann; Ben 5, Dan 7; each pays her 0.10.
    """
    scorer = start(client, "european", ["Ann", "Ben", "Cat"], dealer=1, stakes=EURO)
    scorer.record(hand(2, "kalooki", s1="KH", s3=150))
    scorer.record({"kind": "buy_in", "seat": 3})
    scorer.record({"kind": "void", "reason": "misdeal"})
    scorer.record({"kind": "penalty", "seat": 1, "points": 20, "amount": 100, "reason": "out of turn"})
    scorer.record({"kind": "join", "name": "Dan", "stake": True})
    scorer.record({"kind": "leave", "seat": 3})
    scorer.record({"kind": "paid", "from": 2, "to": 1, "amount": 25})
    scorer.record(hand(1, s2=5, s4=7))
    return scorer


def rows_of(client, code):
    answer = client.get(f"/api/v1/games/{code}/sheet.csv")
    assert answer.status_code == 200
    return [*csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig")))]


def test_there_is_a_row_for_each_happening(eventful):
    rows = rows_of(eventful.client, eventful.code)
    told = [
        " ".join(row[key] or "-" for key in ("kind", "hand", "player", "points", "total", "out", "paid", "balance"))
        for row in rows
    ]
    assert told == [
        "stake - Ann - 0 - -0.50 -0.50",
        "stake - Ben - 0 - -0.50 -0.50",
        "stake - Cat - 0 - -0.50 -0.50",
        "hand 1 Ann 10 10 - -0.20 -0.70",
        "hand 1 Ben 0 0 - 0.40 -0.10",
        "hand 1 Cat 150 150 yes -0.20 -0.70",
        "buy-in - Cat -140 10 - -0.50 -1.20",
        "void 2 - - - - - -",
        "penalty - Ann 20 30 - -1.00 -1.70",
        "join - Dan 30 30 - -0.50 -0.50",
        "leave - Cat - 10 - 0.00 -1.20",
        "payment - Ben - 0 - 0.25 0.15",
        "payment - Ann - 30 - -0.25 -1.95",
        "hand 2 Ann 0 30 - 0.20 -1.75",
        "hand 2 Ben 5 5 - -0.10 0.05",
        "hand 2 Dan 7 37 - -0.10 -0.60",
    ]
    assert {row["reason"] for row in rows if row["kind"] in ("void", "penalty")} == {"misdeal", "out of turn"}
    assert all(len(row["time"]) == len("2026-11-21 20:15") for row in rows)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_rows_of_every_game_worked_out_by_hand_add_up(client, path):
    """A player's points come to their total, what they were paid to their balance, whatever happened."""
    game = load(path)
    played = [entry["event"] for entry in game["entries"] if not entry.get("refused") and "event" in entry]
    code = imported(client, game["start"], played)
    state = client.get(f"/api/v1/games/{code}").json
    rows = rows_of(client, code)
    for player in state["players"]:
        own = [row for row in rows if row["seat"] == str(player["seat"])]
        assert sum(int(row["points"] or 0) for row in own) == player["total"]
        assert sum(Decimal(row["paid"] or 0) for row in own) == Decimal(player["balance"]) / 100
        if own:
            assert own[-1]["total"] == str(player["total"])


def test_a_player_s_row_tells_their_hand_as_it_did(client):
    scorer = start(client, "jamaican")
    scorer.record(hand(1, "bending", s2="KH 5C") | {"calls": {"2": 4}})
    ann, ben = rows_of(client, scorer.code)
    assert (ben["cards"], ben["calls"], ben["points"], ben["result"]) == ("KH 5C", "4", "80", "lost")
    assert (ann["cards"], ann["calls"], ann["points"], ann["result"]) == ("", "", "0", "bending")


def test_the_csv_has_a_row_for_each_hand_and_player(client):
    players = ["=1+1", "Zoë", "@Cat"]
    stakes = {"call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}
    scorer = start(client, "european", players, stakes=stakes)
    scorer.record(hand(2, "kalooki", s1="*=6H KH", s3=151), {"kind": "void", "reason": "misdeal"})
    answer = client.get(f"/api/v1/games/{scorer.code}/sheet.csv")
    assert answer.data.startswith(b"\xef\xbb\xbf")
    assert answer.data.count(b"\r\n") == 1 + 3 + 3 + 1  # stakes, the hand, the void one
    rows = list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))[3:]
    told = [
        [row[key] for key in ("hand", "player", "result", "cards", "points", "total", "out", "paid")] for row in rows
    ]
    assert told == [
        ["1", "'=1+1", "lost", "*=6H KH", "25", "25", "", "-0.20"],
        ["1", "Zoë", "kalooki", "", "0", "0", "", "0.40"],
        ["1", "'@Cat", "lost", "", "151", "151", "yes", "-0.20"],
        ["2", "", "void", "", "", "", "", ""],
    ]
    assert {row["dealer"] for row in rows} == {"'=1+1", "Zoë"}


def test_a_text_for_a_chat_says_who_stands_where(client):
    scorer = start(client, "european", ["Ann", "Ben", "Cat"], stakes=EURO)
    scorer.record(hand(2, s1="KH", s3=151))
    text = client.get(f"/api/v1/games/{scorer.code}/sheet.txt", base_url="http://cards.lan").text
    day = datetime.fromisoformat(scorer.state()["log"][0]["at"])
    assert text.splitlines() == [
        f"European Kalooki, {day:%a} {day.day} {day:%b %Y}",
        "1 hand, still playing",
        "",
        "1. Ben 0, +€0.20",
        "2. Ann 10, −€0.10",
        "3. Cat 151, out, −€0.10",
        "",
        "The money is what each would get (+) or pay (−) if the game ended now.",
        "In the pool: €1.50",
        "",
        f"http://cards.lan/g/{scorer.code} (works on this Wi-Fi only)",
    ]
    scorer.record({"kind": "decline", "seat": 3}, hand(2, "kalooki", s1=140))
    told = client.get(f"/api/v1/games/{scorer.code}/sheet.txt").text.splitlines()
    assert told[1] == "Ben won after 2 hands"
    assert told[2:5] == ["Ben won hand 2 with a Kalooki.", "", "1. Ben 0, +€1.40"]
    assert told[8:10] == ["Ann pays Ben €0.80", "Cat pays Ben €0.60"]


def test_who_stands_level_shares_a_place_in_a_chat_until_a_deciding_hand(client):
    scorer = start(client, "kalooki-51", ["Ann", "Ben", "Cat"], stakes=None)
    scorer.record(hand(3, s1=10, s2=10), hand(1, s2=9, s3=19), hand(2, s1=9, s3=9), {"kind": "end"})
    told = client.get(f"/api/v1/games/{scorer.code}/sheet.txt").text.splitlines()
    assert told[3:6] == ["1. Ann 19", "1. Ben 19", "3. Cat 28"]

    scorer.record({"kind": "decider", "winner": 2})
    told = client.get(f"/api/v1/games/{scorer.code}/sheet.txt").text.splitlines()
    assert told[3:6] == ["1. Ben 19", "2. Ann 19", "3. Cat 28"]


def test_the_json_is_read_by_people_too(client):
    scorer = start(client, "classic", ["Zoë", "Łukasz"])
    answer = client.get(f"/api/v1/games/{scorer.code}/sheet.json")
    assert answer.headers["Content-Disposition"].startswith("attachment; ")
    assert "Łukasz" in answer.text
    assert json.loads(answer.text)["code"] == scorer.code


@pytest.mark.parametrize(
    ("zone", "asked", "between", "paid"),
    [
        ("Europe/London", "", ",", "-0.50"),
        ("Europe/Berlin", "", ";", "-0,50"),
        ("Africa/Johannesburg", "", ";", "-0,50"),
        ("America/Mexico_City", "", ",", "-0.50"),
        ("Europe/Zurich", "", ";", "-0.50"),
        (None, "", ",", "-0.50"),
        ("Europe/London", "?separator=semicolon", ";", "-0,50"),
        ("Europe/Berlin", "?separator=comma", ",", "-0.50"),
    ],
)
def test_the_rows_open_rightly_in_an_office_of_the_tables_region(client, zone, asked, between, paid):
    """Where people write 0,50 a program takes 0.50 for a word, and everything between commas for one cell."""
    game = start(client, **({"zone": zone} if zone else {}))
    game.record({"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": {"points": 5}}})
    # the language of whoever downloads it changes nothing
    answer = client.get(f"/api/v1/games/{game.code}/sheet.csv{asked}", headers={"Accept-Language": "de-DE,de;q=0.9"})
    head, first = answer.data.decode("utf-8-sig").splitlines()[:2]
    assert head.split(between)[:3] == ["game", "variant", "date"]
    cells = dict(zip(head.split(between), first.split(between), strict=True))
    assert (cells["paid"], cells["balance"], cells["currency"]) == (paid, paid, "EUR")


def test_rows_between_anything_else_are_refused(eventful):
    answer = eventful.client.get(f"/api/v1/games/{eventful.code}/sheet.csv?separator=tab")
    assert (answer.status_code, answer.json["error"]["field"]) == (422, "separator")


@pytest.mark.parametrize(
    "text",
    [
        "1/2",
        "10-11",
        "MAR1",
        "1 Mai",
        "2 déc.",
        "1E5",
        "007",
        "1:30",
        "3 pm",
        "TRUE",
        "5%",
        "=1+1",
        "+1",
        "@A1",
        "\t1",
    ],
)
def test_in_a_spreadsheet_text_stays_text(text):
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["Ann", "Ann 2", "3 of spades", "May", "Mary", "Seat 1E5", "KH 10D *", "going_out", ""]
)
def test_words_are_left_as_they_are(text):
    assert harmless(text) == text


@pytest.mark.parametrize("between", [",", ";"])
@pytest.mark.parametrize("name", ["B,=1+1,C", "B;=1+1;C", 'B,"=1+1', "B; =1+1", "B,\u200b@SUM(A1)"])
def test_no_cell_is_a_formula_whichever_separator_the_spreadsheet_expects(client, name, between):
    scorer = start(client, "european", [name, "Ann"], dealer=1)
    scorer.record(hand(2, s1=20) | {"note": name})
    for separator in ("comma", "semicolon"):
        text = client.get(f"/api/v1/games/{scorer.code}/sheet.csv?separator={separator}").data.decode("utf-8-sig")
        rows = csv.reader(io.StringIO(text), delimiter=between)
        cells = [cell.lstrip(' "\u200b') for row in rows for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "@"))]
        assert "1+1" in text or "SUM" in text


def test_names_and_notes_that_look_like_dates_are_text_in_the_file(client):
    scorer = start(client, "european", ["1/2", "MAR1"])
    scorer.record(hand(1, s2=20) | {"note": "10-11"})
    text = client.get(f"/api/v1/games/{scorer.code}/sheet.csv").data.decode("utf-8-sig")
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["kind"] == "hand"]
    assert [row["player"] for row in rows] == ["'1/2", "'MAR1"]
    assert {(row["dealer"], row["reason"]) for row in rows} == {("'1/2", "'10-11")}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", rows[0]["date"])
