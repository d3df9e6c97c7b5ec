"""Laws for a table's own rules: each takes a rule set that Hypothesis drew, plays by it, and raises where it is broken.

`OF_ANY` are laws of any rule set, contradictory ones too, `OF_LEGAL` of one that can be played.
"""

from contextlib import suppress
from urllib.parse import urlsplit
from uuid import uuid4

from hypothesis import assume
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from app.kalooki.cards import parse
from app.kalooki.claims import check
from app.kalooki.game.events import from_json, to_json
from app.kalooki.game.play import Entry, from_record, judge, play
from app.kalooki.referee.melds import points
from app.kalooki.referee.turn import check_turn
from app.kalooki.solver.solve import Problem, solve
from app.kalooki.variants import as_house_rules, judge_rules, load, with_house_rules
from tests import slow_referee
from tests.house_rules import contradictions, resolved
from tests.json_scorer import Scorer, agrees, import_game, of_the_game
from tests.kalooki import brute_force
from tests.random_play import NAMES, games
from tests.simulator import Silent
from tests.web.plain_pages import Offered


def told(faults):
    return {frozenset(fault["keys"] if isinstance(fault, dict) else fault.keys) for fault in faults}


def a_set_is_refused_exactly_when_it_contradicts_itself(variant, house, **_):
    judged = judge_rules(load(variant), house)
    against = contradictions(variant, house)

    assert told(judged.faults) == against
    assert (judged.variant is None) is bool(against)
    for fault in judged.faults:
        assert all(str(fault).strip() for fault in judged.faults)
        assert "{" not in str(fault), fault


def a_refused_set_starts_nothing_and_changes_nothing(variant, house, client, data):
    assume(contradictions(variant, house))
    body = {"variant": variant, "house": house, "players": NAMES[:3], "dealer": 1, "submission": str(uuid4())}
    refused = client.post("/api/v1/games", json=body)
    assert refused.status_code == 422, refused.text
    judged = client.post("/api/v1/variants/check", json={"variant": variant, "house": house})
    assert told(judged.json["faults"]) == contradictions(variant, house)
    assert not judged.json["ok"]
    started = client.post("/api/v1/games", json=body | {"house": {}})
    assert started.status_code == 201, "the refused start took the submission"

    scorer = Scorer(client, {"variant": variant, "players": NAMES[:3], "dealer": 1})
    before = scorer.state()
    for preview in (True, False):
        assert scorer.send({"kind": "setup", "house": house}, preview=preview).status_code == 422
    assert scorer.state() == before


def a_game_is_kept_as_the_rulebook_tells(variant, house, client, data):
    log = data.draw(games((variant,), longest=6, house=house), label="log")
    scorer = Scorer(client, log[0])
    agrees(scorer.state(), log[:1])
    for place, event in enumerate(log[1:], start=2):
        previewed = scorer.send(event, preview=True).json["state"]
        saved = scorer.record(event)
        assert of_the_game(previewed) == of_the_game(saved), "a preview is what is saved"
        agrees(saved, log[:place])
    it_is_the_same_game_elsewhere(scorer)
    assert can_come_to_an_end(from_record([{"kind": "start"} | log[0], *log[1:]]))


def it_is_the_same_game_elsewhere(scorer):
    """What `sheet.json` holds is the game, with what every entry did."""
    state = scorer.state()
    sheet = scorer.client.get(f"/api/v1/games/{scorer.code}/sheet.json").json
    assert of_the_game(import_game(scorer.client, sheet["log"]).state()) == of_the_game(state)
    events = [entry["event"] for entry in sheet["log"]]
    assert [to_json(entry.event) for entry in from_record(events)] == events
    assert play(from_record(events)) == play(from_record(events))


def another_game_begun_on_the_page_plays_all_its_rules(variant, house, client, **_):
    own = judge_rules(load(variant), house).variant
    assert with_house_rules(*as_house_rules(own))[0] == own
    client = client.application.test_client()  # a device knows only so many games
    code = Scorer(client, {"variant": variant, "players": NAMES[:2], "house": house, "stakes": None}).code
    page = client.get("/new", query_string={"rules": code})
    (form,) = (each for each in Offered(page.text).forms if dict(each.sent).keys() >= {"submission", "variant"})
    sent = [(key, f"Player{key}" if key.endswith("-name") else value) for key, value in form.sent]
    started = client.post(form.action, data=MultiDict([*sent, ("do", "start")]))
    assert started.status_code == 303, house
    code = urlsplit(started.location).path.split("/")[2]
    log = client.get(f"/api/v1/games/{code}/sheet.json").json["log"]
    played = judge_rules(load(variant), log[0]["event"].get("house", {})).variant
    unasked = {} if own.limit else {"out_at": None}  # nobody is out without a limit
    assert {**played.values, **unasked} == {**own.values, **unasked}, (variant, house)


DEAREST = 1000
"""Points that end any game with a limit within a few hands."""


