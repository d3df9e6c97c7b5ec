"""A game that is recorded, corrected, taken back and sent twice, beside the list of what was recorded.

The model is that list alone: the simulator plays its standing entries again after every step.
"""

from uuid import uuid4

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from tests.examples import times
from tests.json_scorer import Scorer, agrees, import_game, of_the_game
from tests.random_play import games, hands, legal_events, plain, refused_events
from tests.simulator import refused, standing, still_in, table, undone

pytestmark = [pytest.mark.hypothesis, pytest.mark.one_app, pytest.mark.both_engines]
slow = settings(deadline=None, suppress_health_check=list(HealthCheck))


def before(log, number):
    """The log as if an entry and all behind it were taken back; what was corrected at the start is heeded.

    Nothing is left out of it: who joined keeps the seat he got.
    """
    events = standing(log)
    place = [entry for entry, _ in events].index(number)
    later = [entry for entry, event in events[place:] if event["kind"] != "setup"]
    return [*log, *({"kind": "undo", "target": entry} for entry in later)]


def right_hand(data, log):
    """A hand the table might have recorded next, or None."""
    game = table(log)
    if game["over"] or game["offers"] or len(still_in(game)) < 2:
        return None
    return data.draw(hands(game))


class Corrections(RuleBasedStateMachine):
    """Alice records and corrects; bob's phone sometimes sends what is old."""

    client = None

    @initialize(played=games(longest=9))
    def sit_down(self, played):
        self.scorer = Scorer(self.client, played[0])
        self.log = played[:1]
        self.states = [of_the_game(self.scorer.state())]
        self.sent = []
        for event in played[1:]:
            self.record(event)

    def record(self, event):
        """Save an entry that must be saved and compare the table with the simulator's."""
        submission = str(uuid4())
        seen = self.scorer.seen
        answer = self.scorer.send(event, submission=submission)
        assert answer.status_code == 201, (event, answer.text)
        self.scorer.seen += 1
        self.log.append(event)
        self.sent.append((submission, seen, event))
        state = answer.json["state"]
        agrees(state, self.log)
        self.states.append(of_the_game(state))

    def unchanged(self):
        """The table is as the last saved entry left it."""
        state = self.scorer.state()
        assert of_the_game(state) == self.states[-1]
        assert len(state["log"]) == state["seen"] == len(self.log)

    def targets(self, *kinds):
        """The entries that still stand, of some kinds, the latest first."""
        numbers = range(len(self.log), 1, -1)
        return [n for n in numbers if self.log[n - 1]["kind"] in kinds and not undone(self.log, n)]

    @rule(data=st.data())
    def play_on(self, data):
        event = data.draw(legal_events(self.log))
        if event:
            self.record(event)

    @precondition(lambda self: len(self.log) > 1)
    @rule()
    def undo_the_last(self):
        undo = {"kind": "undo", "target": len(self.log)}
        if plain(self.log, undo):
            self.record(undo)
            assert self.states[-1] == self.states[-3]

    @precondition(lambda self: len(self.log) > 1)
    @rule(data=st.data())
    def undo_any(self, data):
        places = [n for n in range(2, len(self.log) + 1) if not undone(self.log, n)]
        undo = {"kind": "undo", "target": data.draw(st.sampled_from(places))}
        if plain(self.log, undo):
            self.record(undo)

    @precondition(lambda self: self.targets("undo"))
    @rule(data=st.data())
    def undo_an_undo(self, data):
        undo = {"kind": "undo", "target": data.draw(st.sampled_from(self.targets("undo")))}
        if plain(self.log, undo):
            self.record(undo)
            if undo["target"] == len(self.log) - 1:
                assert self.states[-1] == self.states[-3]

    @precondition(lambda self: self.targets("hand", "insert"))
    @rule(data=st.data())
    def amend(self, data):
        target = data.draw(st.sampled_from(self.targets("hand", "insert")))
        event = right_hand(data, before(self.log, target))
        amend = {"kind": "amend", "target": target, "event": event}
        if event and plain(self.log, amend):
            self.record(amend)

    @precondition(lambda self: self.targets("hand"))
    @rule(data=st.data())
    def insert(self, data):
        place = data.draw(st.sampled_from(self.targets("hand")))
        event = right_hand(data, before(self.log, place))
        insert = {"kind": "insert", "before": place, "event": event}
        if event and plain(self.log, insert):
            self.record(insert)

    @precondition(lambda self: len(self.log) > 1)
    @rule(data=st.data())
    def send_an_old_form(self, data):
        event = data.draw(legal_events(self.log))
        if event is None:
            return
        answer = self.scorer.send(event, seen=data.draw(st.integers(1, len(self.log) - 1)))
        assert answer.status_code == 409, answer.text
        assert answer.json["error"]["code"] == "stale"
        assert of_the_game(answer.json["state"]) == self.states[-1]
        self.unchanged()

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def send_again(self, data):
        submission, seen, event = data.draw(st.sampled_from(self.sent))
        answer = self.scorer.send(event, submission=submission, seen=seen)
        assert answer.status_code == 200, answer.text
        assert of_the_game(answer.json["state"]) == self.states[-1]
        self.unchanged()

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def send_again_with_other_contents(self, data):
        submission, seen, event = data.draw(st.sampled_from(self.sent))
        other = {"kind": "void", "reason": "another"} if event["kind"] != "void" else {"kind": "end"}
        answer = self.scorer.send(other, submission=submission, seen=seen)
        assert answer.status_code == 409, answer.text
        assert answer.json["error"]["code"] == "already_saved"
        self.unchanged()

    @rule(data=st.data())
    def preview(self, data):
        event = data.draw(legal_events(self.log))
        if event is None:
            return
        answer = self.scorer.send(event, preview=True)
        assert answer.status_code == 200, answer.text
        agrees(answer.json["state"], [*self.log, event])
        self.unchanged()

    @rule(data=st.data())
    def send_what_is_impossible(self, data):
        event = data.draw(refused_events(self.log) | st.sampled_from(self.impossible_corrections()))
        if event is None:
            return
        answer = self.scorer.send(event)
        assert answer.status_code == 422, (event, answer.text)
        self.unchanged()

    def impossible_corrections(self):
        """Undos and amendments of what cannot be taken back or corrected."""
        numbers = range(2, len(self.log) + 1)
        gone = [n for n in numbers if undone(self.log, n)]
        corrects = [n for n in numbers if self.log[n - 1]["kind"] in ("undo", "amend")]
        void = {"kind": "void", "reason": "misdeal"}
        return [
            *({"kind": "undo", "target": n} for n in [1, len(self.log) + 1, *gone]),
            *({"kind": "amend", "target": n, "event": void} for n in [1, *gone, *corrects]),
            {"kind": "insert", "before": 1, "event": void},
        ]

    @rule()
    def carry_to_another_house(self):
        sheet = self.client.get(f"/api/v1/games/{self.scorer.code}/sheet.json").json
        copy = import_game(self.client, sheet["log"]).state()
        assert of_the_game(copy) == self.states[-1]
        assert [line["event"] for line in copy["log"]] == [line["event"] for line in self.scorer.state()["log"]]


