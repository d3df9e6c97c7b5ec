"""What every answer carries: caching by contents, compression, protection of forms."""

import gzip
import re
from hashlib import sha256
from itertools import count

import pytest
from flask import Response, render_template_string

from app import create_app
from app.views import responses

LONG = "Kalooki for the whole table. " * 100


@pytest.fixture
def app(app):
    app.add_url_rule("/long", "long", lambda: Response(LONG, mimetype="text/html"))
    app.add_url_rule("/short", "short", lambda: "three cards")
    app.add_url_rule("/stream", "stream", lambda: Response(iter([LONG]), mimetype="text/html"))
    app.add_url_rule("/live", "live", lambda: Response(LONG, mimetype="text/event-stream"))
    app.add_url_rule("/picture", "picture", lambda: Response(LONG, mimetype="image/png"))
    return app


@pytest.fixture
def style(app, tmp_path):
    """The address of a style sheet in a static folder of this test's own."""
    app.static_folder = str(tmp_path)
    (tmp_path / "a.css").write_text("p { margin: 0 }\n" * 100)

    def address(name="a.css"):
        with app.test_request_context():
            return responses.asset(name)

    return address


def test_a_static_files_address_changes_with_its_contents(style, tmp_path):
    before = style()
    assert re.fullmatch(r"/static/a\.css\?v=[0-9a-f]{10}", before)
    assert style() == before
    (tmp_path / "a.css").write_text("p { margin: 1px }\n")
    assert style() != before


def test_a_static_file_is_kept_for_good_under_its_hash_only(client, style):
    assert "immutable" in client.get(style()).headers["Cache-Control"]
    assert "immutable" not in client.get("/static/a.css").headers["Cache-Control"]
    assert client.get("/static/none.css?v=0").status_code == 404


@pytest.fixture
def joined(style, tmp_path):
    """The same, where the style sheet imports another."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/cards.css").write_text("/* Cards. */\n\n.pcard { color: red }\n")
    (tmp_path / "a.css").write_text('@layer parts;\n@import url("parts/cards.css") layer(parts);\n\np { margin: 0 }\n')
    return style


def test_a_style_sheet_of_several_files_is_sent_as_one(client, joined):
    """What is imported becomes a layer; the browser asks once, and gets no comments."""
    assert client.get(joined()).text == "@layer parts;\n@layer parts {\n.pcard { color: red }\n}\n\np { margin: 0 }\n"
    assert client.get(joined()).mimetype == "text/css"


def test_its_address_changes_with_each_of_its_files(client, joined, tmp_path):
    before = joined()
    (tmp_path / "parts/cards.css").write_text(".pcard { color: green }\n")
    assert joined() != before
    assert "green" in client.get(joined()).text
    assert "immutable" in client.get(joined()).headers["Cache-Control"]


def test_it_is_not_sent_again_when_known(client, joined):
    first = client.get("/static/a.css")
    again = client.get("/static/a.css", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert "no-cache" in first.headers["Cache-Control"]


def test_a_style_sheet_that_lacks_a_file_is_sent_as_it_is(client, joined, tmp_path):
    """A browser that follows imports may still find it."""
    (tmp_path / "parts/cards.css").unlink()
    assert joined() == "/static/a.css"
    assert client.get("/static/a.css").text == (tmp_path / "a.css").read_text()


SCRIPT = """\
import { seen } from "./form.js";
const kept = () => import("./kept.js");
/**
 * Waits.
 * @param {number} left
 */
