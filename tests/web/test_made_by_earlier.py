"""A database made by release 0.1 and opened once by 0.3 has every state, sheet and right as 0.1 told them.

`made_by_0_1.zip` holds `games.sql`, an SQLite dump with the tables of 0.3, and `answers.json`, what 0.1 answered about
it. They were made with the code of commit e6636aa through its JSON interface and its log, and are never made anew:
every game of `tests/kalooki/games/` entry by entry; those with a buy-in on offer a second time, left while the offer
is open; a game with every kind of ruling and correction, grants of all roles, some revoked and one passed on with the
pen, counts and appeals answered and open; a game whose code was renewed; a game brought back from its sheet.

Later releases may add names to a state, and lines to a sheet. What 0.1 named stays as it was, but for sentences,
which may be worded better: of those the numbers are compared.
"""

import csv
import io
import json
import re
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from app import create_app
from app.games.recording import open_game
from app.history.formats import write_amount
from app.history.story import story
from app.kalooki.money import Currency
from app.store import games
from app.store import grants as stored_grants
from app.store.database import db, version
from tests.json_scorer import send
from tests.matrix import some
from tests.web.old_databases import carried, made

MADE = zipfile.ZipFile(Path(__file__).with_name("made_by_0_1.zip"))
ANSWERS = json.loads(MADE.read("answers.json"))
GAMES = ANSWERS["games"]
ONE_OF_EACH = {(game["state"]["variant"], game["state"]["status"]): code for code, game in GAMES.items()}.values()
"""A game of each variant in each state it comes to; of those that go on the one with appeals."""
SENTENCES = {"title", "text", "sources"}
BEFORE_THE_NEXT_HAND = 6
"""The entry after which the counts of the dump were handed in."""


def unworded(told):
    """A state without the sentences about its faults."""
    return told | {"faults": [{key: fault[key] for key in fault.keys() - SENTENCES} for fault in told["faults"]]}


def still(told, now):
    """What is told now, cut down to the names that were told then: equal to `told` where nothing has changed."""
    if isinstance(told, dict) and isinstance(now, dict):
        return {key: still(inner, now[key]) for key, inner in told.items() if key in now}
    if isinstance(told, list) and isinstance(now, list) and len(told) == len(now):
        return [still(then, today) for then, today in zip(told, now, strict=True)]
    return now


COLUMNS = 16
RANKED = re.compile(r"\d+\. |(?=.*, left\b)")
"""What a line of the standings begins with; who left has no place since 1.0."""
CURRENCY = re.compile("[€£]|R(?=\\d)|ZAR\xa0")


def of_hands(text):
    """The rows of hands of a spreadsheet, in the columns that 0.1 had, and their days: the evening's since 1.0."""
    heads, *rows = csv.reader(io.StringIO(text))
    day = heads.index("date")
    hands = [row[:COLUMNS] for row in rows if "kind" not in heads or row[heads.index("kind")] in ("hand", "void")]
    return [row[:day] + row[day + 1 :] for row in hands], {row[day] for row in hands}


class Chat(NamedTuple):
    """The text for a chat in its parts: who is first, how everybody stands but for their place, who had what of the
    pool, and all other numbers.

    0.1 had no line for the pool at the end, named no currency in the standings, and ranked by totals alone who was out:
    since then who went out later ranks higher, and who went home comes last. The day in the first line was all numbers.
    """

    first: list[str]
    standings: list[str]
    shares: list[str]
    others: list[str]


def chat(text):
    lines = text.splitlines()
    ranked = [CURRENCY.sub("", line) for line in lines if RANKED.match(line)]
    of_pool = [line for line in lines if line.startswith("The pool of ")]
    return Chat(
        first=[line for line in ranked if line.startswith("1. ")],
        standings=sorted(RANKED.sub("", line) for line in ranked),
        shares=numbers(" ".join(of_pool).partition(":")[2]),
        others=numbers("\n".join(line for line in lines[1:] if not RANKED.match(line) and line not in of_pool)),
    )


def without_money(told):
    """The standings without amounts, which say since 1.0 what everybody would get if a running game ended now."""
    without = [[re.sub(r", [−+]?\d+\.\d\d$", "", line) for line in lines] for lines in (told.first, told.standings)]
    return told._replace(first=without[0], standings=without[1])


def numbers(text):
    return re.findall(r"[−+-]?\d+(?:\.\d+)?", text)


pytestmark = pytest.mark.both_engines


