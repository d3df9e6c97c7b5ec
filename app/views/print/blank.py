"""Paper without recorded hands: blank sheets, rules cards, and the page to choose them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import Form, StringField

from app.forms.entry import CurrencyField, blame, folded
from app.history.formats import MoneyFormat, currency_of, read_amount, read_currency, region_of
from app.history.phrases import NO_STAKES, WrittenStakes, write_stakes
from app.history.timeline import difference
from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.game.rematch import dealer_after
from app.kalooki.money import Currency
from app.kalooki.readers import whole_typed
from app.kalooki.rules.wording import differing
from app.kalooki.variants import STAKES, Variant, all_variants, load
from app.sheets import pdf_press
from app.sheets.blank_sheet import blank_layouts, blank_sheet
from app.sheets.paper import A4, A5, LETTER, page_css
from app.sheets.rules_card import card_sizes, most_disputed, rules_card
from app.views import access, device
from app.views.links import PREFIX, address, code_inline, spelled_out
from app.views.print.files import PrintedFile, is_ticked, paper_asked, plain_name, serve, sheets, tag_of

FEWEST = 2
PAPERS = (A4, LETTER, A5)
_ASKED_AT = {
    "sheets.ask_for_blank": "blank",
    "sheets.blank": "blank",
    "sheets.rules_card": "cards",
}
"""The section of the Print page that asks for each file."""


class BlankSheetForm(Form):
    """Asks who plays, and for how much; the view of the sheet validates it."""

    names = StringField("Names, with commas between")
    players = StringField("Number of players")
    unit = StringField("One unit of the stakes")
    currency = CurrencyField("Currency", readers.currency)

    def process(self, *args: Any, **kwargs: Any) -> None:
        """Read the form, after setting the region whose currency signs apply."""
        self.currency.region = device.region()
        super().process(*args, **kwargs)

    def blame(self, wrong: BadInput) -> None:
        """Show an error at its field, without the field's name, which is the label."""
        text = wrong.say().removeprefix(f"{wrong.field}: ")
        blame(self, next((each for each in self if each.name == wrong.field), None), text)


@sheets.get("/sheets")
def choose() -> str:
    """Show the choice of a blank sheet or a rules card, filled in from the address."""
    currency = device.last_currency() or currency_of(device.region()) or readers.CURRENCY
    return _choose_page(BlankSheetForm(request.args, data={"currency": currency}))


def _choose_page(form: BlankSheetForm) -> str:
    setup = device.last_setup() or {}
    names = ", ".join(setup.get("players", ()))
    return render_template(
        "sheets/choose.html", form=form, region=device.region(), last_variant=setup.get("variant"), last_names=names
    )


def where_asked() -> str | None:
    """Return the address of the Print page with what this request asked for; None if the request has another page."""
    part = _ASKED_AT.get(request.endpoint or "")
    if part is None:
        return None
    return f"{url_for('sheets.choose')}?{urlencode([*request.args.items(multi=True)])}#{part}"


def relabel_error(wrong: BadInput) -> str:
    """Return an error with its field named as on the Print page."""
    labels = {"paper": "Paper"} | {each.name: each.label.text for each in BlankSheetForm()}
    return (wrong.at(labels[wrong.field]) if wrong.field in labels else wrong).say()


@sheets.get("/sheets/blank")
def ask_for_blank() -> ResponseReturnValue:
    """Redirect to the blank sheet that was asked for, or show the page again with what was typed and the error."""
    try:
        _read_table()
        paper_asked(PAPERS, device.region())
    except BadInput as wrong:
        form = BlankSheetForm(request.args)
        form.blame(wrong)
        return _choose_page(form), 422
    query = urlencode([*request.args.items(multi=True)])
    return redirect(f"{url_for('sheets.blank')}?{query}", 303)


@sheets.get(f"{PREFIX}/sheets/blank.pdf")
def blank() -> Response:
    """Return a score sheet to fill in by hand, for a variant or for the table of a game."""
    code = request.args.get("game", "")
    variant, book, players, stakes, dealer, region = _read_table()
    paper = paper_asked(PAPERS, region)
    written = write_stakes(stakes, region)
    differences = differing(variant, book, written.by_value)
    tag = tag_of(_values(variant), differences, players, paper, written, dealer, code)

    def make() -> tuple[str, PrintedFile]:
        differs = [difference(each) for each in most_disputed(differences) if each.key != "contracts"]
        sheet = blank_sheet(variant, players, paper, written, dealer, differs)
        copying = copying_address(variant, players, stakes, code)
        qr = code_inline(copying, "Code that opens the page for copying a sheet back")
        copy_at = spelled_out(address("copying.start"))
        page = render_template("sheets/blank.html", sheet=sheet, address=copy_at, qr=qr)
        layouts = blank_layouts(sheet, paper, lambda turned: page_css(turned, "Kalooki Referee"))
        pdf = pdf_press.make(pdf_press.Job(page, layouts))
        return tag, PrintedFile(pdf, plain_name(f"{sheet.variant.name} blank sheet {' '.join(players)}", "pdf"))

    return serve(tag, make)


