"""Commands for whoever keeps the server: ``flask --app app check-logs`` and its neighbours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from flask.cli import with_appcontext

from app import log, recording
from app.kalooki import variants
from app.kalooki.rulebook import explain, rules_of
from app.kalooki.wording import value_words

if TYPE_CHECKING:
    from flask import Flask


def init(app: Flask) -> None:
    """Add the commands to ``flask --app app``."""
    for command in (check_logs, check_variants, backup):
        app.cli.add_command(command)


@click.command("check-logs")
@with_appcontext
def check_logs() -> None:
    """Play every game again from its log and name the entries that make no sense.

    Ends with 1 when a game cannot be played at all.
    """
    codes = log.codes()
    broken = 0
    for code in codes:
        try:
            lines = _odd_entries(code)
        except (ValueError, LookupError) as cause:
            broken += 1
            lines = [f"cannot be played: {cause}"]
        for line in lines:
            click.echo(f"{code}: {line}")
    click.echo(f"{len(codes)} checked, {broken} cannot be played")
    raise SystemExit(1 if broken else 0)


def _odd_entries(code: str) -> list[str]:
    """What the table sees as faults of a game; raises where there is no game to be made of it."""
    table = recording.open_table(code)
    if table is None:
        raise LookupError("no entries")
    numbers = [entry.seq for entry in table.log.entries]
    if numbers != list(range(1, len(numbers) + 1)):
        raise LookupError("its entries are not numbered from 1 without a gap")
    variant = table.game.variant
    return [f"entry {noted.entry}: {explain(noted.fault, variant).text}" for noted in table.game.faults]


@click.command("check-variants")
def check_variants() -> None:
    """Read every variant and put each of its values and rules into words.

    Ends with 1 when one cannot be read.
    """
    broken = 0
    for variant_id in variants.ids():
        try:
            click.echo(f"{variant_id}: {_summed_up(variants.load(variant_id))}")
        except (ValueError, TypeError, LookupError) as cause:
            broken += 1
            click.echo(f"{variant_id}: cannot be read: {cause}")
    raise SystemExit(1 if broken else 0)


def _summed_up(variant: variants.Variant) -> str:
    values = [value_words(variant, key) for key in variant.values]
    rules = [rule for chapter in rules_of(variant) for rule in chapter.rules]
    usual = len(values) - len(variant.stated)
    return f"{len(values)} values, {usual} of them usual defaults, {len(rules)} rules"


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@with_appcontext
def backup(file: Path) -> None:
    """Copy the database into FILE, which must be new, while the server runs on."""
    try:
        log.backup(file)
    except log.BackupRefused as refused:
        raise click.ClickException(str(refused)) from refused
    click.echo(f"Copied to {file}")
