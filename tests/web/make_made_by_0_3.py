"""Make `made_by_0_3.zip`: games that 0.1 and 0.2 began and 0.3 continued, and everything phones did under 0.3.

Run by the Python of 0.3, with its tests' packages, once in a checkout of each release (e6636aa, 59aeff34, 3a95bb12):

    PYTHONPATH=. python make_made_by_0_3.py /tmp/games.db 0.1
    PYTHONPATH=. python make_made_by_0_3.py /tmp/games.db 0.2
    PYTHONPATH=. python make_made_by_0_3.py /tmp/games.db 0.3
    PYTHONPATH=. python make_made_by_0_3.py /tmp/games.db 0.3 made_by_0_3.zip
"""

import json
import re
import sqlite3
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from uuid import uuid4

from app import create_app

GAMES = {
    "0.1": ("european-corrections", "jamaican-calls", "kalooki-51-exactly-a-hundred", "south-african-stopped"),
    "0.2": ("north-american-six-to-one", "classic-two-hands-and-a-decider", "european-penalties"),
    "0.3": (
        "european-cash-and-stop",
        "european-fewest-payments",
        "european-leaver-and-joiners",
        "european-set-up-corrected",
        "kalooki-40-corrections",
        "jamaican-three-way-tie",
        "classic-until-the-table-ends-it",
    ),
}
"""Which games of tests/kalooki/games each release begins; 0.3 ends those of the others."""
LEFT_RUNNING = {"european-four-hands-to-a-hundred": 0.5, "south-african-three-out-together": 0.2}
"""Of these, 0.3 plays a part; two players of the second have an offer to buy in."""
FACES = {"1": {"colour": "blue", "emoji": "🦊"}, "2": {"colour": "red", "emoji": None}}
EURO = {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}


def game(name):
    """The start of a game, and what was recorded in it and not refused; TOML has no null."""
    played = tomllib.loads((Path("tests/kalooki/games") / f"{name}.toml").read_text())
    played = json.loads(json.dumps(played).replace('"null"', "null"))
    return played["start"], [entry["event"] for entry in played["entries"] if "entry" in entry]


def start(client, name):
    begun = client.post("/api/v1/games", json=game(name)[0] | {"submission": str(uuid4())})
    assert begun.status_code == 201, (name, begun.text)
    return {"name": name, "code": begun.json["code"], "secret": begun.json["scorer"], "played": 0}


def play(client, begun, until):
    """Record what is still to come of a game, up to a share of it."""
    events = game(begun["name"])[1]
    end = round(len(events) * until)
    for event in events[begun["played"] : end]:
        path = f"/api/v1/games/{begun['code']}"
        body = {"event": event, "submission": str(uuid4()), "seen": client.get(path).json["seen"]}
        sent = client.post(f"{path}/entries", json=body, headers={"Authorization": f"Bearer {begun['secret']}"})
        assert sent.status_code == 201, (begun["name"], event, sent.text)
    return begun | {"played": end}


class Table03:
    """Phones at one table of 0.3: a scorer, two seated players, one that watches, and links handed out."""

    def __init__(self, app, variant="european", **more):
        from tests.pages import Alice, Player

        self.alice = Alice(app, variant, players=("Ann", "Ben", "Cat"), **more)
        self.ben, self.cat = Player(self.alice, 2), Player(self.alice, 3)
        self.watcher = app.test_client()
        self.watcher.get(f"/g/{self.alice.code}")

    def handed_out(self, role):
        """The secret of a link or a recovery code that the share page has just made."""
        from tests.pages import words

        page = self.alice.client.post(f"/g/{self.alice.code}/share", data={"do": role}, follow_redirects=True).text
        if role == "recovery":
            return re.search(r"[2-9A-Z]{5}(?:[ -][2-9A-Z]{5}){3}|[2-9A-Z]{20}", words(page))[0]
        return re.search(rf"/g/{self.alice.code}/[ps]/(\w+)", page)[1]

    def phones(self):
        """Each phone's cookie, and what 0.3 lets it do."""
        clients = {"scorer": self.alice, "player": self.ben, "other player": self.cat}
        clients = {name: phone.client for name, phone in clients.items()} | {"watcher": self.watcher}
        return [
            {
                "code": self.alice.code,
                "phone": name,
                "cookie": client.get_cookie("session").value,
                "may": {
                    page: client.get(f"/g/{self.alice.code}/{page}").status_code == 200 for page in ("hand", "count")
                },
            }
            for name, client in clients.items()
        ]


