"""The score sheet: what stands on it, on every paper, as a page, a PDF, a picture, and what it is saved under."""

import io
import json
import re

import pypdf
import pypdfium2
import pytest
from PIL import Image

from tests.json_scorer import Scorer, of_the_game
from tests.pages import EURO, FOUR, hand
from tests.web.paper_reader import patiently, texts

pytestmark = pytest.mark.one_app


def played(client):
    """A European game of four, still going: a Kalooki, a buy-in, a void hand, a penalty, a correction, a double
    knock-out. Every number the tests expect of it is worked out here.

    Hand 1 (Ben deals): Ben KH QD * 10 + 10 + 15 = 35, Cat 11 + 11 + 10 + 9 + 9 + 8 = 58, Dan 14, mended to 16.
    Hand 2 (Cat): Ben's Kalooki; Ann 4 × 10 + 18 = 58, Cat 44 + 60 = 104 makes 162: out; Dan 61 makes 77. Cat buys
    in at the highest total still in, 77. Hand 3 (Dan): Dan; Ann 32 makes 90, Ben 5 makes 40, Cat 40 makes 117.
    Hand 4 (Ann) void. Ben 10 points makes 50. Hand 4 (Ann): Ben 20 makes 70, Cat 155 and Dan 157 are out.
    """
    rules = {"opening_points": 51}
    scorer = Scorer(client, {"variant": "european", "players": FOUR, "dealer": 2, "stakes": EURO, "house": rules})
    first = {"s2": "KH QD *", "s3": "AS AH 10C 9D 9C 8H"}
    scorer.record(hand(1, **first, s4="7H 7D"))
    scorer.record(hand(2, "kalooki", s1="KH QD JS 10H 9C 9D", s3="AS AH AD AC KD KC QH QC JH 10D", s4=61))
    scorer.record({"kind": "buy_in", "seat": 3})
    scorer.record(hand(4, s1="AS AH KD", s2="2H 3C", s3=40))
    scorer.record({"kind": "void", "reason": "the stock ran out twice"})
    scorer.record({"kind": "penalty", "seat": 2, "points": 10, "amount": 50, "reason": "played out of turn"})
    scorer.record(hand(1, s2="KH KD", s3=38, s4=80))
    scorer.record({"kind": "amend", "target": 2, "event": hand(1, **first, s4="7H 7D 2C")})
    return scorer


@pytest.fixture(scope="module")
def evening(shared_client):
    """The game, once for all who only look at it: each paper of it is printed once."""
    return played(shared_client)


@pytest.fixture(scope="module")
def finished(shared_client):
    """The same game to its end: Cat and Dan stay out, Ann gets 60 and goes out, Ben takes the pool of 3.00."""
    scorer = played(shared_client)
    scorer.record({"kind": "decline", "seat": 3})
    scorer.record({"kind": "decline", "seat": 4})
    scorer.record(hand(2, s1=60))
    return scorer


def sheet(scorer, suffix="pdf", **asked):
    answer = patiently(scorer.client, f"/api/v1/games/{scorer.code}/sheet.{suffix}", query_string=asked)
    assert answer.status_code == 200, answer.text
    return answer


def reader(scorer, **asked):
    return pypdf.PdfReader(io.BytesIO(sheet(scorer, **asked).data))


def lines(scorer):
    """The lines of the page as a reader of the PDF finds them."""
    (page,) = texts(sheet(scorer).data)
    return page


def test_the_sheet_reads_like_a_score_sheet(evening):
    found = lines(evening)
    rows = found[found.index("Hand Ann Ben Cat Dan") :]
    assert rows[1:8] == [
        "1 ¹ ✓ 0 • 35 35 58 58 16 16",
        "2 58 58 K 35 • 104 162 61 77",
        "Cat buys in 77",
        "3 32 90 5 40 40 117 • ✓ 77",
        "Hand 4: redeal – nobody scores · dealt by Ann · the stock ran out … ²",
        "penalty ³ +10 50",
        "4 • ✓ 90 20 70 38 155 80 157",
    ]


def test_the_foot_tallies_hands_and_money(evening):
    found = lines(evening)
    assert found[found.index("Total 90 70 155 157") :][:11] == [
        "Total 90 70 155 157",
        "Place 2 1 3 4",
        "Call-ups won 2 1",
        "Kalookis won 1",
        "Stakes, € −0.50 −0.50 −0.50 −0.50",
        "Buy-ins, € −0.50",
        "Call-ups, € +0.50 −0.30 −0.30 +0.10",
        "Kalookis, € −0.20 +0.60 −0.20 −0.20",
        "Penalties, € −0.50",
        "Paid back, € +0.50 +1.00 +1.00 +0.50",
        "If it ended now, € +0.30 +0.30 −0.50 −0.10",
    ]
    assert "In the pool: €3.00" in found


