"""A club that prints at the end of its night: every sheet comes, in turn, and nobody's save waits for them."""

import json
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

API = "/api/v1"
PATIENCE = 300


def asked(url, body=None, **headers):
    """The status, the headers and the contents of an answer."""
    request = urllib.request.Request(url, json.dumps(body).encode() if body else None, headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.status, refused.headers, refused.read()


def printed(url, until):
    """A sheet, and how often its reader was told to come back before they had it."""
    told = 0
    while True:
        status, headers, contents = asked(url)
        if status != 503:
            return status, contents[:5], told
        assert time.monotonic() < until, "it never had its turn"
        assert "has to wait" in json.loads(contents)["error"]["message"]
        told += 1
        time.sleep(int(headers["Retry-After"]))  # as it is told


@pytest.mark.parametrize("many", [10, pytest.param(200, marks=pytest.mark.long)])
def test_every_sheet_comes_and_saves_go_on(server, many):
    scorer = json.loads(
        asked(
            f"{server.url}{API}/games",
            {"variant": "european", "players": ["Ann", "Ben"]},
            **{"Content-Type": "application/json"},
        )[2]
    )
    until = time.monotonic() + PATIENCE
    urls = [f"{server.url}{API}/sheets/blank.pdf?paper=a5&names=Ann{number},Ben" for number in range(many)]
    with ThreadPoolExecutor(many) as club:
        sheets = [club.submit(printed, url, until) for url in urls]
        saves = [timed_save(server, scorer, seen) for seen in range(1, 11)]
        came = [sheet.result() for sheet in sheets]
    assert [status for status, _, _ in came] == [200] * many
    assert {begin for _, begin, _ in came} == {b"%PDF-"}
    assert sum(told for _, _, told in came) > 0  # no more than six are made or wait at once
    assert [status for status, _ in saves] == [201] * 10
    assert sorted(took for _, took in saves)[5] < 2  # a sheet alone takes half a second, and many are before it


def timed_save(server, scorer, seen):
    event = {"kind": "penalty", "seat": 1, "points": 5, "reason": "talking"}
    body = {"event": event, "seen": seen, "submission": f"s-{seen}"}
    bearer = {"Authorization": f"Bearer {scorer['scorer']}", "Content-Type": "application/json"}
    began = time.monotonic()
    status, _, _ = asked(f"{server.url}{API}/games/{scorer['code']}/entries", body, **bearer)
    return status, time.monotonic() - began
