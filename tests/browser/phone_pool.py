"""Phones lent to one test after the other, wiped in between: a new one fetches and compiles every script again."""

import asyncio
from collections import defaultdict

PHONE = {"width": 360, "height": 740}
LAPTOP = {"viewport": {"width": 1280, "height": 800}, "service_workers": "block", "reduced_motion": "reduce"}
OPTIONS = {"viewport": PHONE, "has_touch": True, "service_workers": "block", "reduced_motion": "reduce"}

SECONDS_TO_CLOSE = 10
PATIENCE = 60_000
"""Milliseconds for what should be seen: a busy machine takes its time, and what never comes is seen to anyhow."""
OF_A_PAGE = False, None
"""Its page is asked nothing before it closes, and no reason is given."""

_idle = defaultdict(list)
_kind, _wiping = {}, {}


def lend(browser, server, *, script=True, laptop=False):
    """An empty page on a phone that keeps nothing, with addresses relative to the server: ``page.goto("/")``."""
    kind = browser, server.url, script, laptop
    context = _idle[kind].pop() if _idle[kind] else _new(*kind)
    _kind[context] = kind
    _wiping[context].send("Storage.clearDataForOrigin", {"origin": server.url, "storageTypes": "all"})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    return page


def _new(browser, url, script, laptop):
    """A phone whose first page stays open: what draws its pages then stays, too, with every script compiled."""
    context = browser.new_context(base_url=url, java_script_enabled=script, **(LAPTOP if laptop else OPTIONS))
    stays = context.new_page()
    stays.goto("/healthz")
    _wiping[context] = context.new_cdp_session(stays)
    return context


def is_lent(context):
    return context in _kind


def take_back(context):
    """Close the pages of a phone, of which the next test shall see nothing."""
    closed = [is_closed(page, OF_A_PAGE) for page in context.pages[1:]]
    if all(closed):
        context.set_offline(False)
        context.clear_cookies()
        _idle[_kind[context]].append(context)


def is_closed(opened, arguments=(None,)):
    """Close what was opened; Chromium now and then never says that it has, and `close()` would wait for ever."""
    try:
        opened._sync(asyncio.wait_for(opened._impl_obj.close(*arguments), SECONDS_TO_CLOSE))
    except TimeoutError:
        return False
    return True
