"""Rulings in words: where a rule comes from, the verdict on a claim, and the claim told whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from app.history.formats import number_of, plural
from app.history.phrases import at_once_words
from app.kalooki.cards import JOKER, BadInput, Card, in_a_sentence
from app.kalooki.claims import (
    CLAIMS,
    BuildClaim,
    Claim,
    CountClaim,
    CountVerdict,
    DeckClaim,
    JokerClaim,
    MeldClaim,
    OpeningClaim,
    OutClaim,
    SolveClaim,
)
from app.kalooki.decided_by import JudgedClaim, MeldReading
from app.kalooki.referee.building import BuildVerdict, JokerVerdict
from app.kalooki.referee.turn import Build, OpeningVerdict, Step, TurnClaim, TurnVerdict
from app.kalooki.rules.answers import Answer
from app.kalooki.rules.rulebook import Explained, Source, document_of, merge_sources
from app.kalooki.rules.wording import contract_words
from app.kalooki.solver.solve import Laydown, LaydownVerdict
from app.kalooki.variants import Variant


class Piece(NamedTuple):
    """Some words or the title of a `document`, and the CSS classes in which pages show them."""

    text: str
    style: str = ""
    document: str = ""


HOUSE = Piece("house rule", "badge badge-won")
COMMON = Piece("common practice", "badge badge-offer")
PARTLY = Piece("partly common practice", "badge badge-offer")
STATED = Piece("written rule", "badge")


def standing_words(of: Explained | Answer, length: str = "full") -> list[Piece]:
    """Return the standing of a rule or an answer in words: where it comes from, whether that is unclear or disagrees.

    The standing itself is decided by `rules.rulebook` and `rules.answers`.

    `length` is "badge" for the badge alone, "named" for the badge and the house rule, "short" for the document as well,
    or "full": also what the variant says instead of a house rule, the place in the document, and its other reading.
    """
    pieces = _of_answer(of, length) if isinstance(of, Answer) else _of_rule(of, length)
    return [piece for piece in pieces if piece.text or piece.document]


def unclear_beside(answer: Answer) -> list[Explained]:
    """Return the rules behind an answer whose source is unclear or disagrees, except one that decides its standing."""
    candidates = answer.beside if answer.standing == "both" else answer.rules + answer.beside
    return [rule for rule in candidates if rule.standing == "both" and not answer.is_mishap]


def doubt(rule: Explained) -> list[Piece]:
    """Return the other reading of a rule whose document is unclear or disagrees."""
    document = [Piece("", document=f"{source.title}.") for source in rule.sources[:1]]
    return [_unclear(rule, ":"), *document, Piece(rule.remark)]


def _of_answer(answer: Answer, length: str) -> list[Piece]:
    pieces = [piece for own in answer.own for piece in _of_rule(own, length)]
    if answer.by and answer.by.standing != "house":
        pieces += _of_rule(answer.by, length)
    elif answer.is_mishap and answer.standing == "usual":
        pieces += [COMMON, _muted("The source doesn’t cover this.", length)]
    elif answer.standing != "house":
        pieces += _of_rule(answer, length)
    is_partly = answer.standing in ("source", "both") and any(rule.standing == "usual" for rule in answer.beside)
    pieces += [PARTLY] if is_partly and length in ("short", "full") else []
    return [*pieces, _muted(answer.of_remedy, length)]


def _of_rule(rule: Explained | Answer, length: str) -> list[Piece]:
    badge = COMMON if rule.standing == "usual" or rule.disagrees else STATED
    badges = [] if rule.standing == "both" and badge is STATED else [badge]  # not "written rule" if that is unclear
    if isinstance(rule, Explained) and rule.standing == "house":
        return [HOUSE] if length == "badge" else _of_house_rule(rule, length)
    if length == "badge":
        return [Piece(_doubt_of(rule).lower(), COMMON.style)] if rule.standing == "both" else [badge]
    if length == "full":
        return _in_full(rule, badges)
    documents = [Piece("", document=each.title) for each in merge_sources(rule.sources)] if length == "short" else []
    doubts = [_unclear(rule, ":" if documents else ".")] if rule.standing == "both" else []
    return [*badges, *doubts, *(documents if rule.standing != "usual" else [])]


def _of_house_rule(rule: Explained, length: str) -> list[Piece]:
    if length == "full":
        return [HOUSE, Piece(rule.house_rule or ""), _muted(rule.note), *(_cite(rule.sources) if rule.note else [])]
    first = rule.note.partition(". ")[0].rstrip(".")
    return [HOUSE, Piece(rule.house_rule or ""), _muted(f"{first}." if first else "")]


def _in_full(rule: Explained | Answer, badges: list[Piece]) -> list[Piece]:
    if rule.standing == "both":
        return [*badges, _unclear(rule, ":"), *_cite(rule.sources), Piece(rule.remark)]
    if rule.standing == "usual":
        same = [_muted("The same in"), *_cite(rule.sources)] if rule.sources else []
        return [*badges, _muted("The source doesn’t say."), _muted(rule.remark), *same]
    return [Piece(rule.remark), *_cite(rule.sources)]


def _unclear(rule: Explained | Answer, end: str) -> Piece:
    return _muted(f"{_doubt_of(rule)}{end}")


def _doubt_of(rule: Explained | Answer) -> str:
    return "The source disagrees" if rule.disagrees else "The source is unclear"


def _muted(text: str, length: str = "full") -> Piece:
    """Return muted text, which only the full length has."""
    return Piece(text if length == "full" else "", "muted")


def _cite(sources: Iterable[Source]) -> list[Piece]:
    """Return the documents with the places in them, as the end of a sentence."""
    merged = merge_sources(sources)
    ends = [*";" * (len(merged) - 1), "."]
    return [Piece(f"{each.where}{end}", "muted", f"{each.title}:") for each, end in zip(merged, ends, strict=False)]


Cards = tuple[Card, ...]
Line = tuple[str | Cards, ...]
"""Words and cards in reading order."""

CAN_FAIL = ("open", "go_out", "kalooki")
"""The goals of a lay-down that cannot always be reached."""
_OPENS = ("opening-points", "contract")
STILL_TO_COME = {
    "opening": _OPENS,
    "turn": ("last-discard", "discard-before-opening", "discard-after-opening", "freed-joker", *_OPENS),
    "out": ("last-discard",),
}
"""Rules not broken yet: the next meld may complete an opening, and every turn ends with a discard."""


class VerdictWords(NamedTuple):
    """A verdict as pages show it: legal, illegal or neither (None), a headline, and the reason.

    `warnings` are shown before the reason; `rule` is the slug of the rule to link, if any. What `is_unfinished` breaks
    no rule, but is not yet what was claimed.
    """

    ok: bool | None
    headline: str
    why: tuple[Line, ...] = ()
    warnings: Sequence[str] = ()
    rule: str = ""
    is_unfinished: bool = False


def ruling_on(kind: str, judged: JudgedClaim) -> VerdictWords:
    """Return the verdict on a claim of this kind."""
    faults = judged.faults
    if kind == "count":
        return _on_count(judged)
    if is_unfinished(kind, judged):
        return _on_unfinished(kind, judged)
    if faults:
        return VerdictWords(False, "NOT OUT" if kind == "out" else "NOT LEGAL", ((faults[0].text,),))
    if kind == "solve":
        return _on_laydown(judged)
    if _is_part_of_a_hand(judged):
        why = ((f"The melds are legal {order_words(judged)}".strip() + ".",),)
        return VerdictWords(None, "NOT THE WHOLE HAND", why, judged.warnings, is_unfinished=True)
    headline = f"{_headline(kind, judged)} {order_words(judged)}".strip()
    return VerdictWords(True, headline, (_WHY[kind](judged),), judged.warnings)


def _on_unfinished(kind: str, judged: JudgedClaim) -> VerdictWords:
    """Return what is missing; a meld that is too little for an opening may still be laid by a player who is down."""
    missing = _OUT_UNFINISHED if kind == "out" else judged.faults[0].text
    if kind != "opening":
        return VerdictWords(None, "NOT YET", ((missing,),), is_unfinished=True)
    why: list[Line] = [(missing,)]
    if only_meld(judged.claim):
        why = [reading_of(judged.readings[0], judged.variant), (missing, "A player who is down may lay this meld.")]
    return VerdictWords(None, "NOT ENOUGH TO OPEN", tuple(why), is_unfinished=True)


def _is_part_of_a_hand(judged: JudgedClaim) -> bool:
    """Return whether a whole hand is claimed to be laid, but fewer or more cards are named."""
    warned = {warning.rule for warning in judged.verdict.warnings}
    return isinstance(judged.claim, OpeningClaim | OutClaim) and not warned.isdisjoint(("kalooki", "the-deal"))


def only_meld(claim: Claim) -> Cards:
    """Return the cards of a claim about one meld alone; empty for any other."""
    match claim:
        case MeldClaim():
            return claim.cards
        case OpeningClaim(melds=[cards], builds=(), kalooki=False):
            return cards
    return ()


def _on_count(judged: JudgedClaim) -> VerdictWords:
    """Return the points of a hand; if the packs don't hold its cards, that comes first."""
    points = number_of(cast("CountVerdict", judged.verdict).points, "point")
    if judged.faults:
        return VerdictWords(None, "TOO MANY", ((judged.faults[0].text,), (f"As typed: {points}.",)), judged.warnings)
    return VerdictWords(True, points, (("count against the player holding them",),), judged.warnings)


