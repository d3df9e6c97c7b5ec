"""What a table plays differently from its variant: one list, the same on every surface, with what the book says."""

import re

import pytest

from tests.json_scorer import import_game
from tests.pages import Alice, hand, words
from tests.web.form_entries import save

pytestmark = pytest.mark.one_app

OWN = {"limit": None, "jokers": 4}
SAID = ["Jokers: 4 jokers (usually 2 jokers)", "Limit: no limit (usually 150 points)"]
"""In the order of `values.toml`."""


@pytest.fixture
def alice(app):
    return Alice(app, house=OWN)


def listed(page):
    """The lines of the list on a page, as the sheet writes them."""
    rows = re.findall(
        r"(?s)<dt>(.*?)</dt>\s*<dd>(.*?)<span class=\"detail\">(.*?)</span></dd>", page.partition('class="differs"')[2]
    )
    return [f"{words(label)}: {words(own)} ({words(book)})" for label, own, book in rows]


@pytest.mark.parametrize("path", ["/rules", "/disputes"])
def test_pages_list_what_differs_with_what_the_book_says(alice, path):
    assert listed(alice.get(path).text) == SAID


def test_the_sheet_and_the_history_list_the_same(alice):
    sheet, history = alice.see("/sheet"), alice.see("/history")
    assert all(line in sheet and line in history for line in SAID)


def test_a_correction_is_told_with_what_the_book_says(alice):
    save(alice, "setup", dealer="1", settle="account", money="y", currency="EUR", call_up="0.10", kalooki="0.20",
         initial="0.50", buy_in="0.50", **{"house-jokers": "2", "house-limit": "200"})  # fmt: skip
    assert "Jokers: 2 jokers · Limit: 200 points (usually 150 points)" in alice.see("/history")
    assert listed(alice.get("/disputes").text) == ["Limit: 200 points (usually 150 points)"]


def test_json_names_the_values_and_what_the_book_says(alice):
    state = alice.scorer.state()
    assert state["differs"] == state["house"] == ["jokers", "limit"]
    assert state["book"] == {"jokers": 2, "limit": 150}


def test_a_table_that_plays_by_the_book_lists_nothing(app):
    alice = Alice(app)
    assert "plays differently" not in alice.see("")
    assert (alice.scorer.state()["differs"], alice.scorer.state()["book"]) == ([], {})


@pytest.mark.parametrize(("own", "folds"), [(5, False), (6, True)])
def test_more_than_five_differences_fold_on_a_phone(app, own, folds):
    changed = {"jokers": 4, "opening_points": 51, "ace": "both", "limit": 200, "buy_ins": 1, "warning_at": 0}
    alice = Alice(app, house=dict([*changed.items()][:own]))
    page = alice.get("/disputes").text
    assert len(listed(page)) == own
    assert ('<details class="fold differs-more">' in page) == folds


def test_a_saved_game_keeps_its_own_book(app):
    """A game whose variant had a limit of 140 when it began, and jokers worth 20, imported after both changed."""
    alice = Alice(app, house={"limit": 150, "jokers": 4}).record(hand(1, s2="* K", s3=145))
    log = alice.client.get(f"/api/v1/games/{alice.code}/sheet.json").json["log"]
    log[0]["event"]["rules"] |= {"limit": 140, "joker_left": 20}
    state = import_game(app.test_client(), log).state()
    assert (state["differs"], state["book"]) == (["jokers", "limit"], {"jokers": 2, "limit": 140})
    # 20 and 10; 145 is below this table's own 150
    assert [(each["total"], each["in"]) for each in state["players"]] == [(0, True), (30, True), (145, True)]
    assert "Limit: 150 points (usually 140 points)" in words(app.test_client().get(f"/g/{state['code']}/sheet").text)


def test_all_that_a_table_may_change_is_frozen_when_it_begins(alice):
    start = alice.table.log.entries[0].event
    values = alice.client.get("/api/v1/variants/european").json["values"]
    assert start["rules"] == {key: value["value"] for key, value in values.items()}
    assert start["house"] == OWN
