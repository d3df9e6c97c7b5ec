"""A slow simulator that keeps a game of Kalooki as the rulebook tells it, to be compared with the program.

Nothing is shared with the program and nothing is remembered: every question plays the whole log again.
A log is a list of dicts: first the start as `POST /games` takes it, then the events as
`POST /games/<code>/entries` takes them; an entry's number is its place in the list, from 1.
Where the rulebook leaves a case open the simulator raises `Silent`, and tests do not ask.
"""

from functools import cache

from tests.house_rules import resolved

PIPS = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "10": 10, "J": 10, "Q": 10, "K": 10}

AFTER_THE_END = ["paid", "rename", "setup", "decider", "ruling"]


class Silent(Exception):
    """The rulebook does not say what happens now."""


# Which entries stand, and in what order


def undone(log, number):
    """Whether some undo of this entry stands itself."""
    return any(
        event["kind"] == "undo" and event["target"] == number and not undone(log, place)
        for place, event in enumerate(log[1:], start=2)
    )


def wording(log, number):
    """What an entry says after every standing amendment of it."""
    event = log[number - 1]
    event = event["event"] if event["kind"] == "insert" else event
    for place, later in enumerate(log[1:], start=2):
        if later["kind"] == "amend" and later["target"] == number and not undone(log, place):
            event = later["event"]
    return event


def standing(log):
    """The pairs of entry number and event that count, in the order they are played."""
    order = []
    for place, event in enumerate(log[1:], start=2):
        if event["kind"] in ("undo", "amend"):
            continue
        if event["kind"] == "insert":
            order.insert(order.index(event["before"]), place)
        else:
            order.append(place)
    return [(place, wording(log, place)) for place in order if not undone(log, place)]


# What the table plays


def rules(start, events):
    """The variant's values with the table's own, as corrected by every `setup`."""
    house = dict(start.get("house") or {})
    for _, event in events:
        if event["kind"] == "setup":
            house |= event.get("house") or {}
    return as_simulated(resolved(start["variant"], house)) if house else usual(start["variant"])


@cache
def usual(variant):
    """What a table plays that changes nothing."""
    return as_simulated(resolved(variant, {}))


def as_simulated(plays):
    """The values of a table in the words of this module."""
    court = dict.fromkeys(("10", "J", "Q", "K"), plays["court_left"])
    aces = {"Ared": plays["red_ace_left"], "Ablack": plays["black_ace_left"]}
    share = (plays["pool_others"], plays["pool_others_percent"], plays["pool_others_limit"])
    names = ("call_up", "kalooki", "initial", "buy_in")
    calls = {"free": plays["calls"], "points": plays["call_penalty"]}
    record = {
        "deal": {"hands" if plays["dealt_by"] == "contract" else "players": plays["dealt"]},
        "draws_for_first": plays["plays_first"] == "highest_card",
        "endings": ["going_out", plays["kalooki_ending"]],
        "left": {"*": plays["joker_left"], **aces, **PIPS, **court},
        "colour_scores": plays["red_ace_left"] != plays["black_ace_left"],
        "ends": "one left" if plays["decided_by"] == "knock_out" else "by points",
        "by_the_table": plays["ended_by_table"],
        "hands": plays["game_hands"],
        "contracts": [tuple(contract) for contract in plays["contracts"]] or None,
        "stakes": {name: plays[f"stake_{name}"] for name in names if plays[f"stake_{name}"]},
        "pool": share if plays["pool_others"] != "none" else "winner",
        "calls": calls if any(calls.values()) else None,
        "most_players": most_players(plays),
    }
    unchanged = ("packs", "jokers", "kalooki_points", "kalooki_times", "limit", "out_at", "buy_ins", "buy_in_score")
    return {key: plays[key] for key in (*unchanged, "scoring")} | record


def most_players(plays):
    """As many as every deal of the game allows, also with fewer players still in."""
    cards = 52 * plays["packs"] + plays["jokers"]
    if plays["dealt_by"] == "contract":
        return cards // max(plays["dealt"][: plays["game_hands"]])
    players = 2
    while (players + 1) * plays["dealt"][min(players - 1, len(plays["dealt"]) - 1)] <= cards:
        players += 1
    return players


