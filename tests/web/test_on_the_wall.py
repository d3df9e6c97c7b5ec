"""What a table dislikes on a wall: colours changed, rows cut, names replaced in silence, words beyond the edge."""

import re

import pypdfium2
import pytest

from app import create_app
from app.sheets.chart import INKS
from app.store import opening
from app.views import sheets
from tests.matrix import matrix
from tests.pages import start
from tests.web.paper_reader import NAMES, is_inked, pdf_of, played, printed, sizes, words_of

pytestmark = pytest.mark.one_app

LONG = ["Konstantinopelmariax", "Wilhelmina Schwarzen", "Bartholomew Montague", "Konstantinopel Maria"]
LONG += ["Jean-Baptiste de Mol", "Uncle Leonard Okwuo", "Wilhelmina Harkness", "Łukasz Brzęczyszczyk"]
STAKES = {"currency": "JMD", "call_up": 2000, "kalooki": 4000, "initial": 100000, "buy_in": 10000}
MILLIMETRE = 72 / 25.4


@pytest.mark.parametrize(("path", "players"), matrix(["api/v1/games/{}/sheet.png", "g/{}/result.png"], [8, 6, 2]))
def test_a_picture_paints_each_player_in_their_own_colour(client, path, players):
    """The faces' colours are dealt in the order of the seats."""
    code = played(client, NAMES[:players], 9)
    picture = printed(client, "/" + path.format(code))
    assert [ink for ink in [*INKS.values()][:players] if not is_inked(picture, ink)] == []


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


@pytest.mark.parametrize(
    ("asked", "least"), [({}, 8.5), ({"paper": "letter"}, 8.5), ({"paper": "a5"}, 7.5), ({"print": "large"}, 12)]
)
def test_long_names_are_whole_large_enough_and_clear_of_the_edge(client, asked, least):
    """5 mm, in which lasers print nothing; the foot is one line; names are turned before a word is broken."""
    code = played(client, LONG, 30, stakes=STAKES)
    pdf = pdf_of(client, code, **asked)
    for page in pypdfium2.PdfDocument(pdf):
        letters, boxes = zip(*sizes(page), strict=True)
        assert min(letters) > least - 0.05
        assert min(box[1] for box in boxes) >= 5
        assert max(box[3] for box in boxes) <= page.get_height() / MILLIMETRE - 5 + 0.3
        foot = page.get_textpage().get_text_range().strip().splitlines()
        assert any(re.fullmatch(r"(.* )?Page \d+ of \d+.*", line) for line in foot)
    assert {word for name in LONG for word in name.split()} <= {*words_of(pdf)}
