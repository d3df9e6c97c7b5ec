"""What every template can use besides its view's context: globals, filters and tests."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, cast
from uuid import uuid4

import flask
from flask import Flask, current_app, g, has_request_context, request
from jinja2 import BaseLoader, Environment
from markupsafe import Markup
from wtforms import Field

from app import days
from app.forms.house import HouseForm, where_asked
from app.games.preview import call_up_words, can_be_looked_at
from app.history import phrases, settling, standings, story, timeline, verdicts
from app.history.formats import MoneyFormat, money_format, plural, region_of, show_currency, write_day
from app.kalooki.cards import BadInput, Card
from app.kalooki.game.apply import calls_by_seat
from app.kalooki.game.play import Game
from app.kalooki.points import UNREADABLE, read_cards
from app.kalooki.rules.wording import called, contract_words, wording
from app.kalooki.variants import Variant, all_variants
from app.settings import ROOT
from app.sheets.paper import paper_choices
from app.views.access import form_token
from app.views.game.board import PART
from app.views.game.entries import correction_address, form_that_fixes
from app.views.game.rooms import ROOMS, room_of
from app.views.referee import CHECKS_OFFERED, NAMES
from app.views.responses import asset, release

_SCRIPTS = ROOT / "static" / "js"
_STATIC = re.compile(r'^import [^;]*?"\./([\w./-]+)"', re.MULTILINE)
_DYNAMIC = re.compile(r'\bimport\("\./([\w./-]+)"\)(?!\.[A-Z])')  # in a comment, it is a type
_EARLY, _LATER = Markup('rel="modulepreload"'), Markup("data-later")
_Links = tuple[tuple[str, Markup], ...]
"""The modules that a page links, each with the attribute that says when it is fetched."""


def script(name: str) -> Markup:
    """Return the element that runs a module, with links to its imports that the page does not link yet.

    Static imports are fetched early; dynamic ones are stored by the worker for a phone without a network.
    """
    elements, g.scripts = _elements(name, asset("js"), g.get("scripts", ()))
    return elements


@lru_cache(maxsize=256)
def _elements(name: str, folder: str, linked: _Links) -> tuple[Markup, _Links]:
    """Return those elements, and everything the page then links; `folder` is the address of the modules."""
    at_once, later = _modules_of(f"{name}.js")
    before = dict(linked)
    links = dict.fromkeys(later, _LATER) | dict.fromkeys(at_once, _EARLY)
    link, run = Markup('<link {} href="{}/{}">'), Markup('<script type="module" src="{}/{}.js"></script>')
    new = [link.format(when, folder, each) for each, when in links.items() if before.get(each) not in (when, _EARLY)]
    links |= {each: when for each, when in linked if when == _EARLY or each not in links}
    return Markup("").join([*new, run.format(folder, name)]), tuple(links.items())


@lru_cache
def _modules_of(module: str) -> tuple[list[str], list[str]]:
    """Return the static imports of a module, and all imports, direct or not."""
    return _reachable(module, _STATIC)[1:], _reachable(module, _STATIC, _DYNAMIC)[1:]


def _reachable(module: str, *imports: re.Pattern[str]) -> list[str]:
    reached = [module]
    for each in reached:  # grows during the loop
        text = (_SCRIPTS / each).read_text("utf-8")
        modules = dict.fromkeys(name for pattern in imports for name in pattern.findall(text))
        reached += [name for name in modules if name not in reached]
    return reached


def macros(templates: Environment) -> dict[str, Callable[..., str]]:
    """Return the macros in `macros/` by name; a file is compiled when one of its macros is first called."""
    loader = cast("BaseLoader", templates.loader)
    return {
        name: partial(_call_macro, templates, file, name)
        for file in templates.list_templates()
        if file.startswith("macros/")
        for name in re.findall(r"{%-? macro ([a-z]\w*)", loader.get_source(templates, file)[0])
    }


def _call_macro(templates: Environment, file: str, called: str, /, *values: Any, **named: Any) -> str:
    macro: Callable[..., str] = getattr(templates.get_template(file).module, called)
    return macro(*values, **named)


HISTORY = (phrases, settling, standings, story, timeline, verdicts)
"""The modules whose functions templates call by both names, such as `timeline.title_of`."""


def init(app: Flask) -> None:
    """Register all of them."""
    templates = app.jinja_env
    ours = (render_question, asset, script, day_words, url_for, release, form_token)
    others = (
        call_up_words,
        MoneyFormat,
        money_format,
        region_of,
        show_currency,
        paper_choices,
        where_asked,
        all_variants,
        calls_by_seat,
        correction_address,
        form_that_fixes,
    )
    templates.globals |= {each.__name__.rpartition(".")[2]: each for each in HISTORY}
    templates.globals |= {each.__name__: each for each in (*ours, *others)}
    templates.globals |= {
        "plural": _plural_in_markup,
        "rooms": ROOMS,
        "room_of": room_of,
        "called": called,
        "contract_words": contract_words,
        "checks": CHECKS_OFFERED,
        "check_names": NAMES,
        "group_titles": wording()["groups"],
        "heading_titles": wording()["headings"],
        "unreadable": UNREADABLE,
        "moment_titles": wording()["moments"],
    }
    templates.filters |= {"as_cards": as_cards}
    templates.tests["worth_a_look_back"] = can_be_looked_at
    templates.globals |= macros(templates)
    app.context_processor(_layout)


def url_for(endpoint: str, **values: Any) -> str:
    """Return the result of Flask's `url_for`, with a cache; the values must be hashable."""
    return _address_below(request.script_root, endpoint, **values)


