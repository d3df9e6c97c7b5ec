"""Random legal games of every variant for Hypothesis, made with the simulator's help and without the program."""

from hypothesis import strategies as st

from tests.house_rules import VARIANTS
from tests.simulator import Silent, leaders, refused, rules, simulate, still_in, table, usual

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus"]
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
PACK = [rank + suit for rank in RANKS for suit in "HDSC"]

# The start


@st.composite
def starts(draw, variants=tuple(VARIANTS), house=None):
    """A table that sits down: variant, players, dealer, stakes and house rules, those given or a few."""
    variant = draw(st.sampled_from(sorted(variants)))
    start = {"variant": variant, "house": draw(house_rules(variant)) if house is None else house}
    players = draw(st.integers(2, min(5, rules(start, [])["most_players"])))
    start |= {"players": NAMES[:players], "dealer": draw(st.integers(1, players))}
    stakes = draw(st.sampled_from(["usual", "usual", "own", "own", "none"]))
    if stakes == "own":
        start["stakes"] = draw(prices())
    if stakes == "none":
        start["stakes"] = None
    if draw(st.integers(0, 9)) == 9:
        start["settle"] = "cash"
    return start


def prices():
    """Stakes of which some are left out."""
    names = ("call_up", "kalooki", "initial", "buy_in")
    some = {name: st.integers(1, 99) for name in names}
    return st.fixed_dictionaries({"currency": st.just("EUR")}, optional=some)


@st.composite
def house_rules(draw, variant):
    """A few of the table's own rules that change how a game is counted."""
    if draw(st.booleans()):
        return {}
    record = usual(variant)
    last = record["hands"] or 6
    house = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "limit": st.none() | st.integers(30, 160),
                "out_at": st.sampled_from(["limit", "over_limit"]),
                "buy_ins": st.integers(0, 3),
                "buy_in_score": st.sampled_from(["highest", "highest_plus_one"]),
                "game_hands": st.none() | st.integers(min(2, last), last),
                "jokers": st.integers(0, 8),
                "scoring": st.sampled_from(["losers"] * 5 + ["winner_collects"]),
                **({"kalooki_points": st.integers(0, 60)} if record["kalooki_points"] else {}),
            },
        )
    )
    return dict(sorted(house.items()))


# Hands


@st.composite
def hands(draw, game):
    """A hand won by somebody, everybody else's cards shown or summed up, but of those who were not dealt in."""
    players = still_in(game)
    winner, _loser, *others = draw(st.permutations(players))
    absent = sorted(draw(st.sets(st.sampled_from(others)))) if others and draw(st.integers(0, 4)) == 4 else []
    players = [seat for seat in players if seat not in absent]
    losers = [seat for seat in players if seat != winner]
    event = {"kind": "hand", "winner": winner, "ending": draw(st.sampled_from(game["rules"]["endings"]))}
    event["left"] = draw(lefts(game, losers))
    if draw(st.integers(0, 3)) == 3:
        event["calls"] = draw(st.dictionaries(st.sampled_from(players).map(str), st.integers(0, 6)))
    return event | ({"absent": absent} if absent else {})


@st.composite
def lefts(draw, game, losers):
    """What each loser was left with: the cards of one deal, some without their suits, or a sum."""
    deck = PACK * game["rules"]["packs"] + ["*"] * game["rules"]["jokers"]
    picked = draw(st.lists(st.integers(0, len(deck) - 1), min_size=len(losers), max_size=4 * len(losers), unique=True))
    left = {}
    for place, seat in enumerate(losers):
        cards = [deck[card] for card in picked[place :: len(losers)]]
        shown = draw(st.sampled_from(["sum", "sum", "cards", "ranks"]))
        if shown == "sum":
            left[str(seat)] = {"points": draw(sums(game, seat))}
        else:
            left[str(seat)] = " ".join(without_suit(game, card) if shown == "ranks" else card for card in cards)
    return left


def without_suit(game, card):
    """A card whose suit nobody wrote down; an ace keeps its colour where that scores."""
    if card == "*":
        return card
    if card[0] == "A" and game["rules"]["colour_scores"]:
        return "Ared" if card[1] in "HD" else "Ablack"
    return card[:-1]


