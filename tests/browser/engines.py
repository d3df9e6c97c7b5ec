"""Firefox and WebKit behind the same few verbs, so that one story runs on both.

Firefox is driven by WebDriver BiDi, which it speaks itself;
WebKit by the HTTP of its WebDriver, a driver for each phone.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from itertools import count

import pytest
import websocket

from tests.browser.phone_pool import PHONE
from tests.server import free_port

PATIENCE = 60
"""Seconds; all engines and five servers may be starting beside the first story."""
ENTER = "\ue007"
PLACE = """(([css, text]) => {
    const seen = each => each.getClientRects().length && !each.closest('[inert]');
    const found = [...document.querySelectorAll(css)].find(each => seen(each) && each.textContent.includes(text));
    if (!found || document.readyState !== "complete") return null;
    if (getComputedStyle(found).pointerEvents === "none") return null;
    found.scrollIntoView({block: 'nearest', behavior: 'instant'});
    const inside = each => {
        const {left, top, width, height} = each.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
    };
    const [x, y] = inside(found);
    const hit = document.elementFromPoint(x, y);
    return hit && (found.contains(hit) || hit.contains(found) || hit.closest('label')?.contains(found)) ? [x, y] : null;
})(%s)"""
"""The middle of what shows an element, once nothing else lies there."""


class Phone:
    """A phone of any engine; its tab knows how to go somewhere, to evaluate a script, to touch and to type."""

    def __init__(self, tab, server):
        self.tab, self.server = tab, server

    def goto(self, path):
        self.tab.goto(f"{self.server.url}{path}")

    def ask(self, expression):
        return self.tab.evaluate(expression)

    def tap(self, css, text=""):
        """Touch the first element that shows, by its selector and the words in it."""
        place = None
        while place != (place := self.until(PLACE % json.dumps([css, text]))):
            time.sleep(0.03)  # the page may still be moving
        self.tab.click(*map(round, place))

    def type(self, text):
        self.tab.type(text)

    def until(self, expression):
        """Wait until a script returns a value, and return it."""
        end = time.monotonic() + PATIENCE
        while not (said := self.ask(expression)):
            assert time.monotonic() < end, f"never: {expression}\n{self.ask('document.body.innerText')}"
            time.sleep(0.02)
        return said

    def shows(self, css, *texts):
        """Wait until the elements of a selector contain these texts, one each."""
        texts = json.dumps(texts, ensure_ascii=False)
        self.until(
            f"(() => {{ const all = [...document.querySelectorAll({json.dumps(css)})], texts = {texts};"
            " return all.length === texts.length && texts.every((text, place) => all[place].textContent.includes(text))"
            "})()"
        )

    @property
    def path(self):
        return self.ask("location.pathname")

    @property
    def is_too_wide(self):
        return self.ask("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def touched(x, y):
    """The actions of one tap, in the form every WebDriver understands."""
    steps = [{"type": "pointerMove", "x": x, "y": y}]
    steps += [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
    return [{"type": "pointer", "id": "thumb", "actions": steps}]


def typed(text):
    """The actions of typing; `ENTER` is a key too."""
    steps = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
    return [{"type": "key", "id": "keys", "actions": steps}]


class Firefox:
    """One Firefox without windows; each tab has cookies and storage of its own."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        command = ("firefox-esr", "--headless", "--no-remote", "--profile", self.profile.name)
        self.process = subprocess.Popen(
            [*command, "--remote-debugging-port=0"], stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        said = iter(self.process.stderr.readline, "")
        address = next(filter(None, (re.search(r"BiDi listening on (ws://\S+)", line) for line in said)))[1]
        self.numbers = count(1)
        self.socket = websocket.create_connection(f"{address}/session", suppress_origin=True, timeout=PATIENCE)
        self.send("session.new", capabilities={})

    def send(self, method, **params):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self.socket.recv())).get("id") != number:
            pass  # an event nobody asked for
        assert answer["type"] == "success", answer
        return answer["result"]

    def tab(self):
        own = self.send("browser.createUserContext")["userContext"]
        context = self.send("browsingContext.create", type="window", userContext=own)["context"]
        self.send("browsingContext.setViewport", context=context, viewport=PHONE)
        return _FirefoxTab(self, context)

    def close(self):
        self.send("browser.close")
        self.socket.close()
        self.process.wait(timeout=20)
        self.process.stderr.close()
        self.profile.cleanup()


