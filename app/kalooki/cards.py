"""Cards: parsing and writing table notation, and counting cards against the packs.

>>> write(parse("10♦ th, joker *=6h"))
'10D 10H * *=6H'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")
_SUITED = frozenset(SUITS)
RED_SUITS = ("H", "D")
BLACK_SUITS = ("S", "C")
COURT = frozenset({"10", "J", "Q", "K"})
"""The ranks that score as court cards; the ten is one of them."""

MOST_CARDS = 224
"""The cards of four packs with sixteen jokers, the most that any claim can have."""


class BadInput(ValueError):
    """Input that cannot be read, with a message for the table that names the word and says what to write instead.

    `message` is a format string with `{word}`, `{field}` and the other `facts`. `keys` names the house rules at fault:
    one that is out of range, or two that contradict each other. `also` holds further errors found in the same input.
    """

    keys: tuple[str, ...] = ()
    also: tuple[BadInput, ...] = ()

    def __init__(self, message: str, field: str = "", word: object = "", **facts: object) -> None:
        super().__init__(message, field, word)
        self.message = message
        self.field = field
        self.word = str(word)[:60]
        self.facts = facts

    def __str__(self) -> str:
        return self.say()

    def say(self) -> str:
        """Return the sentences of this error and of all errors in `also`."""
        return " ".join(each.say_alone() for each in (self, *self.also))

    def say_alone(self) -> str:
        """Return the sentence of this error only."""
        return self.message.format(word=self.word, field=self.field, **self.facts)

    @property
    def sentence(self) -> str:
        """The message without the field's name, for pages that show it next to the field."""
        text = self.say().removeprefix(f"{self.field}: ")
        return text[:1].upper() + text[1:]

    def at(self, field: str) -> BadInput:
        """Return the same error for another field."""
        return BadInput(self.message, field, self.word, **self.facts)


class Card(NamedTuple):
    """One card. A joker has rank `*` and, once declared, the card it `stands_for`.

    `suit` is empty for a joker and for a card whose suit is unknown. For an ace it may be `red` or `black`, if only
    the colour is known.
    """

    rank: str
    suit: str = ""
    stands_for: Card | None = None

    def __str__(self) -> str:
        text = self.rank + self.suit
        return f"{text}={self.stands_for}" if self.stands_for else text

    @property
    def is_joker(self) -> bool:
        return self.rank == "*"


JOKER = Card("*")
PACK = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
"""The 52 natural cards of one pack."""


def position(rank: str) -> int:
    """Return the place of a rank in a run, from 2 to 14 for an ace above the king (a low ace would be 1)."""
    return RANKS.index(rank) + 1 if rank != "A" else 14


_LETTER_OF = str.maketrans({"♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D", "♣": "C", "♧": "C"})
_SYMBOL_OF = str.maketrans("SHDC*", "♠♥♦♣★")
_VARIATION_SELECTORS = re.compile("[\ufe0e\ufe0f]")
_JOKER_WORDS = ("*", "JK", "JOKER", "🃏", "★")
_RANK_WORDS = {rank: rank for rank in RANKS} | {"T": "10", "1": "A"}
_NAMES = ("ACE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING")


_NATURALS = {word + suit: Card(rank, suit) for word, rank in _RANK_WORDS.items() for suit in SUITS}
_CARDS = dict.fromkeys(_JOKER_WORDS, JOKER) | _NATURALS
"""Every spelling of a card, in capitals, so that reading a card is a single lookup."""
for _joker in _JOKER_WORDS:
    _CARDS |= {f"{_joker}={word}": JOKER._replace(stands_for=card) for word, card in _NATURALS.items()}
_CARDS_LEFT = _CARDS | {word: Card(rank) for word, rank in _RANK_WORDS.items()}
_CARDS_LEFT |= {"ARED": Card("A", "red"), "ABLACK": Card("A", "black")}
_CARDS_LEFT |= {name: Card(rank) for name, rank in zip(_NAMES, RANKS, strict=True)}
LEFT_CARDS = frozenset(_CARDS_LEFT.values())
"""Every card that can be recorded as left in a hand, including ranks without a suit."""


_SUIT_LETTER, _RANK_LETTERS = "[SHDCshdc♠♤♥♡♦♢♣♧][\ufe0e\ufe0f]?", "([2-9AJQKTajqkt1]|10)"
_JOKER_LETTERS = "([*]|[Jj][Kk]|[Jj][Oo][Kk][Ee][Rr]|🃏|★)[\ufe0e\ufe0f]?"
_ONE = f"({_RANK_LETTERS}{_SUIT_LETTER}|{_JOKER_LETTERS}(={_RANK_LETTERS}{_SUIT_LETTER})?)"
_NAME_LETTERS = "|".join("".join(f"[{letter}{letter.lower()}]" for letter in name) for name in _NAMES)
_ONE_LEFT = f"({_ONE}|{_RANK_LETTERS}|[Aa]([Rr][Ee][Dd]|[Bb][Ll][Aa][Cc][Kk])|{_NAME_LETTERS})"