@lru_cache(maxsize=4096, typed=True)
def _address_below(_root: str, endpoint: str, **values: Any) -> str:
    return flask.url_for(endpoint, **values)


def render_question(rules: HouseForm, field: Field) -> Markup:
    """Return a question about house rules; with the variant's own value, it is rendered once per variant."""
    name = (rules.base.id, str(field.id))
    base, text = _QUESTIONS.get(name, (None, Markup()))
    is_usual = rules.is_usual(field)
    if is_usual and base is rules.base:
        return text
    render = cast("Callable[..., str]", current_app.jinja_env.globals["rule_question"])
    text = Markup(render(rules, field))  # noqa: S704 - rendered by a template that escapes
    if is_usual:
        _QUESTIONS[name] = rules.base, text
    return text


_QUESTIONS: dict[tuple[str, str], tuple[Variant, Markup]] = {}
"""Rendered questions by variant and field."""


def day_words(day: str, game: Game) -> str:
    """Return a day, or a day and time, as the game's table writes it, without the year if it is the current one."""
    return write_day(day, region_of(game), days.now())


def as_cards(text: str | None) -> tuple[Card, ...]:
    """Return the cards in a text; none if they cannot be read.

    >>> as_cards("K♠ *")
    (Card(rank='K', suit='S', stands_for=None), Card(rank='*', suit='', stands_for=None))
    >>> as_cards("K♠ and so on"), as_cards("1 2")
    ((), ())
    """
    try:
        return read_cards(text).cards
    except BadInput:
        return ()


def _layout() -> dict[str, Any]:
    """Return the layout if only part of a page is requested, and a submission for buttons."""
    if not has_request_context():
        return {"layout": None}
    return {"layout": PART if "part" in request.args else None, "submission": uuid4()}


def _plural_in_markup(one: str, many: str, count: int, /, **facts: object) -> Markup:
    """Return the singular or the plural with `count` as `num`, and escaped facts.

    >>> _plural_in_markup("{num} card", "{num} cards", 2)
    Markup('2 cards')
    """
    return Markup(plural(one, many, count)).format(num=count, **facts)  # noqa: S704 - a text of ours
