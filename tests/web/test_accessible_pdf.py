"""Every PDF keeps what PDF/UA asks for, as far as a program can tell: checked here on the file itself."""

import re
from itertools import pairwise

import pytest
from pypdf.generic import ContentStream

from tests.json_scorer import Scorer
from tests.pages import EURO, hand
from tests.web.paper_reader import pdf as read

pytestmark = pytest.mark.one_app

SHEETS = "/api/v1/games/{code}"
PAPERS = {
    "sheet": f"{SHEETS}/sheet.pdf",
    "sheet on small paper": f"{SHEETS}/sheet.pdf?paper=a5",
    "payments": "/evening/payments.pdf?game={code}",
    "blank sheet": "/api/v1/sheets/blank.pdf?game={code}",
    "blank sheet with contracts": "/api/v1/sheets/blank.pdf?variant=jamaican",
    "rules card": f"{SHEETS}/rules.pdf",
}
SHOWS_TEXT = {b"Tj", b"TJ", b"'", b'"'}
PAINTS = {b"f", b"F", b"f*", b"S", b"s", b"B", b"B*", b"b", b"b*", b"Do", b"sh"}


@pytest.fixture(scope="module")
def pdfs(shared_client):
    """Each kind of paper of a game with a buy-in, a void hand, a penalty and a house rule, read once.

    Cat, out with 155, buys in at Ben's 12; then Ann and Cat are out and Ben has won.
    """
    client = shared_client
    start = {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": EURO}
    scorer = Scorer(client, start | {"house": {"opening_points": 51}})
    scorer.record(hand(1, s2=12, s3=155))
    scorer.record({"kind": "buy_in", "seat": 3})
    scorer.record({"kind": "void", "reason": "misdeal"})
    scorer.record({"kind": "penalty", "seat": 2, "points": 10, "amount": 50, "reason": "out of turn"})
    scorer.record(hand(2, s1=150, s3=150))
    return {name: read(client, address.format(code=scorer.code)) for name, address in PAPERS.items()}


@pytest.fixture(params=PAPERS)
def pdf(pdfs, request):
    return pdfs[request.param]


def children(element):
    kids = element.get("/K", [])
    kids = kids if isinstance(kids, list) else [kids]
    found = (kid.get_object() for kid in kids)
    return [kid for kid in found if hasattr(kid, "get") and "/S" in kid]


def elements(pdf, *kinds):
    """The elements of the structure tree in reading order, those of some kinds."""

    def walk(element):
        yield element
        for kid in children(element):
            yield from walk(kid)

    tree = pdf.trailer["/Root"]["/StructTreeRoot"]
    kids = tree["/K"] if isinstance(tree["/K"], list) else [tree["/K"]]
    every = [element for kid in kids for element in walk(kid.get_object())]
    return [element for element in every if not kinds or element["/S"] in kinds]


def test_it_says_what_it_is_in_which_language(pdf):
    root = pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert not root["/MarkInfo"].get("/Suspects", False)
    assert root["/Lang"] == "en"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    about = root["/Metadata"].get_object().get_data().decode()
    assert re.search(r"pdfuaid:part[>=\"]+1", about)
    assert re.search(r"<dc:title>.*\w.*</dc:title>", about, re.DOTALL)


def test_every_header_cell_says_what_it_heads(pdf):
    for cell in elements(pdf, "/TH"):
        assert cell["/A"]["/Scope"] in ("/Row", "/Column")
        parents = []
        above = cell
        while above["/S"] != "/Table":
            above = above["/P"].get_object()
            parents.append(above["/S"])
        assert (cell["/A"]["/Scope"] == "/Column") is ("/THead" in parents)


def test_the_rows_of_a_table_are_equally_wide(pdf):
    for table in elements(pdf, "/Table"):
        groups = [group for kid in children(table) for group in ([kid] if kid["/S"] == "/TR" else children(kid))]
        assert {group["/S"] for group in groups} <= {"/TR"}
        widths = {sum(cell["/A"].get("/ColSpan", 1) for cell in children(row)) for row in groups}
        assert len(widths) == 1
        assert {cell["/S"] for row in groups for cell in children(row)} <= {"/TH", "/TD"}


def test_every_figure_is_told_in_words(pdf):
    for figure in elements(pdf, "/Figure"):
        assert re.search(r"\w\w", figure["/Alt"])


def test_the_chart_tells_its_figures(pdfs):
    """Ann 0 + 150, Ben 12 + 10, Cat 12 + 150; in money Ben has won it all."""
    told = [figure["/Alt"] for figure in elements(pdfs["sheet"], "/Figure")]
    assert "The totals after each hand: Ann 150, Ben 22, Cat 162" in told


def test_headings_begin_with_the_first_and_skip_none(pdf):
    levels = [int(heading["/S"][2:]) for heading in elements(pdf, *(f"/H{level}" for level in range(1, 7)))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    for before, after in pairwise(levels):
        assert after <= before + 1


def test_lists_hold_items_and_items_bodies(pdf):
    for each in elements(pdf, "/L"):
        assert {kid["/S"] for kid in children(each)} <= {"/LI", "/Caption", "/L"}
    for item in elements(pdf, "/LI"):
        assert {kid["/S"] for kid in children(item)} <= {"/Lbl", "/LBody"}


def test_all_that_is_printed_belongs_to_the_text_or_is_marked_as_none(pdf):
    for page in pdf.pages:
        assert page["/Tabs"] == "/S"
        assert "/StructParents" in page
        depth = 0
        for _operands, operator in ContentStream(page.get_contents(), pdf).operations:
            depth += (operator in (b"BDC", b"BMC")) - (operator == b"EMC")
            assert depth > 0 or operator not in SHOWS_TEXT | PAINTS


def test_every_font_is_embedded_and_can_be_read_back(pdf):
    for page in pdf.pages:
        for font in page["/Resources"]["/Font"].values():
            inner = font["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
            assert {"/FontFile2", "/FontFile3"} & inner.keys()
            assert "/ToUnicode" in font
