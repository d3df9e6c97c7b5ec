"""Databases made by earlier releases, as 0.3 left them: every state, sheet and right is as it was told then.

`made_by_0_1.zip` holds `games.sql`, an SQLite dump, and `answers.json`, what 0.1 answered about it. They were made with
the code of commit e6636aa through its JSON interface and its log, opened once by 0.3, and are never made anew: every
game of `tests/kalooki/games/` entry by entry; those with a buy-in on offer a second time, left while the offer is open;
a game with every kind of ruling and correction, grants of all roles, some revoked and one passed on with the pen,
counts and appeals answered and open; a game whose code was renewed; a game brought back from its sheet.

`made_by_0_3.zip` also holds what 0.3 moved to PostgreSQL, as a dump: games that 0.1, 0.2 and 0.3 began and 0.3 ended,
two left running, one of them with open offers; a table at which every phone has said something, one whose pen was
passed on, one with a new code; the cookies of their phones, what each secret opened, and a hand that waits to be sent.

Later releases may add names to a state, and lines to a sheet. What was named then stays as it was, but for sentences,
which may be worded better: of those the numbers are compared.
"""

import csv
import io
import json
import re
import sqlite3
import subprocess
import zipfile
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from app import create_app
from app.games.recording import open_game
from app.history.formats import write_amount
from app.history.story import story
from app.kalooki.money import Currency
from app.store import games, opening
from app.store import grants as stored_grants
from app.store.database import version
from app.views.responses import SCRIPT_HEADER
from tests.json_scorer import import_game, send
from tests.web.old_databases import carried, made

RELEASES = ("0.1", "0.3")
MADE = {
    release: zipfile.ZipFile(Path(__file__).with_name(f"made_by_{release.replace('.', '_')}.zip"))
    for release in RELEASES
}
ANSWERS = {release: json.loads(MADE[release].read("answers.json")) for release in RELEASES}
GAMES = {(release, code): game for release in RELEASES for code, game in ANSWERS[release]["games"].items()}
SENTENCES = {"title", "text", "sources"}
BEFORE_THE_NEXT_HAND = 6
"""The entry after which counts were handed in under 0.1."""


def of_each(found, usual):
    """Parametrize by release and what is found in its answers; what is not `usual` is left to the long run."""
    return [
        pytest.param(release, each, id=f"{release}-{name}", marks=() if name in usual else pytest.mark.long)
        for release, name, each in found
    ]


def games_with_all():
    """Games, the longest first, that together have every variant in every state, and every kind of entry."""
    met = set()
    for (release, code), told in sorted(GAMES.items(), key=lambda each: -len(each[1]["log"])):
        has = {(release, told["state"]["variant"], told["state"]["status"])}
        has |= {(release, entry["event"]["kind"]) for entry in told["log"]}
        if not has <= met:
            met |= has
            yield code


EACH_GAME = pytest.mark.parametrize(
    ("release", "code"), of_each(((release, code, code) for release, code in GAMES), {*games_with_all()})
)
OF_0_3 = pytest.mark.parametrize("release", ["0.3"])


def unworded(told):
    """A state without sentences about faults, and without what players said to a hand, which 1.0 only stores."""
    hands = [{key: hand[key] for key in hand.keys() - {"agreed", "objected"}} for hand in told["hands"]]
    told = told | {"hands": hands}
    return told | {"faults": [{key: fault[key] for key in fault.keys() - SENTENCES} for fault in told["faults"]]}


def still(told, now):
    """What is told now, cut down to the names that were told then: equal to `told` where nothing has changed."""
    if isinstance(told, dict) and isinstance(now, dict):
        return {key: still(inner, now[key]) for key, inner in told.items() if key in now}
    if isinstance(told, list) and isinstance(now, list) and len(told) == len(now):
        return [still(then, today) for then, today in zip(told, now, strict=True)]
    return now


COLUMNS = 16
"""Of a spreadsheet of 0.1, which only told hands."""
RANKED = re.compile(r"\d+\. |(?=.*, left\b)")
"""What a line of the standings begins with; who left has no place since 1.0."""
CURRENCY = re.compile("[€£]|R(?=\\d)|ZAR\xa0| [A-Z]{3}$")


