"""What a table dislikes on a wall: colours changed, rows cut, names replaced in silence, words beyond the edge."""

import io
import re

import pypdfium2
import pytest
from PIL import Image

from app import create_app
from app.sheets.chart import INKS
from app.store import opening
from app.views import sheets
from tests.matrix import matrix
from tests.pages import start
from tests.web.paper_reader import NAMES, pdf_of, played, printed, sizes, words_of

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


@pytest.mark.parametrize(("paper", "asked"), matrix(["a5", "a4", "letter"], [{}, {"print": "large"}]))
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


@pytest.mark.parametrize(("asked", "least"), [({"print": "large"}, 12), ({"paper": "a5"}, 7.5)])
@pytest.mark.parametrize("players", [3, 8])
def test_no_letter_is_smaller_than_its_reader_can_read(client, players, asked, least):
    code = played(client, LONG[:players], 12, stakes=STAKES)
    for page in pypdfium2.PdfDocument(pdf_of(client, code, **asked)):
        assert min(size for size, _box in sizes(page)) > least - 0.05


def test_the_same_sheet_has_the_same_bytes_after_a_restart(app, client):
    """The keys of an entry stand as typed until the log is read back."""
    code = played(client, NAMES[:3], 1)
    own = {"kind": "hand", "left": {"3": {"points": 7}, "2": {"points": 5}}, "ending": "going_out", "winner": 1}
    for each in (code, start(client, "classic", ["Ann", "Ben", "Cat"], own).code):
        before = [printed(client, f"/api/v1/games/{each}/sheet.{kind}") for kind in ("pdf", "json")]
        sheets.clear_cache()
        own_app = create_app({key: app.config[key] for key in ("DATABASE_URL", "SECRET_KEY", "TESTING")})
        after = [printed(own_app.test_client(), f"/api/v1/games/{each}/sheet.{kind}") for kind in ("pdf", "json")]
        opening.close_database(own_app)
        assert before == after


@pytest.mark.parametrize("asked", [{}, {"paper": "a5"}, {"print": "large"}])
def test_names_are_turned_before_a_word_is_broken(client, asked):
    """Each word of a name is read in one piece, however narrow its column is."""
    names = ["Konstantinopelmariax", "Wilhelmina Schwarzenegger", *LONG[:2], *LONG[4:]]
    names = [name[:20] for name in names]
    code = played(client, names, 7, stakes=STAKES)
    shown = words_of(pdf_of(client, code, **asked))
    assert {word for name in names for word in name.split()} <= set(shown)
