"""Sheets of games nobody expects: none and hundreds of hands, nine players, names in any script, faults."""

import csv
import io
import json
import re
from itertools import pairwise

import pypdf
import pypdfium2
import pytest

from app.sheets.paper import A4, A5, LETTER
from app.sheets.rows import HANDS_A_FILE
from app.sheets.score_sheet import parts_of, score_sheet
from app.table.recording import open_table
from tests.json_scorer import Scorer
from tests.kalooki.test_games import GAMES, load

CONTRACTS = [
    "1 3 threes",
    "2 2 threes + 1 four",
    "3 1 three + 2 fours",
    "4 3 fours",
    "5 4 threes",
    "6 3 threes + 1 four",
    "7 2 threes + 2 fours",
    "8 1 three + 3 fours",
    "9 4 fours",
]
NINE = [
    "Wilhelmina-Charlotte",
    "Maximilian Alexander",
    "<b>Bold</b> & {{x}}",
    "日本語の名前です",
    "🂡 Łukasz 👩‍👩‍👧",
    "Αλέξανδρος",
    "محمد عبد الله",
    "Ольга Ивановна",
    "=cmd|' /C calc'!A0",
]


def imported(client, start, events):
    """A game brought in at once, which is quicker than recording hundreds of hands."""
    log = [{"event": {"kind": "start", **start}}, *({"event": event} for event in events)]
    made = client.post("/api/v1/games/import", json={"log": log})
    assert made.status_code == 201, made.text
    return made.json["code"]


def long_game(client, hands, players=("Ann", "Ben", "Cat")):
    """Every hand Ann wins and each other player gets 7 points."""
    left = {str(seat): {"points": 7} for seat in range(2, len(players) + 1)}
    event = {"kind": "hand", "winner": 1, "ending": "going_out", "left": left}
    return imported(client, {"variant": "kalooki-51", "players": list(players)}, [event] * hands)


def pdf_of(client, code, **asked):
    answer = client.get(f"/api/v1/games/{code}/sheet.pdf", query_string=asked)
    assert answer.status_code == 200, answer.text
    return answer.data


