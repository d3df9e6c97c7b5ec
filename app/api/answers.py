"""What the JSON interface answers: games, rulings, variants, disputes, each written by one function.

Cards and melds are in canonical notation, amounts in minor units; seats are names of objects and therefore texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from app.games.recording import RecordedGame
from app.history.verdicts import order_words
from app.kalooki.cards import BadInput, write
from app.kalooki.decided_by import JudgedClaim
from app.kalooki.faults import Fault
from app.kalooki.game.corrections import Entry, corrections
from app.kalooki.game.events import Join
from app.kalooki.game.play import Game
from app.kalooki.game.state import PlayedHand, Player
from app.kalooki.points import ScoreItem
from app.kalooki.referee.melds import legal_in
from app.kalooki.referee.turn import Step
from app.kalooki.rules.answers import Answer, Reply
from app.kalooki.rules.find import MOST_FOUND
from app.kalooki.rules.rulebook import Explained, explain, rules_of
from app.kalooki.rules.wording import value_words
from app.kalooki.solver.solve import Laydown
from app.kalooki.variants import (
    JudgedRules,
    Meaning,
    Variant,
    differing_values,
    house_keys,
    house_range,
    meanings,
)

Json = dict[str, Any]

_write = lru_cache(maxsize=16384)(write)  # every state contains all hands again


def state_json(record: RecordedGame) -> Json:
    """Return everything that the table of a game may know."""
    game = record.game
    values = {key: value for key, value in game.base.plain.items() if key in game.variant.house}
    return {
        "code": record.code,
        "seen": record.seen,
        "zone": record.zone,
        "variant": game.variant.id,
        "rules": game.variant.plain,
        "house": sorted(game.variant.house),
        "differs": [*values],
        "book": values,
        "stakes": game.stakes,
        "settle": game.settle,
        "place": game.place,
        "day": record.day,
        "note": game.note,
        "status": game.status,
        "pool": game.pool,
        "order": game.order,
        "winners": game.winners,
        "shares": _by_seat(game.shares),
        "hand": _next_hand_json(game),
        "players": [_player_json(player, game) for player in game.players.values()],
        "hands": [_hand_json(hand) for hand in game.hands],
        "money": [posting._asdict() for posting in game.postings],
        "settlement": [{"from": each.payer, "to": each.to, "amount": each.amount} for each in game.payments],
        "faults": [fault_json(fault, game.variant, entry) for entry, fault in game.faults],
        "pending": [_pending_json(entry) for entry in game.pending],
        "carried": game.carried.plain if game.carried else None,
        "log": _log_json(record),
    }


def _by_seat(values: Mapping[int, Any]) -> Json:
    return {str(seat): value for seat, value in values.items()}


def contract_json(contract: tuple[int, int] | None) -> Json | None:
    """Return how many sets and runs a hand asks for, None if it has no contract."""
    return {"sets": contract[0], "runs": contract[1]} if contract else None


def _next_hand_json(game: Game) -> Json:
    contract = None if game.finish else game.variant.contract(game.number)
    return {
        "number": game.number,
        "dealer": game.next_dealer,
        "first": game.first,
        "cards": game.dealt,
        "contract": contract_json(contract),
    }


def _player_json(player: Player, game: Game) -> Json:
    return {
        "seat": player.seat,
        "name": player.name,
        "colour": player.avatar.colour,
        "emoji": player.avatar.emoji,
        "total": player.total,
        "in": player.playing,
        "left": player.has_left,
        "out_since": player.out_since,
        "buy_ins": player.buy_ins,
        "may_buy_in": player.seat in game.offers,
        "buy_in_score": game.offers.get(player.seat),
        "balance": game.balances[player.seat],
    }


def _hand_json(hand: PlayedHand) -> Json:
    scores = {
        str(seat): {
            "points": score.points,
            "total": score.total,
            "out": score.out,
            "cards": _write(hand.cards(seat)),
            "lines": [_item_json(item) for item in score.items],
        }
        for seat, score in hand.scores.items()
    }
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
        "calls": _by_seat(hand.calls),
        "absent": list(hand.absent),
        "scores": scores,
    }


def _item_json(item: ScoreItem) -> Json:
    return {"points": item.points, "rule": item.rule, "cards": _write(item.cards)}


def _pending_json(entry: Entry) -> Json:
    """Return an entry that waits for the hand in play, with its cost; a player who joins has no seat yet."""
    number, event = entry
    who = {"name": event.name} if isinstance(event, Join) else {"seat": getattr(event, "seat", None)}
    cost = {name: getattr(event, name, 0) for name in ("points", "amount")}
    return {"entry": number, "kind": event.kind} | who | cost


def _log_json(record: RecordedGame) -> list[Json]:
    changes = corrections(record.entries)
    return [
        {
            "entry": stored.seq,
            "at": stored.at,
            "by": stored.actor,
            "event": stored.event,
            "undone": stored.seq in changes.undone_by,
            "amended_by": changes.amended_by.get(stored.seq),
            "inserted_before": entry.event.belongs_before,
        }
        for stored, entry in zip(record.log.entries, record.entries, strict=True)
    ]


def _rule_json(rule: Explained) -> Json:
    sources = [source._asdict() for source in rule.sources]
    return {"rule": rule.rule, "title": rule.title, "text": rule.in_full, "standing": rule.standing, "sources": sources}


def fault_json(fault: Fault, variant: Variant, entry: int | None = None) -> Json:
    """Return a broken rule of a variant in words; with `entry`, the recorded entry that breaks it.

    A fault may be about a field, a step of a turn (null: before the turn), or a meld on the table.
    """
    broken = explain(fault, variant)
    where = {name: fault.facts[name] for name in ("field", "step", "on") if name in fault.facts}
    words = _rule_json(broken) | {"cards": broken.cards, "house_rule": broken.house_rule, "note": broken.note}
    return words | where | ({"entry": entry} if entry else {})


def contradiction_json(fault: BadInput) -> Json:
    """Return house rules that cannot be played together."""
    return {"keys": list(fault.keys), "message": fault.say_alone()}


def ruling_json(check: str, judged: JudgedClaim) -> Json:
    """Return the ruling on a claim: the fields that all checks share, and those of `check`."""
    verdict = judged.verdict
    ask = verdict.ask and {"question": verdict.ask.text, "choices": verdict.ask.choices}
    return {
        "ok": verdict.ok,
        "rules": verdict.rules,
        "decided_by": [rule._asdict() for rule in judged.decided_by],
        "faults": [fault_json(fault, judged.variant) for fault in verdict.faults],
        "warnings": [*judged.warnings, *(f"Legal {order}." for order in [order_words(judged)] if order)],
        "ask": ask,
    } | _MORE[check](judged, verdict)


def _readings_json(judged: JudgedClaim) -> list[Json]:
    return [{"cards": str(each.meld), "kind": each.meld.kind, "points": each.points} for each in judged.readings]


def _meld_ruling(judged: JudgedClaim, _: Any) -> Json:
    return {"readings": _readings_json(judged), "legal_in": legal_in(judged.claim.cards)}  # type: ignore[union-attr]


def _opening_ruling(judged: JudgedClaim, verdict: Any) -> Json:
    contract = contract_json(verdict.contract)
    return {
        "readings": _readings_json(judged),
        "points": verdict.points,
        "needed": verdict.needed,
        "contract": contract,
    }


def _build_ruling(_: JudgedClaim, verdict: Any) -> Json:
    return {"result": None if verdict.result is None else str(verdict.result), "closed": verdict.closed}


def _joker_ruling(judged: JudgedClaim, verdict: Any) -> Json:
    return _build_ruling(judged, verdict) | {"released": verdict.released}


def _turn_ruling(judged: JudgedClaim, verdict: Any) -> Json:
    table = [{"cards": write(each.cards), "owner": each.owner} for each in verdict.table]
    return {"ending": verdict.ending, "why": judged.why, "hand": write(verdict.hand), "table": table}


def _count_ruling(_: JudgedClaim, verdict: Any) -> Json:
    return {"points": verdict.points, "lines": [_item_json(item) for item in verdict.items]}


def _laydown_ruling(_: JudgedClaim, verdict: Any) -> Json:
    laydown: Laydown = verdict.laydown
    return {
        "possible": laydown.possible,  # None: undecided within the steps that the search may take
        "melds": [str(meld) for meld in laydown.melds],
        "builds": [{"on": each.on, "cards": write(each.cards), "end": each.end} for each in laydown.builds],
        "released": [{"on": each.on, "give": write(each.give)} for each in laydown.releases],
        "left": write(laydown.left),
        "points_left": laydown.points_left,
        "discard": str(laydown.discard) if laydown.discard else None,
        "steps": [_step_json(step) for step in laydown.steps],
    }


_CARDS_OF = {"free_joker": "give", "discard": "card"}


def _step_json(step: Step) -> Json:
    """Return a step in the form that the check of a turn takes."""
    raw: Json = {"do": step.do, _CARDS_OF.get(step.do, "cards"): write(step.cards)}
    raw |= {"on": step.on} if step.do in ("build", "free_joker") else {}
    return raw | ({"end": step.end} if step.do == "build" else {})


_MORE = {
    "meld": _meld_ruling,
    "opening": _opening_ruling,
    "build": _build_ruling,
    "joker": _joker_ruling,
    "turn": _turn_ruling,
    "out": _turn_ruling,
    "count": _count_ruling,
    "deck": lambda *_: {},
    "solve": _laydown_ruling,
}
"""What each check adds to a ruling."""


def variant_in_short(variant: Variant) -> Json:
    """Return what a menu says of a variant."""
    return {"id": variant.id, "source": variant.source, "name": variant.name, "summary": variant.summary}


def variant_json(variant: Variant) -> Json:
    """Return every value of a variant with its meaning, and the rules that apply, in reading order."""
    rules = [_rule_json(rule) for chapter in rules_of(variant) for rule in chapter.rules]
    return variant_in_short(variant) | {"values": _values_json(variant), "rules": rules}


def _values_json(variant: Variant) -> Json:
    return {
        key: _meaning_json(meaning)
        | _value_json(variant, key)
        | {"house": house_range(variant, key), "depends": meaning.depends}
        for key, meaning in meanings().items()
    }


def _meaning_json(meaning: Meaning) -> Json:
    return {"label": meaning.label, "unit": meaning.unit, "rule": meaning.rule}


def _value_json(variant: Variant, key: str) -> Json:
    return {"value": variant.plain[key], "words": value_words(variant, key), "stated": key in variant.stated}


def judged_rules_json(judged: JudgedRules) -> Json:
    """Return what is wrong or odd with house rules, what they change, and every value.

    If the house rules cannot be played, the values are the variant's own.
    """
    return {
        "ok": not judged.faults,
        "faults": [contradiction_json(fault) for fault in judged.faults],
        "warnings": [explain(odd, judged.table).text for odd in judged.warnings],
        "differs": house_keys(judged.table),
        "values": _values_json(judged.table),
    }


def comparison_json(a: Variant, b: Variant) -> Json:
    """Return the values that two variants play differently, each with what both play, as a value and in words."""
    values = {
        key: _meaning_json(meanings()[key]) | {"a": _value_json(a, key), "b": _value_json(b, key)}
        for key in differing_values(a, b)
    }
    return {"a": a.id, "b": b.id, "values": values}


def answer_json(answer: Answer) -> Json:
    """Return the answer to a dispute, an irregularity or a question about a rule.

    `ruling` is one sentence, with the exception that would turn it; `rules` are those that decide, of which the weakest
    gives the standing; `beside` those behind what else is said. `more` repeats `why` for clients of 0.3.
    """
    why = f"{answer.more} {answer.note}".strip()
    common = {
        "kind": answer.kind,
        "id": answer.slug,
        "group": answer.group,
        "title": answer.title,
        "ruling": answer.ruling,
        "why": why,
        "more": why,
        "standing": answer.standing,
        "sources": [source._asdict() for source in answer.sources],
        "rules": [rule.rule for rule in answer.rules],
        "beside": [rule.rule for rule in answer.beside],
    }
    if answer.kind == "rule":
        return common
    cases = [{"when": each.when, "ruling": each.ruling, "remedy": each.remedy} for each in answer.cases if each.when]
    return common | {"remedy": answer.remedy, "cases": cases}


def reply_json(reply: Reply) -> Json:
    """Return the answers to a question; if it is not certain which is meant, also a question in return."""
    doubt = {} if reply.sure else {"sure": False}
    answers: Sequence[Answer] = reply.one_by_one[:MOST_FOUND]
    response: Json = {"results": [answer_json(each) | doubt for each in answers]}
    if reply.choices:
        response["ask"] = {
            "question": "Which of these?" if reply.answers else "Nothing here answers that. What comes nearest:",
            "choices": [{"text": each.title, "q": each.title} for each in reply.choices],
        }
    return response | ({"variant": reply.named.id} if reply.named else {})
