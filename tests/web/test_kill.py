"""An entry answered with success is there for good, even when the server's plug is pulled."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from tests.phone import Phone, ask, start, void_hands

pytestmark = pytest.mark.both_engines

CLIENTS = 8
TABLES = 4
START = {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None}


def pull_plugs(server, pulls):
    """Kill the server in the middle of its work and start it again, several times."""
    for pull in range(pulls):
        time.sleep(0.4 + 0.07 * pull)
        server.kill()
        server.start()
    time.sleep(0.4)


@pytest.mark.parametrize("pulls", [2, pytest.param(6, marks=pytest.mark.long)])
def test_no_answered_entry_is_lost_or_doubled_when_the_server_is_killed(own_server, pulls):
    begun = [start(own_server.url) for _ in range(TABLES)]
    games = [(f"{own_server.url}/api/v1/games/{code}", secret) for code, secret in begun]
    over = Event()
    phones = [Phone(f"phone{number}", *games[number % TABLES], void_hands(over)) for number in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as pool:
        recordings = [pool.submit(phone.run) for phone in phones]
        try:
            pull_plugs(own_server, pulls)
        finally:
            over.set()

    assert [recording.exception() for recording in recordings] == [None] * CLIENTS
    assert [phone.problems for phone in phones] == [[]] * CLIENTS
    assert sum(phone.lost for phone in phones) >= pulls  # each pull was felt
    assert all(phone.answered for phone in phones)
    logs = [ask(address)[1]["log"][1:] for address, _ in games]
    saved = Counter(entry["event"]["reason"] for log in logs for entry in log)
    answered = [submission for phone in phones for submission in phone.answered]
    assert set(saved.values()) == {1}
    assert set(answered) <= set(saved)
    for log in logs:
        assert [entry["entry"] for entry in log] == list(range(2, len(log) + 2))
