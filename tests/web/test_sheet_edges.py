"""Sheets of games nobody expects: none and hundreds of hands, nine players, names in any script, faults."""

from itertools import combinations

import pypdfium2
import pytest

from app.games.recording import open_game
from app.sheets.score_sheet import score_sheet
from tests.json_scorer import Scorer
from tests.kalooki.test_games import GAMES, load
from tests.pages import all_hold, hand
from tests.web.paper_reader import CONTRACTS, imported, pdf_of, sheet_lines, sizes, texts, words_of

pytestmark = pytest.mark.one_app

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


def long_game(client, hands, players=("Ann", "Ben", "Cat")):
    """Every hand Ann wins and each other player gets 7 points."""
    return imported(client, {"variant": "kalooki-51", "players": list(players)}, [all_hold(7, len(players))] * hands)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_game_worked_out_by_hand_ends_with_its_totals(client, app, path):
    game = load(path)
    played = [entry for entry in game["entries"] if not entry.get("refused") and "event" in entry]
    code = imported(client, game["start"], [entry["event"] for entry in played])
    state = client.get(f"/api/v1/games/{code}").json
    totals = played[-1].get("expect", {}).get("totals") or [player["total"] for player in state["players"]]
    with app.app_context():
        table = open_game(code)
        sheet = score_sheet(table)
    by_seat = dict(zip(table.game.order, sheet.totals.values, strict=True))
    assert [by_seat[seat] for seat in sorted(by_seat)] == [str(total).replace("-", "−") for total in totals]


def test_a_game_without_hands_is_printed(client):
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"]})
    page = sheet_lines(client, scorer.code)
    assert "Hand Ann Ben" in page
    assert "Total 0 0" in page
    assert "In the pool: €1.00" in page


@pytest.mark.parametrize("variant", ["kalooki-51", "kalooki-40"])
def test_the_dot_is_for_the_dealer_also_where_the_highest_card_plays_first(client, variant):
    scorer = Scorer(client, {"variant": variant, "players": ["Ann", "Ben"], "stakes": None})
    page = sheet_lines(client, scorer.code)
    assert any(line.startswith("• dealt ·") for line in page)


def test_two_hundred_hands_go_over_pages_that_name_the_players(client):
    pages = texts(pdf_of(client, long_game(client, 200)))
    assert len(pages) <= 5
    assert all("Hand Ann Ben Cat" in page for page in pages if any("✓ 0" in line for line in page))
    numbers = [line.split()[0] for page in pages for line in page if line.split()[0].isdecimal() and "✓" in line]
    assert numbers == [str(number) for number in range(1, 201)]
    assert sum(page.count("Total 0 1400 1400") for page in pages) == 1
    assert pages[2][-1].endswith(f"Page 3 of {len(pages)}")


def test_names_in_any_script_and_html_are_shown_as_they_are(client):
    scorer = Scorer(client, {"variant": "north-american", "players": NINE})
    scorer.record(all_hold(12, 9))
    scorer.record({"kind": "void", "reason": "<script>alert(1)</script><style>td{display:none}</style>"})
    document = client.get(f"/api/v1/games/{scorer.code}/sheet.html").text
    assert "&lt;b&gt;Bold&lt;/b&gt; &amp; {{x}}" in document
    assert "<script" not in document
    assert "<style" not in document
    # pypdf takes a font with a sign beyond 65535 for another code
    printed = pypdfium2.PdfDocument(pdf_of(client, scorer.code))
    shown = " ".join(page.get_textpage().get_text_range() for page in printed)
    assert "Total 0 12 12 12 12 12 12 12 12" in shown
    assert "<script>alert(1)</script>" in shown
    assert "Ольга" in shown


@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
def test_nothing_runs_over_its_column(client, paper):
    """Eight players with names of 20 characters, five-digit totals and five-digit money: no text over another."""
    start = {
        "variant": "kalooki-51",
        "players": [name[:1] * 19 + str(place) for place, name in enumerate("WMQGOADH")],
        "stakes": {"initial": 1_000_000},
    }
    events = [all_hold(9999, 8)] * 3 + [{"kind": "end"}]
    for page in pypdfium2.PdfDocument(pdf_of(client, imported(client, start, events), paper=paper)):
        boxes = [box for _size, box in sizes(page)]
        wide = page.get_width() / 72 * 25.4
        margin = 9 if paper == "a5" else 12
        assert all(left >= margin - 0.3 and right <= wide - margin + 0.3 for left, _top, right, _bottom in boxes)
        assert not [(one, other) for one, other in combinations(boxes, 2) if overlap(one, other)]


def overlap(one, other):
    """Whether two letters print on each other, more than the edges of a kerned pair do."""
    left, top, right, bottom = one
    from_left, from_top, to_right, to_bottom = other
    return min(right, to_right) - max(left, from_left) > 0.6 and min(bottom, to_bottom) - max(top, from_top) > 0.6


def test_ordinary_names_of_nine_players_are_whole(client):
    names = "Bartholomew Maximilian Bernhard Charlotte Wilhelmina Anneliese Konstantin Theodora Sebastian"
    code = imported(client, {"variant": "north-american", "players": names.split()}, [])
    for paper in ("a4", "letter"):
        assert f"Hand {names}" in texts(pdf_of(client, code, paper=paper))[0]
    assert set(names.split()) <= set(words_of(pdf_of(client, code, paper="a5")))  # turned on their side, none broken