def test_house_rules_and_corrections_are_told(evening):
    found = lines(evening)
    shown = " ".join(found)
    assert "Opening: 51 points (usually 40 points)" in shown
    assert re.search(r"¹ Hand 1: Corrected at \d\d:\d\d \(script\): Dan 16, not 14\.", shown)
    assert "² Hand 4: redeal – nobody scores · dealt by Ann · the stock ran out twice." in shown
    assert "³ Penalty for Ben · 10 points · €0.50 into the pool · played out of turn." in shown


def test_a_finished_game_says_who_won_and_who_pays_whom(finished):
    found = lines(finished)
    assert any(line.startswith("Ben won") for line in found)
    result = found[found.index("Who pays whom") :]
    assert result[1:5] == [
        "☐ Ann pays Ben €0.30",
        "☐ Cat pays Ben €1.50",
        "☐ Dan pays Ben €0.60",
        "The pool of €3.00 is already included: Ben €3.00.",
    ]
    assert "Balance, € −0.30 +2.40 −1.50 −0.60" in found


def test_the_page_and_the_pdf_say_the_same(evening):
    page = evening.client.get(f"/g/{evening.code}/sheet").text
    document = sheet(evening, "html").text
    table = re.search(r"<table.*?</table>", page, re.DOTALL)[0]
    assert table == re.search(r"<table.*?</table>", document, re.DOTALL)[0]
    assert "Dan 16, not 14." in page
    assert page.count('<td class="total out">') == 3  # Cat in hand 2, Cat and Dan in hand 4
    assert page.count('<td colspan="2" class="total out">') == 2  # at the foot
    assert '<span class="circle">77</span>' in page


@pytest.mark.parametrize(
    ("paper", "width", "height"), [("a4", 210, 297), ("letter", 216, 279), ("a5", 148, 210), ("A4", 210, 297)]
)
def test_every_paper_is_printed(evening, paper, width, height):
    box = reader(evening, paper=paper).pages[0].mediabox
    assert (round(float(box.width) / 72 * 25.4), round(float(box.height) / 72 * 25.4)) == (width, height)


def test_what_cannot_be_printed_is_refused_by_its_field(evening):
    answer = evening.client.get(f"/api/v1/games/{evening.code}/sheet.pdf?paper=a3")
    assert (answer.status_code, answer.json["error"]["field"]) == (422, "paper")
    assert answer.json["error"]["word"] == "a3"


@pytest.mark.parametrize("suffix", ["pdf", "html", "png", "csv", "json", "txt"])
def test_there_is_no_sheet_of_no_game(client, suffix):
    answer = client.get(f"/api/v1/games/AAAAAAAAAAA/sheet.{suffix}")
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "not_found")
    assert client.get("/g/AAAAAAAAAAA/sheet").status_code == 404


def test_the_pdf_is_made_to_be_read_aloud_found_and_kept(evening):
    pdf = reader(evening)
    assert re.fullmatch(r"European Kalooki, score sheet of \w{3} \d\d? \w{3} 20\d\d", pdf.metadata.title)
    assert pdf.metadata.author == "Ann, Ben, Cat, Dan"
    assert [mark["/Title"] for mark in pdf.outline if not isinstance(mark, list)] == ["Ben is in front"]
    titles = {mark["/Title"] for mark in pdf.outline[1]}
    assert titles == {"Result", "House rules", "Notes", "The totals after each hand"}
    assert lines(evening)[-1].endswith("Page 1 of 1")


def test_every_letter_is_in_the_pdf_itself(evening):
    fonts = [font.get_object() for page in reader(evening).pages for font in page["/Resources"]["/Font"].values()]
    assert fonts
    for font in fonts:
        assert re.fullmatch(r"/[A-Z]{6}\+Sheet(-\w+)?", font["/BaseFont"])


def test_the_game_rides_in_its_pdf_and_comes_back_from_it(evening):
    (name, (contents,)), *others = reader(evening).attachments.items()
    assert others == []
    assert name == f"kalooki-{evening.code}.json"  # letters any reader of PDF can show
    made = evening.client.post("/api/v1/games/import", json=json.loads(contents))
    assert made.status_code == 201
    back = evening.client.get(f"/api/v1/games/{made.json['code']}").json
    assert of_the_game(back) == of_the_game(evening.state())


def test_the_json_brings_the_whole_game_back(finished):
    saved = sheet(finished, "json").json
    assert saved["log"] == [
        {key: entry[key] for key in ("entry", "at", "by", "event")} for entry in finished.state()["log"]
    ]
    made = finished.client.post("/api/v1/games/import", json=saved).json
    assert of_the_game(finished.client.get(f"/api/v1/games/{made['code']}").json) == of_the_game(finished.state())


