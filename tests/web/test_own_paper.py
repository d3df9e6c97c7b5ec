"""Paper of tables that play by rules of their own: what differs comes first, and extreme values still fit."""

import re

import pypdfium2
import pytest

from tests.matrix import some
from tests.pages import start
from tests.web.paper_reader import STAKES, most_own_rules, pages, pages_of, printed, sizes

pytestmark = pytest.mark.one_app

BLANK = "/api/v1/sheets/blank.pdf"
MANY, MOST = (dict([*most_own_rules("european").items()][:count]) | {"packs": 3} for count in (29, 40))
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


@pytest.mark.parametrize("paper", some(["a4", "letter"], "a4"))
def test_many_rules_of_ones_own_stand_before_all_others(client, paper):
    printed_card = printed(client, f"/api/v1/games/{table(client, MANY)}/rules.pdf", paper=paper)
    require_letters([*pypdfium2.PdfDocument(printed_card)])
    found = pages_of(printed_card)
    assert len(found) <= 6
    told = int(re.search(r"(\d+) house rules", found[0])[1])  # some bring others along
    assert told >= 29
    front = " ".join(found[:2])
    own = front[front.index("What this table plays differently") : front.index("What to bring")]
    assert own.count("(usually ") == told
    for chapter in ("A turn", "The opening", "Counting"):
        assert chapter in front


def test_sixteen_contracts_stand_on_the_front_hand_by_hand(client):
    card = printed(client, f"/api/v1/games/{table(client, SIXTEEN, 'jamaican')}/rules.pdf")
    require_letters([*pypdfium2.PdfDocument(card)])
    front = " ".join(pages_of(card)[:2])
    assert "Hand 16 † 5 sets, 15 cards" in front
    assert "Counting" in front


@pytest.mark.parametrize(("paper", "players"), some([("a5", 4), ("letter", 6)], ("a5", 4)))
def test_a_blank_sheet_of_many_own_rules_is_one_page(client, paper, players):
    code = table(client, MANY, players=["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"][:players])
    (shown,) = pages(client, BLANK, game=code, paper=paper)
    assert re.search(r"† This table plays: .* · and \d+ more", shown)


def test_sixteen_contracts_have_their_rows_on_one_page_beside_where_differences_are_told(client):
    house = SIXTEEN | {"calls": 4, "joker_left": 25, "packs": 3, "jokers": 6, "call_penalty": 30}
    (shown,) = pages(client, BLANK, game=table(client, house, "jamaican"), paper="a5")
    # the five, the shortest run, the deals and the number of hands; the contracts stand beside the rows
    assert "House rules † This table has 8: see the rules card." in shown
    assert "15 4 sets + 1 run 16 5 sets" in re.sub("[☐○ ]+", " ", shown)


@pytest.mark.parametrize("size", some([{"paper": "letter"}, {"print": "large"}], {"print": "large"}))
def test_a_score_sheet_of_forty_differences_lists_them_all_on_two_pages(client, size):
    found = pages(client, f"/api/v1/games/{table(client, MOST, stakes=STAKES)}/sheet.pdf", **size)
    assert len(found) <= 2
    assert " ".join(found).count("(usually ") >= 40