def order_words(judged: JudgedClaim) -> str:
    """Return in which order cards are legal if they lie otherwise: “only as ★ 7♥ 8♥ ★”."""
    words = []
    for order in judged.orders:
        lays = ([JOKER if card.is_joker else card for card in meld.cards] for meld in order.readings)
        cards = " or ".join(map(in_a_sentence, lays))
        words.append(f"only as {cards}" if order.is_new else f"only if {cards} lies on the table")
    return ", ".join(words)


def is_unfinished(kind: str, judged: JudgedClaim) -> bool:
    """Return whether a claim is only incomplete: nothing else is wrong with it."""
    faults, to_come = judged.verdict.faults, STILL_TO_COME.get(kind, ())
    is_only_incomplete = all(fault.rule in to_come and fault.facts.get("case") != "never" for fault in faults)
    if kind != "turn":
        return bool(faults) and is_only_incomplete
    is_thrown = all(fault.rule != "last-discard" for fault in faults)
    return is_only_incomplete and not is_thrown and bool(cast("TurnVerdict", judged.verdict).hand)


def lines_below_headline(judged: JudgedClaim, ruling: VerdictWords) -> tuple[Line, ...]:
    """Return the lines below the headline in full screen: the reason or, for a count, what each card counts."""
    if judged.faults or not isinstance(judged.verdict, CountVerdict):
        return ruling.why
    label = at_once_label(judged.variant)
    return tuple((item.cards or label, f"= {item.points}") for item in judged.verdict.items)


