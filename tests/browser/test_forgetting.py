"""What a browser keeps, and lets go: pages a right no longer opens, and everything when asked."""

import pytest

pytestmark = pytest.mark.browser

KEPT = """async () => (await (await caches.open("kalooki")).keys()).map((page) => new URL(page.url).pathname)"""
LEFT = """async () => [
    Object.keys(localStorage).filter((key) => key.startsWith("kalooki:")).length,
    (await caches.keys()).length,
    (await navigator.serviceWorker.getRegistrations()).length,
]"""


def kept(phone, *paths):
    """Wait until these pages are kept, and no other of the game."""
    wanted = sorted(paths)
    phone.wait_for_function(
        "async (wanted) => JSON.stringify((await (" + KEPT + ")()).filter((path) => path.startsWith('/g/')).sort())"
        " === JSON.stringify(wanted)",
        arg=wanted,
    )


def test_a_lost_right_takes_its_pages_along_and_a_request_takes_everything(table):
    phone = table.scorer("", service_workers="allow")
    phone.evaluate("() => navigator.serviceWorker.ready")
    phone.wait_for_function("() => navigator.serviceWorker.controller || location.reload()")
    for path in ("/hand", ""):
        phone.goto(f"{table.game}{path}")
    own = [table.game, f"{table.game}/disputes/all"]
    kept(phone, *own, f"{table.game}/hand")

    cookies = phone.context.cookies()
    phone.context.clear_cookies()  # as if the right had been taken back: this phone only watches now
    phone.goto(table.game)
    kept(phone, *own)

    phone.context.add_cookies(cookies)
    phone.goto(f"{table.game}/hand")
    phone.evaluate("localStorage.setItem('kalooki:draft:/g/x/hand', '1')")
    phone.goto("/device")
    phone.get_by_role("button", name="Delete everything").click()
    phone.get_by_text("Nothing is left here").wait_for()
    assert phone.evaluate(LEFT) == [0, 0, 0]
    assert phone.context.cookies() == []
    assert phone.goto(f"{table.game}/hand").status == 403
