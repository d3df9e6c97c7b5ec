"""The core: Kalooki as values and pure functions, on the standard library alone."""