def at_once_label(variant: Variant) -> str:
    """Return the name of what going out all at once adds to the cards: “Doubled”, “Times 3”."""
    return at_once_words(variant.kalooki_times, variant.kalooki_points).capitalize()


def other_readings(kind: str, judged: JudgedClaim) -> list[Line]:
    """Return the melds of a legal opening as they were read, or the other readings of a legal meld."""
    lines = [reading_of(reading, judged.variant) for reading in judged.readings] if judged.verdict.ok else []
    return [("or", *line) for line in lines[1:]] if kind == "meld" else lines if kind == "opening" else []


_OUT_UNFINISHED = "No card is thrown yet. Nobody goes out without throwing one, so keep one back."
_ENDINGS = {"kalooki": "A KALOOKI", "bending": "TABLE BENT"}


def _headline(kind: str, judged: JudgedClaim) -> str:
    return _ENDINGS.get(cast("TurnVerdict", judged.verdict).ending or "", "OUT") if kind == "out" else "LEGAL"


def reading_of(reading: MeldReading, variant: Variant) -> Line:
    """Return a meld as it was read, with its points if the variant counts them."""
    kind = reading.meld.kind
    name = {"set": "Three", "run": "Four"}[kind] if variant.has_fours else kind.capitalize()
    return (f"{name}:", reading.meld.cards, "" if variant.contracts else f"– {number_of(reading.points, 'point')}")


def _on_opening(judged: JudgedClaim) -> Line:
    verdict, claim = cast("OpeningVerdict", judged.verdict), cast("OpeningClaim", judged.claim)
    if verdict.needed and claim.kalooki and judged.variant.kalooki_below_opening:
        return (f"{number_of(verdict.points, 'point')}. A Kalooki needs no minimum.",)
    if verdict.contract:
        return (f"The contract is met: {contract_words(judged.variant, *verdict.contract)}.",)
    if verdict.needed:
        return (f"{verdict.points} points; {verdict.needed} are needed.",)
    return (number_of(verdict.points, "point"),)


