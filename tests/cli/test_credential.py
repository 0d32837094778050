"""`mymcp credential` in processes of its own."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_configured import free_port
from tests.transport.command import Command

CREDENTIAL = re.compile(r"mymcp1\.([0-9a-f]{32})\.[A-Za-z0-9_-]{43}\n")
OPENING = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}


def run(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mymcp", "credential", *arguments],
        env=os.environ | {"XDG_CONFIG_HOME": str(folder), "HOME": str(folder)} | more,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture
def place(tmp_path: Path) -> Path:
    tmp_path.chmod(0o700)
    return tmp_path / "verifiers.json"


def issue(place: Path, subject: str = "laptop") -> str:
    done = run(place.parent, "new", "--subject", subject, "--verifier", str(place))
    assert done.returncode == 0, done.stderr
    assert CREDENTIAL.fullmatch(done.stdout)
    return done.stdout.strip()


@pytest.mark.parametrize("is_full", [True, False])
def test_a_credential_that_nobody_can_have_seen_is_taken_back(place: Path, is_full: bool) -> None:
    held = issue(place)
    wanted = ("new", "--subject", "unseen", "--verifier", str(place))
    reader, writer = os.pipe()
    os.close(reader)
    with open("/dev/full" if is_full else writer, "wb", buffering=0) as stdout:  # noqa: PTH123
        done = subprocess.run(
            [sys.executable, "-m", "mymcp", "credential", *wanted],
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    if is_full:
        os.close(writer)
    assert (done.returncode, done.stderr) == (
        1,
        "mymcp credential: the credential cannot be written to stdout, so it was taken back\n",
    )
    listed = run(place.parent, "list", "--verifier", str(place)).stdout
    assert listed == f"{held.split('.')[1]}\tlaptop\n"


def configure(folder: Path, place: Path, port: int = 8000) -> Path:
    config = folder / "mymcp" / "config.toml"
    config.parent.mkdir(mode=0o700)
    config.write_text(
        f"schema_version = 7\n[server]\nport = {port}\n"
        "[authentication]\nanonymous_enabled = false\n"
        '[[authentication.adapters]]\nid = "local"\ntype = "operator-bearer-v1"\nenabled = true\n'
        'route = { source = "authorization", scheme = "bearer" }\n'
        f'[authentication.operator_bearer]\nverifier_path = "{place}"\n'
        "[mcp]\nstrict_protocol_version = true\nsession_inactivity_timeout_seconds = 1800\n"
        "session_absolute_lifetime_seconds = 28800\n"
    )
    config.chmod(0o600)
    return config


def test_a_credential_is_shown_once_and_alone_and_its_id_is_listed(place: Path) -> None:
    done = run(place.parent, "new", "--subject", "Käthe 太郎", "--verifier", str(place))
    found = CREDENTIAL.fullmatch(done.stdout)
    assert (done.returncode, found is not None) == (0, True)
    assert found is not None
    secret = done.stdout.strip().rpartition(".")[2]
    assert secret not in done.stderr
    assert (found[1] in done.stderr, done.stderr.count("\n")) == (True, 1)
    assert secret not in place.read_text("utf-8")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    listed = run(place.parent, "list", "--verifier", str(place))
    assert (listed.returncode, listed.stderr) == (0, "")
    assert listed.stdout == f"{found[1]}\tKäthe 太郎\n"


def test_a_credential_is_revoked_by_its_id_and_the_others_stay(place: Path) -> None:
    kept, gone = issue(place, "kept"), issue(place, "gone")
    done = run(place.parent, "revoke", gone.split(".")[1], "--verifier", str(place))
    assert (done.returncode, done.stdout) == (0, "")
    assert run(place.parent, "list", "--verifier", str(place)).stdout == (
        f"{kept.split('.')[1]}\tkept\n"
    )
    again = run(place.parent, "revoke", gone.split(".")[1], "--verifier", str(place))
    assert (again.returncode, again.stdout, again.stderr.count("\n")) == (1, "", 1)


def test_the_configuration_says_which_file_and_the_server_that_starts_next_knows_it(
    tmp_path: Path, place: Path
) -> None:
    port = free_port()
    configure(tmp_path, place, port)
    done = run(tmp_path, "new", "--subject", "laptop")
    assert done.returncode == 0, done.stderr
    settings = {"XDG_CONFIG_HOME": str(tmp_path)}
    with Command(tmp_path, "-m", "mymcp", port=port, settings=settings) as command:
        wire = command.wire
        assert wire.post(OPENING).status == 401
        proof = wire.with_header("Authorization", f"Bearer {done.stdout.strip()}")
        assert wire.post(OPENING, proof).status == 200
        command.stop()
        assert "authentication_composition outcome=loaded enabled=1" in command.log
        assert "authentication outcome=refused adapter=- reason=no_evidence" in command.log
        assert done.stdout.strip().rpartition(".")[2] not in command.log


def test_another_configuration_can_be_named(tmp_path: Path, place: Path) -> None:
    config = configure(tmp_path, place)
    elsewhere = tmp_path / "elsewhere"
    done = run(elsewhere, "new", "--subject", "laptop", "--config", str(config))
    assert (done.returncode, place.exists()) == (0, True)


@pytest.mark.parametrize("subject", ["", " ", " a", "a ", "a\tb", "a\nb", "e\u0301", "a" * 257])
def test_a_subject_that_could_be_taken_for_another_is_wrong_usage(
    place: Path, subject: str
) -> None:
    done = run(place.parent, "new", "--subject", subject, "--verifier", str(place))
    assert (done.returncode, done.stdout, place.exists()) == (2, "", False)
    assert "argument --subject" in done.stderr


def test_a_whole_credential_is_no_id_and_is_not_repeated(place: Path) -> None:
    credential = issue(place)
    done = run(place.parent, "revoke", credential, "--verifier", str(place))
    assert (done.returncode, credential in done.stderr) == (2, False)


def test_mistakes_of_the_operator_are_one_line_and_78(tmp_path: Path, place: Path) -> None:
    mistakes = [
        run(tmp_path, "new", "--subject", "laptop"),
        run(tmp_path, "list"),
        run(tmp_path, "list", "--verifier", str(place)),
        run(tmp_path, "revoke", "0" * 32, "--verifier", str(place)),
        run(tmp_path, "list", "--config", str(tmp_path / "missing.toml")),
        run(tmp_path, "new", "--subject", "a", "--verifier", str(tmp_path / "missing" / "file")),
    ]
    place.write_text("{}")
    place.chmod(0o644)
    mistakes.append(run(tmp_path, "new", "--subject", "laptop", "--verifier", str(place)))
    for done in mistakes:
        assert (done.returncode, done.stdout) == (78, "")
        assert done.stderr.count("\n") == 1, done.stderr
        assert str(tmp_path) not in done.stderr


@pytest.mark.parametrize("arguments", [(), ("renew",), ("new",), ("revoke",), ("list", "x")])
def test_wrong_usage_is_2(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage: mymcp credential" in done.stderr


def test_a_reader_that_goes_away_is_no_failure(place: Path) -> None:
    issue(place)
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "mymcp", "credential", "list", "--verifier", str(place)],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_terminal_without_the_letters_gets_their_numbers(place: Path) -> None:
    issue(place, "Käthe")
    done = run(place.parent, "list", "--verifier", str(place), PYTHONIOENCODING="ascii")
    assert done.stdout.endswith("\tK\\xe4the\n")
