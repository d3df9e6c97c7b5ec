"""What the phones around a table keep beside the log, on both databases: counts, and rights."""

import shutil
from hashlib import sha256

import pytest
import sqlalchemy as sa
from flask import current_app

from app import create_app
from app.store import games, grants
from app.store.database import Grant, NoSuchGame, Version, db, version
from tests.pages import take_back

START = {"kind": "start", "variant": "european", "players": ["Ann", "Ben", "Cat"]}


@pytest.fixture(params=["sqlite", "postgresql"])
def code(request, empty_database, tmp_path):
    if request.param == "sqlite":
        url = f"sqlite:///{shutil.copy(empty_database, tmp_path / 'games.db')}"
    else:
        url = request.getfixturevalue("migrated_postgresql")()
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    with app.app_context():
        yield games.new_game(START, "started", "Ann's phone").code
        db.engine.dispose()


def counts(code, after):
    """What was handed in last for the hand dealt after that entry, by seat."""
    phones = games.counts(code, after, version(code) or Version(0, 0))
    return {seat: cards[-1] for seat, cards in phones.items()}


def test_the_edition_counts_entries_and_everything_else(code):
    assert str(version(code)) == "1.0"
    games.hand_in(code, 1, 2, "K Q")
    assert str(version(code)) == "1.1"
    games.append(code, 1, {"kind": "void"}, "void", "Ann's phone")
    assert str(version(code)) == "2.1"
    assert version("NOSUCHGAME2") is None


def test_a_count_replaces_the_one_before_and_those_of_earlier_hands(code):
    games.hand_in(code, 1, 2, "K Q")
    games.hand_in(code, 1, 3, "=35")
    games.hand_in(code, 1, 2, "K")
    assert counts(code, 1) == {2: "K", 3: "=35"}
    games.hand_in(code, 5, 2, "7")
    assert counts(code, 5) == {2: "7"}
    assert counts(code, 1) == {}


def test_a_count_that_comes_too_late_leaves_those_of_the_hand_now_played(code):
    games.hand_in(code, 5, 2, "7")
    games.hand_in(code, 1, 3, "K Q")
    assert counts(code, 5) == {2: "7"}


def test_a_count_taken_back_is_gone(code):
    games.hand_in(code, 1, 2, "K Q")
    games.hand_in(code, 1, 2, "")
    assert counts(code, 1) == {}


def test_nobody_counts_in_a_game_that_is_not_there(code):
    with pytest.raises(NoSuchGame):
        games.hand_in("NOSUCHGAME2", 1, 2, "K")
    assert counts("NOSUCHGAME2", 1) == {}


def test_each_phone_that_joins_has_a_right_of_its_own_and_moves_it(code):
    ben, other = grants.join(code, 2, "Ben's phone"), grants.join(code, 2, "another phone")
    assert grants.grant_for(code, ben) != grants.grant_for(code, other)
    assert grants.join(code, None, "Ben's phone", grants.grant_for(code, ben)) == ""
    assert [grants.grant_for(code, each).seat for each in (ben, other)] == [None, 2]
    assert [grants.grant_for(code, each).may_record for each in (ben, other)] == [False, True]


@pytest.mark.parametrize(
    ("role", "seat", "alone", "may"),
    [
        ("scorer", None, False, True), ("scorer", None, True, True), ("scorer", 2, True, True),
        ("recovery", None, True, True), ("player", 2, False, True), ("player", 2, True, False),
        ("player", None, False, False), ("watch", None, False, False),
    ],
)  # fmt: skip
def test_who_may_record_follows_from_the_right_and_the_switch(code, role, seat, alone, may):
    secret = grants.mint(code, role, seat)
    assert not grants.is_only_starter_recording(code)
    grants.let_only_starter_record(code, only=alone)
    assert grants.is_only_starter_recording(code) == alone
    assert grants.grant_for(code, secret).may_record == may


def test_after_a_reset_one_right_stands_under_another_code(code):
    own, other = grants.mint(code, "scorer"), grants.mint(code, "player", seat=2)
    before = version(code)
    fresh = grants.reset_links(code, grants.grant_for(code, own))
    assert games.load(code) is None
    assert games.load(fresh).entries[0].event == START
    assert [grants.code_for(each) for each in (own, other)] == [fresh, None]
    assert version(fresh) > before


def test_the_secret_to_join_follows_from_the_code_and_ends_with_it(code):
    secret = grants.join_secret(code)
    assert grants.join_secret(code) == secret
    assert grants.is_join_secret(code, secret.lower())
    assert not grants.is_join_secret(code, "é" * 20)
    assert grants.grant_for(code, secret) is None
    fresh = grants.reset_links(code, None)
    assert not grants.is_join_secret(fresh, secret)
    assert not grants.is_join_secret(code, secret)


def test_a_phone_is_known_by_the_secret_it_had_before_a_reset(code):
    own, other = grants.join(code, 2, "Ben's phone"), games.new_game(START, "another", "phone").code
    fresh = grants.reset_links(code, None)
    assert grants.former_codes(fresh, {code: own, fresh: "new", "OTHER": "A" * 20}) == (code,)
    assert grants.former_codes(other, {code: own}) == ()


def test_a_phone_that_lost_the_right_to_record_keeps_the_seat_of_0_3(code):
    """0.3 stored, beside the right taken back, a seat that opens by the same secret."""
    secret = grants.mint(code, "scorer", seat=2)
    lost = grants.grant_for(code, secret)
    kept = sha256(f"seat {sha256(secret.encode()).hexdigest()}".encode()).hexdigest()
    take_back(current_app, lost.id)
    with db.engine.begin() as connection:
        row = connection.execute(sa.select(Grant.game_id).where(Grant.id == lost.id)).one()
        seat = {"game_id": row.game_id, "role": "player", "seat": 2, "secret_hash": kept, "device": "iPhone"}
        connection.execute(sa.insert(Grant).values(seat | {"created_at": "2026-11-21T20:15:00Z"}))
    assert (grants.grant_for(code, secret).role, grants.grant_for(code, secret).seat) == ("player", 2)
