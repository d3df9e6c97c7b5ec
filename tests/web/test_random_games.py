"""Random legal games of every variant through the JSON interface, kept beside a slow simulator's."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import times
from tests.house_rules import VARIANTS
from tests.json_scorer import Scorer, agrees, of_the_game
from tests.pages import start
from tests.random_play import finals, games, refused_events
from tests.slow_club import fewest

pytestmark = [pytest.mark.hypothesis, pytest.mark.one_app, pytest.mark.both_engines]
slow = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_every_entry_of_a_game_leaves_the_table_as_the_rulebook_tells(client, variant):
    @settings(slow, max_examples=times(30))
    @given(log=games((variant,)))
    def play(log):
        scorer = Scorer(client, log[0])
        agrees(scorer.state(), log[:1])
        for place, event in enumerate(log[1:], start=2):
            agrees(scorer.record(event), log[:place])

    play()


def test_a_shared_pool_goes_to_whom_the_rulebook_tells(client):
    @settings(slow, max_examples=times(120))
    @given(log=finals())
    def play(log):
        scorer = Scorer(client, log[0])
        for place, event in enumerate(log[1:], start=2):
            agrees(scorer.record(event), log[:place])

    play()


def test_what_the_rules_make_impossible_is_refused_and_changes_nothing(client):
    @settings(slow, max_examples=times(100))
    @given(st.data())
    def play(data):
        log = data.draw(games(longest=6))
        scorer = Scorer(client, log[0])
        for event in log[1:]:
            scorer.record(event)
        before = scorer.state()
        event = data.draw(refused_events(log))
        if event is None:
            return
        answer = scorer.send(event)
        assert answer.status_code == 422, (event, answer.text)
        assert answer.json["error"]["message"]
        assert of_the_game(answer.json["state"]) == of_the_game(before)
        assert scorer.state() == before

    play()


def sorted_payments(state):
    return sorted((payment["from"], payment["to"], payment["amount"]) for payment in state["settlement"])


def test_a_game_is_settled_in_the_fewest_payments_and_paying_one_leaves_the_others(client):
    @settings(slow, max_examples=times(60))
    @given(st.data())
    def settle(data):
        players = data.draw(st.integers(2, 6))
        scorer = start(client, "european", list("ABCDEF")[:players], dealer=1)
        seats = st.permutations(range(1, players + 1))
        for _ in range(data.draw(st.integers(1, 7))):
            giver, taker, *_ = data.draw(seats)
            amount = data.draw(st.sampled_from([10, 20, 30]))
            scorer.record({"kind": "paid", "from": giver, "to": taker, "amount": amount})
        state = scorer.record({"kind": "stop", "pool": "refund"})
        owed = [player["balance"] for player in state["players"] if player["balance"]]
        assert len(state["settlement"]) == fewest(owed)
        while state["settlement"]:
            payment = data.draw(st.sampled_from(state["settlement"]))
            left = sorted_payments(state)
            left.remove((payment["from"], payment["to"], payment["amount"]))
            state = scorer.record({"kind": "paid"} | payment)
            assert sorted_payments(state) == left
        assert [player["balance"] for player in state["players"]] == [0] * players

    settle()
