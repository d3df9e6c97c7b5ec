"""Sheets of games nobody expects: none and hundreds of hands, nine players, names in any script, faults."""

from itertools import combinations

import pypdfium2
import pytest

from app.games.recording import open_game
from app.sheets.score_sheet import score_sheet
from tests.json_scorer import Scorer
from tests.kalooki.test_games import GAMES, load
from tests.pages import all_hold
from tests.web.paper_reader import imported, pdf_of, sizes, texts, words_of

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
