"""The commands that examine a set-up, in processes of their own."""

import os
import socket
import subprocess
import sys
from pathlib import Path


def free_port() -> str:
    """Return a port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return str(probe.getsockname()[1])


def run(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `mymcp` with `arguments` for somebody who lives at `home`."""
    kept = {name: value for name, value in os.environ.items() if "MNEMOSYNE" not in name}
    place = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config")}
    return subprocess.run(
        [sys.executable, "-m", "mymcp", *arguments],
        env=kept | place | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def host_configuration(home: Path, text: str) -> Path:
    """Write the host configuration of whoever lives at `home`."""
    return _private(home / ".config" / "mymcp" / "config.toml", text)


def memory_settings(home: Path, text: str) -> Path:
    """Write the settings of the memory of whoever lives at `home`."""
    return _private(home / ".mnemosyne" / "config.toml", text)


def _private(path: Path, text: str) -> Path:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o600)
    return path
