"""Pages of 0.3 that are open on phones: what they lead to and send is answered, or led to what there is instead."""

import pytest

from app.views.earlier import ADDRESSES
from app.views.responses import SENT_BY_SCRIPT
from tests.pages import Alice, Player, words

pytestmark = pytest.mark.one_app

LED = {
    "/quick/discard?variant=jamaican": "/disputes?variant=jamaican",
    "/quick": "/disputes",
    "/look": "/",
    "/look?_scheme=x&endpoint=y": "/?_scheme=x&endpoint=y",
    "/games/numbers?game=a&game=b": "/games?game=a&game=b",
    "/g/{code}/own": "/g/{code}/rules",
    "/g/{code}/points/2/1": "/g/{code}/hands/2",
    "/g/{code}/pen?part=1": "/g/{code}?part=1",
    "/g/{code}/quick/kalooki/shown": "/g/{code}/disputes",
}


@pytest.mark.parametrize("old", LED)
def test_a_page_that_is_gone_leads_to_what_there_is_instead(alice, old):
    led = alice.client.get(old.format(code=alice.code))
    assert (led.status_code, led.location) == (307, LED[old].format(code=alice.code))


@pytest.mark.parametrize("old", [each for each in ADDRESSES if "<slug>" not in each and "<int:" not in each])
def test_what_there_is_instead_is_there(alice, old):
    assert alice.client.get(old.replace("<code>", alice.code), follow_redirects=True).status_code == 200


@pytest.mark.parametrize("old", ["appeals", "opinion", "withdraw"])
def test_a_button_whose_feature_is_gone_leads_to_the_game(alice, old):
    led = alice.client.post(f"/g/{alice.code}/{old}", data={"do": "ask"})
    assert (led.status_code, led.location) == (303, f"/g/{alice.code}")


HAND = {
    "winner": "1",
    "ending": "going_out",
    "points-1": "",
    "cards-1": "",
    "points-2": "12",
    "cards-2": "",
    "note": "",
}
HAND |= {"points-3": "", "cards-3": "KH KS 7D", "seen": "1"}
SENT = {
    "/hand": HAND | {"do": "save"},
    "/void": {"reason": "misdeal", "seen": "1"},
    "/enter/penalty": {"seat": "2", "points": "5", "amount": "", "reason": "talking", "do": "save", "seen": "1"},
    "/enter/join": {"name": "Dan", "after": "3", "points": "", "stake": "", "do": "save", "seen": "1"},
}
"""What forms of 0.3 send, as its scripts do when there is a network again."""


@pytest.mark.parametrize("path", SENT)
def test_what_a_script_of_0_3_kept_is_recorded_once(app, path):
    alice = Alice(app)
    letter = SENT[path] | {"submission": "0b7e5c1e-5d61-4f0e-9b0b-3a95bb120000"}
    for _ in range(2):  # the first answer was lost
        answer = alice.client.post(f"/g/{alice.code}{path}", data=letter, headers={SENT_BY_SCRIPT: "1"})
        assert (answer.status_code, answer.headers[SENT_BY_SCRIPT]) == (204, "read"), words(answer.text)
        assert answer.location.startswith(f"/g/{alice.code}")
    assert len(alice.table.log.entries) == 2


def test_cards_that_a_players_page_of_0_3_hands_in_arrive(app):
    alice = Alice(app)
    ben = Player(alice, seat=2)
    sent = {"cards-2": "KH 7D", "points-2": "", "seen": "1", "do": ""}
    answer = ben.client.post(f"/g/{alice.code}/count", data=sent, headers={SENT_BY_SCRIPT: "1"})
    assert (answer.status_code, answer.headers[SENT_BY_SCRIPT]) == (204, "read")
    assert "Ben sent K ♥ 7 ♦" in words(alice.client.get(f"/g/{alice.code}/arriving?seen=1&kind=record&entry=0").text)


def test_what_shows_a_hand_typed_under_0_3_is_answered(app):
    alice = Alice(app)
    assert "12" in words(alice.client.post(f"/g/{alice.code}/hand/preview", data=HAND).text)
    for path in (
        "/version",
        "/board",
        "/table?part=1&sides=4",
        "/history?part=1",
        "/settle?part=1",
        "/arriving?seen=1&kind=record&entry=0",
    ):
        assert alice.client.get(f"/g/{alice.code}{path}").status_code == 200, path