def stakes(start, events):
    """The price of everything in cents, or None in a game without money."""
    suggested = {name: 10 * units for name, units in rules(start, events)["stakes"].items()}
    agreed = [start.get("stakes", {})]
    agreed += [event["stakes"] for _, event in events if event["kind"] == "setup" and "stakes" in event]
    prices = dict(suggested)
    for change in agreed:
        if change is None:
            prices = None
        elif prices is None:
            raise Silent("which stakes come back after the money was taken away")
        else:
            prices |= {name: change[name] for name in suggested if name in change}
    return prices if suggested else None


def seats_of_joiners(log):
    """The seat of each joiner: the next one free when they were recorded."""
    seats = {}
    for place, event in enumerate(log, start=1):
        if event.get("kind") == "join":
            taken = [seat for join, seat in seats.items() if not undone(log[: place - 1], join)]
            seats[place] = max([len(log[0]["players"]), *taken]) + 1
    given = [seat for join, seat in seats.items() if not undone(log, join)]
    if len(given) > len(set(given)):
        raise Silent("where a joiner sits who was taken back, replaced and brought back")
    return seats


def last_of(start, events, name, usual):
    """A value of the start that every `setup` may replace."""
    value = start.get(name, usual)
    for _, event in events:
        if event["kind"] == "setup" and name in event:
            value = event[name]
    return value


# The game on the table: one dict that events change


def opened(log, events):
    """The table before the first deal, stakes paid."""
    start = log[0]
    seats = list(range(1, len(start["players"]) + 1))
    game = {
        "rules": rules(start, events),
        "stakes": stakes(start, events),
        "seat_of_joiner": seats_of_joiners(log),
        "settle": last_of(start, events, "settle", "account"),
        "order": seats,
        "names": dict(zip(seats, start["players"], strict=True)),
        "totals": dict.fromkeys(seats, 0),
        "in": dict.fromkeys(seats, True),
        "left": {},
        "buy_ins": dict.fromkeys(seats, 0),
        "out_since": dict.fromkeys(seats),
        "offers": {},
        "contributed": dict.fromkeys(seats, True),
        "dealer": last_of(start, events, "dealer", 1),
        "deal_from": None,
        "first": None,
        "played": 0,
        "hands": [],
        "money": [],
        "over": None,
        "tied": [],
        "decided": None,
        "faults": [],
    }
    for seat in seats:
        pay_into_pool(game, 1, seat, "initial")
    return game


WHY = {"initial": "initial-stake", "buy_in": "buy-in", "call_up": "call-up", "kalooki": "kalooki"}


def pay_into_pool(game, entry, seat, stake):
    """A stake goes from a player into the pool."""
    if game["stakes"] is not None:
        game["money"].append((entry, seat, -game["stakes"].get(stake, 0), WHY[stake]))


def still_in(game):
    """The seats that are dealt in, in order of play."""
    return [seat for seat in game["order"] if game["in"][seat]]


def counting_from(order, seat):
    """The seats clockwise, this one first."""
    place = order.index(seat)
    return order[place:] + order[:place]


def after(game, seat):
    """The next seat clockwise that is still in; the same seat when it is the only one."""
    circle = counting_from(game["order"], seat)
    return next(other for other in [*circle[1:], seat] if game["in"][other])


def beyond(game, total):
    """Whether a total is out of the game; a target of points puts nobody out."""
    record = game["rules"]
    if record["limit"] is None or record["scoring"] == "winner_collects":
        return False
    return total > record["limit"] if record["out_at"] == "over_limit" else total >= record["limit"]


def knock_out(game, entry, seats):
    """Players who went beyond the limit together are out; those who may, are offered a buy-in."""
    for seat in seats:
        game["in"][seat] = False
        game["out_since"][seat] = entry
    if len(still_in(game)) < 2:
        return
    level = max(game["totals"][seat] for seat in still_in(game))
    if game["rules"]["buy_in_score"] == "highest_plus_one":
        level += 1
    for seat in seats:
        if game["buy_ins"][seat] < game["rules"]["buy_ins"] and not beyond(game, level):
            game["offers"][seat] = level


def settle_the_deal(game):
    """Pass the deal on from a dealer who is out, and fix it once no offer is open; who is out does not play first."""
    if game["dealer"] is not None and not game["in"][game["dealer"]]:
        game["deal_from"] = ("them or after", game["dealer"])
        game["dealer"] = None
    if game["dealer"] is None and not game["offers"]:
        fix_the_deal(game)
    if game["first"] in game["offers"]:
        raise Silent("whether they still play first once they buy back in")
    if game["first"] is not None and not game["in"][game["first"]]:
        game["first"] = None


