"""An entry answered with success is there for good, even when the server's plug is pulled."""

import json
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from http.client import HTTPException

CLIENTS = 8
TABLES = 4
PULLS = 6
START = {
    "variant": "european",
    "players": ["Ann", "Ben", "Cat"],
    "stakes": None,
}


def ask(address, body=None, secret=""):
    """The status and the JSON of one answer; a lost connection raises."""
    request = urllib.request.Request(address, json.dumps(body).encode() if body else None)
    request.add_header("Content-Type", "application/json")
    request.add_header("Authorization", f"Bearer {secret}")
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)


class Phone(threading.Thread):
    """Records void hands one after the other; what was not answered is sent again as it was."""

    def __init__(self, name, entries, secret, over):
        super().__init__(name=name)
        self.entries = entries
        self.secret = secret
        self.over = over
        self.seen = 1
        self.answered = []
        self.lost = 0
        self.problems = []

    def run(self):
        number = 0
        while not self.over.is_set():
            number += 1
            self.record(f"{self.name}-{number}")

    def record(self, submission):
        while True:
            body = {
                "seen": self.seen,
                "submission": submission,
                "event": {"kind": "void", "reason": submission},
            }
            try:
                status, answer = ask(self.entries, body, self.secret)
            except (OSError, HTTPException):
                self.lost += 1  # the answer is lost; whether it was saved is unknown
                time.sleep(0.02)
                continue
            if status in (200, 201):
                self.answered.append(submission)
                return
            if status != 409:
                self.problems.append((status, answer))
                return
            self.seen = answer["state"]["seen"]


def pull_plugs(server):
    """Kill the server in the middle of its work and start it again, several times."""
    for pull in range(PULLS):
        time.sleep(0.4 + 0.07 * pull)
        server.kill()
        server.start()


def start_games(address):
    """Four games, each with two phones recording; returns each game's address and secret."""
    started = [ask(address, START | {"submission": f"table-{number}"}) for number in range(TABLES)]
    assert [status for status, _ in started] == [201] * TABLES
    return [(f"{address}/{game['code']}", game["scorer"]) for _, game in started]


def test_no_answered_entry_is_lost_or_doubled_when_the_server_is_killed(own_server):
    games = start_games(f"{own_server.url}/api/v1/games")
    over = threading.Event()
    phones = [
        Phone(f"phone{number}", f"{games[number % TABLES][0]}/entries", games[number % TABLES][1], over)
        for number in range(CLIENTS)
    ]
    for phone in phones:
        phone.start()
    pull_plugs(own_server)
    time.sleep(0.4)
    over.set()
    for phone in phones:
        phone.join(timeout=60)

    assert not any(phone.is_alive() for phone in phones)
    assert [phone.problems for phone in phones] == [[]] * CLIENTS
    assert sum(phone.lost for phone in phones) >= PULLS  # each pull was felt
    assert all(phone.answered for phone in phones)
    logs = [ask(address)[1]["log"][1:] for address, _ in games]
    saved = Counter(entry["event"]["reason"] for log in logs for entry in log)
    answered = [submission for phone in phones for submission in phone.answered]
    assert set(saved.values()) == {1}
    assert set(answered) <= set(saved)
    for log in logs:
        assert [entry["entry"] for entry in log] == list(range(2, len(log) + 2))
