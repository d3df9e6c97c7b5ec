"""``python3 -m app NAME``: what NAME may be, read with the standard library only."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import textwrap
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

from app.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from app.kalooki.variants import Variant
    from app.kalooki.variants.own import OwnRules
    from app.terminal.verdicts import Answered

OPERATORS = {
    "accept-older": "serve a database that lacks what was saved before",
    "backup": "copy the database while the server runs",
    "check-logs": "check every row, and play every game again",
    "check-variants": "read every variant, those of this server too",
    "config": "say which settings are in force, and where each comes from",
    "delete": "delete one game for good",
    "forget": "delete the games nobody records in any more",
    "install": "install what is missing, and start nothing",
    "move": "copy the database to the other engine: SQLite or PostgreSQL",
    "restore": "put a backup in the place of the database",
}
"""What the person who runs the server can do: commands of `app.cli`, which need the environment."""
WIDTH = 80
UNREADABLE = 2
_USAGE = """\
%(prog)s                          serve the app (the first call installs what is missing)
       %(prog)s check VARIANT CARDS      whether these cards are a legal meld
       %(prog)s count VARIANT CARDS      what cards left in a hand count
       %(prog)s solve VARIANT CARDS      the best way to lay a hand down
       %(prog)s sheet FILE               the score of a saved game (sheet.json)
       %(prog)s NAME --help              more about one of these
       %(prog)s --version"""
_ENDS = "Ends with 0 if legal or possible, 1 if not, 2 if something cannot be read. Installs nothing."
_CARDS = "Cards are written 10H or TH, QS, AD, 2C, and * for a joker; put them between quotation marks."
_ASCII = str.maketrans(
    {"–": "-", "−": "-", "…": "...", "’": "'", "‘": "'", "“": '"', "”": '"', "·": "|", "✓": "*", "•": "."}
    | dict.fromkeys("\u00a0\u2009\u202f", " ")
)
_STEERING = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], " ")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        _stop(f"{message[:1].upper()}{message[1:]}. See {self.prog} --help.")


def answer(arguments: Sequence[str]) -> None:
    """Answer what needs no installed package, and end; returns if there is nothing to answer.

    That is so without arguments, and for a command of `OPERATORS`.
    """
    if not arguments or arguments[0] in OPERATORS:
        return
    if not arguments[0].startswith("-") and arguments[0] not in _ASKED:
        _stop(f"There is no “{arguments[0]}”. There are: {', '.join(sorted([*_ASKED, *OPERATORS]))}.")
    asked = _parser().parse_args(arguments)
    sys.exit(_answered(asked))


def _parser() -> argparse.ArgumentParser:
    running = "\n".join(f"  {name:16} {what}" for name, what in OPERATORS.items())
    parser = _Parser(
        prog="python3 -m app",
        usage=_USAGE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"For the person who runs the server:\n{running}",
        add_help=False,
    )
    parser.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
    parser.add_argument("--version", action="version", version=f"Kalooki Referee {VERSION}", help=argparse.SUPPRESS)
    named = parser.add_subparsers(dest="name", required=True, help=argparse.SUPPRESS, prog=parser.prog)
    rules = _rules_options()
    for name, about in _ABOUT.items():
        usage = f"{parser.prog} {name} VARIANT CARDS [options]"
        each = named.add_parser(name, usage=usage, description=f"{about} {_CARDS}", epilog=_ENDS, parents=[rules])
        _more_options(each, name)
    sheet = named.add_parser("sheet", description="The score of a saved game, as text.", epilog=_ENDS)
    sheet.add_argument("file", metavar="FILE", type=Path, help="sheet.json, from the game's page Share")
    return parser


def _rules_options() -> _Parser:
    """What check, count and solve have in common: whose rules, and the cards."""
    rules = _Parser(add_help=False)
    rules.add_argument("words", nargs="+", metavar="VARIANT CARDS", help='such as: european "QH KH AH"')
    rules.add_argument("--house", action="append", default=[], metavar="KEY=VALUE", help="a rule of your table's own")
    rules.add_argument("--own", default="", metavar="TEXT|FILE", help="own rules, as their link or their file has them")
    return rules


def _more_options(parser: argparse.ArgumentParser, name: str) -> None:
    if name == "count":
        parser.add_argument("--bent", action="store_true", help="the winner bent the table")
        return
    parser.add_argument("--hand", type=int, default=1, metavar="N", dest="number", help="which hand, for its contract")
    if name == "solve":
        goals = ("least-points", "open", "go-out", "kalooki", "most-points")
        parser.add_argument("--goal", choices=goals, default=goals[0], help="what for; usually to leave least")
        parser.add_argument("--table", action="append", default=[], metavar="MELD", help="a meld on the table")
        parser.add_argument("--opened", action="store_true", help="the player has opened before")


_ABOUT = {
    "check": "Whether cards are a legal meld; several melds, each in quotation marks: whether they open.",
    "count": "What cards left in a hand count against whoever holds them.",
    "solve": "The best way to lay down a hand, told with the card just drawn.",
}


def _answered(asked: argparse.Namespace) -> int:
    from app.kalooki.cards import Malformed
    from app.settings import Unusable

    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as other commands: whoever reads may stop reading
    try:
        lines, status = _ASKED[asked.name](asked)
    except (Malformed, Unusable) as cause:
        _stop(str(cause))
    for line in (part for each in lines for part in _folded(each)):
        _say(line, sys.stdout)
    return status


def _check(asked: argparse.Namespace) -> Answered:
    from app.terminal import verdicts

    variant, melds = _rules(asked)
    if all(len(cards.split()) < 2 for cards in melds):
        melds = [" ".join(melds)]  # one meld without quotation marks
    return verdicts.meld(melds[0], variant) if len(melds) == 1 else verdicts.opening(melds, asked.number, variant)


def _count(asked: argparse.Namespace) -> Answered:
    from app.terminal import verdicts

    variant, cards = _rules(asked)
    return verdicts.count(" ".join(cards), asked.bent, variant)


def _solve(asked: argparse.Namespace) -> Answered:
    from app.terminal import verdicts

    variant, cards = _rules(asked)
    raw = {"cards": " ".join(cards), "goal": asked.goal.replace("-", "_"), "table": asked.table}
    return verdicts.solve(raw | {"opened": asked.opened, "hand_number": asked.number}, variant)


def _sheet(asked: argparse.Namespace) -> Answered:
    from app.terminal.score import sheet
    from app.terminal.verdicts import Answered

    return Answered(tuple(sheet(asked.file)), 0)


_ASKED: Mapping[str, Callable[[argparse.Namespace], Answered]] = {
    "check": _check,
    "count": _count,
    "solve": _solve,
    "sheet": _sheet,
}


def _rules(asked: argparse.Namespace) -> tuple[Variant, list[str]]:
    """Whose rules are asked about, and the cards; raises Malformed."""
    from app.config import settings
    from app.kalooki.cards import Malformed
    from app.kalooki.rules.rulebook import explain
    from app.kalooki.variants import ignored_rules, load, play_beside, with_house_rules

    play_beside(Path(str(settings({})["VARIANTS"])))
    own = _own(asked.own) if asked.own else None
    variant_id, cards = _named(asked.words, own)
    if not cards:
        raise Malformed("Say the cards, too.")
    house = {**(own.house if own else {}), **dict(map(_house, asked.house))}
    variant, ignored = with_house_rules(load(variant_id), house)
    for fault in ignored_rules(variant, ignored):
        _say(explain(fault, variant).text, sys.stderr)
    return variant, cards


def _named(words: Sequence[str], own: OwnRules | None) -> tuple[str, list[str]]:
    """The id of the variant, which own rules may say instead, and the words that follow it; raises Malformed."""
    from app.kalooki.cards import Malformed
    from app.kalooki.variants import all_variants, ids, unreadable

    first, *rest = words
    if own and first not in ids():
        return own.variant_id, [*words]
    if own and first != own.variant_id:
        raise Malformed("These own rules change {own}, not {word}.", "", first, own=own.variant_id)
    if first not in ids():
        known = ", ".join(variant.id for variant in all_variants())
        why = " ".join(["", *unreadable()])
        raise Malformed("There is no variant “{word}”. There are: {known}.{why}", "", first, known=known, why=why)
    return first, rest


def _own(text: str) -> OwnRules:
    """Own rules as a text, or in the file of that name; raises Malformed."""
    from app.kalooki.cards import Malformed
    from app.kalooki.files import text_of
    from app.kalooki.variants.own import read_file, read_own

    if not text.endswith(".toml"):
        return read_own(text)
    path = Path(text)
    if not path.exists():
        raise Malformed("{path} is not there.", path=path)
    return read_file(text_of(path).encode())


def _house(text: str) -> tuple[str, Any]:
    """One value a table plays: limit=200, limit=none, one_meld_a_turn=yes, contracts=[[2, 0]]; raises Malformed."""
    from app.kalooki.cards import Malformed

    key, sign, word = text.partition("=")
    if not sign:
        raise Malformed("--house {word}: write it as key=value, such as limit=200.", "", text)
    try:
        value = json.loads(word)
    except (ValueError, RecursionError):
        value = {"yes": True, "no": False, "none": None}.get(word, word)
    return key.strip().replace("-", "_"), value


def _stop(sentence: str) -> NoReturn:
    _say(f"kalooki: {sentence}", sys.stderr)
    sys.exit(UNREADABLE)


def _folded(line: str) -> list[str]:
    """The line in lines of the width, without signs that steer a terminal."""
    line = line.translate(_STEERING)
    begins = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(line, WIDTH, subsequent_indent=begins, break_on_hyphens=False) or [""]


def _say(line: str, stream: TextIO) -> None:
    """Write a line in letters the terminal has."""
    named = os.environ.get("LC_ALL") or os.environ.get("LANG")
    stream.write(as_far_as("ascii" if named in ("C", "POSIX") else stream.encoding, line) + "\n")


def as_far_as(encoding: str, line: str) -> str:
    """The line in letters of an encoding, with the nearest ones for those it lacks.

    >>> as_far_as("ascii", "Zoë’s ✓ – 40")
    "Zoe's * - 40"
    """
    try:
        line.encode(encoding)
    except UnicodeEncodeError:
        apart = unicodedata.normalize("NFKD", line.translate(_ASCII))
        bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
        return bare.encode(encoding, "replace").decode(encoding)
    return line
