"""Generated from contracts by nox -s codegen; do not edit.

One module a plugin: its handlers, and how they become callable tools.
"""
