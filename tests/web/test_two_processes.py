"""Two servers on one database: whatever is done at one of them holds at the other at once, and nothing twice."""

from uuid import uuid4

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from app import create_app
from app.store import games, opening
from app.store import grants as stored_grants
from tests.examples import IS_SHORT, times
from tests.pages import take_back
from tests.phone import ask
from tests.server import Server

pytestmark = pytest.mark.both_engines

START = {"variant": "european", "players": ["Ann", "Ben", "Cat"]}
WHO = st.integers(0, 1)


class Twins(RuleBasedStateMachine):
    """A game kept at two servers in turns, beside the list of what was saved in it."""

    servers = ()
    app = None

    @initialize()
    def start(self):
        status, made = self.ask(0, "/games", START)
        assert status == 201
        self.code, self.secret = made["code"], made["scorer"]
        self.saved = []  # submission, event
        self.is_over = self.is_revoked = False

    def ask(self, who, path, body=None, secret=""):
        return ask(f"{self.servers[who].url}/api/v1{path}", body, secret)

    def save(self, who, event, submission, seen=None):
        seen = len(self.saved) + 1 if seen is None else seen
        body = {"event": event, "submission": submission, "seen": seen}
        return self.ask(who, f"/games/{self.code}/entries", body, self.secret)

    @property
    def refusal(self):
        return 410 if self.is_over else 403 if self.is_revoked else None

    @rule(who=WHO)
    def record(self, who):
        event = {"kind": "rename", "seat": 1, "name": f"Ann {len(self.saved)}"}
        submission = str(uuid4())
        status, _answer = self.save(who, event, submission)
        assert status == (self.refusal or 201)
        if status == 201:
            self.saved.append((submission, event))

    @precondition(lambda self: self.saved)
    @rule(who=WHO, which=st.integers(0, 100))
    def send_again(self, who, which):
        """The answer was lost: what was saved at one server is known at the other."""
        number = which % len(self.saved)
        status, answer = self.save(who, self.saved[number][1], self.saved[number][0], seen=1)
        assert status == (self.refusal or 200)
        assert status != 200 or answer["entry"] == number + 2

    @precondition(lambda self: self.saved)
    @rule(who=WHO)
    def come_too_late(self, who):
        """A form made before the other server's last entry."""
        status, answer = self.save(who, {"kind": "void", "reason": "late"}, str(uuid4()), seen=len(self.saved))
        assert status == (self.refusal or 409)
        assert status != 409 or answer["state"]["seen"] == len(self.saved) + 1

    @precondition(lambda self: not self.is_over)
    @rule()
    def reset_the_links(self):
        old = self.code
        with self.app.app_context():
            self.code = stored_grants.reset_links(old, stored_grants.grant_for(old, self.secret))
        assert [self.ask(who, f"/games/{old}")[0] for who in (0, 1)] == [410, 410]

    @precondition(lambda self: len(self.saved) > 3 and not self.is_over)
    @rule()
    def take_the_right_back(self):
        with self.app.app_context():
            grants = [grant.id for grant in stored_grants.list_grants(self.code)]
        take_back(self.app, *grants)
        self.is_revoked = True

    @precondition(lambda self: len(self.saved) > 3)
    @rule()
    def delete(self):
        if not self.is_over:
            with self.app.app_context():
                games.delete(self.code)
        self.is_over = True

    @invariant()
    def both_tell_the_same_game(self):
        if not hasattr(self, "code"):
            return
        told = [self.ask(who, f"/games/{self.code}") for who in (0, 1)]
        if self.is_over:
            assert [status for status, _ in told] == [410, 410]
            return
        assert told[0] == told[1]
        status, state = told[0]
        assert (status, state["seen"]) == (200, len(self.saved) + 1)
        assert state["players"][0]["name"] == (self.saved[-1][1]["name"] if self.saved else "Ann")


@pytest.fixture
def twins(database_url):
    servers = [Server(database_url) for _ in range(2)]
    for server in servers:
        server.start()
    app = create_app({"DATABASE_URL": database_url, "SECRET_KEY": "test"})
    yield type("Here", (Twins,), {"servers": servers, "app": app})
    opening.close_database(app)
    for server in servers:
        server.stop()


@pytest.mark.hypothesis
def test_what_is_done_at_one_server_holds_at_the_other(twins):
    short = settings(
        max_examples=times(8),
        stateful_step_count=12 if IS_SHORT else 40,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(twins, settings=short)
