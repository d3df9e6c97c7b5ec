"""What the phones around a table keep beside the log, on both databases: counts, and rights."""

import shutil
from hashlib import sha256

import pytest
import sqlalchemy as sa
from flask import current_app

from app import create_app, store
from app.store.tables import grant
from tests.pages import take_back
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
        yield store.new_game(START, "started", "Ann's phone").code
        store.db.engine.dispose()


def counts(code, after):
    """What was handed in for the hand dealt after that entry, by seat."""
    return store.counts(code, after, store.version(code) or store.Version(0, 0))


def test_the_edition_counts_entries_and_everything_else(code):
    assert str(store.version(code)) == "1.0"
    store.hand_in(code, 1, 2, "K Q")
    assert str(store.version(code)) == "1.1"
    with store.writing(code) as held:
        held.append({"kind": "void"}, "void", "Ann's phone")
    assert str(store.version(code)) == "2.1"
    assert store.version("NOSUCHGAME2") is None


def test_a_count_replaces_the_one_before_and_those_of_earlier_hands(code):
    store.hand_in(code, 1, 2, "K Q")
    store.hand_in(code, 1, 3, "=35")
    store.hand_in(code, 1, 2, "K")
    assert counts(code, 1) == {2: "K", 3: "=35"}
    store.hand_in(code, 5, 2, "7")
    assert counts(code, 5) == {2: "7"}
    assert counts(code, 1) == {}


def test_a_count_that_comes_too_late_leaves_those_of_the_hand_now_played(code):
    store.hand_in(code, 5, 2, "7")
    store.hand_in(code, 1, 3, "K Q")
    assert counts(code, 5) == {2: "7"}


def test_a_count_taken_back_is_gone(code):
    store.hand_in(code, 1, 2, "K Q")
    store.hand_in(code, 1, 2, "")
    assert counts(code, 1) == {}


def test_nobody_counts_in_a_game_that_is_not_there(code):
    with pytest.raises(store.NoSuchGame):
        store.hand_in("NOSUCHGAME2", 1, 2, "K")
    assert counts("NOSUCHGAME2", 1) == {}


def test_a_seat_that_has_a_phone_goes_to_another_only_instead_of_that_one(code):
    invitation, cat = store.mint(code, "player"), store.mint(code, "player", 3)
    ben = store.grant_for(code, store.take_seat(code, 2, "Ben's phone"))
    assert store.take_seat(code, 2, "another phone") == ben
    assert store.take_seat(code, 2, "another phone", {ben.id + 1}) == ben
    again = store.take_seat(code, 2, "another phone", {ben.id})
    assert [each.device for each in store.grants(code) if each.seat == 2 and not each.revoked_at] == ["another phone"]
    assert all(store.grant_for(code, each) for each in (invitation, cat, again))


def test_of_phones_that_choose_a_free_seat_together_one_gets_it_and_the_others_are_told(code):
    app = current_app._get_current_object()
    answers = at_once(app, 6, lambda number: store.take_seat(code, 2, f"phone {number}"))
    (seated,) = (each for each in store.grants(code) if each.seat == 2)
    (secret,) = (answer for answer in answers if isinstance(answer, str))
    assert store.grant_for(code, secret) == seated
    assert [answer for answer in answers if answer != secret] == [seated] * 5


def test_after_a_reset_one_right_stands_under_another_code(code):
    own, other = store.mint(code, "scorer"), store.mint(code, "player", seat=2)
    before = store.version(code)
    fresh = store.reset_links(code, store.grant_for(code, own))
    assert store.read(code) is None
    assert store.read(fresh).entries[0].event == START
    assert [store.code_for(each) for each in (own, other)] == [fresh, None]
    assert store.version(fresh) > before


def test_the_secret_of_a_link_follows_from_the_code_and_ends_with_it(code):
    secret = store.link_secret(code, "player")
    assert store.link_secret(code, "player") == secret != store.link_secret(code, "scorer")
    assert store.is_link(code, "player", secret.lower())
    assert not store.is_link(code, "scorer", secret)
    assert not store.is_link(code, "player", "é" * 20)
    assert not store.is_link(store.reset_links(code, None), "player", secret)
    assert not store.is_link(code, "player", secret)


def test_a_phone_that_lost_the_right_to_record_keeps_the_seat_of_0_3(code):
    """0.3 stored, beside the right taken back, a seat that opens by the same secret."""
    secret = store.mint(code, "scorer", seat=2)
    lost = store.grant_for(code, secret)
    kept = sha256(f"seat {sha256(secret.encode()).hexdigest()}".encode()).hexdigest()
    take_back(current_app, lost.id)
    with store.db.engine.begin() as connection:
        row = connection.execute(sa.select(grant.c.game_id).where(grant.c.id == lost.id)).one()
        seat = {"game_id": row.game_id, "role": "player", "seat": 2, "secret_hash": kept, "device": "iPhone"}
        connection.execute(sa.insert(grant).values(seat | {"created_at": "2026-11-21T20:15:00Z"}))
    assert (store.grant_for(code, secret).role, store.grant_for(code, secret).seat) == ("player", 2)