def can_come_to_an_end(log):
    """Whether somebody wins in the end, or the table may say so."""
    while not (game := play(log)).finish:
        if len(game.playing) < 2 or not judge(log, from_json({"kind": "end"}))[1]:
            return True  # a game for nobody else, which the table stops
        winner, *losers = (player.seat for player in game.playing)
        left = {str(seat): {"points": DEAREST} for seat in losers}
        hand = from_json({"kind": "hand", "winner": winner, "ending": "going_out", "left": left})
        log = [*log, Entry(len(log) + 1, hand)]
        if play(log).faults != game.faults or len(log) > 150:
            return False
    return True


# ---- claims and arrangements, against a slow referee


NATURALS = [rank + suit for rank in slow_referee.RANKS[:13] for suit in slow_referee.SUITS]


@st.composite
def in_a_row(draw, plays):
    """Naturals that are a meld, or nearly: neighbours of one suit, or cards of one rank."""
    suit, low = draw(st.sampled_from("SHDC")), draw(st.integers(1, 12))
    size = draw(st.integers(3, 6) | st.integers(2, min(plays["run_least"] + 3, 14)))
    if draw(st.booleans()):
        return [slow_referee.named(place, suit) for place in range(low, min(low + size, 15))]
    suits = draw(st.permutations("SHDC" * (2 if plays["set_suits"] == "free" else 1)))
    return [slow_referee.RANKS[low] + each for each in suits[:size]]


@st.composite
def with_jokers(draw, cards):
    """Up to two of the cards replaced by jokers, often undeclared; now and then one changed."""
    cards = list(cards)
    for place in draw(st.sets(st.integers(0, len(cards) - 1), max_size=2)):
        cards[place] = draw(st.sampled_from(["*", "*", "*", f"*={cards[place]}"]))
    if draw(st.integers(0, 5)) == 5:
        cards[-1] = draw(st.sampled_from(NATURALS))
    return cards


def near_melds(plays):
    return in_a_row(plays).flatmap(with_jokers)


@st.composite
def on_the_table(draw, plays):
    """A meld that lies, and a few cards that somebody adds to it, or gives for its jokers."""
    cards = draw(in_a_row(plays))
    size = draw(st.integers(min(3, len(cards)), len(cards)))
    lying, rest = (cards[:size], cards[size:]) if draw(st.booleans()) else (cards[-size:], cards[:-size])
    on = draw(with_jokers(lying))
    replaced = [card for card, now in zip(lying, on, strict=True) if card != now]
    near = [card for card in NATURALS if card[:-1] == lying[0][:-1] or card[-1] == lying[0][-1]]
    more = st.sampled_from([each for each in (rest, rest, replaced, replaced[:1]) if each] or [near[:1]])
    return on, draw(more | st.lists(st.sampled_from([*near, "*"]), min_size=1, max_size=3))


def on_the_table_mostly_to_build(plays):
    """Of a few melds, each with cards for it, the first that these may be built on."""

    def choose(pairs):
        with suppress(Silent):
            return next((pair for pair in pairs if slow_referee.may_build(*pair, plays)), pairs[0])
        return pairs[0]

    return st.lists(on_the_table(plays), min_size=3, max_size=3).map(choose)


def builds_and_jokers_are_judged_as_by_a_slow_referee(variant, house, data, **_):
    plays, rules = resolved(variant, house), judge_rules(load(variant), house).variant
    for _ in range(5):
        on, more = data.draw(on_the_table(plays), label="on the table, and more")
        with suppress(Silent):
            legal = slow_referee.may_build(on, more, plays)
            assert check("build", {"on": " ".join(on), "cards": " ".join(more)}, rules).ok is legal, (on, more, legal)
        with suppress(Silent):
            legal = slow_referee.may_free(on, more, plays)
            assert check("joker", {"on": " ".join(on), "give": " ".join(more)}, rules).ok is legal, (on, more, legal)


def melds_openings_and_turns_are_judged_as_by_a_slow_referee(variant, house, data, **_):
    plays, rules = resolved(variant, house), judge_rules(load(variant), house).variant
    melds = data.draw(st.lists(near_melds(plays), min_size=1, max_size=3), label="melds")
    hand = data.draw(st.integers(1, len(plays["contracts"]) or 1), label="hand number")
    for cards in melds:
        found = slow_referee.readings(cards, plays)
        verdict = check("meld", {"cards": " ".join(cards)}, rules)
        assert verdict.ok is slow_referee.is_meld(cards, plays), (cards, verdict)
        if verdict.ok:
            dearest = max(slow_referee.points(each, plays) for each in found)
            assert points(verdict.readings[0], rules) == dearest, (cards, verdict)
    at_once = data.draw(st.booleans(), label="at once")
    claim = {"melds": [" ".join(cards) for cards in melds], "hand_number": hand, "kalooki": at_once}
    with suppress(Silent):
        opens = slow_referee.is_opening(melds, plays, hand, at_once=at_once)
        assert check("opening", claim, rules).ok is opens, (claim, opens)
    a_turn_is_judged_as_by_a_slow_referee(melds, hand, plays, rules, data)


