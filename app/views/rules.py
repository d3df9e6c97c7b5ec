"""The rules of a variant or a game, and disputes and what goes wrong at a table, answered by them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, flash, make_response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app.forms.new_game import TermsForm, known_variant
from app.games.recording import RecordedGame
from app.history.formats import region_of
from app.history.phrases import stakes_by_value
from app.history.timeline import differences
from app.kalooki.game.events import Event
from app.kalooki.game.play import Game
from app.kalooki.readers import LONGEST_ID
from app.kalooki.rules import answers
from app.kalooki.rules.answers import Answer, RuledCase, answer_of
from app.kalooki.rules.disputes import GROUPS, HEADINGS, of_kind
from app.kalooki.rules.find import cards_in
from app.kalooki.rules.rulebook import Explained, document_of, documents, rule_in_words, rules_of
from app.kalooki.rules.wording import at_a_glance, glance_words, hand_words, value_words, wording
from app.kalooki.variants import Variant, all_variants, as_house_rules, differing_values, ids, load, meanings
from app.views import access, limits
from app.views.game.board import RELEASE, RULES, conditional, rules_tag, tag_of
from app.views.game.workflow import address_of, button_value, record_action, to_the_game

blueprint = Blueprint("rules", __name__)
access.load_game(blueprint)

_View = TypeVar("_View", bound=Callable[..., Any])

MOSTLY = 3
"""If there is this many times more common practice than stated rules, a page marks only what is stated."""


@blueprint.get("/rules")
def index() -> str:
    """Show the list of variants."""
    return render_template("rules/index.html")


@blueprint.get("/rules/<variant_id>")
def variant(variant_id: str) -> str:
    """Show the rules of one variant."""
    return _rules_page(_variant_or_404(variant_id))


@blueprint.get("/g/<code>/rules")
def game(record: RecordedGame) -> str:
    """Show the rules of one game: its variant's, with the house rules of the table."""
    return _rules_page(record.game.explained_variant, record)


@blueprint.get("/compare")
def compare() -> str:
    """Show the values that two variants play differently."""
    every = all_variants()
    a = _variant_in_address("a", every[0])
    b = _variant_in_address("b", next(each for each in every if each.id != a.id))
    in_words = {side: _in_words(side) for side in (a, b)}
    played = {side: _keys_in_use(side, spoken) for side, spoken in in_words.items()}
    keys = [key for key in differing_values(a, b) if key in played[a] | played[b]]
    values = [(meanings()[key], value_words(a, key), value_words(b, key)) for key in keys]
    return render_template("rules/compare.html", a=a, b=b, values=values, played=played, in_words=in_words)


def _rules_page(variant: Variant, record: RecordedGame | None = None) -> str:
    chapters = rules_of(variant, stakes_by_value(record.game.stakes, region_of(record.game)) if record else {})
    cited = {source.id for chapter in chapters for rule in chapter.rules for source in rule.sources}
    own = document_of(variant)
    sources = [document for key, document in ({**documents(), variant.source: own}).items() if key in cited]
    standings = Counter(rule.standing for chapter in chapters for rule in chapter.rules)
    return render_template(
        "rules/variant.html",
        chapters=chapters,
        basics=wording()["basics"],
        document=own,
        sources=sources,
        unmarked="usual" if standings["usual"] > MOSTLY * standings["source"] else "source",
        glance=_glance(variant),
        may_write=record is not None and access.may_write(record.code),
        is_tried=record is not None and access.sample_game() == record.code,
        **rules_context(variant, record),
    )


def route_with_and_without_game(blueprint: Blueprint, rule: str) -> Callable[[_View], _View]:
    """Return a decorator that serves a view at two addresses: `/wrong` and, with a `code`, `/g/<code>/wrong`."""

    def register(view: _View) -> _View:
        for below in ("", "/g/<code>"):
            blueprint.add_url_rule(below + rule, view_func=view)
        return view

    return register


