"""A slow referee who tries everything, for whatever rules a table plays, to be compared with the program.

Nothing is shared with the program. Cards are written as players type them: `7H`, `*`, `*=6H`; the rules are the values
of `tests.house_rules.resolved`. Where two readings of the rulebook are left it raises `Silent`, and tests do not ask.
"""

from itertools import combinations, pairwise, product

from tests.simulator import PIPS, Silent, colour, rank

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = "SHDC"
HIGH = 14


def is_joker(card):
    return card[0] == "*"


def shown(card):
    """The card a declared joker stands for, or the card itself; None for a bare joker."""
    return None if card == "*" else card.removeprefix("*=")


def beyond_the_packs(cards, plays):
    """Whether the packs do not hold these cards."""
    naturals = [card for card in cards if not is_joker(card)]
    jokers = len(cards) - len(naturals)
    return jokers > plays["jokers"] or any(naturals.count(card) > plays["packs"] for card in naturals)


# Melds: a reading is ("set", rank, cards) or ("run", lowest place, cards in order, jokers named)


def readings(cards, plays):
    """Every way to read some cards as one meld."""
    return [*sets(cards, plays), *runs(cards, plays)]


def sets(cards, plays):
    told = [shown(card) for card in cards if card != "*"]
    naturals = sum(not is_joker(card) for card in cards)
    ranks, suits = {rank(card) for card in told}, [card[-1] for card in told]
    different = plays["set_suits"] == "different"
    most = min(plays["set_most"] or 1000, 4 if different else 1000)
    if len(ranks) != 1 or naturals < plays["set_naturals"] or not 3 <= len(cards) <= most:
        return
    if not different or len(set(suits)) == len(suits):
        yield "set", ranks.pop(), tuple(cards)


def runs(cards, plays):
    told = [card for card in cards if card != "*"]
    suits, naturals = {shown(card)[-1] for card in told}, sum(not is_joker(card) for card in cards)
    if len(suits) != 1 or naturals < plays["run_naturals"]:
        return
    if not plays["run_least"] <= len(cards) <= plays["run_most"]:
        return
    (suit,) = suits
    for low in range(1 if plays["ace"] == "both" else 2, HIGH - len(cards) + 2):
        lying = placed(told, suit, range(low, low + len(cards)))
        if lying and (plays["jokers_together"] or not touch(lying)):
            yield "run", low, lying


def named(place, suit):
    return RANKS[place - 1] + suit


def placed(told, suit, places):
    """The cards in these places, bare jokers wherever none of them lies; None where they do not fit."""
    rest, lying = list(told), []
    for place in places:
        found = next((card for card in rest if shown(card) == named(place, suit)), None)
        if found:
            rest.remove(found)
        lying.append(found or f"*={named(place, suit)}")
    return None if rest else tuple(lying)


def touch(lying):
    return any(is_joker(one) and is_joker(other) for one, other in pairwise(lying))


def points(reading, plays):
    """What a meld counts towards the opening."""
    kind, first, cards = reading
    total = 0
    for place, card in enumerate(cards):
        if is_joker(card) and plays["joker_points"] is not None:
            total += plays["joker_points"]
        elif kind == "set":
            total += plays["set_ace_points"] if first == "A" else face_points(first, plays)
        elif first + place in (1, HIGH):
            total += plays["low_ace_points"] if first + place == 1 else plays["high_ace_points"]
        else:
            total += face_points(RANKS[first + place - 1], plays)
    return total


def face_points(card_rank, plays):
    return plays["court_points"] if card_rank in ("10", "J", "Q", "K") else PIPS[card_rank]


def is_meld(cards, plays):
    return not beyond_the_packs(cards, plays) and bool(readings(cards, plays))


# Several melds at once


def repeats(read, plays):
    """Whether a player lays two runs of a suit, or two sets of a rank, where one is the rule: the rules broken."""
    of_runs = [cards[0].removeprefix("*=")[-1] for kind, _, cards in read if kind == "run"]
    of_sets = [first for kind, first, _ in read if kind == "set"]
    pairs = (("runs_of_one_suit", of_runs), ("sets_of_one_rank", of_sets))
    return {key.replace("_", "-") for key, each in pairs if plays[key] == "one" and len(set(each)) < len(each)}


