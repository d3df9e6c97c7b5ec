"""The OpenAPI document: in step with the routes and the core; requests under fuzzing are answered as it says."""

import dataclasses
import re
from functools import cache

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    positive_data_acceptance,
    status_code_conformance,
    unsupported_method,
)

from app import create_app
from app.api.openapi import document
from app.api.requests import EVENTS, SUBMISSION
from app.kalooki import readers
from app.kalooki.cards import RANKS, BadInput
from app.kalooki.claims import CHECKS, CLAIMS
from app.kalooki.game.events import KINDS
from app.kalooki.readers import usable_submission
from app.kalooki.variants import ids, meanings
from app.views.links import PREFIX
from tests.examples import IS_SHORT, times
from tests.json_scorer import Scorer
from tests.kalooki.test_games import GAMES, load
from tests.pages import start

pytestmark = pytest.mark.one_app

KEPT = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    negative_data_rejection,
    unsupported_method,
)
EXACT = ("/find", "/disputes", "/check/meld", "/check/joker", "/openapi.json", "/variants", "/variants/{variant_id}")
EXACT += ("/variants/check", "/compare", "/games/{code}")
"""Paths whose every request the document allows is answered: elsewhere the rules decide, which no schema can tell."""
PRINTED = (".pdf", ".png")
WORDS = ["*", "*=6H", "10♦", "jk", "Ared", *(rank + suit for rank in "A23456789TJQK" for suit in "SHDC")]
CARDS = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
schemathesis.openapi.format("cards", CARDS | st.text(max_size=9))
NAMED = [*RANKS, "T", "t", "1", "a", "k", "Ared", "ABLACK"]
SUITED = [*(f"{rank}{suit}" for rank in (*RANKS, "T", "q", "1") for suit in "SHDCshdc♠♥♦♣♢"), "7♥\ufe0f"]
JOKERS = ["*", "jk", "JK", "Joker", "🃏", "★", "*=6H", "jk=10♦", "🃏=as"]


def routes(app):
    """Every route of the interface as the document writes it, with its methods."""
    found = set()
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith(PREFIX):
            for method in rule.methods - {"HEAD", "OPTIONS"}:
                found |= {(path, method.lower()) for path in spelled_out(rule.rule.removeprefix(PREFIX))}
    return found


def spelled_out(rule):
    """A route with each of the words it may hold, and its other parts in braces."""
    choice = re.search(r"<any\((.*?)\):\w+>", rule)
    if choice:
        return [rule.replace(choice.group(), word.strip()) for word in choice.group(1).split(",")]
    return [re.sub(r"<(?:[\w()=]+:)?(\w+)>", r"{\1}", rule)]


def test_the_document_tells_every_route_and_no_other(app):
    told = {(path, method) for path, ways in document()["paths"].items() for method in ways if method != "parameters"}

    assert told == routes(app)


def test_the_document_is_served(client):
    """As it is sent: every reference leads somewhere, and every schema is one."""
    served = client.get(f"{PREFIX}/openapi.json")
    told = served.json

    assert (served.status_code, served.mimetype) == (200, "application/json")
    assert (told["openapi"], told["servers"]) == ("3.1.0", [{"url": PREFIX}])
    assert set(re.findall(r'"#/components/schemas/(\w+)"', served.text)) <= told["components"]["schemas"].keys()
    for schema in told["components"]["schemas"].values():
        jsonschema_rs.meta.validate(schema | {"$schema": "https://json-schema.org/draft/2020-12/schema"})


def test_the_document_tells_every_check_event_variant_and_house_rule():
    schemas = document()["components"]["schemas"]

    assert CLAIMS.keys() == CHECKS | {"count", "solve"}
    assert EVENTS.keys() == KINDS.keys()
    assert set(schemas["VariantId"]["enum"]) == set(ids())
    assert schemas["HouseRules"]["properties"].keys() == {key for key, each in meanings().items() if each.house}


PROBES = [
    *(None, True, False, -1, 0, 1, 2, 56, 57, 60, 61, 99, 100, 224, 225, 10_000, 10_001, 1_000_000, 10_000_001),
    *("", "x", "x" * 40, "x" * 41, "x" * 200, "x" * 201, "low", "account", "refund", "KH", [], ["KH"], ["KH"] * 61),
    *({}, {"1": "KH"}, {"56": 1}, {"57": 1}, {"01": 1}, {"1": {"points": 10_001}}, {"low": 224}, {"low": 225}),
    *({"currency": "EUR", "call_up": 10}, {"call_up": -1}, {"limit": 100}, {"jokers": 99}, [{"cards": "KH"}]),
    *([{"cards": "KH", "owner": 56}], [{"cards": "KH", "owner": 57}], {"kind": "end"}, {"kind": "start"}),
    *([{"do": "draw", "from": "stock", "card": "KH"}], [{"do": "draw", "card": "KH"}]),
    *([{"do": "build", "cards": "KH"}], {"dealt": [13]}),
]