def everything(app):
    """A table at which every phone has said something, with every kind of entry that only pages record."""
    from tests.web.asked import TYPED, look

    table = Table03(app, stakes=EURO, faces=FACES)
    alice, ben, cat = table.alice, table.ben, table.cat
    look(alice)
    ben.say("right")
    cat.say("stop", "I had 12")
    alice.send("/hand", do="save", **TYPED)
    claim = {"kind": "meld", "cards": "5H 6H 7H", "variant": "european"}
    alice.scorer.seen = alice.table.seen
    alice.record(
        {"kind": "face", "seat": 3, "colour": "green", "emoji": "🐻"},
        {"kind": "ruling", "claim": claim, "verdict": {"legal": True}, "check": "meld", "note": "Cat was sure"},
        {"kind": "ruling", "mishap": "drew-two", "noticed": "before_next_draw", "verdict": {}, "seat": 2, "points": 5},
        {"kind": "setup", "place": "Kitchen", "note": "Winter cup"},
        {"kind": "paid", "from": 2, "to": 1, "amount": 30},
    )
    ben.count(cards="KH QD")
    cat.count(points="35")
    ben.appeal("referee")
    secrets = {role: table.handed_out(role) for role in ("player", "scorer", "recovery")}
    taken_back = table.handed_out("scorer")
    page = alice.get("/share").text
    numbers = re.findall(r'value="revoke-(\d+)"', page)
    alice.client.post(f"/g/{alice.code}/share", data={"do": f"revoke-{numbers[-1]}"})
    secrets |= {"own": alice.scorer.secret, "taken back": taken_back, "none": "ABCDEFGHJKLMNPQRSTUV"}
    return table, secrets


def pen_passed(app):
    """A table whose pen went to a player, who recorded with it."""
    table = Table03(app, stakes=EURO)
    app.config["PEN_SECONDS"] = 0
    table.ben.appeal("pen")
    table.ben.appeal(re.search(r'"(take-\d+)"', table.ben.get("/pen").text)[1])
    table.ben.client.post(f"/g/{table.alice.code}/void", data={"seen": "1", "submission": "void-by-ben"})
    return table, {"own": table.alice.scorer.secret}


def code_renewed(app):
    """A table whose game has a new code: one player's phone has opened it since, the other not yet."""
    table = Table03(app)
    before = table.alice.code
    answer = table.alice.client.post(f"/g/{before}/share", data={"do": "watch"})
    table.ben.get()
    table.alice.code = table.ben.code = table.cat.code = re.search(r"/g/(\w+)/", answer.location)[1]
    return table, {"own": table.alice.scorer.secret}


def right(app, code, secret):
    """What a secret opens, and whether its bearer may record."""
    from app import log
    from tests.json_scorer import send

    with app.app_context():
        grant, now_at = log.grant_for(code, secret), log.code_for(secret)
    event = {"kind": "rename", "seat": 1, "name": "Somebody"}
    preview = send(app.test_client(), code, secret, event, preview=True).status_code
    opens = {"role": grant and grant.role, "seat": grant and grant.seat, "now_at": now_at, "preview": preview}
    return {"code": code, "secret": secret} | opens


def waiting(table):
    """The form of a hand as the outbox of 0.3 keeps it on the scorer's phone: its address and its body."""
    fields = {"winner": "1", "ending": "going_out", "points-2": "12", "cards-2": "", "points-3": "", "cards-3": "KH 7D"}
    fields |= {"note": "", "do": "save", "seen": str(table.alice.table.seen), "submission": str(uuid4())}
    cookie = table.alice.client.get_cookie("session").value
    return {"action": f"/g/{table.alice.code}/hand", "cookie": cookie, "fields": fields}


