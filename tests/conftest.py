"""What tests share: an application on a database of its own, a real server, a real browser."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from app import create_app

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage"]
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory):
    """A migrated database without games; each test works on a copy, which is fast."""
    path = tmp_path_factory.mktemp("database") / "empty.db"
    app = create_app({"DATABASE_URL": f"sqlite:///{path}", "SECRET_KEY": "test"})
    with app.app_context():
        from app.log import db

        db.engine.dispose()
    return path


@pytest.fixture
def database(empty_database, tmp_path):
    """The file of this test's own database."""
    return Path(shutil.copy(empty_database, tmp_path / "games.db"))


@pytest.fixture
def app(database):
    """The application on this test's database, with forms that need no token."""
    app = create_app(
        {
            "DATABASE_URL": f"sqlite:///{database}",
            "SECRET_KEY": "test",
            "TESTING": True,
            "WTF_CSRF_ENABLED": False,
        }
    )
    yield app
    with app.app_context():
        from app.log import db

        db.engine.dispose()


@pytest.fixture
def client(app):
    """A browser without JavaScript: it keeps cookies."""
    return app.test_client()


def free_port():
    """A port nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_up(process, url):
    """Come back when the server at `url` answers, or fail when it stops or never does."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        assert process.poll() is None, "the server stopped"
        try:
            with urllib.request.urlopen(f"{url}/healthz", timeout=5) as answer:
                answer.read()
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server never answered")


class Server:
    """The product's own server in a process of its own, which a test may kill and start again."""

    def __init__(self, database_url, **config):
        self.application = f"app:create_app({config!r})"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = os.environ | {
            "DATABASE_URL": database_url,
            "SECRET_KEY": "test",
            "BASE_URL": self.url,
        }
        self.process = None

    def start(self):
        from app.serve import GUNICORN

        command = [sys.executable, "-m", "gunicorn", *GUNICORN, "--bind", f"127.0.0.1:{self.port}"]
        self.process = subprocess.Popen(
            [*command, self.application],
            cwd=ROOT,
            env=self.environment,
            start_new_session=True,
        )
        wait_until_up(self.process, self.url)

    def stop(self):
        """Stop it in the orderly way."""
        self.process.terminate()
        self.process.wait(timeout=20)

    def kill(self):
        """Pull the plug: master and worker at once, without a chance to tidy up."""
        os.killpg(self.process.pid, 9)
        self.process.wait(timeout=20)


@pytest.fixture(scope="session")
def server(empty_database, tmp_path_factory):
    """One running server for everybody, as starting one costs seconds: a test plays games of its own on it."""
    yield from _running(shutil.copy(empty_database, tmp_path_factory.mktemp("server") / "games.db"))


@pytest.fixture
def own_server(database):
    """A server for one test that kills it, or counts what it does."""
    yield from _running(database)


def _running(database):
    server = Server(f"sqlite:///{database}")
    server.start()
    yield server
    if server.process.poll() is None:
        server.stop()


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium, started once."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser, server):
    """A page on a phone that stands for addresses of the running server: ``page.goto("/")``."""
    options = {"viewport": PHONE, "has_touch": True, "service_workers": "block"}
    context = browser.new_context(base_url=server.url, **options)
    page = context.new_page()
    page.set_default_timeout(10_000)
    yield page
    context.close()


@pytest.fixture(scope="session")
def postgresql():
    """A PostgreSQL cluster of our own: a function that makes a database and returns its URL."""
    from tests.postgresql import Cluster, programs

    where = programs()
    if where is None:
        pytest.skip("PostgreSQL is not installed: no initdb on PATH or in /usr/lib/postgresql")
    cluster = Cluster(where)
    cluster.start()
    yield cluster.create_database
    cluster.stop()