def _glance(variant: Variant) -> list[tuple[str, str, Explained]]:
    """Return what players look up most: label, value and rule; contracts hand by hand."""
    rules = _in_words(variant)
    played = _keys_in_use(variant, rules)
    pairs = ((slug, key) for slug, about in at_a_glance() for key in about.get("values", ()) if key in played)
    glances = ((key, glance_words(variant, slug, key), rules[slug]) for slug, key in pairs)
    contracts = [
        (f"Hand {number}", hand_words(variant, number), rules["contract"])
        for number in range(1, len(variant.contracts_played) + 1)
    ]
    return contracts + [(_label(variant, key, rule), words, rule) for key, words, rule in glances if words]


def _label(variant: Variant, key: str, rule: Explained) -> str:
    """Return the heading of a value's rule in this variant, or the value's own label.

    The label is used for black and red aces, which share a rule, and for “yes” or “no”, which answers the label.
    """
    is_own = (key.endswith("ace_left") and variant.colour_scores) or isinstance(getattr(variant, key), bool)
    return meanings()[key].label if is_own else rule.title


def rules_context(variant: Variant, record: RecordedGame | None) -> dict[str, Any]:
    """Return the context with which a page says whose rules it shows."""
    return {
        "variant": variant,
        "table": record,
        "differences": differences(record.game) if record else (),
        "spoken": _in_words(variant) if variant.house else (),
        "to_rules": to_rules(variant, record),
        "place": place_of(variant, record),
    }


def place_of(variant: Variant, record: RecordedGame | None) -> dict[str, Any]:
    """Return the URL values of a page about the rules of a game or a variant."""
    return {"code": record.code} if record else {"variant": variant.id}


def to_my_game() -> str:
    """Return the address of this page with the rules of the game in play on this device; empty if it has them."""
    last = next(iter(access.get_games_here(most=1)), None)
    values = request.view_args or {}
    if not last or last.game.finish or "record" in values:
        return ""
    query = urlencode([(name, text) for name, text in request.args.items(multi=True) if name != "variant"])
    return f"{url_for(str(request.endpoint), code=last.code, **values)}?{query}".removesuffix("?")


def to_rules(variant: Variant, record: RecordedGame | None) -> str:
    """Return the address of the rules that a page applies."""
    if record:
        return url_for("rules.game", code=record.code)
    return url_for("rules.variant", variant_id=variant.id)


def _in_words(variant: Variant) -> dict[str, Explained]:
    """Return the rules on a variant's page, by slug."""
    return {rule.rule: rule for chapter in rules_of(variant) for rule in chapter.rules}


def _keys_in_use(variant: Variant, spoken: Mapping[str, Explained]) -> set[str]:
    """Return the keys of values that decide something in a variant, because a rule on its page mentions them."""
    return {key for key, meaning in meanings().items() if meaning.rule in spoken and _matters(variant, key)}


def _matters(variant: Variant, key: str) -> bool:
    """Return whether another number would change the rule's text; a low ace's points do not if aces are only high."""
    number = getattr(variant, key)
    if isinstance(number, bool) or not isinstance(number, int):
        return True
    rule = meanings()[key].rule
    changed: dict[str, Any] = {key: number + 1}
    return rule_in_words(rule, replace(variant, **changed)).text != rule_in_words(rule, variant).text


def _variant_in_address(name: str, usual: Variant) -> Variant:
    """Return the variant in a parameter of the address, by default `usual`."""
    return _variant_or_404(request.args.get(name, "") or usual.id)


def requested_variant() -> Variant:
    """Return the variant in the address, by default the one last played."""
    named = request.args.get("variant", "")
    return _variant_or_404(named) if named else last_variant(access.get_games_here(most=1))


def judged_terms(form: TermsForm, **addresses: str) -> str:
    """Return the stakes and house rules of a form as typed, with what is wrong with them, for the script to show."""
    form.house.form.validate()
    return render_template("fragments/terms.html", form=form, **addresses)