def sums(game, seat):
    """Points of a hand: small, dear, or such that the new total stands at, just below or just above what matters."""
    totals = [game["totals"][other] for other in game["order"]]
    edges = [game["rules"]["limit"] or 100, min(totals) + 100, *totals]
    near = [edge + aside - game["totals"][seat] for edge in edges for aside in (0, -1, 1)]
    fitting = st.sampled_from([points for points in near if 1 <= points <= 148] or [20])
    return st.one_of(fitting, st.integers(1, 60), fitting, st.integers(60, 148))


# Everything else that can be recorded


def penalties(game):
    amounts = st.integers(1, 50)
    points = {"points": st.integers(1, 80)}
    money = {"amount": amounts} if game["stakes"] is not None else {}
    some = [points, money, points | money] if money else [points]
    return st.sampled_from(some).flatmap(
        lambda fields: st.fixed_dictionaries(
            {"kind": st.just("penalty"), "seat": st.sampled_from(still_in(game)), "reason": st.just("showed cards")}
            | fields
        )
    )


@st.composite
def rulings(draw, game):
    """A claim judged at the table, with or without a penalty for it."""
    penalty = draw(penalties(game))
    event = {"kind": "ruling", "claim": {"cards": "KH AH 2H"}, "check": "meld", "verdict": "not legal"}
    event |= {key: value for key, value in penalty.items() if key in ("seat", "points", "amount")}
    return event | draw(st.fixed_dictionaries({}, optional={"upheld": st.booleans(), "note": st.just("loud")}))


def joins(game):
    top = max([game["totals"][seat] for seat in still_in(game)], default=0)
    return st.fixed_dictionaries(
        {
            "kind": st.just("join"),
            "name": st.just(f"Joy{len(game['order'])}"),
            "points": st.just(max(top, 0)) | st.integers(0, 120),
            "stake": st.booleans(),
        },
        optional={"after": st.sampled_from(game["order"])},
    )


@st.composite
def paids(draw, game):
    giver, taker = draw(st.permutations(game["order"]))[:2]
    return {"kind": "paid", "from": giver, "to": taker, "amount": draw(st.integers(1, 200))}


@st.composite
def setups(draw, game):
    """Something corrected that was set wrongly at the start."""
    change = {
        "dealer": st.integers(1, 2),
        "settle": st.sampled_from(["account", "cash"]),
        "house": st.fixed_dictionaries({"limit": st.integers(60, 200)}),
    }
    if game["stakes"] is not None:
        change["stakes"] = prices()
    name = draw(st.sampled_from(sorted(change)))
    return {"kind": "setup", name: draw(change[name])}


def seated(kind, seats):
    return st.fixed_dictionaries({"kind": st.just(kind), "seat": st.sampled_from(seats)})


def renames(game):
    return st.fixed_dictionaries(
        {"kind": st.just("rename"), "seat": st.sampled_from(game["order"]), "name": st.sampled_from(["Zoe", "Yve"])}
    )


def of_kind(kind, game):
    """Events of one kind that fit a table, or None where there are none."""
    players = still_in(game)
    return {
        "hand": lambda: hands(game) if len(players) > 1 else None,
        "void": lambda: st.just({"kind": "void", "reason": "stock ran out twice"}),
        "buy_in": lambda: seated("buy_in", sorted(game["offers"])) if game["offers"] else None,
        "decline": lambda: seated("decline", sorted(game["offers"])) if game["offers"] else None,
        "penalty": lambda: penalties(game),
        "ruling": lambda: rulings(game),
        "leave": lambda: seated("leave", players),
        "join": lambda: joins(game),
        "first": lambda: seated("first", players),
        "end": lambda: st.just({"kind": "end"}),
        "stop": lambda: st.fixed_dictionaries(
            {"kind": st.just("stop"), "pool": st.sampled_from(["refund", "equal", "leader"])}
        ),
        "paid": lambda: paids(game),
        "rename": lambda: renames(game),
        "setup": lambda: setups(game),
        "decider": lambda: st.fixed_dictionaries(
            {"kind": st.just("decider"), "winner": st.sampled_from(game["tied"] or leaders(game))}
        ),
    }[kind]()


def thought_of(kind, game):
    """An event of one kind, or None where the table has none to offer."""
    fitting = of_kind(kind, game)
    return st.none() if fitting is None else fitting


DURING = [*["hand"] * 24, "void", *["penalty"] * 2, "ruling", "leave", "join", "paid", "rename", "setup", "stop"]
OFFERED = [*["buy_in"] * 9, *["decline"] * 5, "hand", "hand", "penalty", "leave", "join", "paid", "rename", "stop"]
AFTERWARDS = ["paid", "paid", "rename", "setup"]


