"""What tests share: an application on a database of its own, a real server, a real browser."""

import gc
import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from app import create_app
from app.store import opening
from tests import BROWSERS, shared_caches
from tests.browser.phone_pool import is_closed, lend, take_back
from tests.examples import IS_SHORT, times
from tests.server import Server

ROOT = Path(__file__).resolve().parent.parent
# a process more only takes time: one draws all pages of a phone, and none is needed for three dimensions
ONE_PROCESS = ["--renderer-process-limit=1", "--disable-gpu", "--in-process-gpu"]
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", *ONE_PROCESS]

# what a server of this checkout is set to is no test's
os.environ["DATA"] = str(ROOT / "instance" / "tests")


settings.register_profile(
    "patient",
    max_examples=times(100),
    deadline=None,  # the time an example takes depends on how busy the machine is
    # and how many of the first happen to be thrown away, on chance
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    database=None,
    # the same examples every time: a change is judged by what it changes, not by luck
    derandomize=IS_SHORT,
)
settings.load_profile("patient")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    """Stop what pytest-cov measures before it knows that this is a worker: `no_cover` would not pause it."""
    measuring = session.config.pluginmanager.getplugin("_cov")
    if hasattr(session.config, "workerinput") and measuring:
        measuring.cov_controller.pause()


def pytest_collection_modifyitems(items):
    """Measure the core only with its own tests of examples: measuring doubles a test's time. Luck covers nothing."""
    for item in items:
        is_random = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        if is_random or not item.nodeid.startswith(("tests/kalooki/", "app/kalooki/")):
            item.add_marker("no_cover")


EITHER = [pytest.param("sqlite", id=pytest.HIDDEN_PARAM), pytest.param("postgresql", marks=pytest.mark.long)]


def pytest_generate_tests(metafunc):
    """What is marked `both_engines` runs on PostgreSQL too, unless it looks into SQLite's file."""
    asked = set(metafunc.fixturenames)
    if metafunc.definition.get_closest_marker("both_engines") and "engine" in asked and "database" not in asked:
        metafunc.parametrize("engine", EITHER, indirect=True)


@pytest.fixture(scope="session", autouse=True)
def compiled_once(tmp_path_factory):
    """Share compiled templates and routes between all applications, workers and servers."""
    of_this_process = tmp_path_factory.getbasetemp()
    folder = (of_this_process.parent if os.environ.get("PYTEST_XDIST_WORKER") else of_this_process) / "templates"
    folder.mkdir(exist_ok=True)
    shared_caches.share(folder)


def pytest_collection_finish():
    """Let the garbage collector look seldom, and never at what stays to the end."""
    gc.freeze()
    gc.set_threshold(5_000, 4, 1_000)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory):
    """A migrated database without games; each test works on a copy, which is fast."""
    path = tmp_path_factory.mktemp("database") / "empty.db"
    opening.close_database(create_app({"DATABASE_URL": f"sqlite:///{path}", "SECRET_KEY": "test"}))
    return path


@pytest.fixture
def database(empty_database, tmp_path):
    """The file of this test's own database."""
    return Path(shutil.copy(empty_database, tmp_path / "games.db"))


@pytest.fixture(scope="module")
def engine(request):
    """The engine that a test's database is on."""
    return getattr(request, "param", "sqlite")


@pytest.fixture
def database_url(request, engine):
    """The address of this test's own database."""
    if engine == "postgresql":
        return request.getfixturevalue("migrated_postgresql")()
    return f"sqlite:///{request.getfixturevalue('database')}"


def application(url, **more):
    """The application on a database; its forms need no token."""
    usual = {"SECRET_KEY": "test", "TESTING": True, "WTF_CSRF_ENABLED": False, "RATELIMIT_ENABLED": False}
    return create_app(usual | {"DATABASE_URL": url} | more)


@pytest.fixture(scope="module")
def shared_url(request, engine, empty_database, tmp_path_factory):
    """The address of the database of a whole module."""
    if engine == "postgresql":
        return request.getfixturevalue("migrated_postgresql")()
    return f"sqlite:///{shutil.copy(empty_database, tmp_path_factory.mktemp('shared') / 'games.db')}"


@pytest.fixture(scope="module")
def shared_app(shared_url):
    """The application of a whole module."""
    app = application(shared_url)
    yield app
    opening.close_database(app)


@pytest.fixture
def app(request, engine):
    """The application on this test's database; a module that is marked `one_app` has one for all its tests.

    Making one takes longer than most tests do. What a test sets in its configuration ends with the test.
    """
    if request.node.get_closest_marker("one_app"):
        app = request.getfixturevalue("shared_app")
        usual = dict(app.config)
        yield app
        app.config.clear()
        app.config.update(usual)
        return
    app = application(request.getfixturevalue("database_url"))
    yield app
    if opening.is_open(app):
        opening.close_database(app)


@pytest.fixture
def client(app):
    """A browser without JavaScript: it keeps cookies."""
    return app.test_client()


@pytest.fixture(scope="session")
def server(empty_database, tmp_path_factory):
    """One running server for all tests, because starting one takes seconds; each test plays its own games on it."""
    database = shutil.copy(empty_database, tmp_path_factory.mktemp("server") / "games.db")
    # an address that phones may open, or there would be no code of it
    yield from _running(f"sqlite:///{database}", BASE_URL="http://192.0.2.7:8000")


@pytest.fixture
def house(request, engine):
    """A running server for an evening in the browser, on either engine."""
    if engine == "sqlite":
        yield request.getfixturevalue("server")
        return
    url = request.getfixturevalue("migrated_postgresql")()
    yield from _running(url, BASE_URL="http://192.0.2.7:8000")


@pytest.fixture
def own_server(database_url):
    """A server for one test that kills it, or counts what it does."""
    yield from _running(database_url)


def _running(url, **config):
    with Server(url, **config) as server:
        yield server


def chromium_found():
    """Where Chromium is installed, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@pytest.fixture(scope="session")
def browser():
    """Headless Chromium, started once."""
    from playwright.sync_api import sync_playwright

    chromium = chromium_found()
    if chromium is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        browser = launched(playwright.chromium, chromium)
        yield browser
        is_closed(browser)


def launched(engine, path, tries=3):
    """A browser that has started: now and then Chromium crashes before it shows anything."""
    from playwright.sync_api import Error

    for _ in range(tries - 1):
        with suppress(Error):
            return engine.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
    return engine.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)


@pytest.fixture
def page(browser, server):
    """A page on a phone, with addresses relative to the running server: ``page.goto("/")``."""
    page = lend(browser, server)
    yield page
    take_back(page.context)


@pytest.fixture(scope="session")
def postgresql(cluster):
    """A function that makes a database on a cluster of our own and returns its URL."""
    return cluster.create_database


@pytest.fixture(scope="session")
def cluster():
    """A PostgreSQL cluster of our own."""
    from tests.postgresql import Cluster, programs

    where = programs()
    if where is None:
        pytest.skip("PostgreSQL is not installed: no initdb on PATH or in /usr/lib/postgresql")
    cluster = Cluster(where)
    cluster.start()
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def migrated_postgresql(postgresql):
    """A function that makes a PostgreSQL database with our tables and returns its URL: a copy, which is fast."""
    url = postgresql()
    opening.close_database(create_app({"DATABASE_URL": url, "SECRET_KEY": "test"}))
    return lambda: postgresql(like=url.split("/")[3].partition("?")[0])
