"""What every answer carries: caching by releases, compression, protection of forms."""

import gzip
import re

import pytest
from backports import zstd
from flask import Response, render_template_string

from app import create_app
from app.views import responses
from tests.pages import Alice

LONG = "Kalooki for the whole table. " * 100
UNPACKED = {"gzip": gzip.decompress, "zstd": zstd.decompress}


@pytest.fixture
def app(app):
    app.add_url_rule("/long", "long", lambda: Response(LONG, mimetype="text/html"))
    app.add_url_rule("/short", "short", lambda: "three cards")
    app.add_url_rule("/live", "live", lambda: Response(LONG, mimetype="text/event-stream"))
    app.add_url_rule("/picture", "picture", lambda: Response(LONG, mimetype="image/png"))
    return app


@pytest.fixture
def static(app):
    """The path of the static files."""
    return app.static_url_path


def test_the_path_of_static_files_changes_with_the_contents_of_any(tmp_path, monkeypatch):
    monkeypatch.setattr(responses, "ROOT", tmp_path)
    (tmp_path / "static/css").mkdir(parents=True)
    (tmp_path / "static/css/a.css").write_text("p { margin: 0 }")
    before = responses.static_path()
    assert re.fullmatch(r"/static/[0-9a-f]{10}", before)
    assert responses.static_path() == before
    (tmp_path / "static/css/a.css").write_text("p { margin: 1px }")
    assert responses.static_path() != before


def test_a_static_file_is_kept_for_good(client, static):
    headers = client.get(f"{static}/css/app.css").headers
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert not {"ETag", "Last-Modified", "Content-Disposition"} & {*headers.keys()}  # never asked for again
    assert client.get(f"{static}/css/none.css").status_code == 404


@pytest.mark.parametrize("earlier", ["/static/js/outbox.js?v=99e786c248", "/static/0123456789/js/outbox.js"])
def test_a_page_of_another_release_is_led_to_the_file_of_this_one(client, static, earlier):
    """Its scripts fetch others when they are needed; 0.3 named a file's version behind its address."""
    led = client.get(earlier)
    assert (led.status_code, led.location) == (302, f"{static}/js/outbox.js")
    assert "immutable" not in led.headers["Cache-Control"]
    assert "export const outcomeOf" in client.get(led.location).text


def test_what_no_release_has_is_not_found(client):
    assert client.get("/static/js/none.js?v=0", follow_redirects=True).status_code == 404


def test_an_address_on_a_page_is_that_of_its_values_below_the_root_asked_for(app):
    def told(root, **values):
        with app.test_request_context("/", environ_overrides={"SCRIPT_NAME": root}):
            return render_template_string("{{ url_for('start.new_game', **values) }}", values=values)

    for _ in range(2):
        assert told("", again=1) == "/new?again=1"
        assert told("/cards", again=1) == "/cards/new?again=1"
        assert told("", again=True) == "/new?again=True"
        assert told("", again=None) == "/new"


def test_comments_stay_at_home_and_licences_do_not(client, static, tmp_path, monkeypatch):
    style = client.get(f"{static}/css/app.css").text
    assert ":root {" in style
    comment = "Cascade layers decide over specificity"
    assert comment in (responses.ROOT / "static/css/app.css").read_text(encoding="utf-8")
    assert comment not in style
    assert "\n " not in style
    (tmp_path / "static").mkdir()
    (tmp_path / "static/of_others.js").write_text(
        "/*! free */\n/** ours\n * */\n  // too\n/** @type {A} */ (a)\nconst at = 'http://a' // at\n/* last */\n"
        "const slow = 5; // seconds\nconst text = '; // kept';\n"
    )
    monkeypatch.setattr(responses, "ROOT", tmp_path)
    assert responses._without_comments("of_others.js") == (
        "/*! free */\n(a)\nconst at = 'http://a' // at\nconst slow = 5;\nconst text = '; // kept';\n"
    )


@pytest.mark.parametrize("packed", UNPACKED)
@pytest.mark.parametrize("address", ["/long", "css/app.css", "/sw.js"])
def test_text_is_sent_compressed_to_whoever_reads_it(client, static, address, packed):
    address = address if address.startswith("/") else f"{static}/{address}"
    plain = client.get(address)
    small = client.get(address, headers={"Accept-Encoding": f"{packed}, br"})
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == packed
    assert UNPACKED[packed](small.data) == plain.data
    assert len(small.data) < len(plain.data) / 2
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "Accept-Encoding" in small.headers["Vary"]


@pytest.mark.parametrize("address", ["/short", "/live", "/picture"])
def test_what_gains_nothing_or_is_streamed_stays_as_it_is(client, address):
    answer = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers


def test_the_referees_page_is_light_once_its_files_are_kept(client):
    """What is not kept for good is the page itself."""
    assert len(client.get("/disputes", headers={"Accept-Encoding": "gzip"}).data) < 15_000


@pytest.mark.parametrize("packed", ["gzip", "zstd", ""])
@pytest.mark.parametrize("address", ["/sw.js", "/g/{code}/board", "/api/v1/games/{code}", "/g/{code}/version"])
def test_what_a_phone_has_is_not_sent_again_however_it_was_compressed(app, address, packed):
    alice = Alice(app)
    asked, address = {"Accept-Encoding": packed}, address.format(code=alice.code)
    first = alice.client.get(address, headers=asked)
    again = alice.client.get(address, headers=asked | {"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_every_answer_tells_the_browser_to_trust_nobody_else(client):
    headers = client.get("/short").headers
    assert {name: headers[name] for name in responses.HEADERS} == responses.HEADERS


def test_the_answer_to_a_form_is_shown_again_whatever_the_cookie_holds_by_then(client):
    """A browser keeps what varies with cookies for the same cookies only."""
    assert "Cookie" not in client.post("/copy").headers.get("Vary", "")
    assert "Cookie" in client.get("/copy").headers["Vary"]


def test_a_form_without_its_token_is_refused(database):
    app = create_app({"DATABASE_URL": f"sqlite:///{database}", "SECRET_KEY": "test"})
    app.add_url_rule("/save", "save", lambda: "saved", methods=["POST"])
    assert app.test_client().post("/save", data={"name": "Ann"}).status_code == 400


def test_a_plural_in_a_template_is_escaped(app):
    template = """{{ plural("{num} card of {name}", "{num} cards of {name}", 2, name="<Ann>") }}"""
    with app.test_request_context():
        assert render_template_string(template) == "2 cards of &lt;Ann&gt;"


def test_a_window_of_its_own_is_asked_for_where_browsers_heed_it(client):
    header = "Cross-Origin-Opener-Policy"
    assert header not in client.get("/").headers
    assert client.get("/", base_url="https://cards.example").headers[header] == "same-origin"


@pytest.mark.parametrize(
    "address", ["/g/{code}", "/g/{code}/history", "/api/v1/games/{code}", "/api/v1/games/{code}/sheet.csv"]
)
def test_search_engines_list_no_game(app, address):
    alice = Alice(app)
    assert alice.client.get(address.format(code=alice.code)).headers["X-Robots-Tag"] == "noindex"
    assert "X-Robots-Tag" not in alice.client.get("/rules").headers


def test_robots_are_asked_to_leave_questions_and_paper_alone(client):
    told = client.get("/robots.txt")
    assert told.mimetype == "text/plain"
    assert told.text.splitlines() == [
        "User-agent: *", "Disallow: /api/v1/check/", "Disallow: /api/v1/sheets/", "Disallow: /check?"
    ]  # fmt: skip
