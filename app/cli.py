"""Commands for the person who runs the server: ``python3 -m app check`` and its neighbours."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click
from flask import Flask, current_app
from flask.cli import AppGroup, FlaskGroup, with_appcontext

from app import gone, store
from app.games import recording
from app.kalooki.rules.rulebook import explain
from app.settings import write_line

_COMMANDS = AppGroup()
_DATED = "kalooki-%Y-%m-%d-%H%M%S.db"
_EVERY_DATED = "kalooki-20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]-[0-9][0-9][0-9][0-9][0-9][0-9].db"


def init(app: Flask) -> None:
    """Add the commands to the application."""
    for command in _COMMANDS.commands.values():
        app.cli.add_command(command)
    for name, instead in gone.COMMANDS.items():
        app.cli.add_command(_gone(name, instead))
    if is_choosing():
        app.cli.add_command(_opening_first(app.cli.commands["db"]))


def _gone(name: str, instead: str) -> click.Command:
    """Return a command of an earlier release, which says what there is instead."""

    def refuse() -> None:
        raise click.ClickException(instead)

    taking_all = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
    return click.Command(name, callback=refuse, hidden=True, context_settings=taking_all)


def is_choosing() -> bool:
    """Whether ``flask`` is still looking up its command: the command opens the database if it needs it."""
    context = click.get_current_context(silent=True)
    return context is not None and isinstance(context.command, FlaskGroup)


def _open_database(*, must_exist: bool = True, even_damaged: bool = False) -> None:
    """Open the database for a command, unless it is open."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001 - Flask's own way
    if not store.is_open(app):
        store.open_database(app, must_exist=must_exist, even_damaged=even_damaged)


def _opening_first(group: click.Command) -> click.Command:
    """The commands of another package's group, with the database opened first."""
    assert isinstance(group, click.Group)  # noqa: S101 - Flask-Migrate's
    work = group.callback

    def opened(**options: object) -> None:
        _open_database(must_exist=False)
        if work:
            work(**options)

    return click.Group(
        group.name, group.commands, params=group.params, help=group.help, callback=with_appcontext(opened)
    )


@_COMMANDS.command("config")
def config() -> None:
    """Print every setting in force, as a config.toml that says where each comes from; secrets are hidden."""
    for name, (value, where) in current_app.config["IN_FORCE"].items():
        click.echo(f"{'# ' * (name == 'DATA')}{write_line(name, value)}  # {where}")


@_COMMANDS.command("check", context_settings={"ignore_unknown_options": True})
@click.argument("cards", nargs=-1, metavar="")
def check(cards: tuple[str, ...]) -> None:
    """Check the database, and play every game again from its log; name what is damaged and what makes no sense.

    Ends with 1 when anything is damaged, or a game cannot be played at all.
    """
    if cards:
        raise click.ClickException(gone.COMMANDS["count"])
    _open_database(even_damaged=True)
    raise SystemExit(0 if _checked() else 1)


def _checked() -> bool:
    """Whether everything is sound and playable; prints what is odd, and how many games there are."""
    games = broken = damaged = 0
    for each in store.check():
        games += bool(each.code)
        damaged += bool(each.damage)
        lines, is_played = _played(each.code) if each.code else ([], True)
        broken += not is_played
        for line in (*each.damage, *lines):
            click.echo(f"{each.code or 'the database'}: {line}")
    found = f", {damaged} damaged" if damaged else ""
    click.echo(f"{games} checked, {broken} cannot be played{found}")
    return not broken and not damaged


def _played(code: str) -> tuple[list[str], bool]:
    """What is odd in a game, and whether it can be played."""
    try:
        return _odd_entries(code), True
    except (ValueError, LookupError, store.Unavailable) as cause:
        return [f"cannot be played: {cause}"], False


def _odd_entries(code: str) -> list[str]:
    """The faults of a game; raises if no game can be made of its log."""
    table = recording.open_table(code)
    if table is None:
        raise LookupError("no entries")
    numbers = [entry.seq for entry in table.log.entries]
    if numbers != list(range(1, len(numbers) + 1)):
        raise LookupError("its entries are not numbered from 1 without a gap")
    variant = table.game.variant
    return [f"entry {noted.entry}: {explain(noted.fault, variant).text}" for noted in table.game.faults]


