"""Whatever is sent, the answer is no fault of ours: it says in words what is wrong with the request."""

import http.client

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import event
from werkzeug.datastructures import MultiDict

from app.store.database import db
from tests.examples import times
from tests.pages import Player, words

pytestmark = pytest.mark.one_app

NO_HOSTS = [".", "..", "a..b", "a" * 64, f"{'b' * 64}.example", "*", "[::1", "é", "x:y", "x:0", "a b", "/", ""]
VALUES = {"entry": "2", "seat": "2", "kind": "stop", "secret": "NOSUCHSECRET", "person": "2", "variant_id": "european"}
NASTY = ["", "0", "-1", "²", "1e400", "9" * 5000, "\0", "\u202e", "\ud800", "<b>", "record", "start", "save", "x" * 300]


def addresses(app, code):
    """One address for each route, of a game that is there, with the methods it takes."""
    for rule in app.url_map.iter_rules():
        choices = {name: getattr(each, "items", None) for name, each in rule._converters.items()}
        values = {name: min(choices[name] or [VALUES.get(name, "a")]) for name in choices if name != "code"}
        built = rule.build(values | {"code": code} | (rule.defaults or {}))
        if built and rule.endpoint != "updates.refuse_stream" and not rule.endpoint.startswith("health."):
            yield built[1].partition("?")[0], rule.methods - {"OPTIONS", "HEAD"}


def said(answer):
    return answer.json["error"]["message"] if answer.is_json else words(answer.text)


@pytest.mark.parametrize("host", NO_HOSTS)
@pytest.mark.parametrize("address", ["/", "/new", "/nowhere", "/g/NOSUCHGAME2", "/static/css/app.css"])
def test_a_host_that_names_no_machine_is_refused_in_words(app, client, host, address):
    answer = client.get(address, headers={"Host": host})
    assert answer.status_code == 400
    assert "names no machine" in answer.text
    assert f'href="{app.static_url_path}/css/app.css"' in answer.text


@pytest.mark.parametrize("host", NO_HOSTS)
def test_the_interface_refuses_such_a_host_as_json(client, host):
    answer = client.post("/api/v1/games", json={}, headers={"Host": host})
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_request")


@pytest.mark.parametrize(
    "host", ["localhost:8000", "192.0.2.7", "[2001:db8::1]:8000", "xn--nxasmq6b.lan", "my_pi", "kalooki_app:8000"]
)
def test_a_host_of_any_usual_kind_is_answered_with_its_links(alice, host):
    answer = alice.client.get(f"/g/{alice.code}/share", headers={"Host": host})
    assert answer.status_code == 200
    if not host.startswith("localhost"):
        assert f"http://{host}/g/{alice.code}" in answer.text


def test_no_route_fails_at_a_bad_host(app, alice):
    for address, methods in addresses(app, alice.code):
        for method in methods:
            for host in (".", "*", "a" * 64):
                answer = app.test_client().open(address, method=method, headers={"Host": host})
                assert (answer.status_code, bool(said(answer))) == (400, True), (method, address, host)


@pytest.mark.parametrize("host", NO_HOSTS)
def test_the_running_server_answers_a_bad_host_in_words(server, host):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.putrequest("GET", "/", skip_host=True)
    connection.putheader("Host", host.encode())
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status == 400
    assert answer.read()
    connection.close()


@pytest.mark.parametrize("header", ["SCRIPT_NAME", "PATH_INFO", "Script-Name"])
def test_the_running_server_believes_no_path_from_a_header(server, header):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", "/", headers={header: "/evil"})
    answer = connection.getresponse()
    assert answer.status in (200, 400)
    assert b"/evil" not in answer.read()
    connection.close()


def test_the_error_page_asks_neither_routes_nor_the_database_and_leaves_no_cookie(app, client):
    statements = []
    with app.app_context():
        event.listen(db.engine, "before_cursor_execute", lambda *told: statements.append(told[2]))
    answer = client.get("/", headers={"Host": "."})
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (400, False)
    assert statements == []


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"variant": "european"},
        {"do": "variant", "variant": "jamaican"},
        {"players-x": "A"},
        {"players-²-name": "A", "do": "add"},
        {"players-007-name": "A"},
        {f"players-{'9' * 5000}-name": "A"},
        {"players-0-name": "Ann", "players-7-name": "Ben", "dealer": "²"},
        {"do": "draw"},
        {"do": "remove-0", "players-0-name": "Ann"},
    ],
)
def test_a_new_game_without_its_players_shows_the_form_again(client, sent):
    answer = client.post("/new", data=sent)
    assert answer.status_code in (200, 422)
    assert answer.text.count('name="players-') >= 4  # a name and a card for each of two seats


def test_no_route_fails_when_nothing_is_sent(app, alice):
    ben = Player(alice, seat=2)
    for device in (alice.client, ben.client, app.test_client()):
        for address, methods in addresses(app, alice.code):
            for method in methods - {"GET"}:
                answer = device.open(address, method=method)
                assert answer.status_code < 500, (method, address)


def garbage(fields):
    """A form with some of these fields, holding what nobody types."""
    return st.lists(st.tuples(st.sampled_from(fields), st.sampled_from(NASTY)), max_size=12)


FIELDS = ["do", "variant", "players-0-name", "players-1-name", "players-x-name", "dealer", "out_at", "unit", "money"]
FIELDS += ["currency", "call_up", "house-limit", "submission", "seen", "seat", "winner", "ending", "points-1", "zone"]
FIELDS += ["cards-2", "reason", "names", "day", "winner-0", "cell-0-1", "dealt_first", "recovery", "whom", "game"]


@settings(max_examples=times(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=garbage(FIELDS))
def test_no_form_fails_on_rubbish(app, alice, sent):
    data = MultiDict((name, value.encode("utf-8", "surrogatepass")) for name, value in sent)
    for address, methods in addresses(app, alice.code):
        if "POST" in methods and "/api/" not in address:
            answer = alice.client.post(address, data=data)
            assert answer.status_code < 500, (address, sent)


KINDS_OF_BODY = (
    "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain",
    "application/octet-stream", "",
)  # fmt: skip


@settings(max_examples=times(12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=200), kind=st.sampled_from(KINDS_OF_BODY), query=st.binary(max_size=40))
@example(body=b"", kind="", query=b"\r\n")
def test_no_route_fails_on_random_bytes(app, alice, body, kind, query):
    """In the body, whatever it is said to be, and in the address."""
    bearer = {"Authorization": f"Bearer {alice.scorer.secret}"}
    for address, methods in addresses(app, alice.code):
        if address.startswith("/static") or address.endswith((".pdf", ".png", ".ods")):
            continue
        for method in methods:
            data = body if method == "POST" else None
            device = app.test_client() if "/api/" in address else alice.client
            answer = device.open(
                address, method=method, data=data, content_type=kind, query_string=query.decode("latin-1"),
                headers=bearer,
            )  # fmt: skip
            assert answer.status_code < 500, (method, address)
            answer.close()
