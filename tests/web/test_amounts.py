"""Amounts and days as a table's region writes them; amounts as people type them there."""

import re
from html import unescape

import pytest
from babel.core import get_global
from babel.numbers import get_territory_currencies

from app.history.formats import MoneyFormat, read_amount, read_currency, show_currency, write_amount
from app.kalooki.money import Currency
from app.kalooki.variants import STAKES
from tests.json_scorer import import_game
from tests.pages import START_FORM, Alice, start_by_form, words

pytestmark = pytest.mark.one_app

PLAYED = {"variant": "european", "players": ["Ann", "Ben"]}


@pytest.mark.parametrize(
    ("region", "currency", "typed", "units"),
    [
        ("GB", Currency("GBP"), "1,000", 100000),
        ("US", Currency("USD"), "1,000", 100000),
        ("JM", Currency("JMD"), "J$1,000", 100000),
        ("DE", Currency("EUR"), "1.000", 100000),
        ("ZA", Currency("ZAR"), "1\N{NO-BREAK SPACE}000", 100000),
        ("CH", Currency("CHF"), "CHF 1’000.50", 100050),
        ("GB", Currency("KWD", 3), "1.250", 1250),
        ("DE", Currency("KWD", 3), "1,250", 1250),
        ("GB", Currency("GBP"), "1.000,50", 100050),
        ("GB", Currency("GBP"), "1,234,567", None),
        ("GB", Currency("GBP"), "123,456.7", 12345670),
        *((region, Currency("EUR"), "2,50", 250) for region in ("GB", "US", "JM", "ZA", "DE", "")),
        *((region, Currency("EUR"), "2.50", 250) for region in ("GB", "US", "JM", "ZA", "DE", "")),
        ("ZA", Currency("ZAR"), "R2,50", 250),
        ("ZA", Currency("R"), "R50", 5000),
        ("DE", Currency("JPY", 0), "1,000", 1000),
        ("CL", Currency("CLP", 0), "20,000", 20000),
        ("CL", Currency("CLP", 0), "20.000", 20000),
        ("VN", Currency("VND", 0), "20.000 ₫", 20000),
        ("IS", Currency("ISK", 0), "1.234 kr.", 1234),
        ("IN", Currency("INR"), "₹2,00,000.00", 20000000),
        ("IN", Currency("INR"), "2,00,000", 20000000),
        ("GB", Currency("JPY", 0), "¥3", 3),
        ("GB", Currency("KWD", 3), "KD3", 3000),
        ("CH", Currency("CHF"), "Fr. 2.50", 250),
        ("MX", Currency("MXN"), "$2.50", 250),
        ("PL", Currency("PLN"), "2,50 zł", 250),
        ("KE", Currency("KES"), "KSh 5", 500),
        ("IN", Currency("INR"), "۲٫۵۰", 250),
        ("GB", Currency("GBP"), "£１０", 1000),
        ("GB", Currency("Beans"), "3 beans", 300),
    ],
)
def test_an_amount_is_read_as_its_region_writes_it(region, currency, typed, units):
    if units is None:  # eight digits at most
        with pytest.raises(ValueError, match="too large"):
            read_amount(typed, currency, region)
    else:
        assert read_amount(typed, currency, region) == units


@pytest.mark.parametrize(
    ("region", "currency", "typed", "why"),
    [
        ("ZA", Currency("ZAR"), "1,000", "The comma in “1,000” can mean two things: write 1000 or 1,00."),
        ("DE", Currency("EUR"), "1,000", "The comma in “1,000” can mean two things: write 1000 or 1,00."),
        ("GB", Currency("GBP"), "1.000", "The point in “1.000” can mean two things: write 1000 or 1.00."),
        ("ZA", Currency("ZAR"), "1.000", "The point in “1.000” can mean two things: write 1000 or 1,00."),
        ("BR", Currency("BRL"), "1,000", "The comma in “1,000” can mean two things: write 1000 or 1.00."),
        ("GB", Currency("GBP"), "30p", "“p” cannot be read. Write an amount such as 0.10 or 2."),
        ("IN", Currency("INR"), "2,0,000", "The comma cannot be read here. Write an amount such as 0.10 or 2."),
        ("ZA", Currency("ZAR"), "1,255", "The comma in “1,255” can mean two things: write 1255."),
        ("GB", Currency("GBP"), "0.125", "“0.125” has too many decimals. Write an amount such as 0.10 or 2."),
        ("DE", Currency("EUR"), "2x", "“x” cannot be read. Write an amount such as 0,10 or 2."),
        ("GB", Currency("GBP"), "5 euro", "“euro” cannot be read. Write an amount such as 0.10 or 2."),
        ("GB", Currency("GBP"), "-5", "“-” cannot be read. Write an amount such as 0.10 or 2."),
        ("GB", Currency("GBP"), "1,00,000", "The comma cannot be read here. Write an amount such as 0.10 or 2."),
        ("GB", Currency("GBP"), "1 5", "The space cannot be read here. Write an amount such as 0.10 or 2."),
    ],
)
def test_what_cannot_be_read_is_named(region, currency, typed, why):
    with pytest.raises(ValueError, match=re.escape(why)):
        read_amount(typed, currency, region)


