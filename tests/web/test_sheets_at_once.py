"""A club that prints at the end of its night: every sheet comes, in turn, and nobody's save waits for them."""

import json
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import pytest

API = "/api/v1"
PATIENCE = 60
"""Seconds in which some sheet or other comes, even from a busy machine."""


def asked(url, body=None, **headers):
    """The status, the headers and the contents of an answer."""
    request = urllib.request.Request(url, json.dumps(body).encode() if body else None, headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.status, refused.headers, refused.read()


def printed(url, moments):
    """A sheet, and how often its reader was told to come back before they had it; notes the moment it came."""
    told = 0
    while True:
        status, headers, contents = asked(url)
        if status != 503:
            moments.append(time.monotonic())
            return status, contents[:5], told
        assert time.monotonic() - moments[-1] < PATIENCE, "nobody has their turn"
        assert "has to wait" in json.loads(contents)["error"]["message"]
        told += 1
        time.sleep(int(headers["Retry-After"]))  # as it is told


@pytest.mark.parametrize("many", [10, pytest.param(200, marks=pytest.mark.long)])
def test_every_sheet_comes_and_saves_go_on(server, many):
    started = {"variant": "european", "players": ["Ann", "Ben"]}
    scorer = json.loads(asked(f"{server.url}{API}/games", started, **{"Content-Type": "application/json"})[2])
    urls = [f"{server.url}{API}/sheets/blank.pdf?paper=a5&names=Ann{number},Ben" for number in range(many)]
    before = [timed_save(server, scorer, seen) for seen in range(1, 11)]
    moments = [time.monotonic()]
    with ThreadPoolExecutor(many) as club:
        sheets = [club.submit(printed, url, moments) for url in urls]
        saves = [timed_save(server, scorer, seen) for seen in range(11, 21)]
        came = [sheet.result() for sheet in sheets]
    assert [status for status, _, _ in came] == [200] * many
    assert {begin for _, begin, _ in came} == {b"%PDF-"}
    assert sum(told for _, _, told in came) > 0  # no more than six are made or wait at once
    assert [status for status, _ in before + saves] == [201] * 20
    usual, meanwhile = (median(took for _, took in each) for each in (before, saves))
    assert meanwhile < max(2, 50 * usual)  # a sheet alone takes half a second, and many are before it


def timed_save(server, scorer, seen):
    event = {"kind": "penalty", "seat": 1, "points": 5, "reason": "talking"}
    body = {"event": event, "seen": seen, "submission": f"s-{seen}"}
    bearer = {"Authorization": f"Bearer {scorer['scorer']}", "Content-Type": "application/json"}
    began = time.monotonic()
    status, _, _ = asked(f"{server.url}{API}/games/{scorer['code']}/entries", body, **bearer)
    return status, time.monotonic() - began