function wait(left) {
  return /** @type {number} */ (left); // seconds
}
"""


@pytest.fixture
def scripts(style, tmp_path, monkeypatch):
    """The address of a script, one of three in a folder that is looked at each time."""
    (tmp_path / "hand.js").write_text(SCRIPT)
    (tmp_path / "form.js").write_text("export const seen = 1;\n")
    (tmp_path / "kept.js").write_text("export const isKept = true;\n")
    monkeypatch.setattr(responses, "monotonic", count().__next__)
    return style


def test_a_script_names_others_by_the_addresses_a_page_has_for_them(client, scripts):
    """So a page that a browser has shown once is shown again without a request for any of its scripts."""
    form, kept = (scripts(name).removeprefix("/static/") for name in ("form.js", "kept.js"))
    sent = client.get(scripts("hand.js"))
    assert re.findall(r'"\./(.*)"', sent.text) == [form, kept]
    assert "immutable" in sent.headers["Cache-Control"]
    assert sent.mimetype in ("text/javascript", "application/javascript")


def test_a_script_is_sent_without_what_it_says_of_itself(client, scripts):
    sent = client.get(scripts("hand.js")).text
    lines = SCRIPT.splitlines()
    assert re.sub(r"\?v=\w+", "", sent).splitlines() == [*lines[:2], *lines[6:]]


def test_the_addresses_of_all_scripts_change_with_each_of_them(client, scripts, tmp_path):
    before = {scripts(name) for name in ("hand.js", "form.js", "kept.js")}
    assert len({address.partition("?")[2] for address in before}) == 1
    (tmp_path / "kept.js").write_text("export const isKept = false;\n")
    assert before.isdisjoint(scripts(name) for name in ("hand.js", "form.js", "kept.js"))
    assert client.get(scripts("kept.js")).text == "export const isKept = false;\n"


def test_the_font_of_the_suits_is_named_by_its_contents(client):
    """So it is kept for good; who changes it has to say so in the style sheet."""
    (version,) = re.findall(r'url\("\.\./fonts/suits\.woff2\?v=(\w+)"\)', client.get("/static/css/base.css").text)
    font = client.get(f"/static/fonts/suits.woff2?v={version}")
    assert version == sha256(font.data).hexdigest()[:10]
    assert "immutable" in font.headers["Cache-Control"]


def test_an_address_on_a_page_is_that_of_its_values_below_the_root_asked_for(app):
    def told(root, **values):
        with app.test_request_context("/", environ_overrides={"SCRIPT_NAME": root}):
            return render_template_string("{{ url_for('start.new_game', **values) }}", values=values)

    for _ in range(2):
        assert told("", again=1) == "/new?again=1"
        assert told("/cards", again=1) == "/cards/new?again=1"
        assert told("", again=True) == "/new?again=True"
        assert told("", again=None) == "/new"


def test_a_missing_static_file_still_has_an_address(app):
    with app.test_request_context():
        assert responses.asset("no-such-file.css") == "/static/no-such-file.css"


@pytest.mark.parametrize("address", ["/long", "static"])
def test_text_is_sent_compressed_to_whoever_reads_it(client, style, address):
    address = style() if address == "static" else address
    plain = client.get(address)
    small = client.get(address, headers={"Accept-Encoding": "gzip, br"})
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.data) == plain.data
    assert int(small.headers["Content-Length"]) == len(small.data) < len(plain.data) / 5
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "Accept-Encoding" in small.headers["Vary"]


@pytest.mark.parametrize("address", ["/short", "/stream", "/live", "/picture"])
def test_what_gains_nothing_or_is_streamed_stays_as_it_is(client, address):
    answer = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers


def test_the_worker_is_sent_compressed_too(client):
    """Phones fetch it again and again: it controls pages, and may have changed."""
    plain = client.get("/sw.js")
    small = client.get("/sw.js", headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(small.data) == plain.data
    assert len(small.data) < len(plain.data) / 2


def test_gzip_that_is_refused_is_not_sent(client):
    answer = client.get("/long", headers={"Accept-Encoding": "gzip;q=0"})
    assert answer.text == LONG


def test_a_compressed_file_is_not_sent_again_when_known(client, style):
    first = client.get(style(), headers={"Accept-Encoding": "gzip"})
    again = client.get(style(), headers={"Accept-Encoding": "gzip", "If-None-Match": first.headers["ETag"]})
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
