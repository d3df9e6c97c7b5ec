"""Sheets of paper: what stands on them as plain values, and the PDF and pictures made of them.

`score`, `notes`, `chart`, `blank`, `card`, `evening` and `export` turn games into rows and words; templates lay
them out; `press` makes the PDF in a process of its own and is the only user of WeasyPrint.
"""
