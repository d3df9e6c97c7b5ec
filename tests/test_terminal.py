"""What is asked at a terminal is answered by the core alone, from any folder, and never installs anything."""

import json
import os
import subprocess
import sys
import zipfile

import pytest

from app import create_app
from app.kalooki.cards import Malformed
from app.terminal.commands import OPERATORS
from app.terminal.score import sheet
from tests.conftest import ROOT
from tests.copied import copied

OF_0_1 = json.loads(zipfile.ZipFile(ROOT / "tests/web/made_by_0_1.zip").read("answers.json"))["games"]


class Bare:
    """The product on a machine without any package; its commands run in another folder."""

    def __init__(self, folder):
        self.app = copied(folder / "kalooki", {}) / "app"
        self.away = folder / "away"
        self.away.mkdir()

    def __call__(self, *arguments, **settings):
        """What a command prints, what it complains of, and how it ends."""
        done = subprocess.run(
            [sys.executable, "-S", self.app, *arguments],
            check=False,
            cwd=self.away,
            env={key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ} | settings,
            capture_output=True,
            timeout=60,
        )
        return done.stdout.decode(), done.stderr.decode(), done.returncode


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    made = Bare(tmp_path_factory.mktemp("bare"))
    yield made
    assert sorted(each.name for each in made.app.parent.iterdir()) == ["app", "pyproject.toml", "static", "templates"]


@pytest.mark.parametrize(
    ("asked", "said", "status"),
    [
        # queen and king count 10, the ace 11
        (["check", "european", "QH KH AH"], ["LEGAL", "Run: QH KH AH – 31 points"], 0),
        (["check", "european", "QH", "KH", "AH"], ["LEGAL", "Run: QH KH AH – 31 points"], 0),
        (["check", "european", "AS 2S 3S"], ["NOT LEGAL", "An ace is high only here: A 2 3 is no run."], 1),
        (["check", "european", "5H * 7H", "9S 9H 9D"], ["LEGAL", "Run: 5H *=6H 7H – 18 points"], 0),
        (
            ["check", "european", "5H * 7H", "9S 9H 9D", "--house", "opening_points=51"],
            ["NOT LEGAL", "The opening needs 51 points; this comes to 45."],
            1,
        ),
        (["count", "jamaican", "KH Ared 5"], ["16 points"], 0),
        (
            ["solve", "european", "QH KH AH 5S 5H 5D 2C 3D", "--goal", "open"],
            ["YES", "Lay QH KH AH", "Lay 5S 5H 5D", "Throw 3D", "Left: 2C – 2 points"],
            0,
        ),
        (["solve", "european", "2H 3S 4D 9C", "--goal", "kalooki"], ["NO"], 1),
    ],
)
def test_a_question_is_answered(bare, asked, said, status):
    printed, complaint, ended = bare(*asked)
    lines = printed.splitlines()
    assert (lines[: len(said)], complaint, ended) == (said, "", status)
    assert max(map(len, lines)) <= 80


def test_a_refusal_names_the_document_and_the_place(bare):
    printed, _, _ = bare("check", "european", "AS 2S 3S")
    read = " ".join(printed.split())
    assert "Ace in a run: Kalooki in Europe, North America and South Africa, Turn by turn play, (2) Melding." in read


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        (["check", "european", "11H"], "“11H” is no card. Write rank and suit, such as 7H, 10D, AS, or * for a joker."),
        (["check", "europe", "QH KH AH"], "There is no variant “europe”. There are: european, "),
        (["check", "european"], "Say the cards, too."),
        (["check"], "The following arguments are required: VARIANT CARDS. See python3 -m app check --help."),
        (["check", "european", "QH KH AH", "--house", "limits"], "--house limits: write it as key=value, such as"),
        (["check", "european", "QH KH AH", "--house", "limits=3"], "limits"),
        (["check", "european", "QH KH AH", "--own", "nonsense"], "These own rules are not whole"),
        (["solve", "european", "QH KH AH", "--goal", "win"], "Argument --goal: invalid choice: 'win'"),
        (["sheet", "no-such-file.json"], "no-such-file.json cannot be read: No such file or directory."),
        (["chekc"], "There is no “chekc”. There are: accept-older, backup, check, "),
    ],
)
def test_what_cannot_be_read_is_one_sentence(bare, asked, complaint):
    printed, said, status = bare(*asked)
    assert (printed, status, said.count("\n")) == ("", 2, 1)
    assert said.startswith("kalooki: ")
    assert complaint in said


