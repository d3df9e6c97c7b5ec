"""The store: every game is a list of entries that only grows.

This is the only package that reads and writes the database. It stores every recorded event, in order and exactly once,
and knows no rules of play: the caller judges an event against the log, and it is appended only if the log is unchanged.
"""
