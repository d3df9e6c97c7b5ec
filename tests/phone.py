"""A phone that records through the JSON interface, whatever becomes of the server meanwhile."""

import json
import time
import urllib.error
import urllib.request
from http.client import HTTPException

PATIENCE = 120


def ask(address, body=None, secret="", patience=10):
    """The status and the JSON of one answer; a lost connection raises."""
    request = urllib.request.Request(address, json.dumps(body).encode() if body else None)
    request.add_header("Content-Type", "application/json")
    request.add_header("Authorization", f"Bearer {secret}")
    try:
        with urllib.request.urlopen(request, timeout=patience) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)


def insist(address, body, secret=""):
    """The same, repeated until there is an answer; also returns how many answers were lost."""
    lost, until = 0, time.monotonic() + PATIENCE
    while True:
        try:
            return *ask(address, body, secret), lost
        except (OSError, HTTPException):
            lost += 1  # whether it was saved is unknown
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def start(url, variant="european", players=("Ann", "Ben", "Cat"), **more):
    """The code of a game begun on a running server, and the scorer's secret."""
    told = {"variant": variant, "players": [*players], "stakes": None} | more
    status, game = ask(f"{url}/api/v1/games", told)
    assert status == 201, game
    return game["code"], game["scorer"]


def void_hands(over):
    """Void hands until it is over, each with a reason of its own."""
    return lambda phone: None if over.is_set() else {"kind": "void", "reason": f"{phone.name}-{len(phone.sent) + 1}"}


class Phone:
    """Records one event after another in a game: `next_event` gets the phone and returns the next one, None to end.

    A patient phone also repeats what is refused because the database cannot be used.
    """

    def __init__(self, name, game, secret, next_event, *, patient=False):
        self.patient = patient
        self.troubled = 0  # refusals of that kind
        self.name = name
        self.entries = f"{game}/entries"
        self.secret = secret
        self.next_event = next_event
        self.seen = 1
        self.state = {}
        self.sent = {}  # the event by its submission
        self.answered = {}  # the entry's number by the submission, in the order of the answers
        self.lost = 0  # answers that never came
        self.repeated = 0  # of these, entries that had been saved nevertheless
        self.problems = []
        self.is_waiting = False  # for an answer

    def run(self):
        while (event := self.next_event(self)) is not None:
            self.record(f"{self.name}-{len(self.sent) + 1}", event)

    def record(self, submission, event):
        """Send until answered; if somebody was quicker, send again after their entry."""
        self.sent[submission] = event
        status, answer = self._sent(submission, event)
        while status in (409, 503) and self._sends_again(answer):
            status, answer = self._sent(submission, event)
        if status not in (200, 201):
            self.problems.append((status, answer))
            return
        self.repeated += status == 200
        self.answered[submission] = answer["entry"]
        self.state = answer["state"]
        self.seen = self.state["seen"]

    def _sends_again(self, answer):
        if answer["error"]["code"] == "stale":
            self.seen = answer["state"]["seen"]
            return True
        is_trouble = self.patient and answer["error"]["code"] == "database_unavailable"
        if is_trouble:
            self.troubled += 1
            time.sleep(0.05)
        return is_trouble

    def _sent(self, submission, event):
        body = {"seen": self.seen, "submission": submission, "event": event}
        self.is_waiting = True
        status, answer, lost = insist(self.entries, body, self.secret)
        self.is_waiting = False
        self.lost += lost
        return status, answer
