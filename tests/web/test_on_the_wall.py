"""What a table dislikes on a wall: colours changed, rows cut, names replaced in silence, words beyond the edge."""

import io
import re

import pypdf
import pypdfium2
import pytest
from PIL import Image

from app import create_app, log
from app.sheets.chart import INKS
from app.views.print import files
from tests.json_scorer import send
from tests.matrix import matrix
from tests.pages import all_hold
from tests.web.printed import NAMES, imported, pages, patiently, pdf_of, played, printed, sizes, words_of

pytestmark = pytest.mark.one_app

LONG = ["Bartholomew Montague", "Konstantinopel Maria", "Christopher Uncleby", "Maria Fernandez-Ruiz"]
LONG += ["Jean-Baptiste de Mol", "Uncle Leonard Okwuo", "Wilhelmina Harkness", "Łukasz Brzęczyszczyk"]
STAKES = {"currency": "JMD", "call_up": 2000, "kalooki": 4000, "initial": 100000, "buy_in": 10000}
MILLIMETRE = 72 / 25.4


def colours_of(picture):
    shown = Image.open(io.BytesIO(picture)).convert("RGB")
    return {colour for count, colour in shown.getcolors(shown.width * shown.height) if count > 100}


@pytest.mark.parametrize(("path", "players"), matrix(["api/v1/games/{}/sheet.png", "g/{}/result.png"], [8, 6, 2]))
def test_a_picture_paints_each_player_in_their_own_colour(client, path, players):
    """The faces' colours are dealt in the order of the seats."""
    code = played(client, NAMES[:players], 9)
    colours = colours_of(printed(client, "/" + path.format(code)))
    for ink in [*INKS.values()][:players]:
        own = tuple(bytes.fromhex(ink[1:]))
        assert any(all(abs(a - b) <= 3 for a, b in zip(own, each, strict=True)) for each in colours), ink


def test_no_row_of_an_evening_is_cut_by_the_page(client):
    """Thirty-six people: the money and the total of each stand on one page, beside the name."""
    codes = [played(client, [f"{name} {game}" for name in NAMES[:6]], 4, stakes=STAKES) for game in range(6)]
    shown = pages(client, "/api/v1/evening.pdf", game=codes)
    people = [f"{name} {game}" for game in range(6) for name in NAMES[:6]]
    rows = [row for page in shown for row in re.findall(r"\b1 (\w+ \d) −1000.00 −1000.00 \d+ 0 0 [\d.]+", page)]
    assert sorted(rows) == sorted(people)


def test_the_lines_of_an_evening_have_the_colours_of_the_faces(client):
    """Ann is blue and Ben red in both games."""
    codes = [played(client, NAMES[:2], 2, stakes=STAKES) for _ in range(2)]
    page = pypdf.PdfReader(io.BytesIO(printed(client, "/api/v1/evening.pdf", game=codes))).pages[0]
    drawn = page.get_contents().get_data().decode("latin-1")
    for ink in ("#1a4fb0", "#b3161f"):
        red, green, blue = (round(part / 255, 2) for part in bytes.fromhex(ink[1:]))
        found = re.findall(r"([\d.]+) ([\d.]+) ([\d.]+) (?:RG|rg|SC|SCN|sc|scn)\b", drawn)
        assert (red, green, blue) in {tuple(round(float(part), 2) for part in each) for each in found}


def finished(client, names, winner):
    events = [all_hold(101, len(names), winner), {"kind": "end"}]
    return imported(client, {"variant": "kalooki-51", "players": names, "stakes": None}, events)


def test_the_headline_of_an_evening_is_english(client):
    three = [finished(client, NAMES[:3], winner) for winner in (1, 2, 3)]
    assert "Ann, Ben and Cat won 1 game each" in pages(client, "/api/v1/evening.pdf", game=three)[0]
    assert "Ann and Ben won 1 game each" in pages(client, "/api/v1/evening.pdf", game=three[:2])[0]
    assert "Ann won 1 game " in pages(client, "/api/v1/evening.pdf", game=three[:1])[0]
    running = played(client, NAMES[:3], 1, stakes=None)
    assert "Ann leads" in pages(client, "/api/v1/evening.pdf", game=[running])[0]
    both = [running, played(client, NAMES[:3], 2, stakes=None)]
    assert "No game is won yet" in pages(client, "/api/v1/evening.pdf", game=both)[0]


@pytest.mark.parametrize(("paper", "asked"), matrix(["a5", "a4", "letter"], [{}, {"print": "large", "sign": "1"}]))
def test_head_and_foot_of_a_page_keep_clear_of_its_edge(client, paper, asked):
    """5 mm, in which lasers print nothing, on every page; and the foot is one line."""
    code = played(client, LONG[:6], 30, stakes=STAKES)
    for page in pypdfium2.PdfDocument(pdf_of(client, code, paper=paper, **asked)):
        high = page.get_height() / MILLIMETRE
        boxes = [box for _size, box in sizes(page)]
        assert min(box[1] for box in boxes) >= 5
        assert max(box[3] for box in boxes) <= high - 5 + 0.3
        foot = page.get_textpage().get_text_range().strip().splitlines()
        assert any(re.fullmatch(r"(.* )?Page \d+ of \d+.*", line) for line in foot)


