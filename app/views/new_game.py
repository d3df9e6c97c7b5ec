"""The pages outside a game: home, and the start of a new game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from flask import Blueprint, flash, render_template, request
from werkzeug.datastructures import MultiDict

from app.forms.new_game import NewGameForm, as_before, blank, known_variant
from app.forms.seats import rearranged, seated
from app.i18n import _, gettext
from app.kalooki.cards import Malformed
from app.kalooki.game.events import to_json
from app.kalooki.rules.rulebook import explain
from app.kalooki.variants import all_variants
from app.log import StartedBefore, StartedOtherwise
from app.table import recording
from app.views import access, device
from app.views.company import company, faces_of
from app.views.example import leave_with_this_page
from app.views.game.joining import play_on
from app.views.game.one_tap import to_the_game
from app.views.rules import variant_last_played

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

    from app.kalooki.game.events import Start

blueprint = Blueprint("start", __name__)

FOLLOWS_THE_VARIANT = ("house-", "out_at", "asked_of")
"""Fields that reset when another variant is chosen."""


@blueprint.get("/")
def home() -> str:
    """Start a game, continue one, check a meld, read the rules; opening this page ends a game being tried."""
    leave_with_this_page()
    tables = access.tables_here()
    return render_template(
        "home.html",
        tables=tables,
        running=next((table for table in tables if not table.game.finish), None),
        setup=device.last_setup(),
        variant=variant_last_played(tables),
        variants=[*all_variants()],
    )


@blueprint.get("/new")
def new_game() -> str:
    """The form for a game; `again` fills it in as last time, `variant` chooses one."""
    leave_with_this_page()
    setup = device.last_setup()
    if setup and "again" in request.args:
        return _form_page(NewGameForm(formdata=None, data=as_before(setup)))
    variant = known_variant(request.args.get("variant"))
    return _form_page(NewGameForm(formdata=None, data=blank(variant)))


@blueprint.post("/new")
def start_game() -> str | Response | tuple[str, int]:
    """Start the game, or do what another button asks and show the form again with everything typed."""
    do = request.form.get("do", "start")
    form = _typed(seated(request.form) if do == "start" else rearranged(request.form, do))
    if do == "variant":
        return _form_page(_for_another_variant(), asked_anew=True)
    if form.asks_of_another:
        form = _for_another_variant()
        flash(
            _("The rules below are now those of %(variant)s: please check them.") % {"variant": form.played.name}, "ok"
        )
        return _form_page(form)
    if do != "start":
        return _form_page(form)
    access.require_room()
    code = _start(form) if form.validate() else None
    return to_the_game(code) if code else (_form_page(form), 422)


def _for_another_variant() -> NewGameForm:
    """The form with everything typed except house rules, which are those of the variant now chosen."""
    kept = [(key, value) for key, value in request.form.items(multi=True) if not key.startswith(FOLLOWS_THE_VARIANT)]
    return _typed(MultiDict(kept))


def _typed(contents: MultiDict[str, str]) -> NewGameForm:
    """The form as sent; missing fields follow the variant."""
    return NewGameForm(formdata=contents, data=blank(known_variant(contents.get("variant"))))


def _start(form: NewGameForm) -> str | None:
    """The code of the game the form describes, started now or before; None if it cannot, and the form says why."""
    try:
        event = form.start()
    except Malformed as error:
        form.form_errors.append(error.say(gettext))
        return None
    return None if form.errors else _started(form, event)


def _started(form: NewGameForm, event: Start) -> str | None:
    event = replace(event, faces=faces_of(event.players))
    begun = recording.start(event, device.own_submission(form.submission.data or ""), device.name())
    match begun:
        case recording.Started():
            _remember(begun, event)
            if form.rematch_of.data:
                play_on(form.rematch_of.data, begun.code)
            return begun.code
        case recording.Unplayable():
            form.form_errors += [explain(fault, begun.variant, gettext).text for fault in begun.faults]
        case StartedBefore() | StartedOtherwise():
            if code := device.game_started(begun):
                return code
            form.start_afresh()
            form.form_errors.append(_("This page has already started a game. Start again to make another one."))
        case _:
            assert_never(begun)
    return None


def _remember(started: recording.Started, start: Start) -> None:
    device.remember(started.code, started.secret, started=True)
    device.keep_setup(to_json(start))
    for noted in started.game.warnings:
        flash(explain(noted.fault, started.game.variant, gettext).text, "warn")


def _form_page(form: NewGameForm, *, asked_anew: bool = False) -> str:
    setup = None if "again" in request.args else device.last_setup()
    form.show_two_seats()
    return render_template(
        "new_game.html", form=form, setup=setup, variant=form.played, company=company(), asked_anew=asked_anew
    )