def a_turn_is_judged_as_by_a_slow_referee(melds, hand, plays, rules, data):
    melds = data.draw(st.lists(st.sampled_from(melds), max_size=2, unique_by=str), label="laid")
    lying, built = data.draw(st.just(([], [])) | on_the_table_mostly_to_build(plays), label="on the table, and built")
    fresh = bool(built) and data.draw(st.booleans(), label="built on a meld just laid")
    if built:
        melds = [cards for cards in melds if slow_referee.readings(cards, plays)]
    melds, lying = ([*melds, lying], []) if fresh else (melds, lying)
    laid = ["*" if card[0] == "*" else card for cards in [*melds, built] for card in cards]
    kept = data.draw(st.lists(st.sampled_from([*NATURALS, "*"]), max_size=2), label="kept")
    held = [*laid, *kept] or ["7H"]
    thrown = data.draw(st.sampled_from([*kept, *kept, None]), label="thrown") if kept else None
    drawn = data.draw(st.sampled_from(held), label="drawn")
    turn = {
        "hand": [card for place, card in enumerate(held) if place != held.index(drawn)],
        "drawn": drawn,
        "source": data.draw(st.sampled_from(["stock", "discard"]), label="source"),
        "melds": melds,
        "lying": lying,
        "built": built,
        "fresh": fresh,
        "thrown": thrown,
        "opened": data.draw(st.booleans(), label="opened"),
        "first_turn": data.draw(st.booleans(), label="first turn"),
        "hand_number": hand,
    }
    steps = [{"do": "draw", "from": turn["source"], "card": drawn}]
    steps += [{"do": "meld", "cards": " ".join(cards)} for cards in melds]
    place = len(melds) - 1 if fresh else 0
    steps += [{"do": "build", "on": place, "cards": " ".join(built)}] if built else []
    steps += [{"do": "discard", "card": thrown}] if thrown else []
    told = {key: turn[key] for key in ("opened", "first_turn", "hand_number")} | {"warned": True, "steps": steps}
    told |= {"table": [{"cards": " ".join(lying)}]} if lying else {}
    verdict = check("turn", told | {"hand": " ".join(turn["hand"])}, rules)
    found = {fault.rule for fault in verdict.faults}
    if built:
        with suppress(Silent):
            legal = slow_referee.may_end_with_a_build(turn, plays)
            assert verdict.ok is legal, (turn, found, legal)
        return
    if not all(slow_referee.readings(cards, plays) for cards in melds):
        alone = [check("meld", {"cards": " ".join(cards)}, rules) for cards in melds]
        assert found >= {fault.rule for each in alone for fault in each.faults}, (turn, found)
        return
    wrong = slow_referee.broken(turn, plays)
    assert found == wrong, (turn, found, wrong)


@st.composite
def small_hands(draw, plays):
    """Up to seven cards that have to do with each other, as the packs hold them."""
    ranks, suits = draw(st.sampled_from([("3456789", "HS"), ("789", "HSDC"), ("A23QK", "HSD"), ("56789", "H")]))
    some = [rank + suit for rank in ranks for suit in suits] * min(2, plays["packs"])
    jokers = draw(st.integers(0, min(2, plays["jokers"])))
    naturals = draw(st.permutations(some))[: draw(st.integers(1, 7 - jokers))]
    return [*naturals, *["*"] * jokers]


def the_solver_finds_the_least_and_lays_what_is_legal(variant, house, data, **_):
    plays, rules = resolved(variant, house), judge_rules(load(variant), house).variant
    hand = data.draw(small_hands(plays), label="held")
    number = data.draw(st.integers(1, len(plays["contracts"]) or 1), label="hand number")
    held = parse(" ".join(hand))
    if plays["melds_a_turn"] is None:
        found = solve(Problem(held, "least_points", hand_number=number), rules)
        assert found.points_left == slow_referee.least_left(hand, plays), (hand, found)
    for goal in ("open", "go_out", "kalooki", "least_points", "least_after_throw"):
        asked = Problem(held, goal, hand_number=number, opened=goal == "least_points")
        found = solve(asked, rules)
        if not found.possible:
            continue
        verdict = check_turn(brute_force.claim(asked, found.steps), rules)
        if goal != "least_points":
            assert verdict.ok, (goal, hand, found, verdict.faults)
            assert sorted(map(str, verdict.hand)) == sorted(map(str, found.left))


OF_ANY = {
    a_set_is_refused_exactly_when_it_contradicts_itself: 400,
    a_refused_set_starts_nothing_and_changes_nothing: 40,
}
OF_LEGAL = {
    a_game_is_kept_as_the_rulebook_tells: 80,
    another_game_begun_on_the_page_plays_all_its_rules: 80,
    melds_openings_and_turns_are_judged_as_by_a_slow_referee: 300,
    builds_and_jokers_are_judged_as_by_a_slow_referee: 200,
    the_solver_finds_the_least_and_lays_what_is_legal: 160,
}
"""Each law, and how many rule sets the long run tries it with."""
