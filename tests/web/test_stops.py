"""Whoever says stop to a hand is told what became of it."""

import re

import pytest

from tests.pages import Alice, Player
from tests.web.asked import TYPED, look


@pytest.fixture
def alice(app):
    return Alice(app, players=("Ann", "Ben", "Cat"), stakes=None)


@pytest.fixture
def ben(alice):
    return Player(alice, seat=2)


def told_of_the_stop(ben):
    """What Ben's phone says about the hand they stopped: on the page, and on the part of it that follows the game."""
    page, part = (re.search(r'id="stopped-(\w+)"', ben.get(path).text) for path in ("", "/board"))
    assert bool(page) == bool(part)
    return page[1] if page else ""


def test_whoever_said_stop_is_told_that_it_was_saved_all_the_same_until_the_game_goes_on(alice, ben):
    look(alice)
    ben.say("stop")
    assert told_of_the_stop(ben) == ""
    alice.send("/hand", do="save", **TYPED)
    assert told_of_the_stop(ben) == "saved"
    assert told_of_the_stop(Player(alice, seat=3)) == ""
    alice.send("/hand", do="save", winner="2", ending="going_out", points_1="5", points_3="5")
    assert told_of_the_stop(ben) == ""


def test_whoever_said_stop_is_told_that_the_hand_was_changed(alice, ben):
    name = look(alice).headers["Kalooki-Proposal"]
    ben.say("stop")
    alice.client.post(f"/g/{alice.code}/withdraw", data={"of": name})
    assert told_of_the_stop(ben) == "open"
    look(alice, points_2="12")
    assert "the scorer has changed the hand" in ben.get().text
    assert told_of_the_stop(ben) == ""
    alice.send("/hand", do="save", **TYPED | {"points_2": "12"})
    assert told_of_the_stop(ben) == "mended"


def test_whoever_comes_to_agree_is_told_of_no_stop(alice, ben):
    look(alice)
    ben.say("stop")
    ben.say("right")
    alice.send("/hand", do="save", **TYPED)
    assert told_of_the_stop(ben) == ""


def test_what_else_is_recorded_is_no_answer_to_a_stop(alice, ben):
    look(alice)
    ben.say("stop")
    alice.record({"kind": "rename", "seat": 3, "name": "Kate"})
    assert told_of_the_stop(ben) == ""


def test_a_page_the_browser_has_is_not_shown_for_one_that_tells_of_a_stop(alice, ben):
    look(alice)
    ben.say("stop")
    alice.send("/hand", do="save", **TYPED)
    known = ben.get().headers["ETag"]
    with ben.client.session_transaction() as session:
        session.pop("stopped")
    fresh = ben.client.get(f"/g/{alice.code}", headers={"If-None-Match": known})
    assert (fresh.status_code, "stopped-" in fresh.text) == (200, False)