def texts(pdf):
    return [page.extract_text().splitlines() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_game_worked_out_by_hand_ends_with_its_totals(client, app, path):
    game = load(path)
    played = [entry for entry in game["entries"] if not entry.get("refused") and "event" in entry]
    code = imported(client, game["start"], [entry["event"] for entry in played])
    state = client.get(f"/api/v1/games/{code}").json
    totals = played[-1].get("expect", {}).get("totals") or [player["total"] for player in state["players"]]
    with app.app_context():
        table = open_table(code)
        sheet = score_sheet(table)
    foot = {line.label: line.values for line in sheet.foot}
    by_seat = dict(zip(table.game.order, foot["Total"], strict=True))
    assert [by_seat[seat] for seat in sorted(by_seat)] == [str(total).replace("-", "−") for total in totals]


def test_a_game_without_hands_is_printed(client):
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"]})
    (page,) = texts(pdf_of(client, scorer.code))
    assert "Hand Ann Ben" in page
    assert "Total 0 0" in page
    assert "In the pool: 1.00 EUR" in page


@pytest.mark.parametrize(("variant", "words"), [("kalooki-51", "• shuffled ·"), ("kalooki-40", "• dealt ·")])
def test_the_dot_is_for_who_shuffles_where_the_highest_card_plays_first(client, variant, words):
    scorer = Scorer(client, {"variant": variant, "players": ["Ann", "Ben"], "stakes": None})
    (page,) = texts(pdf_of(client, scorer.code))
    assert any(line.startswith(words) for line in page)


def test_two_hundred_hands_go_over_pages_with_totals_carried(client):
    pages = texts(pdf_of(client, long_game(client, 200)))
    assert len(pages) == 6
    heads = [page for page in pages if "Hand Ann Ben Cat" in page]
    assert len(heads) == 6
    for page, following in pairwise(pages):
        carried = next(line for line in page if line.startswith("carried"))
        assert f"brought{carried.removeprefix('carried')}" in following
    numbers = [line.split()[0] for page in pages for line in page if line.split()[0].isdecimal() and "✓" in line]
    assert numbers == [str(number) for number in range(1, 201)]
    assert "Total 0 1400 1400" in pages[-1]
    assert pages[2][-1].endswith("Page 3 of 6")


CARRIED = re.compile(r"<tr class=\"sum\"><th[^>]*>(?:carried|brought)</th>(.*?)</tr>")


def test_a_total_carried_is_struck_where_a_player_is_out_and_not_once_he_bought_in(client):
    """Ben and Cat get 150 in the first hand, the limit; Cat buys in at the highest total still in, Dan's 7.

    The first page holds 34 rows: that hand, the buy-in, and 32 hands of 2 points each for Cat and Dan, 7 + 64.
    """
    first = {"2": {"points": 150}, "3": {"points": 150}, "4": {"points": 7}}
    then = {"3": {"points": 2}, "4": {"points": 2}}
    events = [
        {"kind": "hand", "winner": 1, "ending": "going_out", "left": first},
        {"kind": "buy_in", "seat": 3},
        {"kind": "decline", "seat": 2},
        *[{"kind": "hand", "winner": 1, "ending": "going_out", "left": then}] * 50,
    ]
    code = imported(client, {"variant": "european", "players": ["Ann", "Ben", "Cat", "Dan"], "stakes": None}, events)
    page = client.get(f"/api/v1/games/{code}/sheet.html").text
    carried, brought = CARRIED.findall(page)
    assert carried == brought
    assert re.findall(r'class="(.*?)">(\d+)<', carried) == [
        ("total", "0"),
        ("total out", "150"),
        ("total", "71"),
        ("total", "71"),
    ]


def test_more_hands_are_split_into_files(client, app):
    code = long_game(client, 2 * HANDS_A_FILE + 1)
    with app.app_context():
        assert parts_of(open_table(code).game) == 3
    (last,) = texts(pdf_of(client, code, part=3))
    assert "Sheet 3 of 3: hands 401–401" in last
    assert "brought 0 2800 2800" in last
    assert "Total 0 2807 2807" in last
    answer = client.get(f"/api/v1/games/{code}/sheet.pdf?part=3")
    assert "Kalooki 3 of 3 " in answer.headers["Content-Disposition"]
    assert client.get(f"/api/v1/games/{code}/sheet.pdf?part=4").status_code == 422
    page = client.get(f"/g/{code}/sheet?part=2").text
    assert all(f"/g/{code}/sheet?part={part}" in page for part in (1, 2, 3))


def test_names_in_any_script_and_html_are_shown_as_they_are(client):
    scorer = Scorer(client, {"variant": "north-american", "players": NINE})
    left = {str(seat): {"points": 12} for seat in range(2, 10)}
    scorer.record({"kind": "hand", "winner": 1, "ending": "going_out", "left": left})
    scorer.record({"kind": "void", "reason": "<script>alert(1)</script><style>td{display:none}</style>"})
    document = client.get(f"/api/v1/games/{scorer.code}/sheet.html").text
    assert "&lt;b&gt;Bold&lt;/b&gt; &amp; {{x}}" in document
    assert "<script" not in document
    assert "<style" not in document
    # pypdf takes a font with a sign beyond 65535 for another code
    shown = " ".join(
        page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf_of(client, scorer.code))
    )
    assert "Total 0 12 12 12 12 12 12 12 12" in shown
    assert "void: <script>alert(1)</script>" in shown
    assert "Ольга" in shown


@pytest.mark.parametrize("paper", [A4, LETTER, A5], ids=lambda paper: paper.id)
def test_nothing_runs_over_its_column(client, app, paper):
    """Eight players with names of 20 characters, five-digit totals and five-digit money."""
    start = {
        "variant": "kalooki-51",
        "players": [name[:1] * 19 + str(place) for place, name in enumerate("WMQGOADH")],
        "stakes": {"initial": 1_000_000},
    }
    left = {str(seat): {"points": 9999} for seat in range(2, 9)}
    events = [{"kind": "hand", "winner": 1, "ending": "going_out", "left": left}] * 3 + [{"kind": "end"}]
    code = imported(client, start, events)
    pdf = pypdfium2.PdfDocument(pdf_of(client, code, paper=paper.id))
    with app.app_context():
        columns = len(score_sheet(open_table(code), paper).players)
    across = (paper.width - 2 * paper.margin - 18) / columns
    for page in pdf:
        letters = page.get_textpage()
        words = [letters.get_text_bounded(*letters.get_rect(n)) for n in range(letters.count_rects())]
        boxes = [letters.get_rect(n) for n in range(letters.count_rects())]
        for word, (left_edge, _, right_edge, _) in zip(words, boxes, strict=True):
            assert right_edge <= page.get_width() - paper.margin * 72 / 25.4 + 0.5, word
            if word.strip().startswith(("−", "+", "29997")):
                begins = (left_edge / 72 * 25.4 - paper.margin - 18) / across
                ends = (right_edge / 72 * 25.4 - paper.margin - 18) / across
                assert int(begins) == int(ends), word


