"""What the applications of a run share, in all its processes: compiled templates, and routes that were read before."""

import os
from contextlib import suppress
from threading import Lock

from flask import Flask
from jinja2 import FileSystemBytecodeCache
from werkzeug.routing import Rule

WHERE = "COMPILED_TEMPLATES"
"""The setting that tells the processes a run starts where its compiled templates are."""
ROUTES = {}
"""What werkzeug has read from each route of an application."""
ONE_AT_A_TIME = Lock()
"""Held while something is compiled: two threads that parse at once can make Python 3.11 raise SystemError."""


def share(folder):
    """From now on each application uses these templates and routes: compiling them would take most of a test's time."""
    os.environ[WHERE] = str(folder)
    Flask.jinja_options = {"bytecode_cache": Templates(str(folder))}
    Flask.url_rule_class = LateRule


class Templates(FileSystemBytecodeCache):
    """Compiled templates; where a test leaves its server no room, they are not kept."""

    def dump_bytecode(self, bucket):
        with suppress(OSError):
            super().dump_bytecode(bucket)


class LateRule(Rule):
    """A route read once for all applications; it compiles its link builder when it first builds a link."""

    def _parse_rule(self, rule):
        if rule not in ROUTES:
            before = len(self._trace)
            parts = [*super()._parse_rule(rule)]
            ROUTES[rule] = parts, self._trace[before:], self._converters, {*self._converters}
            return parts
        parts, trace, converters, arguments = ROUTES[rule]
        self._trace += trace
        self._converters |= converters
        self.arguments |= arguments
        return parts

    def _compile_builder(self, append_unknown=True):
        compiled, compile_it = [], super()._compile_builder

        def build(rule, **values):
            with ONE_AT_A_TIME:
                if not compiled:
                    compiled.append(compile_it(append_unknown))
            return compiled[0](rule, **values)

        return build