def opens(read, plays, hand):
    """Whether melds read so reach the contract or the points of an opening."""
    if not plays["contracts"]:
        return sum(points(each, plays) for each in read) >= plays["opening_points"]
    kinds = [kind for kind, *_ in read]
    needed = plays["contracts"][hand - 1]
    return kinds.count("set") >= needed[0] and kinds.count("run") >= needed[1]


def wrong_with(melds, plays, hand=1, *, opened=False, at_once=False):
    """The rules that new melds break together, read so that they break the fewest; at once: they are the whole hand."""
    exempt = opened or (at_once and plays["kalooki_below_opening"] and not plays["contracts"])
    minimum = bool(plays["contracts"]) or plays["opening_points"] > 0
    limited = plays["melds_a_turn"] is not None and not at_once and (opened or not minimum)
    broken = {"one-meld-a-turn"} if limited and len(melds) > plays["melds_a_turn"] else set()
    ways = [
        repeats(read, plays) | (set() if exempt or opens(read, plays, hand) else {to_open(plays)})
        for read in product(*(readings(meld, plays) for meld in melds))
    ]
    return broken | min(ways, key=len)


def to_open(plays):
    return "contract" if plays["contracts"] else "opening-points"


def is_opening(melds, plays, hand, *, at_once):
    cards = [card for meld in melds for card in meld]
    if not at_once and not plays["opening_points"] and not plays["contracts"] and plays["melds_a_turn"] is not None:
        raise Silent("whether what opens without a minimum is an opening for the number of melds")
    if not melds or beyond_the_packs(cards, plays) or not all(readings(meld, plays) for meld in melds):
        return False
    return not wrong_with(melds, plays, hand, at_once=at_once)


# A turn: the hand before, the card drawn and whence, the melds laid, the card thrown or None; and the cards that are
# built after the melds, on a meld that was `lying` or the last just laid, which is `fresh`


def broken(turn, plays):
    """Every rule a turn of legal melds breaks, but for those of its build."""
    held = [*turn["hand"], turn["drawn"]]
    for card in [*(card for meld in turn["melds"] for card in meld), *turn["built"], *filter(None, [turn["thrown"]])]:
        held.remove("*" if is_joker(card) else card)
    opened = turn["opened"]
    at_once = not held and not opened and (not turn["built"] or plays["kalooki_builds"])
    seen = [*turn["hand"], turn["drawn"], *turn["lying"]]
    wrong = {"more-than-the-pack"} if beyond_the_packs(seen, plays) else set()
    if turn["melds"]:
        wrong |= wrong_with(turn["melds"], plays, turn["hand_number"], opened=opened, at_once=at_once)
    if turn["thrown"] is None and (held or plays["last_discard"]):
        wrong.add("last-discard")
    if turn["thrown"] == "*" and not plays["joker_discard"]:
        wrong.add("joker-discard")
    if turn["source"] == "discard" and not may_take(turn, plays, opens_now=to_open(plays) not in wrong):
        wrong.add("discard-after-opening" if opened else "discard-before-opening")
    return wrong


def may_end_with_a_build(turn, plays):
    """Whether a turn is legal that builds cards after all it lays, before the discard."""
    on = turn["melds"][-1] if turn["fresh"] else turn["lying"]
    if turn["fresh"] and ("*" in on or turn["drawn"] in turn["built"]):
        raise Silent("how jokers just laid are read, and whether a card built on a new meld lies in it")
    if not turn["opened"] and not plays["contracts"] and (plays["builds_open"] or plays["kalooki_below_opening"]):
        raise Silent("what is an opening by cards built, or no opening but a Kalooki")
    laid_all = all(readings(meld, plays) for meld in turn["melds"]) and not broken(turn, plays)
    may = turn["opened"] or (bool(turn["melds"]) and plays["build_same_turn"])
    return laid_all and may and may_build(on, turn["built"], plays)


def may_take(turn, plays, *, opens_now):
    """Whether the discard may be drawn: for some rules only to be laid at once, and to open with it."""
    rule = plays["discard_after_opening" if turn["opened"] else "discard_before_opening"]
    if rule in ("free", "never"):
        return rule == "free"
    if rule == "open" and turn["first_turn"] and plays["first_draw_free"]:
        return True
    laid = ["*" if is_joker(card) else card for meld in turn["melds"] for card in meld]
    return turn["drawn"] in laid and (turn["opened"] or opens_now)


# Melds on the table