class _FirefoxTab:
    def __init__(self, firefox, context):
        self.firefox, self.context = firefox, context

    def goto(self, url):
        self.firefox.send("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def evaluate(self, expression):
        asked = {"expression": f"JSON.stringify({expression})", "awaitPromise": True}
        try:
            said = self.firefox.send("script.evaluate", target={"context": self.context}, **asked)
        except AssertionError:
            return None
        return json.loads(said["result"].get("value", "null")) if said["type"] == "success" else None

    def click(self, x, y):
        self.firefox.send("browsingContext.activate", context=self.context)  # else it would have no focus
        self.firefox.send("input.performActions", context=self.context, actions=touched(x, y))

    def type(self, text):
        self.firefox.send("input.performActions", context=self.context, actions=typed(text))


class WebKit:
    """WebKitGTK's small browser on a screen in memory, in a window as large as a phone."""

    def __init__(self):
        readable, writable = os.pipe()
        screen = ("Xvfb", "-displayfd", str(writable), "-screen", "0", "1024x768x24", "-nolisten", "tcp")
        self.screen = subprocess.Popen(screen, pass_fds=[writable], stderr=subprocess.DEVNULL)
        os.close(writable)
        with os.fdopen(readable) as told:
            self.display = f":{told.readline().strip()}"
        self.tabs = []

    def tab(self):
        self.tabs.append(_WebKitTab(self.display))
        return self.tabs[-1]

    def close(self):
        for tab in self.tabs:
            tab.close()
        self.screen.terminate()
        self.screen.wait(timeout=20)


class _WebKitTab:
    BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"

    def __init__(self, display):
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        child_environment = os.environ | {"DISPLAY": display, "GDK_BACKEND": "x11"}
        command = ["WebKitWebDriver", f"--port={port}"]
        self.driver = subprocess.Popen(command, env=child_environment, stderr=subprocess.DEVNULL)
        self._until_up()
        options = {"binary": self.BROWSER, "args": ["--automation", "--full-screen"]}  # a toolbar is wider than a phone
        wanted = {"browserName": "MiniBrowser", "webkitgtk:browserOptions": options}
        session = self._send("POST", "/session", capabilities={"alwaysMatch": wanted})["sessionId"]
        self.session = f"/session/{session}"
        self._send("POST", f"{self.session}/window/rect", **PHONE)

    def _until_up(self):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                self._send("GET", "/status")
            except OSError:
                time.sleep(0.02)
            else:
                return
        raise AssertionError("WebKitWebDriver never answered")

    def _send(self, method, path, **body):
        contents = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(f"{self.address}{path}", contents, method=method)
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]

    def goto(self, url):
        self._send("POST", f"{self.session}/url", url=url)

    def evaluate(self, expression):
        try:
            return self._send("POST", f"{self.session}/execute/sync", script=f"return {expression}", args=[])
        except urllib.error.HTTPError:
            return None

    def click(self, x, y):
        self._send("POST", f"{self.session}/actions", actions=touched(x, y))

    def type(self, text):
        self._send("POST", f"{self.session}/actions", actions=typed(text))

    def close(self):
        self._send("DELETE", self.session)
        self.driver.terminate()
        self.driver.wait(timeout=20)


ENGINES = {
    "firefox": (Firefox, ("firefox-esr",)),
    "webkit": (WebKit, ("WebKitWebDriver", "Xvfb")),
}
"""Each engine and the programs it needs."""


def engine(name):
    """The engine of that name; the test is skipped where it is not installed."""
    made, programs = ENGINES[name]
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        pytest.skip(f"{name} is not installed: no {', '.join(missing)}")
    return made()
