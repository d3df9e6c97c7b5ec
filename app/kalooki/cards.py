"""Cards as players write them, and how many of each the packs hold.

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
"""The ranks that count ten, besides the ten itself."""

MOST_CARDS = 224
"""Four packs and sixteen jokers: no claim can have more."""


class BadInput(ValueError):
    """Input that cannot be read: names the field and the word, and says what to do.

    `message` is a text with `{word}` and other facts in it. `keys` are the house rules it is about, if it is about any:
    the one that does not fit, or two at odds. `also` are further reasons.
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
        """Return the sentence for the table, with those of all further reasons."""
        return " ".join(each.say_alone() for each in (self, *self.also))

    def say_alone(self) -> str:
        """Return the sentence for this reason only."""
        return self.message.format(word=self.word, field=self.field, **self.facts)

    @property
    def sentence(self) -> str:
        """The sentence without the field's name, for a page that says it at the field."""
        text = self.say().removeprefix(f"{self.field}: ")
        return text[:1].upper() + text[1:]

    def at(self, field: str) -> BadInput:
        """Return the same error under another field name."""
        return BadInput(self.message, field, self.word, **self.facts)


class Card(NamedTuple):
    """One card; a joker has rank `*` and may say which card it stands for.

    `suit` is empty for a joker and for a card of unknown suit; it is `red` or `black` for an ace of which only the
    colour is known.
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

    @property
    def is_red(self) -> bool:
        return self.suit in RED_SUITS or self.suit == "red"


JOKER = Card("*")
PACK = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
"""The 52 naturals of one pack."""


def position(rank: str) -> int:
    """Return where a rank sits in a run, 2 to 14: the ace above the king (its low place is 1)."""
    return RANKS.index(rank) + 1 if rank != "A" else 14


_SYMBOLS = str.maketrans({"♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D", "♣": "C", "♧": "C"})
_SIGNS = str.maketrans("SHDC*", "♠♥♦♣★")
_NOISE = re.compile("[\ufe0e\ufe0f]")
_JOKER_WORDS = ("*", "JK", "JOKER", "🃏", "★")
_RANK_WORDS = {rank: rank for rank in RANKS} | {"T": "10", "1": "A"}


_NATURALS = {word + suit: Card(rank, suit) for word, rank in _RANK_WORDS.items() for suit in SUITS}
_CARDS = dict.fromkeys(_JOKER_WORDS, JOKER) | _NATURALS
"""Every way to write one card, in capitals: reading a card is one look-up."""
for _joker in _JOKER_WORDS:
    _CARDS |= {f"{_joker}={word}": JOKER._replace(stands_for=card) for word, card in _NATURALS.items()}
_LEFT = _CARDS | {word: Card(rank) for word, rank in _RANK_WORDS.items()}
_LEFT |= {"ARED": Card("A", "red"), "ABLACK": Card("A", "black")}
LEFT_CARDS = frozenset(_LEFT.values())
"""Every card that can be written as left in a hand."""


_SUIT_LETTER, _RANK_LETTERS = "[SHDCshdc♠♤♥♡♦♢♣♧][\ufe0e\ufe0f]?", "([2-9AJQKTajqkt1]|10)"
_JOKER_LETTERS = "([*]|[Jj][Kk]|[Jj][Oo][Kk][Ee][Rr]|🃏|★)[\ufe0e\ufe0f]?"
_ONE = f"({_RANK_LETTERS}{_SUIT_LETTER}|{_JOKER_LETTERS}(={_RANK_LETTERS}{_SUIT_LETTER})?)"
_ONE_LEFT = f"({_ONE}|{_RANK_LETTERS}|[Aa]([Rr][Ee][Dd]|[Bb][Ll][Aa][Cc][Kk]))"


def pattern(least: int = 0, most: int = MOST_CARDS, *, left: bool = False) -> str:
    """Return the regular expression of what `parse` reads, or `parse_left`, for readers who only have the document."""
    one, further = _ONE_LEFT if left else _ONE, rf"{{{max(least - 1, 0)},{most - 1}}}"
    some = rf"{one}([\s,]+{one}){further}[\s,]*"
    return rf"^[\s,]*{some}$" if least else rf"^[\s,]*({some})?$"


def parse(text: object, field: str = "cards") -> tuple[Card, ...]:
    """Return the cards written in `text`, in that order.

    Raises BadInput for a word that is not a card, and for more cards than four packs hold.

    >>> [str(card) for card in parse("7♥ as TD jk")]
    ['7H', 'AS', '10D', '*']
    """
    return _read(text, field, _CARDS)


def parse_left(text: object, field: str = "cards", colour_scores: bool = False) -> tuple[Card, ...]:
    """Return cards left in a hand: a rank alone is enough, and an ace may give only its colour.

    With `colour_scores` (red and black aces count differently) a bare `A` is BadInput.

    >>> write(parse_left("K K 10 Ared"))
    'K K 10 Ared'
    """
    cards = _read(text, field, _LEFT)
    if colour_scores:
        require_colours(cards, field)
    return cards


def require_colours(cards: Iterable[Card], field: str) -> None:
    """Raise BadInput for an ace without a colour."""
    if Card("A") in cards:
        raise BadInput("“A” alone cannot be counted here: red and black aces differ. Write Ared or Ablack.", field, "A")


def _read(text: object, field: str, kinds: dict[str, Card]) -> tuple[Card, ...]:
    if not isinstance(text, str):
        raise BadInput("Cards are written as text, such as 7H 8H 9H.", field, text)
    words = _NOISE.sub("", text).replace(",", " ").split()
    if len(words) > MOST_CARDS:
        raise BadInput("{count} cards are more than four packs hold.", field, words[MOST_CARDS], count=len(words))
    return tuple(_read_word(word, field, kinds) for word in words)


def _read_word(word: str, field: str, kinds: dict[str, Card]) -> Card:
    card = kinds.get(word.upper().translate(_SYMBOLS))
    if card is None:
        raise BadInput(
            "“{word}” isn’t a card. Write rank and suit, such as 7H, 10D, AS, or * for a joker.", field, word
        )
    return card


def write(cards: Iterable[Card]) -> str:
    """Return the cards in canonical notation: `parse(write(cards)) == cards` if every suit is known."""
    return " ".join(map(str, cards))


def in_a_sentence(cards: Iterable[Card]) -> str:
    """Return the cards as `write` has them, with the signs that people know suits and jokers by.

    >>> in_a_sentence(parse("5H *=6D *")), in_a_sentence(parse_left("10 Ared"))
    ('5♥ ★=6♦ ★', '10 Ared')
    """
    return write(cards).translate(_SIGNS)


def beyond_pack(cards: Iterable[Card], packs: int, jokers: int) -> tuple[Card, ...]:
    """Return each card, once, of which there are more than `packs` packs and `jokers` jokers hold.

    Counts ranks, and suits and colours where known. A joker may stand for any card, even one whose copies are all
    elsewhere.

    >>> write(beyond_pack(parse("KH 7S KH KH"), 2, 2))
    'KH'
    """
    counts = Counter(cards)
    unsuited = [card for card in counts if card.suit not in _SUITED]
    over = [card for card, count in counts.items() if count > packs and card.suit in _SUITED]
    over += [kind for kind, count, copies in _vague_kinds(counts, unsuited) if count > copies * packs]
    held_jokers = sum(counts[card] for card in unsuited if card.is_joker)
    return (*over, JOKER) if held_jokers > jokers else tuple(over)


def _vague_kinds(held: Counter[Card], unsuited: Iterable[Card]) -> Iterator[tuple[Card, int, int]]:
    """Yield kinds of card of which a suit is missing: the kind, how many are held, how many one pack has.

    Where a suit is missing, the rank is a kind, and so is the colour of aces.
    """
    vague = dict.fromkeys(card.rank for card in unsuited if not card.is_joker)
    for rank in vague:
        yield Card(rank), sum(count for card, count in held.items() if card.rank == rank), len(SUITS)
    for colour, suits in (("red", RED_SUITS), ("black", BLACK_SUITS)) if vague else ():
        yield Card("A", colour), sum(held[Card("A", suit)] for suit in (*suits, colour)), 2
