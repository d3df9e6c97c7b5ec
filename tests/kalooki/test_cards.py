"""Cards in table notation, and the number of cards in the packs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.kalooki.cards import JOKER, RANKS, SUITS, BadInput, Card, beyond_pack, parse, parse_left, position, write
from tests.kalooki.rows import rows

NATURALS = st.tuples(st.sampled_from(RANKS), st.sampled_from(SUITS)).map(lambda pair: Card(*pair))
JOKERS = st.just(JOKER) | NATURALS.map(lambda card: JOKER._replace(stands_for=card))
CARDS = st.lists(NATURALS | JOKERS, max_size=20)


@pytest.mark.parametrize(
    ("written", "canonical"),
    rows("cards", "cards_are_read_forgivingly_and_written_canonically"),
)
def test_cards_are_read_forgivingly_and_written_canonically(written, canonical):
    assert write(parse(written)) == canonical


@given(CARDS)
def test_written_cards_parse_to_the_same_cards(cards):
    assert parse(write(cards)) == tuple(cards)


@pytest.mark.parametrize("word", ["11H", "7", "HH", "*=*", "KH=6H", "Z", "7HH", "*=", "AredX"])
def test_an_unreadable_word_is_reported_with_its_field(word):
    with pytest.raises(BadInput) as refused:
        parse(f"7H {word}", "cards")

    assert (refused.value.field, refused.value.word) == ("cards", word)
    assert word in str(refused.value)


def test_more_cards_than_two_packs_hold_are_refused():
    with pytest.raises(BadInput, match="225 cards"):
        parse("7H " * 225)


def test_a_value_that_is_not_text_is_refused():
    with pytest.raises(BadInput, match="written as text"):
        parse(["7H"])


def test_cards_left_may_be_ranks_or_coloured_aces():
    read = parse_left("k 10 ared ABLACK AH *")
    assert read == (Card("K"), Card("10"), Card("A", "red"), Card("A", "black"), Card("A", "H"), JOKER)


def test_an_ace_without_colour_is_refused_where_colours_score():
    assert parse_left("A") == (Card("A"),)
    with pytest.raises(BadInput, match="red and black aces differ"):
        parse_left("K A", colour_scores=True)


@pytest.mark.parametrize(
    ("held", "over"),
    rows("cards", "cards_beyond_two_packs_and_their_jokers_are_returned"),
)
def test_cards_beyond_two_packs_and_their_jokers_are_returned(held, over):
    assert write(beyond_pack(parse_left(held), packs=2, jokers=2)) == over


def test_an_ace_is_above_the_king():
    assert [position(rank) for rank in ("2", "10", "K", "A")] == [2, 10, 13, 14]


LEFT = st.sampled_from(parse_left("KH KS K 7D 7H 7 AH AD AS Ared Ablack A * *=KH"))


@given(st.lists(LEFT, max_size=30), st.integers(0, 4), st.integers(0, 8))
def test_adding_a_pack_or_joker_never_adds_excess_cards(cards, packs, jokers):
    over = set(beyond_pack(cards, packs, jokers))

    assert set(beyond_pack(cards, packs + 1, jokers)) <= over
    assert set(beyond_pack(cards, packs, jokers + 1)) <= over
    assert not beyond_pack(cards, len(cards), len(cards))