@pytest.mark.parametrize(("asked", "least"), [({"print": "large"}, 12), ({"paper": "a5"}, 7.5), ({}, 8.5)])
@pytest.mark.parametrize("players", [3, 8])
def test_no_letter_is_smaller_than_its_reader_can_read(client, players, asked, least):
    code = played(client, LONG[:players], 12, stakes=STAKES)
    for page in pypdfium2.PdfDocument(pdf_of(client, code, sign=1, **asked)):
        assert min(size for size, _box in sizes(page)) > least - 0.05


def lacking(monkeypatch):
    """A machine without Chinese letters, whatever fonts this one has."""
    monkeypatch.setattr(
        "app.sheets.stand_ins.unlettered", lambda texts: frozenset("".join(texts)) & frozenset("李雷🎲")
    )


def test_paper_for_a_pen_has_an_empty_line_for_a_name_without_letters(client, monkeypatch):
    lacking(monkeypatch)
    (shown,) = pages(client, "/api/v1/sheets/blank.pdf", names="Ann,李雷,🎲 Bob,Bartholomew Montague,Eve")
    assert "Hand Ann Bob Bartholomew Montague Eve" in shown
    assert "Player 2" not in shown


@pytest.mark.parametrize("path", ["games/{}/sheet.pdf", "games/{}/settlement.pdf", "evening.pdf?game={}"])
def test_paper_says_which_names_this_machine_has_no_letters_for(client, monkeypatch, path):
    lacking(monkeypatch)
    code = played(client, ["Ann", "李雷", "🎲 Bob"], 2, stakes=STAKES)
    (shown,) = pages(client, f"/api/v1/{path.format(code)}")
    assert "This machine lacks letters for the names printed as Player 2 and Bob." in shown
    lettered = played(client, ["Ann", "Ben"], 2, stakes=STAKES)
    assert "lacks letters" not in pages(client, f"/api/v1/{path.format(lettered)}")[0]


def test_the_same_sheet_has_the_same_bytes_after_a_restart(app, client):
    """The keys of an entry stand as typed until the log is read back."""
    code = played(client, NAMES[:3], 1)
    own = {"kind": "hand", "left": {"3": {"points": 7}, "2": {"points": 5}}, "ending": "going_out", "winner": 1}
    made = client.post("/api/v1/games", json={"variant": "classic", "players": ["Ann", "Ben", "Cat"]}).json
    sent = send(client, made["code"], made["scorer"], own, seen=made["seen"])
    assert sent.status_code == 201, sent.text
    for each in (code, made["code"]):
        before = [printed(client, f"/api/v1/games/{each}/sheet.{kind}") for kind in ("pdf", "json")]
        files.throw_away()
        own_app = create_app({key: app.config[key] for key in ("DATABASE_URL", "SECRET_KEY", "TESTING")})
        after = [printed(own_app.test_client(), f"/api/v1/games/{each}/sheet.{kind}") for kind in ("pdf", "json")]
        log.close_database(own_app)
        assert before == after


@pytest.mark.parametrize("players", [2, 5, 8])
def test_everybody_signs_above_their_name(client, players):
    code = played(client, LONG[:players], 6, stakes=STAKES)
    shown = " ".join(pages(client, f"/api/v1/games/{code}/sheet.pdf", sign=1))
    for name in LONG[:players]:
        assert f"Signed: {name}" in shown
    for room in ("Event", "Round", "Table"):
        assert room in shown
    assert patiently(client, f"/api/v1/games/{code}/sheet.pdf").status_code == 200
    assert "Signed" not in " ".join(pages(client, f"/api/v1/games/{code}/sheet.pdf"))


@pytest.mark.parametrize("asked", [{}, {"paper": "a5"}, {"print": "large"}])
def test_names_are_turned_before_a_word_is_broken(client, asked):
    """Each word of a name is read in one piece, however narrow its column is."""
    names = ["Konstantinopelmariax", "Wilhelmina Schwarzenegger", *LONG[:2], *LONG[4:]]
    names = [name[:20] for name in names]
    code = played(client, names, 7, stakes=STAKES)
    shown = words_of(pdf_of(client, code, **asked))
    assert {word for name in names for word in name.split()} <= set(shown)


def test_the_slip_of_eight_has_letters_of_ten_points_and_every_line(client):
    """Seven pay 1.00 each into the pool, 0.20 twice and 0.40 once to Bartholomew, who wins it with his own."""
    hands = [all_hold(61, 8, ending=how) for how in ("going_out", "going_out", "kalooki")]
    stakes = {"currency": "EUR", "call_up": 20, "kalooki": 40, "initial": 100, "buy_in": 100}
    code = imported(client, {"variant": "european", "players": LONG, "stakes": stakes}, hands)
    address = f"/api/v1/games/{code}/settlement.pdf"
    (shown,) = pages(client, address)
    assert "Money Balance Stakes Call-ups Kalookis Pool" in shown
    assert "Bartholomew Montague +12.60 −1.00 +2.80 +2.80 +8.00" in shown
    for name in LONG[1:]:
        assert f"{name} −1.80 −1.00 −0.40 −0.40" in shown
    (page,) = pypdfium2.PdfDocument(printed(client, address))
    assert min(size for size, _box in sizes(page)) >= 7.4
    assert sum(size > 9.9 for size, _box in sizes(page)) > 300
