"""Print the figures, and with `-v` each query that falls short.

Run as `python -m tests.plugins.mnemosyne.retrieval [-v]`.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.plugins.mnemosyne.retrieval.figures import answers, figures


def main(verbose: bool) -> None:
    """Measure the set as it is served, scope by scope, and with all records in one pool."""
    columns = {}
    for name, pooled in (("by scope", False), ("pooled", True)):
        with TemporaryDirectory() as root:
            answered = list(answers(Path(root), pooled=pooled))
        columns[name] = figures(answered)
        for answer in answered if verbose else ():
            if answer.value < 1:
                query = answer.query
                told = " ".join(f"{a}:{b}" for a, b in zip(answer.labels, answer.hows, strict=True))
                wanted = " ".join(sorted(query.relevant))
                sys.stdout.write(f"{name} {query.category}: {query.text} [{wanted}] -> {told}\n")
    sys.stdout.write(f"{'category':<14}{''.join(f'{name:>10}' for name in columns)}\n")
    for category in columns["pooled"]:
        row = "".join(f"{column[category]:>10.3f}" for column in columns.values())
        sys.stdout.write(f"{category:<14}{row}\n")


if __name__ == "__main__":
    main("-v" in sys.argv[1:])
