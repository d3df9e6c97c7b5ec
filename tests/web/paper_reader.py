"""Reads what was printed: the words of its pages, the size of its type; and imports games to print."""

import io
import time
from functools import lru_cache
from math import hypot

import pypdf
import pytest
from flask import template_rendered
from lxml import html
from PIL import Image
from pypdfium2 import PdfDocument, raw

from app.views import sheets
from tests.house_rules import RANGES, book, contradictions
from tests.json_scorer import import_game
from tests.pages import hand

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"]
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
STAKES = {"currency": "GBP", "call_up": 20, "kalooki": 100, "initial": 200, "buy_in": 500}


def imported(client, start, events):
    """An imported game, which is quicker than recording hundreds of hands."""
    return import_game(client, [{"kind": "start", **start}, *events]).code


def played(client, names, hands, variant="kalooki-51", **start):
    """A game in which everybody wins in turn and the others get 10 to 60 points."""
    events = []
    for number in range(hands):
        winner = number % len(names) + 1
        seats = (seat for seat in range(1, len(names) + 1) if seat != winner)
        events.append(hand(winner, **{f"s{seat}": 10 + (7 * seat * number) % 51 for seat in seats}))
    return imported(client, {"variant": variant, "players": names, **start}, events)


def patiently(client, address, **options):
    """The answer to who waits as long as a busy renderer asks them to."""
    for _ in range(6):
        answer = client.get(address, **options)
        wait = int(answer.headers["Retry-After"]) if answer.status_code == 503 else 0
        if not 0 < wait <= 60:  # a job that died is not tried again for minutes
            break
        time.sleep(wait)
    return answer


def most_own_rules(variant):
    """Another value than the book's for every key that can have one beside the others."""
    house = {}
    for key, about in RANGES.items():
        for value in about.get("choices", () if "each" in about else (about.get("least"), about.get("most"))):
            if key not in house and value != book(variant)[key] and not contradictions(variant, house | {key: value}):
                house[key] = value
    return house


def pdf_of(client, code, **asked):
    return printed(client, f"/api/v1/games/{code}/sheet.pdf", **asked)


@lru_cache(maxsize=16)
def texts(pdf):
    """The lines of each page; a hyphen at the end of a line stays one, and joins what follows to it."""
    whole = (page.get_textpage().get_text_range() for page in PdfDocument(pdf))
    return [page.replace("\ufffe", "-").splitlines() for page in whole]


def words_of(pdf):
    """The words of the first page; pypdf also reads those on their side in one piece, for a hundred times the time."""
    return pypdf.PdfReader(io.BytesIO(pdf)).pages[0].extract_text().split()


def printed(client, address, **asked):
    answer = patiently(client, address, query_string=asked or None)
    assert answer.status_code == 200, answer.text
    return answer.data


def pdf(client, address, **asked):
    return pypdf.PdfReader(io.BytesIO(printed(client, address, **asked)))


class Rendered(BaseException):
    """The page of a sheet, raised past every handler of errors before it goes to the renderer."""


def lines(client, address, **asked):
    """The lines of the page that would be printed, without printing it.

    Whatever the renderer leaves out for want of room is among them.
    """

    def stop(_app, template, context, **_):
        if template.name.startswith("sheets/"):
            raise Rendered(template.render(context))

    sheets.clear_cache()
    with pytest.raises(Rendered) as page, template_rendered.connected_to(stop, client.application):
        client.get(address, query_string=asked or None)
    return lines_of(page.value.args[0])


def sheet_lines(client, code):
    """The lines of a score sheet, whatever its paper."""
    return lines_of(client.get(f"/api/v1/games/{code}/sheet.html").text)


def lines_of(page):
    """The headings, paragraphs, items and rows of a page."""
    blocks = html.fromstring(page.removeprefix("<!doctype html>")).iter("h1", "h2", "h3", "p", "li", "tr")
    found = (each.xpath(".//th | .//td") if each.tag == "tr" else [each] for each in blocks)
    return [" ".join(" ".join(part.text_content() for part in parts).split()) for parts in found]


def pages(client, address, **asked):
    """The text of each page, without line breaks."""
    return pages_of(printed(client, address, **asked))


def pages_of(pdf):
    return [" ".join(" ".join(page).split()) for page in texts(pdf)]


def is_inked(picture, ink):
    """Whether a picture of few colours has a colour such as "#1a4fb0", or one that looks like it."""
    shown, own = Image.open(io.BytesIO(picture)).convert("RGB"), bytes.fromhex(ink[1:])
    colours = (colour for count, colour in shown.getcolors(shown.width * shown.height) if count > 100)
    return any(all(abs(a - b) <= 3 for a, b in zip(own, each, strict=True)) for each in colours)


def millimetres(reader):
    box = reader.pages[0].mediabox
    return round(float(box.width) / 72 * 25.4), round(float(box.height) / 72 * 25.4)


def sizes(page):
    """The type size of each letter of a page in points, with its box in millimetres from the upper left."""
    text = page.get_textpage()
    for place in range(text.count_chars()):
        if raw.FPDFText_GetUnicode(text, place) > 32:
            left, bottom, right, top = (edge * 25.4 / 72 for edge in text.get_charbox(place))
            down = page.get_height() * 25.4 / 72
            yield size_of(text, place), (left, down - top, right, down - bottom)


def size_of(text, place):
    """The type size of a letter in points: what draws it has the page in a unit of its own."""
    drawn = raw.FS_MATRIX()
    assert raw.FPDFText_GetMatrix(text, place, drawn)
    return raw.FPDFText_GetFontSize(text, place) * hypot(drawn.c, drawn.d)