def _on_build(judged: JudgedClaim, before: str = "") -> Line:
    verdict = cast("BuildVerdict", judged.verdict)
    cards = verdict.result.cards if verdict.result else ()
    return (f"{before}The meld is then", cards, "– closed" if verdict.closed else "")


def _on_joker(judged: JudgedClaim) -> Line:
    released = cast("JokerVerdict", judged.verdict).released
    moves = f"{number_of(released, 'joker')} {plural('is', 'are', released)} free." if released else "The joker moves."
    return _on_build(judged, f"{moves} ")


def _on_turn(judged: JudgedClaim) -> Line:
    hand = cast("TurnVerdict", judged.verdict).hand
    return (judged.why,) if judged.why else ("Still held:", hand) if hand else ()


_WHY: Mapping[str, Callable[[JudgedClaim], Line]] = {
    "meld": lambda judged: reading_of(judged.readings[0], judged.variant),
    "opening": _on_opening,
    "build": _on_build,
    "joker": _on_joker,
    "out": _on_turn,
    "turn": _on_turn,
}


# ---- The best lay-down


def _on_laydown(judged: JudgedClaim) -> VerdictWords:
    """Return the answer for the best lay-down."""
    laydown, claim = cast("LaydownVerdict", judged.verdict).laydown, cast("SolveClaim", judged.claim)
    rule = next((warning.rule for warning in judged.verdict.warnings), "")
    is_explained = rule not in ("", "few-cards-warning")
    text = " ".join([_describe_goal(laydown, claim, judged.variant, is_explained), *judged.warnings]).strip()
    melds = [part for meld in laydown.melds for part in (meld.cards, "·")][:-1] if laydown.possible else []
    throw = [("Throw", (laydown.discard,))] if laydown.discard else []
    is_out = claim.goal == "least_after_throw" and not laydown.left
    ok = laydown.possible if claim.goal in CAN_FAIL or is_out or not laydown.possible else None
    return VerdictWords(
        ok, _answer(laydown, claim.goal), tuple(filter(None, ((text,), tuple(melds), *throw))), (), rule
    )


def _answer(laydown: Laydown, goal: str) -> str:
    if laydown.possible is None:
        return "Undecided"
    if goal in CAN_FAIL or not laydown.possible:
        return "YES" if laydown.possible else "NO"
    return "Laid" if goal == "most_points" else number_of(laydown.points_left, "point")


def _describe_goal(laydown: Laydown, claim: SolveClaim, variant: Variant, is_explained: bool) -> str:
    """Return what can be done or cannot be avoided, leaving out what a warning explains."""
    if laydown.possible is None:
        return "There are too many ways to check them all. Try with fewer melds on the table."
    if claim.goal == "most_points":
        return "These melds are worth the most."
    if claim.goal == "least_after_throw":
        return _describe_least(laydown, claim.opened, variant, is_explained)
    if is_explained:
        return ""
    if not laydown.possible:
        return _cannot_open(variant) if claim.goal == "open" else _CANNOT[claim.goal, variant.last_discard]
    keeping = f"are left with {number_of(laydown.points_left, 'point')}" if laydown.left else "go out"
    done = {"open": f"You can open, and {keeping}.", "kalooki": "You can lay the whole hand at once."}
    return done.get(claim.goal, "You can go out.")


def _describe_least(laydown: Laydown, opened: bool, variant: Variant, is_explained: bool) -> str:
    if not laydown.possible:
        return "A discard you take must go into a new meld this turn, and this one can’t."
    if not laydown.left:
        return "Yes, you can go out."
    stay = "left after the discard." if laydown.discard else "left."
    if is_explained:
        return stay
    return f"{stay} {'You can’t get lower with these cards.' if opened or laydown.melds else _cannot_open(variant)}"


_CANNOT = {
    ("go_out", True): "You can’t lay them all, keeping one to throw.",
    ("kalooki", True): "You can’t lay them all at once, keeping one to throw.",
    ("go_out", False): "You can’t go out.",
    ("kalooki", False): "You can’t lay them all at once.",
}


def _cannot_open(variant: Variant) -> str:
    if not variant.contracts and not variant.opening_points:
        return "There is no meld to open with" + (" that leaves a card to throw." if variant.last_discard else ".")
    missed = "meet the contract" if variant.contracts else f"reach {variant.opening_points} points"
    return f"These cards don’t {missed}" + (" with a card left to throw." if variant.last_discard else ".")