def test_an_entry_that_no_longer_makes_sense_is_told_on_the_sheet(client):
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None})
    scorer.record(hand(1, s2=150, s3="2C"), {"kind": "buy_in", "seat": 2})
    scorer.record({"kind": "amend", "target": 2, "event": hand(1, s2="5C", s3="2C")})
    page = sheet_lines(client, scorer.code)
    assert "Please look at this" in page
    assert "Doesn’t count: “Ben buys in”. Ben has no buy-in to take or to decline now." in " ".join(page)
    assert "Total 0 5 2" in page


def test_the_nine_contracts_stand_on_the_jamaican_sheet(client):
    scorer = Scorer(client, {"variant": "jamaican", "players": ["Ann", "Ben", "Cat"]})
    scorer.record(hand(1, "bending", calls={"2": 4, "1": 1, "3": 3}, s2="KH 5C", s3="* 2C"))
    page = sheet_lines(client, scorer.code)
    rows = page[page.index("Hand Contract Ann Ben Cat") :]
    # Ben 2 × 15, and 50 for the fourth call; Cat 2 × 52
    assert rows[1:10] == ["1 3 threes • B 0 30+50 80 104 104", *CONTRACTS[1:]]
    assert "Bent the table 1" in page
    assert "• dealt · ✓ won the hand · B bent the table (points doubled) · + added for calls" in page
    assert "Notes" not in page  # what the calls cost stands where it is added; free ones cost nothing


def test_calls_that_were_free_explain_no_plus(client):
    scorer = Scorer(client, {"variant": "jamaican", "players": ["Ann", "Ben", "Cat"]})
    scorer.record(hand(1, calls={"3": 2}, s2=15, s3=20) | {"note": "Late"})
    page = sheet_lines(client, scorer.code)
    assert "1 ¹ 3 threes • ✓ 0 15 15 20 20" in page
    assert "¹ Hand 1: Late." in page
    assert "added for calls" not in " ".join(page)


def test_a_row_names_who_bought_in_and_the_legend_for_how_much(client):
    """European: Ben 100 + 60 and Cat 90 + 65 go out while Ann has 0 and Dan 60; both buy in at 60."""
    players = ["Ann", "Ben", "Catherine-Elizabeth", "Dan"]
    stakes = {"currency": "GBP", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 75}
    scorer = Scorer(client, {"variant": "european", "players": players, "stakes": stakes})
    scorer.record(hand(1, s2=100, s3=90, s4=50), hand(1, s2=60, s3=65, s4=10))
    page = sheet_lines(client, scorer.code)
    assert "up to 2 buy-ins each" in " ".join(page).replace("buy- ins", "buy-ins"), page
    scorer.record({"kind": "buy_in", "seat": 3})
    page = sheet_lines(client, scorer.code)
    assert "Catherin … buys in 60" in page
    scorer.record({"kind": "buy_in", "seat": 2})
    page = sheet_lines(client, scorer.code)
    assert "Ben, … buy in 60 60" in page
    assert "circled: bought in at this score for £0.75" in " ".join(page)


def test_a_jamaican_game_of_three_hands_has_three_contracts_on_its_sheet(client):
    scorer = Scorer(client, {"variant": "jamaican", "players": ["Ann", "Ben", "Cat"], "house": {"game_hands": 3}})
    scorer.record(hand(1, "bending", s2="KH 5C", s3="* 2C"))
    page = sheet_lines(client, scorer.code)
    rows = page[page.index("Hand Contract Ann Ben Cat") :]
    assert rows[2:4] == list(CONTRACTS[1:3])
    assert not rows[4].startswith("4 ")
    # a hand won by bending the table is a hand won
    assert "Hands won 1" in page
    assert "Bent the table 1" in page


def test_only_signs_that_stand_on_the_sheet_are_explained(client):
    scorer = Scorer(client, {"variant": "north-american", "players": ["Ann", "Ben", "Cat", "Dan"]})
    scorer.record(all_hold(100, 4))
    page = sheet_lines(client, scorer.code)
    assert "• dealt · ✓ won the hand" in page
    scorer.record(hand(1, s2=60, s3=20, s4=20), hand(1, s3=40, s4=10))
    page = sheet_lines(client, scorer.code)
    assert "• dealt · ✓ won the hand · struck through: out · out later, placed higher" in page
    assert "no money" in " ".join(page)


def test_shares_of_the_pool_are_told(client):
    """K51: four stakes of 1.00; Ann wins with 0, Ben and Cat are under a hundred and share a quarter: 0.50 each."""
    start = {"variant": "kalooki-51", "players": ["Ann", "Ben", "Cat", "Dan"], "stakes": {"initial": 100}}
    scorer = Scorer(client, start)
    scorer.record(hand(1, s2=99, s3=10, s4=100), {"kind": "end"})
    page = sheet_lines(client, scorer.code)
    assert any(line.startswith("Ann won") for line in page)
    told = "The pool of €4.00 is already included: Ann €3.00, Ben €0.50, Cat €0.50. "
    assert told + "25% of it is for those under 100 points." in " ".join(page)
    assert "Balance, € +2.00 −0.50 −0.50 −1.00" in page
