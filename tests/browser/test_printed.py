"""Pages printed by the browser: what stands on them, on paper that lies as it should."""

import io

import pypdf
import pytest

from tests.pages import all_hold

pytestmark = pytest.mark.browser


def printed(page, path):
    page.goto(path)
    pdf = page.pdf(format="A4", prefer_css_page_size=True)
    return pypdf.PdfReader(io.BytesIO(pdf)).pages


def started(page, players, hands=1):
    start = {"kind": "start", "variant": "kalooki-51", "players": [f"P{seat}" for seat in range(1, players + 1)]}
    log = [{"event": event} for event in (start, *[all_hold(7, players)] * hands)]
    made = page.request.post("/api/v1/games/import", data={"log": log})
    return made.json()["code"]


def test_the_sheet_page_prints_like_the_sheet(page):
    code = started(page, 4, hands=9)
    for path in (f"/g/{code}/sheet", f"/api/v1/games/{code}/sheet.html"):
        (paper,) = printed(page, path)
        shown = paper.extract_text()
        assert "Total" in shown
        assert "PDF, A4" not in shown  # what is pressed on a screen
        assert paper.mediabox.height > paper.mediabox.width


def test_many_players_print_on_paper_that_lies_on_its_side(page):
    code = started(page, 8)
    for path in (f"/g/{code}/sheet", f"/api/v1/games/{code}/sheet.html"):
        (paper,) = printed(page, path)
        assert paper.mediabox.width > paper.mediabox.height


def test_columns_are_told_apart_on_paper(page):
    page.emulate_media(media="print")
    page.goto(f"/g/{started(page, 3)}/sheet")
    edges = page.locator(".hands .rows tr:first-child td").evaluate_all(
        "cells => cells.map(cell => parseFloat(getComputedStyle(cell).borderInlineStartWidth) > 0)"
    )
    assert edges == [True, False] * 3


def test_a_game_prints_its_score_and_no_menu(page):
    (paper,) = printed(page, f"/g/{started(page, 4, hands=6)}")
    shown = paper.extract_text()
    assert "P3" in shown
    for menu in ("Table view", "History", "Referee", "Home", "Continue on this phone", "Is the phone"):
        assert menu not in shown
    for sign in (".dealer-mark", ".face"):
        kept = page.locator(sign).first.evaluate("sign => getComputedStyle(sign).printColorAdjust")
        page.emulate_media(media="print")
        printed_as = page.locator(sign).first.evaluate("sign => getComputedStyle(sign).printColorAdjust")
        assert (kept, printed_as) == ("economy", "exact"), sign
        page.emulate_media(media="screen")


OVER = "() => [document.scrollingElement, document.querySelector('.hands-box')].map(e => e.scrollWidth - e.clientWidth)"


def test_a_phone_shows_four_players_beside_each_other_and_more_in_a_box_that_scrolls(page):
    for players, is_wider in ((4, False), (8, True)):
        code = started(page, players, hands=9)
        for path in (f"/g/{code}/sheet", f"/api/v1/games/{code}/sheet.html"):
            page.goto(path)
            beyond_page, beyond_box = page.evaluate(OVER)
            assert (beyond_page, beyond_box > 0) == (0, is_wider), path


def test_who_asks_for_a_sheet_sees_at_once_that_it_is_being_made(page):
    page.goto("/sheets")
    note = page.get_by_text("The sheet is being made.")
    assert not note.is_visible()
    page.wait_for_load_state("load")
    form = page.locator("form:has([data-waits])")
    form.evaluate("form => form.dispatchEvent(new SubmitEvent('submit'))")  # goes nowhere, so that the page can be read
    note.wait_for(state="visible")
