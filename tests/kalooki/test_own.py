"""Own rules as a short text: what was written is read again, and what is not whole is refused in words."""

from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.kalooki.cards import Malformed
from app.kalooki.variants import all_variants, house_range, load, meanings, with_house_rules
from app.kalooki.variants.own import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    RELEASE,
    as_file,
    own_rules,
    read_file,
    read_own,
)
from app.version import VERSION

EVERY = [*all_variants()]


def values(variant, key):
    """Any value a table of this variant may choose."""
    house = house_range(variant, key)
    if "choices" in house:
        return st.sampled_from(house["choices"])
    if "each" in house:
        number = st.integers(house["each"]["least"], house["each"]["most"])
        return st.lists(number, min_size=1, max_size=house["most"])
    number = st.integers(house["least"], house["most"])
    return st.none() | number if house.get("none") else number


@st.composite
def tables(draw):
    """What some table plays; rule sets that contradict themselves are no table's."""
    variant = draw(st.sampled_from(EVERY))
    keys = [key for key in meanings() if house_range(variant, key) and key not in ("contracts", "dealt")]
    house = {key: draw(values(variant, key)) for key in draw(st.lists(st.sampled_from(keys), unique=True))}
    try:
        return with_house_rules(variant, house)[0]
    except Malformed:
        return variant


TITLES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=LONGEST_TITLE)


@given(tables(), TITLES, st.dates())
def test_what_was_written_is_read_again(variant, name, day):
    text = own_rules(variant, name, day.isoformat()).text
    own = read_own(text)

    assert own.variant == variant
    assert (own.name, own.date, own.release, own.is_of_this_book) == (name, day.isoformat(), RELEASE, True)
    assert own.text == text


@given(tables(), st.data())
def test_nothing_is_read_in_half(variant, data):
    text = own_rules(variant, "Sunday", "2026-11-22").text
    cut = data.draw(st.integers(0, len(text) - 1))

    with pytest.raises(Malformed):
        read_own(text[:cut])


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused_in_words(text):
    with pytest.raises(Malformed) as refused:
        read_own(text)
    assert "{" not in refused.value.say()


def test_a_text_in_capitals_says_the_same():
    own = own_rules(with_house_rules(load("european"), {"opening_points": 51})[0], "Sunday", "2026-11-22")
    name, _, rules = own.text.partition("~")

    assert rules.startswith(f"european.{VERSION.replace('.', '-')}.2026-11-22.")
    assert ".opening-points.51." in rules
    assert read_own(f"{name}~{rules.upper()}") == read_own(f"{name}~{rules}")


def test_a_value_that_follows_another_is_named_only_where_it_does_not():
    follows = with_house_rules(load("european"), {"joker_from_set": "one"})[0]
    own = own_rules(follows)

    assert "joker_from_set" in own.house
    assert read_own(own.text).variant == follows


def test_a_contract_of_more_cards_than_a_table_can_deal_by_hand_is_kept_and_read_again():
    table = with_house_rules(load("jamaican"), {"contracts": [[3, 0], [6, 4]]})[0]
    assert table.dealt == (9, 34), "3 a set and 4 a run"
    own = own_rules(table)

    assert own.house == {"contracts": ((3, 0), (6, 4))}
    assert read_own(own.text).variant == read_file(as_file(own).encode()).variant == table


def test_fifteen_values_of_every_kind_are_read_again():
    house = {
        "packs": 3,
        "jokers": 6,
        "run_least": 3,
        "contracts": [[2, 0], [1, 1], [0, 2]],
        "set_most": 6,
        "limit": None,
        "joker_points": 15,
        "melds_a_turn": 1,
        "kalooki_builds": False,
        "joker_from_run": "never",
        "joker_left": 25,
        "black_ace_left": 15,
        "red_ace_left": 15,
        "call_penalty": 30,
        "calls": 4,
    }
    variant = with_house_rules(load("jamaican"), house)[0]
    text = own_rules(variant, "Sunday at Ann’s", "2026-11-22").text

    assert ".contracts.2x0-1x1-0x2." in text
    assert ".joker-from-run.never." in text
    assert read_own(text).variant == variant


def marked(text, name=""):
    """The text with the mark that says it is whole."""
    return f"{name}~{text}.{crc32((name + text).encode()) & 0xFFFF:04x}"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "european.0-2-0.2026-11-22.0000.opening-points.999",
            "“999” is out of range; choose a whole number from 0 to 200.",
        ),
        ("european.0-2-0.2026-11-22.0000.opening-points.9999999", "“9999999” is out of range"),
        (f"european.{VERSION.replace('.', '-')}.2026-11-22.0000.opening-points.yes", "“yes” is out of range"),
        ("european.0-2-0.2026-11-22.0000.beer.2", "“beer” is no value of a variant."),
        ("european.0-9-1.2026-11-22.0000.beer.2", f"made by release 0.9.1, and this server has {VERSION}"),
        ("euchre.0-2-0.2026-11-22.0000.limit.2", "These own rules change “euchre”, which this server does not have."),
        ("european.0-2-0.tomorrow.0000.limit.2", "These own rules are not whole"),
        ("european.0-2-0.2026-11-22.0000.limit", "These own rules are not whole"),
        ("european", "These own rules are not whole"),
        ("", "These own rules are not whole"),
        ("european.0-2-0.2026-11-22.0000" + ".limit.2" * LONGEST_TEXT, "These own rules are not whole"),
    ],
)
def test_what_nobody_here_can_play_is_refused_in_words(text, sentence):
    with pytest.raises(Malformed) as refused:
        read_own(marked(text))
    assert sentence in refused.value.say()


@pytest.mark.parametrize("name", ["a" * (LONGEST_TITLE + 1), "two\nlines", " padded"])
def test_a_name_is_one_short_line(name):
    with pytest.raises(Malformed):
        read_own(marked("european.0-2-0.2026-11-22.0000", name))


def test_another_book_is_noticed():
    assert not read_own(marked("european.0-2-0.2026-11-22.0000.limit.200")).is_of_this_book


def test_the_release_is_the_one_this_is():
    assert RELEASE == VERSION


def test_own_rules_as_a_file_are_read_again():
    played = with_house_rules(load("european"), {"limit": None, "joker_left": 25, "contracts": []})[0]
    file = as_file(own_rules(played, "Sunday", "2026-11-22"))
    own = read_file(file.encode(), "2026-11-22")

    assert own.variant == played
    assert (own.name, own.date, own.text) == ("Sunday", "2026-11-22", own_rules(played, "Sunday", "2026-11-22").text)


FILE = 'name = "Sunday"\nextends = "european"\n'


@pytest.mark.parametrize(("file", "why"), [
    ('extends = "whist"\n', "extends (line 1): name one of this server’s variants."),
    ('name = 7\nextends = "european"\n', "name (line 1): this does not fit a set of own rules."),
    (FILE + "house = 7\n", "house (line 3): this does not fit a set of own rules."),
    (FILE + "stated = 7\n", "stated (line 3): this does not fit a set of own rules."),
    (FILE + "[stated]\nrun_most = 4\nrun_least = 5\n",
     "run_least (line 5), run_most (line 4): The shortest run is 5 cards, the longest 4: no run would be legal. "),
])  # fmt: skip
def test_a_file_that_is_no_set_of_own_rules_is_refused_with_its_line(file, why):
    with pytest.raises(Malformed) as cause:
        read_file(file.encode())
    assert str(cause.value).startswith(why)
