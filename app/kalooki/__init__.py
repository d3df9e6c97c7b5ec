"""The core: Kalooki as values and pure functions, using only the standard library."""
