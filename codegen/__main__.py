"""`python -m codegen`: generate, check or accept. Exit 0 done, 1 findings, 2 wrong usage."""

import argparse
import io
import os
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from codegen import commands
from codegen.report import GenerationError

REPOSITORY = Path(__file__).resolve().parents[1]
MESSAGE_MAX_CHARACTERS = 500


def main(arguments: Sequence[str] | None = None, repository: Path = REPOSITORY) -> int:
    """Run one command on `repository` and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        outcome = _run(options, repository)
    except (OSError, ValueError, GenerationError, ModuleNotFoundError) as error:
        outcome = commands.Outcome(f"{_in_one_line(error, repository)}\n", failed=True)
    _say(outcome.text)
    return 1 if outcome.failed else 0


def _in_one_line(error: Exception, repository: Path) -> str:
    match error:
        case OSError(filename=(str() | Path()) as name, strerror=str(reason)):
            text = f"{name}: {reason}"
        case ModuleNotFoundError(name=str(name)):
            text = f"the module {name} is not installed; install the dependency group codegen"
        case tomllib.TOMLDecodeError():
            text = f"pyproject.toml: {error}"
        case _:
            text = f"{type(error).__name__}: {error}"
    line = " ".join(text.replace(f"{repository}/", "").split())
    return line if len(line) <= MESSAGE_MAX_CHARACTERS else f"{line[:MESSAGE_MAX_CHARACTERS]} ..."


def _say(text: str) -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Nobody reads on. The interpreter flushes once more at its end, so give it an open end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
