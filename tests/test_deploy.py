"""What deploy/ says is started as it stands there: the unit's command, and each proxy in front of a real server."""

import base64
import faulthandler
import getpass
import http.client
import json
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing, contextmanager

import pytest
import yaml

from app.settings import SETTINGS
from tests.conftest import ROOT
from tests.server import Server, eventually, free_port

DEPLOY = ROOT / "deploy"
NAME = "cards.example"
START = {"variant": "european", "players": ["Ann", "Ben"]}
WORD = "red joker"
STARTING = ("new", "try", "copy", "copy/saved", "api/v1/games", "api/v1/games/import", "g/NOSUCHGAME2/continue")
VOID = {"kind": "void", "reason": "misdeal"}


def run(*command, timeout=60, **options):
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=timeout, **options)
    assert not done.returncode, done.stdout + done.stderr
    return done.stdout + done.stderr


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


# --- systemd


IN_OPT = """set -e
mount -t tmpfs none /opt
mkdir /opt/kalooki
mount --bind "$1" /opt/kalooki
mount -o remount,ro,bind /opt/kalooki
cd /opt/kalooki
shift
exec "$@"
"""
"""Runs a command where this checkout lies in /opt/kalooki and cannot be written to."""


def why_forbidden():
    """Why this machine lets nobody see other files in /opt; empty if it does."""
    tried = subprocess.run(
        ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/opt"], check=False, capture_output=True, text=True
    )
    return tried.stderr.strip()


def in_opt(*command):
    return ["unshare", "--mount", "sh", "-c", IN_OPT, "sh", str(ROOT), *command]


allowed = pytest.mark.skipif(bool(why_forbidden()), reason=why_forbidden())


def said(unit, key):
    """What a unit says under each line of one key, in order."""
    return re.findall(rf"^{key}=(.*)$", (DEPLOY / unit).read_text(), re.MULTILINE)


@allowed
@needs("systemd-analyze")
def test_systemd_finds_nothing_wrong_with_the_units():
    units = [f"/opt/kalooki/deploy/{path.name}" for path in sorted(DEPLOY.glob("kalooki*.*"))]
    assert len(units) == 5
    assert run(*in_opt("systemd-analyze", "verify", *units)).strip() == ""


@needs("systemd-analyze")
@pytest.mark.parametrize("unit", ["kalooki.service", "kalooki-backup.service", "kalooki-forget.service"])
def test_the_unit_is_shut_in(unit):
    """An exposure of at most 3.0 of 10, which systemd calls OK from 4.9 down."""
    run("systemd-analyze", "security", "--offline=true", "--threshold=30", str(DEPLOY / unit))


def state(folder, unit):
    """What a unit sets for its command, with the state in `folder` instead of /var/lib."""
    settings = dict(setting.split("=", 1) for setting in said(unit, "Environment"))
    assert settings == {"DATA": "/var/lib/kalooki"}
    kept = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    return kept | {"DATA": str(folder)}


