"""Generated from contracts by nox -s codegen; do not edit.

What contracts say, as code and data. Owned by the generator and replaced whole.
"""
