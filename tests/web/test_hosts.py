"""Names: which the server answers to, and which may stand in a link; and bodies whose length nobody announced."""

import socket
from io import BytesIO

import pytest

from tests.conftest import application
from tests.pages import Alice, words

OWN = "192.0.2.7"
START = {"variant": "european", "players": ["Ann", "Ben"]}


@pytest.fixture
def at(database, monkeypatch):
    """The application as it is set up for an address and other names."""
    for asked in ("views.links", "addresses"):
        monkeypatch.setattr(f"app.{asked}.own_addresses", lambda: (OWN,))

    def make(base="", hosts=""):
        return application(f"sqlite:///{database}", BASE_URL=base, HOSTS=hosts)

    return make


def asked(app, host, address="/"):
    return app.test_client().get(address, headers={"Host": host})


@pytest.mark.parametrize("host", [
    "cards.example", "CARDS.Example:8443", "pi.example", "localhost:8000", "127.0.0.1", f"{OWN}:8000",
])  # fmt: skip
def test_with_a_base_url_it_answers_to_the_names_it_has(at, host):
    app = at("https://cards.example:8443/", "pi.example, Other.example")
    assert asked(app, host).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "cards.example.evil.example", "evil.cards.example", "198.51.100.1", "kalooki", "", "x_y"]
)
def test_with_a_base_url_it_answers_to_no_other_name(at, host):
    app = at("https://cards.example", "pi.example")
    for address in ("/", "/new", "/g/NOSUCHGAME2", "/static/css/app.css"):
        answer = asked(app, host, address)
        assert (answer.status_code, answer.mimetype) == (400, "text/plain"), address
        assert answer.text.startswith("This server doesn’t go by that name.")
    assert app.test_client().post("/api/v1/games", json=START, headers={"Host": host}).status_code == 400


def test_a_misspelt_path_is_fixed_without_naming_a_host(at):
    """Without a BASE_URL, the Host header may be anything."""
    answer = asked(at(), "evil.example", "/g//NOSUCHGAME2?sort=score")
    assert (answer.status_code, answer.headers["Location"]) == (308, "/g/NOSUCHGAME2?sort=score")
    below = asked(at("https://cards.example/kalooki"), "cards.example", "/kalooki/g//NOSUCHGAME2")
    assert (below.status_code, below.headers["Location"]) == (308, "/kalooki/g/NOSUCHGAME2")


@pytest.mark.parametrize("address", ["/livez", "/readyz", "/healthz"])
def test_whoever_asks_how_the_server_is_may_call_it_anything(at, address):
    """Containers and load balancers ask by names of their own, or by none; the answer holds no address."""
    app = at("https://cards.example")
    for host in ("kalooki.default.svc.cluster.local:8000", "198.51.100.1", "evil.example", ""):
        answer = asked(app, host, address)
        assert answer.status_code == 200, host
        assert "example" not in answer.text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "local.evil.example", "192.0.2.7.evil.example"])
def test_without_one_a_name_nobody_gave_reaches_no_link(at, host):
    app = at()
    alice = Alice(app)
    headers = {"Host": host}
    _, colon, port = host.partition(":")
    own = f"http://{OWN}{colon}{port}/g/{alice.code}"
    alice.client.get(f"/g/{alice.code}/s/{alice.scorer.secret}", headers=headers)
    told = [
        alice.client.get(f"/g/{alice.code}/share", headers=headers).text,
        alice.client.get(f"/g/{alice.code}/sheet", headers=headers).text,
        alice.client.get(f"/api/v1/games/{alice.code}/sheet.txt", headers=headers).text,
    ]
    assert [own in page for page in told] == [True] * 3
    links = alice.client.post("/api/v1/games", json=START, headers=headers).json["links"]
    assert links["state"].startswith(f"http://{OWN}{colon}{port}/api/v1/games/")
    assert not any("evil" in page for page in (*told, *links.values()))


