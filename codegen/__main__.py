"""`python -m codegen`: generate, check or accept. Exit 0 done, 1 findings, 2 wrong usage."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from codegen import commands

REPOSITORY = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str] | None = None, repository: Path = REPOSITORY) -> int:
    """Run one command on `repository` and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        outcome = _run(options, repository)
    except OSError as error:
        place = str(error.filename).removeprefix(f"{repository}/")
        outcome = commands.Outcome(f"{place}: {error.strerror}\n", failed=True)
    sys.stdout.write(outcome.text)
    return 1 if outcome.failed else 0


def _run(options: argparse.Namespace, repository: Path) -> commands.Outcome:
    if options.command == "accept":
        return commands.accept(repository, options.capability, options.reason)
    return (
        commands.check(repository) if options.command == "check" else commands.generate(repository)
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m codegen", description="Contracts to code.")
    command = parser.add_subparsers(dest="command", required=True)
    command.add_parser("generate", help="write mymcp/_generated and docs/contracts")
    command.add_parser("check", help="write nothing; fail when something is not as generated")
    accept = command.add_parser("accept", help="record the new version of one capability")
    accept.add_argument("capability", help="a tool, or record-…, manifest-…, plugin-…")
    accept.add_argument("--reason", required=True, help="one line: why the contract changed")
    return parser


if __name__ == "__main__":
    sys.exit(main())
