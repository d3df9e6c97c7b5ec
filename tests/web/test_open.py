"""“Link or code” on Home: one field opens whatever leads to a game, the recovery codes of 0.3 too."""

import re

import pytest

from app.games import clubs
from app.kalooki.club.events import ClubStart
from app.store import grants
from tests.pages import Player, words

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]


def opened(client, typed):
    """Where the field leads, all redirects followed; the answer of the last page."""
    return client.post("/open", data={"typed": typed}, follow_redirects=True)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("{code}", "You are watching"),
        (" {code_lower} ", "You are watching"),
        ("http://192.0.2.7:8000/g/{code}", "You are watching"),
        ("https://cards.example/kalooki/g/{code}/history?part=1", "You are watching"),
        ("http://192.0.2.7:8000{scorer}", "Record hand 1"),
        ("{player}", "Choose your seat"),
        ("{to_join}", "Choose your seat"),
        ("{to_join_run_together}", "Choose your seat"),
        ("{code}AAAAA", "No game here has this link or code."),
        ("{recovery}", "Record hand 1"),
        ("{recovery_lower}", "Record hand 1"),
    ],
)
def test_whatever_leads_to_a_game_opens_it(app, alice, client, typed, told):
    with app.app_context():
        recovery = grants.mint(alice.code, "recovery")
    apart = "-".join(recovery[start : start + 5] for start in range(0, 20, 5))
    links = {role: alice.link(role) for role in ("scorer", "player")}
    to_join = re.search(r"under “Join a game” on Home: ((?:\w{4} ?){4})", alice.see("/share"))[1].strip()
    asked = typed.format(
        code=alice.code,
        code_lower=alice.code.lower(),
        recovery=apart,
        recovery_lower=apart.lower().replace("-", " "),
        to_join=to_join,
        to_join_run_together=to_join.replace(" ", "").lower(),
        **links,
    )
    assert told in words(opened(client, asked).text)


def test_a_recovery_code_works_again_and_beside_the_phone_that_records(app, alice, client):
    with app.app_context():
        recovery = grants.mint(alice.code, "recovery")
    for device in (client, app.test_client()):
        assert "Record hand 1" in words(opened(device, recovery).text)
    assert "Record hand 1" in alice.see()


def test_a_players_phone_records_by_the_code_on_paper(app, alice):
    with app.app_context():
        recovery = grants.mint(alice.code, "recovery")
    ben = Player(alice, seat=2)
    assert "Record hand 1" in words(opened(ben.client, recovery).text)


def test_a_clubs_links_open_it(app, client):
    with app.app_context():
        club = clubs.start(ClubStart("Thursday"), "s", "phone")
    for way in ("", f"/s/{club.secret}"):
        page = opened(client, f"https://cards.example/kalooki/c/{club.code}{way}")
        assert page.request.path == f"/c/{club.code}"
        assert ("This device now runs the club" in words(page.text)) == bool(way)
    for part in (club.code, club.code.lower(), club.secret):
        assert opened(app.test_client(), part).request.path == f"/c/{club.code}"


def test_a_code_taken_back_opens_nothing(app, alice, client):
    with app.app_context():
        recovery = grants.mint(alice.code, "recovery")
    alice.reset_links()
    assert opened(client, recovery).status_code == 422


@pytest.mark.parametrize("typed", ["", "K7P2M4QXR3T", "/g/NOSUCHGAME2/s/AAAA", "<b>", "é" * 20, "A" * 400])
def test_what_opens_nothing_is_said_and_stays_typed(client, typed):
    answer = client.post("/open", data={"typed": typed})
    assert answer.status_code == 422
    told = answer.text
    assert "No game here has this link or code." in told
    assert "<b>" not in told
