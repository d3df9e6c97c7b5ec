"""A workbook as an OpenDocument file. Runs in the press's child process; the only user of odfdo."""

from __future__ import annotations

import io
from decimal import Decimal

from odfdo import Cell as OdfCell
from odfdo import Column, Document, Element, Row, Style
from odfdo import Table as OdfTable

from app.sheets.grid import Cell, Formula, Grid, Workbook

HEAD, AMOUNT, SUM, SUM_AMOUNT = "head", "amount", "sum", "sum_amount"
_DECIMALS = range(4)
_AMOUNTS = (
    '<number:number-style style:name="digits{0}">'
    '<number:number number:decimal-places="{0}" number:min-decimal-places="{0}" number:min-integer-digits="1"/>'
    "</number:number-style>"
)
ON_PAPER = {
    "fo:page-width": "297mm",
    "fo:page-height": "210mm",
    "style:print-orientation": "landscape",
    "style:scale-to-X": "1",
    "style:scale-to-Y": "0",
}
"""A sheet is printed as wide as the paper on its side, on as many pages as it has rows for."""
NARROWEST, WIDEST, SIGN = 12, 40, 2.1
"""The signs a column is wide, and the millimetres of one."""


def opendocument(workbook: Workbook) -> bytes:
    """The spreadsheet file, which LibreOffice, Excel and others open."""
    document = Document("ods")
    document.meta.title = workbook.title
    document.meta.set_language(workbook.language)
    document.meta.set_creation_date()
    document.body.clear()
    for decimals in _DECIMALS:
        document.insert_style(_AMOUNTS.format(decimals), automatic=True)
    for style in _styles():
        document.insert_style(style, automatic=True)
    for page in document.styles.get_elements("//style:page-layout-properties"):
        for name, value in ON_PAPER.items():
            page.set_attribute(name, value)
    for grid in workbook.grids:
        # add the table while it is empty: a full one is moved node by node, which takes longer
        document.body.append(OdfTable(grid.name))
        _fill(document.body.get_tables()[-1], grid)
    written = io.BytesIO()
    document.save(written, pretty=False)
    return written.getvalue()


def _styles() -> list[Style]:
    amounts = []
    for decimals in _DECIMALS:
        plain = Style("table-cell", name=f"{AMOUNT}{decimals}")
        bold_one = Style("table-cell", name=f"{SUM_AMOUNT}{decimals}", area="text", bold=True)
        for style in (plain, bold_one):
            style.set_attribute("style:data-style-name", f"digits{decimals}")
        amounts += [plain, bold_one]
    bold = [Style("table-cell", name=name, area="text", bold=True) for name in (HEAD, SUM)]
    columns = [
        Style("table-column", name=f"wide{signs}", area="table-column", width=f"{signs * SIGN:.1f}mm")
        for signs in range(NARROWEST, WIDEST + 1)
    ]
    return [*amounts, *bold, *columns]


def _fill(table: OdfTable, grid: Grid) -> None:
    for place in range(len(grid.heads)):
        longest = max(len(str(row[place] or "")) for row in (grid.heads, *grid.rows) if type(row[place]) is not Formula)
        Element.append(table, Column(style=f"wide{min(WIDEST, max(NARROWEST, longest + 1))}"))
    _append(table, grid.heads, HEAD, HEAD)
    for row in grid.rows:
        _append(table, row, None, AMOUNT)
    for sums in grid.sums:
        _append(table, sums, SUM, SUM_AMOUNT)


def _append(table: OdfTable, cells: tuple[Cell, ...], style: str | None, amounts: str) -> None:
    row = Row()
    for cell in cells:
        value = cell.value if isinstance(cell, Formula) else cell
        formula = f"of:={cell.words}" if isinstance(cell, Formula) else None
        how = f"{amounts}{-int(value.as_tuple().exponent)}" if isinstance(value, Decimal) else style
        Element.append(row, OdfCell(value, formula=formula, style=how))
    Element.append(table, row)
