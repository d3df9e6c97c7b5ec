"""alice keeps a game through the JSON interface, with the scorer's secret."""

from uuid import uuid4

from tests.simulator import same_questions, simulate

REMEMBERED = ("code", "seen", "log")


def send(client, code, secret, event, **more):
    """The raw answer to an entry sent with a secret; what else its body says is named."""
    body = {"event": event, "submission": str(uuid4())} | more
    return client.post(f"/api/v1/games/{code}/entries", json=body, headers={"Authorization": f"Bearer {secret}"})


class Scorer:
    """One game and the right to write in it; `seen` is the last entry alice has read."""

    def __init__(self, client, start, address="/api/v1/games"):
        self.client = client
        answer = client.post(address, json=start | {"submission": str(uuid4())})
        assert answer.status_code == 201, answer.text
        self.started = answer.json
        self.code, self.secret = answer.json["code"], answer.json["scorer"]
        self.seen = answer.json["seen"]

    def send(self, event, *, submission=None, seen=None, preview=False):
        """The raw answer to an entry."""
        more = {"preview": preview, "seen": self.seen if seen is None else seen}
        more |= {"submission": submission} if submission else {}
        return send(self.client, self.code, self.secret, event, **more)

    def record(self, *events):
        """The state after entries that must be saved."""
        state = None
        for event in events:
            answer = self.send(event)
            assert answer.status_code == 201, (event, answer.text)
            state = answer.json["state"]
            assert state["seen"] == self.seen + 1
            self.seen = state["seen"]
        return state

    def state(self):
        """What everybody with the code may read."""
        answer = self.client.get(f"/api/v1/games/{self.code}")
        assert answer.status_code == 200, answer.text
        return answer.json


def import_game(client, log, **more):
    """Import a game: its log is entries as a file has them, or nothing but their events."""
    entries = [each if "event" in each and "kind" not in each else {"event": each} for each in log]
    return Scorer(client, {"log": entries} | more, "/api/v1/games/import")


def of_the_game(state):
    """A state without what differs between copies of a game."""
    return {key: value for key, value in state.items() if key not in REMEMBERED}


def agrees(state, log):
    """The program's state answers every question as the simulator does, and no cent is made or lost."""
    answer = simulate(log)
    told = same_questions(state, answer)
    wrong = {key: (told[key], answer[key]) for key in answer if told[key] != answer[key]}
    assert not wrong, wrong
    assert sum(player["balance"] for player in state["players"]) + state["pool"] == 0
    assert state["status"] == "over" or not state["settlement"]
