"""Points as people type them: sums, digits of any script, cards where letters or suits say so, and nothing guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.kalooki.cards import RANKS, BadInput
from app.kalooki.points import read_cards, read_left, read_points
from tests.kalooki.rows import rows

PERSIAN, ARABIC, FULL_WIDTH, DEVANAGARI = "۰۱۲۳۴۵۶۷۸۹", "٠١٢٣٤٥٦٧٨٩", "０１２３４５６７８９", "०१२३४५६७८९"


@pytest.mark.parametrize(
    ("typed", "points"),
    rows("points", "numbers_and_sums_are_points"),
)
def test_numbers_and_sums_are_points(typed, points):
    assert read_points(typed) == points
    assert read_left(typed).plain == {"points": points}


UNREADABLE = rows("points", "unreadable")
UNREADABLE += [
    "9" * 7,
    "9" * 5000,
    "1e3",
    "0x10",
    "1_000",
    "43 points",
    "43p",
    "10*2",
    "K+Q",
    "=35",
    "",
    " ",
    ",",
    "KX",
    "43K",
    "100D",
    "107K",
    "JKQ",
    "K1",
    "47*",
]


@pytest.mark.parametrize("typed", UNREADABLE)
def test_anything_else_is_refused_and_named(typed):
    assert read_points(typed) is None
    for read in (read_left, read_cards):
        with pytest.raises(BadInput) as refused:
            read(typed, "left.2")
        assert refused.value.field == "left.2"
    with pytest.raises(BadInput) as refused:
        read_left(typed, "left.2")
    assert refused.value.word == typed.strip()[:60]


@pytest.mark.parametrize(
    ("typed", "cards"),
    rows("points", "letters_and_suits_mean_cards"),
)
def test_letters_and_suits_mean_cards(typed, cards):
    assert read_left(typed).plain == read_cards(typed).plain == cards


@pytest.mark.parametrize(
    ("typed", "in_a_cell", "beside_a_name"),
    rows("points", "bare_ranks_are_cards_beside_a_name_if_there_are_several_or_one_with_a_comma"),
)
def test_bare_ranks_are_cards_beside_a_name_if_there_are_several_or_one_with_a_comma(typed, in_a_cell, beside_a_name):
    for read, left in ((read_left, in_a_cell), (read_cards, beside_a_name)):
        if left is None:
            with pytest.raises(BadInput):
                read(typed)
        else:
            assert read(typed).plain == left


@given(
    st.lists(st.integers(0, 999_999), min_size=1, max_size=9),
    st.sampled_from([PERSIAN, ARABIC, FULL_WIDTH, DEVANAGARI]),
)
def test_a_sum_in_digits_of_any_script_is_added_up(numbers, digits):
    written = "+".join(map(str, numbers)).translate(str.maketrans("0123456789", digits))
    assert read_points(written) == sum(numbers)


@given(st.lists(st.sampled_from(RANKS[1:]), min_size=1, max_size=9))
def test_cards_written_as_ranks_are_read_beside_a_name(ranks):
    assert read_cards(" ".join(ranks) + ("," if len(ranks) == 1 and ranks[0].isdigit() else "")).plain == " ".join(
        ranks
    )


@given(st.text())
def test_any_text_is_points_or_cards_or_refused(typed):
    try:
        left = read_left(typed)
    except BadInput:
        return
    assert left.cards or left.points is not None
