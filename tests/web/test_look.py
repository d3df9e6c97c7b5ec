"""The look keeps its promises: every text can be read in both themes, nothing needs inline style."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHEETS = {
    name: (ROOT / f"static/css/{name}.css").read_text(encoding="utf-8") for name in ("app", "check", "copy", "table")
}
CSS = "".join(SHEETS.values())
TEXT, SIGN = 4.5, 3.0  # WCAG 2.2 AA: text, and what is needed to see a control or a state

PAIRS = [
    *(("ink", ground, TEXT) for ground in ("page", "panel", "sunk", "ok-soft", "warn-soft")),
    ("ink", "fault-soft", TEXT),
    *(("muted", ground, TEXT) for ground in ("page", "panel", "sunk", "ok-soft")),
    *(("link", ground, TEXT) for ground in ("page", "panel", "sunk", "fault-soft")),
    *(("fault", ground, TEXT) for ground in ("page", "panel", "fault-soft")),
    *(("warn", ground, TEXT) for ground in ("panel", "warn-soft")),
    *(("ok", ground, TEXT) for ground in ("page", "panel", "ok-soft")),
    ("on-felt", "felt", TEXT),
    ("on-felt", "link", TEXT),
    ("panel", "brass", TEXT),
    ("page", "ink", TEXT),
    ("on-verdict", "legal", TEXT),
    ("on-verdict", "illegal", TEXT),
    *((suit, ground, TEXT) for suit in ("spade", "heart", "diamond", "club", "joker")
      for ground in ("page", "panel")),
    *((f"{suit} by day", "face", TEXT) for suit in ("spade", "heart", "diamond", "club", "joker")),
    *((f"{sign}", ground, SIGN) for sign in ("edge-line", "focus", "felt")
      for ground in ("page", "panel", "sunk")),
]  # fmt: skip


def tokens(theme):
    """The colour tokens of a theme: `light-dark()` names both, a colour alone is that of both."""
    pairs = re.findall(r"--([\w-]+): (?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;", CSS)
    colours = {f"{name} by day": light for name, light, _ in pairs}  # a card is of light paper by night too
    return colours | {name: (dark or light) if theme == "dark" else light for name, light, dark in pairs}


def luminance(colour):
    """Relative luminance as WCAG defines it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_measured_as_wcag_does():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_and_sign_stands_out_from_its_ground(theme):
    colours = tokens(theme)
    faint = [
        f"{front} on {ground}: {contrast(colours[front], colours[ground]):.2f}"
        for front, ground, least in PAIRS
        if contrast(colours[front], colours[ground]) < least
    ]
    assert faint == []


def test_the_themes_differ():
    assert tokens("light")["page"] != tokens("dark")["page"]


PAGES = [page for page in sorted((ROOT / "templates").rglob("*.html")) if page.parent.name != "sheets"]
"""Printed sheets are read by the PDF maker, which has no such policy."""


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_no_page_carries_inline_style_or_script(page):
    """The content security policy would drop them without a word."""
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=[\"']|javascript:", text)
    assert re.findall(r"<script(?![^>]*\bsrc=)", text) == []


STYLES = ROOT / "static/css"
LAYERS = ["@layer reset, parts, pages, paper;", "@font-face {"]
LAYERS += [f"@layer {layer} {{" for layer in ("reset", "parts", "pages", "paper")]


@pytest.mark.parametrize("name", SHEETS)
def test_every_rule_of_a_page_stands_in_a_layer(name):
    """What wins is said by the layer, whatever a selector weighs: a page over the parts, paper over both."""
    css = re.sub(r"/\*.*?\*/", "", SHEETS[name], flags=re.DOTALL)
    assert [line for line in css.splitlines() if line and line[0] not in " }"] == (
        LAYERS if name == "app" else ["@layer pages {"]
    )