def every_reader():
    """Every reader of an event's field and of a claim, by name."""
    for kind, event in KINDS.items():
        for each in dataclasses.fields(event):
            yield f"{kind}.{each.name}", each.metadata["key"].reader
    yield from CLAIMS.items()


@pytest.mark.parametrize(("name", "reader"), [*every_reader()])
def test_a_reader_reads_what_it_says_and_nothing_else(name, reader):
    told = jsonschema_rs.Draft202012Validator(reader.schema | {"components": document()["components"]})
    for probe in PROBES:
        try:
            reader.read(probe, "probe")
        except BadInput:
            is_text = isinstance(probe, str) and reader.name == "Cards"  # which the document calls a format
            assert is_text or "KH" in str(probe) or not told.is_valid(probe) or unknown_names(probe), probe
        else:
            assert told.is_valid(probe), probe


def unknown_names(probe):
    """Whether an object names something: which names it may have, a document leaves open."""
    return isinstance(probe, dict) and bool(probe)


@given(st.lists(st.sampled_from(NAMED + SUITED + JOKERS + ["6Hx", "=7H", "11S"]), max_size=5), st.booleans())
def test_cards_are_described_as_they_are_read(cards, is_left):
    """By the document's pattern, for those who have only that."""
    reader = readers.LEFT_CARDS if is_left else readers.CARDS
    written = f" {', '.join(cards)} "
    allowed = {*SUITED, *JOKERS, *(NAMED if is_left else ())}
    assert bool(re.search(reader.shape["pattern"], written)) == all(card in allowed for card in cards)
    try:
        reader.read(written, "cards")
    except BadInput:
        assert not all(card in allowed for card in cards)
    else:
        assert all(card in allowed for card in cards)


def query_of(path):
    """What the document allows in the query of a path, as one object."""
    told = document()
    ways = told["paths"][path]
    named = {each["name"]: each for each in (*ways.get("parameters", ()), *ways["get"].get("parameters", ()))}
    whose = named.pop("rules", {"schema": {}})["schema"]
    each = {"type": "object", "properties": {name: parameter["schema"] for name, parameter in named.items()}}
    return jsonschema_rs.Draft202012Validator({"allOf": [each, whose], "components": told["components"]})


@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        ("/disputes", {}, 422),
        ("/disputes", {"variant": "european"}, 200),
        ("/find", {"q": "steal the joker"}, 422),
        ("/find", {"q": " ", "variant": "european"}, 422),
        ("/find", {"q": "steal the joker", "variant": "european"}, 200),
        ("/sheets/blank.pdf", {"currency": "", "paper": "", "variant": "", "players": ""}, 200),
        ("/sheets/blank.pdf", {"currency": "nine long"}, 422),
        ("/sheets/blank.pdf", {"paper": "a3"}, 422),
    ],
)
def test_a_query_is_answered_as_the_document_allows_it(client, path, query, status):
    assert client.get(f"{PREFIX}{path}", query_string=query).status_code == status
    assert query_of(path).is_valid(query) is (status == 200)


def test_nothing_but_an_import_is_found_where_games_are_brought_back(client):
    for ask in (client.get, client.put, client.delete):
        answer = ask(f"{PREFIX}/games/import")
        assert (answer.status_code, {*answer.headers["Allow"].split(", ")}) == (405, {"POST", "OPTIONS"})


def test_a_seat_is_a_name_from_one_to_the_most():
    named = [number for number in range(1, 200) if re.fullmatch(readers.SEATS_PATTERN, str(number))]
    assert named == list(range(1, readers.MOST_SEATS + 1))


def kinds(schema):
    """The kinds of event a place of the document takes."""
    schemas = document()["components"]["schemas"]
    named = [schemas[each["$ref"].rsplit("/", 1)[1]] for each in schema["oneOf"]]
    return {each["properties"]["kind"]["const"] for each in named}


def test_an_event_may_stand_where_the_core_takes_it():
    schemas = document()["components"]["schemas"]
    recorded = KINDS.keys() - {"start"}

    assert kinds(schemas["Recorded"]) == KINDS.keys()
    assert kinds(schemas["Event"]) == recorded
    assert kinds(EVENTS["amend"]["properties"]["event"]) == recorded - {"amend", "undo"}
    assert kinds(EVENTS["insert"]["properties"]["event"]) == {"hand", "void"}


