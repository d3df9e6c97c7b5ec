"""Sheets of games nobody expects: none and hundreds of hands, nine players, names in any script, faults."""

import csv
import io
import json
import re
from itertools import pairwise

import pypdf
import pypdfium2
import pytest

from app.sheets.chart import chart
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
    by_seat = dict(zip(table.game.order, sheet.totals.values, strict=True))
    assert [by_seat[seat] for seat in sorted(by_seat)] == [str(total).replace("-", "−") for total in totals]


def test_a_game_without_hands_is_printed(client):
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"]})
    (page,) = texts(pdf_of(client, scorer.code))
    assert "Hand Ann Ben" in page
    assert "Total 0 0" in page
    assert "In the pool: 1.00 EUR" in page


@pytest.mark.parametrize("variant", ["kalooki-51", "kalooki-40"])
def test_the_dot_is_for_the_dealer_also_where_the_highest_card_plays_first(client, variant):
    scorer = Scorer(client, {"variant": variant, "players": ["Ann", "Ben"], "stakes": None})
    (page,) = texts(pdf_of(client, scorer.code))
    assert any(line.startswith("• dealt ·") for line in page)


def test_two_hundred_hands_go_over_pages_with_totals_carried(client):
    pages = texts(pdf_of(client, long_game(client, 200)))
    assert len(pages) == 5
    heads = [page for page in pages if "Hand Ann Ben Cat" in page]
    assert len(heads) == 5
    for page, following in pairwise(pages):
        carried = next(line for line in page if line.startswith("carried"))
        assert f"brought{carried.removeprefix('carried')}" in following
    numbers = [line.split()[0] for page in pages for line in page if line.split()[0].isdecimal() and "✓" in line]
    assert numbers == [str(number) for number in range(1, 201)]
    assert "Total 0 1400 1400" in pages[-1]
    assert pages[2][-1].endswith("Page 3 of 5")


