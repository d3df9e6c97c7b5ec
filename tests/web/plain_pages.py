"""A page as a phone without script reads it: the links, pictures and forms it offers, and the words it shows."""

from dataclasses import dataclass, field

from lxml import etree

TORN = ('">', "{{", "}}", "{%", "%}", "%(", "&lt;", "&amp;", "&#")
"""What is read as text only where a template or a translation is broken."""


@dataclass
class Form:
    """A form as it opens: where it leads, what it sends by itself, and its buttons as (name, value, action)."""

    action: str
    method: str
    sent: list = field(default_factory=list)
    buttons: list = field(default_factory=list)

    @property
    def is_get(self):
        return self.method.lower() == "get"

    @property
    def first_press(self):
        """Where its first button leads, and everything sent with it."""
        name, value, action = self.buttons[0]
        return action or self.action, [*self.sent, *([(name, value)] if name else [])]


class Offered:
    """What a page offers: `links` and `forms` in order, `pictures`, `ids`, whether it `complains`, `torn` texts."""

    def __init__(self, page):
        self.links, self.pictures, self.forms, self.torn = [], [], [], []
        self.ids = set()
        self.complains = False
        self._form = None
        self._named = {}
        self._owed = []
        self._options = []
        self._select = {}
        self._is_code = False
        self._starts = {
            "a": self._link, "link": self._link, "img": self._picture, "script": self._script, "style": self._code,
            "form": self._begin, "input": self._input, "button": self._button, "select": self._choose,
            "option": self._option,
        }  # fmt: skip
        etree.fromstring(page, etree.HTMLParser(target=self))
        for name, add in self._owed:
            add(self._named[name])

    def start(self, tag, attributes):
        told = dict(attributes)
        self.torn += [f"{name}={value}" for name, value in told.items() if "<" in value or "{{" in value]
        self.ids.add(told.get("id"))
        self.complains |= told.get("role") == "alert" or "error" in told.get("class", "").split()
        if tag in self._starts:
            self._starts[tag](told)

    def end(self, tag):
        if tag in ("script", "style"):
            self._is_code = False
        elif tag == "form":
            self._form = None
        elif tag == "select" and self._options:
            chosen = [value for value, is_chosen in self._options if is_chosen] or [self._options[0][0]]
            self._send(self._select, chosen[0])

    def data(self, data):
        if not self._is_code and any(torn in data for torn in TORN):
            self.torn.append(" ".join(data.split()))

    def close(self):
        """The parser asks for it."""

    def _link(self, told):
        self.links += [told["href"]] if told.get("href") else []

    def _picture(self, told):
        self.pictures.append(told["src"])

    def _script(self, told):
        self._is_code = True
        self.pictures += [told["src"]] if "src" in told else []

    def _code(self, _told):
        self._is_code = True

    def _begin(self, told):
        self._form = Form(told.get("action", ""), told.get("method", "get"))
        self.forms.append(self._form)
        self._named[told.get("id")] = self._form

    def _input(self, told):
        if told.get("type") == "submit":
            self._button(told)
            return
        is_ticked = told.get("type") not in ("checkbox", "radio") or "checked" in told
        if is_ticked:
            self._send(told, told.get("value", ""))

    def _button(self, told):
        if told.get("type", "submit") == "submit":
            press = (told.get("name"), told.get("value", ""), told.get("formaction"))
            self._add(told, lambda form: form.buttons.append(press))

    def _choose(self, told):
        self._select, self._options = told, []

    def _option(self, told):
        self._options.append((told.get("value", ""), "selected" in told))

    def _send(self, told, value):
        if told.get("name"):
            self._add(told, lambda form: form.sent.append((told["name"], value)))

    def _add(self, told, add):
        """To the form a control stands in, or to the one it names, which may come later."""
        if "form" in told:
            self._owed.append((told["form"], add))
        elif self._form and "disabled" not in told:
            add(self._form)
