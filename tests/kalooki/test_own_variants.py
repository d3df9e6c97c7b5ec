"""Variants of the server's own: files of a folder, each read on its own, and refused in words."""

import os
import time

import pytest

from app.kalooki import readers
from app.kalooki.cards import Malformed
from app.kalooki.files import MOST_FILES
from app.kalooki.game.events import from_json
from app.kalooki.game.play import recorded_variant
from app.kalooki.rules.rulebook import rules_of
from app.kalooki.variants import book_of, from_book, load, read_folder

HEAD = 'name = "Village"\nsummary = "As we play it."\nextends = "european"\n'
LONGEST = 64 * 1024
STATED = HEAD + "[stated]\n"
ASIDE = "cannot be an id: take letters a-z, digits and hyphens, and no name of another variant."
AT_ODDS = """run_least (line 6), run_most (line 5): The shortest run is 5 cards, the longest 4: no run would be legal. \
Make the shortest run shorter or the longest longer. jokers (line 7), packs: A pack has four jokers at most."""
BROKEN = {
    "misspelt": (HEAD + 'sauce = "Ours"\n', "sauce (line 4): this does not fit a variant: “Ours”."),
    "nameless": (HEAD.replace('name = "Village"\n', ""), "name: this key is missing."),
    "blank": (HEAD.replace("Village", ""), "name (line 1): this does not fit a variant: “”."),
    "long": (HEAD.replace("Village", "V" * 41), "name (line 1): this does not fit a variant: “VVV"),
    "turned": (HEAD.replace("Village", "\u202eegalliV"), "name (line 1): this does not fit a variant: “?egalliV”."),
    "number": (HEAD.replace('"Village"', "7"), "name (line 1): this does not fit a variant: “7”."),
    "text": (STATED + 'joker_left = "many"\n', "joker_left (line 5): “many” is out of range; choose a whole num"),
    "range": (STATED + "jokers = 17\n", "jokers (line 5): “17” is out of range; choose a whole number from 0 to 16."),
    "choice": (STATED + 'ace = "low"\n', "ace (line 5): “low” cannot be chosen; choose one of: high, both."),
    "fixed": (STATED + 'kalooki_ending = "rummy"\n', "kalooki_ending (line 5): “rummy” does not fit this value."),
    "at-odds": (STATED + "run_most = 4\nrun_least = 5\njokers = 9\n", AT_ODDS),
    "at-odds-with-its-parent": (
        STATED.replace("european", "jamaican") + "run_least = 6\ndealt = 9\n",
        "contracts, dealt (line 6): The contract of hand 2 needs",
    ),
    "unknown": (STATED + "joker_right = 3\n", "joker_right (line 5): “joker_right” is not a house rule."),
    "coloured": (STATED + '"\\u001b[2J" = 3\n', "?[2J: “?[2J” is not a house rule."),
    "no-toml": (HEAD + "[stated\n", "the file: Expected ']' at the end of a table declaration (at line 4, column 8)"),
    "orphan": (HEAD.replace("european", "nobodys"), "extends (line 3): there is no variant “nobodys”."),
    "outside": (HEAD.replace("european", "../../etc/passwd"), "extends (line 3): there is no variant “../../etc/passw"),
    "itself": (HEAD.replace("european", "itself"), "extends (line 3): “itself” extends itself: itself → itself."),
    "ring-c": (HEAD.replace("european", "ring-a"),
               "extends (line 3): “ring-a” extends itself: ring-a → ring-b → ring-c → ring-a."),
    "ring-a": (HEAD.replace("european", "ring-b"), "extends (line 3): “ring-b” cannot be read either."),
    "ring-b": (HEAD.replace("european", "ring-c"), "extends (line 3): “ring-c” cannot be read either."),
    "heir": (HEAD.replace("european", "text"), "extends (line 3): “text” cannot be read either."),
    "alone": (HEAD.replace('extends = "european"\n', ""), "packs: this key is missing."),
    "check": (HEAD, f"the file: “check” {ASIDE}"),
    "values": (HEAD, f"the file: “values” {ASIDE}"),
    "jamaican": (HEAD, f"the file: “jamaican” {ASIDE}"),
    "Our Rules": (HEAD, f"the file: “Our Rules” {ASIDE}"),
    "\x1b[31m": (HEAD, f"the file: “?[31m” {ASIDE}"),
    "longer": (HEAD + "#" * LONGEST, "the file: this is longer than 64 kB."),
    "latin": (HEAD.encode() + b'# caf\xe9\n', "the file: line 4 is no text: save the file as UTF-8."),
    "brackets": (HEAD + "x = " + "[" * 30_000, "the file: this is nested too deeply."),
    "tables": (HEAD + "x = " + "{a = " * 10 + "1" + "}" * 10, "the file: this is nested too deeply."),
    "dots": (HEAD + "a." * 30_000 + "a = 1", "the file: this is nested too deeply."),
    "sixteens": (STATED + "limit = 0x" + "f" * 60_000, "the file: a number is too large."),
    "nines": (STATED + "limit = " + "9" * 5_000, "the file: Exceeds the limit"),
}  # fmt: skip
"""Files that are no variants, and how each is refused."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with two sound variants, and many files that are none."""
    made = tmp_path_factory.mktemp("variants")
    sound = {"village": STATED + "limit = 200\n", "hamlet": HEAD.replace("european", "village")}
    for name, text in {**sound, **{name: text for name, (text, _said) in BROKEN.items()}}.items():
        (made / f"{name}.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    (made / "readme.txt").write_text("no variant", encoding="ascii")
    return made


def test_one_file_is_a_variant_of_the_servers_own(folder):
    found = read_folder(folder).variants

    assert found.keys() == {"village", "hamlet"}
    assert (found["village"].limit, found["village"].stated) == (200, {"limit"})
    assert (found["hamlet"].limit, found["hamlet"].stated) == (200, set())
    assert found["village"].joker_left == load("european").joker_left == 15
    assert [found["village"].is_own, load("european").is_own] == [True, False]


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_named_with_its_key_and_the_reason(folder, name):
    shown = name.replace("\x1b", "?")
    about = [each for each in read_folder(folder).wrong if each.startswith(f"{shown}.toml: ")]

    assert [each[: len(shown) + 7 + len(BROKEN[name][1])] for each in about] == [f"{shown}.toml: {BROKEN[name][1]}"]
    assert about[0].isprintable()


def test_no_file_takes_long_to_refuse(folder):
    (folder / "empty-lines.toml").write_text("\n" * LONGEST, encoding="ascii")
    begun = time.process_time()

    assert "empty-lines.toml: name: this key is missing." in read_folder(folder).wrong
    assert time.process_time() - begun < 5  # a search that goes back over every empty line takes half a minute


def test_a_file_may_play_what_a_table_may(tmp_path):
    """Contracts bring their hands and deals along; what has no use beside them is not stated."""
    text = STATED + 'contracts = [[1, 1], [2, 0]]\nlimit = "none"\nopening_points = 60\nkalooki_ending = "bending"\n'
    (tmp_path / "short.toml").write_text(text, encoding="ascii")

    played = read_folder(tmp_path).variants["short"]

    assert (played.contracts, played.game_hands, played.dealt) == (((1, 1), (2, 0)), 2, (6, 6))
    assert (played.limit, played.kalooki_ending, played.house) == (None, "bending", frozenset())
    assert played.stated == {"contracts", "limit", "kalooki_ending"}


def test_a_file_from_windows_is_read(tmp_path):
    (tmp_path / "village.toml").write_bytes(b"\xef\xbb\xbf" + (STATED + "limit = 200\n").replace("\n", "\r\n").encode())

    assert read_folder(tmp_path).variants["village"].limit == 200


def test_only_files_of_the_folder_are_opened(tmp_path):
    """A pipe would keep its reader waiting; a link may lead anywhere, but to a file beside it."""
    folder = tmp_path / "variants"
    (folder / "..data").mkdir(parents=True)
    (folder / "..data" / "kept.toml").write_text(HEAD, encoding="ascii")
    (tmp_path / "secret.toml").write_text(HEAD, encoding="ascii")
    (folder / "kept.toml").symlink_to("..data/kept.toml")
    (folder / "secret.toml").symlink_to("../secret.toml")
    (folder / "gone.toml").symlink_to("nowhere")
    (folder / "loop.toml").symlink_to("loop.toml")
    (folder / "room.toml").mkdir()
    os.mkfifo(folder / "pipe.toml")

    read = read_folder(folder)

    assert list(read.variants) == ["kept"]
    assert read.wrong == (
        "gone.toml: the file: No such file or directory",
        "loop.toml: the file: this is a link to itself.",
        "pipe.toml: the file: this is no file.",
        "room.toml: the file: this is no file.",
        "secret.toml: the file: this is a link that leads out of the folder.",
    )


def test_no_folder_is_no_fault_and_a_file_in_its_place_is_one(tmp_path):
    (tmp_path / "variants").write_text("", encoding="ascii")

    assert read_folder(tmp_path / "none") == ({}, ())
    assert read_folder(tmp_path / "variants").wrong == ("variants: Not a directory",)


def test_a_folder_of_very_many_files_is_read_up_to_a_number(tmp_path):
    for number in range(MOST_FILES + 2):
        (tmp_path / f"v{number:03}.toml").write_text(HEAD, encoding="ascii")

    read = read_folder(tmp_path)

    assert (len(read.variants), list(read.variants)[-1]) == (99, "v098")
    assert read.wrong == ("v099.toml: the folder holds more than 99 files; from here on none is read.",)


def test_a_long_chain_is_read_once_each(tmp_path):
    """Reading the chain again for each heir would be five thousand files."""
    for number in range(MOST_FILES):
        extended = f"v{number + 1:03}" if number < MOST_FILES - 1 else "european"
        text = HEAD.replace("european", extended) + "#" * 60_000
        (tmp_path / f"v{number:03}.toml").write_text(text, encoding="ascii")
    begun = time.process_time()

    assert len(read_folder(tmp_path).variants) == 99
    assert time.process_time() - begun < 10


def test_what_a_game_keeps_makes_its_variant_again(folder):
    village = read_folder(folder).variants["village"]

    assert from_book("village", book_of(village), village.values) == village
    assert book_of(load("european")) == {}


def test_a_game_plays_on_by_the_book_it_kept(folder):
    village = read_folder(folder).variants["village"]
    kept = {"book": book_of(village), "rules": village.plain}
    start = from_json({"kind": "start", "variant": "village", "players": ["Ann", "Ben"]} | kept)

    assert recorded_variant(start) == village


def test_a_file_is_the_document_of_the_rules_whose_values_it_states(folder):
    village = read_folder(folder).variants["village"]
    rules = {rule.rule: rule for chapter in rules_of(village) for rule in chapter.rules}
    limit, opening = rules["limit"], rules["opening-points"]

    assert (limit.standing, opening.standing) == ("source", "usual")
    assert [(source.id, source.title) for source in limit.sources] == [("village.toml", "Village")]


@pytest.mark.parametrize(("name", "said"), [("Our Rules", "Our Rules"), ("nobodys", "nobodys"), (7, "7")])
def test_a_variant_that_is_none_is_refused_in_words(name, said):
    with pytest.raises(Malformed, match=f"There is no variant “{said}”"):
        readers.variant_id.read(name, "variant")
    assert readers.variant_id.read("european", "variant") == "european"