@pytest.mark.parametrize(
    "host", ["cards.lan", "pi.home.arpa:8000", "raspberrypi", "198.51.100.1", "[2001:db8::1]:8000"]
)
def test_names_of_a_home_and_addresses_are_what_links_begin_with(at, host):
    app = at()
    alice = Alice(app)
    assert f"http://{host}/g/{alice.code}" in alice.client.get(f"/g/{alice.code}/share", headers={"Host": host}).text


@pytest.mark.parametrize("port", ["65536", "99999", "000080", "9" * 5000])
def test_no_machine_has_such_a_port(at, port):
    assert asked(at(), f"localhost:{port}").status_code == 400


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "127.8.9.1", "[::1]", "0.0.0.0", "cards.localhost"])  # noqa: S104 - it is only said
def test_a_link_and_a_code_never_lead_a_phone_to_itself(at, monkeypatch, name):
    alice = Alice(at())
    asked_there = {"headers": {"Host": f"{name}:8000"}}
    alice.client.get(f"/g/{alice.code}/s/{alice.scorer.secret}", **asked_there)
    page = alice.client.get(f"/g/{alice.code}/share", **asked_there).text
    assert f"http://{OWN}:8000/g/{alice.code}" in page
    assert "<svg" in page
    monkeypatch.setattr("app.views.links.own_addresses", tuple)  # it has left its network
    page = alice.client.get(f"/g/{alice.code}/share", **asked_there).text
    assert "this computer is on no network" in page
    assert "<svg" not in page


def test_a_base_url_that_leads_a_phone_to_itself_is_said(at):
    alice = Alice(at("http://localhost:8000"))
    page = words(alice.client.get(f"/g/{alice.code}/share").text)
    assert "the setting BASE_URL names the computer itself" in page


def test_a_name_that_was_given_may_stand_in_links(at):
    alice = Alice(at(hosts="pi.example"))
    page = alice.client.get(f"/g/{alice.code}/share", headers={"Host": "pi.example:8000"}).text
    assert f"http://pi.example:8000/g/{alice.code}" in page


# ---- Bodies in chunks


def sent_in_chunks(port, path, body):
    """The status line of the answer to a body of which nobody said how long it is."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        line.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        try:
            for start in range(0, len(body), 65536):
                chunk = body[start : start + 65536]
                line.sendall(b"%x\r\n%b\r\n" % (len(chunk), chunk))
            line.sendall(b"0\r\n\r\n")
        except ConnectionError:
            pass  # it has said enough
        return line.recv(200).partition(b"\r\n")[0]


@pytest.mark.parametrize(
    ("path", "blanks"), [("/api/v1/games", 1_050_000), ("/api/v1/check/meld", 5_000_000), ("/new", 2_000_000)]
)
def test_a_body_in_chunks_that_is_too_long_is_refused_as_such(server, path, blanks):
    """What was valid before its end stays refused: nothing is cut silently."""
    body = b'{"variant":"european","players":["Ann","Ben"]}' + b" " * blanks + b"JUNK"
    assert b" 413 " in sent_in_chunks(server.port, path, body)


def test_a_body_in_chunks_is_read_whole(server):
    body = b'{"variant":"european","players":["Ann","Ben"]}' + b" " * 900_000
    assert b" 201 " in sent_in_chunks(server.port, "/api/v1/games", body)
    assert b" 422 " in sent_in_chunks(server.port, "/api/v1/games", body + b"JUNK")


@pytest.mark.parametrize("address", ["/api/v1/games", "/new"])
def test_under_another_server_it_is_refused_too(client, address):
    body = b'{"variant":"european","players":["Ann","Ben"]}' + b" " * 1_100_000
    environ = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": ""}
    answer = client.post(
        address, input_stream=BytesIO(body), environ_overrides=environ, content_type="application/json"
    )
    assert answer.status_code == 413


@pytest.mark.parametrize("path", ["/new", "/copy", "/disputes"])
def test_a_form_of_very_many_fields_is_refused_before_it_is_read(client, path):
    client.application.config["WTF_CSRF_ENABLED"] = True  # looks for its token among the fields
    fields = "&".join(f"winner-{number}=1" for number in range(20_000))
    kind = "application/x-www-form-urlencoded"
    assert client.post(path, data=fields, content_type=kind).status_code == 413