@allowed
def test_the_units_command_serves_from_a_checkout_nobody_can_write_to(tmp_path):
    (command,) = said("kalooki.service", "ExecStart")
    (backup,) = said("kalooki-backup.service", "ExecStart")
    port, backups = free_port(), tmp_path / "backups"
    environment = state(tmp_path, "kalooki.service") | {"PORT": str(port)}
    server = subprocess.Popen(
        in_opt(*command.split()), env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        eventually(lambda: answers(port) or server.poll() is not None)
        assert server.poll() is None, server.stdout.read()
        ask = f"http://127.0.0.1:{port}/api/v1/games"
        body = urllib.request.Request(ask, json.dumps(START).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(body, timeout=20) as started:
            assert started.status == 201
        words = backup.replace("/var/lib/kalooki/backups", str(backups)).split()
        assert "games and clubs: 1, entries: 1" in run(*in_opt(*words), env=state(tmp_path, "kalooki-backup.service"))
        assert len(list(backups.glob("*.db"))) == 1
        (forget,) = said("kalooki-forget.service", "ExecStart")
        forgotten = run(*in_opt(*forget.split()), env=state(tmp_path, "kalooki-forget.service"))
        assert forgotten == "0 games deleted: nothing recorded for 365 days\n"
    finally:
        server.terminate()
        server.wait(timeout=30)
        server.stdout.close()
    assert server.returncode in (0, -15)


def answers(port):
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/livez", timeout=5).close()
    except urllib.error.HTTPError:
        return True  # a refusal is an answer
    except OSError:
        return False
    return True


# --- proxies


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificate")
    key, own = folder / "privkey.pem", folder / "fullchain.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    named = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    run(*made, *named, "-days", "2", "-keyout", key, "-out", own)
    return own, key


@pytest.fixture(scope="module", params=["", pytest.param("/kalooki", marks=pytest.mark.long)], ids=["root", "path"])
def served(request, tmp_path_factory):
    """The server as the files say it is set behind a proxy, at the root of its name or under a path."""
    folder = tmp_path_factory.mktemp("served")
    server = Server(f"sqlite:///{folder}/games.db", PATIENCE=5.0)
    server.environment |= {"BASE_URL": f"https://{NAME}{request.param}", "PROXY_HOPS": "1"}
    server.path = request.param
    with server:
        yield server


def nginx(folder, served, certificate, starts=""):
    """nginx with its file, and the port it listens on; `starts` says who may start games."""
    port, closed = free_port(), free_port()
    chain, key = certificate
    (folder / "body").mkdir()
    text = (DEPLOY / "nginx.conf").read_text()
    text = with_path(text, "    # location /kalooki/ {", "    location / {", served.path)
    if starts:
        text, rules = re.subn(r"^    # (?=location ~|    (?:auth|proxy)|}$)", "    ", text, flags=re.MULTILINE)
        assert rules == 5
        words = folder / "starts"
        words.write_text(f"table:{run('openssl', 'passwd', '-apr1', WORD)}")
        text = text.replace("/etc/nginx/kalooki.starts", str(words))
    if starts == "nobody":
        text = re.sub(r"auth_basic .*\n.*auth_basic_user_file .*", "deny all;", text)
    for old, new in (
        ("/etc/letsencrypt/live/cards.example/fullchain.pem", str(chain)),
        ("/etc/letsencrypt/live/cards.example/privkey.pem", str(key)),
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("listen 80", f"listen 127.0.0.1:{closed}"),
        ("127.0.0.1:8000", f"127.0.0.1:{served.port}"),
    ):
        assert old in text, old
        text = text.replace(old, new)
    site = folder / "site.conf"
    site.write_text(re.sub(r"\n *listen \[::\].*", "", text))
    kept = " ".join(f"{kind}_temp_path {folder}/body;" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    whole = folder / "nginx.conf"
    whole.write_text(
        f"daemon off; user {getpass.getuser()}; pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {kept} include {site}; }}\n"
    )
    run("nginx", "-t", "-c", whole, "-p", folder)
    return ["nginx", "-c", str(whole), "-p", str(folder)], port


def caddy(folder, served, certificate, starts=""):
    """Caddy with its file, and the port it listens on; `starts` says who may start games."""
    port = free_port()
    chain, key = certificate
    literal = DEPLOY / "Caddyfile"
    run("caddy", "validate", "--adapter", "caddyfile", "--config", literal, env=os.environ | {"HOME": str(folder)})
    text = literal.read_text()
    (rule,) = re.findall(r"^\t# @starts.*?^\t# }\n", text, re.MULTILINE | re.DOTALL)
    if served.path:
        text = re.sub(r"^cards\.example \{.*?^\}\n", "", text, flags=re.MULTILINE | re.DOTALL)
        text = re.sub(r"^# (example\.org \{|\t.*|\})$", r"\1", text, flags=re.MULTILINE)
        text = text.replace("example.org {", "cards.example {")
    opened = f"https://{NAME}:{port} {{\n\tbind 127.0.0.1\n\ttls {chain} {key}\n"
    if starts:
        secret = run("caddy", "hash-password", "--plaintext", WORD).strip()
        opened += rule.replace("\t# ", "\t").replace("$2a$14$…", secret)
    if starts == "nobody":
        opened = re.sub(r"basicauth @starts .*?}", "respond @starts 403", opened, flags=re.DOTALL)
    text = text.replace("\ncards.example {\n", f"\n{opened}").replace("127.0.0.1:8000", f"127.0.0.1:{served.port}")
    assert opened in text
    whole = folder / "Caddyfile"
    whole.write_text(text.replace("\n{\n", "\n{\n\tadmin off\n\tauto_https off\n", 1))
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(whole)], port


def with_path(text, marked, usual, path):
    """A file with the block for a sub-path instead of the usual one, as its comment tells."""
    assert marked in text
    assert usual in text
    return text.replace(usual, marked.replace("# ", "")) if path else text


class Phone:
    """Asks for the name on the certificate, at the port where the proxy listens."""

    def __init__(self, port, chain):
        self.port = port
        self.context = ssl.create_default_context(cafile=str(chain))

    def connection(self):
        own = http.client.HTTPSConnection(NAME, self.port, timeout=20, context=self.context)
        own._create_connection = lambda _address, *rest: socket.create_connection(("127.0.0.1", self.port), *rest)
        return own

    def ask(self, path, body=None, **headers):
        with closing(self.connection()) as own:
            words = {"Host": NAME, "Content-Type": "application/json", **headers}
            own.request("POST" if body else "GET", path, body, words)
            answer = own.getresponse()
            return answer.status, answer.headers, answer.read().decode()


PROXIES = [pytest.param(nginx, marks=needs("nginx")), pytest.param(caddy, marks=needs("caddy"))]


@pytest.fixture(scope="module", params=PROXIES)
def phone(request, served, certificate, tmp_path_factory):
    """A phone that sees the server through a proxy only."""
    folder = tmp_path_factory.mktemp(request.param.__name__)
    command, port = request.param(folder, served, certificate)
    with behind(command, port, folder, certificate) as phone:
        phone.home = served.path
        yield phone


@contextmanager
def behind(command, port, folder, certificate):
    """A phone that sees what this proxy passes on."""
    proxy = subprocess.Popen(
        command, env=os.environ | {"HOME": str(folder)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        eventually(lambda: answers(port) or proxy.poll() is not None)
        assert proxy.poll() is None, "the proxy stopped"
        yield Phone(port, certificate[0])
    finally:
        proxy.terminate()
        proxy.wait(timeout=20)


def test_a_page_comes_with_its_name_and_a_cookie_for_https_only(phone):
    status, headers, text = phone.ask(f"{phone.home}/new?variant=european")
    assert status == 200
    cookies = headers.get_all("Set-Cookie")
    assert cookies
    assert all("Secure" in cookie for cookie in cookies)
    scripts = re.findall(r'<script[^>]* src="([^"]+)"', text)
    assert scripts
    assert all(script.startswith(f"{phone.home}/static/") for script in scripts)
    assert phone.ask(scripts[0])[0] == 200


def started(phone):
    status, _, text = phone.ask(f"{phone.home}/api/v1/games", json.dumps(START))
    assert status == 201, text
    return json.loads(text)


def test_links_handed_on_carry_the_name_and_the_path(phone):
    game = started(phone)
    _, _, page = phone.ask(f"{phone.home}/g/{game['code']}/share")
    assert f"https://{NAME}{phone.home}/g/{game['code']}" in page


def test_a_phone_that_watches_hears_of_a_save_at_once(phone):
    game = started(phone)
    with closing(phone.connection()) as own:
        own.request("GET", f"{phone.home}/g/{game['code']}/live", headers={"Host": NAME, "Accept": "text/event-stream"})
        stream = own.getresponse()
        assert stream.status == 200
        first = stream.readline()
        event = json.dumps({"event": VOID, "seen": 1, "submission": "a-first-hand"})
        wanted = f"{phone.home}/api/v1/games/{game['code']}/entries"
        status, _, text = phone.ask(wanted, event, Authorization=f"Bearer {game['scorer']}")
        assert status == 201, text
        assert first
        assert any(b"2" in stream.readline() for _ in range(8))


@pytest.mark.parametrize("program", PROXIES)
@pytest.mark.parametrize("rule", [("word", 401, (200, 201)), ("nobody", 403, (403, 403))], ids=["word", "nobody"])
def test_the_rule_in_the_proxys_file_says_who_may_start_games(served, certificate, tmp_path, program, rule):
    starts, refused, known = rule
    command, port = program(tmp_path, served, certificate, starts)
    knows = {"Authorization": f"Basic {base64.b64encode(f'table:{WORD}'.encode()).decode()}"}
    with behind(command, port, tmp_path, certificate) as phone:
        for path in STARTING:
            for body in (None, "{}"):
                assert phone.ask(f"{served.path}/{path}", body)[0] == refused, path
        game = phone.ask(f"{served.path}/api/v1/games", json.dumps(START), **knows)
        assert (phone.ask(f"{served.path}/new", **knows)[0], game[0]) == known
        for path in ("", "rules", "check", "help", "api/v1/variants"):
            assert phone.ask(f"{served.path}/{path}")[0] == 200, path


@needs("nginx")
def test_nginx_lets_nobody_ask_for_much_that_is_heavy_at_once(served, certificate, tmp_path):
    """There is no such hand: the server itself has nothing to do."""
    command, port = nginx(tmp_path, served, certificate)
    with behind(command, port, tmp_path, certificate) as phone:
        for costly in ("g/NOSUCHGAME2/hands/2/best", "g/NOSUCHGAME2/disputes", "api/v1/games/NOSUCHGAME2/sheet.pdf"):
            asked = [phone.ask(f"{served.path}/{costly}")[0] for _ in range(45)]
            assert asked[:30] == [404] * 30
            assert 429 in asked
        keeping = [phone.ask(f"{served.path}/g/NOSUCHGAME2/disputes", "{}")[0] for _ in range(45)]
        assert 429 not in keeping
        assert [phone.ask(f"{served.path}/help")[0] for _ in range(40)] == [200] * 40


def test_a_long_file_gets_through(phone):
    """What the server itself refuses to read, it answers itself: the proxy lets a whole megabyte pass."""
    status, headers, text = phone.ask(f"{phone.home}/api/v1/games/import", json.dumps({"events": "x" * 1_000_000}))
    assert status in (400, 422), text
    assert headers["Content-Type"].startswith("application/json")


# --- containers


def test_the_address_inside_a_container_is_offered_to_nobody():
    (said,) = re.findall(r"^ENV (container=\S+) ", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    asked = "from app import addresses; print(addresses.own_addresses(), addresses.is_container())"
    assert run("env", said, sys.executable, "-c", asked, cwd=ROOT).strip() == "() True"
    assert run("env", "-u", "container", sys.executable, "-c", asked, cwd=ROOT).strip().endswith(" False")


def test_the_image_copies_what_there_is_and_runs_as_somebody():
    text = (DEPLOY / "Containerfile").read_text()
    copied = [name for line in re.findall(r"^COPY (.*) \S+$", text, re.MULTILINE) for name in line.split()]
    assert all((ROOT / name).exists() for name in copied), copied
    assert {"app", "templates", "static", "pyproject.toml", "LICENSE"} <= set(copied)
    assert re.search(r"^USER kalooki$", text, re.MULTILINE)


@needs("buildah")
@pytest.mark.long
def test_the_image_is_built_and_serves_as_somebody_without_rights(tmp_path):
    """BASE_IMAGE names a Debian 12 that is here already, where none can be fetched."""
    faulthandler.cancel_dump_traceback_later()  # installing may take longer than a test that hangs is given
    own = os.environ | {"STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot"}
    based = [f"--build-arg=BASE={base}"] if (base := os.environ.get("BASE_IMAGE")) else []
    told = ["--quiet", "--layers=false", *based, "-f", DEPLOY / "Containerfile", "-t", "kalooki-test"]
    built = subprocess.run(
        ["buildah", "bud", *told, ROOT], check=False, capture_output=True, text=True, env=own, timeout=900
    )
    if "initializing source docker://" in built.stderr:
        pytest.skip("the base image cannot be fetched")
    assert not built.returncode, built.stderr
    container = run("buildah", "from", "kalooki-test", timeout=300, env=own).strip()
    try:
        begun = 'id -un; .venv/bin/python -m app & until eval "$0"; do sleep 1; done 2>/dev/null'
        asked = f"{begun}; ls -A /data app; kill $!"
        (health,) = re.findall(r"^ +CMD (\[.*-c.*\])$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
        inside = ("buildah", "run", container, "--")
        told = run(*inside, "sh", "-c", asked, shlex.join(json.loads(health)), timeout=300, env=own)
    finally:
        run("buildah", "rm", container, timeout=300, env=own)
        run("buildah", "rmi", "kalooki-test", timeout=300, env=own)
    assert told.startswith("kalooki\n")
    assert {"kalooki.db", "secret_key", "__pycache__"} <= set(told.split())
    assert "http://localhost:8000" in told
    assert "the address of the machine that runs this container" in told


def test_compose_explains_every_setting():
    text = (DEPLOY / "compose.yaml").read_text()
    yaml.safe_load(text)
    explained = set(re.findall(r"^ +# ([A-Z_]+): ", text, re.MULTILINE))
    fixed = {"DATA", "PORT", "LISTEN"}  # by the image, and by the ports that are published
    ours = explained - {"POSTGRES_USER", "POSTGRES_PASSWORD"}
    assert ours == set(SETTINGS) - fixed
    opened = re.sub(r"^( +)# ( *([A-Za-z_]+:|- ))", r"\1\2", text.replace("      {}\n", ""), flags=re.MULTILINE)
    assert set(yaml.safe_load(opened)["services"]["kalooki"]["environment"]) == ours
