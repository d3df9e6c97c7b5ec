"""What a phone typed under 0.3 and could not send yet is recorded once by this release; until 1.1."""

import pytest

from app.views.responses import SCRIPT_HEADER
from tests.pages import Alice, Player, hand, words

pytestmark = pytest.mark.one_app

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
        answer = alice.client.post(f"/g/{alice.code}{path}", data=letter, headers={SCRIPT_HEADER: "1"})
        assert (answer.status_code, answer.headers[SCRIPT_HEADER]) == (204, "read"), words(answer.text)
        assert answer.location.startswith(f"/g/{alice.code}")
    assert len(alice.table.log.entries) == 2


def test_cards_that_a_players_page_of_0_3_hands_in_arrive(app):
    alice = Alice(app)
    ben = Player(alice, seat=2)
    sent = {"cards-2": "KH 7D", "points-2": "", "seen": "1", "do": ""}
    answer = ben.client.post(f"/g/{alice.code}/count", data=sent, headers={SCRIPT_HEADER: "1"})
    assert (answer.status_code, answer.headers[SCRIPT_HEADER]) == (204, "read")
    assert "Ben sent K ♥ 7 ♦" in words(alice.client.get(f"/g/{alice.code}/arriving?seen=1&kind=record&entry=0").text)


@pytest.mark.parametrize(("do", "kind"), [("buy_in-2", "buy_in"), ("decline-2", "decline")])
def test_an_answer_to_an_offer_that_waited_is_recorded_once(app, do, kind):
    alice = Alice(app)
    alice.record(hand(1, s2=150, s3=40))
    waiting = {"do": do, "seen": "2", "submission": "0b7e5c1e-5d61-4f0e-9b0b-3a95bb120001"}
    for _ in range(2):
        answer = alice.client.post(f"/g/{alice.code}/offers", data=waiting, headers={SCRIPT_HEADER: "1"})
        assert (answer.status_code, answer.headers[SCRIPT_HEADER]) == (204, "read"), words(answer.text)
    assert [entry.event["kind"] for entry in alice.table.log.entries] == ["start", "hand", kind]