def last_variant(opened: Sequence[RecordedGame]) -> Variant:
    """Return the variant of the first of these games, else of the game last started here, else the usual one."""
    last = opened[0].game.variant.id if opened else (access.last_setup() or {}).get("variant")
    return known_variant(last)


def _variant_or_404(variant_id: str) -> Variant:
    if variant_id not in ids():
        abort(404, f"There are no rules called “{variant_id[:LONGEST_ID]}” here. Rules lists every version.")
    return load(variant_id)


def linked_variant(named: str) -> Variant:
    """Return the variant named in a link to a form; if there is none of that name, flash that and return the first."""
    if named and named not in ids():
        flash(_NO_VARIANT.format(name=named[:LONGEST_ID]), "warn")
    return known_variant(named)


def warn_of_lost_variant(variant: Variant) -> None:
    """Flash with which rules a form is filled in, if the game's variant no longer exists."""
    if variant.is_own:
        nearest = as_house_rules(variant)[0].name
        flash(f"{variant.name} isn’t offered any more: its rules are filled in as house rules of {nearest}.", "warn")


_NO_VARIANT = "This server has no variant “{name}”. Games started with it continue; choose another for a new game."


disputing = Blueprint("disputes", __name__)
access.load_game(disputing)


@route_with_and_without_game(disputing, "/disputes")
def show_disputes(record: RecordedGame | None = None) -> ResponseReturnValue:
    """Show the referee's page; `q` is a question to answer by the rules of one variant or one game."""
    limits.take("questions")
    if slug := request.args.get("answer", ""):
        variant = _rules_of(record)
        return redirect(url_for("disputes.show_all", **place_of(variant, record), answer=slug, _anchor=slug))
    if question := request.args.get("q", "").strip():
        return _answers_page(question, record)
    variant = _rules_of(record)
    return _unless_known(record, variant, lambda: _referee_page(variant, record))


def _answers_page(question: str, record: RecordedGame | None) -> str:
    """Return the referee's page with the answers to a question, by the rules of another variant if it names one."""
    asked_in, asked_by = record, _rules_of(record)
    reply = answers.reply(question, asked_by, _amounts(record))
    named = reply.named
    return _referee_page(
        named or asked_by,
        None if named else record,
        keeper="keep-answer" if record and not named and access.may_write(record.code) else "",
        question=question,
        reply=reply,
        asked_in=asked_in,
        asked_by=asked_by,
        laid=cards_in(question),
        prominent=1 if question in dict(answers.asked_most(asked_by)).values() else answers.PROMINENT,
    )


def _referee_page(variant: Variant, record: RecordedGame | None, **answered: Any) -> str:
    asked = {"question": "", "reply": None, "asked_in": record, "asked_by": variant} | answered
    return render_template(
        "disputes/index.html",
        asked_place=place_of(asked["asked_by"], asked["asked_in"]),
        asked_most=answers.asked_most(variant),
        headings=HEADINGS,
        rulings=_rulings(record) if record else (),
        principles=answers.principles(variant),
        **asked,
        **_change_context(variant, record),
    )


@route_with_and_without_game(disputing, "/disputes/all")
def show_all(record: RecordedGame | None = None) -> Response:
    """Show all disputes, answered for one variant or one game; `answer` is the slug of the one to unfold."""
    variant = _rules_of(record)
    page = _unless_known(record, variant, lambda: _all_page(variant, record))
    if record:
        page.headers[RULES] = rules_tag(record)
    return page


def _all_page(variant: Variant, record: RecordedGame | None) -> str:
    every = answers.settle_all(variant, _amounts(record))
    return render_template(
        "disputes/all.html",
        groups={group: [answer for answer in every if answer.group == group] for group in GROUPS},
        opened=request.args.get("answer", ""),
        principles=answers.principles(variant),
        search_words=_search_words,
        **_change_context(variant, record),
    )


