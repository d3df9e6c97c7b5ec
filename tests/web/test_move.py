"""A database moves from one engine to the other and back, whole or not at all, while no server runs on either."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app import config, create_app, log
from app.log.head import head_of, read_note
from tests.conftest import application
from tests.matrix import some
from tests.pages import Alice, Player, hand, words
from tests.web.earlier import TWO_GAMES, dump, made
from tests.web.struck import NEVER, some_of, struck
from tests.web.test_made_by_0_1 import MADE


@pytest.fixture(autouse=True)
def drafts(monkeypatch, tmp_path):
    """Where the server keeps its own files."""
    monkeypatch.setenv("DATA", str(tmp_path / "own"))


def run(*arguments):
    """What a command says that names its databases itself."""
    app = create_app({"DATABASE_URL": "sqlite://", "SECRET_KEY": "test"})
    log.close_database(app)
    return app.test_cli_runner().invoke(args=[*map(str, arguments)])


def holds_nothing(url):
    """Whether there is no game, nor anything that belongs to one."""
    is_file, path = url.startswith("sqlite:///"), Path(url.removeprefix("sqlite:///"))
    return (is_file and not path.exists()) or not any(rows for name, rows in dump(url).items() if name != "pulse")


def brought_up_to_date(url):
    app = application(url)
    log.close_database(app)
    return url


@pytest.fixture(params=some(["two games", "every game"], "two games"))
def from_0_1(request, tmp_path):
    """The address of a database as release 0.1 left it."""
    url = f"sqlite:///{tmp_path}/then.db"
    if request.param == "two games":
        return made(url, "0002", TWO_GAMES)
    with closing(sqlite3.connect(tmp_path / "then.db")) as database:
        database.executescript(MADE.read("games.sql").decode())
    return url


class Evening:
    """A game with something in every table, and a phone that goes on recording wherever the database is."""

    def __init__(self, url):
        self.app = application(url)
        self.alice = Alice(self.app)
        ben = Player(self.alice, seat=2)
        self.alice.record(hand(1, s2=35, s3="KH QD"))
        ben.count(cards="K Q")
        ben.appeal("referee")
        self.alice.send("/hand/preview", winner="1", ending="going_out", points_2="20", points_3="35")
        ben.say("stop", words="I had 25")
        page = self.alice.client.post(f"/g/{self.alice.code}/share", data={"do": "recovery"}, follow_redirects=True)
        self.printed = re.search(r"[2-9A-Z]{5}(?:[ -][2-9A-Z]{5}){3}", words(page.text))[0]
        self.end()

    def end(self):
        log.close_database(self.app)

    def goes_on(self, url):
        """Another server has the database: the same cookie writes there, the printed code opens, a new game starts."""
        self.app = self.alice.app = self.alice.client.application = application(url)
        before = self.alice.table.seen
        assert self.alice.send("/void", reason="misdeal").status_code == 303
        assert self.alice.table.seen == before + 1
        other = self.app.test_client()
        assert other.post(f"/g/{self.alice.code}/recover", data={"recovery": self.printed}).status_code == 303
        assert "Record hand" in words(other.get(f"/g/{self.alice.code}").text)
        assert Alice(self.app).table.seen == 1
        self.end()


def checked(url):
    app = application(url)
    done = app.test_cli_runner().invoke(args=["check-logs"])
    log.close_database(app)
    assert done.exit_code == 0
    return done.output


def test_everything_goes_there_and_back(from_0_1, postgresql, tmp_path):
    there, back = postgresql(), f"sqlite:///{tmp_path}/back/games.db"
    evening = Evening(from_0_1)
    before = dump(from_0_1)
    assert all(before.values())
    done = run("move", from_0_1, there)
    assert done.exit_code == 0, done.output
    assert f": {len(before['game'])} games, {len(before['entry'])} entries. Name it in DATABASE_URL" in done.output
    assert dump(there) == before == dump(from_0_1)
    assert checked(there) == checked(from_0_1)
    evening.goes_on(there)
    gone_on = dump(there)
    assert len(gone_on["entry"]) == len(before["entry"]) + 2
    assert run("move", there, back).exit_code == 0
    assert dump(back) == gone_on
    with closing(sqlite3.connect(tmp_path / "back" / "games.db")) as file:
        newest = head_of(file)
    assert newest.number > len(gone_on["entry"])  # a file that was there before has not come as far
    assert read_note(tmp_path / "back" / "games.db.head") == newest
    evening.goes_on(back)
    assert [path.name for path in tmp_path.rglob("*restoring*")] == []


@pytest.fixture
def games(tmp_path):
    """A function that makes a database of two games on an engine."""

    def made_on(engine, url=""):
        return brought_up_to_date(made(url or f"sqlite:///{tmp_path}/{engine}.db", "0002", TWO_GAMES))

    return made_on


@pytest.mark.parametrize("engine", some(["sqlite", "postgresql"], "sqlite"))
def test_nothing_moves_while_a_server_runs_on_either(engine, games, postgresql, tmp_path):
    pair = (f"sqlite:///{tmp_path}/games.db", postgresql())
    source, target = pair if engine == "sqlite" else pair[::-1]
    games(engine, source)
    for used in (source, target):
        app = application(used)
        done = run("move", source, target)
        assert done.exit_code == 1
        assert "in use: stop the server first, then try again" in done.output
        log.close_database(app)
        assert holds_nothing(target)


def test_no_server_starts_on_a_database_that_moves(games, postgresql, tmp_path):
    source, target = games("sqlite"), postgresql()
    app = create_app({"DATABASE_URL": "sqlite://", "SECRET_KEY": "test"})
    with app.app_context(), log.moving(source, config.database_url(target)):
        for url in (source, target):
            with pytest.raises(log.CannotStart, match="held by another program"):
                application(url)
    log.close_database(app)
    assert holds_nothing(target)


def test_what_cannot_be_moved_says_why(games, postgresql, tmp_path):
    source, empty, new = games("sqlite"), brought_up_to_date(f"sqlite:///{tmp_path}/empty.db"), postgresql()
    full, other = games("full"), f"sqlite:///{tmp_path}/text.db"
    (tmp_path / "text.db").write_text("Ann 20, Ben 35")
    for old, wanted, said in (
        (source, source, "would be moved to itself"),
        (source, full, "full.db holds 2 games, 4 entries: name a new database, or an empty one"),
        (source, other, "text.db: This is no database of Kalooki Referee"),
        (other, new, "text.db: This is no database of Kalooki Referee"),
        (empty, new, "empty.db holds no games"),
        (f"sqlite:///{tmp_path}/none/none.db", new, "none.db is not there"),
        ("games.db", new, "games.db is no address of a database: write it like sqlite:////srv/games.db or postgres"),
        (source, "mysql://ann@cards/games", "is no address of a database"),
        (source, "postgresql://ann:hush@/games?host=/nowhere", "ann:***@/games?host=%2Fnowhere: The database does not"),
    ):
        done = run("move", old, wanted)
        assert (done.exit_code, said in done.output, "hush" in done.output) == (1, True, False), done.output
    assert (tmp_path / "text.db").read_text() == "Ann 20, Ben 35"
    assert not (tmp_path / "none").exists()
    assert holds_nothing(new)


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_a_move_that_is_killed_leaves_the_target_empty_or_whole(engine, games, postgresql, tmp_path):
    source = games(engine, postgresql() if engine == "postgresql" else "")
    before = dump(source)

    def new(number):
        return f"sqlite:///{tmp_path}/to{number}.db" if engine == "postgresql" else postgresql()

    unfinished = []
    for at in some_of(struck(NEVER, tmp_path, "move", source, new(0))):
        target = new(at)
        assert struck(at, tmp_path, "move", source, target) is None
        assert dump(source) == before
        if holds_nothing(target):
            unfinished.append(target)
        else:
            assert dump(target) == before, at
    done = run("move", source, unfinished[-1])
    assert done.exit_code == 0, done.output
    assert dump(unfinished[-1]) == before