def fix_the_deal(game):
    """Whose deal it is among the players in now."""
    how, seat = game["deal_from"]
    game["dealer"] = seat if how == "them or after" and game["in"][seat] else after(game, seat)


# What may not be recorded: each answers with a reason, or None when it may


def hand_refused(game, event):
    players = still_in(game)
    if len(players) < 2:
        return "nobody to play against"
    if event["winner"] not in players:
        return "the winner is not in the game"
    if event["ending"] not in game["rules"]["endings"]:
        return "an ending this variant does not have"
    if any(left in ("", {"points": 0}) for left in event["left"].values()):
        return "a loser with nothing left"
    return not_dealt_in_refused(players, event) or beyond_the_pack(game, event)


def not_dealt_in_refused(players, event):
    absent = event.get("absent", [])
    if sorted([event["winner"], *map(int, event["left"]), *absent]) != sorted(players):
        return "everybody still in has won, has cards left or was not dealt in"
    if not event["left"]:
        return "fewer than two dealt in"
    if any(int(seat) in absent for seat in event.get("calls") or {}):
        return "a call by somebody who was not dealt in"
    return None


def shown(event):
    """The cards of each loser who showed them."""
    return [left for left in event["left"].values() if isinstance(left, str)]


def beyond_the_pack(game, event):
    """One of each card a pack, four of each rank, so many jokers, over all the hands together."""
    packs = game["rules"]["packs"]
    cards = [card for left in shown(event) for card in left.split()]
    for card in cards:
        if card == "A" and game["rules"]["colour_scores"]:
            return "an ace of unknown colour"
        if card == "*" and cards.count("*") > game["rules"]["jokers"]:
            return "too many jokers"
        if card in ("Ared", "Ablack") and sum(colour(other) == card for other in cards) > 2 * packs:
            return "too many aces of a colour"
        if card[-1] in "HDSC" and cards.count(card) > packs:
            return "a copy too many"
        if sum(rank(other) == rank(card) for other in cards) > 4 * packs and card != "*":
            return "too many of a rank"
    return None


def void_refused(game, _event):
    if game["offers"]:
        raise Silent("whether a void hand lapses an offer")
    return None if len(still_in(game)) > 1 else "nobody to play against"


def offer_refused(game, event):
    return None if event["seat"] in game["offers"] else "no offer is open"


def penalty_refused(game, event):
    if event.get("amount") and game["stakes"] is None:
        return "an amount in a game without money"
    if event["seat"] not in game["totals"]:
        return "nobody sits there"
    if not game["in"][event["seat"]]:
        raise Silent("a penalty for a player who is out")
    return None


def ruling_refused(game, event):
    if event.get("upheld") is False or not (event.get("points") or event.get("amount")):
        return None
    if game["over"]:
        raise Silent("a ruling's penalty after the end")
    return penalty_refused(game, event)


def leave_refused(game, event):
    if event["seat"] not in game["totals"]:
        return "nobody sits there"
    if not game["in"][event["seat"]]:
        raise Silent("a player goes home who is out already")
    return None


def join_refused(game, event):
    limit = game["rules"]["limit"]
    if limit is not None and event["points"] == limit and game["rules"]["out_at"] == "over_limit":
        raise Silent("whether the limit itself is refused where only more is out")
    if limit is not None and event["points"] >= limit:
        return "at or over the limit"
    if event["name"] in game["names"].values():
        return "the name is taken"
    if event.get("after") is not None and event["after"] not in game["order"]:
        return "nobody sits there"
    might_play = {*still_in(game), *game["offers"]}
    return None if len(might_play) < game["rules"]["most_players"] else "too many players"


def first_refused(game, event):
    if not game["rules"]["draws_for_first"]:
        return "nobody draws for the first turn here"
    if game["offers"]:
        raise Silent("whether one draws for the first turn while an offer is open")
    return None if game["in"].get(event["seat"]) else "not in the game"


def end_refused(game, _event):
    record = game["rules"]
    if not game["hands"] or game["offers"]:
        raise Silent("whether a game ends before its first hand, or with an offer open")
    if record["by_the_table"]:
        return None
    if record["ends"] == "one left" and record["limit"] is None and record["hands"] is not None:
        raise Silent("whether the table ends a game of so many hands")
    return None if record["limit"] is None and record["hands"] is None else "the game ends by itself"


