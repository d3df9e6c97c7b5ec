"""The end of a game: ranked as the table ranks, and sent as a picture, a text or a message."""

import io
import re
from itertools import pairwise
from urllib.parse import unquote

import pytest
from PIL import Image
from pypdfium2 import PdfDocument

from app.sheets import renderer
from app.sheets.chart import INKS
from app.sheets.result import result_of
from tests.pages import FOUR, Alice, hand
from tests.web.paper_reader import is_inked, sizes

pytestmark = pytest.mark.one_app


@pytest.fixture
def over(app):
    """Cat and Dan go out in hand 2, Ben in hand 3 with more points than Dan: Ann has won."""
    alice = Alice(app, players=FOUR, stakes=None)
    alice.record(hand(1, s2=40, s3=100, s4=99), hand(1, s2=19, s3=63, s4=54), hand(1, s2=100))
    assert alice.totals == [0, 159, 163, 153]
    return alice


@pytest.mark.parametrize(
    ("server", "said"),
    [
        ("http://192.168.2.7:8000", " (works on this Wi-Fi only)"),
        ("http://cards.local", " (works on this Wi-Fi only)"),
        ("http://8.8.8.8", ""),
    ],
)
def test_a_chat_is_told_of_an_address_that_no_other_network_knows(over, server, said, monkeypatch):
    monkeypatch.setattr("app.views.links.own_addresses", lambda: ("192.168.2.7",))
    page = over.client.get(f"/g/{over.code}/result", base_url=server).text
    written = re.search(r"(?s)<textarea[^>]*>(.*?)</textarea>", page)[1].splitlines()[-1]
    assert written.endswith(f"/g/{over.code}{said}")
    assert unquote(re.search(r'href="whatsapp://send\?text=([^"]+)"', page)[1]).endswith(f"/g/{over.code}{said}")


def test_the_picture_is_made_for_a_chat(over):
    answer = over.get("/result.png")
    picture = Image.open(io.BytesIO(answer.data))
    assert (answer.mimetype, picture.width) == ("image/png", 1080)
    assert answer.data == over.client.get(f"/api/v1/games/{over.code}/sheet.png").data  # one picture of a game
    assert len(answer.data) < 150_000
    assert is_inked(answer.data, INKS["green"])  # Cat's bar
    assert is_inked(answer.data, INKS["red"])  # Ben's


def test_a_game_with_a_limit_is_drawn_as_bars_up_to_it_and_another_as_lines(over, app):
    """The longest bar is Cat's 163; of it 150 is 92 hundredths, Ben's 159 97 and Dan's 153 93."""
    result = result_of(over.table)
    bars = {row.stands.player.name: row.bar for row in result.rows}
    assert bars == {"Ann": 0, "Ben": 97, "Dan": 93, "Cat": 100}
    assert (result.limit_at, result.chart) == (92, None)
    endless = result_of(Alice(app, variant="kalooki-51").record(hand(1, s2=5, s3=6)).table)
    assert endless.limit_at is None
    assert endless.chart.title == "The totals after each hand"


@pytest.mark.parametrize(("count", "hands"), [(2, 1), (4, 9), (8, 40)])
def test_the_picture_is_as_tall_as_what_it_shows(app, count, hands):
    """At most two and a half times as tall as wide, nothing cut at its sides, and no empty half."""
    names = [f"Konstantin number {n:02}" for n in range(count)]
    alice = Alice(app, players=names, variant="kalooki-51", stakes=None)
    for _ in range(hands):
        alice.record(hand(1, **{f"s{seat}": 20 + seat for seat in range(2, count + 1)}))
    picture = Image.open(io.BytesIO(alice.get("/result.png").data)).convert("L")
    assert picture.width == 1080
    assert 1000 < picture.height < 2700
    dark = [at for at in range(picture.height) if picture.crop((30, at, 1050, at + 1)).getextrema()[0] < 128]
    assert picture.height - dark[-1] < 60
    assert max(after - before for before, after in pairwise(dark)) < 150
    below = next(at for at in range(picture.height) if picture.getpixel((20, at)) > 200)  # the felt
    for side in ((0, below + 4, 40, picture.height), (1040, below + 4, 1080, picture.height)):
        assert picture.crop(side).getextrema()[0] > 200


def test_the_picture_has_letters_for_a_phone_within_its_margins_and_nothing_to_scan(over, monkeypatch):
    """28 of its 1080 dots at least; 7 mm free at its sides, 4 at its top; drawings only of the bars."""
    jobs, make = [], renderer.make
    monkeypatch.setattr(renderer, "make", lambda job: jobs.append(job) or make(job._replace(dots=0)))
    (page,) = PdfDocument(over.get("/result.png").data)
    letters, boxes = zip(*sizes(page), strict=True)
    assert min(letters) * jobs[0].dots > 27.9
    lefts, tops, rights, _ = zip(*boxes, strict=True)
    assert min(lefts) == pytest.approx(7, abs=0.1)
    assert 4 < min(tops) < 5
    assert 99 < max(rights) < 108 - 7
    assert (jobs[0].html.count("<svg"), jobs[0].html.count("<img")) == (len(FOUR), 0)


def test_the_picture_says_which_hands_it_shows_if_not_all(app):
    result = result_of(Alice(app).record(*[hand(1, s2=5, s3=6)] * 12).table)
    before, first, *_, last = (column.label for column in result.columns)
    assert (before, last) == (f"1–{int(first) - 1}", "12")
    assert result.part == f"Points: hands {first} to 12 of 12."
    for row in result.rows:
        assert sum(int(points) for points in row.last if points != "✓") == row.stands.player.total