def test_variants_of_this_server_and_own_rules_are_known(bare, tmp_path):
    (tmp_path / "variants").mkdir()
    village = 'name = "Village"\nsummary = "As we play."\nextends = "european"\n[stated]\nopening_points = 51\n'
    (tmp_path / "variants" / "village.toml").write_text(village)
    own = tmp_path / "sunday.toml"
    own.write_text('name = "Sunday"\nextends = "european"\n[stated]\nopening_points = 60\n')
    low = ("5H * 7H", "9S 9H 9D")  # 18 and 27 points
    there = {"DATABASE_URL": f"sqlite:///{tmp_path}/games.db"}
    printed, _, status = bare("check", "village", *low, **there)
    assert ("The opening needs 51 points; this comes to 45." in printed, status) == (True, 1)
    printed, _, status = bare("check", *low, "--own", str(own))
    assert ("The opening needs 60 points; this comes to 45." in printed, status) == (True, 1)
    assert {each.name for each in tmp_path.iterdir()} == {"variants", "sunday.toml"}


BEGUN = {"kind": "start", "variant": "european", "players": ["Zoë", "Ben", "Cat"], "dealer": 1, "stakes": None}
PLAYED = {"kind": "hand", "winner": 2, "ending": "going_out", "left": {"1": "KH QD", "3": {"points": 43}}}
GAME = {
    "code": "ABCDEFGHJK2",
    "log": [
        {
            "entry": 1,
            "at": "2026-11-21T19:00:00Z",
            "by": "Zoë",
            "event": BEGUN | {"zone": "Europe/Vienna", "house": {}},
        },
        {"entry": 2, "at": "2026-11-21T19:10:00Z", "by": "Zoë\x1b[2J", "event": PLAYED},
    ],
}
TABLE = """\

                  Zoe  Ben    Cat
1             . 20 20  * 0  43 43
Total              20    0     43
Place               2    1      3
Call-ups won             1
. dealt | * won the hand

"""


def test_a_saved_game_is_a_table_of_text(bare, tmp_path):
    file = tmp_path / "sheet.json"
    file.write_text(json.dumps(GAME))
    printed, complaint, status = bare("sheet", str(file), LC_ALL="C")
    assert (complaint, status, printed.isascii()) == ("", 0, True)
    assert TABLE in printed
    assert "Ben leads\nEuropean Kalooki | Saturday 21 November 2026 | 1 hand, still playing\n" in printed
    assert "kept by Zoe [2J | game ABCDEFGHJK2" in " ".join(printed.split())
    assert "\n1. Ben, 0\n2. Zoe, 20\n3. Cat, 43\n" in printed


@pytest.mark.parametrize("code", OF_0_1)
def test_games_of_0_1_are_told_as_0_1_did(code, tmp_path):
    told = OF_0_1[code]
    file = tmp_path / f"{code}.json"
    file.write_text(json.dumps({"code": code, "log": told["log"]}))
    lines = sheet(file)
    for player in told["state"]["players"]:
        assert any(f". {player['name']}, {player['total']}" in line for line in lines)
    names = {player["seat"]: player["name"] for player in told["state"]["players"]}
    for each in told["state"]["settlement"]:
        amount = f"{each['amount'] // 100}.{each['amount'] % 100:02}"
        assert any(line.startswith(f"{names[each['from']]} pays {names[each['to']]} {amount} ") for line in lines)
    assert max(map(len, lines[lines.index("") :])) <= 160  # sentences are folded later


@pytest.mark.parametrize("contents", [b"", b"{}", b"[" * 9999, b'{"log": [{"event": {"kind": "hand"}}]}', b"\xff"])
def test_a_file_without_a_game_is_refused_by_name(contents, tmp_path):
    file = tmp_path / "shopping.json"
    file.write_bytes(contents)
    with pytest.raises(Malformed, match=r"shopping\.json"):
        sheet(file)


def test_every_command_of_the_server_is_told(tmp_path):
    app = create_app({"DATABASE_URL": f"sqlite:///{tmp_path}/games.db", "SECRET_KEY": "test", "TESTING": True})
    assert app.cli.commands.keys() - {"db"} == OPERATORS.keys() - {"install"}


def test_a_command_of_the_server_runs_from_any_folder(tmp_path):
    settings = {"DATABASE_URL": f"sqlite:///{tmp_path}/games.db", "SECRET_KEY": "test"}
    command = [sys.executable, ROOT / "app", "delete", "ABCDEFGHJK2"]
    done = subprocess.run(
        command, check=False, cwd=tmp_path, env=os.environ | settings, capture_output=True, text=True, timeout=120
    )
    assert done.returncode != 0
    assert f"{tmp_path}/games.db is not there" in done.stderr
