"""What axe finds on a page."""

from axe_playwright_python.base import AXE_SCRIPT

WHOLE = f"""async () => {{
    {AXE_SCRIPT}
    return (await axe.run({{resultTypes: ["violations"]}})).violations;
}}"""
CONTRAST = """async () =>
    (await axe.run({runOnly: ["color-contrast"], resultTypes: ["violations"]})).violations"""
"""The dark theme differs only in its colours."""


def barriers(page):
    """The elements at fault by theme and rule; the page is left in its dark theme."""
    found = {}
    for theme, look in (("light", WHOLE), ("dark", CONTRAST)):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for each in page.evaluate(look):
            found[f"{theme}: {each['id']}"] = [node["html"] for node in each["nodes"]]
    return found


def unfold(page):
    """Open everything that is folded."""
    for fold in page.locator("details:not([open]) > summary").all():
        if fold.is_visible():
            fold.click()
