"""`mymcp credential`: issue, list and revoke the credentials of operator-bearer-v1.

What a program may want to read is on stdout, one line an item; what a person should know on stderr.
"""

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from secrets import token_bytes
from typing import Final, TextIO

from mymcp.app import load_settings
from mymcp.authentication.bearer import issuing, verifiers
from mymcp.authentication.bearer.credential import is_credential_id
from mymcp.authentication.principal import is_subject
from mymcp.cli.address import configuration_file
from mymcp.cli.console import complain
from mymcp.cli.exits import EXIT_CONFIGURATION, EXIT_OTHER
from mymcp.cli.screen import put
from mymcp.cli.usage import Parser
from mymcp.configuration.refusal import HostConfigurationError
from mymcp.settings import PRODUCT_NAME

COMMAND: Final = f"{PRODUCT_NAME} credential"

_RESTART: Final = "restart the server for it to count"


class _NoVerifierFile(Exception):
    """Neither the command line nor the host configuration names one."""


def main(arguments: Sequence[str]) -> int:
    """Do what the command line asks. Returns the exit code."""
    options = _options_of(arguments)
    logging.getLogger().addHandler(logging.NullHandler())  # `complain` says all there is to say
    try:
        path = options.verifier or _configured(options.config)
        return int(options.action(path, options))
    except _NoVerifierFile:
        complain(
            COMMAND,
            "no verifier file is known: give --verifier PATH, or set"
            " authentication.operator_bearer.verifier_path in the host configuration",
        )
        return EXIT_CONFIGURATION
    except (HostConfigurationError, verifiers.VerifierFileError) as error:
        complain(COMMAND, str(error))
        return EXIT_CONFIGURATION


def _new(path: Path, options: argparse.Namespace) -> int:
    credential = issuing.add(path, options.subject, token_bytes)
    try:
        put(f"{credential.text}\n", sys.stdout)
    except OSError:  # nobody has seen it, and nobody ever will
        issuing.remove(path, credential.id)
        _forget_what_is_left(sys.stdout)
        complain(COMMAND, "the credential cannot be written to stdout, so it was taken back")
        return EXIT_OTHER
    complain(COMMAND, f"issued {credential.id}; it is shown this once; {_RESTART}")
    return 0


def _list(path: Path, _options: argparse.Namespace) -> int:
    lines = (f"{verifier.id}\t{verifier.subject}\n" for verifier in verifiers.read(path))
    try:
        put("".join(lines), sys.stdout)
    except BrokenPipeError:  # whoever read has seen enough
        _forget_what_is_left(sys.stdout)
    except OSError:  # a full disk, for example
        _forget_what_is_left(sys.stdout)
        complain(COMMAND, "the list cannot be written to stdout")
        return EXIT_OTHER
    return 0


def _revoke(path: Path, options: argparse.Namespace) -> int:
    if issuing.remove(path, options.id) is None:
        complain(COMMAND, "the verifier file has no credential of this id; see the list")
        return EXIT_OTHER
    complain(COMMAND, f"revoked {options.id}; {_RESTART}")
    return 0


def _forget_what_is_left(stream: TextIO) -> None:
    """Lead `stream` nowhere: Python would write what is left in it once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _configured(chosen: Path | None) -> Path:
    path = load_settings(chosen).verifier_path
    if path is None:
        raise _NoVerifierFile
    return path


def _options_of(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command line; wrong usage ends the process with 2."""
    parser = Parser(
        prog=COMMAND,
        description="Credentials of operator-bearer-v1. Run it as the user that the server runs as."
        " The server reads the verifier file once, at its start.",
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    new = _action(actions, "new", _new, "issue a credential, print it once, keep its digest")
    new.add_argument(
        "--subject",
        required=True,
        type=_subject,
        metavar="NAME",
        help="whom it names; two credentials of one name are the same caller",
    )
    _action(actions, "list", _list, "print id and subject of each credential")
    revoke = _action(actions, "revoke", _revoke, "no longer accept a credential")
    revoke.add_argument("id", type=_id, metavar="ID", help="its id, as the list has it")
    return parser.options(arguments)


def _action(
    actions: "argparse._SubParsersAction[Parser]",
    name: str,
    action: Callable[[Path, argparse.Namespace], int],
    text: str,
) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    parser.set_defaults(action=action)
    parser.add_argument(
        "--verifier",
        type=configuration_file,
        metavar="PATH",
        help="verifier file (default: the one that the host configuration names)",
    )
    parser.add_argument(
        "--config",
        type=configuration_file,
        metavar="PATH",
        help="host configuration to look in, instead of the usual one",
    )
    return parser


def _subject(text: str) -> str:
    """Return `text` if it can name a caller whom nobody takes for another."""
    if is_subject(text) and text == text.strip():
        return text
    raise argparse.ArgumentTypeError(
        "give 1 to 256 visible characters in NFC, without white space around them"
    )


def _id(text: str) -> str:
    """Return `text` if it is an id. A whole credential is not taken: it would be in the history."""
    if is_credential_id(text):
        return text
    raise argparse.ArgumentTypeError("give the 32 hex digits that mymcp credential list shows")
