"""Everybody agrees: seated phones see the hand before it is saved, call it right or say stop, and hold nobody up."""

import re
from contextvars import Context
from datetime import UTC, datetime, timedelta

import pytest

from app import log
from app.log import proposals
from app.log.trouble import Unavailable
from tests.pages import Alice, Player, hand, words

TYPED = {"winner": "1", "ending": "going_out", "points_2": "20", "points_3": "35"}
SAVED = hand(1, s2=20, s3=35)


@pytest.fixture
def alice(app):
    return Alice(app, players=("Ann", "Ben", "Cat"), stakes=None)


@pytest.fixture
def ben(alice):
    return Player(alice, seat=2)


def look(alice, **changed):
    """The scorer's phone previews a hand."""
    return alice.send("/hand/preview", **TYPED | changed)


def test_a_seated_phone_sees_the_same_preview_and_a_watcher_does_not(alice, ben):
    look(alice)
    page = words(ben.get().text)
    assert "Is this right?" in page
    assert "Ben 0 + 20 = 20 Cat 0 + 35 = 35" in page
    stranger = alice.app.test_client().get(f"/g/{alice.code}").text
    assert "Is this right?" not in stranger
    assert "Is this right?" not in alice.see()


def test_the_preview_without_script_is_shown_as_well(alice, ben):
    alice.send("/hand", do="preview", **TYPED)
    ben.say("right")
    assert "Ben: that is right." in words(alice.send("/hand", do="preview", **TYPED).text)


def test_who_agreed_is_told_to_the_scorer_and_kept_with_the_hand(alice, ben):
    look(alice)
    assert ben.say("right").status_code == 303
    assert "You said that it is right." in ben.get().text
    assert "Ben: that is right." in alice.see(f"/arriving?seen={alice.table.seen}")
    alice.send("/hand", do="save", **TYPED)
    assert alice.events() == [SAVED | {"agreed": [2]}]
    assert "Agreed: Ben" in alice.see("/history")
    assert "Is this right?" not in ben.get().text


def test_an_objection_is_kept_in_its_words_and_the_last_word_counts(alice, ben):
    look(alice)
    ben.say("right")
    ben.say("stop")
    ben.say("stop", "I had  12")
    assert "Ben says stop: “I had 12”" in alice.see(f"/arriving?seen={alice.table.seen}")
    alice.send("/hand", do="save", **TYPED)
    assert alice.events() == [SAVED | {"objected": {"2": "I had 12"}}]
    assert "Ben objected: I had 12" in alice.see("/history")


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


def test_nobody_has_to_answer(alice, ben):
    look(alice)
    alice.send("/hand", do="save", **TYPED)
    assert alice.events() == [SAVED]


def test_another_preview_drops_the_answers_to_the_one_before(alice, ben):
    look(alice)
    ben.say("right")
    look(alice, points_2="21")
    assert "You said that it is right." not in ben.get().text
    alice.send("/hand", do="save", **TYPED | {"points_2": "21"})
    assert alice.events() == [hand(1, s2=21, s3=35)]


def test_nobody_agrees_to_what_they_have_not_seen(alice, ben):
    look(alice)
    shown = re.search(r'name="of" value="(\w+)"', ben.get().text)[1]
    look(alice, points_2="21")
    ben.say("right", of=shown)
    assert "look again" in ben.get().text
    alice.send("/hand", do="save", **TYPED | {"points_2": "21"})
    assert "agreed" not in alice.events()[0]


def test_who_answers_too_late_is_told_so(alice, ben):
    look(alice)
    shown = re.search(r'name="of" value="(\w+)"', ben.get().text)[1]
    alice.send("/hand", do="save", **TYPED)
    ben.say("stop", of=shown)
    assert "look again" in ben.get().text


def test_a_hand_typed_before_others_recorded_something_is_proposed_to_nobody(alice, ben):
    before = alice.table.seen
    alice.record(SAVED)
    assert look(alice, seen=before).headers["Kalooki-Proposal"] == ""
    assert "Is this right?" not in ben.get().text


def test_what_is_recorded_otherwise_takes_the_question_away(alice, ben):
    look(alice)
    alice.record(hand(3, s1=5, s2=5))
    assert not_asked(alice, ben)


def test_answers_go_only_with_the_hand_they_were_given_to(alice, ben):
    look(alice)
    ben.say("right")
    alice.send("/hand", do="save", **TYPED | {"points_3": "36"})
    assert alice.events() == [hand(1, s2=20, s3=36)]


