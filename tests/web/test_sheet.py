"""The score sheet: what stands on it, on every paper, as a page, a PDF, a picture, and what it is saved under."""

import io
import json
import re

import pypdf
import pypdfium2
import pytest

from tests.json_scorer import Scorer, import_game, of_the_game
from tests.pages import EURO, FOUR, hand
from tests.web.paper_reader import millimetres, patiently, texts

pytestmark = pytest.mark.one_app


def played(client):
    """Ben leads with 30; what is said of the sheet is in cases/paper.toml."""
    rules = {"opening_points": 51}
    scorer = Scorer(client, {"variant": "european", "players": FOUR, "dealer": 2, "stakes": EURO, "house": rules})
    scorer.record(hand(2, s1="KH QD *", s3="AS AH 10C 9D 9C 8H", s4="7H 7D") | {"note": "Ben’s first"})
    scorer.record(hand(3, s1=10, s2=30, s4=50))
    return scorer


@pytest.fixture(scope="module")
def evening(shared_client):
    """The game, once for all who only look at it: each paper of it is printed once."""
    return played(shared_client)


def sheet(scorer, suffix="pdf", **asked):
    answer = patiently(scorer.client, f"/api/v1/games/{scorer.code}/sheet.{suffix}", query_string=asked)
    assert answer.status_code == 200, answer.text
    return answer


def reader(scorer, **asked):
    return pypdf.PdfReader(io.BytesIO(sheet(scorer, **asked).data))


def test_the_page_and_the_sheet_say_the_same(evening):
    page = evening.client.get(f"/g/{evening.code}/sheet").text
    table = re.search(r"<table.*?</table>", page, re.DOTALL)[0]
    assert table == re.search(r"<table.*?</table>", sheet(evening, "html").text, re.DOTALL)[0]


def test_every_paper_is_printed_and_is_another_sheet(evening):
    papers = {"a4": (210, 297), "letter": (216, 279), "a5": (148, 210)}
    assert {paper: millimetres(reader(evening, paper=paper)) for paper in papers} == papers
    assert len({sheet(evening, paper=paper).headers["ETag"] for paper in papers}) == 3
    assert sheet(evening, paper="A4").data == sheet(evening, paper="a4").data


def test_the_pdf_is_made_to_be_read_aloud_found_and_kept(evening):
    pdf = reader(evening)
    assert re.fullmatch(r"European Kalooki, score sheet of \w{3} \d\d? \w{3} 20\d\d", pdf.metadata.title)
    assert pdf.metadata.author == "Ann, Ben, Cat, Dan"
    assert [mark["/Title"] for mark in pdf.outline if not isinstance(mark, list)] == ["Ben is in front"]
    titles = {mark["/Title"] for mark in pdf.outline[1]}
    assert titles == {"Result", "House rules", "Notes", "The totals after each hand"}
    assert texts(sheet(evening).data)[0][-1].endswith("Page 1 of 1")


def test_the_game_rides_in_its_pdf_and_comes_back_from_it(evening):
    (name, (contents,)), *others = reader(evening).attachments.items()
    assert others == []
    assert name == f"kalooki-{evening.code}.json"  # letters any reader of PDF can show
    back = import_game(evening.client, json.loads(contents)["log"])
    assert of_the_game(back.state()) == of_the_game(evening.state())


def test_the_saved_game_has_its_whole_log(evening):
    log = [{key: entry[key] for key in ("entry", "at", "by", "event")} for entry in evening.state()["log"]]
    assert sheet(evening, "json").json["log"] == log


def test_files_have_names_people_understand(client):
    scorer = Scorer(client, {"variant": "classic", "players": ["Zoë", "Ann/Ben: x"]})
    header = sheet(scorer, "csv").headers["Content-Disposition"]
    assert re.fullmatch(
        r"attachment; filename=\"?Kalooki \d{4}-\d\d-\d\d \d\d\.\d\d Zoe AnnBen x\.csv\"?; "
        r"filename\*=UTF-8''Kalooki%20\d{4}-\d\d-\d\d%20\d\d\.\d\d%20Zo%C3%AB%20AnnBen%20x\.csv",
        header,
    )
    assert sheet(scorer).headers["Content-Disposition"].startswith("inline; ")


KINDS = {"html": "text/html; charset=utf-8", "csv": "text/csv; charset=utf-8", "txt": "text/plain; charset=utf-8"}
KINDS |= {"json": "application/json", "pdf": "application/pdf", "png": "image/png"}


def test_a_file_says_once_what_it_is(evening):
    assert {suffix: sheet(evening, suffix).headers["Content-Type"] for suffix in KINDS} == KINDS


@pytest.mark.parametrize("address", ["/games/{code}/sheet.pdf", "/sheets/blank.pdf?game={code}"])
def test_the_code_for_a_phone_is_drawn_in_the_corner(evening, address):
    pdf = pypdfium2.PdfDocument(patiently(evening.client, f"/api/v1{address.format(code=evening.code)}").data)
    picture = pdf[0].render(scale=2).to_pil().convert("L")
    margin = 2 * 9 * 72 // 25
    corner = picture.crop((picture.width - margin - 110, margin, picture.width - margin, margin + 110))
    dark = sum(corner.histogram()[:100]) / (corner.width * corner.height)
    assert 0.2 < dark < 0.6  # a code is about half dark, in a quiet border


@pytest.mark.parametrize(
    "path", ["/api/v1/games/{}/sheet.pdf", "/api/v1/games/{}/rules.pdf", "/evening/payments.pdf?game={}"]
)
def test_paper_that_has_not_changed_is_not_sent_again(client, path):
    scorer = played(client)
    address = path.format(scorer.code)
    seen = {"If-None-Match": patiently(client, address).headers["ETag"]}
    assert (client.get(address, headers=seen).status_code, client.get(address, headers=seen).data) == (304, b"")
    scorer.record({"kind": "setup", "stakes": {"kalooki": 40}})
    assert patiently(client, address, headers=seen).status_code == 200


def test_a_sheet_is_printed_on_the_paper_of_the_tables_region(client):
    """Of a table in Manila on Letter, eleven inches long; those of the others are A4."""
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"], "zone": "Asia/Manila"})
    assert millimetres(reader(scorer)) == (216, 279)