def paid_refused(game, event):
    if game["stakes"] is None or game["settle"] == "cash":
        return "no account is kept"
    known = event["from"] in game["totals"] and event["to"] in game["totals"]
    return None if known and event["from"] != event["to"] else "nobody sits there"


def rename_refused(game, event):
    if event["seat"] not in game["names"]:
        return "nobody sits there"
    others = [name for seat, name in game["names"].items() if seat != event["seat"]]
    return "the name is taken" if event["name"] in others else None


def decider_refused(game, event):
    if not game["over"] or game["decided"]:
        return "nothing to decide"
    if game["over"]["how"] == "leader":
        raise Silent("whether a deciding hand follows a game that was stopped")
    return None if len(game["tied"]) > 1 and event["winner"] in game["tied"] else "that player is not tied"


def never_refused(_game, _event):
    return None


REFUSED = {
    "hand": hand_refused,
    "void": void_refused,
    "buy_in": offer_refused,
    "decline": offer_refused,
    "penalty": penalty_refused,
    "ruling": ruling_refused,
    "leave": leave_refused,
    "join": join_refused,
    "first": first_refused,
    "end": end_refused,
    "stop": never_refused,
    "paid": paid_refused,
    "rename": rename_refused,
    "setup": never_refused,
    "decider": decider_refused,
}


def refused(game, event):
    """Why an event may not be recorded now, or None."""
    if game["over"] and event["kind"] not in AFTER_THE_END:
        return "the game is over"
    return REFUSED[event["kind"]](game, event)


# What happens


def rank(card):
    """`10` of `10H`, `A` of `Ared`, the joker itself."""
    if card in ("Ared", "Ablack"):
        return "A"
    return card[:-1] if card[-1] in "HDSC" else card


def colour(card):
    """How an ace's colour is written, None for any other card and for an ace of unknown colour."""
    if card in ("Ared", "Ablack"):
        return card
    return {"AH": "Ared", "AD": "Ared", "AS": "Ablack", "AC": "Ablack"}.get(card)


def points_left(game, left):
    """What the cards left in a hand count, whether they were shown or only summed up."""
    if isinstance(left, dict):
        return left["points"]
    values = game["rules"]["left"]
    return sum(values[colour(card) or "Ared"] if rank(card) == "A" else values[rank(card)] for card in left.split())


def hand_happens(game, entry, event):
    """Scores, payments, who is out, whose deal is next."""
    game["offers"] = {}
    if game["dealer"] is None:
        fix_the_deal(game)
    winner = event["winner"]
    players = [seat for seat in still_in(game) if seat == winner or str(seat) in event["left"]]
    absent = [seat for seat in sorted(still_in(game)) if seat not in players]
    fined = call_penalties(game, event)
    points = {
        seat: loser_points(game, event, event["left"][str(seat)]) + fined.get(seat, 0)
        for seat in players
        if seat != winner
    }
    points[winner] = fined.get(winner, 0)
    if game["rules"]["scoring"] == "winner_collects":
        gained = sum(points[seat] for seat in players if seat != winner)
        points = dict.fromkeys(players, 0) | {winner: gained - fined.get(winner, 0)}
    for seat in players:
        game["totals"][seat] += points[seat]
    pay_the_winner(game, entry, event, [seat for seat in players if seat != winner])
    gone = [seat for seat in players if beyond(game, game["totals"][seat])]
    game["played"] += 1
    scores = {
        str(seat): {"points": points[seat], "total": game["totals"][seat], "out": seat in gone} for seat in players
    }
    game["hands"].append(
        {
            "entry": entry,
            "number": game["played"],
            "winner": winner,
            "ending": event["ending"],
            "void": False,
            "absent": absent,
            "scores": scores,
        }
    )
    knock_out(game, entry, gone)
    game["first"] = None
    game["deal_from"] = ("after", game["dealer"])
    game["dealer"] = None


def call_penalties(game, event):
    """The price of each call beyond those allowed, fifty points for a fourth; where there are calls at all."""
    allowed = game["rules"]["calls"]
    return {seat: (made - allowed["free"]) * allowed["points"] for seat, made in called_too_often(game, event)}


def called_too_often(game, event):
    allowed = game["rules"]["calls"] or {"free": 1000}
    calls = [(int(seat), made) for seat, made in (event.get("calls") or {}).items()]
    return [(seat, made) for seat, made in calls if made > allowed["free"]]


