"""The store: every game is a list of entries that only grows.

The only package that reads and writes the database. It keeps every recorded event, in order and exactly once, and
knows no rules of play: the caller judges an event on the log it extends, and appends it if that is still the newest.
"""