def told(app, client, code):
    """What 0.3 answers about a game."""
    from app import log

    with app.app_context():
        edition, grants, said = log.edition(code), log.grants(code), log.messages_of(code)
        next_game = log.rematch_of(code)
    sheets = f"/api/v1/games/{code}/sheet"
    return {
        "state": client.get(f"/api/v1/games/{code}").json,
        "log": client.get(f"{sheets}.json").json["log"],
        "csv": client.get(f"{sheets}.csv").get_data(as_text=True),
        "text": client.get(f"{sheets}.txt").get_data(as_text=True),
        "edition": str(edition),
        "grants": [[g.id, g.role, g.seat, g.device, g.created_at, g.revoked_at] for g in grants],
        "counts": {str(c.seat): c.contents for c in said if c.kind == "count"},
        "counts_after": max((c.about for c in said if c.kind == "count"), default=0),
        "next_game": next_game,
    }


def finish(app, begun):
    """Play everything with 0.3; returns what it answers."""
    from app import log

    client = app.test_client()
    played = [play(client, each, 1) for each in begun]
    played += [play(client, start(client, name), 1) for name in GAMES["0.3"]]
    played += [play(client, start(client, name), part) for name, part in LEFT_RUNNING.items()]
    again = start(client, GAMES["0.3"][0])
    with app.app_context():
        log.play_on(played[len(begun)]["code"], again["code"])
    tables = [everything(app), pen_passed(app), code_renewed(app)]
    rights = [right(app, each["code"], each["secret"]) for each in (*played, again)]
    rights += [right(app, table.alice.code, secret) for table, secrets in tables for secret in secrets.values()]
    with app.app_context():
        codes = log.codes()
    return {
        "games": {code: told(app, client, code) for code in codes},
        "begun": {each["code"]: release for release in GAMES for each in played if each["name"] in GAMES[release]},
        "rights": rights,
        "phones": [phone for table, _ in tables for phone in table.phones()],
        "waiting": [waiting(tables[0][0])],
    }


def dump_postgresql(path):
    """Let 0.3 move the games to PostgreSQL; the dump of that, without what only psql understands."""
    from tests.conftest import ROOT
    from tests.postgresql import Cluster, programs

    cluster = Cluster(programs())
    cluster.start()
    try:
        url = cluster.create_database()
        move = [sys.executable, "-m", "app", "move", f"sqlite:///{path}", url]
        subprocess.run(move, check=True, cwd=ROOT)
        command = [programs() / "pg_dump", "--no-owner", "--no-privileges", "--dbname", url]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    finally:
        cluster.stop()
    return "\n".join(line for line in lines if not line.startswith(("\\restrict", "\\unrestrict"))) + "\n"


def main(path, release, to=""):
    notes = Path(f"{path}.json")
    if to:
        with sqlite3.connect(path) as database, zipfile.ZipFile(to, "w", zipfile.ZIP_LZMA) as archive:
            archive.writestr("games.sql", "\n".join(database.iterdump()))
            archive.writestr("postgresql.sql", dump_postgresql(path))
            archive.write(notes, "answers.json")
        return
    usual = {"SECRET_KEY": "test", "TESTING": True, "WTF_CSRF_ENABLED": False, "RATELIMIT_ENABLED": False}
    usual |= {"BASE_URL": "http://cards.example"}
    app = create_app(usual | {"DATABASE_URL": f"sqlite:///{path}"})
    begun = json.loads(notes.read_text()) if notes.exists() else []
    if release == "0.3":
        written = finish(app, begun)
    else:
        client = app.test_client()
        written = begun + [play(client, start(client, name), 0.5) for name in GAMES[release]]
    notes.write_text(json.dumps(written, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
