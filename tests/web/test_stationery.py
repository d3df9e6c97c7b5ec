"""Blank sheets with the table's own values, names and stakes, and the page that offers what is printed."""

import pypdfium2
import pytest

from app.kalooki.variants import all_variants
from tests.json_scorer import Scorer
from tests.matrix import matrix
from tests.pages import hand, start
from tests.web.paper_reader import lines, millimetres, pdf, printed, sizes, texts

pytestmark = pytest.mark.one_app

BLANK = "/api/v1/sheets/blank.pdf"
PAPERS = ["a4", "letter", "a5"]
VARIANTS = [variant.id for variant in all_variants()]


def test_a_blank_sheet_numbers_as_many_hands_as_a_pen_has_room_for(client):
    (found,) = texts(printed(client, BLANK, variant="european", players=4))
    rows = [line for line in found[found.index("Hand") :] if line.isdecimal()]
    assert rows == [str(number) for number in range(1, len(rows) + 1)]
    assert len(rows) >= 20


@pytest.mark.parametrize(("events", "dealers"), [([], "CABC"), ([hand(1, s2=150, s3=150)], "ABCA")])
def test_the_blank_sheet_of_a_table_shows_who_deals_which_hand(client, events, dealers):
    """Cat deals first, then Ann, Ben and Cat again; where she dealt the only hand of a game, Ann begins its rematch."""
    code = start(client, "european", ["Ann", "Ben", "Cat"], *events, dealer=3).code
    text = pypdfium2.PdfDocument(printed(client, BLANK, game=code))[0].get_textpage()
    found = text.get_text_range()
    rings = [text.get_charbox(place)[0] for place, sign in enumerate(found) if sign == "○"][:4]
    names = {name[0]: text.get_charbox(found.index(name))[0] for name in ("Ann", "Ben", "Cat")}
    assert "".join(min(names, key=lambda name: abs(names[name] - ring)) for ring in rings) == dealers


@pytest.mark.parametrize(("paper", "players", "variant"), matrix(PAPERS, [4, 6, 2], VARIANTS, count=3))
def test_a_blank_sheet_is_one_page_printed_large_enough_and_within_its_margins(client, variant, paper, players):
    """8.5 points, 7.5 on A5; and what stands in the margin ends above the foot of the page."""
    (page,) = pypdfium2.PdfDocument(printed(client, BLANK, variant=variant, players=players, paper=paper))
    down = page.get_height() * 25.4 / 72
    boxes = [(size, box) for size, box in sizes(page)]
    foot = max(box[3] for _size, box in boxes)
    assert min(size for size, _box in boxes) > (7.49 if paper == "a5" else 8.49)
    assert max(box[3] for _size, box in boxes if box[3] < foot - 4) < down - (9 if paper == "a5" else 12)


def test_many_players_lay_the_page_on_its_side(client):
    assert millimetres(pdf(client, BLANK, variant="north-american", players=4)) == (210, 297)
    assert millimetres(pdf(client, BLANK, variant="north-american", players=9)) == (297, 210)
    assert millimetres(pdf(client, BLANK, variant="classic", players=3, paper="a5")) == (210, 148)


def test_a_sheet_asked_for_on_the_page_is_the_one_of_the_interface(client):
    assert 'action="/sheets/blank"' in client.get("/sheets").text
    typed = {"variant": "european", "names": "Zoë, Ben & Co", "players": "3", "unit": "", "paper": "a5"}
    answer = client.get("/sheets/blank", query_string=typed)
    assert answer.status_code == 303
    assert printed(client, answer.location) == printed(client, BLANK, **typed)


def test_what_is_asked_with_nothing_behind_it_is_left_out(client):
    asked = {"variant": "", "players": "", "names": "", "unit": "", "currency": "", "game": ""}
    assert lines(client, BLANK, **asked) == lines(client, BLANK)
    assert millimetres(pdf(client, BLANK, **asked, paper="")) == (210, 297)
    assert millimetres(pdf(client, "/api/v1/variants/european/rules.pdf", paper="")) == (210, 297)
    code = Scorer(client, {"variant": "classic", "players": ["Ann", "Ben"]}).code
    assert millimetres(pdf(client, f"/api/v1/games/{code}/sheet.pdf", paper="")) == (210, 297)
