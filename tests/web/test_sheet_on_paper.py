"""How a score sheet fills its paper: letters as large as there is room, pages that are worth their paper."""

import io
import re
from collections import Counter

import pypdfium2
import pytest
from PIL import Image

from app.days import day_at_table, on_the_wall, server_zone
from app.history.formats import write_day
from app.sheets import render_worker, renderer
from app.sheets.paper import A4, POINT
from tests.json_scorer import Scorer
from tests.matrix import matrix, some
from tests.pages import all_hold, hand
from tests.web import paper_reader
from tests.web.paper_reader import NAMES, imported, patiently, pdf_of, sheet_lines, size_of, sizes, texts

pytestmark = pytest.mark.one_app


def played(client, players, hands, **start):
    return paper_reader.played(client, NAMES[:players], hands, **start)


@pytest.mark.parametrize(("players", "hands", "paper", "pages", "least"), [
    # so many points has the last total at least
    (2, 3, "a4", 1, 16), (6, 9, "a4", 1, 11), (8, 9, "a4", 1, 9),
    # twenty-five hands stand on one page, and no page is too many
    (6, 25, "letter", 1, 8.5), (5, 36, "a4", 2, 8.5), (8, 60, "a4", 3, 8.5),
    (4, 7, "a5", 2, 7.5), (8, 26, "a5", 3, 7.5),
    *(pytest.param(*row, marks=pytest.mark.long) for row in [
        (4, 9, "a4", 1, 12), (7, 1, "letter", 1, 8.5), (2, 25, "a4", 1, 8.5), (4, 25, "letter", 1, 8.5),
        (6, 25, "a4", 1, 8.5), (5, 60, "letter", 2, 8.5),
        (2, 3, "a5", 1, 7.5), (5, 12, "a5", 2, 7.5), (4, 36, "a5", 2, 7.5),
    ]),
])  # fmt: skip
def test_a_sheet_fills_its_paper(client, players, hands, paper, pages, least):
    """Letters grow with the room, and none is smaller than newspapers print; a last page is a third full."""
    pdf = pypdfium2.PdfDocument(pdf_of(client, played(client, players, hands), paper=paper))
    assert len(pdf) <= pages
    for page in pdf:
        assert min(round(size, 1) for size, _box in sizes(page)) >= (7.5 if paper == "a5" else 8.5)
    found = (text := pdf[0].get_textpage()).get_text_range()
    if paper != "a5":
        assert (pdf[0].get_width() > pdf[0].get_height()) is (players > 6)
        assert ("The totals after each hand" in found) or len(pdf) > 1
    if len(pdf) == 1:
        row = re.search(rf"(?m)^{hands} .*\d", found)
        assert size_of(text, row.end() - 1) >= least - 0.05
        return
    heights = [box[3] for _size, box in sizes(pdf[len(pdf) - 1])]
    deepest = max(at for at in heights if at < max(heights) - 1)  # above what names the page
    assert deepest > pdf[len(pdf) - 1].get_height() * 25.4 / 72 / 3


@pytest.mark.parametrize(("players", "hands", "rendered"), [(6, 20, [20]), (4, 20, [20]), (3, 60, [12, 60])])
def test_a_game_is_laid_out_once_and_a_long_one_after_a_dozen_of_its_rows(
    client, monkeypatch, players, hands, rendered
):
    counts, render = [], render_worker._render

    def counting(page, *about):
        counts.append(sum(each.get("id", "").startswith("row-") for each in page.etree_element.iter("th")))
        return render(page, *about)

    monkeypatch.setattr(render_worker, "_render", counting)
    monkeypatch.setattr(renderer, "make", render_worker.make)
    pdf_of(client, played(client, players, hands))
    assert counts == rendered


def test_who_won_is_the_largest_thing_on_the_page(client):
    """K51: Ann has 0; it is read from two metres."""
    events = [hand(1, s2=30, s3=20), {"kind": "end"}]
    code = imported(client, {"variant": "kalooki-51", "players": NAMES[:3], "stakes": {"initial": 100}}, events)
    page = pypdfium2.PdfDocument(pdf_of(client, code))[0]
    text = page.get_textpage()
    place = text.get_text_range().index("Ann won")
    size = size_of(text, place)
    assert size >= 14
    assert size == max(size for size, _box in sizes(page))
    html = client.get(f"/api/v1/games/{code}/sheet.html").text
    assert html.count("crown-top") == html.count("crown-foot") == 1  # a box round the winner’s sums
    assert "Place 1 3 2" in sheet_lines(client, code)


def test_every_page_but_the_first_names_game_and_day_at_its_top(client):
    """Ann has 0 after each of 40 hands; she leads."""
    scorer = Scorer(client, {"variant": "kalooki-51", "players": NAMES[:2]})
    day = write_day(day_at_table(on_the_wall(scorer.state()["log"][0]["at"], server_zone())))
    for _hand in range(40):
        scorer.record(hand(1, s2=5))
    first, second, *_others = pypdfium2.PdfDocument(pdf_of(client, scorer.code))
    head = f"Ann is in front · Kalooki 51 · {day} · 40 hands, still playing"
    assert head not in first.get_textpage().get_text_range()
    text = second.get_textpage()
    top = text.get_charbox(text.get_text_range().index("Ann is in front"))[1]
    assert head in text.get_text_range()
    assert A4.height - A4.margin < top * POINT < A4.height - 5  # above the table, where printers still print


