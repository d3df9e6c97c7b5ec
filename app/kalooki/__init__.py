"""The core: Kalooki as values and plain functions, standard library only."""