def _search_words(answer: Answer) -> str:
    """Return players' words for an answer that its title and rulings lack, each once, to search the page."""
    text = " ".join((answer.title, *(f"{case.ruling} {case.remedy}" for case in answer.cases))).casefold()
    words = dict.fromkeys(" ".join(answer.searched_by).split())
    return " ".join(word for word in words if word.casefold() not in text)


def _unless_known(record: RecordedGame | None, variant: Variant, page: Callable[[], str]) -> Response:
    """Return a page, or 304 if the browser has it; a page with a message is always sent."""
    if "_flashes" in session:
        return make_response(page())

    def tag() -> str:
        return tag_of(record.code, record.version) if record else f"{variant.id}-{to_my_game()}-{RELEASE}"

    return conditional(tag, page)


@route_with_and_without_game(disputing, "/wrong")
@route_with_and_without_game(disputing, "/wrong/<heading>")
@route_with_and_without_game(disputing, "/wrong/<heading>/<slug>")
@route_with_and_without_game(disputing, "/wrong/<heading>/<slug>/<when>")
def wrong(record: RecordedGame | None = None, heading: str = "", slug: str = "", when: str = "") -> ResponseReturnValue:
    """Ask what went wrong and when it was noticed, then show the ruling."""
    variant = _rules_of(record)
    if not heading:
        return redirect(url_for("disputes.show_disputes", **place_of(variant, record), _anchor="wrong"))
    if heading not in HEADINGS:
        abort(404)
    mishap = _mishap(variant, heading, slug, _amounts(record)) if slug else None
    mishaps = (each for each in of_kind("mishap").values() if each.group == heading)
    may_write = record is not None and access.may_write(record.code)
    return render_template(
        "disputes/wrong.html",
        heading=heading,
        answers=[] if slug else [answers.settle(each, variant, _amounts(record)) for each in mishaps],
        mishap=mishap,
        case=_case(mishap, when) if mishap else None,
        principles=answers.principles(variant),
        may_write=may_write,
        may_void=may_write and record is not None and not record.game.finish and len(record.game.playing) > 1,
        **_change_context(variant, record),
    )


@route_with_and_without_game(disputing, "/shown/<kind>/<slug>")
def show_large(kind: str, slug: str, record: RecordedGame | None = None) -> str:
    """Show one ruling in full screen; `when` is the moment an irregularity was noticed."""
    variant = _rules_of(record)
    answer = (kind != "rule" and answer_of(kind, slug, variant, _amounts(record))) or abort(404)
    back = url_for("disputes.show_all", **place_of(variant, record), answer=slug, _anchor=slug)
    case = _case(answer, request.args.get("when", "")) or answer.cases[0]
    return render_template("disputes/shown.html", answer=answer, case=case, back=back, variant=variant, table=record)


@route_with_and_without_game(disputing, "/elsewhere/<kind>/<slug>")
def elsewhere(kind: str, slug: str, record: RecordedGame | None = None) -> str:
    """Show one answer with its reasons as it is played here, and as the other variants have it."""
    variant = _rules_of(record)
    own = answer_of(kind, slug, variant, _amounts(record))
    others = {each: answer_of(kind, slug, each) for each in all_variants() if record or each.id != variant.id}
    answer = own or next(filter(None, others.values()), None) or abort(404)
    return render_template(
        "disputes/elsewhere.html", answer=answer, own=own, others=others, **_change_context(variant, record)
    )


@disputing.post("/g/<code>/disputes")
def record_answer(record: RecordedGame) -> ResponseReturnValue:
    """Record an answer as a ruling, by its question and first sentence; the button says which (`dispute/ace-low`)."""
    variant = record.game.explained_variant
    kind, _slash, slug = request.form.get("answer", "").partition("/")
    answer = answer_of(kind, slug, variant, _amounts(record)) or abort(400)
    if record_action(
        record, {"kind": "ruling", "claim": answer.title, "verdict": answer.ruling}, "The ruling is noted on the sheet."
    ):
        return to_the_game(record.code)
    return redirect(f"{request.script_root}{request.full_path}", 303)


