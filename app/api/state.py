"""The state of a game as JSON, field by field."""

from __future__ import annotations

from operator import itemgetter
from typing import NamedTuple

from app.api.rulebook import FAULT, Broken
from app.api.writers import (
    ANYTHING,
    COUNT,
    ENTRY,
    FLAG,
    SEAT,
    TEXT,
    WHOLE,
    Writer,
    by_name,
    fields,
    listed,
    or_null,
    record,
)
from app.games.recording import RecordedGame
from app.kalooki import readers
from app.kalooki.cards import Card
from app.kalooki.game import faces
from app.kalooki.game.corrections import Entry, corrections
from app.kalooki.game.events import Join
from app.kalooki.game.play import Game
from app.kalooki.game.state import PlayedHand, Player, Score
from app.kalooki.money import Payment
from app.kalooki.readers import SEATS_PATTERN, component
from app.store.games import StoredEntry

CONTRACT = or_null(record({"sets": COUNT.of(itemgetter(0)), "runs": COUNT.of(itemgetter(1))}))
RECORDED = Writer(component("Recorded"))
"""An event as it was recorded."""
_MONEY = Writer(readers.whole(0, readers.MOST_MONEY).shape)


class _SeatedPlayer(NamedTuple):
    """A player, the score at which they may buy in now, and their balance in minor units."""

    player: Player
    buy_in_score: int | None
    balance: int


class _SeatScore(NamedTuple):
    """What a hand did to one player, and the cards they had left."""

    score: Score
    cards: tuple[Card, ...]


class _LoggedEntry(NamedTuple):
    """An entry as recorded, and the effect of later corrections on it."""

    stored: StoredEntry
    undone: bool
    amended_by: int | None
    inserted_before: int | None


def _seats_of(history: RecordedGame) -> list[_SeatedPlayer]:
    game, balances = history.game, history.game.balances
    return [_SeatedPlayer(player, game.offers.get(seat), balances[seat]) for seat, player in game.players.items()]


def _scores_of(hand: PlayedHand) -> dict[int, _SeatScore]:
    return {seat: _SeatScore(score, hand.cards(seat)) for seat, score in hand.scores.items()}


def _faults_of(history: RecordedGame) -> list[Broken]:
    return [Broken(fault, history.game.variant, entry) for entry, fault in history.game.faults]


def _log_of(history: RecordedGame) -> list[_LoggedEntry]:
    changes = corrections(history.entries)
    return [
        _LoggedEntry(each, each.seq in changes.undone_by, changes.amended_by.get(each.seq), entry.event.belongs_before)
        for each, entry in zip(history.log.entries, history.entries, strict=True)
    ]


def _pending(entry: Entry) -> dict[str, object]:
    """Return an entry that waits for the hand in play, with its cost; a player who joins has no seat yet."""
    number, event = entry
    who = {"name": event.name} if isinstance(event, Join) else {"seat": getattr(event, "seat", None)}
    cost = {name: getattr(event, name, 0) for name in ("points", "amount")}
    return {"entry": number, "kind": event.kind} | who | cost


def _variant_values(history: RecordedGame) -> dict[str, object]:
    return {key: value for key, value in history.game.book.plain.items() if key in history.game.variant.house}


_PLAYER = fields(
    Player,
    "seat name total buy_ins out_since",
    "player",
    colour="face.colour",
    emoji=Writer(faces.emoji.schema).of("player.face.emoji"),
    in_="playing",
    left="has_left",
)
_OFFER = fields(
    _SeatedPlayer, "buy_in_score balance", may_buy_in=FLAG.of(lambda seated: seated.buy_in_score is not None)
)
_SCORE = record(fields(Score, "points total out lines", "score") | fields(_SeatScore, "cards"))
_HAND = fields(
    PlayedHand,
    "entry number dealer winner ending reason note calls",
    cards="dealt",
    void="is_void",
    scores=by_name(_SCORE, SEATS_PATTERN).of(_scores_of),
)
_NEXT_HAND = fields(
    Game,
    "number first",
    dealer="next_dealer",
    cards="dealt",
    contract=CONTRACT.of(lambda game: None if game.finish else game.variant.contract(game.number)),
)


def _stored_fields(at: str) -> dict[str, Writer]:
    """Return the fields of an entry as it was recorded."""
    return fields(StoredEntry, "at", at, entry="seq", by="actor", event=RECORDED)


_LOGGED = record(_stored_fields("stored") | fields(_LoggedEntry, "undone amended_by inserted_before"))
_COST = {"points": or_null(WHOLE), "amount": _MONEY}
_PENDING = record({"entry": ENTRY, "kind": TEXT} | _COST).also(seat=SEAT, name=TEXT)
_GAME = fields(
    Game,
    "settle place note status pool order winners shares",
    "game",
    variant="variant.id",
    rules=by_name(ANYTHING).of("game.variant.plain"),
    house=listed(TEXT).about("The keys of the table's house rules.").of(lambda it: sorted(it.game.variant.house)),
    differs=listed(TEXT).about("The same, in the order of `values`.").of(lambda it: [*_variant_values(it)]),
    book=by_name(ANYTHING).about("What the variant says where the table differs.").of(_variant_values),
    stakes=or_null(Writer(readers.table_stakes.schema)),
    hand=record(_NEXT_HAND).of("game"),
    players=listed(record(_PLAYER | _OFFER)).of(_seats_of),
    hands=listed(record(_HAND)),
    money="postings",
    settlement=listed(record(fields(Payment, "to", from_="payer", amount=_MONEY))).of("game.payments"),
    faults=listed(FAULT).of(_faults_of),
    pending=listed(Writer(_PENDING.shape, _pending)).about("What counts after the hand in play."),
    carried=or_null(Writer(readers.carried.schema, lambda carried: carried.plain)),
)
_ZONE = TEXT.about("The time zone of the table, by its IANA name.")
STATE = record(_GAME | fields(RecordedGame, "code seen", zone=_ZONE, log=listed(_LOGGED).of(_log_of)), "State").also(
    behind=FLAG.about("There, and true, where `seen` was asked about and the game has fewer entries.")
)
"""Writes a `RecordedGame` as everything that its table may know."""
EXPORT = record(fields(RecordedGame, "code", log=listed(record(_stored_fields(""))).of("log.entries")))
"""Writes the whole log of a `RecordedGame`, from which the game can be restored."""
