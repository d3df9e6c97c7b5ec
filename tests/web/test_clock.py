"""A machine without a clock of its own jumps in time: nobody loses a right by it, and nobody waits a day."""

import time

import pytest

from tests.pages import Alice, hand

DAY = 24 * 60 * 60


@pytest.fixture
def alice(app, clock):
    return Alice(app)


def sign_again(client, seconds):
    """The device's cookie as the same server signs it with its clock put forward by so much."""
    serializer = client.application.session_interface.get_signing_serializer(client.application)
    name = client.application.config["SESSION_COOKIE_NAME"]
    contents = serializer.loads(client.get_cookie(name).value)

    class Elsewhen(serializer.signer):
        def get_timestamp(self):
            return int(time.time()) + seconds

    serializer.signer = Elsewhen
    client.set_cookie(name, serializer.dumps(contents))


@pytest.mark.parametrize("seconds", [DAY, 3 * 365 * DAY, -DAY, -3 * 365 * DAY])
def test_the_cookie_of_another_day_keeps_its_rights(app, alice, ben, seconds):
    for somebody in (alice, ben):
        sign_again(somebody.client, seconds)
    other = Alice(app).code
    assert alice.client.get(f"/g/{other}").status_code == 200  # which writes the cookie anew
    assert alice.get("/hand").status_code == 200
    assert ben.get("/count").status_code == 200


def test_a_cookie_somebody_else_signed_is_worth_nothing(app, alice):
    name = app.config["SESSION_COOKIE_NAME"]
    contents, _, signature = alice.client.get_cookie(name).value.rpartition(".")
    alice.client.set_cookie(name, f"{contents}.{signature[::-1]}")
    assert alice.get("/hand").status_code == 403


def test_browsers_are_told_a_day_that_no_wrong_clock_makes_past(app, client):
    page = client.get(f"/g/{Alice(app).code}")
    assert "Expires=Fri, 01 Jan 2100" in page.headers["Set-Cookie"]


def test_hands_and_counts_go_on(alice, ben, clock):
    alice.record(hand(1, s2=5, s3=6))
    clock.move(days=-1)
    ben.count(left="K Q")
    alice.record(hand(2, s1=7, s3=8))
    assert alice.totals == [7, 5, 14]
    assert [entry.at[:10] for entry in alice.table.log.entries] == ["2026-11-21", "2026-11-21", "2026-11-20"]