@disputing.post("/g/<code>/wrong/<heading>/<slug>/<when>")
def record_ruling(record: RecordedGame, heading: str, slug: str, when: str) -> ResponseReturnValue:
    """Record the ruling, or charge a player the table's price, as the button says (`charge-2`)."""
    variant = record.game.variant
    mishap = _mishap(variant, heading, slug, _amounts(record))
    case = _case(mishap, when) or abort(404)
    match button_value():
        case "charge", [seat] if variant.mishap_points and seat in record.game.players:
            price: dict[str, Any] = {
                "seat": seat,
                "points": variant.mishap_points,
                "rule": slug,
                "reason": mishap.title,
            }
            if _reaches_the_limit(record.game, seat):
                sent = {name: request.form.get(name, "") for name in ("seen", "submission")}
                preview_at = url_for("entries.show_preview", code=record.code, kind="penalty")
                return redirect(address_of(preview_at, MultiDict(price | sent), "preview") or abort(400), 303)
            waits = f"The price is charged after hand {record.game.number}."
            is_saved = record_action(record, {"kind": "penalty", "after_hand": True} | price, waits)
        case "keep", []:
            ruling = {"kind": "ruling", "mishap": slug, "noticed": when, "verdict": case.ruling, "note": mishap.title}
            is_saved = record_action(record, ruling, "The ruling is noted on the sheet.")
        case _:
            abort(400)
    return to_the_game(record.code) if is_saved else redirect(f"{request.script_root}{request.path}", 303)


def _reaches_the_limit(game: Game, seat: int) -> bool:
    """Return whether the price of an irregularity would put a player out, so that it matters if a hand is in play."""
    player, is_asked = game.players[seat], not game.pending and not game.finish
    return is_asked and player.playing and game.variant.is_out(player.total + game.variant.mishap_points)


def _rules_of(record: RecordedGame | None) -> Variant:
    """Return the rules of a game; without one, the variant in the address or that of the last game here."""
    return record.game.explained_variant if record else requested_variant()


def _amounts(record: RecordedGame | None) -> Mapping[str, str]:
    """Return a game's stakes as amounts by key; empty without a game or money."""
    return stakes_by_value(record.game.stakes, region_of(record.game)) if record else {}


def _change_context(variant: Variant, record: RecordedGame | None) -> dict[str, Any]:
    """Return whose rules a page shows, and the form to change them: for this game if possible, else for a new game."""
    place = {"rules": record.code} if record else place_of(variant, record)
    may_change = record is not None and access.may_write(record.code)
    form = url_for("entries.enter", code=record.code, kind="setup") if record and may_change else ""
    to_form = f"{form}?" if form else f"{url_for('start.new_game', **place)}&"
    return rules_context(variant, record) | {"to_form": to_form, "to_my_game": to_my_game()}


def _rulings(record: RecordedGame) -> list[Event]:
    """Return the rulings recorded in a game, as corrected, newest first."""
    return [event for number, event in record.effective.items() if number in record.game.rulings][::-1]


def _mishap(variant: Variant, heading: str, slug: str, amounts: Mapping[str, str]) -> Answer:
    mishap = answer_of("mishap", slug, variant, amounts) or abort(404)
    return mishap if mishap.dispute and mishap.dispute.group == heading else abort(404)


def _case(mishap: Answer, when: str) -> RuledCase | None:
    """Return the case for that moment, or the only case; None if the page must ask for the moment."""
    if not when:
        return mishap.cases[0] if len(mishap.cases) == 1 else None
    return next((case for case in mishap.cases if case.when == when), None) or abort(404)