@pytest.mark.parametrize(
    ("region", "currency", "units", "written"),
    [
        ("GB", Currency("GBP"), 250, "£2.50"),
        ("GB", Currency("£"), 250, "£2.50"),
        ("ZA", Currency("ZAR"), 250, "R2,50"),
        ("US", Currency("USD"), 10000, "$100.00"),
        ("JM", Currency("JMD"), 250, "J$2.50"),
        ("TT", Currency("TTD"), 250, "TT$2.50"),
        ("DE", Currency("EUR"), 123450, "1.234,50\N{NO-BREAK SPACE}€"),
        ("JP", Currency("JPY"), 250, "¥2.50"),
        ("JP", Currency("JPY", 0), 250, "¥250"),
        ("GB", Currency("KWD", 3), 1250, "KWD\N{NO-BREAK SPACE}1.250"),
        ("GB", Currency("Beans"), 250, "2.50 Beans"),
        ("XX", Currency("GBP"), -250, "−£2.50"),
    ],
)
def test_an_amount_is_written_with_the_decimals_of_its_game(region, currency, units, written):
    assert write_amount(units, currency, region) == written


@pytest.mark.parametrize(
    ("zone", "language", "region", "currency", "sign"),
    [
        ("Europe/London", "en-US", "GB", "GBP", "£"),
        ("America/Jamaica", "", "JM", "JMD", "J$"),
        ("Africa/Johannesburg", "en-GB", "ZA", "ZAR", "R"),
        ("Etc/UTC", "en-ZA,en;q=0.8", "ZA", "ZAR", "R"),
        ("", "en,en-GB;q=0.9,en-US;q=0.8", "GB", "GBP", "£"),
        ("", "de,en-US;q=0.7", None, "EUR", "€"),
        ("Asia/Tokyo", "", "JP", "JPY", "¥"),
        ("", "de", None, "EUR", "€"),
    ],
)
def test_a_game_keeps_its_region_and_a_new_one_suggests_its_currency(client, zone, language, region, currency, sign):
    asked = {"headers": {"Accept-Language": language}}
    page = client.post("/new/rules", data={"variant": "european", "zone": zone}, **asked).text
    assert re.search(r'name="currency"[^>]* value="([^"]*)"', page)[1] == sign
    assert page.count(f'<span aria-hidden="true">{sign}</span> <input') == 5  # unit and stakes
    form = START_FORM | {"zone": zone, "money": "1", "currency": sign}
    code = client.post("/new", data=form, **asked).location[3:]
    start = client.get(f"/api/v1/games/{code}").json["log"][0]["event"]
    assert (start.get("region"), start["stakes"]["currency"]) == (region, currency)
    # in JSON too
    made = client.post("/api/v1/games", json=PLAYED | ({"zone": zone} if zone else {}), **asked).json
    assert client.get(f"/api/v1/games/{made['code']}").json["log"][0]["event"].get("region") == region


def test_the_currency_of_the_last_game_comes_first(client):
    start_by_form(client, zone="Europe/London", money="1", currency="Beans")
    page = client.get("/new", headers={"Accept-Language": "en-GB"}).text
    assert re.search(r'name="currency"[^>]* value="Beans"', page)
    fresh = client.application.test_client().get("/new", headers={"Accept-Language": "en-GB"}).text
    assert re.search(r'name="currency"[^>]* value="£"', fresh)


@pytest.mark.parametrize(
    ("currency", "unit", "zone", "suggested"),
    [
        ("EUR", "€2", "Europe/London", ("2.00", "4.00", "10.00", "10.00")),
        ("GBP", "£0.20", "Europe/London", ("0.20", "0.40", "1.00", "1.00")),
        ("EUR", "0,20", "Europe/London", ("0.20", "0.40", "1.00", "1.00")),
        ("ZAR", "2", "Africa/Johannesburg", ("2,00", "4,00", "10,00", "10,00")),
        ("EUR", "1,000", "America/Jamaica", ("1000.00", "2000.00", "5000.00", "5000.00")),
    ],
)
def test_stakes_shown_are_the_stakes_saved(client, currency, unit, zone, suggested):
    asked = START_FORM | {"money": "1", "currency": currency, "unit": unit, "zone": zone, "tell_stakes": "1"}
    for page in (client.post("/new/rules", data=asked).text, client.post("/new", data=asked | {"do": "add"}).text):
        assert tuple(re.findall(rf'id="(?:{"|".join(STAKES)})"[^>]*placeholder="([^"]*)"', page)) == suggested
    table = start_by_form(client, asked)
    written = [int(re.sub("[^0-9]", "", amount)) for amount in suggested]
    assert [table.game.stakes[name] for name in STAKES] == written
    # without script the game's page says what was taken
    assert "Stakes: call-up " in words(client.get(f"/g/{table.code}").text)