def pattern(min_count: int = 0, max_count: int = MOST_CARDS, *, left: bool = False) -> str:
    """Return the regular expression of what `parse` accepts (`parse_left` if `left`), for the API document."""
    one, further = _ONE_LEFT if left else _ONE, rf"{{{max(min_count - 1, 0)},{max_count - 1}}}"
    some = rf"{one}([\s,]+{one}){further}[\s,]*"
    return rf"^[\s,]*{some}$" if min_count else rf"^[\s,]*({some})?$"


def parse(text: object, field: str = "cards") -> tuple[Card, ...]:
    """Return the cards written in `text`, in that order.

    Raises BadInput for a word that is not a card, and for more cards than four packs hold.

    >>> [str(card) for card in parse("7♥ as TD jk")]
    ['7H', 'AS', '10D', '*']
    """
    return _read(text, field, _CARDS)


def parse_left(text: object, field: str = "cards", colour_scores: bool = False) -> tuple[Card, ...]:
    """Return the cards left in a hand; a rank without a suit is enough, and an ace may have only a colour.

    Raises BadInput as `parse` does and, if `colour_scores` (red and black aces count differently), for a bare `A`.

    >>> write(parse_left("K king 10 Ared ace"))
    'K K 10 Ared A'
    """
    cards = _read(text, field, _CARDS_LEFT)
    if colour_scores:
        require_colours(cards, field)
    return cards


def require_colours(cards: Iterable[Card], field: str) -> None:
    """Raise BadInput if any ace has no colour."""
    if Card("A") in cards:
        raise BadInput("“A” alone cannot be counted here: red and black aces differ. Write Ared or Ablack.", field, "A")


def _read(text: object, field: str, kinds: dict[str, Card]) -> tuple[Card, ...]:
    if not isinstance(text, str):
        raise BadInput("Cards are written as text, such as 7H 8H 9H.", field, text)
    words = _VARIATION_SELECTORS.sub("", text).replace(",", " ").split()
    if len(words) > MOST_CARDS:
        raise BadInput("{count} cards are more than four packs hold.", field, words[MOST_CARDS], count=len(words))
    return tuple(_read_word(word, field, kinds) for word in words)


def _read_word(word: str, field: str, kinds: dict[str, Card]) -> Card:
    card = kinds.get(word.upper().translate(_LETTER_OF))
    if card is None and word.upper() in _CARDS_LEFT:
        raise BadInput("“{word}” needs a suit, such as {rank}H.", field, word, rank=_CARDS_LEFT[word.upper()].rank)
    if card is None:
        raise BadInput(
            "“{word}” isn’t a card. Write rank and suit, such as 7H, 10D, AS, or * for a joker.", field, word
        )
    return card


def write(cards: Iterable[Card]) -> str:
    """Return the cards in canonical notation: `parse(write(cards)) == cards` if every suit is known."""
    return " ".join(map(str, cards))


def in_a_sentence(cards: Iterable[Card]) -> str:
    """Return the cards in notation with suit symbols, and a star for a joker.

    >>> in_a_sentence(parse("5H *=6D *")), in_a_sentence(parse_left("10 Ared"))
    ('5♥ ★=6♦ ★', '10 Ared')
    """
    return write(cards).translate(_SYMBOL_OF)


def beyond_pack(cards: Iterable[Card], packs: int, jokers: int) -> tuple[Card, ...]:
    """Return each card, once, that occurs more often than in `packs` packs with `jokers` jokers.

    A card without a suit counts towards its rank, an ace also towards its colour. A declared joker counts as a joker:
    it may stand for a card whose copies are all on the table.

    >>> write(beyond_pack(parse("KH 7S KH KH"), 2, 2))
    'KH'
    """
    counts = Counter(cards)
    unsuited = [card for card in counts if card.suit not in _SUITED]
    over = [card for card, count in counts.items() if count > packs and card.suit in _SUITED]
    over += [kind for kind, count, copies in _incomplete_kinds(counts, unsuited) if count > copies * packs]
    joker_count = sum(counts[card] for card in unsuited if card.is_joker)
    return (*over, JOKER) if joker_count > jokers else tuple(over)


def _incomplete_kinds(held: Counter[Card], unsuited: Iterable[Card]) -> Iterator[tuple[Card, int, int]]:
    """Yield each rank that has cards without a suit, and the colours of aces, as (card, count, copies in one pack)."""
    ranks = dict.fromkeys(card.rank for card in unsuited if not card.is_joker)
    for rank in ranks:
        yield Card(rank), sum(count for card, count in held.items() if card.rank == rank), len(SUITS)
    for colour, suits in (("red", RED_SUITS), ("black", BLACK_SUITS)) if ranks else ():
        yield Card("A", colour), sum(held[Card("A", suit)] for suit in (*suits, colour)), 2
