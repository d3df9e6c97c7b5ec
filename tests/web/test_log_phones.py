"""What the phones around a table keep beside the log, on both databases: counts, appeals, rights that pass."""

import shutil

import pytest
from flask import current_app

from app import create_app, log
from tests.web.at_once import at_once

START = {"kind": "start", "variant": "european", "players": ["Ann", "Ben", "Cat"]}


@pytest.fixture(params=["sqlite", "postgresql"])
def code(request, empty_database, tmp_path):
    if request.param == "sqlite":
        url = f"sqlite:///{shutil.copy(empty_database, tmp_path / 'games.db')}"
    else:
        url = request.getfixturevalue("migrated_postgresql")()
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    with app.app_context():
        yield log.new_game(START, "started", "Ann's phone").code
        log.db.engine.dispose()


def counts(code, after):
    """What was handed in for the hand dealt after that entry, by seat."""
    return {each.seat: each.contents for each in log.messages_of(code) if (each.kind, each.about) == ("count", after)}


def test_the_edition_counts_entries_and_everything_else(code):
    assert str(log.edition(code)) == "1.0"
    log.hand_in(code, 1, 2, "K Q")
    assert str(log.edition(code)) == "1.1"
    with log.writing(code) as held:
        held.append({"kind": "void"}, "void", "Ann's phone")
    assert str(log.edition(code)) == "2.1"
    assert log.edition("NOSUCHGAME2") is None


def test_a_count_replaces_the_one_before_and_those_of_earlier_hands(code):
    log.hand_in(code, 1, 2, "K Q")
    log.hand_in(code, 1, 3, "=35")
    log.hand_in(code, 1, 2, "K")
    assert counts(code, 1) == {2: "K", 3: "=35"}
    log.hand_in(code, 5, 2, "7")
    assert counts(code, 5) == {2: "7"}
    assert counts(code, 1) == {}


def test_a_count_that_comes_too_late_leaves_those_of_the_hand_now_played(code):
    log.hand_in(code, 5, 2, "7")
    log.hand_in(code, 1, 3, "K Q")
    assert counts(code, 5) == {2: "7"}


def test_a_count_taken_back_is_gone(code):
    log.hand_in(code, 1, 2, "K Q")
    log.hand_in(code, 1, 2, "")
    assert counts(code, 1) == {}


def test_nobody_counts_in_a_game_that_is_not_there(code):
    with pytest.raises(log.NoSuchGame):
        log.hand_in("NOSUCHGAME2", 1, 2, "K")
    assert counts("NOSUCHGAME2", 1) == {}


def test_an_open_appeal_is_made_once_and_answered_once(code):
    for _ in range(2):
        log.make_appeal(code, "referee", 2, "Ben's phone", 60)
    (appeal,) = log.messages_of(code)
    assert (appeal.kind, appeal.seat, appeal.device, appeal.answer) == ("referee", 2, "Ben's phone", "")
    assert appeal.age < 5
    assert log.answer_appeal(code, appeal.id, "settled", "Ann's phone")
    assert not log.answer_appeal(code, appeal.id, "settled", "Cat's phone")
    (answered,) = log.messages_of(code)
    assert (answered.answer, answered.answered_by) == ("settled", "Ann's phone")


def test_an_appeal_that_has_run_out_can_be_made_again(code):
    log.make_appeal(code, "referee", 2, "Ben's phone", 60)
    log.make_appeal(code, "referee", 2, "Ben's phone", 0)
    assert len(log.messages_of(code)) == 2


SECRET = "BENWRITESFROMNOWQN2"


def passed_to_ben(code, appeal):
    """The secret of Ben's right to write, in place of his right to sit; None if the appeal passes no pen."""
    own = log.grant_for(code, log.mint(code, "player", seat=2, device="Ben's phone"))
    return log.pass_pen(code, appeal, 2, "Ben's phone", own, SECRET)


