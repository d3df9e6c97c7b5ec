"""Sheets: a page of 6 players × 20 hands against reportlab, and recording hands
while eight readers ask for sheets.

The peer draws the same page with reportlab: the same texts, a Table whose cells are Paragraphs (one cell holds small
points beside a bold total), the chart as a drawing and the code as its squares.
"""

from __future__ import annotations

import gc
import io
import json
import random
import re
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.request import Request, urlopen
from uuid import uuid4

from app import create_app
from app.games.recording import RecordedGame, open_game
from app.settings import ROOT
from app.sheets import renderer
from app.sheets.chart import Chart
from app.sheets.paper import A4
from app.sheets.score_sheet import ScoreSheet, score_sheet
from tests.server import Server

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")
HANDS = 20
AT_ONCE = 8
PAUSE = 0.03
SCALE = 72 / 254
"""Points of a tenth of a millimetre, in which charts are drawn."""


class Size(NamedTuple):
    """How many times each thing is measured."""

    rounds: int
    recorded: int


FULL, TINY = Size(rounds=25, recorded=150), Size(rounds=2, recorded=3)


def main(*, tiny: bool = False) -> None:
    size = TINY if tiny else FULL
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"DATABASE_URL": f"sqlite:///{folder}/games.db", "SECRET_KEY": "bench", "TESTING": True})
        with app.test_request_context("/"):
            table = evening(app.test_client())
            job, sheet = job_of(table), score_sheet(table, A4)
        against_reportlab(sheet, job, size.rounds)
        recording_while_printing(folder, size.recorded)


def evening(client: Any) -> RecordedGame:
    """A game of 6 players and 20 hands with random but fixed points."""
    chance = random.Random(51)
    made = client.post("/api/v1/games", json={"variant": "kalooki-51", "players": NAMES}).json
    for number in range(HANDS):
        winner = chance.randrange(1, 7)
        left = {str(seat): {"points": chance.randrange(2, 60)} for seat in range(1, 7) if seat != winner}
        event = {"kind": "hand", "winner": winner, "ending": "going_out", "left": left}
        sent = {"event": event, "seen": number + 1, "submission": str(uuid4())}
        headers = {"Authorization": f"Bearer {made['scorer']}"}
        assert client.post(f"/api/v1/games/{made['code']}/entries", json=sent, headers=headers).status_code == 201
    table = open_game(made["code"])
    assert table
    return table


def job_of(table: RecordedGame) -> renderer.Job:
    """The job the view gives the renderer for this game."""
    from app.views import sheets

    jobs: list[renderer.Job] = []
    made, renderer.make = renderer.make, lambda job: jobs.append(job) or b""  # type: ignore[func-returns-value]
    sheets._print_sheet(table, A4)
    renderer.make = made
    return jobs[0]


def against_reportlab(sheet: ScoreSheet, job: renderer.Job, rounds: int) -> None:
    from app.sheets import render_worker

    squares = re.search(r'class="qrline"[^>]*d="([^"]+)"', job.html)
    assert squares
    peer = peer_of(sheet, squares[1])
    gc.freeze()  # as the renderer does before its first page
    ours, theirs = interleaved(lambda: render_worker.make(job), peer, rounds)
    print(f"a page of {len(NAMES)} players × {HANDS} hands: {ours * 1000:.0f} ms, reportlab {theirs * 1000:.0f} ms")
    print(f"  {ours / theirs:.2f} times the peer (aim: at most 4)")


