"""A device's own look: the theme set there is drawn as a system of that theme draws it."""

import pytest

pytestmark = pytest.mark.browser

DRAWN = """() => {
    const bars = [...document.querySelectorAll('meta[name=theme-color]')];
    const bar = bars.find(each => matchMedia(each.media || 'all').matches).content;
    return [bar, ...[...document.querySelectorAll('body, body *')].map(each => {
        const style = getComputedStyle(each);
        return [style.color, style.backgroundColor, style.borderColor, style.boxShadow, style.maskImage];
    })].join(' ');
}"""
"""The colours of everything on a page, and of the browser's bar above it."""


@pytest.mark.parametrize(("theme", "system"), [("dark", "light"), ("light", "dark")])
def test_a_device_set_to_a_theme_has_the_colours_of_such_a_system(page, theme, system):
    drawn = {}
    for each in (theme, system):
        page.emulate_media(color_scheme=each)
        page.goto("/help")
        drawn[each] = page.evaluate(DRAWN)
    page.goto("/look")
    page.get_by_label(theme.capitalize()).check()
    page.get_by_role("button", name="Show it so").click()
    page.goto("/help")
    assert page.evaluate(DRAWN) == drawn[theme] != drawn[system]
