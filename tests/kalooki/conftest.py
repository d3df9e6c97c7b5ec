"""Fixtures of the core's tests."""

import sys

import pytest


@pytest.fixture(autouse=True, scope="module")
def read_afresh():
    """Clear the core's caches for each file, so that its coverage does not depend on which tests ran before."""
    core = [module for name, module in sys.modules.items() if name.startswith("app.kalooki")]
    for value in {id(value): value for module in core for value in vars(module).values()}.values():
        if hasattr(value, "cache_clear"):
            value.cache_clear()
