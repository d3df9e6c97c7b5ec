"""The state of a game as plain JSON, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from app.i18n import gettext
from app.kalooki.cards import write
from app.kalooki.faults import Fault
from app.kalooki.game.corrections import corrections
from app.kalooki.game.play import Entry, Game
from app.kalooki.game.state import Noted, PlayedHand, Player, Score
from app.kalooki.rules.rulebook import explain
from app.kalooki.scoring import Line
from app.kalooki.variants import Variant
from app.log import Log

_written = lru_cache(maxsize=16384)(write)
"""Cards in notation: each state tells again what was left in every hand so far."""


def state(log: Log, entries: list[Entry], game: Game, zone: str) -> dict[str, Any]:
    """Everything the table may know about a game; `zone` is the table's time zone."""
    balances = game.balances
    return {
        "code": log.code,
        "seen": len(entries),
        "variant": game.variant.id,
        "rules": dict(game.variant.plain),
        "house": sorted(game.variant.house),
        "status": game.status,
        "hand": _next_hand(game),
        "players": [_player(game, player, balances[player.seat]) for player in game.players.values()],
        "hands": [_played(hand) for hand in game.hands],
        "stakes": game.stakes,
        "settle": game.settle,
        "zone": zone,
        "place": game.place,
        "note": game.note,
        "pool": game.pool,
        "money": [posting._asdict() for posting in game.postings],
        "settlement": [{"from": payer, "to": to, "amount": amount} for payer, to, amount in game.payments],
        "order": game.order,
        "winners": list(game.winners),
        "shares": _by_seat(game.shares),
        "faults": [noted_json(noted, game) for noted in game.faults],
        "log": _log(log, entries),
    }


def noted_json(noted: Noted, game: Game) -> dict[str, Any]:
    """A fault of a recorded entry, with that entry's number."""
    return {"entry": noted.entry} | fault_json(noted.fault, game.variant)


def fault_json(fault: Fault, variant: Variant) -> dict[str, Any]:
    """A broken rule in words, with its sources, and its field if it has one."""
    told = explain(fault, variant, gettext)
    sources = [source._asdict() for source in told.sources]
    field = {"field": fault.facts["field"]} if "field" in fault.facts else {}
    return told._asdict() | {"text": told.in_full, "sources": sources} | field


def _next_hand(game: Game) -> dict[str, Any]:
    contract = None if game.finish else game.variant.contract(game.number)
    return {
        "number": game.number,
        "dealer": game.next_dealer,
        "first": game.first,
        "cards": game.dealt,
        "contract": {"sets": contract[0], "runs": contract[1]} if contract else None,
    }


def _player(game: Game, player: Player, balance: int) -> dict[str, Any]:
    return {
        "seat": player.seat,
        "name": player.name,
        "colour": player.face.colour,
        "emoji": player.face.emoji,
        "total": player.total,
        "in": player.playing,
        "left": player.has_left,
        "buy_ins": player.buy_ins,
        "may_buy_in": player.seat in game.offers,
        "buy_in_score": game.offers.get(player.seat),
        "out_since": player.out_since,
        "balance": balance,
    }


def _played(hand: PlayedHand) -> dict[str, Any]:
    return {
        "entry": hand.entry,
        "number": hand.number,
        "dealer": hand.dealer,
        "cards": hand.dealt,
        "winner": hand.winner,
        "ending": hand.ending,
        "void": hand.is_void,
        "reason": hand.reason,
        "note": hand.note,
        "agreed": list(hand.agreed),
        "objected": _by_seat(hand.objected),
        "calls": _by_seat(hand.calls),
        "scores": {str(seat): _score(score, _written(hand.cards(seat))) for seat, score in hand.scores.items()},
    }


def _score(score: Score, cards: str) -> dict[str, Any]:
    return {
        "points": score.points,
        "total": score.total,
        "out": score.out,
        "lines": [line_json(line) for line in score.lines],
        "cards": cards,
    }


def line_json(line: Line) -> dict[str, Any]:
    """A line of points: the cards, what they count, and the rule that counts them."""
    return {"cards": _written(line.cards), "points": line.points, "rule": line.rule}


def _by_seat(values: Mapping[int, Any]) -> dict[str, Any]:
    return {str(seat): value for seat, value in values.items()}


def _log(log: Log, entries: list[Entry]) -> list[dict[str, Any]]:
    """Every entry as recorded, and what later corrections did to it."""
    made = corrections(entries)
    return [
        {
            "entry": each.seq,
            "at": each.at,
            "by": each.actor,
            "event": each.event,
            "undone": each.seq in made.undone_by,
            "amended_by": made.amended_by.get(each.seq),
            "inserted_before": entry.event.belongs_before,
        }
        for each, entry in zip(log.entries, entries, strict=True)
    ]
