"""Commands for whoever runs the server, such as ``python3 -m app check``."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree

import click
from flask import Flask, current_app, url_for
from flask.cli import AppGroup, FlaskGroup

from app.addresses import own_addresses
from app.games import recording
from app.games.clubs import CLUB, faults_of_index, open_club
from app.history.formats import number_of, plural
from app.kalooki.game.play import warnings
from app.kalooki.game.state import EntryFault
from app.kalooki.rules.rulebook import explain
from app.settings import database_url, without_secrets, write_line
from app.store import clubs as stored_clubs
from app.store import games as stored_games
from app.store import grants, opening
from app.store.database import NoSuchGame, version
from app.store.trouble import Unavailable

COMMANDS = AppGroup(help="Run the server, or a COMMAND on its database. Also: install, --version.")
_BACKUP_NAME = "kalooki-%Y-%m-%d-%H%M%S.db"
_BACKUP_PATTERN = "kalooki-20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]-[0-9][0-9][0-9][0-9][0-9][0-9].db"


def init(app: Flask) -> None:
    """Add the commands to the application."""
    for command in COMMANDS.commands.values():
        app.cli.add_command(command)


def is_choosing() -> bool:
    """Return whether a command is looked up or one of ours runs, which opens the database itself if it needs it."""
    context = click.get_current_context(silent=True)
    if context is None:
        return False
    return isinstance(context.command, FlaskGroup) or context.command.name in COMMANDS.commands


def _open_database(*, must_exist: bool = True, even_damaged: bool = False) -> None:
    """Open the database for a command, unless it is open already."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001 - Flask's own way
    if not opening.is_open(app):
        opening.open_database(app, must_exist=must_exist, even_damaged=even_damaged)


@COMMANDS.command("config")
def config() -> None:
    """Print every setting in force, as a config.toml that says where each comes from; secrets are hidden."""
    for name, (value, where) in current_app.config["IN_FORCE"].items():
        click.echo(f"{'# ' if name == 'DATA' else ''}{write_line(name, value)}  # {where}")


@COMMANDS.command("check")
def check() -> None:
    """Check the database and replay every game; report damage and odd entries. Exits with 1 if anything is unusable."""
    _open_database(even_damaged=True)
    gc.disable()  # a third faster; games contain no reference cycles
    try:
        is_sound = _check_all()
    finally:
        gc.enable()
    raise SystemExit(0 if is_sound else 1)


def _check_all() -> bool:
    """Print every finding and the number of games; return whether everything is sound and playable."""
    damage, broken = [*opening.check()], 0
    checks: list[tuple[str, Callable[[str], tuple[list[str], bool]]]] = []
    try:
        checks += [(code, _check_game) for code in stored_games.codes()]
        checks += [(code, _check_club) for code in stored_games.codes(kind=CLUB)]
    except Unavailable as trouble:
        damage += [] if f"{trouble}" in damage else [f"{trouble}"]
    for line in damage:
        click.echo(f"the database: {line}")
    for code, check_one in checks:
        lines, is_playable = check_one(code)
        broken += not is_playable
        for line in lines:
            click.echo(f"{code}: {line}")
    more = f", {len(damage)} damaged" if damage else ""
    click.echo(f"{len(checks)} checked, {broken} cannot be played{more}")
    return not broken and not damage


def _check_game(code: str) -> tuple[list[str], bool]:
    """Return what is odd in a game, a sentence each, and whether it can be played."""
    try:
        record = recording.open_game(code)
    except Unavailable as trouble:
        return [f"cannot be played: {trouble.__cause__ or trouble}"], False
    if record is None:
        return ["cannot be played: it has no entries"], False
    game = record.game
    absences = ((entry, fault) for entry in game.unnamed for fault in warnings(game, entry))
    odd = [*game.faults, *(EntryFault(entry, fault) for entry, fault in absences if fault.rule == "counted-absent")]
    return [f"entry {each.entry}: {explain(each.fault, game.variant).text}" for each in odd], True


def _check_club(code: str) -> tuple[list[str], bool]:
    """Return what is wrong with a club, a sentence each, and whether nothing is."""
    try:
        record = open_club(code)
    except Unavailable as trouble:
        return [f"cannot be read: {trouble.__cause__ or trouble}"], False
    wrong = [*faults_of_index(record)] if record else ["cannot be read: it has no entries"]
    return wrong, not wrong


@COMMANDS.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--keep", type=click.IntRange(1, 999), help="Add a backup to the folder FILE and keep only this many.")
def backup(file: Path, keep: int | None) -> None:
    """Copy the database to a new FILE while the server runs; with --keep, to a folder, named by the time (UTC)."""
    _open_database()
    path = file / f"{current_app.config['CLOCK']():{_BACKUP_NAME}}" if keep else file
    if keep:
        with suppress(OSError):  # the backup itself reports why it cannot be written there
            file.mkdir(0o700, parents=True, exist_ok=True)
    if path.exists():
        raise click.ClickException(f"{path} exists: name a new file")
    if not path.parent.is_dir():
        raise click.ClickException(f"{path} cannot be written: there is no folder {path.parent}")
    with _naming(f"{path} cannot be written"):
        opening.backup(path)
    click.echo(f"Copied to {path}: {_size_of(path)}")
    if keep:
        _delete_older(path, keep)