def loser_points(game, event, left):
    """A loser's cards, doubled when the table was bent, dearer after a Kalooki."""
    points = points_left(game, left)
    if event["ending"] != game["rules"]["endings"][1]:
        return points
    if event["winner"] not in dict(called_too_often(game, event)):
        points *= game["rules"]["kalooki_times"]
    return points + game["rules"]["kalooki_points"]


def pay_the_winner(game, entry, event, losers):
    """Everyone dealt in pays the call-up, or the Kalooki stake instead of it."""
    stake = "kalooki" if event["ending"] == game["rules"]["endings"][1] else "call_up"
    price = (game["stakes"] or {}).get(stake, 0)
    for seat in losers:
        game["money"].append((entry, seat, -price, WHY[stake]))
        game["money"].append((entry, event["winner"], price, WHY[stake]))


def void_happens(game, entry, _event):
    game["hands"].append({"entry": entry, "number": game["played"] + 1, "void": True, "scores": {}})
    game["first"] = None


def buy_in_happens(game, entry, event):
    seat = event["seat"]
    game["totals"][seat] = game["offers"].pop(seat)
    game["in"][seat] = True
    game["out_since"][seat] = None
    game["buy_ins"][seat] += 1
    pay_into_pool(game, entry, seat, "buy_in")
    if game["stakes"] and game["stakes"].get("buy_in"):  # whoever joined without a stake has paid into the pool now
        game["contributed"][seat] = True


def decline_happens(game, _entry, event):
    del game["offers"][event["seat"]]


def penalty_happens(game, entry, event):
    """Points against the player (taken away if points are good), money into the pool."""
    seat = event["seat"]
    points = event.get("points") or 0
    game["totals"][seat] += -points if game["rules"]["scoring"] == "winner_collects" else points
    if event.get("amount"):
        game["money"].append((entry, seat, -event["amount"], "penalty"))
    if beyond(game, game["totals"][seat]):
        knock_out(game, entry, [seat])


def ruling_happens(game, entry, event):
    if event.get("upheld") is not False and (event.get("points") or event.get("amount")):
        penalty_happens(game, entry, event)


def leave_happens(game, entry, event):
    game["in"][event["seat"]] = False
    game["left"][event["seat"]] = entry


def join_happens(game, entry, event):
    seat = game["seat_of_joiner"][entry]
    behind = event.get("after") or max(game["order"])
    game["order"].insert(game["order"].index(behind) + 1, seat)
    game["names"][seat] = event["name"]
    game["totals"][seat] = event["points"]
    game["in"][seat] = True
    game["buy_ins"][seat] = 0
    game["out_since"][seat] = None
    game["contributed"][seat] = event["stake"]
    if event["stake"]:
        pay_into_pool(game, entry, seat, "initial")


def first_happens(game, _entry, event):
    game["first"] = event["seat"]


def end_happens(game, entry, _event):
    finish(game, entry, "played", leaders(game))


def stop_happens(game, entry, event):
    pool = event.get("pool", "refund")
    finish(game, entry, pool, leaders(game) if pool == "leader" else [])


def paid_happens(game, entry, event):
    game["money"].append((entry, event["from"], event["amount"], "paid"))
    game["money"].append((entry, event["to"], -event["amount"], "paid"))


def rename_happens(game, _entry, event):
    game["names"][event["seat"]] = event["name"]


def setup_happens(_game, _entry, _event):
    """Nothing now: it was heeded before the first deal."""


def decider_happens(game, _entry, event):
    game["decided"] = event["winner"]


HAPPENS = {
    "hand": hand_happens,
    "void": void_happens,
    "buy_in": buy_in_happens,
    "decline": decline_happens,
    "penalty": penalty_happens,
    "ruling": ruling_happens,
    "leave": leave_happens,
    "join": join_happens,
    "first": first_happens,
    "end": end_happens,
    "stop": stop_happens,
    "paid": paid_happens,
    "rename": rename_happens,
    "setup": setup_happens,
    "decider": decider_happens,
}


# The end


def leaders(game):
    """The best total among the players still in: the lowest, or the highest where points are good."""
    best = max if game["rules"]["scoring"] == "winner_collects" else min
    totals = [game["totals"][seat] for seat in still_in(game)]
    return sorted(seat for seat in still_in(game) if game["totals"][seat] == best(totals))


def finish(game, entry, how, winners):
    game["over"] = {"entry": entry, "how": how}
    game["tied"] = winners
    game["offers"] = {}