def test_the_same_page_sent_twice_is_saved_once_though_somebody_answered_in_between(alice, ben):
    look(alice)
    fields = TYPED | {"submission": "one-page", "seen": 1, "do": "save"}
    fields = {name.replace("_", "-"): value for name, value in fields.items()}
    alice.sent("/hand", fields)
    with alice.app.app_context():
        log.propose(alice.code, 2, {"kind": "void"})
    again = alice.sent("/hand", fields)
    assert again.status_code == 303
    assert alice.events() == [SAVED]


def test_the_page_sent_again_does_not_mind_what_was_said_when_it_was_sent_first(alice, ben):
    look(alice)
    ben.say("right")
    fields = {name.replace("_", "-"): value for name, value in TYPED.items()} | {"submission": "p", "seen": 1}
    alice.sent("/hand", fields | {"do": "save"})
    again = alice.sent("/hand", fields | {"do": "save"})
    assert (again.status_code, len(alice.events())) == (303, 1)
    back = alice.sent("/hand", fields | {"do": "preview"})
    assert back.status_code == 303


def test_a_correction_and_a_forgotten_hand_are_agreed_to_as_well(alice, ben):
    alice.record(SAVED)
    alice.send("/correct/2/preview", **TYPED | {"points_2": "21"})
    ben.say("right")
    alice.send("/correct/2", do="save", **TYPED | {"points_2": "21"})
    assert alice.events()[-1]["event"]["agreed"] == [2]
    alice.send("/insert/2/preview", **TYPED)
    ben.say("stop", "no such hand")
    alice.send("/insert/2", do="save", **TYPED)
    assert alice.events()[-1]["event"]["objected"] == {"2": "no such hand"}


def later(app, seconds):
    moment = datetime.now(UTC) + timedelta(seconds=seconds)
    app.config["CLOCK"] = lambda: moment


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
    change = proposals.change

    def interrupted(code, work):
        monkeypatch.setattr(proposals, "change", change)
        Context().run(meanwhile)
        return change(code, work)

    monkeypatch.setattr(proposals, "change", interrupted)


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


def not_asked(alice, ben):
    """Nobody is asked anything, and nothing that was said is left over."""
    seen = alice.table.seen
    return (
        "Is this right?" not in ben.get().text
        and "Is this right?" not in ben.get("/board").text
        and "stop" not in alice.see(f"/arriving?seen={seen}")
    )


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


def test_whoever_is_asked_sees_the_question_first_and_no_bar_over_it(alice, ben):
    ben.appeal("referee")
    assert 'class="action-bar' in ben.get().text
    look(alice)
    for page in (ben.get().text, ben.get("/board").text):
        assert 'class="action-bar' not in page
        assert page.index("agree-title") < page.index("calls the referee")
    assert 'class="action-bar' in alice.get().text


def test_without_a_seated_phone_nothing_is_proposed(alice):
    signals = alice.table.log.signals
    look(alice)
    assert alice.table.log.signals == signals
    with alice.app.app_context():
        assert log.proposed(alice.code) is None


def test_a_hand_is_saved_though_nothing_can_be_proposed(alice, ben, monkeypatch):
    def gone(*_told, **_more):
        raise Unavailable("full")

    monkeypatch.setattr(log, "propose", gone)
    assert look(alice).status_code == 200
    alice.send("/hand", do="save", **TYPED)
    assert alice.events() == [SAVED]


def test_a_deleted_game_leaves_no_proposal(alice, ben):
    look(alice)
    ben.say("right")
    with alice.app.app_context():
        log.delete(alice.code)
        assert log.proposed(alice.code) is None


def test_a_seated_phone_says_you_and_what_it_handed_in(alice, ben):
    assert "Ben you" in words(ben.get().text)
    assert "My cards left" in ben.get().text
    ben.count(points="27")
    assert "Handed in 27 – change" in words(ben.get().text)


def test_a_seated_phone_says_that_its_player_went_out(alice, ben):
    ben.client.post(f"/g/{alice.code}/count", data={"seen": "1", "do": "out"})
    assert "Not out after all" in ben.get().text
    assert 'data-out="2"' in alice.get(f"/arriving?seen={alice.table.seen}").text
    form = alice.get("/hand").text
    assert re.search(r'<input checked[^>]*name="winner"[^>]*value="2"', form)