def test_a_unit_that_cannot_be_read_suggests_nothing_and_stays_typed(client):
    asked = START_FORM | {"money": "1", "currency": "EUR", "unit": "1,000", "zone": "Europe/Berlin"}
    shown = client.post("/new/rules", data=asked).text
    assert set(re.findall(rf'id="(?:{"|".join(STAKES)})"[^>]*placeholder="([^"]*)"', shown)) == {""}
    page = unescape(client.post("/new", data=asked).text)
    assert 'value="1,000"' in page
    assert "The comma in “1,000” can mean two things: write 1000 or 1,00." in page


@pytest.mark.parametrize(
    ("region", "sign", "code"),
    [
        *[("JP", sign, "JPY") for sign in ("¥", "￥", "円", "jpy")],
        *[("CN", "¥", "CNY"), ("KR", "₩", "KRW"), ("TW", "NT$", "TWD"), ("HK", "$", "HKD"), ("VN", "₫", "VND")],
        *[("TH", "฿", "THB"), ("IN", "Rs", "INR"), ("IN", "₹", "INR"), ("PK", "Rs.", "PKR")],
        *[(region, "$", code) for region, code in (("MX", "MXN"), ("CL", "CLP"), ("CO", "COP"), ("AR", "ARS"))],
        *[(region, "$", code) for region, code in (("UY", "UYU"), ("JM", "JMD"), ("TT", "TTD"), ("US", "USD"))],
        *[("CA", "$", "CAD"), ("AU", "$", "AUD"), ("DO", "RD$", "DOP"), ("JM", "J$", "JMD"), ("JM", "US$", "USD")],
        *[("DK", "kr", "DKK"), ("DK", "kr.", "DKK"), ("IS", "kr", "ISK"), ("SE", "kr", "SEK"), ("NO", "kr", "NOK")],
        *[("PL", "zł", "PLN"), ("HU", "Ft", "HUF"), ("CZ", "Kč", "CZK"), ("CH", "Fr.", "CHF"), ("CH", "SFr.", "CHF")],
        *[("TR", "₺", "TRY"), ("TR", "TL", "TRY"), ("UA", "₴", "UAH"), ("EG", "£", "EGP"), ("KW", "KD", "KWD")],
        *[("KE", "KSh", "KES"), ("GH", "₵", "GHS"), ("GH", "GH₵", "GHS"), ("NG", "₦", "NGN"), ("ZA", "R", "ZAR")],
        *[("GB", "£", "GBP"), ("DE", "£", "GBP"), ("DE", "€", "EUR"), ("GB", "Beans", "Beans"), ("", "$", "USD")],
    ],
)
def test_a_sign_is_the_currency_that_people_write_with_it_at_home(region, sign, code):
    assert read_currency(sign, region).upper() == code.upper()


REGIONS = sorted(region for region in get_global("territory_languages") if len(region) == 2)


def test_what_is_written_can_be_typed_back_in_every_region():
    amounts = (0, 5, 100, 999, 1000, 20000, 123456, 12345678)
    lost = []
    for region in REGIONS:
        for code in {*get_territory_currencies(region), "EUR", "Beans"}:
            currency = Currency.called(code)
            written = ((units, write_amount(units, currency, region)) for units in amounts)
            lost += [(region, code, text) for units, text in written if read_amount(text, currency, region) != units]
            shown = MoneyFormat(currency, region)
            lost += [(region, code, n) for n in amounts if read_amount(shown.plain(n), currency, region) != n]
            lost += [(region, code, n) for n in amounts if read_amount(shown.number(n), currency, region) != n]
            if read_currency(show_currency(code, region), region) != code:
                lost.append((region, code, show_currency(code, region)))
    assert lost == []
    assert len(REGIONS) > 240


def test_a_game_of_an_earlier_release_has_the_region_of_its_zone(app):
    event = {"kind": "start", "stakes": {"currency": "ZAR"}, **PLAYED}
    for zone, pool in (("Africa/Johannesburg", "R1,00"), ("Europe/London", "ZAR 1.00"), (None, "ZAR 1.00")):
        start = event | ({"zone": zone} if zone else {})
        client = app.test_client()
        brought = import_game(client, [start])
        assert "region" not in brought.state()["log"][0]["event"]
        assert f"Pool {pool}" in words(client.get(f"/g/{brought.code}").text)


def test_every_page_of_a_game_has_one_form(app):
    alice = Alice(app, zone="Africa/Johannesburg", stakes={"currency": "ZAR"})
    for address in ("", "/settle", "/history", "/result", "/sheet"):
        page = words(alice.client.get(f"/g/{alice.code}{address}", headers={"Accept-Language": "en-US"}).text)
        assert not re.search(r"(?<!commas )\b\d\.\d\d\b(?!\.)", page), address
