"""Every line of a page is on its paper, whatever paper and print; and the renderer finds what a layout loses."""

import re

import pypdfium2
import pytest
from lxml import html

from app.kalooki.cards import BadInput
from app.sheets import render_worker
from app.sheets.renderer import Job, Layout
from tests.matrix import matrix
from tests.pages import all_hold
from tests.web.paper_reader import imported, most_own_rules, pages_of, patiently, printed

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve")
PAPERS = ({}, {"paper": "a5"}, {"paper": "letter"}, {"print": "large"}, {"paper": "a5", "print": "large"})
AT_ONCE = pytest.mark.one_app


def squeezed(text):
    return re.sub(r"\s", "", text)


# ---- The payments of several games


@pytest.fixture(scope="module")
def tables(shared_client):
    """Forty tables of five, no two with a player in common; at each Ann wins 1.00 from each of the others.

    They have 101, more than 100 behind the winner’s 0, so none has a share of the pool of 5.00.
    """
    events = [all_hold(101, 5), {"kind": "end"}]
    start = {"variant": "kalooki-51", "stakes": {"initial": 100}}
    return [
        imported(shared_client, start | {"players": [f"{name} {n}" for name in NAMES]}, events) for n in range(1, 41)
    ]


@AT_ONCE
@pytest.mark.parametrize(("asked", "count"), matrix(PAPERS, [3, 12, 40, 2, 25], count=3))
def test_each_payment_of_several_games_stands_on_one_page(shared_client, tables, count, asked):
    found = pages_of(printed(shared_client, "/evening/payments.pdf", game=tables[:count], **asked))
    for n in range(1, count + 1):
        for name in NAMES[1:]:
            words = f"☐ {name} {n} pays Ann {n} €1.00"
            assert sum(page.count(words) for page in found) == 1, words


# ---- Notes and house rules of a game


@pytest.fixture(scope="module")
def noted(shared_client):
    """Forty hands with a note of 200 characters each, every word of which stands there once."""
    note = lambda n: " ".join(f"{n:02}{place:02}abcdef" for place in range(18))[:199]  # noqa: E731
    events = [all_hold(3, 4) | {"note": f"{note(n)}."} for n in range(40)]
    start = {"variant": "kalooki-51", "players": NAMES[:4], "stakes": {"initial": 100}}
    return imported(shared_client, start, events)


@pytest.fixture(scope="module")
def ruled(shared_client):
    house = most_own_rules("jamaican")
    assert len(house) >= 64
    events = [all_hold(3, 4) | {"note": "As it was."}] * 2
    return imported(shared_client, {"variant": "jamaican", "players": NAMES[:4], "house": house}, events)


@AT_ONCE
@pytest.mark.parametrize(("game", "asked"), matrix(["noted", "ruled"], PAPERS, count=2))
def test_each_word_of_notes_and_house_rules_is_on_the_paper(shared_client, game, asked, request):
    code = request.getfixturevalue(game)
    page = html.fromstring(shared_client.get(f"/api/v1/games/{code}/sheet.html").text)
    listed = [each.text_content() for each in page.xpath("//li[@id]")]
    assert len(listed) >= (40 if game == "noted" else 64)
    found = pages_of(printed(shared_client, f"/api/v1/games/{code}/sheet.pdf", **asked))
    shown = [squeezed(each) for each in found]
    words = {squeezed(word) for text in listed for word in text.split()}
    assert [word for word in words if not any(word in each for each in shown)] == []
    if game == "ruled":  # a rule is short: no page's end cuts it
        assert [text for text in listed if not any(squeezed(text) in each for each in shown)] == []


# ---- What the renderer finds

LINES = "".join(f'<tr id="line-{n}"><td>line {n} of 60</td></tr>' for n in range(60))
PAGE = "@page { size: 100mm 100mm; margin: 10mm }"


def document(body):
    return f"<html lang='en'><head><title>T</title></head><body>{body}</body></html>"


@pytest.mark.parametrize(
    ("body", "fit", "missing"),
    [
        (f"<p>A head</p><table class='lost'>{LINES}</table>", ".lost { float: left }", "line-59"),
        ("<ul><li id='n'>" + "words and words " * 300 + "<i id='n-end'></i></li></ul>", "ul { float: right }", "n-end"),
        (f"<table class='off'>{LINES}</table>", ".off { position: absolute; left: 200mm }", "line-0"),
        (
            "<table class='narrow'><tr id='row'><td>Words-that-no-line-can-break</td><td>beside</td></tr></table>",
            ".narrow { table-layout: fixed; width: 40mm } .narrow td { white-space: nowrap }",
            "row",
        ),
        (f"<div class='cut'><table>{LINES}</table></div>", ".cut { position: absolute; top: 50mm }", "line-59"),
    ],
    ids=[
        "floated at the end",
        "a note after its first page",
        "beside the paper",
        "over the next cell",
        "below the paper",
    ],
)
def test_a_layout_that_loses_a_line_is_found_and_laid_out_more_simply(body, fit, missing):
    page = render_worker._parse(document(body))
    assert missing in render_worker.lost_ids(render_worker._render(page, render_worker.PAPER, [PAGE, fit]), page)
    shown = squeezed("".join(pages_of(render_worker.make(Job(document(body), (Layout(PAGE + fit),))))))
    assert shown.replace("•", "") == squeezed(html.fromstring(body).text_content())


def test_a_row_cut_by_the_end_of_a_page_is_found():
    body = f"<table><tr id='row'><td>{'words<br/>' * 40}</td></tr></table>"
    page = render_worker._parse(document(body))
    assert render_worker.lost_ids(render_worker._render(page, render_worker.PAPER, [PAGE]), page) == ["row"]


def test_what_cannot_be_printed_whole_is_not_printed():
    with pytest.raises(BadInput):
        render_worker.make(Job(document("<p id='hidden'>A line</p>"), (Layout(PAGE + "#hidden { display: none }"),)))


@pytest.mark.long
@AT_ONCE
def test_a_picture_of_more_pages_than_it_holds_is_refused_in_words(client):
    """Two hundred hands in large print on small paper are more than twelve pages."""
    code = imported(client, {"variant": "kalooki-51", "players": NAMES[:2]}, [all_hold(7, 2)] * 200)
    answer = patiently(client, f"/api/v1/games/{code}/sheet.png?paper=a5&print=large")
    assert answer.status_code == 422
    assert "nothing was printed" in answer.json["error"]["message"]
    assert (
        len(pypdfium2.PdfDocument(printed(client, f"/api/v1/games/{code}/sheet.pdf", paper="a5", print="large"))) > 12
    )