def look_for_the_end(game, entry, event):
    """Whether the game has ended by itself with this event."""
    record = game["rules"]
    players = still_in(game)
    if not players:
        raise Silent("nobody is left")
    if event["kind"] == "hand" and record["hands"] is not None and game["played"] >= record["hands"]:
        return finish(game, entry, "played", leaders(game))
    if record["scoring"] == "winner_collects":
        return look_for_the_target(game, entry)
    if len(players) > 1 or game["offers"]:
        return None
    if record["limit"] is not None:
        return finish(game, entry, "played", players)
    if record["ends"] == "one left":
        raise Silent("one player left where nobody goes out")
    return None


def look_for_the_target(game, entry):
    """Where the winner collects, the limit is what ends the game."""
    limit = game["rules"]["limit"]
    if len(still_in(game)) < 2:
        raise Silent("one player left where points are collected")
    if limit is None or all(game["totals"][seat] < limit for seat in still_in(game)):
        return
    if game["rules"]["out_at"] == "over_limit":
        raise Silent("whether a target must be passed")
    finish(game, entry, "played", leaders(game))


def winners(game):
    return [game["decided"]] if game["decided"] else game["tied"]


def pool_before_the_end(game):
    return -sum(amount for _, _, amount, why in game["money"] if why in ("initial-stake", "buy-in", "penalty"))


def equally(amount, seats):
    """Equal parts; odd cents one each in seat order."""
    part, odd = divmod(amount, len(seats))
    return {seat: part + (1 if place < odd else 0) for place, seat in enumerate(sorted(seats))}


def to_winners(game, amount):
    """The winner's part, shared by tied winners; a player who brought no stake takes none of it."""
    if amount == 0:
        return {}
    who = winners(game)
    if all(game["contributed"][seat] for seat in who):
        return equally(amount, who)
    placed = [seat for seat in still_in(game) if game["contributed"][seat]]
    good = game["rules"]["scoring"] == "winner_collects"
    placed.sort(key=lambda seat: -game["totals"][seat] if good else game["totals"][seat])
    totals = [game["totals"][seat] for seat in placed]
    if len(who) > 1 or not placed or totals.count(totals[0]) > 1 or game["rules"]["pool"] != "winner":
        raise Silent("who is best placed after a winner without a stake")
    return {placed[0]: amount}


def for_the_quarter(game):
    """Who of the others takes a share of a quarter of the pool."""
    best = game["totals"][winners(game)[0]]
    if game["rules"]["scoring"] == "winner_collects" and pool_before_the_end(game):
        raise Silent("how far behind a collector one may be")
    how, _, limit = game["rules"]["pool"]
    near = {"under": lambda total: total < limit, "behind": lambda total: total - best <= limit}[how]
    return [
        seat
        for seat in game["order"]
        if seat not in winners(game)
        and seat not in game["left"]
        and game["contributed"][seat]
        and near(game["totals"][seat])
    ]


def shares(game):
    """Each seat's part of the pool once the game is over, refunds among them."""
    if not game["over"] or game["stakes"] is None:
        return {}
    pool = pool_before_the_end(game)
    how = game["over"]["how"]
    if how == "refund":
        into_pool = [m for m in game["money"] if m[3] in ("initial-stake", "buy-in", "penalty")]
        return {seat: -sum(m[2] for m in into_pool if m[1] == seat) for seat in game["order"]}
    if how == "equal":
        takers = [seat for seat in still_in(game) if game["contributed"][seat]]
        if not takers:
            raise Silent("nobody in has paid")
        return equally(pool, takers)
    others = [] if how == "leader" or game["rules"]["pool"] == "winner" else for_the_quarter(game)
    part = pool * game["rules"]["pool"][1] // 100 // len(others) if others else 0
    parts = dict.fromkeys(others, part)
    for seat, amount in to_winners(game, pool - sum(parts.values())).items():
        parts[seat] = parts.get(seat, 0) + amount
    return parts


# The questions


def table(log):
    """The game after a log, as the simulator sees it."""
    events = standing(log)
    game = opened(log, events)
    for entry, recorded in events:
        event = as_it_counts(game, recorded)
        if refused(game, event):
            game["faults"].append(entry)
            continue
        HAPPENS[event["kind"]](game, entry, event)
        if not game["over"]:
            look_for_the_end(game, entry, event)
        if not game["over"]:
            settle_the_deal(game)
    return game


