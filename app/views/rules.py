"""Pages of rules: of one variant, of one game, and of two variants side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import urlencode

from flask import Blueprint, abort, flash, render_template, request, url_for

from app.forms.new_game import TermsForm, known_variant
from app.games.recording import RecordedGame
from app.history.formats import region_of
from app.history.phrases import stakes_by_value
from app.history.timeline import differences
from app.kalooki.readers import LONGEST_ID
from app.kalooki.rules.rulebook import Explained, rule_in_words, rules_of
from app.kalooki.rules.sources import document_of, documents
from app.kalooki.rules.wording import at_a_glance, contract_words, dealt_in, glance_words, value_words, wording
from app.kalooki.variants import Variant, all_variants, as_house_rules, differing_values, ids, load, meanings
from app.views import access, device

blueprint = Blueprint("rules", __name__)

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
def game(code: str) -> str:
    """Show the rules of one game: its variant's, with the house rules of the table."""
    record = access.get_game(code)
    return _rules_page(record.game.played_for, record)


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
        is_tried=record is not None and device.sample_game() == record.code,
        **whose(variant, record),
    )


def anywhere(blueprint: Blueprint, rule: str) -> Callable[[_View], _View]:
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
        (f"Hand {number}", of_hand(variant, number), rules["contract"])
        for number in range(1, len(variant.contracts_played) + 1)
    ]
    return contracts + [(_label(variant, key, rule), words, rule) for key, words, rule in glances if words]


def of_hand(variant: Variant, number: int) -> str:
    """Return the contract of a hand and the cards dealt; empty if the variant has no contracts."""
    contract = variant.contract(number)
    return f"{contract_words(variant, *contract)} ({dealt_in(variant, number)})" if contract else ""


def _label(variant: Variant, key: str, rule: Explained) -> str:
    """Return the heading of a value's rule in this variant, or the value's own label.

    The label is used for black and red aces, which share a rule, and for “yes” or “no”, which answers the label.
    """
    is_own = (key.endswith("ace_left") and variant.colour_scores) or isinstance(getattr(variant, key), bool)
    return meanings()[key].label if is_own else rule.title


def whose(variant: Variant, record: RecordedGame | None) -> dict[str, Any]:
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
    if not last or last.game.finish or "code" in values:
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
    last = opened[0].game.variant.id if opened else (device.last_setup() or {}).get("variant")
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