def spreadsheet(text, release):
    """The rows and columns of a spreadsheet that were there, and their days: the evening's since 1.0."""
    heads, *rows = csv.reader(io.StringIO(text))
    if release == "0.1":
        rows = [row[:COLUMNS] for row in rows if "kind" not in heads or row[heads.index("kind")] in ("hand", "void")]
    day = heads.index("date")
    return [row[:day] + row[day + 1 :] for row in rows], {row[day] for row in rows}


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
SETTINGS = {"SECRET_KEY": "test", "BASE_URL": "http://cards.example", "TESTING": True, "RATELIMIT_ENABLED": False}
# the cookies of 0.3 keep their day, whenever this runs
SETTINGS |= {"PERMANENT_SESSION_LIFETIME": timedelta(days=36_500), "WTF_CSRF_ENABLED": False}


@pytest.fixture(scope="module")
def apps(request, engine, tmp_path_factory):
    """By release the application of today on a copy of the dump, which it brings up to date."""
    apps = {release: upgraded(request, engine, release, tmp_path_factory.mktemp("made")) for release in RELEASES}
    yield apps
    for app in apps.values():
        opening.close_database(app)


@pytest.fixture
def app(apps, release):
    return apps[release]


@pytest.fixture
def own_app(request, engine, release, tmp_path):
    """The same for one test, which records."""
    app = upgraded(request, engine, release, tmp_path)
    yield app
    opening.close_database(app)


def upgraded(request, engine, release, folder):
    dumps = MADE[release]
    if engine == "postgresql" and "postgresql.sql" in dumps.namelist():
        url = restored(request.getfixturevalue("cluster"), dumps.read("postgresql.sql"))
    else:
        with closing(sqlite3.connect(folder / "games.db")) as database:
            database.executescript(dumps.read("games.sql").decode())
        url = f"sqlite:///{folder / 'games.db'}"
        if engine == "postgresql":
            url = carried(url, made(request.getfixturevalue("postgresql")(), "0011"))
    return create_app(SETTINGS | {"DATABASE_URL": url})


def restored(cluster, dump):
    """The address of a PostgreSQL database that has everything in a dump."""
    url = cluster.create_database()
    subprocess.run([cluster.where / "psql", "-q", "-v", "ON_ERROR_STOP=1", url], input=dump, check=True)
    return url


@EACH_GAME
def test_a_state_is_as_it_was(client, release, code):
    told = unworded(GAMES[release, code]["state"])
    now = unworded(client.get(f"/api/v1/games/{code}").json)
    assert still(told, now) == told


@EACH_GAME
def test_its_sheets_say_the_same(client, release, code):
    sheets = f"/api/v1/games/{code}/sheet"
    told = GAMES[release, code]
    rows, days = spreadsheet(client.get(f"{sheets}.csv").get_data(as_text=True), release)
    rows_then, days_then = spreadsheet(told["csv"], release)
    assert rows == rows_then
    assert days <= days_then | {"2026-11-21"}  # the evening before, for what was played until six
    assert client.get(f"{sheets}.json").json["log"] == told["log"]
    with client.application.app_context():
        since = story(open_game(code))  # which only 1.0 tells
    lines = client.get(f"{sheets}.txt").get_data(as_text=True).splitlines()
    then, now = chat(told["text"]), chat("\n".join(line for line in lines if not since or line != since))
    if told["state"]["status"] != "over":
        then, now = without_money(then), without_money(now)
    assert now._replace(shares=[]) == then._replace(shares=[])
    assert then.shares in ([], now.shares)  # 0.1 told none
    shares = [write_amount(share, Currency()) for share in told["state"]["shares"].values() if share]
    assert now.shares[: len(shares)] == shares
    assert bool(now.shares) == bool(shares)


@EACH_GAME
def test_a_sheet_of_then_brings_the_game_back(client, release, code):
    copy = import_game(client, GAMES[release, code]["log"]).state()
    told = {key: value for key, value in unworded(GAMES[release, code]["state"]).items() if key not in ("code", "log")}
    assert still(told, unworded(copy)) == told


@EACH_GAME
def test_it_opens_on_a_page(client, release, code):
    page = client.get(f"/g/{code}")
    assert page.status_code == 200
    for player in GAMES[release, code]["state"]["players"]:
        assert player["name"].replace("'", "&#39;") in page.text


@EACH_GAME
def test_what_goes_along_with_a_game_is_still_there(app, release, code):
    told = GAMES[release, code]
    with app.app_context():
        revision, grants = version(code), stored_grants.list_grants(code)
        counts = games.counts(code, told.get("counts_after", BEFORE_THE_NEXT_HAND), revision)
    assert str(revision) == told["edition"]
    assert [[g.id, g.role, g.seat, g.device, g.created_at, g.revoked_at] for g in grants] == told["grants"]
    assert {str(seat): count for seat, (count,) in counts.items()} == told["counts"]


