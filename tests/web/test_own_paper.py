"""Paper of tables that play by rules of their own: what differs comes first, and extreme values still fit."""

import re

import pypdfium2
import pytest

from tests.matrix import some
from tests.pages import start
from tests.web.paper_reader import STAKES, lines, pages, pages_of, printed, sizes

pytestmark = pytest.mark.one_app

BLANK = "/api/v1/sheets/blank.pdf"
MANY = {
    "opening_points": 60,
    "jokers": 6,
    "joker_left": 25,
    "black_ace_left": 15,
    "red_ace_left": 1,
    "dealt": 11,
    "packs": 3,
    "joker_points": 15,
    "melds_a_turn": 1,
    "discard_after_opening": "meld",
    "last_discard": False,
    "ace": "both",
    "limit": 200,
    "buy_ins": 1,
    "kalooki_points": 50,
    "calls": 4,
    "call_penalty": 30,
    "warning_at": 1,
    "build_end_limit": 1,
    "sets_of_one_rank": "one",
    "buy_in_score": "highest_plus_one",
    "out_at": "over_limit",
    "joker_discard": False,
    "kalooki_builds": True,
    "build_same_turn": False,
    "builds_open": True,
    "reshuffles": 3,
    "jokers_together": False,
    "run_ends": "high_first",
}
"""Twenty-nine values, each another than European Kalooki has it."""
MOST = MANY | {
    "run_most": 12,
    "run_naturals": 3,
    "runs_of_one_suit": "one",
    "high_ace_points": 15,
    "low_ace_points": 5,
    "set_ace_points": 15,
    "court_points": 11,
    "court_left": 11,
    "joker_from_run": "never",
    "kalooki_times": 2,
    "mishap_points": 20,
}
"""Forty."""
SEVEN = {"contracts": [[2, 0], [1, 1], [0, 2], [3, 0], [2, 1], [1, 2], [0, 3]]}
SIXTEEN = {
    "run_least": 3,
    "contracts": [
        *([1, 1], [2, 0], [0, 2], [2, 1], [1, 2], [3, 0], [0, 3], [3, 1]),
        *([2, 2], [1, 3], [0, 4], [4, 0], [3, 2], [2, 3], [4, 1], [5, 0]),
    ],
}


def table(client, house, variant="european", players=("Ann", "Ben", "Cat", "Dan"), **more):
    return start(client, variant, players, house=house, **more).code


def require_letters(shown):
    """Eleven and a half points on the front but for its foot, eight and a half behind."""
    front, *behind = shown
    foot = front.get_height() * 25.4 / 72 - 15
    assert min(size for size, box in sizes(front) if box[1] < foot) > 11.49
    assert min(size for page in behind for size, _box in sizes(page)) > 8.49


def test_the_front_of_a_table_begins_with_what_it_plays_differently(client):
    code = table(client, {"opening_points": 60, "limit": 200, "kalooki_points": 25}, stakes=STAKES)
    card = lines(client, f"/api/v1/games/{code}/rules.pdf")
    assert "As this table plays it: 3 house rules." in " ".join(card)
    assert "an opening of 40 points" not in " ".join(card)
    own = card[card.index("What this table plays differently") + 1 : card.index("What to bring")]
    assert own == [
        "† Opening. 60 points (usually 40 points)",
        "† Limit. 200 points (usually 150 points)",
        "† Points added to each loser for a Kalooki. 25 points (usually none)",
    ]


@pytest.mark.parametrize("paper", some(["a4", "letter"], "a4"))
def test_many_rules_of_ones_own_stand_before_all_others(client, paper):
    printed_card = printed(client, f"/api/v1/games/{table(client, MANY)}/rules.pdf", paper=paper)
    require_letters([*pypdfium2.PdfDocument(printed_card)])
    found = pages_of(printed_card)
    assert len(found) <= 6
    assert "29 house rules" in found[0]
    front = " ".join(found[:2])
    own = front[front.index("What this table plays differently") : front.index("What to bring")]
    assert own.count("(usually ") == 29
    for chapter in ("A turn", "The opening", "Counting"):
        assert chapter in front