def copying_address(variant: Variant, players: Sequence[str], stakes: Mapping[str, Any] | None, code: str = "") -> str:
    """Return the address at which a sheet is entered later, filled in with its rules, names and stakes."""
    facts = {"variant": variant.id} | ({"rules": code} if code else {})
    if any(players):
        facts["names"] = ",".join(filter(None, players))
    if stakes:
        money_format = MoneyFormat(Currency.of(stakes))  # it is read without a region
        units = {name: getattr(variant, f"stake_{name}") for name in STAKES}
        one = next((stakes[name] // units[name] for name in STAKES if units[name]), 0)
        if all(stakes.get(name, 0) == units[name] * one for name in STAKES):
            facts["unit"] = money_format.plain(one)
        else:
            facts |= {name: money_format.plain(stakes[name]) for name in STAKES if name in stakes}
        facts["currency"] = money_format.currency.name
    return address("copying.start", **facts)


class _Table(NamedTuple):
    variant: Variant
    book: Variant
    players: tuple[str, ...]
    stakes: dict[str, Any] | None
    dealer: int | None
    region: str


def _read_table() -> _Table:
    """Return the table of the game in the address, or one made from the other parameters; raises BadInput.

    `variant` includes house rules and `book` does not; `dealer` is the index of the next dealer among the players.
    """
    code = request.args.get("game", "")
    if code:
        game = access.get_game(code).game
        names = tuple(game.name(seat) for seat in game.order)
        dealer = dealer_after(game, game.order) if game.finish else game.next_dealer  # over: that of a rematch
        place = None if dealer is None else game.order.index(dealer)
        stakes = dict(game.stakes) if game.stakes else None
        return _Table(game.played_for, game.book, names, stakes, place, region_of(game))
    variant = load(request.args.get("variant") or all_variants()[0].id)
    return _Table(variant, variant, _players(variant), _stakes(variant), None, device.region())


def _players(variant: Variant) -> tuple[str, ...]:
    """Return the names in the address, padded with blanks to the number of players."""
    names = [name.strip() for name in request.args.get("names", "").split(",")]
    named = [readers.new_name(name, "names") for name in names if name]
    usual = max(FEWEST, len(named)) if named else min(max(variant.players_fewest, 4), variant.players_most)
    typed_count = request.args.get("players") or str(usual)
    number = whole_typed(typed_count, digits=3)
    count = readers.whole(FEWEST, variant.most_players)(typed_count if number is None else number, "players")
    if len(named) > count:
        raise BadInput("{field}: {count} names are more than {most} players.", "names", count=len(named), most=count)
    return (*named, *([""] * (count - len(named))))


def _stakes(variant: Variant) -> dict[str, Any] | None:
    """Return the variant's stakes for the unit in the address; None without a unit, or if it has no stakes."""
    unit_text = request.args.get("unit", "").strip()
    name = read_currency(folded(request.args.get("currency")), device.region()) or readers.CURRENCY
    currency = Currency.called(readers.currency(name, "currency"))
    if not unit_text or not variant.has_stakes:
        return None
    try:
        unit = read_amount(unit_text, currency, device.region())
    except ValueError as cause:
        raise BadInput("{field}: “{word}” isn’t an amount. {why}", "unit", unit_text, why=str(cause)) from cause
    return currency.stated | {name: getattr(variant, f"stake_{name}") * unit for name in STAKES}


@sheets.get(f"{PREFIX}/variants/<variant_id>/rules.pdf", endpoint="rules_card")
def rules_card_of(variant_id: str) -> Response:
    """Return the rules of a variant: at a glance on the first page, then in full."""
    variant = load(variant_id)
    return _card(variant, variant)


@sheets.get(f"{PREFIX}/games/<code>/rules.pdf", endpoint="table_card")
def rules_of_game(code: str) -> Response:
    """Return the rules of a game, with its stakes and marked house rules: at a glance, then in full."""
    game = access.get_game(code).game
    names = [game.name(seat) for seat in game.order]
    return _card(game.played_for, game.book, write_stakes(game.stakes, region_of(game)), names)


def _card(variant: Variant, book: Variant, stakes: WrittenStakes = NO_STAKES, players: Sequence[str] = ()) -> Response:
    paper = paper_asked((A4, LETTER), device.region())
    is_ticked("folded")  # in addresses of 0.2; still refused if it is invalid
    differences = differing(variant, book, stakes.by_value)
    tag = tag_of(_values(variant), differences, paper, stakes, players)

    def make() -> tuple[str, PrintedFile]:
        card = rules_card(variant, paper, stakes, players, differences)
        page = render_template("sheets/card.html", card=card)
        css = page_css(card.paper, f"Kalooki Referee · {card.name}")
        pdf = pdf_press.make(pdf_press.Job(page, (pdf_press.Layout(css, (card_sizes(),)),)))
        layout = ["Letter"] if paper is LETTER else []
        return tag, PrintedFile(pdf, plain_name(" ".join((card.name, "rules", *layout, *players)), "pdf"))

    return serve(tag, make)


def _values(variant: Variant) -> tuple[object, ...]:
    """Return the values that distinguish one table's rules from another's."""
    return (variant.id, variant.name, *variant.values.items())
