"""Where the host configuration lies: one place, by the rules of XDG on every system."""

from collections.abc import Mapping
from pathlib import Path

from mymcp.configuration.refusal import HostConfigurationError

VARIABLE = "XDG_CONFIG_HOME"

_FOLDER_OF_HOME = ".config"
_FILE = ("mymcp", "config.toml")


def location(environment: Mapping[str, str], home: Path | None) -> Path:
    """Return where the file is, whether it exists or not.

    `home` is none if nobody can tell it. Nothing is expanded or resolved. Raises
    `HostConfigurationError("invalid_location")`.
    """
    said = environment.get(VARIABLE, "")
    if not _is_a_name(said):
        raise _nowhere()
    base = Path(said)
    if not base.is_absolute():
        if home is None:
            raise _nowhere()
        base = home / _FOLDER_OF_HOME
    if not base.is_absolute() or not _is_a_name(str(base)):
        raise _nowhere()
    return base.joinpath(*_FILE)


def home_folder() -> Path | None:
    """Return the home folder of this user, or none if nobody can tell it."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def _is_a_name(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= sign <= "\udfff" for sign in text)


def _nowhere() -> HostConfigurationError:
    must = f"has no place: {VARIABLE} or the home folder must be an absolute path in UTF-8"
    return HostConfigurationError("invalid_location", must)