EACH_RIGHT = [(release, right["secret"], right) for release in RELEASES for right in ANSWERS[release]["rights"]]
A_RIGHT_OF_EACH_KIND = {
    (release, right["role"], right["seat"], right["preview"], right["code"] == right["now_at"]): secret
    for release, secret, right in EACH_RIGHT
}.values()


@pytest.mark.parametrize(("release", "right"), of_each(EACH_RIGHT, A_RIGHT_OF_EACH_KIND))
def test_a_right_gives_what_it_gave(app, client, right):
    code, secret = right["code"], right["secret"]
    with app.app_context():
        grant, now_at = stored_grants.grant_for(code, secret), stored_grants.code_for(secret)
    assert (grant and grant.role, grant and grant.seat) == (right["role"], right["seat"])
    assert now_at == right["now_at"]
    answer = send(client, code, secret, {"kind": "rename", "seat": 1, "name": "Somebody"}, preview=True)
    assert answer.status_code == right["preview"]


SINCE = {("MAE3UTVTTY9", "player"): {"count": True}}
"""What a phone may do since 1.0: one that records and has a seat sends its own cards too."""
EACH_PHONE = [("0.3", f"{each['code']}-{each['phone']}", each) for each in ANSWERS["0.3"]["phones"]]


@pytest.mark.parametrize(("release", "phone"), of_each(EACH_PHONE, {name for _, name, _ in EACH_PHONE}))
def test_a_phone_may_do_what_its_cookie_let_it_do(client, phone):
    client.set_cookie("session", phone["cookie"])
    found = {page: client.get(f"/g/{phone['code']}/{page}").status_code == 200 for page in phone["may"]}
    assert found == phone["may"] | SINCE.get((phone["code"], phone["phone"]), {})


@OF_0_3
def test_a_game_that_was_continued_leads_to_the_next_one(client):
    games_of_0_3 = ANSWERS["0.3"]["games"]
    (code, after), *others = [(code, game["next_game"]) for code, game in games_of_0_3.items() if game["next_game"]]
    assert others == []
    followed = client.post(f"/g/{code}/rematch")
    assert followed.location == f"/g/{after}"


@OF_0_3
def test_a_hand_that_waited_on_a_phone_is_recorded_once(own_app):
    """As a page of 0.3 that is still open sends it, and its outbox does again when the answer was lost."""
    client = own_app.test_client()
    (letter,) = ANSWERS["0.3"]["waiting"]
    client.set_cookie("session", letter["cookie"])
    state = f"/api/v1/games/{letter['action'].split('/')[2]}"
    totals = [player["total"] for player in client.get(state).json["players"]]
    for _ in range(2):
        assert client.post(letter["action"], data=letter["fields"], headers={SCRIPT_HEADER: "1"}).status_code == 204
    now = client.get(state).json
    assert now["seen"] == int(letter["fields"]["seen"]) + 1
    assert [player["total"] for player in now["players"]] == [totals[0], totals[1] + 12, totals[2] + 10 + 7]


@OF_0_3
def test_the_whole_database_is_sound(app, release):
    with app.app_context():
        assert [*opening.check()] == []


@pytest.mark.parametrize("release", RELEASES)
def test_the_dump_holds_every_variant_kind_and_role(release):
    answers = ANSWERS[release]
    dumped = answers["games"].values()
    events = [entry["event"] for game in dumped for entry in game["log"]]
    kinds = {"start", "hand", "void", "buy_in", "decline", "penalty", "ruling", "leave", "join", "rename", "setup"}
    kinds |= {"paid", "first", "end", "stop", "decider", "amend", "insert", "undo"}
    kinds |= {"face"} if release == "0.3" else set()
    assert {event["kind"] for event in events} == kinds
    assert len({event["variant"] for event in events if event["kind"] == "start"}) == 7
    assert {game["state"]["status"] for game in dumped} == {"playing", "buy_ins", "over"}
    roles = {"scorer", "player", "recovery"} | ({"watch"} if release == "0.1" else set())
    assert {role for game in dumped for _, role, *_ in game["grants"]} == roles
    assert {right["preview"] for right in answers["rights"]} == {200, 403} | ({404} if release == "0.1" else set())
    assert any(revoked for game in dumped for *_, revoked in game["grants"])