def may_build(on, cards, plays):
    """Whether cards may be added to a meld by a player who has opened and built nothing else this turn."""
    if not cards or beyond_the_packs([*on, *cards], plays):
        return False
    return any(
        list(sets([*lying, *cards], plays)) if kind == "set" else grows(first, lying, cards, plays)
        for kind, first, lying in readings(on, plays)
    )


def grows(low, lying, cards, plays):
    """Whether a run may be lengthened; where jokers move, a natural takes its joker's place and the joker is built."""
    lying, rest = list(lying), list(cards)
    for place, card in enumerate(lying):
        if plays["joker_from_run"] == "moves" and is_joker(card) and shown(card) in rest:
            if plays["build_end_limit"] is not None:
                raise Silent("whether a joker that moves is a card built")
            rest[rest.index(shown(card))] = "*"
            lying[place] = shown(card)
    told, suit, high = [card for card in rest if card != "*"], shown(lying[0])[-1], low + len(lying) - 1
    for below in range(len(rest) + 1):
        above = len(rest) - below
        if low - below < (1 if plays["ace"] == "both" else 2) or high + above > HIGH:
            continue
        added = placed(told, suit, [*range(low - below, low), *range(high + 1, high + above + 1)])
        after = added and (*added[:below], *lying, *added[below:])
        allowed = ends_allow(below, above, high + above, plays) and len(lying) + len(rest) <= plays["run_most"]
        if after and allowed and (plays["jokers_together"] or not touch(after)):
            return True
    return False


def ends_allow(below, above, high, plays):
    if plays["build_end_limit"] is not None and max(below, above) > plays["build_end_limit"]:
        return False
    return plays["run_ends"] == "both" or not below or high == HIGH


def may_free(on, give, plays):
    """Whether naturals free or move jokers of a meld, for a player who has opened."""
    if not give or any(map(is_joker, give)) or not any(map(is_joker, on)) or beyond_the_packs([*on, *give], plays):
        return False
    return any(
        freed_from_set(first, lying, give, plays) if kind == "set" else freed_from_run(first, lying, give, plays)
        for kind, first, lying in readings(on, plays)
    )


def freed_from_run(low, lying, give, plays):
    stood_for = [shown(card) for card in lying if is_joker(card)]
    if len(set(give)) < len(give) or not set(give) <= set(stood_for) or plays["joker_from_run"] == "never":
        return False
    return plays["joker_from_run"] == "card" or grows(low, lying, give, plays)


def freed_from_set(of_rank, lying, give, plays):
    """Out of a set of three with one joker or two, or of a full set of four with one."""
    jokers = sum(map(is_joker, lying))
    if plays["set_suits"] == "free" or plays["set_most"] != 4:
        raise Silent("which sets are full")
    if jokers > 1 and (len(lying) == 4 or (len(give) > 1 and plays["joker_from_two_joker_set"] == "one")):
        raise Silent("whether several jokers are freed at once")
    missing = {of_rank + suit for suit in SUITS} - {card for card in lying if not is_joker(card)}
    rule = "joker_from_full_set" if len(lying) == 4 else "joker_from_two_joker_set" if jokers > 1 else "joker_from_set"
    price = {"never": 0, "one": 1, "both": 2, "two": 2}[plays[rule]]
    return set(give) <= missing and len(set(give)) == len(give) == price


# Arrangements


def left_points(cards, plays):
    worth = {"*": plays["joker_left"], "Ared": plays["red_ace_left"], "Ablack": plays["black_ace_left"]}
    court = dict.fromkeys(("10", "J", "Q", "K"), plays["court_left"])
    return sum((PIPS | court | worth)[colour(card) or rank(card)] for card in cards)


def arrangements(hand, plays):
    """Every way to lay melds from a hand: the melds as read, and what is left."""
    cards = sorted(hand)
    melds = [
        (frozenset(chosen), read)
        for size in range(3, len(cards) + 1)
        for chosen in combinations(range(len(cards)), size)
        for read in readings([cards[place] for place in chosen], plays)
    ]

    def choose(first, free, laid):
        yield laid, [cards[place] for place in sorted(free)]
        for at in range(first, len(melds)):
            if melds[at][0] <= free:
                yield from choose(at + 1, free - melds[at][0], [*laid, melds[at][1]])

    for laid, left in choose(0, frozenset(range(len(cards))), []):
        if not repeats(laid, plays):
            yield laid, left


def least_left(hand, plays):
    return min(left_points(left, plays) for _, left in arrangements(hand, plays))