@pytest.fixture(scope="module")
def app(request, engine, tmp_path_factory):
    """The application of today on a copy of the dump, which it brings up to date."""
    path = tmp_path_factory.mktemp("made") / "games.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(MADE.read("games.sql").decode())
    url = f"sqlite:///{path}"
    if engine == "postgresql":
        url = carried(url, made(request.getfixturevalue("postgresql")(), "0011"))
    config = {"DATABASE_URL": url, "SECRET_KEY": "test", "BASE_URL": "http://cards.example"}
    app = create_app(config | {"TESTING": True, "RATELIMIT_ENABLED": False})
    yield app
    with app.app_context():
        db.engine.dispose()


@pytest.mark.parametrize("code", GAMES)
def test_a_state_is_as_it_was(client, code):
    told = unworded(GAMES[code]["state"])
    now = unworded(client.get(f"/api/v1/games/{code}").json)
    assert still(told, now) == told


@pytest.mark.parametrize("code", GAMES)
def test_its_sheets_say_the_same(client, code):
    sheets = f"/api/v1/games/{code}/sheet"
    told = GAMES[code]
    hands, days = of_hands(client.get(f"{sheets}.csv").get_data(as_text=True))
    hands_then, days_then = of_hands(told["csv"])
    assert hands == hands_then
    assert days <= days_then | {"2026-11-21"}  # the evening before, for what was played until six
    assert client.get(f"{sheets}.json").json["log"] == told["log"]
    with client.application.app_context():
        since = story(open_game(code))  # which only 1.0 tells
    lines = client.get(f"{sheets}.txt").get_data(as_text=True).splitlines()
    then, now = chat(told["text"]), chat("\n".join(line for line in lines if not since or line != since))
    if told["state"]["status"] != "over":
        then, now = without_money(then), without_money(now)
    assert now._replace(shares=[]) == then
    shares = [write_amount(share, Currency()) for share in told["state"]["shares"].values() if share]
    assert now.shares[: len(shares)] == shares
    assert bool(now.shares) == bool(shares)


@pytest.mark.parametrize("code", GAMES)
def test_a_sheet_of_then_brings_the_game_back(client, code):
    made = client.post("/api/v1/games/import", json={"log": GAMES[code]["log"]})
    assert made.status_code == 201
    copy = client.get(f"/api/v1/games/{made.json['code']}").json
    told = {key: value for key, value in unworded(GAMES[code]["state"]).items() if key not in ("code", "log")}
    assert still(told, unworded(copy)) == told


@pytest.mark.parametrize("code", some(GAMES, *ONE_OF_EACH))
def test_it_opens_on_a_page(client, code):
    page = client.get(f"/g/{code}")
    assert page.status_code == 200
    for player in GAMES[code]["state"]["players"]:
        assert player["name"].replace("'", "&#39;") in page.text


@pytest.mark.parametrize("code", GAMES)
def test_what_goes_along_with_a_game_is_still_there(app, code):
    told = GAMES[code]
    with app.app_context():
        edition, grants = version(code), stored_grants.list_grants(code)
        counts = games.counts(code, BEFORE_THE_NEXT_HAND, edition)
    assert str(edition) == told["edition"]
    assert [[g.id, g.role, g.seat, g.device, g.created_at, g.revoked_at] for g in grants] == told["grants"]
    assert {str(seat): count for seat, (count,) in counts.items()} == told["counts"]


@pytest.mark.parametrize("right", ANSWERS["rights"], ids=lambda right: right["secret"])
def test_a_right_gives_what_it_gave(app, client, right):
    code, secret = right["code"], right["secret"]
    with app.app_context():
        grant, now_at = stored_grants.grant_for(code, secret), stored_grants.code_for(secret)
    assert (grant and grant.role, grant and grant.seat) == (right["role"], right["seat"])
    assert now_at == right["now_at"]
    answer = send(client, code, secret, {"kind": "rename", "seat": 1, "name": "Somebody"}, preview=True)
    assert answer.status_code == right["preview"]


def test_the_dump_holds_every_variant_kind_and_role():
    events = [entry["event"] for game in GAMES.values() for entry in game["log"]]
    kinds = {"start", "hand", "void", "buy_in", "decline", "penalty", "ruling", "leave", "join", "rename", "setup"}
    kinds |= {"paid", "first", "end", "stop", "decider", "amend", "insert", "undo"}
    assert {event["kind"] for event in events} == kinds
    assert len({event["variant"] for event in events if event["kind"] == "start"}) == 7
    assert {game["state"]["status"] for game in GAMES.values()} == {"playing", "buy_ins", "over"}
    assert {role for game in GAMES.values() for _, role, *_ in game["grants"]} == {
        "scorer",
        "watch",
        "player",
        "recovery",
    }
    assert {right["preview"] for right in ANSWERS["rights"]} == {200, 403, 404}
    assert any(revoked for game in GAMES.values() for *_, revoked in game["grants"])