def test_ordinary_names_of_nine_players_are_whole(client):
    names = "Bartholomew Maximilian Bernhard Charlotte Wilhelmina Anneliese Konstantin Theodora Sebastian"
    code = imported(client, {"variant": "north-american", "players": names.split()}, [])
    for paper in ("a4", "letter", "a5"):
        assert f"Hand {names}" in texts(pdf_of(client, code, paper=paper))[0]


LINE = re.compile(r'<polyline fill="none"( stroke=[^>]*?) points="([^"]*)"')
NAME = re.compile(r'<path( stroke=[^>]*?) d="M768 ([\d.]+)H808"/><text[^>]*>([^<]*)</text>')


def drawn(client, code):
    """Where each stroke of a sheet's chart ends, and each name with the stroke before it and their height."""
    page = client.get(f"/api/v1/games/{code}/sheet.html").text
    ends = {stroke: float(points.rpartition(",")[2]) for stroke, points in LINE.findall(page)}
    return ends, {name: (stroke, float(height)) for stroke, height, name in NAME.findall(page)}


def test_a_name_at_the_chart_stands_beside_a_piece_of_its_own_line(client):
    """The largest table, ten players: 8 jokers make 112 cards, of which each gets 11. They get 0, 7, 14 … 63 points."""
    left = {str(seat): {"points": 7 * (seat - 1)} for seat in range(2, 11)}
    event = {"kind": "hand", "winner": 1, "ending": "going_out", "left": left}
    start = {"variant": "north-american", "players": [*"ABCDEFGHIJ"], "house": {"jokers": 8}}
    ends, names = drawn(client, imported(client, start, [event]))
    assert sorted(names) == [*"ABCDEFGHIJ"]
    assert {stroke for stroke, _ in names.values()} == ends.keys()
    assert len(ends) == 10
    highest_first = sorted(names, key=lambda name: ends[names[name][0]])
    assert highest_first == [*"JIHGFEDCBA"]


def test_names_at_the_chart_stand_around_the_dot_of_lines_that_end_together(client):
    """Ben, Cat and Dan have 7 points each, Ann none: Cat's name stands at their dot, one above and one below."""
    ends, names = drawn(client, long_game(client, 1, ("Ann", "Ben", "Cat", "Dan")))
    height = {name: at - ends[stroke] for name, (stroke, at) in names.items()}
    assert height == pytest.approx({"Ann": 0, "Ben": -26, "Cat": 0, "Dan": 26}, abs=0.1)