def test_files_have_names_people_understand(client):
    scorer = Scorer(client, {"variant": "classic", "players": ["Zoë", "Ann/Ben: x"]})
    header = sheet(scorer, "csv").headers["Content-Disposition"]
    assert re.fullmatch(
        r"attachment; filename=\"?Kalooki \d{4}-\d\d-\d\d \d\d\.\d\d Zoe AnnBen x\.csv\"?; "
        r"filename\*=UTF-8''Kalooki%20\d{4}-\d\d-\d\d%20\d\d\.\d\d%20Zo%C3%AB%20AnnBen%20x\.csv",
        header,
    )
    assert sheet(scorer).headers["Content-Disposition"].startswith("inline; ")


@pytest.mark.parametrize(
    ("suffix", "kind"),
    [
        ("html", "text/html; charset=utf-8"),
        ("csv", "text/csv; charset=utf-8"),
        ("txt", "text/plain; charset=utf-8"),
        ("json", "application/json"),
        ("pdf", "application/pdf"),
    ],
)
def test_a_file_says_once_what_it_is(evening, suffix, kind):
    assert sheet(evening, suffix).headers["Content-Type"] == kind


def test_a_game_under_way_has_its_picture_too(evening):
    """The names and bars of all four have their colours: blue, red, green and orange."""
    answer = sheet(evening, "png")
    picture = Image.open(io.BytesIO(answer.data)).convert("RGB")
    assert answer.mimetype == "image/png"
    inks = [ink for count, ink in picture.getcolors(10_000) if count > 200]
    for face in ((0x1A, 0x4F, 0xB0), (0xB3, 0x16, 0x1F), (0x14, 0x68, 0x3A), (0xB8, 0x50, 0x0A)):
        assert any(max(abs(a - b) for a, b in zip(face, ink, strict=True)) < 12 for ink in inks), face


@pytest.mark.parametrize("address", ["/games/{code}/sheet.pdf", "/sheets/blank.pdf?game={code}"])
def test_the_code_for_a_phone_is_drawn_in_the_corner(evening, address):
    pdf = pypdfium2.PdfDocument(patiently(evening.client, f"/api/v1{address.format(code=evening.code)}").data)
    picture = pdf[0].render(scale=2).to_pil().convert("L")
    margin = 2 * 9 * 72 // 25
    corner = picture.crop((picture.width - margin - 110, margin, picture.width - margin, margin + 110))
    dark = sum(corner.histogram()[:100]) / (corner.width * corner.height)
    assert 0.2 < dark < 0.6  # a code is about half dark, in a quiet border


def test_a_sheet_that_has_not_changed_is_not_sent_again(client):
    evening = played(client)
    first = sheet(evening)
    again = evening.client.get(first.request.path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert sheet(evening).data == first.data
    evening.record({"kind": "decline", "seat": 4})
    later = evening.client.get(first.request.path, headers={"If-None-Match": first.headers["ETag"]})
    assert later.status_code == 200
    assert later.headers["ETag"] != first.headers["ETag"]


def test_a_sheet_on_another_paper_is_another_sheet(evening):
    tags = {sheet(evening, paper=paper).headers["ETag"] for paper in ("a4", "letter", "a5")}
    assert len(tags) == 3


@pytest.mark.parametrize(
    ("zone", "first"),
    [
        ("America/New_York", "Letter"),
        ("America/Mexico_City", "Letter"),
        ("Asia/Manila", "Letter"),
        ("Europe/London", "A4"),
    ],
)
def test_the_paper_of_the_tables_region_is_offered_first(client, zone, first):
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"], "zone": zone})
    page = client.get(f"/g/{scorer.code}/sheet").text
    assert f"Print (PDF, {first})" in page
    assert re.search(r'<option value="\w+">(\w+)', page[page.index('id="paper"') :])[1] == first


def test_a_sheet_is_printed_on_the_paper_of_the_tables_region(client):
    """Of a table in Manila on Letter, eleven inches long; those of the others are A4."""
    scorer = Scorer(client, {"variant": "european", "players": ["Ann", "Ben"], "zone": "Asia/Manila"})
    box = reader(scorer).pages[0].mediabox
    assert (float(box.width), float(box.height)) == (612, 792)


def test_papers_are_offered_as_a_region_has_them(client):
    for language, first in (("en-US", "letter"), ("es-CL", "letter"), ("en-GB", "a4"), ("de-DE", "a4")):
        page = client.get("/sheets", headers={"Accept-Language": language}).text
        assert re.search(r'<option value="(\w+)"', page[page.index('id="blank-paper"') :])[1] == first
