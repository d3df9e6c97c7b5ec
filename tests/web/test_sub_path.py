"""Below a path the app is whole: nothing it says leads out, whether the proxy passes that path on or leaves it out."""

import ast
import json
import re
import shutil
from io import BytesIO
from urllib.parse import urljoin

import pytest
import segno
from flask.testing import FlaskClient

from app.settings import effective_settings
from app.store import opening
from tests.conftest import ROOT, application
from tests.pages import Alice, Player, hand, start
from tests.web.plain_pages import Offered
from tests.web.test_dead_ends import Walk, between_hands, variants

PATH = "/kalooki"
BASE = f"https://cards.example{PATH}"
HERE = "http://localhost"
PASSED_ON, LEFT_OUT = "passed on", "left out"


class Phone(FlaskClient):
    """A browser at the proxy; what a test asks for without the path lies below it."""

    def open(self, *asked, **more):
        if asked and isinstance(asked[0], str) and not f"{asked[0]}/".startswith(f"{PATH}/"):
            asked = (PATH + asked[0], *asked[1:])
        return super().open(*asked, **more)


def below(database, path):
    """The app behind a proxy that has nothing but the app, below the path."""
    # the tests' browser opens http://localhost
    app = application(f"sqlite:///{database}", BASE_URL=BASE, SESSION_COOKIE_SECURE=False)
    ours = app.wsgi_app

    def proxy(environ, start):
        assert f"{environ['PATH_INFO']}/".startswith(f"{PATH}/"), environ["PATH_INFO"]
        if path == LEFT_OUT:
            environ["PATH_INFO"] = environ["PATH_INFO"].removeprefix(PATH) or "/"
        return ours(environ, start)

    app.wsgi_app = proxy
    app.test_client_class = Phone
    return app


@pytest.fixture(scope="module", params=[PASSED_ON, LEFT_OUT])
def place(request, empty_database, tmp_path_factory):
    database = shutil.copy(empty_database, tmp_path_factory.mktemp("below") / "games.db")
    app = below(database, request.param)
    yield app, database
    opening.close_database(app)


@pytest.fixture
def app(place):
    return place[0]


class WalkBelow(Walk):
    """Follows every link, script, picture and form, and every address a script is given; all lie below the path."""

    def page(self, answer, what):
        page = super().page(answer, what)
        told = re.findall(r"""[\w-]+=["'](/[^"']*)""", answer.text) if page else ()
        self.problems += [f"{self.who}: {each} at {what}" for each in told if not each.startswith(f"{PATH}/")]
        cookies = answer.headers.getlist("Set-Cookie")
        self.problems += [f"{self.who}: {each} at {what}" for each in cookies if f"Path={PATH};" not in each]
        return page

    def links(self, page, address):
        found = super().links(page, address)
        self.problems += [f"{self.who}: {each} on {address}" for each in found if not each.startswith(f"{PATH}/")]
        return found

    def page_kind(self, address, method="GET"):
        return super().page_kind(address.removeprefix(PATH), method)

    def is_new(self, kind):
        """Each app is asked for everything, whatever was met in others; what is printed only in another test."""
        is_new = kind not in self.known and not (kind[0].startswith("sheets.") and kind[0] != "game_pages.sheet")
        self.known.add(kind)
        return is_new


@pytest.mark.long
def test_nothing_that_is_offered_leads_out(place):
    app, database = place
    alice = Alice(app, "european", ("Ann", "Ben", "Cat", "Dan"), stakes={})
    alice.record(*between_hands(variants()["european"]))
    seated = Player(alice, seat=2)
    people = {"scorer": alice.client, "player": seated.client, "watcher": app.test_client()}
    walks = [WalkBelow(app, database, who, client) for who, client in people.items()]
    walks.append(stranger := WalkBelow(app, database, "stranger", app.test_client()))

    assert [problem for walk in walks[:3] for problem in walk.from_page(f"{PATH}/g/{alice.code}")] == []
    assert stranger.from_page(f"{PATH}/") == []
    assert min(len(walk.known) for walk in walks) > 20


def test_a_table_s_pages_lead_to_each_other_below_the_path(app):
    """From its start to a saved hand, as the forms and answers say; its cookie is for the path alone."""
    alice = Alice(app)
    start = alice.client.get("/new")
    typed = {"seen": 1, "submission": "one-hand", "winner": 1, "ending": "going_out", "left-2": "5", "left-3": "7"}
    saved = alice.client.post(f"/g/{alice.code}/hand", data=typed)
    assert saved.location.startswith(f"{PATH}/g/{alice.code}")
    assert "Path=/kalooki;" in app.test_client().get("/new").headers["Set-Cookie"]
    opened = [start, *map(alice.get, ("", "/hand", "/share", "/more", "/sheet", "/disputes", "/table"))]
    walk = WalkBelow(app, None, "scorer", alice.client)
    for answer in opened:
        assert answer.status_code == 200
        walk.links(walk.page(answer, answer.request.path), f"{PATH}/")
    assert walk.problems == []
    assert len({link for answer in opened for link in Offered(answer.text).links}) > 40