def _delete_older(newest: Path, keep: int) -> None:
    """Delete all but `keep` backups, and what killed ones left.

    A backup with a later name than the newest was made before it, by a wrong clock, and counts as the oldest.
    """
    folder = newest.parent
    backups = (each for each in folder.glob(_BACKUP_PATTERN) if each.is_file())
    for old in sorted(backups, key=lambda each: (each.name <= newest.name, each.name))[:-keep]:
        old.unlink()
    for draft in folder.glob(f".{_BACKUP_PATTERN}.draft"):
        rmtree(draft, ignore_errors=True)


@COMMANDS.command("restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def restore(file: Path) -> None:
    """Replace the database with the backup FILE while no server runs; the old database is moved aside."""
    own = opening.own_file().path
    with _naming(file):
        opening.require_ours(file)
    click.echo(f"{file}: {_size_of(file)}")
    if own.exists():
        click.echo(f"{own}: {_size_of(own)}; it is kept")
    _require_yes(f"Put {file} in the place of {own}?", "nothing was changed")
    with _naming(file):
        aside = opening.restore(file)
    click.echo(f"Restored: {_size_of(own)}")
    if aside:
        click.echo(f"The old database is {aside}")


def _size_of(file: Path) -> str:
    """Return in words how many games, clubs and entries a file contains."""
    try:
        games, entries = opening.size_of_file(file)
    except Unavailable:
        return "cannot be read"
    return f"games and clubs: {games}, entries: {entries}"


@contextmanager
def _naming(what: object) -> Iterator[None]:
    """Put `what` in front of the message if a database is unavailable."""
    try:
        yield
    except Unavailable as trouble:
        raise click.ClickException(f"{what}: {trouble}") from trouble


@COMMANDS.command("copy-to")
@click.argument("url")
def copy_to(url: str) -> None:
    """Copy all games into the empty database at URL, such as postgresql://user@host/name or sqlite:////srv/games.db."""
    _open_database()
    with _naming(without_secrets("DATABASE_URL", url)):
        opening.copy_to(database_url(url))
    to_use = "To use the new database, set DATABASE_URL to it and restart the server."
    click.echo(f"Copied {number_of(len(stored_games.codes()), 'game')}. {to_use}")


@COMMANDS.command("link")
@click.argument("code")
def link(code: str) -> None:
    """Print a new link by which a phone may record in the game, or runs the club, with this CODE."""
    _open_database()
    try:
        secret = grants.mint(code, "scorer")
    except NoSuchGame as cause:
        raise _no_game(code) from cause
    here = f"http://{next(iter(own_addresses()), 'localhost')}:{current_app.config['PORT']}"
    with current_app.test_request_context(base_url=current_app.config["BASE_URL"] or here):
        enter = "club_links.run" if version(code, CLUB) else "joining.open_link"
        click.echo(url_for(enter, code=code, secret=secret, _external=True))


@COMMANDS.command("forget")
@click.option("--days", required=True, type=click.IntRange(1, 36_500), help="Number of days without an entry.")
@click.option("--yes", is_flag=True, help="Delete even more than half of all games.")
def forget(days: int, yes: bool) -> None:
    """Delete every game in which nothing was recorded for that many days; more than half of all only with --yes."""
    _open_database()
    due, games = stored_games.unused(days), len(stored_games.codes())
    if 2 * len(due) > games and not yes:
        raise click.ClickException(
            f"{len(due)} of {games} games would be deleted, and none was: if this machine's clock is right, say --yes."
        )
    count = 0
    for code in due:
        with suppress(NoSuchGame):  # deleted or used in the meantime
            recording.delete(code, unused_days=days)
            count += 1
    click.echo(f"{count} {plural('game', 'games', count)} deleted: nothing recorded for {days} days")


@COMMANDS.command("delete")
@click.argument("code")
def delete(code: str) -> None:
    """Delete the game or the club with this CODE for good, after asking once; a club's games stay."""
    _open_database()
    if version(code) is None and version(code, CLUB) is None:
        raise _no_game(code)
    if clubs := stored_clubs.clubs_of(code):
        click.echo(f"It counts in the table of {number_of(len(clubs), 'club')}: {', '.join(clubs)}")
    _require_yes(f"Delete {code} and everything recorded in it, for good?")
    recording.delete(code)
    click.echo(f"{code} is deleted.")


def _no_game(code: str) -> click.ClickException:
    return click.ClickException(f"there is no game {code}: its code is in its address, after /g/ or /c/")


def _require_yes(question: str, otherwise: str = "nothing was deleted") -> None:
    """Ask once; unless the answer is y or yes, stop with the message `otherwise`."""
    click.echo(f"{question} [y/N] ", nl=False)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise click.ClickException(otherwise)