class LaydownRow(NamedTuple):
    """Some cards of a lay-down: what to do with them, and where."""

    does: str
    cards: Cards
    rest: Line = ()

    @property
    def is_left(self) -> bool:
        return self.does == LEFT


LEFT = "left:"


def laydown_rows(laydown: Laydown, table: Sequence[Cards] = ()) -> list[LaydownRow]:
    """Return how to lay the best lay-down, the card to throw, and what stays in the hand."""
    melds = [*table, *(meld.cards for meld in laydown.melds)]
    rows = [LaydownRow("", meld.cards) for meld in laydown.melds]
    rows += [LaydownRow("give", each.give, ("for the joker of", melds[each.on])) for each in laydown.releases]
    rows += [LaydownRow("build", each.cards, ("on", melds[each.on])) for each in laydown.builds]
    left = [LaydownRow(LEFT, laydown.left, (f"– {number_of(laydown.points_left, 'point')}",))] if laydown.left else []
    throw = [LaydownRow("throw", (laydown.discard,))] if laydown.discard else []
    return rows + throw + left


# ---- What decided


class Basis(NamedTuple):
    """A rule that decided, shown with its standing; `is_linked` if readers must look up what it says, with a remark."""

    rule: Explained
    is_linked: bool = False
    remark: str = ""
    length: str = "short"


def doubts_of(judged: JudgedClaim, deciders: Sequence[Explained]) -> list[Explained]:
    """Return the rules whose other reading would reverse the verdict."""
    broken = {fault.rule for fault in judged.faults}
    return [rule for rule in deciders if rule.rule not in broken]


def basis_of(judged: JudgedClaim, deciders: Sequence[Explained], applied: Sequence[Explained]) -> list[Basis]:
    """Return what decided, in short: the rule broken, or else one whose other reading would reverse the verdict.

    That reading is always shown. If there is neither, return the house rules that were applied, or else where most of
    the rules come from.
    """
    faults, doubts = judged.faults[:1], doubts_of(judged, deciders)
    unclear = [rule for rule in (*faults, *doubts) if rule.standing == "both"]
    lead = next(iter((*faults, *unclear, *doubts)), None)
    if not lead:
        own = [Basis(rule) for rule in applied if rule.standing == "house"]
        is_stated = sum(rule.standing == "source" for rule in applied) * 2 > len(applied)
        sources = (Source("", document_of(judged.variant).title, ""),) if is_stated else ()
        standing = "source" if is_stated else "usual"
        return own or [Basis(Explained("", "", "", standing=standing, sources=sources))]
    first = Basis(lead, not faults and lead.standing == "usual", lead.remark if lead in unclear else "")
    others = [Basis(rule, False, rule.remark, "named") for rule in unclear[:1]]
    others = others or [Basis(rule, is_linked=True) for rule in doubts[:1] if faults]
    return [first, *(each for each in others if each.rule is not lead)]


def describe_claim(check: str, raw: Mapping[str, Any], variant: Variant) -> str:
    """Return a recorded claim in a few words, with the cards as they look: “opening A♠ A♥ A♦ / 6♥ on 7♥ 8♥ 9♥”.

    Of a claim that no check can read, only the cards are described.
    """
    name = _CHECKS.get(check, check)
    try:
        claim = CLAIMS[check].read(raw, "")
    except (BadInput, KeyError):
        return f"{name} {_cards_of(raw)}".strip()
    lines = (
        " ".join(part if isinstance(part, str) else in_a_sentence(part) for part in line) for line in lines_of(claim)
    )
    return ", ".join([f"{name} {' / '.join(lines) or _cards_of(raw)}".strip(), *conditions_of(claim, variant)])


def _cards_of(raw: Mapping[str, Any]) -> str:
    cards = next(filter(None, (raw.get(key) for key in ("cards", "on", "hand", "melds"))), "")
    return " / ".join(map(str, cards)) if isinstance(cards, list) else str(cards)


def lines_of(claim: Claim) -> tuple[Line, ...]:
    """Return what is on the table, what is laid on it and what is thrown, in reading order."""
    return tuple(line for line in _LINES[type(claim)](claim) if any(line))


def conditions_of(claim: Claim, variant: Variant) -> tuple[str, ...]:
    """Return what else decides: whether the player has opened, which hand is played, and what happened before."""
    return tuple(_conditions(claim, variant))