def test_an_answer_sent_back_to_its_own_page_stays_below(app):
    """A ruling that cannot be kept, because the game knows more entries, leads to the page that asked."""
    alice = Alice(app)
    alice.record(hand(1, s2=5, s3=7))
    old = {"seen": "0", "submission": "late", "answer": "dispute/ace-low", "do": "keep"}
    for page in ("/disputes?q=ace", "/wrong/draw/drew-two/later"):
        answer = alice.client.post(f"/g/{alice.code}{page}", data=old)
        assert (answer.status_code, answer.location) == (303, f"{PATH}/g/{alice.code}{page}")


def test_other_programs_are_told_the_path(app):
    client = app.test_client()
    assert client.get("/api/v1/openapi.json").json["servers"] == [{"url": "/kalooki/api/v1"}]
    made = start(client)
    code = made.code
    assert made.started["links"] == {
        "state": f"https://cards.example/kalooki/api/v1/games/{code}",
        "entries": f"https://cards.example/kalooki/api/v1/games/{code}/entries",
    }
    assert client.get("/api/v1/nothing").json["error"]["code"] == "not_found"


def test_what_is_shared_and_printed_names_the_path(app):
    alice = Alice(app)
    alice.record(hand(1, s2=5, s3=7))
    address = f"https://cards.example/kalooki/g/{alice.code}"
    drawn = BytesIO()
    segno.make(address, error="m", micro=False).save(drawn, kind="svg", xmldecl=False, nl=False, border=3, light="#fff")
    squares = re.findall(r' d="([^"]+)"', drawn.getvalue().decode())[-1]
    sheet = f"/api/v1/games/{alice.code}/sheet"
    for drawing in (alice.get("/share"), alice.client.get(f"{sheet}.html")):
        assert squares in drawing.text
    sheets = [alice.client.get(f"{sheet}.{kind}") for kind in ("html", "txt")]
    for told in (alice.get("/share"), alice.get("/result.txt"), *sheets):
        assert address in told.text


def test_the_address_without_its_last_slash_is_the_home_page(app):
    answer = app.test_client().get(PATH)
    if answer.status_code != 200:  # passed on as it is
        assert (answer.status_code, answer.location) == (308, "/kalooki/")


def test_the_worker_and_the_manifest_stand_below(app):
    client = app.test_client()
    assert client.get("/sw.js").status_code == 200
    page = Offered(client.get("/").text)
    manifest = next(link for link in page.links if "manifest" in link)
    told = json.loads(client.get(manifest).text)
    assert {urljoin(manifest, told[name]) for name in ("start_url", "scope")} == {"/kalooki/"}
    style = next(link for link in page.links if "app.css" in link)
    assert "immutable" in client.get(style).headers["Cache-Control"]


def test_other_names_and_ports_are_not_bound_to_https_by_one_path(app):
    assert "Strict-Transport-Security" not in app.test_client().get("/").headers


def test_an_error_page_leads_home(app):
    answer = app.test_client().get("/nowhere")
    assert answer.status_code == 404
    assert '<a class="brand" href="/kalooki/">' in answer.text


@pytest.mark.parametrize("path", ["/g", "/api", "/api/v1", "/check", "/rules/village", "/static", "/static/icons/x"])
def test_a_path_that_pages_have_is_refused(database, path):
    with pytest.raises(SystemExit, match=f"pages that the app has under {path}: give it another path"):
        application(f"sqlite:///{database}", BASE_URL=f"https://cards.example{path}")


@pytest.mark.parametrize("base", ["", "/", "/kalooki", "/kalooki/", "/games.of/ann-1_~"])
def test_an_address_may_have_a_path(base):
    given = f"https://cards.example{base}"
    assert effective_settings({"BASE_URL": given})["BASE_URL"].value == given.rstrip("/")


@pytest.mark.parametrize("base", ["/a b", "/ä", "/a?b", "/a#b", "/../a", "/a/.", "//a", "/a%20b", '/"', "?a", "#a"])
def test_a_path_that_no_link_could_hold_as_it_is_is_refused(base):
    with pytest.raises(SystemExit, match="its path contains only letters"):
        effective_settings({"BASE_URL": f"https://cards.example{base}"})


# ---- No new address is written out from the root of the server


