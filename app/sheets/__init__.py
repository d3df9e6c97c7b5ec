"""Sheets of paper: what stands on them as plain values, and the PDF and pictures made of them.

README's map names the modules. They turn games into rows, words and measures, templates lay them out; `pdf_press` makes
the PDF in a process of its own and is the only user of WeasyPrint.
"""