def test_seven_contracts_and_sixteen_stand_on_the_front_hand_by_hand(client):
    seven = " ".join(lines(client, f"/api/v1/games/{table(client, SEVEN, 'jamaican')}/rules.pdf"))
    hands = re.findall(r"Hand (\d+) † ([^†]*?), (\d+) cards", seven)
    assert hands == [
        *(("1", "2 threes", "6"), ("2", "1 three + 1 four", "7"), ("3", "2 fours", "8"), ("4", "3 threes", "9")),
        *(("5", "2 threes + 1 four", "10"), ("6", "1 three + 2 fours", "11"), ("7", "3 fours", "12")),
    ]
    assert "2+0, 1+1, 0+2, 3+0, 2+1, 1+2, 0+3 (usually" in seven
    card = printed(client, f"/api/v1/games/{table(client, SIXTEEN, 'jamaican')}/rules.pdf")
    require_letters([*pypdfium2.PdfDocument(card)])
    front = " ".join(pages_of(card)[:2])
    assert "Hand 16 † 5 sets, 15 cards" in front
    assert "Counting" in front


def test_a_blank_sheet_has_a_row_for_each_contract_of_the_table(client):
    seven = lines(client, BLANK, game=table(client, SEVEN, "jamaican"))
    rows = ("1 2 threes", "2 1 three + 1 four", "3 2 fours", "4 3 threes", "5 2 threes + 1 four", "6 1 three + 2 fours")
    numbered = [line for line in map(unmarked, seven) if re.match(r"\d \d", line)]
    assert numbered[:7] == [*rows, "7 3 fours"]


def unmarked(row):
    """A row without its boxes for calls and the ring of the dealer."""
    return " ".join(re.sub("[☐○]", "", row).split())


@pytest.mark.parametrize("paper", ["a4", "a5"])
def test_sixteen_contracts_have_their_rows_on_one_page(client, paper):
    (sixteen,) = pages(client, BLANK, game=table(client, SIXTEEN, "jamaican"), paper=paper)
    assert "15 4 sets + 1 run" in sixteen
    assert "16 5 sets" in sixteen


def test_a_blank_sheet_says_at_its_foot_what_the_table_plays_differently(client):
    house = {"opening_points": 60, "black_ace_left": 15, "red_ace_left": 1, "buy_ins": 0}
    shown = " ".join(lines(client, BLANK, game=table(client, house)))
    foot = shown[shown.index("† This table plays: ") :]
    for told in (
        "Opening: 60 points (usually 40 points)",
        "Buy-ins for each player: never (usually twice)",
        "Red ace left in hand: 1 point (usually 11 points)",
    ):
        assert told in foot
    assert "Black ace ♠ ♣ 15" in shown
    assert "Buy-ins" not in shown[: shown.index("† This table plays: ")]
    assert "This table plays" not in " ".join(lines(client, BLANK, variant="european"))


@pytest.mark.parametrize(("paper", "players"), [("a4", 4), ("a5", 4), ("letter", 6)])
def test_a_blank_sheet_of_many_own_rules_is_one_page(client, paper, players):
    code = table(client, MANY, players=["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"][:players])
    (shown,) = pages(client, BLANK, game=code, paper=paper)
    assert re.search(r"† This table plays: .* · and \d+ more", shown)


def test_a_blank_sheet_has_as_many_rows_as_the_game_has_hands(client):
    found = lines(client, BLANK, game=table(client, {"game_hands": 6}, "classic"))
    rows = [found_row[1] for line in found if (found_row := re.fullmatch(r"(\d+)(?: ○)?", line))]
    assert rows == ["1", "2", "3", "4", "5", "6"]


def test_more_calls_than_a_cell_has_boxes_for_are_written(client):
    shown = " ".join(lines(client, BLANK, game=table(client, {"calls": 20}, "jamaican")))
    assert "☐" not in shown
    assert "Calls follow a stroke: 43/4." in shown


def test_sixteen_contracts_name_the_page_of_differences_in_the_margin(client):
    house = SIXTEEN | {"calls": 4, "joker_left": 25, "packs": 3, "jokers": 6, "call_penalty": 30}
    (shown,) = pages(client, BLANK, game=table(client, house, "jamaican"), paper="a5")
    # the five, the shortest run, the deals and the number of hands; the contracts stand beside the rows
    assert "House rules † This table has 8: see the rules card." in shown
    assert "16 5 sets" in shown


@pytest.mark.parametrize("size", [{"paper": "letter"}, {"print": "large"}])
def test_a_score_sheet_of_forty_differences_lists_them_all_on_two_pages(client, size):
    found = pages(client, f"/api/v1/games/{table(client, MOST, stakes=STAKES)}/sheet.pdf", **size)
    assert len(found) <= 2
    assert " ".join(found).count("(usually ") == 40