def test_large_print_is_had_on_request(client, app):
    code = played(client, 4, 9, variant="european", stakes={"call_up": 10})
    large = pdf_of(client, code, print="large", place="Dora’s kitchen")
    shown = "\n".join("\n".join(page) for page in texts(large))
    assert "Dora’s kitchen" in shown
    assert "The totals after each hand" not in shown
    large_sizes = [size for page in pypdfium2.PdfDocument(large) for size, _box in sizes(page)]
    assert max(Counter(round(size, 1) for size in large_sizes if size > 15)) >= 16


def test_no_line_between_players_runs_through_a_void_hand(client):
    code = imported(client, {"variant": "european", "players": NAMES[:4]}, [{"kind": "void", "reason": "misdeal"}])
    page = pypdfium2.PdfDocument(pdf_of(client, code))[0]
    text = page.get_textpage()
    _left, bottom, right, top = text.get_charbox(text.get_text_range().index("misdeal") + len("misdea"))
    rows = page.render(scale=2).to_pil().convert("L")
    height = round(2 * (page.get_height() - (bottom + top) / 2))
    beside = rows.crop((round(2 * right) + 2, height, rows.width, height + 1))
    assert beside.getextrema() == (255, 255)
    above = rows.crop((round(2 * right) + 2, height - 60, rows.width, height - 59))
    assert above.getextrema()[0] < 255  # the lines are there beside the players' names


def test_no_digit_stands_on_grey(client):
    """Printed in black and white only, a page keeps its digits: nothing grey has an area."""
    page = pypdfium2.PdfDocument(pdf_of(client, played(client, 4, 12)))[0]
    picture = page.render(scale=2).to_pil().convert("L")
    for left in range(0, picture.width - 12, 12):
        for top in range(0, picture.height - 12, 12):
            shades = set(picture.crop((left, top, left + 12, top + 12)).tobytes())
            assert len(shades) > 1 or shades <= {255} or max(shades) < 80, (left, top, shades)  # a player's dot


@pytest.mark.parametrize(("paper", "width"), some([("a4", 1084), ("letter", 1114)], ("a4", 1084)))
def test_a_picture_of_a_paper_asked_for_is_that_paper(client, paper, width):
    """595.28 and 612 points, 1.82 dots each."""
    code = played(client, 4, 9)
    picture = paper_reader.printed(client, f"/api/v1/games/{code}/sheet.png", paper=paper)
    assert Image.open(io.BytesIO(picture)).width == width


PATHS = ("/api/v1/games/{}/sheet.pdf", "/evening/payments.pdf?game={}", "/api/v1/sheets/blank.pdf")


@pytest.mark.parametrize(
    ("path", "host"), matrix(PATHS, ["192.168.1.20:8000", "mypi.lan", "raspberry", "cards.example"])
)
def test_paper_says_where_its_address_works(client, path, host):
    """Whoever runs `cards.example` has said that the network knows it; the others only a house does."""
    client.application.config["HOSTS"] = ("cards.example",)
    code = played(client, 3, 2, stakes={"initial": 100})
    answer = patiently(client, path.format(code), base_url=f"http://{host}")
    shown = " ".join(" ".join(page) for page in texts(answer.data))
    assert ("(works on this Wi-Fi only)" in shown) is (host != "cards.example")
    assert host in shown


@pytest.mark.parametrize("hands", [1, *(pytest.param(hands, marks=pytest.mark.long) for hands in range(2, 9)), 9])
def test_a_long_head_ends_above_the_table(client, hands):
    """Two lines of bold words, then facts: however large the letters are, the address stands clear of the names."""
    stakes = {"currency": "ZAR", "call_up": 500, "kalooki": 1000, "initial": 2000, "buy_in": 2000}
    scorer = Scorer(client, {"variant": "south-african", "players": NAMES[:4], "stakes": stakes})
    scorer.record(*[all_hold(10, 4)] * hands)
    text = pypdfium2.PdfDocument(pdf_of(client, scorer.code))[0].get_textpage()
    found = text.get_text_range()
    address, names = text.get_charbox(found.index("/g/")), text.get_charbox(found.index("Hand"))
    assert address[1] > names[3] + 8


@pytest.mark.parametrize("players", [2, 3, 6])
def test_points_stand_nearer_to_their_own_total_than_to_the_one_before(client, players):
    """Ann wins with 0, the others have 30: in the row 0 30 30, the first 30 belongs to the second."""
    code = imported(client, {"variant": "kalooki-51", "players": NAMES[:players]}, [all_hold(30, players)])
    text = pypdfium2.PdfDocument(pdf_of(client, code))[0].get_textpage()
    first, _count = text.search("0 30 30").get_next()
    before, points, digit, total = (text.get_charbox(first + place) for place in (0, 2, 3, 5))
    assert total[0] - digit[2] < points[0] - before[2]
