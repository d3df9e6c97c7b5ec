"""Phones lent to one test after the other, wiped in between: a new one fetches and compiles every script again."""

from collections import defaultdict

PHONE = {"width": 360, "height": 740}
OPTIONS = {"viewport": PHONE, "has_touch": True, "service_workers": "block", "reduced_motion": "reduce"}

_idle = defaultdict(list)


def lend(browser, server):
    """An empty page on a phone that keeps nothing, with addresses relative to the server: ``page.goto("/")``."""
    idle = _idle[browser, server.url]
    context = idle.pop() if idle else browser.new_context(base_url=server.url, **OPTIONS)
    page = context.new_page()
    page.set_default_timeout(10_000)
    wiping = context.new_cdp_session(page)
    wiping.send("Storage.clearDataForOrigin", {"origin": server.url, "storageTypes": "all"})
    wiping.detach()
    return page


def take_back(browser, server, context):
    """Close the pages of a phone, of which the next test shall see nothing."""
    for page in context.pages:
        page.close()
    context.set_offline(False)
    context.clear_cookies()
    _idle[browser, server.url].append(context)