@pytest.mark.parametrize("name", ["c0ffee-1", "!~", "a b", "ä", "", "x" * 100, "x" * 101, "tab\t"])
def test_a_submission_is_described_as_it_is_taken(name):
    assert jsonschema_rs.is_valid(SUBMISSION.schema, name) == usable_submission(name)


def test_an_entry_is_saved_only_with_what_it_needs_and_previewed_without(client):
    scorer = start(client)
    address, bearer = f"{PREFIX}/games/{scorer.code}/entries", {"Authorization": f"Bearer {scorer.secret}"}
    event = {"event": {"kind": "void", "reason": "misdeal"}}
    told = document()["paths"]["/games/{code}/entries"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    allowed = jsonschema_rs.Draft202012Validator(told | {"components": document()["components"]})
    for more, status in (
        ({}, 422),
        ({"seen": 1}, 422),
        ({"preview": False, "seen": 1}, 422),
        ({"preview": True}, 200),
        ({"preview": True, "seen": -1}, 422),
        ({"preview": True, "submission": ""}, 422),
        ({"seen": 1, "submission": "one"}, 201),
    ):
        answer = client.post(address, json=event | more, headers=bearer)
        assert answer.status_code == status, more
        assert allowed.is_valid(event | more) is (status != 422), more


@cache
def sent_back():
    """What the document says of a file that brings a game back."""
    told = document()
    body = told["paths"]["/games/import"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return jsonschema_rs.Draft202012Validator(body | {"components": told["components"]})


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_file_of_a_game_is_described_as_it_is_imported(client, path):
    """Running, finished, corrected, of every variant."""
    game = load(path)
    scorer = Scorer(client, game["start"])
    for each in game["entries"]:
        scorer.seen += scorer.send(each["event"]).status_code == 201
    file = client.get(f"{PREFIX}/games/{scorer.code}/sheet.json").json
    sent_back().validate(file)
    assert client.post(f"{PREFIX}/games/import", json=file).status_code == 201


def test_a_state_already_known_is_answered_as_documented(client):
    address = f"{PREFIX}/games/{start(client).code}"
    known = client.get(address).headers["ETag"]
    answer = client.get(address, headers={"If-None-Match": known})

    assert answer.status_code == 304
    assert "304" in document()["paths"]["/games/{code}"]["get"]["responses"]


@pytest.fixture(scope="module")
def fuzzed(shared_url):
    """The interface with two games in it, as schemathesis sees it."""
    app = create_app({"DATABASE_URL": shared_url, "SECRET_KEY": "test", "TESTING": True, "RATELIMIT_ENABLED": False})
    games = [start(app.test_client(), variant).started for variant in ("european", "jamaican")]
    schema = schemathesis.openapi.from_wsgi(f"{PREFIX}/openapi.json", app)
    return schema, games


OPERATIONS = sorted(
    (path, method) for path, ways in document()["paths"].items() for method in ways if method != "parameters"
)


def texts_of(value):
    if isinstance(value, dict | list):
        return [text for each in (value.values() if isinstance(value, dict) else value) for text in texts_of(each)]
    return [value] if isinstance(value, str) else []


@pytest.mark.hypothesis
@pytest.mark.both_engines
@pytest.mark.parametrize(("path", "method"), OPERATIONS, ids=str)
def test_whatever_is_asked_the_answer_is_as_documented(fuzzed, path, method):
    schema, games = fuzzed
    operation = schema[path][method]
    negative = operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)
    cases = st.one_of(operation.as_strategy(), negative)

    @settings(
        max_examples=times(8 if path.endswith(PRINTED) else 40),  # printing takes its time
        deadline=None,
        derandomize=IS_SHORT,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def hold(case, number):
        case.headers["Accept-Encoding"] = "identity"
        if "code" in case.path_parameters and number:
            game = games[number - 1]
            case.path_parameters["code"] = game["code"]
            case.headers["Authorization"] = f"Bearer {game['scorer']}"
        has_own_rules = isinstance(case.body, dict) and "house" in case.body  # which may contradict each other
        is_exact = path in EXACT and not has_own_rules
        checks = KEPT + ((positive_data_acceptance,) if is_exact else ())
        if any(not text.isprintable() or text != " ".join(text.split()) for text in texts_of(case.body)):
            # too long as it came, but not once white space and control characters are folded
            checks = [check for check in checks if check is not negative_data_rejection]
        case.call_and_validate(checks=checks)

    given(case=cases, number=st.integers(0, 2))(hold)()