@_COMMANDS.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--keep", type=click.IntRange(1, 999), help="FILE is a folder: add one to it, and keep so many.")
def backup(file: Path, keep: int | None) -> None:
    """Copy the database into FILE, which must be new, while the server runs on.

    With --keep, FILE is a folder, made if it is missing: the new backup there has its time (UTC) in its name, and of
    those named so the oldest go.
    """
    _open_database()
    path = file / f"{current_app.config['CLOCK']():{_DATED}}" if keep else file
    with _refusals():
        if keep:
            with suppress(OSError):  # the backup itself says why it cannot be written there
                file.mkdir(0o700, parents=True, exist_ok=True)
        copied = store.backup(path)
    click.echo(f"Copied to {path}: {copied}")
    for old in sorted(file.glob(_EVERY_DATED))[:-keep] if keep else ():
        old.unlink()


@_COMMANDS.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
def restore(file: Path) -> None:
    """Put the backup FILE in the place of the database, while no server runs; what that held is kept in a file.

    Asks once: y and Enter goes on, anything else stops.
    """
    with _refusals(), store.restoring(file) as change:
        if not _is_sound(change):
            click.echo(f"Not every game in {file} is sound: see above.")
        click.echo(f"{file}: {change.size}")
        if change.keeps_old:
            click.echo(f"{change.store}: {change.old or 'cannot be read'}; it is kept")
        _require_yes(f"Put {file} in the place of {change.store}?", "nothing was changed")
        aside = change.put_in_place()
        click.echo(f"Restored: {change.size}")
        if aside:
            click.echo(f"The old database is {aside}")


@_COMMANDS.command("forget")
@click.option("--days", required=True, type=click.IntRange(1, 36_500), help="So many days without an entry.")
@click.option("--yes", is_flag=True, help="Even where more than half of all games go.")
def forget(days: int, yes: bool) -> None:
    """Delete every game in which nothing was recorded for so many days, for good.

    Where more than half of all games would go, this machine's clock may be wrong: then it deletes none without --yes.
    """
    _open_database()
    due, games = store.unused_for(days), len(store.codes())
    if 2 * len(due) > games and not yes:
        raise click.ClickException(
            f"{len(due)} of {games} games would be deleted, and none was: if this machine's clock is right, say --yes."
        )
    deleted = sum(_is_deleted(code, days) for code in due)
    click.echo(f"{deleted} {'game' if deleted == 1 else 'games'} deleted: nothing recorded for {days} days")


def _is_deleted(code: str, days: int) -> bool:
    with suppress(store.NoSuchGame):  # somebody was quicker
        return recording.delete(code, unused_for=days)
    return False


@_COMMANDS.command("delete")
@click.argument("code")
def delete(code: str) -> None:
    """Delete the game with this CODE, for good.

    Asks once: y and Enter goes on, anything else stops.
    """
    _open_database()
    if code not in store.codes():
        raise click.ClickException(f"there is no game {code}: its code is in its address, after /g/")
    _require_yes(f"Delete {code} and everything recorded in it, for good?")
    recording.delete(code)
    click.echo(f"{code} is deleted.")


def _require_yes(question: str, otherwise: str = "nothing was deleted") -> None:
    """Ask once; anything but y and Enter stops, and says that nothing was done."""
    click.echo(f"{question} [y/N] ", nl=False)
    if sys.stdin.readline() != "y\n":
        raise click.ClickException(otherwise)


def _is_sound(change: store.Replacement) -> bool:
    """Whether `check` finds nothing wrong with a draft, which is upgraded first."""
    with change.opened():
        return _checked()


@contextmanager
def _refusals() -> Iterator[None]:
    """Say what cannot be done, and stop."""
    try:
        yield
    except store.CopyRefused as refused:
        raise click.ClickException(str(refused)) from refused
