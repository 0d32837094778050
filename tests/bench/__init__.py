"""Speed and size, measured and enforced: `nox -s bench`. Linux only."""
