"""Everybody agrees: seated phones see the hand before it is saved, call it right or say stop, and hold nobody up."""

import re

import pytest

from app import log
from app.log.trouble import Unavailable
from tests.pages import Player, hand, words
from tests.web.asked import SAVED, TYPED, look

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]


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


def test_a_link_to_a_preview_asks_nobody_about_it(alice, ben):
    """Anybody can make such a link, also one with points nobody typed."""
    link = f"/g/{alice.code}/hand/look"
    crafted = {"winner": "1", "points-2": "99", "points-3": "99", "seen": "1", "submission": "x-1", "do": "preview"}
    page = alice.client.get(link, query_string=crafted, headers={"Sec-Fetch-Site": "cross-site"})
    assert (page.status_code, "Ben 0 + 99 = 99" in words(page.text)) == (200, True)
    assert "Is this right?" not in ben.get().text
    with alice.app.app_context():
        assert log.messages_of(alice.code) == ()
    # nor does it take away what they are asked
    look(alice)
    ben.say("right")
    alice.client.get(link, query_string=crafted)
    assert "Ben 0 + 20 = 20" in words(ben.get().text)
    assert "You said that it is right." in ben.get().text


def test_who_agreed_is_told_to_the_scorer_and_kept_with_the_hand(alice, ben):
    look(alice)
    assert ben.say("right").status_code == 303
    assert "You said that it is right." in ben.get().text
    assert "Ben: that is right." in alice.see(f"/arriving?seen={alice.table.seen}")
    alice.send("/hand", do="save", **TYPED)
    assert alice.events() == [SAVED | {"agreed": [2]}]
    assert "Agreed: Ben" in alice.see("/history")
    assert "Is this right?" not in ben.get().text


def test_the_scorers_page_is_told_which_hand_was_spoken_of(alice, ben):
    look(alice)
    other = look(alice, points_2="21").headers["Kalooki-Proposal"]
    ben.say("stop")
    told = alice.get(f"/arriving?seen={alice.table.seen}").text
    assert re.search(r'data-opinions data-of="(\w+)"', told)[1] == other
    alice.send("/hand", do="save", **TYPED)
    assert "data-of" not in alice.get(f"/arriving?seen={alice.table.seen}").text


def answers(page):
    """The buttons of the question, each with what it looks like."""
    form = re.search(r'(?s)<form[^>]+action="[^"]*/opinion".*?</form>', page)[0]
    return re.findall(r'<button class="([^"]+)" name="do" value="(\w+)">([^<]+)', form)


def test_after_a_stop_the_loud_button_is_to_say_why(alice, ben):
    look(alice)
    assert answers(ben.get().text) == [
        ("button button-primary", "right", "That is right"),
        ("button", "stop", "Stop!"),
    ]
    ben.say("stop")
    assert answers(ben.get().text) == [
        ("button button-primary", "stop", "Tell the scorer"),
        ("button button-quiet", "right", "It is right after all"),
    ]
    ben.say("right")
    assert answers(ben.get().text) == [("button", "stop", "Stop!")]


def test_an_objection_is_kept_in_its_words_and_the_last_word_counts(alice, ben):
    look(alice)
    ben.say("right")
    ben.say("stop")
    ben.say("stop", "I had  12")
    assert "Ben says stop: “I had 12”" in alice.see(f"/arriving?seen={alice.table.seen}")
    alice.send("/hand", do="save", **TYPED)
    assert alice.events() == [SAVED | {"objected": {"2": "I had 12"}}]
    assert "Ben objected: I had 12" in alice.see("/history")


def test_another_seated_phone_sees_a_stop_that_is_open_and_not_its_own_twice(alice, ben):
    cat = Player(alice, seat=3)
    look(alice)
    ben.say("stop", "I had 12")
    assert "Ben says stop: “I had 12”" in words(cat.get().text)
    assert "Ben says stop" not in words(ben.get().text)
    ben.say("right")
    assert "Ben says stop" not in words(cat.get().text)


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
        assert log.messages_of(alice.code) == ()


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
        assert log.messages_of(alice.code) == ()


def test_a_seated_phone_says_you_and_what_it_handed_in(alice, ben):
    assert "Ben you" in words(ben.get().text)
    assert "My cards left" in ben.get().text
    ben.count(points="27")
    assert "Handed in 27 – change" in words(ben.get().text)
    ben.count(cards="K K * 5")
    button = re.search(r'(?s)href="/g/\w+/count">(.*?)</a>', ben.get().text)[1]
    assert re.fullmatch(r"(?s)<span>Handed in .*K.*5.* – change</span>", button)  # one line, not three columns


def test_a_seated_phone_says_that_its_player_went_out(alice, ben):
    ben.client.post(f"/g/{alice.code}/count", data={"seen": "1", "do": "out"})
    assert "Not out after all" in ben.get().text
    assert 'data-out="2"' in alice.get(f"/arriving?seen={alice.table.seen}").text
    form = alice.get("/hand").text
    assert re.search(r'<input checked[^>]*name="winner"[^>]*value="2"', form)
