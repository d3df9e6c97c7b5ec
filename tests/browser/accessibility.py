"""What axe finds on a page."""

from axe_playwright_python.base import AXE_SCRIPT

LOOK = "async () => {{ {script} return (await axe.run({{ {rules}, resultTypes: ['violations']}})).violations; }}"
ONLY, ALL_BUT = "runOnly: ['color-contrast']", "rules: {'color-contrast': {enabled: false}}"
STRUCTURE = LOOK.format(script=AXE_SCRIPT, rules=ALL_BUT)
CONTRAST = {"light": LOOK.format(script=AXE_SCRIPT, rules=ONLY), "dark": LOOK.format(script="", rules=ONLY)}


UNFOLD = """() => {
    for (const fold of document.querySelectorAll("details:not([open])"))
        if (fold.querySelector("summary").checkVisibility()) fold.open = true;
}"""


def barriers(page):
    """The elements at fault by rule, whatever their colours."""
    return _by_rule(page.evaluate(STRUCTURE))


def pale(page):
    """The elements that stand out too little from their ground, by theme; the page is left in its dark theme."""
    found = {}
    for theme, look in CONTRAST.items():
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found |= {f"{theme}: {rule}": nodes for rule, nodes in _by_rule(page.evaluate(look)).items()}
    return found


def _by_rule(violations):
    return {each["id"]: [node["html"] for node in each["nodes"]] for each in violations}


def unfold(page):
    """Open everything that is folded where somebody could, outer folds first."""
    page.evaluate(UNFOLD)
