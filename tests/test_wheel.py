"""The wheel as a stranger gets it: what it holds, and that clients not written by us can use it."""

import hashlib
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.authentication.configured import bearer_configuration

CHECKOUT = Path(__file__).resolve().parents[1]
CLIENTS = CHECKOUT / "tests" / "clients"
TALKS = {
    "major 1": ("mcp-1.txt", "mcp_1.py", ()),
    "major 2, newest era first": ("mcp-2.txt", "mcp_2.py", ("auto",)),
    "major 2, handshake": ("mcp-2.txt", "mcp_2.py", ("legacy",)),
}
VERSION_OF_THE_DISTRIBUTION = "from importlib.metadata import version; print(version('mymcp'))"
READ_ONLY = ["list_tools", "memory_recall", "memory_list", "memory_inspect"]
RECORD_KEYS = [
    "schema_version", "id", "scope", "namespace", "collection", "kind", "language", "title",
    "content", "tags", "provenance", "lifecycle", "created_at", "updated_at",
]  # fmt: skip


def run(*command: str | Path, **options: object) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        **options,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def new_environment(folder: Path, *requirements: str | Path) -> Path:
    """Make a virtual environment in `folder` and return its folder of programs."""
    run(sys.executable, "-m", "venv", "--clear", folder)
    run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", *requirements)
    return folder / "bin"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", target, CHECKOUT)
    return next(target.glob("*.whl"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    constraints = CHECKOUT / ".ci" / "constraints.txt"
    return new_environment(tmp_path_factory.mktemp("installed"), "-c", constraints, wheel)


def client_programs(cache: pytest.Cache, lock: Path) -> Path:
    """Return the programs of an environment for `lock`, made once per lock and Python."""
    key = hashlib.sha256(lock.read_bytes() + sys.version.encode()).hexdigest()[:12]
    folder = cache.mkdir(f"{lock.stem}-{key}")
    if not (folder / "complete").exists():
        new_environment(folder, "-r", lock)
        (folder / "complete").touch()
    return folder / "bin"


@dataclass(frozen=True)
class Served:
    url: str
    home: Path
    log: Path


@contextmanager
def serving(programs: Path, home: Path, **switches: str) -> Iterator[Served]:
    """Run the installed `mymcp` command in `home`, with nothing else of this environment."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    log = home / "log"
    with log.open("wb") as sink:
        process = subprocess.Popen(
            [programs / "mymcp", "--port", str(port)],
            cwd=home,
            env={"HOME": str(home), "PATH": os.defpath, **switches},
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
        )
    try:
        url = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 60
        while not answers(f"{url}/health"):
            assert process.poll() is None, log.read_text(encoding="utf-8")
            assert time.monotonic() < deadline, log.read_text(encoding="utf-8")
            time.sleep(0.05)
        yield Served(f"{url}/mcp", home, log)
    finally:
        process.terminate()
        process.wait(timeout=30)


def answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except URLError:
        return False


def test_wheel_holds_the_product_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    described = f"{wheel.stem.removesuffix('-py3-none-any')}.dist-info"
    assert {name.split("/")[0] for name in names} == {"mymcp", described}
    assert [name for name in names if name.endswith((".pyc", ".jinja2"))] == []
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_wheel_holds_every_contract_as_data(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        shipped = set(archive.namelist())
    data = CHECKOUT / "mymcp" / "_generated" / "data"
    generated = {path.relative_to(CHECKOUT).as_posix() for path in data.rglob("*.json")}
    tools = {path.name for path in (CHECKOUT / "contracts" / "tools").glob("*/*.json")}
    assert tools == {path.name for path in (data / "published").iterdir()}
    assert generated <= shipped
    assert "mymcp/py.typed" in shipped


@pytest.mark.parametrize("talk", TALKS)
def test_official_client_remembers_and_finds_again(
    talk: str, installed: Path, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    lock, script, options = TALKS[talk]
    python = client_programs(request.config.cache, CLIENTS / lock) / "python"
    with serving(installed, tmp_path, MNEMOSYNE_MEMORY_REMEMBER_ENABLED="true") as served:
        heard = json.loads(run(python, CLIENTS / script, served.url, *options, cwd=tmp_path))

    version = run(installed / "python", "-c", VERSION_OF_THE_DISTRIBUTION).strip()
    assert heard["server"] == ["mymcp", version]
    assert heard["protocol"] == "2025-11-25"
    assert heard["tools"] == [*READ_ONLY, "memory_remember"]
    answers = heard["answers"]
    reference = answers["memory_remember"]["reference"]
    assert answers["memory_remember"]["status"] == "remembered"
    assert [m["reference"] for m in answers["memory_recall"]["memories"]] == [reference]
    assert [m["reference"] for m in answers["memory_list"]["memories"]] == [reference]
    assert answers["memory_inspect"]["memory"]["title"] == "Café ledger on SQLite"
    check_file(served.home / ".mnemosyne" / "memory", reference)
    assert "SQLite" not in served.log.read_text(encoding="utf-8")


@pytest.mark.parametrize("talk", TALKS)
def test_official_client_proves_who_it_is_and_talks_in_a_session(
    talk: str, installed: Path, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    lock, script, options = TALKS[talk]
    python = client_programs(request.config.cache, CLIENTS / lock) / "python"
    configuration = tmp_path / ".config" / "mymcp" / "config.toml"
    configuration.parent.mkdir(parents=True, mode=0o700)
    verifiers = configuration.with_name("verifiers.json")
    configuration.write_text(bearer_configuration(verifiers, anonymous=False), encoding="utf-8")
    configuration.chmod(0o600)
    home = {"HOME": str(tmp_path), "PATH": os.defpath}
    issue = (installed / "mymcp", "credential", "new", "--subject", "official client")
    credential = run(*issue, env=home).strip()
    with serving(installed, tmp_path, MNEMOSYNE_MEMORY_REMEMBER_ENABLED="true") as served:
        told = {**home, "AUTHORIZATION": f"Bearer {credential}"}
        command = (python, CLIENTS / script, served.url, *options)
        heard = json.loads(run(*command, cwd=tmp_path, env=told))
        stranger = subprocess.run(
            [str(part) for part in command], env=home, capture_output=True, check=False, timeout=60
        )
    assert heard["answers"]["memory_remember"]["status"] == "remembered"
    assert stranger.returncode != 0
    log = served.log.read_text(encoding="utf-8")
    assert "authentication outcome=refused adapter=- reason=no_evidence" in log
    assert credential.rpartition(".")[2] not in log


def check_file(root: Path, reference: dict[str, str]) -> None:
    """Compare the one record below `root` with the path, the bytes and the modes of the spec."""
    record = root / "project" / "atlas" / "storage" / f"{reference['id']}.json"
    assert [path for path in root.rglob("*") if path.is_file()] == [record]
    for folder in (root, *root.rglob("*")):
        assert stat.S_IMODE(folder.stat().st_mode) == (0o600 if folder == record else 0o700)
    text = record.read_text(encoding="utf-8")
    content = json.loads(text)
    assert list(content) == RECORD_KEYS
    assert list(content["namespace"]) == ["kind", "id", "label"]
    assert list(content["collection"]) == ["id", "label"]
    assert content["provenance"] == {
        "origin": "user_approved_proposal",
        "recorded_via": "memory_remember",
    }
    assert content["lifecycle"] == {"state": "active", "revision": 1}
    assert text == json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def test_tools_that_change_memory_are_off_until_the_operator_says_so(
    installed: Path, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    python = client_programs(request.config.cache, CLIENTS / "mcp-1.txt") / "python"
    with serving(installed, tmp_path) as served:
        done = subprocess.run(
            [python, CLIENTS / "mcp_1.py", served.url],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode != 0
    assert "Unknown tool: memory_remember" in done.stderr
    assert not (tmp_path / ".mnemosyne").exists()


def test_first_command_of_the_readme_installs_and_serves(tmp_path: Path) -> None:
    command = (
        (CHECKOUT / "README.md").read_text(encoding="utf-8").split("```")[1].partition("\n")[2]
    )
    clone = tmp_path / "clone"
    shutil.copytree(CHECKOUT, clone, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    shutil.copytree(CHECKOUT / ".ci", clone / ".ci")
    install, _, start = command.strip().rpartition(" && ")
    run("bash", "-c", install, cwd=clone)
    home = tmp_path / "home"
    home.mkdir()
    assert Path(start) == Path(".venv/bin/mymcp")
    with serving(clone / ".venv" / "bin", home) as served:
        assert answers(served.url.replace("/mcp", "/version"))