def test_an_entry_that_no_longer_makes_sense_is_told_on_the_sheet(client):
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None})
    scorer.record({"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": {"points": 150}, "3": "2C"}})
    scorer.record({"kind": "buy_in", "seat": 2})
    small = {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": "5C", "3": "2C"}}
    scorer.record({"kind": "amend", "target": 2, "event": small})
    (page,) = texts(pdf_of(client, scorer.code))
    assert "Please look at this" in page
    assert "Does not count: Ben bought in. Ben has no buy-in to take or to decline now." in page
    assert "Total 0 5 2" in page


def test_the_nine_contracts_stand_on_the_jamaican_sheet(client):
    scorer = Scorer(client, {"variant": "jamaican", "players": ["Ann", "Ben", "Cat"]})
    hand = {"kind": "hand", "winner": 1, "ending": "bending", "left": {"2": "KH 5C", "3": "* 2C"}}
    scorer.record(hand | {"calls": {"2": 4}})
    (page,) = texts(pdf_of(client, scorer.code))
    rows = page[page.index("Hand Contract Ann Ben Cat") :]
    assert (
        rows[1:10]
        == [
            "1 ¹ 3 threes • B 0 80 80 104 104",  # Ben 2 × 15 + 50 for the fourth call, Cat 2 × 52
            *CONTRACTS[1:],
        ]
    )
    assert "Bent the table 1 0 0" in page
    assert "¹ Ben called 4 times: 50 points for it." in page


def test_a_jamaican_game_of_three_hands_has_three_contracts_on_its_sheet(client):
    start = {"variant": "jamaican", "players": ["Ann", "Ben", "Cat"], "house": {"game_hands": 3}}
    scorer = Scorer(client, start)
    hand = {"kind": "hand", "winner": 1, "ending": "bending", "left": {"2": "KH 5C", "3": "* 2C"}}
    scorer.record(hand)
    (page,) = texts(pdf_of(client, scorer.code))
    rows = page[page.index("Hand Contract Ann Ben Cat") :]
    assert rows[2:4] == list(CONTRACTS[1:3])
    assert not rows[4].startswith("4 ")
    # a hand won by bending the table is a hand won
    assert "Hands won 1 0 0" in page
    assert "Bent the table 1 0 0" in page


def test_shares_of_the_pool_are_told(client):
    """K51: four stakes of 1.00; Ann wins with 0, Ben and Cat are under a hundred and share a quarter: 0.50 each."""
    start = {"variant": "kalooki-51", "players": ["Ann", "Ben", "Cat", "Dan"], "stakes": {"initial": 100}}
    scorer = Scorer(client, start)
    left = {"2": {"points": 99}, "3": {"points": 10}, "4": {"points": 100}}
    scorer.record({"kind": "hand", "winner": 1, "ending": "going_out", "left": left})
    scorer.record({"kind": "end"})
    (page,) = texts(pdf_of(client, scorer.code))
    assert "Ann wins the game." in page
    assert "Out of the pool: Ann 3.00, Ben 0.50, Cat 0.50 EUR." in page
    assert "Balance +2.00 −0.50 −0.50 −1.00" in page


def test_the_spreadsheet_has_a_row_for_each_hand_and_player(client):
    players = ["=1+1", "Zoë", "@Cat"]
    stakes = {"call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}
    scorer = Scorer(client, {"variant": "european", "players": players, "stakes": stakes})
    scorer.record({"kind": "hand", "winner": 2, "ending": "kalooki", "left": {"1": "*=6H KH", "3": {"points": 151}}})
    scorer.record({"kind": "void", "reason": "misdeal"})
    answer = client.get(f"/api/v1/games/{scorer.code}/sheet.csv")
    assert answer.data.startswith(b"\xef\xbb\xbf")
    assert answer.data.count(b"\r\n") == 1 + 3 + 1
    rows = list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))
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
    stakes = {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": stakes})
    scorer.record({"kind": "hand", "winner": 2, "ending": "going_out", "left": {"1": "KH", "3": {"points": 151}}})
    text = client.get(f"/api/v1/games/{scorer.code}/sheet.txt", base_url="http://cards.example").text
    day = scorer.state()["log"][0]["at"][:10]
    assert text.splitlines() == [
        f"European Kalooki, {day}",
        "1 hand played, still going",
        "",
        "1. Ben 0, −0.30",
        "2. Ann 10, −0.60",
        "3. Cat 151, out, −0.60",
        "",
        "In the pool: 1.50 EUR",
        "",
        f"http://cards.example/g/{scorer.code}",
    ]
    scorer.record({"kind": "decline", "seat": 3})
    scorer.record({"kind": "hand", "winner": 2, "ending": "kalooki", "left": {"1": {"points": 140}}})
    told = client.get(f"/api/v1/games/{scorer.code}/sheet.txt").text.splitlines()
    assert told[1] == "Ben won after 2 hands"
    assert told[3] == "1. Ben 0, +1.40"
    assert told[7:9] == ["Ann pays Ben 0.80 EUR", "Cat pays Ben 0.60 EUR"]


def test_who_stands_level_shares_a_place_in_a_chat_until_a_deciding_hand(client):
    scorer = Scorer(client, {"variant": "kalooki-51", "players": ["Ann", "Ben", "Cat"], "stakes": None})
    for winner, left in ((3, {"1": 10, "2": 10}), (1, {"2": 9, "3": 19}), (2, {"1": 9, "3": 9})):
        held = {seat: {"points": points} for seat, points in left.items()}
        scorer.record({"kind": "hand", "winner": winner, "ending": "going_out", "left": held})
    scorer.record({"kind": "end"})
    told = client.get(f"/api/v1/games/{scorer.code}/sheet.txt").text.splitlines()
    assert told[3:6] == ["1. Ann 19", "1. Ben 19", "3. Cat 28"]

    scorer.record({"kind": "decider", "winner": 2})
    told = client.get(f"/api/v1/games/{scorer.code}/sheet.txt").text.splitlines()
    assert told[3:6] == ["1. Ben 19", "2. Ann 19", "3. Cat 28"]


def test_the_json_is_read_by_people_too(client):
    scorer = Scorer(client, {"variant": "classic", "players": ["Zoë", "Łukasz"]})
    answer = client.get(f"/api/v1/games/{scorer.code}/sheet.json")
    assert answer.headers["Content-Disposition"].startswith("attachment; ")
    assert "Łukasz" in answer.text
    assert json.loads(answer.text)["code"] == scorer.code
