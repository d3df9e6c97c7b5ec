"""Whoever says stop to a hand is told what became of it."""

import re

import pytest
from sqlalchemy import event

from app import log
from tests.pages import Player, hand
from tests.web.asked import TYPED, look

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]


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


@pytest.mark.parametrize("stopped", ["/correct/3/preview", "/hand/preview", "/insert/3/preview"])
@pytest.mark.parametrize(
    "saved",
    [
        {"kind": "amend", "target": 2, "event": hand(1, s2=9, s3=9)},
        {"kind": "insert", "before": 2, "event": hand(1, s2=9, s3=9)},
        {"kind": "amend", "target": 3, "event": {"kind": "void", "reason": "misdeal"}},
    ],
)
def test_what_is_saved_of_another_hand_is_no_answer_to_a_stop(alice, ben, stopped, saved):
    alice.record(hand(1, s2=5, s3=5), hand(2, s1=5, s3=5))
    alice.send(stopped, **TYPED)
    ben.say("stop")
    alice.record(saved)
    assert told_of_the_stop(ben) == ""


@pytest.mark.parametrize("path", ["/correct/2", "/insert/2"])
def test_whoever_stopped_a_hand_of_before_is_told_what_became_of_that_one(alice, ben, path):
    alice.record(hand(1, s2=5, s3=5), hand(2, s1=5, s3=5))
    alice.send(f"{path}/preview", **TYPED)
    ben.say("stop")
    alice.send("/correct/3/preview", **TYPED)
    assert "the scorer has changed the hand" not in ben.get().text
    alice.send(f"{path}/preview", **TYPED | {"points_2": "12"})
    assert "the scorer has changed the hand" in ben.get().text
    alice.send(path, do="save", **TYPED | {"points_2": "12"})
    assert told_of_the_stop(ben) == "mended"


def test_a_stop_noted_by_an_earlier_release_is_no_fault(alice, ben):
    with ben.client.session_transaction() as session:
        session["stopped"] = [alice.code, alice.table.seen, "name"]
    assert told_of_the_stop(ben) == "open"


@pytest.mark.parametrize("ending", ["saved", "open"])
def test_what_became_of_a_stop_is_told_until_it_is_read_also_after_the_last_hand(alice, ben, ending):
    name = look(alice).headers["Kalooki-Proposal"]
    ben.say("stop")
    if ending == "saved":
        alice.send("/hand", do="save", **TYPED | {"points_2": "151", "points_3": "151"})  # the limit is 150
        assert alice.table.game.finish
    alice.client.post(f"/g/{alice.code}/withdraw", data={"of": name})
    assert told_of_the_stop(ben) == ("mended" if ending == "saved" else "open")
    known = ben.get().headers["ETag"]
    assert ben.client.post(f"/g/{alice.code}/opinion", data={"do": "read"}).location == f"/g/{alice.code}"
    assert told_of_the_stop(ben) == ""
    assert ben.client.get(f"/g/{alice.code}", headers={"If-None-Match": known}).status_code == 200


def test_a_phone_that_said_nothing_has_nothing_to_read(alice, ben):
    assert ben.client.post(f"/g/{alice.code}/opinion", data={"do": "read"}).status_code == 303
    assert told_of_the_stop(ben) == ""


def test_what_is_proposed_is_read_once_a_page(alice, ben):
    look(alice)
    ben.say("stop")
    read = []
    with alice.app.app_context():
        event.listen(log.db.engine, "before_cursor_execute", lambda *told: read.append(told[2]))
    for path in ("", "/board"):
        read.clear()
        assert "Is this right?" in ben.get(path).text
        assert sum("FROM message" in statement for statement in read) == 1


def test_a_page_the_browser_has_is_not_shown_for_one_that_tells_of_a_stop(alice, ben):
    look(alice)
    ben.say("stop")
    alice.send("/hand", do="save", **TYPED)
    known = ben.get().headers["ETag"]
    with ben.client.session_transaction() as session:
        session.pop("stopped")
    fresh = ben.client.get(f"/g/{alice.code}", headers={"If-None-Match": known})
    assert (fresh.status_code, "stopped-" in fresh.text) == (200, False)
