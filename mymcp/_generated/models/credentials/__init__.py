"""Generated from contracts by nox -s codegen; do not edit."""