WIDE, LOW = "(min-width: 60rem)", "(max-height: 30rem)"
ROOMY = "(min-width: 15rem) and (min-height: 15rem)"
"""A phone with large letters."""
ON_ITS_SIDE, UPRIGHT = f"{LOW} and (orientation: landscape)", f"{LOW} and (orientation: portrait)"
OF_A_KIND = {
    "(scripting: enabled)",
    "(scripting: none)",
    "(forced-colors: active)",
    "(prefers-reduced-motion: reduce)",
}
CONDITIONS = OF_A_KIND | {"print", WIDE, ON_ITS_SIDE, UPRIGHT}
CONDITIONS |= {
    f"not all and {ON_ITS_SIDE}",
    ROOMY,
    f"not all and {ROOMY}",
    f"not {LOW}",
    f"not {WIDE}",
    f"{WIDE}, {ON_ITS_SIDE}",
}


def test_a_layout_asks_for_few_conditions():
    """Everything else fits by itself: docs/styles.md lists them."""
    assert set(re.findall(r"@media ([^{]+?) \{", CSS)) == CONDITIONS


TOKENS = {
    "font-size": ("text-xs", "text-s", "text-m", "text-l", "text-xl", "text-2xl", "figure", "figure-l"),
    "gap": ("gap-xs", "gap-s", "gap-m", "gap", "gap-l", "edge"),
    "padding": ("gap-xs", "gap-s", "gap-m", "gap", "gap-l", "edge", "target"),
    "margin": ("gap-xs", "gap-s", "gap-m", "gap", "gap-l", "edge"),
    "min-height": ("target-s", "target", "target-l"),
}
OWN = {"between", "below", "code", "reach", "room", "side"}
"""Lengths that one part of a page measures for itself."""


@pytest.mark.parametrize("what", TOKENS)
def test_a_length_is_a_token_or_follows_its_box(what):
    """By the letters around it (em), the screen (vw) or a container (cqi); a few pixels keep lines apart."""
    values = re.findall(rf"^ *(?:(?:row|column)-)?{what}[a-z-]*: ([^;]+);", CSS, re.MULTILINE)
    assert {*re.findall(r"var\(--([\w-]+)", " ".join(values))} - OWN <= {*TOKENS[what]}
    assert [value for value in values if re.search(r"^-?(\d*\.?\d+rem|\d{2,}px)\b", value)] == []


def classes(css):
    """The classes that selectors name."""
    css = re.sub(r"/\*.*?\*/|\"[^\"]*\"", "", css, flags=re.DOTALL)
    return {name for selector in re.findall(r"([^{};]+)\{", css) for name in re.findall(r"\.([a-z][\w-]*)", selector)}


STYLED = set().union(*(classes(sheet.read_text("utf-8")) for sheet in STYLES.rglob("*.css")))


def test_every_class_of_a_style_sheet_is_written_somewhere():
    """Whole, or put together by a template or script from a beginning and an end that is a word somewhere."""
    written = [
        path
        for kind in ("templates/**/*.*", "static/js/*.js", "app/**/*.py", "app/**/*.toml")
        for path in ROOT.glob(kind)
    ]
    text = "\n".join(path.read_text("utf-8") for path in written)
    known = set(re.findall(r"[\w-]+", text))
    begun = "|".join(set(re.findall(r"\b([a-z][\w-]*-[a-z]?)(?:\{\{|\$\{)", text)))
    ends = {name: re.fullmatch(f"(?:{begun})(.+)", name) for name in STYLED - known}
    assert sorted(name for name, end in ends.items() if not end or end[1] not in known) == []


def test_the_list_of_classes_names_only_those_there_are():
    listed = (ROOT / "docs/styles.md").read_text("utf-8")
    assert set(re.findall(r"(?<=[\s\[|>])\.([a-z][\w-]*)", listed)) - STYLED == set()


def test_suits_are_in_the_bundled_font():
    from fontTools.ttLib import TTFont

    known = TTFont(ROOT / "static/fonts/suits.woff2").getBestCmap()
    assert {sign for sign in "♠♥♦♣★✓✗⚠→←↑↓−⌫●" if ord(sign) not in known} == set()
