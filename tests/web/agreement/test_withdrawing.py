"""Seated phones are asked for as long as a page of the scorer shows the hand, and no longer."""

import re
from contextvars import Context

import pytest

from app import log
from app.log import messages
from app.log.trouble import Unavailable
from tests.pages import hand, words
from tests.web.asked import SAVED, TYPED, later, look

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]


def not_asked(alice, ben):
    """Nobody is asked anything, and nothing that was said is left over."""
    seen = alice.table.seen
    return (
        "Is this right?" not in ben.get().text
        and "Is this right?" not in ben.get("/board").text
        and "stop" not in alice.see(f"/arriving?seen={seen}")
    )


def test_what_is_recorded_otherwise_takes_the_question_away(alice, ben):
    look(alice)
    alice.record(hand(3, s1=5, s2=5))
    assert not_asked(alice, ben)


def test_what_no_page_renews_is_shown_for_a_minute(alice, ben):
    later(alice.app, 0)
    look(alice)
    assert 'data-lasts="60"' in ben.get().text
    later(alice.app, 61)
    assert "Is this right?" not in ben.get().text
    assert "Is this right?" not in ben.get("/board").text
    look(alice)
    assert "Is this right?" in ben.get("/board").text


def test_a_phone_that_asks_again_is_told_how_long_the_question_still_lasts(alice, ben):
    later(alice.app, 0)
    look(alice)
    known = {"If-None-Match": ben.get("/board").headers["ETag"]}
    later(alice.app, 20)
    again = ben.client.get(f"/g/{alice.code}/board", headers=known)
    assert 35 <= int(re.search(r'data-lasts="(\d+)"', again.text)[1]) <= 40


def test_a_page_that_still_shows_it_renews_it_and_keeps_the_answers(alice, ben):
    look(alice)
    ben.say("stop")
    later(alice.app, 25)
    look(alice)
    later(alice.app, 80)
    assert "You said stop." in ben.get().text
    assert "Ben says stop." in alice.see(f"/arriving?seen={alice.table.seen}")


def test_what_another_page_shows_is_replaced_by_who_types_and_not_by_who_renews(alice, ben):
    look(alice)
    look(alice, points_2="21")
    ben.say("right")
    assert look(alice, again="1").headers["Kalooki-Proposal"] == ""
    assert "You said that it is right." in ben.get().text
    later(alice.app, 61)
    assert look(alice, again="1").headers["Kalooki-Proposal"]
    assert "Ben 0 + 20 = 20" in words(ben.get().text)


def interrupt(monkeypatch, meanwhile):
    """Another phone does `meanwhile` just before the next proposal is written."""
    changing = messages.changing

    def interrupted(code):
        monkeypatch.setattr(messages, "changing", changing)
        Context().run(meanwhile)
        return changing(code)

    monkeypatch.setattr(messages, "changing", interrupted)


def test_a_renewal_leaves_what_another_page_has_just_proposed(alice, ben, monkeypatch):
    look(alice)
    later(alice.app, 20)
    interrupt(monkeypatch, lambda: look(alice, points_2="21") and ben.say("stop", "I had 12"))
    assert look(alice, again="1").headers["Kalooki-Proposal"] == ""
    page = words(ben.get().text)
    assert "Ben 0 + 21 = 21" in page
    assert "“I had 12”" in page


def test_what_was_said_to_what_another_page_has_just_proposed_is_dropped_with_it(alice, ben, monkeypatch):
    look(alice)
    later(alice.app, 20)
    interrupt(monkeypatch, lambda: look(alice, points_2="21") and ben.say("stop", "I had 12"))
    assert look(alice).headers["Kalooki-Proposal"]
    assert "Ben 0 + 20 = 20" in words(ben.get().text)
    assert "says stop" not in alice.see(f"/arriving?seen={alice.table.seen}")


def test_a_form_that_was_emptied_asks_nobody_any_more(alice, ben):
    name = look(alice).headers["Kalooki-Proposal"]
    ben.say("stop", "I had 12")
    assert alice.client.post(f"/g/{alice.code}/withdraw", data={"of": name}).status_code == 204
    assert not_asked(alice, ben)
    assert ben.say("right", of=name).status_code == 303
    assert "look again" in ben.get().text
    look(alice)
    alice.send("/hand", do="save", **TYPED)
    assert alice.events() == [SAVED]


def test_only_the_preview_that_was_left_is_withdrawn(alice, ben):
    old = look(alice).headers["Kalooki-Proposal"]
    look(alice, points_2="21")
    ben.say("right")
    alice.client.post(f"/g/{alice.code}/withdraw", data={"of": old})
    assert "You said that it is right." in ben.get().text


def test_a_hand_that_cannot_be_saved_names_no_proposal(alice, ben):
    assert look(alice, points_2="").headers["Kalooki-Proposal"] == ""
    assert "Is this right?" not in ben.get().text


def test_going_back_to_change_the_sums_withdraws_the_preview(alice, ben):
    page = alice.send("/hand", do="preview", **TYPED).text
    ben.say("stop")
    shown = re.search(r'name="of" value="(\w+)"', page)[1]
    form = alice.send("/hand", do="change", of=shown, **TYPED)
    assert 'value="20"' in form.text
    assert not_asked(alice, ben)


def test_the_way_back_to_the_game_withdraws_the_preview(alice, ben):
    page = alice.send("/hand", do="preview", **TYPED).text
    ben.say("stop")
    head = re.search(r'<form method="post" action="([^"]+/withdraw)">(.*?)</form>', page)
    name = re.search(r'name="of" value="(\w+)"', head[2])[1]
    pressed = {"of": name} | dict([re.search(r'<button class="back" name="(\w+)" value="(\w+)"', head[2]).groups()])
    assert 'name="csrf_token"' in head[2]
    alice.get(f"?left={name}")
    assert ben.client.post(head[1], data=pressed).status_code == 403
    assert "Is this right?" in ben.get().text  # a POST withdraws it, and only the scorer's
    left = alice.client.post(head[1], data=pressed)
    assert (left.status_code, left.location) == (303, f"/g/{alice.code}")
    assert not_asked(alice, ben)


def test_a_preview_that_asks_nobody_is_left_by_a_link(alice):
    page = alice.send("/hand", do="preview", **TYPED).text
    assert f'<a class="back" href="/g/{alice.code}"' in page


def test_leaving_waits_for_no_database(alice, ben, monkeypatch):
    def gone(*_told):
        raise Unavailable("full")

    name = look(alice).headers["Kalooki-Proposal"]
    monkeypatch.setattr(log, "withdraw", gone)
    assert alice.client.post(f"/g/{alice.code}/withdraw", data={"of": name}).status_code == 204
