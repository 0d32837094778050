"""Generated from contracts by nox -s codegen; do not edit.

One module a tool: its request, result, errors and contract.
"""
