"""How pages look on this device: text size and theme."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Blueprint, flash, redirect, render_template, request, url_for
from wtforms import Form, RadioField

from app.forms.fields import options
from app.i18n import N_, _
from app.views import device

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("look", __name__)


class LookForm(Form):
    """Each choice is the value of an attribute in static/css/base/tokens.css; empty leaves it to the system."""

    text = RadioField(
        N_("Size of letters"),
        choices=options([("", N_("As usual")), ("large", N_("Large")), ("largest", N_("Largest"))]),
    )
    theme = RadioField(
        N_("Colours"), choices=options([("", N_("As the device is set")), ("light", N_("Light")), ("dark", N_("Dark"))])
    )


@blueprint.get("/look")
def choose() -> str:
    """The settings of this device."""
    text, theme = device.look()
    return _page(LookForm(data={"text": text, "theme": theme}))


@blueprint.post("/look")
def keep() -> ResponseReturnValue:
    """Keep the settings in the device's cookie, and show them at once."""
    form = LookForm(request.form)
    if not form.validate():
        return _page(form), HTTPStatus.UNPROCESSABLE_ENTITY
    device.keep_look(form.text.data, form.theme.data)
    flash(_("Every page on this device looks so from now on."), "ok")
    return redirect(url_for("look.choose"), HTTPStatus.SEE_OTHER)


def _page(form: LookForm) -> str:
    return render_template("look.html", form=form)