def as_it_counts(game, event):
    """A recorded hand: since corrections, others may be in, who were not dealt into it, or out, who need no word."""
    if event["kind"] != "hand":
        return event
    named = {event["winner"], *map(int, event["left"])}
    return event | {"absent": [seat for seat in still_in(game) if seat not in named]}


def allowed(log, event):
    """Whether the table may record this next."""
    return refused(table(log), event) is None


def simulate(log):
    """The state in the words of api.md: those parts of it that the rulebook decides."""
    game = table(log)
    parts = shares(game)
    status = "over" if game["over"] else "buy_ins" if game["offers"] else "playing"
    return {
        "status": status,
        "order": game["order"],
        "hand": next_hand(game, status),
        "players": [player(game, seat, parts) for seat in sorted(game["order"])],
        "hands": game["hands"],
        "pool": 0 if game["over"] else pool_before_the_end(game),
        "money": postings(game, parts),
        "winners": winners(game) if game["over"] else [],
        "shares": None
        if game["over"] and game["over"]["how"] == "refund"
        else {str(seat): part for seat, part in parts.items() if part},
        "faults": sorted(set(game["faults"])),
    }


def next_hand(game, status):
    """The hand to be dealt; while offers are open nobody knows yet who deals to whom."""
    if status == "over":
        return {"contract": None}
    number = game["played"] + 1
    contracts = game["rules"]["contracts"]
    contract = dict(zip(("sets", "runs"), contracts[number - 1], strict=True)) if contracts else None
    hand = {"number": number, "contract": contract}
    if status == "playing":
        hand |= {"dealer": game["dealer"], "cards": cards_dealt(game, number)}
        hand["first"] = game["first"] if game["rules"]["draws_for_first"] else after(game, game["dealer"])
    return hand


def cards_dealt(game, number):
    """By the hand or by the players still in, from two up; the last number holds for all beyond."""
    ((how, dealt),) = game["rules"]["deal"].items()
    place = number - 1 if how == "hands" else max(len(still_in(game)), 2) - 2
    return dealt[min(place, len(dealt) - 1)]


def player(game, seat, parts):
    moved = sum(amount for _, whose, amount, _ in game["money"] if whose == seat)
    answer = {
        "seat": seat,
        "name": game["names"][seat],
        "total": game["totals"][seat],
        "in": game["in"][seat],
        "buy_ins": game["buy_ins"][seat],
        "may_buy_in": seat in game["offers"],
        "buy_in_score": game["offers"].get(seat),
        "balance": moved + parts.get(seat, 0),
    }
    return answer if seat in game["left"] else answer | {"out_since": game["out_since"][seat]}


def postings(game, parts):
    """Every movement of money that is not nothing, by entry, seat and reason; the pool's last by seat only."""
    moved = {}
    for entry, seat, amount, why in game["money"]:
        moved[entry, seat, why] = moved.get((entry, seat, why), 0) + amount
    if game["over"]:
        why = "refund" if game["over"]["how"] == "refund" else "pool"
        moved |= {(None, seat, why): part for seat, part in parts.items()}
    return {key: amount for key, amount in moved.items() if amount}


def same_questions(state, answer):
    """Of a state as the program gives it, what the simulator has answered, in its form."""
    moved = {}
    for posting in state["money"]:
        entry = None if posting["why"] in ("pool", "refund") else posting["entry"]
        key = (entry, posting["seat"], posting["why"])
        moved[key] = moved.get(key, 0) + posting["amount"]
    return {
        "status": state["status"],
        "order": state["order"],
        "hand": {key: state["hand"][key] for key in answer["hand"]},
        "players": [
            {key: player[key] for key in answered}
            for player, answered in zip(state["players"], answer["players"], strict=True)
        ],
        "hands": [
            {key: hand[key] for key in answered if key != "scores"} | {"scores": scores(hand)}
            for hand, answered in zip(state["hands"], answer["hands"], strict=True)
        ],
        "pool": state["pool"],
        "money": {key: amount for key, amount in moved.items() if amount},
        "winners": sorted(state["winners"]),
        "shares": None if answer["shares"] is None else {seat: part for seat, part in state["shares"].items() if part},
        "faults": sorted({fault["entry"] for fault in state["faults"]}),
    }


def scores(hand):
    return {seat: {key: score[key] for key in ("points", "total", "out")} for seat, score in hand["scores"].items()}