def interleaved(one: Callable[[], object], other: Callable[[], object], rounds: int) -> tuple[float, float]:
    """The CPU seconds of the fastest of some rounds each, warm: what the machine does besides counts for neither."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for place, make in enumerate((one, other)):
            gc.collect()
            started = time.process_time()
            make()
            times[place].append(time.process_time() - started)
    return min(times[0]), min(times[1])


def peer_of(sheet: ScoreSheet, squares: str) -> Callable[[], bytes]:
    """The same page as a function that draws it with reportlab."""
    from reportlab.lib.pagesizes import A4 as PAGE
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import SimpleDocTemplate, Spacer

    _register_fonts()
    text = ParagraphStyle("text", fontName="Sheet", fontSize=9, leading=12)

    def draw() -> bytes:
        file = io.BytesIO()
        story = [*_head(sheet, squares, text), Spacer(0, 6), _table(sheet, text), *_foot(sheet, text)]
        SimpleDocTemplate(file, pagesize=PAGE, title=sheet.name, author=", ".join(sheet.players)).build(story)
        return file.getvalue()

    return draw


def _register_fonts() -> None:
    from reportlab.lib.fonts import addMapping
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    for name, file in (("Sheet", "DejaVuSans.ttf"), ("Sheet-Bold", "DejaVuSans-Bold.ttf")):
        pdfmetrics.registerFont(TTFont(name, str(ROOT / "static/fonts" / file)))
    for bold in (0, 1):
        addMapping("Sheet", bold, 0, "Sheet-Bold" if bold else "Sheet")


def _head(sheet: ScoreSheet, squares: str, text: Any) -> list[Any]:
    """The title, what is said below it, and the code."""
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    title = ParagraphStyle("title", parent=text, fontName="Sheet-Bold", fontSize=17, leading=20)
    return [Paragraph(sheet.headline, title), *(Paragraph(line, text) for line in sheet.head), _code(squares)]


def _code(squares: str) -> Any:
    """The code, drawn along the path of its squares: moves (M, m) and strokes to the right (h)."""
    from reportlab.graphics.shapes import Drawing, Line

    drawn, x, y = Drawing(75, 75), 0.0, 0.0
    for command, across, down in re.findall(r"([Mmh])([\d.-]+)(?: ([\d.-]+))?", squares):
        if command == "h":
            drawn.add(Line(x * 2.4, 75 - y * 2.4, (x + float(across)) * 2.4, 75 - y * 2.4, strokeWidth=2.4))
            x += float(across)
        else:
            x, y = (float(across), float(down)) if command == "M" else (x + float(across), y + float(down or 0))
    return drawn


def _table(sheet: ScoreSheet, text: Any) -> Any:
    """The hands as rows, with lines between them."""
    from reportlab.lib import colors
    from reportlab.platypus import Table as Grid
    from reportlab.platypus import TableStyle

    style = [("FONT", (0, 0), (-1, -1), "Sheet", 9), ("LINEBELOW", (0, 0), (-1, 0), 1.7, colors.black)]
    style += [("LINEBEFORE", (1, 0), (-1, -1), 0.5, colors.grey)]
    style += [("LINEBELOW", (0, 1), (-1, -1), 0.3, colors.grey)]
    return Grid(_rows(sheet, text), colWidths=[62, *[77] * len(NAMES)], style=TableStyle(style))


def _rows(sheet: ScoreSheet, text: Any) -> list[list[Any]]:
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    cell = ParagraphStyle("cell", parent=text, alignment=2)
    head = [Paragraph("<b>Hand</b>", text), *(Paragraph(f"<b>{name}</b>", cell) for name in sheet.players)]
    body = [
        [row.label, *(Paragraph(f'<font size="7.6">{c.points}</font> <b>{c.total}</b>', cell) for c in row.cells)]
        for row in sheet.rows
    ]
    foot = (sheet.totals, *sheet.feet)
    feet = [[line.label, *(Paragraph(value, cell) for value in line.values)] for line in foot]
    return [head, *body, *feet]


def _foot(sheet: ScoreSheet, text: Any) -> list[Any]:
    """The signs explained, and the chart."""
    from reportlab.platypus import Paragraph

    assert sheet.chart
    return [Paragraph(sheet.legend, text), Paragraph("<b>The totals after each hand</b>", text), _chart(sheet.chart)]


def _chart(chart: Chart) -> Any:
    from reportlab.graphics.shapes import Circle, Drawing, Line, PolyLine, String
    from reportlab.lib import colors

    drawn = Drawing(chart.width * SCALE, chart.height * SCALE)

    def up(height: float) -> float:
        return (chart.height - height) * SCALE

    for tick in chart.values:
        drawn.add(Line(25, up(tick.at), chart.right * SCALE, up(tick.at), strokeColor=colors.lightgrey))
        drawn.add(String(0, up(tick.at) - 2, tick.text, fontName="Sheet", fontSize=8))
    for tick in chart.hands:
        drawn.add(String(tick.at * SCALE, 4, tick.text, fontName="Sheet", fontSize=8))
    for place, curve in enumerate(chart.curves):
        points = [float(value) for pair in curve.points.split() for value in pair.split(",")]
        placed = [up(value) if at % 2 else value * SCALE for at, value in enumerate(points)]
        dashes = [4, 2] if curve.mark.is_hollow else None
        drawn.add(PolyLine(placed, strokeWidth=1.4, strokeDashArray=dashes))
        for x, y in curve.marked:
            drawn.add(Circle(x * SCALE, up(y), 2.5))
        drawn.add(String(300, 120 - 12 * place, f"{curve.name} {curve.last}", fontName="Sheet", fontSize=8))
    return drawn


def recording_while_printing(folder: str, hands: int) -> None:
    """A scorer records hand after hand, first alone, then while eight readers ask for the sheet again and again."""
    server = Server(f"sqlite:///{folder}/served.db")
    server.start()
    try:
        urlopen(f"{server.url}/api/v1/variants/european/rules.pdf").read()  # the renderer is warm when it answers
        quiet = recorded(server.url, hands, readers=0)
        busy = recorded(server.url, hands, readers=AT_ONCE)
    finally:
        server.stop()
    for share in (50, 99):
        one, other = at(quiet, share), at(busy, share)
        print(f"recording a hand, p{share}: {one * 1000:.1f} ms alone, {other * 1000:.1f} ms while printing")
    print(f"  p99 {at(busy, 99) / at(quiet, 99):.2f} times the quiet one (aim: at most 2)")


def recorded(base: str, hands: int, readers: int) -> list[float]:
    """The seconds each hand took to record, with so many readers asking for the sheet meanwhile."""
    made = asked(f"{base}/api/v1/games", {"variant": "kalooki-51", "players": NAMES})
    stop, printed = threading.Event(), [0]

    def read(paper: str) -> None:
        while not stop.is_set():
            try:
                urlopen(f"{base}/api/v1/games/{made['code']}/sheet.pdf?paper={paper}", timeout=120).read()
                printed[0] += 1
            except OSError:
                time.sleep(0.1)

    threads = [threading.Thread(target=read, args=(("a4", "letter", "a5")[n % 3],)) for n in range(readers)]
    for thread in threads:
        thread.start()
    times = []
    left = {str(seat): {"points": 7} for seat in range(2, 7)}
    for seen in range(1, hands + 1):
        event = {"kind": "hand", "winner": 1, "ending": "going_out", "left": left}
        sent = {"event": event, "seen": seen, "submission": str(uuid4())}
        started = time.perf_counter()
        asked(f"{base}/api/v1/games/{made['code']}/entries", sent, made["scorer"])
        times.append(time.perf_counter() - started)
        time.sleep(PAUSE)
    stop.set()
    for thread in threads:
        thread.join()
    if readers:
        print(f"{printed[0]} sheets were sent to {readers} readers meanwhile")
    return times


def asked(address: str, body: dict[str, Any], secret: str = "") -> dict[str, Any]:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {secret}"}
    with urlopen(Request(address, json.dumps(body).encode(), headers), timeout=60) as answer:
        read: dict[str, Any] = json.load(answer)
    return read


def at(times: list[float], share: int) -> float:
    """The time within which `share` percent were done."""
    return sorted(times)[min(len(times) - 1, len(times) * share // 100)]
