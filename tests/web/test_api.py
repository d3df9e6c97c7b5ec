"""The JSON interface to games: what a script may send, and how it is told what is wrong."""

import pytest

API = "/api/v1"


def start(client, **told):
    return client.post(f"{API}/games", json={"variant": "european", "players": ["Ann", "Ben", "Cat"]} | told)


@pytest.mark.parametrize("name", ["rules", "kind", "colour"])
def test_a_new_game_takes_no_name_it_does_not_know(client, name):
    answer = start(client, **{name: {"dealt": []}})

    assert answer.status_code == 422
    assert answer.json["error"]["field"] == name


@pytest.mark.parametrize("rules", [{"dealt": []}, {"packs": 10**9}, {"contracts": [1]}, {"joker_left": -50}, {"x": 1}])
def test_a_game_with_values_nobody_could_play_is_not_brought_in(client, rules):
    event = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"], "rules": rules}
    answer = client.post(f"{API}/games/import", json={"log": [{"event": event}]})

    assert answer.status_code == 422
    assert answer.json["error"]["field"] == f"rules.{next(iter(rules))}"
