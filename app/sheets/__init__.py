"""Sheets of paper: their contents as plain values, and the PDFs and pictures made from them.

docs/map.md lists the modules. They turn games into rows, words and measurements; templates lay these out; `renderer`
makes the PDF in a child process.
"""
