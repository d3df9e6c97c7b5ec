"""Checks asked through the JSON interface."""

API = "/api/v1"


def ask(client, path, **claim):
    answer = client.post(f"{API}/{path}", json={"variant": "european"} | claim)
    assert answer.status_code == 200, answer.json
    return answer.json


def refused(client, path, claim):
    """The error of a claim nobody can read."""
    answer = client.post(f"{API}/{path}", json=claim)
    assert answer.status_code == 422, answer.json
    return answer.json["error"]
