"""Replaying a log: entries record facts, and the state of a game is computed from them each time."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.kalooki import variants
from app.kalooki.cards import BadInput
from app.kalooki.faults import Fault
from app.kalooki.game import events
from app.kalooki.game.apply import (
    apply_entry,
    count_pending,
    hand_warnings,
    new_hand_faults,
    player_count_warnings,
    timing_faults,
)
from app.kalooki.game.corrections import (
    Effective,
    Entry,
    correction_faults,
    effective,
    effective_entries,
    has_bad_target,
    seat_joiners,
)
from app.kalooki.game.events import UNCHANGED, Amend, Event, Hand, Setup, Start, Stop, Void, from_json
from app.kalooki.game.finish import close_offers, share_pool
from app.kalooki.game.state import EntryFault, Game, LapsedHand, Player
from app.kalooki.money import CARRIED, balances
from app.kalooki.people import find_doubled, find_namesakes
from app.kalooki.readers import CURRENCY, Carried, Stakes
from app.kalooki.variants import STAKES, Variant, with_house_rules

__all__ = ["Entry", "Game"]
"""The names that other modules import from here, besides those defined here."""

MOST_ENTRIES = 1_000
"""The most entries of one game, including corrections; an evening of a hundred hands needs less than a quarter."""

UNIT = 10
"""The suggested unit of stakes, in minor units: a call-up costs ten cents."""


def play(log: Sequence[Entry]) -> Game:
    """Return the game that follows from a log, whose first entry must be a Start.

    An entry that is impossible after the entries before it is left out and reported in `Game.faults`. Raises BadInput
    if the Start names an unknown variant or has values out of range.
    """
    start, counted = _start_and_rest(log)
    return _fold(start, counted, seat_joiners(log, len(start.players)))


def play_on(game: Game, log: Sequence[Entry], known: int) -> Game:
    """Return the game that follows from a log, given the `game` after its first `known` entries, which is not changed.

    Only the newer entries are applied, unless they change earlier entries, entries are pending, or the game was over,
    so that its pool is already shared; then the whole log is replayed.
    """
    newer, (start, counted) = log[known:], _start_and_rest(log)
    changes_earlier = game.pending or any(isinstance(event, Setup) for _, event in newer)
    if game.finish or changes_earlier or counted.entries != [*effective_entries(log[1:known]), *newer]:
        return play(log)
    continued = game.copy()
    continued.joiners = seat_joiners(log, len(start.players))
    return _apply_entries(continued, newer)


def _fold(start: Start, counted: Effective, joiners: dict[int, int]) -> Game:
    """Return the game after applying the effective entries to the corrected start."""
    setups = [entry for entry in counted.entries if isinstance(entry.event, Setup)]
    game = _begin(_apply_setups(start, setups), setups)
    game.joiners, game.counts_with = joiners, counted.counts_with
    return _apply_entries(game, counted.entries)


def _apply_entries(game: Game, entries: Iterable[Entry]) -> Game:
    """Apply entries and share the pool; report those that cannot be applied, hands with the number they would have."""
    for number, event in entries:
        faults = apply_entry(game, number, event)
        game.faults += [EntryFault(number, fault) for fault in faults]
        if faults and isinstance(event, (Hand, Void)):
            hands_before = sum(not lapsed.is_void for lapsed in game.lapsed_hands.values())
            played = {event.winner, *event.left} if isinstance(event, Hand) else set()
            open_before = game.lapsed | dict.fromkeys(game.offers, number)
            absent = {seat: entry for seat, entry in open_before.items() if seat in played}
            game.lapsed_hands[number] = LapsedHand(game.number + hands_before, isinstance(event, Void), absent)
    share_pool(game)
    return game


def game_before(log: Sequence[Entry], number: int) -> Game | None:
    """Return the game just before entry `number`, with all corrections applied; None if that entry does not count.

    Later corrections of the start apply as well.
    """
    start, (entries, counts_with) = _start_and_rest(log)
    place = next((i for i, entry in enumerate(entries) if entry.number == number), None)
    if place is None:
        return None
    setups = [entry for entry in entries[place:] if isinstance(entry.event, Setup)]
    until_then = Effective([*entries[:place], *setups], counts_with)
    return _fold(start, until_then, seat_joiners(log, len(start.players)))


def _start_and_rest(log: Sequence[Entry]) -> tuple[Start, Effective]:
    (_, start), *entries = log
    if not isinstance(start, Start):
        raise BadInput("A game begins with its start, not with “{word}”.", "entries", start.kind)
    return start, effective(entries)


def corrected_start(log: Sequence[Entry]) -> Start:
    """Return the start of a game with all corrections of it applied."""
    start, counted = _start_and_rest(log)
    return _apply_setups(start, counted.entries)


def _apply_setups(start: Start, entries: Iterable[Entry]) -> Start:
    for _, setup in entries:
        if isinstance(setup, Setup):
            named: dict[str, Any] = {name: getattr(setup, name) for name in ("dealer", "settle", "place", "note")}
            changes = {name: value for name, value in named.items() if value is not None}
            if setup.stakes != UNCHANGED:
                stakes: Any = setup.stakes
                changes["stakes"] = None if stakes is None else {**(start.stakes or {}), **stakes}
            start = replace(start, house={**start.house, **setup.house}, **changes)
    return start


def from_record(record: Sequence[object]) -> list[Entry]:
    """Return the log read from a list of events in JSON, of which the first and no other is a Start.

    Raises BadInput naming the unreadable field by its path in an exported game, such as `log.1.event.players`.
    """
    if len(record) > MOST_ENTRIES:
        facts = {"most": MOST_ENTRIES, "count": len(record)}
        raise BadInput("A game holds {most} entries at most; this log has {count}.", "log", "", **facts)
    log = [Entry(number, from_json(raw, f"log.{number}.event")) for number, raw in enumerate(record, 1)]
    for number, event in log:
        if isinstance(event, Start) != (number == 1) or has_bad_target(number, event):
            raise BadInput("Entry {number} cannot be “{word}”.", f"log.{number}.event", event.kind, number=number)
    return log


def judge(log: Sequence[Entry], event: Event, so_far: Game | None = None) -> tuple[Game, list[Fault]]:
    """Return the game after one more event, and the faults for which the event is refused.

    `so_far`, if given, is the game before the event. A game accepts entries up to `MOST_ENTRIES`, though one from an
    earlier release may already have more. A correction that makes later entries impossible is not refused; their faults
    are in `Game.faults`.
    """
    number = len(log) + 1
    full = [Fault("game-full", facts={"most": MOST_ENTRIES})] if number > MOST_ENTRIES else []
    so_far = so_far or play(log)
    checks = (_missing_pool_choice, _changed_decimals, _timing_faults)
    faults = (
        full or [*correction_faults(log, event)] or [each for check in checks for each in check(log, event, so_far)]
    )
    if faults:
        return so_far, faults
    game = play_on(so_far, [*log, Entry(number, event)], len(log))
    place = event.position(number)
    refused = [noted.fault for noted in game.faults if noted.entry == place]
    if isinstance(event.inner, Hand):
        refused += [fault for fault in new_hand_faults(game, place, event.inner) if fault not in refused]
    return game, refused or [*_same_name_faults(event, count_pending(so_far), count_pending(game))]


def _same_name_faults(event: Event, so_far: Game, game: Game) -> Iterator[Fault]:
    """Yield a fault for each pair of players who would have the same name after an entry, which may undo a rename."""
    field = _field(event, "name") if hasattr(event.inner, "name") else "target"
    for pair in sorted(map(sorted, find_namesakes(game.names) - find_namesakes(so_far.names))):
        yield Fault("name-taken", facts={"field": field, "taken": game.name(max(pair))})


def _missing_pool_choice(log: Sequence[Entry], event: Event, so_far: Game) -> Iterator[Fault]:
    """Yield a fault if a new stop does not say what becomes of the money in the pool; recorded stops stay valid."""
    stop = event.inner
    if not isinstance(stop, Stop) or stop.pool:
        return
    game = game_before(log, event.target) if isinstance(event, Amend) else count_pending(so_far)
    if game and game.pool:
        yield Fault("pool-unsaid", facts={"field": _field(event, "pool")})


def _timing_faults(log: Sequence[Entry], event: Event, so_far: Game) -> Iterator[Fault]:
    """Yield why an event cannot be recorded during a hand, or has to be marked as recorded during it (`after_hand`)."""
    if isinstance(event.inner, (Hand, Void)):
        return
    game: Game | None = so_far
    if isinstance(event, Amend):  # if the target counts already, replaying the log finds the faults
        game = game_before(log, event.target) if event.target not in so_far.counts_with else None
    for fault in timing_faults(game, event.inner) if game else ():
        yield fault.with_facts(field=_field(event, str(fault.facts["field"])))


def _field(event: Event, name: str) -> str:
    """Return the path of a field in the JSON of an event, which may be inside a correction."""
    return f"event.{name}" if isinstance(event, Amend) else name


def _changed_decimals(log: Sequence[Entry], event: Event, so_far: Game) -> Iterator[Fault]:
    """Yield a fault if a setup changes the decimals once there are amounts: 250 yen must not become 2.50."""
    setup = event.inner
    if not isinstance(setup, Setup) or not isinstance(setup.stakes, Mapping):
        return
    agreed = [earlier.stakes for _, earlier in [*log, *effective_entries(log)] if isinstance(earlier, (Start, Setup))]
    counted = ChainMap(*(stakes for stakes in reversed(agreed) if isinstance(stakes, dict))).get("decimals", 2)
    has_amounts = any((so_far.stakes or {}).get(name) for name in STAKES)
    has_amounts = has_amounts or any(getattr(earlier, "amount", 0) for _, earlier in effective_entries(log))
    if has_amounts and setup.stakes.get("decimals", counted if so_far.stakes else 2) != counted:
        yield Fault("counted-otherwise", facts={"field": _field(event, "stakes"), "decimals": counted})


def opening_entry(start: Start) -> tuple[Start, Game, list[Fault]]:
    """Return the Start as it will be recorded, the game it begins, and the faults for which it is refused.

    The recorded Start has the variant's values of today and all stakes. Values of the variant in the given Start are
    ignored: only logs keep those of an earlier day.
    """
    start = replace(start, rules={}, texts={})
    base = variants.load(start.variant)
    game = play([Entry(1, start)])
    recorded = replace(start, rules=base.plain, texts=variants.texts_to_store(base), stakes=game.stakes)
    faults = [noted.fault for noted in game.faults]
    doubled = find_doubled(start.players)
    if doubled and all(fault.rule != "name-taken" for fault in faults):
        faults.append(_duplicate_name_fault(doubled))
    if start.carried and start.carried.balances is not None and not game.stakes:
        faults.append(Fault("no-money", facts={"field": "carried.balances"}))
    return recorded, game, faults


IGNORED_BEFORE = frozenset({"kalooki_points", "joker_from_set"})
"""Values that tables with contracts could not change before release 0.3; games from then keep their scores."""


def recorded_variant(start: Start) -> Variant:
    """Return the variant with the values it had when the game began, without house rules."""
    if start.texts and start.variant not in variants.packaged():
        return variants.restore_variant(start.variant, start.texts, variants.thaw(start.rules))
    today = variants.load(start.variant)
    if start.rules and today.contracts and "melds_a_turn" not in start.rules:
        today = replace(today, unused=today.unused | IGNORED_BEFORE)
    changed = {key: value for key, value in start.rules.items() if key not in today.plain or value != today.plain[key]}
    return replace(today, **variants.thaw(changed)) if changed else today  # type: ignore[arg-type]


def _begin(start: Start, setups: Sequence[Entry]) -> Game:
    """Return the game before the first deal, with faults and warnings about its start.

    A fault is reported for the entry that caused it, which may be a correction of the start.
    """
    base = recorded_variant(start)
    variant, ignored = with_house_rules(base, start.house)
    players = {
        seat: Player(seat, name, events.default_avatar(seat)._replace(**start.avatars.get(seat, {})))
        for seat, name in enumerate(start.players, 1)
    }
    game = Game(
        variant=variant,
        base=base,
        players=players,
        order=list(players),
        dealer=start.dealer if start.dealer in players else 1,
        stakes=_stakes(start, variant),
        settle=start.settle,
        zone=start.zone,
        region=start.region,
        place=start.place,
        note=start.note,
        day=next((event.day for _, event in reversed(setups) if isinstance(event, Setup) and event.day), ""),
        carried=start.carried,
    )
    game.faults += [EntryFault(_entry_of_start_fault(fault, setups), fault) for fault in _start_faults(start, variant)]
    last = setups[-1].number if setups else 1
    game.warnings += [EntryFault(last, fault) for fault in _start_warnings(start, variant, ignored)]
    if start.carried:
        carry_over(game, start.carried)
    elif game.stakes:
        game.post(1, "initial-stake", dict.fromkeys(players, -game.stakes["initial"]))
    return game


def carried_faults(start: Start, variant: Variant) -> Iterator[Fault]:
    """Yield why a game cannot continue from what was played on paper."""
    carried, players = start.carried, len(start.players)
    if not carried:
        return
    for name, column in zip(carried._fields[1:], carried[1:], strict=True):
        if column is not None and len(column) != players:
            yield Fault("carried-length", facts={"field": f"carried.{name}", "count": players})
    last = min(variant.game_hands or carried.hands + 1, len(variant.contracts) or carried.hands + 1)
    if carried.hands >= last:
        yield Fault("carried-to-the-end", facts={"field": "carried.hands", "hands": last})
    if variant.scoring == "winner_collects" and any(map(variant.reaches, carried.totals)):
        yield Fault("carried-target", facts={"field": "carried.totals", "limit": variant.limit})
    elif sum(not variant.is_out(total) for total in carried.totals) < 2 <= len(carried.totals):
        yield Fault("carried-too-few", facts={"field": "carried.totals"})
    allowed = variant.buy_ins if variant.buys_in else 0
    if max(carried.buy_ins or (), default=0) > allowed:
        yield Fault("carried-buy-ins", facts={"field": "carried.buy_ins", "most": allowed})
    if sum(carried.balances or ()) > 0:
        yield Fault("carried-balances", facts={"field": "carried.balances"})


def carry_over(game: Game, carried: Carried) -> None:
    """Set the new game to the state on paper; players already out are offered no buy-in."""
    game.number += carried.hands
    used = dict(zip(game.players, carried.buy_ins or (0,) * len(game.players), strict=False))
    for player, total in zip(game.players.values(), carried.totals, strict=False):
        player.total = total
        player.buy_ins = used.get(player.seat, 0)
        game.note_change(1, player, CARRIED)
        if game.variant.is_out(total):
            player.playing, player.out_since = False, 1
    close_offers(game)
    if not game.stakes:
        return
    if carried.balances is not None:
        game.post(1, CARRIED, dict(zip(game.players, carried.balances, strict=False)))
        return
    game.post(1, "initial-stake", dict.fromkeys(game.players, -game.stakes["initial"]))
    game.post(1, "buy-in", {seat: -bought * game.stakes["buy_in"] for seat, bought in used.items()})


def _entry_of_start_fault(fault: Fault, setups: Sequence[Entry]) -> int:
    """Return the entry that made the start impossible: the last to set the dealer or house rules, or entry 1."""
    named = "dealer" if fault.facts["field"] == "dealer" else "house"
    return next((number for number, event in reversed(setups) if getattr(event, named)), 1)


def _stakes(start: Start, variant: Variant) -> Stakes | None:
    """Return all stakes in minor units, by default as the variant suggests; None for a game without money."""
    if start.stakes is None or not variant.has_stakes:
        return None
    units: Mapping[str, int] = {name: getattr(variant, f"stake_{name}") for name in STAKES}
    amounts = {name: start.stakes.get(name, unit * UNIT) if unit else 0 for name, unit in units.items()}
    counted_in = {"currency": CURRENCY} | {key: value for key, value in start.stakes.items() if key not in STAKES}
    return counted_in | amounts


def _start_faults(start: Start, variant: Variant) -> list[Fault]:
    names = [name.casefold() for name in start.players]
    most_seat = max(start.avatars, default=0)
    doubled = sorted({name for name in start.players if names.count(name.casefold()) > 1})
    checks = (
        (len(names) < 2, Fault("fewer-than-two", facts={"field": "players"})),
        (
            len(names) > variant.most_players,
            Fault("too-many-players", facts={"field": "players", "most": variant.most_players}),
        ),
        (bool(doubled), _duplicate_name_fault(doubled)),
        (start.dealer > len(names), Fault("no-such-seat", facts={"field": "dealer", "seat": start.dealer})),
        (most_seat > len(names), Fault("no-such-seat", facts={"field": "faces", "seat": most_seat})),
    )
    return [*(fault for wrong, fault in checks if wrong), *carried_faults(start, variant)]


def _duplicate_name_fault(names: Sequence[str]) -> Fault:
    return Fault("name-taken", facts={"field": "players", "taken": ", ".join(names)})


def _start_warnings(start: Start, variant: Variant, ignored: Sequence[str]) -> Iterator[Fault]:
    yield from player_count_warnings(variant, len(start.players))
    yield from variants.ignored_rules(variant, ignored)
    unknown = [name for name in STAKES if (start.stakes or {}).get(name) and not getattr(variant, f"stake_{name}")]
    if unknown:
        labels = ", ".join(variants.meanings()[f"stake_{name}"].label for name in unknown)
        yield Fault("stakes-ignored", facts={"variant": variant.name, "stakes": labels})


def warnings(game: Game, entry: int) -> list[Fault]:
    """Return the warnings about one entry of a game: what is odd but allowed."""
    noted = [noted.fault for noted in game.warnings if noted.entry == entry]
    if hand := game.hand_at(entry):
        noted += hand_warnings(game, hand)
    if not game.can_be_settled:
        return noted
    for paid in (movement for movement in game.movements if movement.entry == entry and movement.why == "paid"):
        payer = max(paid.amounts, key=paid.amounts.__getitem__)
        balance = balances(each for each in game.movements if each.why != "paid" or each.entry <= entry)[payer]
        beyond = min(balance, paid.amounts[payer])
        if beyond > 0:  # more than the payer owed, whatever was paid later
            noted.append(Fault("more-than-owed", facts={"name": game.name(payer), "units": beyond}))
    return noted