def usual_kinds(game):
    """What a table records at such a moment, the likelier the oftener."""
    if game["over"]:
        return AFTERWARDS + ["decider"] * 6 * (len(game["tied"]) > 1)
    if game["offers"]:
        return OFFERED
    return DURING + ["first"] * 4 * game["rules"]["draws_for_first"] + ["end"] * 2 * (game["played"] > 2)


@st.composite
def legal_events(draw, log, kinds=None):
    """An event the table may record after a log, or None when the one thought of will not do."""
    game = table(log)
    event = draw(thought_of(draw(st.sampled_from(kinds or usual_kinds(game))), game))
    return event if event and plain(log, event) and refused(game, event) is None else None


def plain(log, event):
    """Whether the rulebook says what an event does."""
    try:
        simulate([*log, event])
    except Silent:
        return False
    return True


@st.composite
def games(draw, variants=tuple(VARIANTS), longest=14, house=None):
    """A whole log: a start and legal events after it."""
    log = [draw(starts(variants, house))]
    for _ in range(draw(st.integers(longest // 3, longest))):
        event = draw(legal_events(log))
        if event:
            log.append(event)
    if draw(st.booleans()):
        log = draw(closed(log))
    return log


@st.composite
def closed(draw, log):
    """A log with the end of its game, and with a deciding hand where players are tied."""
    for kinds in (["end", "end", "stop"], ["decider"]):
        event = draw(legal_events(log, kinds))
        log = [*log, event] if event else log
    return log


@st.composite
def finals(draw):
    """A short game for a shared pool: totals at the edges of its quarter, ties, odd cents, joiners without a stake."""
    players = draw(st.integers(2, 5))
    start = {"variant": draw(st.sampled_from(["kalooki-40", "kalooki-51"])), "players": NAMES[:players], "dealer": 1}
    log = [start | {"stakes": {"initial": draw(st.integers(1, 9))}}]
    kinds = [*["hand"] * 5, "join", "join", "penalty", "leave"]
    for _ in range(draw(st.integers(2, 5))):
        event = draw(legal_events(log, kinds))
        log = [*log, event] if event else log
    return draw(closed(log))


# What the table may not record


def spoilt(event, game):
    """Hands with one thing wrong each, made from a right one."""
    winner, loser = str(event["winner"]), min(event["left"])
    left = event["left"]
    yield event | {"left": left | {winner: "2H"}}
    yield event | {"left": {seat: cards for seat, cards in left.items() if seat != loser}}
    yield event | {"absent": [event["winner"]]}
    yield event | {"absent": [*event.get("absent", []), int(loser)]}
    yield event | {"left": {}, "absent": [int(seat) for seat in left]}
    yield from (event | {"absent": [seat]} for seat in game["order"] if not game["in"][seat])
    yield event | {"left": left | {loser: {"points": 0}}}
    yield event | {"left": left | {loser: "KH KH KH"}}
    yield event | {"left": left | {loser: " ".join(["*"] * (game["rules"]["jokers"] + 1))}}
    yield event | {"ending": "bending" if "kalooki" in game["rules"]["endings"] else "kalooki"}
    yield from (event | {"left": left | {str(seat): "2H"}} for seat in game["order"] if not game["in"][seat])


@st.composite
def refused_events(draw, log):
    """An event that is impossible after a log, or None."""
    game = table(log)
    kinds = ["hand", "buy_in", "first", "end", "penalty", "paid", "join", "decider", "stop"]
    kind = draw(st.sampled_from(kinds))
    if kind == "hand" and len(still_in(game)) > 1:
        event = draw(st.sampled_from(list(spoilt(draw(hands(game)), game))))
    elif kind == "buy_in":
        event = {"kind": draw(st.sampled_from(["buy_in", "decline"])), "seat": draw(st.sampled_from(game["order"]))}
    elif kind == "penalty":
        event = {"kind": "penalty", "seat": still_in(game)[0], "amount": 10, "reason": "late"}
    elif kind == "join":
        limit = game["rules"]["limit"] or 0
        name = draw(st.sampled_from(["Joy", *game["names"].values()]))
        event = {"kind": "join", "name": name, "points": draw(st.integers(limit, limit + 2)), "stake": False}
    else:
        event = draw(thought_of(kind, game))
    if event is None:
        return None
    try:
        return event if refused(game, event) else None
    except Silent:
        return None
