"""The core's tests read the rules afresh, file by file."""

import sys

import pytest


@pytest.fixture(autouse=True, scope="module")
def read_afresh():
    """Forget what the core has read: otherwise an earlier test of a page, which is not measured, would have read it."""
    core = [module for name, module in sys.modules.items() if name.startswith("app.kalooki")]
    for value in {id(value): value for module in core for value in vars(module).values()}.values():
        if hasattr(value, "cache_clear"):
            value.cache_clear()