def test_a_corrected_game_is_the_game_its_standing_entries_tell(client):
    class Machine(Corrections):
        pass

    Machine.client = client
    run_state_machine_as_test(Machine, settings=settings(slow, max_examples=times(50), stateful_step_count=15))


def recorded_right(log):
    """Whether every entry of a log is possible where it stands."""
    pairs = [(log[:place], event) for place, event in enumerate(log) if place]
    return all(plain(earlier, event) and refused(table(earlier), event) is None for earlier, event in pairs)


def test_amending_a_hand_is_having_recorded_it_right(client):
    @settings(slow, max_examples=times(25))
    @given(st.data())
    def correct(data):
        wrong = data.draw(games(longest=9))
        places = [n for n, event in enumerate(wrong, start=1) if event.get("kind") == "hand"]
        assume(places)
        target = data.draw(st.sampled_from(places))
        event = right_hand(data, before(wrong, target))
        assume(event)
        right = [*wrong[: target - 1], event, *wrong[target:]]
        assume(recorded_right(right))
        corrected, model = Scorer(client, wrong[0]), Scorer(client, right[0])
        corrected.record(*wrong[1:])
        model.record(*right[1:])
        state = corrected.record({"kind": "amend", "target": target, "event": event})
        assert of_the_game(state) == of_the_game(model.state())
        agrees(state, right)

    correct()
