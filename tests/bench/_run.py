"""Runs one benchmark, in the environment it needs: `_run NAME [--tiny] [number …]`."""

import sys
from importlib import import_module

name, *words = sys.argv[1:]
numbers = [int(word) for word in words if word.isdecimal()]
sys.exit(import_module(f"tests.bench.{name}").main(*numbers, tiny="--tiny" in words))