def test_a_total_carried_is_struck_where_a_player_is_out_and_not_once_he_bought_in(client, app):
    """Ben and Cat get 150 in the first hand, the limit; Cat buys in at the highest total still in, Dan's 7.

    Then come 2 points each for Cat and Dan in every hand, so that a page after n more of them carries 7 + 2 n.
    """
    first = {"2": {"points": 150}, "3": {"points": 150}, "4": {"points": 7}}
    then = {"3": {"points": 2}, "4": {"points": 2}}
    events = [
        {"kind": "hand", "winner": 1, "ending": "going_out", "left": first},
        {"kind": "buy_in", "seat": 3},
        {"kind": "decline", "seat": 2},
        *[{"kind": "hand", "winner": 1, "ending": "going_out", "left": then}] * 60,
    ]
    code = imported(client, {"variant": "european", "players": ["Ann", "Ben", "Cat", "Dan"], "stakes": None}, events)
    with app.app_context():
        one, two = score_sheet(open_table(code), A4).pages
    later = len(one.rows) - 3
    assert one.carried == two.brought
    assert [(cell.total, cell.marks) for cell in one.carried] == [
        ("0", ""),
        ("150", "out"),
        (str(7 + 2 * later), ""),
        (str(7 + 2 * later), ""),
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
    assert "<script>alert(1)</script>" in shown
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
        layout = score_sheet(open_table(code), paper).layout
    widths, margin = layout.columns, layout.paper.margin
    for page in pdf:
        letters = page.get_textpage()
        boxes = [letters.get_rect(n) for n in range(letters.count_rects())]
        foot = next((box[1] for box in boxes if letters.get_text_bounded(*box).startswith("Place")), 1000)
        for box in boxes:
            word = letters.get_text_bounded(*box)
            begins, ends = (edge / 72 * 25.4 - margin - widths.label for edge in (box[0], box[2]))
            assert ends <= layout.paper.across - widths.label + 0.2, word
            if word.strip() in ("−10000.00", "+70000.00") or (word.strip() == "29997" and box[1] > foot):
                assert begins // widths.each == ends // widths.each, word


def test_ordinary_names_of_nine_players_are_whole(client):
    names = "Bartholomew Maximilian Bernhard Charlotte Wilhelmina Anneliese Konstantin Theodora Sebastian"
    code = imported(client, {"variant": "north-american", "players": names.split()}, [])
    for paper in ("a4", "letter", "a5"):
        assert f"Hand {names}" in texts(pdf_of(client, code, paper=paper))[0]


def test_every_line_of_a_chart_has_a_mark_of_its_own_and_its_name_beside_it(client, app):
    """The largest table, ten players: 8 jokers make 112 cards, of which each gets 11. They get 0, 7, 14 … 63 points."""
    left = {str(seat): {"points": 7 * (seat - 1)} for seat in range(2, 11)}
    event = {"kind": "hand", "winner": 1, "ending": "going_out", "left": left}
    start = {"variant": "north-american", "players": [*"ABCDEFGHIJ"], "house": {"jokers": 8}}
    code = imported(client, start, [event])
    with app.app_context():
        chart = score_sheet(open_table(code), A4).chart
    assert [(curve.name, curve.last) for curve in chart.curves] == [
        (name, str(7 * place)) for place, name in reversed([*enumerate("ABCDEFGHIJ")])
    ]
    assert len({curve.mark for curve in chart.curves}) == 10
    page = client.get(f"/api/v1/games/{code}/sheet.html").text
    assert re.findall(r'<span dir="auto">(\w)</span> <b>(\d+)</b>', page)[:2] == [("J", "63"), ("I", "56")]
    assert "<title>The totals after each hand: A 0, B 7, C 14" in page


def totals_chart(*totals, limit=None):
    names = [(name, each) for name, each in zip("ABC", totals, strict=False)]
    return chart(names, limit, 0, (100, 50))


def test_a_limit_far_away_does_not_press_the_lines_to_the_floor():
    far, near = totals_chart([0, 99], [0, 10], limit=5000), totals_chart([0, 99], [0, 10], limit=198)
    assert (far.limit, far.beyond) == (None, "5000")
    assert far.curves[0].height == 20  # the highest total at the top of the drawing, 2 mm below its edge
    assert (near.limit.text, near.limit.at, near.beyond) == ("198", 20, "")


def test_many_hands_are_drawn_as_the_distance_to_the_average():
    """A gets 2 a hand, B and C 5: after 41 hands 82, 205 and 205, on average 164."""
    drawn = totals_chart([2 * n for n in range(42)], [5 * n for n in range(42)], [5 * n for n in range(42)])
    assert drawn.title == "Points above or below the average"
    assert [(curve.name, curve.last) for curve in drawn.curves] == [("B", "205"), ("C", "205"), ("A", "82")]
    assert [tick.text for tick in drawn.values] == ["−50", "0"]  # −82 to 41


@pytest.mark.parametrize(
    ("hands", "step", "limit", "is_even"),
    [(11, 10, None, True), (10, 10, None, False), (11, 10, 200, False), (11, 0, None, False)],
)
def test_lines_in_one_band_are_drawn_as_the_distance_to_the_average(hands, step, limit, is_even):
    """B and C always have 10 a hand; A has 3 more, or nothing: 3 of 113 is one band, 110 of 110 is none."""
    others = [10 * n for n in range(hands + 1)]
    drawn = totals_chart([step * n + (3 if n and step else 0) for n in range(hands + 1)], others, others, limit=limit)
    assert (drawn.title == "Points above or below the average") is is_even


def test_a_line_beside_the_average_bends_no_more_than_the_eye_can_follow():
    """Of 45 hands every fourth is drawn, and the last: 0, 4 … 44 and 45."""
    drawn = totals_chart([10 * n for n in range(46)], [10 * n + n % 2 for n in range(46)])
    assert [len(curve.points.split()) for curve in drawn.curves] == [13, 13]
    assert [len(curve.points.split()) for curve in totals_chart([*range(41)], [0] * 41).curves] == [41, 41]


def test_an_entry_that_no_longer_makes_sense_is_told_on_the_sheet(client):
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None})
    scorer.record({"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": {"points": 150}, "3": "2C"}})
    scorer.record({"kind": "buy_in", "seat": 2})
    small = {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": "5C", "3": "2C"}}
    scorer.record({"kind": "amend", "target": 2, "event": small})
    (page,) = texts(pdf_of(client, scorer.code))
    assert "Please look at this" in page
    assert "Does not count: Ben bought in. Ben has no buy-in to take or to decline now." in " ".join(page)
    assert "Total 0 5 2" in page


def test_the_nine_contracts_stand_on_the_jamaican_sheet(client):
    scorer = Scorer(client, {"variant": "jamaican", "players": ["Ann", "Ben", "Cat"]})
    hand = {"kind": "hand", "winner": 1, "ending": "bending", "left": {"2": "KH 5C", "3": "* 2C"}}
    scorer.record(hand | {"calls": {"2": 4, "1": 1, "3": 3}})
    (page,) = texts(pdf_of(client, scorer.code))
    rows = page[page.index("Hand Contract Ann Ben Cat") :]
    assert (
        rows[1:10]
        == [
            "1 ¹ 3 threes • B 0 30+50 80 104 104",  # Ben 2 × 15, and 50 for the fourth call; Cat 2 × 52
            *CONTRACTS[1:],
        ]
    )
    assert "Bent the table 1" in page
    assert "• dealt · ✓ won the hand · B bent the table · + added for calls" in page
    assert "¹ Hand 1: Free calls: Ann 1, Cat 3. Calls: Ben 4 (+50)." in page


def test_calls_that_were_free_are_told_and_no_plus_is_explained(client):
    scorer = Scorer(client, {"variant": "jamaican", "players": ["Ann", "Ben", "Cat"]})
    left = {"2": {"points": 15}, "3": {"points": 20}}
    scorer.record({"kind": "hand", "winner": 1, "ending": "going_out", "left": left, "calls": {"3": 2}, "note": "Late"})
    (page,) = texts(pdf_of(client, scorer.code))
    assert "1 ¹ 3 threes • ✓ 0 15 15 20 20" in page
    assert "¹ Hand 1: Free calls: Cat 2. Late." in page
    assert "added for calls" not in " ".join(page)


def test_a_row_names_who_bought_in_and_the_legend_for_how_much(client):
    """European: Ben 100 + 60 and Cat 90 + 65 go out while Ann has 0 and Dan 60; both buy in at 60."""
    players = ["Ann", "Ben", "Catherine-Elizabeth", "Dan"]
    stakes = {"currency": "GBP", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 75}
    scorer = Scorer(client, {"variant": "european", "players": players, "stakes": stakes})
    hand = {"kind": "hand", "winner": 1, "ending": "going_out"}
    scorer.record(hand | {"left": {"2": {"points": 100}, "3": {"points": 90}, "4": {"points": 50}}})
    scorer.record(hand | {"left": {"2": {"points": 60}, "3": {"points": 65}, "4": {"points": 10}}})
    (page,) = texts(pdf_of(client, scorer.code))
    assert "up to 2 buy-ins each" in " ".join(page).replace("buy- ins", "buy-ins"), page
    scorer.record({"kind": "buy_in", "seat": 3})
    (page,) = texts(pdf_of(client, scorer.code))
    assert "Catherin … buys in 60" in page
    scorer.record({"kind": "buy_in", "seat": 2})
    (page,) = texts(pdf_of(client, scorer.code))
    assert "Ben, … buy in 60 60" in page
    assert "circled: bought in at this score for 0.75 GBP" in " ".join(page)


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
    assert "Hands won 1" in page
    assert "Bent the table 1" in page


def test_only_signs_that_stand_on_the_sheet_are_explained(client):
    scorer = Scorer(client, {"variant": "north-american", "players": ["Ann", "Ben", "Cat", "Dan"]})
    points = {"winner": 1, "ending": "going_out", "kind": "hand"}
    scorer.record(points | {"left": {str(seat): {"points": 100} for seat in (2, 3, 4)}})
    (page,) = texts(pdf_of(client, scorer.code))
    assert "• dealt · ✓ won the hand" in page
    scorer.record(points | {"left": {"2": {"points": 60}, "3": {"points": 20}, "4": {"points": 20}}})
    scorer.record(points | {"left": {"3": {"points": 40}, "4": {"points": 10}}})
    (page,) = texts(pdf_of(client, scorer.code))
    assert "• dealt · ✓ won the hand · struck through: out · out later, placed higher" in page
    assert "no money" in " ".join(page)


def test_a_line_of_the_chart_ends_at_the_score_bought_in_at(client):
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben", "Cat"]})
    hand = {"kind": "hand", "winner": 1, "ending": "going_out"}
    scorer.record(hand | {"left": {"2": {"points": 100}, "3": {"points": 40}}})
    scorer.record(hand | {"left": {"2": {"points": 60}, "3": {"points": 10}}})
    scorer.record({"kind": "buy_in", "seat": 2})
    (page,) = texts(pdf_of(client, scorer.code))
    assert "Ben 50" in page
    assert "Ben 160" not in page


def test_shares_of_the_pool_are_told(client):
    """K51: four stakes of 1.00; Ann wins with 0, Ben and Cat are under a hundred and share a quarter: 0.50 each."""
    start = {"variant": "kalooki-51", "players": ["Ann", "Ben", "Cat", "Dan"], "stakes": {"initial": 100}}
    scorer = Scorer(client, start)
    left = {"2": {"points": 99}, "3": {"points": 10}, "4": {"points": 100}}
    scorer.record({"kind": "hand", "winner": 1, "ending": "going_out", "left": left})
    scorer.record({"kind": "end"})
    (page,) = texts(pdf_of(client, scorer.code))
    assert any(line.startswith("Ann won") for line in page)
    told = "The pool of 4.00 EUR is in these sums already: Ann 3.00, Ben 0.50, Cat 0.50. "
    assert told + "25 % of it is for those under 100 points." in " ".join(page)
    assert "Balance, EUR +2.00 −0.50 −0.50 −1.00" in page


def test_the_spreadsheet_has_a_row_for_each_hand_and_player(client):
    players = ["=1+1", "Zoë", "@Cat"]
    stakes = {"call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}
    scorer = Scorer(client, {"variant": "european", "players": players, "stakes": stakes})
    scorer.record({"kind": "hand", "winner": 2, "ending": "kalooki", "left": {"1": "*=6H KH", "3": {"points": 151}}})
    scorer.record({"kind": "void", "reason": "misdeal"})
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
    stakes = {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": stakes})
    scorer.record({"kind": "hand", "winner": 2, "ending": "going_out", "left": {"1": "KH", "3": {"points": 151}}})
    text = client.get(f"/api/v1/games/{scorer.code}/sheet.txt", base_url="http://cards.lan").text
    day = scorer.state()["log"][0]["at"][:10]
    assert text.splitlines() == [
        f"European Kalooki, {day}",
        "1 hand, still playing",
        "",
        "1. Ben 0, −0.30",
        "2. Ann 10, −0.60",
        "3. Cat 151, out, −0.60",
        "",
        "In the pool: 1.50 EUR",
        "",
        f"http://cards.lan/g/{scorer.code}",
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