def _builds(builds: tuple[Build, ...]) -> Iterator[Line]:
    return ((cards, "on", on) for on, cards in builds)


def _opening(claim: OpeningClaim) -> Iterator[Line]:
    yield from ((cards,) for cards in claim.melds)
    yield from _builds(claim.builds)


def _joker(claim: JokerClaim) -> Iterator[Line]:
    yield claim.give, plural("for the joker of", "for jokers of", len(claim.give)), claim.on


def _out(claim: OutClaim) -> Iterator[Line]:
    yield from ((cards,) for cards in claim.melds)
    yield from _builds(claim.builds)
    yield "throws", claim.thrown or "nothing"


def _solve(claim: SolveClaim) -> Iterator[Line]:
    yield (claim.cards,)
    yield from (("on the table", cards) for cards in claim.table)


def _turn(claim: TurnClaim) -> Iterator[Line]:
    yield "holds", claim.hand
    for cards, owner in claim.table:
        yield "on the table", cards, *(["(their own)"] if owner == claim.me else [])
    melds = [meld.cards for meld in claim.table]
    for step in claim.steps:
        yield _step(step, melds)
        if step.do == "meld":
            melds.append(step.cards)


def _step(step: Step, melds: list[Cards]) -> Line:
    """Return one step of a turn; a meld on the table is named by its cards as they were at first."""
    on = melds[step.on] if step.on < len(melds) else f"meld {step.on + 1}"
    match step.do:
        case "draw":
            return "draws" if step.source == "stock" else "takes the discard", step.cards
        case "build":
            return "builds", step.cards, *([f"at the {step.end} end"] if step.end else []), "on", on
        case "free_joker":
            return "frees the joker of", on, "with", step.cards
        case "meld":
            return "lays", step.cards
    return "throws", step.cards


_LINES: Mapping[type, Callable[[Any], Iterator[Line]]] = {
    MeldClaim: lambda claim: iter([(claim.cards,)]),
    OpeningClaim: _opening,
    BuildClaim: lambda claim: _builds(((claim.on, claim.cards),)),
    JokerClaim: _joker,
    TurnClaim: _turn,
    OutClaim: _out,
    CountClaim: lambda claim: iter([(claim.cards,)]),
    DeckClaim: lambda claim: ((cards,) for cards in claim.holdings),
    SolveClaim: _solve,
}


def _conditions(claim: Claim, variant: Variant) -> Iterator[str]:
    has_opened = getattr(claim, "opened", isinstance(claim, (MeldClaim, CountClaim, DeckClaim)))
    contract = variant.contract(getattr(claim, "hand_number", 0))
    if not has_opened and not isinstance(claim, OpeningClaim):
        yield "not laid down yet" if variant.contracts else "not opened yet"
    if not has_opened and contract:
        yield f"the contract is {contract_words(variant, *contract)}"
    match claim:
        case OpeningClaim(kalooki=True):
            yield "the whole hand at once"
        case BuildClaim(built_this_turn=built) if variant.build_end_limit is not None:
            yield from (f"{count} built at the {end} end before" for end, count in built._asdict().items() if count)
        case CountClaim(bending=True) if variant.kalooki_ending == "bending":
            yield "the table was bent"
        case SolveClaim():
            yield _GOALS[claim.goal]
            yield from (f"{in_a_sentence((card,))} taken from the pile" for card in claim.taken)
        case TurnClaim() | OutClaim():
            yield from _before(claim, variant)


def _before(claim: TurnClaim | OutClaim, variant: Variant) -> Iterator[str]:
    """Yield what happened before a turn, as far as it decides anything under the rules of the variant."""
    if isinstance(claim, TurnClaim):
        if claim.first_turn and variant.first_draw_free:
            yield "the first turn of the hand"
        if claim.calls and variant.has_calls:
            yield f"{number_of(claim.calls, 'call')} made"
        if claim.held_after_last_turn is not None and variant.warning_at:
            yield f"{number_of(claim.held_after_last_turn, 'card')} held after the last turn"
    if claim.warned is not None and variant.warning_at:
        yield "warned" if claim.warned else "did not warn"


_CHECKS = {"out": "going out", "solve": "what could be laid"}
"""The checks that words call otherwise."""
_GOALS = {
    "least_points": "for fewest points left",
    "least_after_throw": "for fewest points left",
    "most_points": "to lay most points",
    "open": "to open",
    "go_out": "to go out",
    "kalooki": "to go out all at once",
}