def test_the_pen_takes_the_right_from_all_who_wrote_but_not_the_recovery_code(code):
    scorer, other = log.mint(code, "scorer"), log.mint(code, "scorer", device="Dan's phone")
    recovery, seat = log.mint(code, "recovery"), log.mint(code, "player", seat=3)
    log.make_appeal(code, "pen", 2, "Ben's phone", 60)
    (appeal,) = log.messages_of(code)
    secret = passed_to_ben(code, appeal.id)
    assert log.grant_for(code, secret).role == "scorer"
    assert [log.grant_for(code, each) for each in (scorer, other)] == [None, None]
    assert [log.grant_for(code, each).role for each in (recovery, seat)] == ["recovery", "player"]


def test_a_pen_refused_or_passed_does_not_pass_again(code):
    scorer = log.mint(code, "scorer")
    log.make_appeal(code, "pen", 2, "Ben's phone", 60)
    (appeal,) = log.messages_of(code)
    log.answer_appeal(code, appeal.id, "refused", "Ann's phone")
    assert passed_to_ben(code, appeal.id) is None
    assert log.grant_for(code, scorer).role == "scorer"


def test_an_appeal_is_answered_as_what_it_asked_for(code):
    for kind in ("referee", "pen"):
        log.make_appeal(code, kind, 2, "Ben's phone", 60)
    referee, pen = (appeal.id for appeal in log.messages_of(code))
    assert passed_to_ben(code, referee) is None
    assert not log.answer_appeal(code, referee, "refused", "Ann's phone")
    assert not log.answer_appeal(code, pen, "settled", "Cat's phone")
    assert [appeal.answer for appeal in log.messages_of(code)] == ["", ""]


def test_a_right_minted_instead_takes_back_the_one_of_the_same_role_only(code):
    invitation, cat = log.mint(code, "player"), log.mint(code, "player", 3)
    written_down = log.mint(code, "recovery")
    again = log.mint(code, "recovery", instead=True)
    assert log.grant_for(code, written_down) is None
    assert all(log.grant_for(code, each) for each in (invitation, cat, again))


def test_a_seat_that_has_a_phone_goes_to_another_only_instead_of_that_one(code):
    invitation, cat = log.mint(code, "player"), log.mint(code, "player", 3)
    ben = log.grant_for(code, log.take_seat(code, 2, "Ben's phone"))
    assert log.take_seat(code, 2, "another phone") == ben
    assert log.take_seat(code, 2, "another phone", {ben.id + 1}) == ben
    again = log.take_seat(code, 2, "another phone", {ben.id})
    assert [each.device for each in log.grants(code) if each.seat == 2 and not each.revoked_at] == ["another phone"]
    assert all(log.grant_for(code, each) for each in (invitation, cat, again))


def test_of_phones_that_choose_a_free_seat_together_one_gets_it_and_the_others_are_told(code):
    app = current_app._get_current_object()
    answers = at_once(app, 6, lambda number: log.take_seat(code, 2, f"phone {number}"))
    (seated,) = (each for each in log.grants(code) if each.seat == 2)
    (secret,) = (answer for answer in answers if isinstance(answer, str))
    assert log.grant_for(code, secret) == seated
    assert [answer for answer in answers if answer != secret] == [seated] * 5


def test_a_game_under_another_code_is_the_same_game(code):
    scorer = log.mint(code, "scorer")
    fresh = log.renew_code(code)
    assert log.read(code) is None
    assert log.read(fresh).entries[0].event == START
    assert log.code_for(scorer) == fresh
    log.revoke(fresh, log.grant_for(fresh, scorer).id)
    assert log.code_for(scorer) is None


def test_a_right_taken_back_is_told_to_the_phones(code):
    secret = log.mint(code, "scorer")
    before = log.edition(code)
    log.revoke(code, log.grant_for(code, secret).id)
    assert log.edition(code) > before
