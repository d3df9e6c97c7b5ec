"""Names in every script: right on paper where this machine has letters for them, and told of on the page where not.

The machine's fonts are those of the test: none at all, or one made here with the signs of one name.
"""

import pypdfium2
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from app.sheets import paper, renderer
from tests.pages import EURO, hand, start, words
from tests.web.paper_reader import pdf, printed

NAMES = ["日本語", "👧 Łukasz", "محمد", "כהן"]


def made_font(path, signs):
    """A font in which each sign is a square."""
    names = [".notdef", "space", *(f"sign{number}" for number in range(len(signs)))]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({0x20: "space"} | {ord(sign): names[place + 2] for place, sign in enumerate(signs)})
    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    for point in ((100, 800), (900, 800), (900, 0)):
        pen.lineTo(point)
    pen.closePath()
    square = pen.glyph()
    builder.setupGlyf(dict.fromkeys(names, square))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (1000, 100)))
    builder.setupHorizontalHeader(ascent=900, descent=-200)
    builder.setupNameTable({"familyName": "Made Here", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=900, usWinAscent=900, usWinDescent=200)
    builder.setupPost()
    builder.save(path)


@pytest.fixture(scope="module")
def fonts(tmp_path_factory):
    """The folder that holds this machine's fonts, empty until the last test; they are read when first asked for."""
    folder = tmp_path_factory.mktemp("fonts")
    config = tmp_path_factory.mktemp("settings") / "fonts.conf"
    config.write_text(f"<fontconfig><dir>{folder}</dir><cachedir>{config.parent}/cache</cachedir></fontconfig>")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("FONTCONFIG_FILE", str(config))
        forget()
        yield folder
    forget()


def forget():
    paper._printable.cache_clear()
    renderer._RENDERER.end()


@pytest.fixture
def scorer(client):
    """Łukasz and both others pay כהן: European, all three out in one hand.

    Stakes of 0.50 make a pool of 2.00, each loser pays a call-up of 0.10.
    """
    scorer = start(client, "european", NAMES, dealer=1, stakes=EURO)
    scorer.record(hand(4, s1=150, s2=160, s3=170))
    return scorer


def text_of(client, path):
    shown = pypdfium2.PdfDocument(printed(client, path))
    return " ".join(page.get_textpage().get_text_range() for page in shown)


def test_a_name_without_letters_stays_in_the_text_of_every_paper(fonts, client, scorer):
    """A box is drawn for each letter; what is copied, searched or read aloud is the name."""
    sheets = f"/api/v1/games/{scorer.code}"
    for path in (
        f"{sheets}/sheet.pdf",
        f"/evening/payments.pdf?game={scorer.code}",
        f"/api/v1/sheets/blank.pdf?game={scorer.code}",
    ):
        shown = text_of(client, path)
        assert "日本語" in shown, path
        assert "Łukasz" in shown, path
    assert printed(client, f"{sheets}/sheet.png")


def test_the_page_names_whom_it_has_no_letters_for(fonts, client, scorer):
    page = client.get(f"/g/{scorer.code}/sheet").text
    told = words(page)
    assert "prints boxes instead: 日本語 , 👧 Łukasz To print them" in told  # the others have bundled letters
    assert "install a font that has them on it" in told


def test_names_from_right_to_left_leave_sentences_in_order(fonts, client, scorer):
    """“محمد pays כהן €0.60” begins at the left with who pays, in letters joined and in their own order."""
    text = pypdfium2.PdfDocument(printed(client, f"/api/v1/games/{scorer.code}/sheet.pdf"))[0].get_textpage()
    found = text.get_text_range()
    pays = found.index(" pays ", found.index("Łukasz pays") + 12)
    line = found.rindex("\n", 0, pays)  # read from right to left: the letters say who is who
    payer, receiver = (text.get_charbox(found.index(letter, line)) for letter in "مכ")
    verb = text.get_charbox(pays + 2)
    assert payer[0] < verb[0] < receiver[0]


def test_a_name_the_machine_has_letters_for_is_printed_with_them(fonts, client, scorer):
    made_font(fonts / "made.ttf", "日本語")
    forget()
    assert "日本語" in text_of(client, f"/api/v1/games/{scorer.code}/sheet.pdf")
    pages = pdf(client, f"/api/v1/games/{scorer.code}/sheet.pdf").pages
    embedded = {font["/BaseFont"] for page in pages for font in page["/Resources"]["/Font"].values()}
    assert any("Made" in name for name in embedded)
    told = words(client.get(f"/g/{scorer.code}/sheet").text)
    assert "日本語 , " not in told
    assert "prints boxes instead: 👧 Łukasz To print them" in told