ALLOWED = {
    ("static/js/outbox.js", "/count"): "the end of an address",
    ("app/views/rules.py", "/g/<code>"): "where pages are given their routes",
    **{("app/views/links.py", path): "where routes begin" for path in ("/api/v1", "/livez")},
    ("app/views/errors.py", "/g/"): "of a path without the root",
    **{("app/views/new_game.py", path): "the end of an address" for path in ("/p/", "/s/")},
    ("app/views/access.py", "/c/"): "of a path without the root",
    ("static/js/page.js", "/"): "a key of the keyboard",
    ("static/js/backups.js", "/"): "between the parts of an address",
    ("static/js/dom.js", "/static/"): "the root ends before it",
    ("app/views/responses.py", "/static/"): "where files are given their path",
    **{
        ("app/views/responses.py", path): "of a path without the root"
        for path in ("/g/", "/c/", "/api/v1/games/", "/api/v1/clubs/")
    },
    **{("app/views/errors.py", path): "of a path without the root" for path in ("/readyz", "/healthz")},
    **{
        ("app/views/about.py", path): "for robots, which ask at the root"
        for path in (
            "/check?",
            "/api/v1/check/",
            "/api/v1/sheets/",
        )
    },
}
_IN_MARKUP = re.compile(r"""=\s*["']?(/[^\s"'>]*)|url\(["']?(/[^)"']*)""")
_IN_EXPRESSION = re.compile(r"""["'](/[a-z][^"']*)["']""")
_IN_SCRIPT = re.compile(r"""["'`](/(?:[a-z$][^"'`\s]*)?)["'`]""")


def written_out(name, text):
    """The addresses a file states from the root of the server."""
    if name.endswith(".py"):
        return python(text)
    if name.endswith(".html"):
        expressions = " ".join(re.findall(r"\{[{%].*?[}%]\}", text, re.DOTALL))
        plain = re.sub(r"\{#.*?#\}|\{%.*?%\}", "", text, flags=re.DOTALL)
        return [*map("".join, _IN_MARKUP.findall(plain)), *_IN_EXPRESSION.findall(expressions)]
    if name.endswith(".js"):
        return _IN_SCRIPT.findall(re.sub(r"(?<![:\"'`])//[^\n]*|(?s:/\*.*?\*/)", "", text))
    return [*map("".join, _IN_MARKUP.findall(text)), *_IN_EXPRESSION.findall(text)]


def python(text):
    """The texts of a module that begin like an address; not where routes are given theirs, nor in docstrings."""
    tree = ast.parse(text)
    aside = {
        id(each)
        for node in ast.walk(tree)
        for part in (
            *getattr(node, "decorator_list", ()),
            *(node.keywords if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Blueprint" else ()),
            *(node.values[1:] if isinstance(node, ast.JoinedStr) else ()),
        )
        for each in ast.walk(part)
    }
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return [each.value for each in texts if id(each) not in aside and re.match(r"/[a-z]", each.value)]


OF_ROUTES = {
    "app/api/openapi.py": "below its server",
    "app/views/game/hands.py": "the end of several routes",
}
ROOMS = ("views", "history", "sheets", "api", "forms", "games")
SOURCES = [
    *(ROOT / "templates").rglob("*.html"),
    *(ROOT / "static").rglob("*.js"),
    *(ROOT / "static").rglob("*.css"),
    *(ROOT / "static").rglob("*.webmanifest"),
    *(file for room in ROOMS for file in (ROOT / "app" / room).rglob("*.py")),
]


def test_no_address_is_written_out_from_the_root():
    found = {
        (name, address)
        for file in SOURCES
        if (name := str(file.relative_to(ROOT))) not in OF_ROUTES
        for address in written_out(name, file.read_text("utf-8"))
    }
    assert len(SOURCES) > 150
    assert found == set(ALLOWED)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<a href="/help">'),
        ("a.html", "<form action=/g/{{ code }}>"),
        ("a.html", '<div data-live="/g/{{ code }}/board">'),
        ("a.html", """{% set home = "/help" %}"""),
        ("a.js", "fetch(`/g/${code}/version`)"),
        ("a.js", 'location.assign("/")'),
        ("a.css", "p { background: url(/static/icons/icon.svg) }"),
        ("a.webmanifest", '{"start_url": "/home"}'),
        ("a.py", 'redirect("/games")'),
        ("a.py", 'f"/g/{code}"'),
    ],
)
def test_one_that_is_written_out_is_found(name, text):
    assert written_out(name, text) != []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<a href="{{ request.script_root }}/help">{{ won }}/{{ lost }}</a>'),
        ("a.js", 'const game = `${location.pathname}/`; // not "/g"'),
        ("a.py", '@pages.get("/help")\ndef show():\n    "/help"[:0]\n    return f"{request.script_root}/help"'),
    ],
)
def test_what_is_below_the_root_of_the_app_is_none(name, text):
    assert [each for each in written_out(name, text) if each != "/help" or name != "a.py"] == []
