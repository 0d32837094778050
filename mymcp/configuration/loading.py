"""From a file on the disk to `HostSettings`, once at start, with one line in the log."""

import logging
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from mymcp.configuration.document import checked, settings_in
from mymcp.configuration.location import location
from mymcp.configuration.refusal import ConfigurationCode, HostConfigurationError
from mymcp.configuration.settings import HostSettings
from mymcp.sources import document, file
from mymcp.sources.refusal import SourceCode, SourceError

FILE_MAX_BYTES = 65_536

_logger = logging.getLogger("mymcp.host.configuration")

_SOURCES: Mapping[SourceCode, tuple[ConfigurationCode, str]] = {
    "unsafe_path": ("unsafe_path", "and its folder must be no links, and the folder a folder"),
    "not_regular": ("not_regular", "must be a regular file"),
    "unsafe_permissions": (
        "unsafe_permissions",
        "and its folder must be yours or root's, and writable by nobody else",
    ),
    "unreadable": ("unreadable", "must be readable"),
    "too_large": ("too_large", f"must not have more than {FILE_MAX_BYTES} bytes"),
    "source_changed": ("source_changed", "must be left alone while it is read; start again"),
    "invalid_utf8": ("invalid_utf8", "must be in UTF-8"),
    "invalid_toml": (
        "invalid_toml",
        "must be TOML, each key once, without a byte order mark, deep nesting or endless numbers",
    ),
}


def load(
    environment: Mapping[str, str],
    home: Path | None,
    *,
    bundled: Collection[str],
    chosen: Path | None = None,
) -> HostSettings:
    """Return the settings of this process, and log one event.

    The file is the one `chosen`, which must exist, or the one that `mymcp.configuration.location`
    names; without that one the defaults hold. `bundled` are the ids that no external plugin may
    have. Nothing on the disk is made or changed. Raises `HostConfigurationError` for the first
    mistake: location, file, document, then the declarations of plugins.
    """
    with _failure_logged():
        path = location(environment, home) if chosen is None else chosen
        found = _read(path)
        if found is None and chosen is not None:
            raise HostConfigurationError("unreadable", "is missing where --config says")
        settings = checked(HostSettings() if found is None else found, bundled)
    _logger.info(
        "host_configuration outcome=%s schema_version=%d address=%s port=%d declarations=%d"
        " enabled=%d",
        "absent_defaults" if found is None else "loaded",
        settings.schema_version,
        settings.address,
        settings.port,
        len(settings.plugins),
        len(settings.enabled_plugins),
    )
    return settings


def injected(settings: HostSettings, *, bundled: Collection[str]) -> HostSettings:
    """Return `settings` that no file says, if plugins may be declared as they are.

    Raises `HostConfigurationError` as `load` does for the declarations of plugins, and logs that.
    """
    with _failure_logged():
        return checked(settings, bundled)


@contextmanager
def _failure_logged() -> Iterator[None]:
    try:
        yield
    except HostConfigurationError as error:
        _logger.error("host_configuration outcome=error code=%s", error.code)
        raise


def _read(path: Path) -> HostSettings | None:
    """Return what the file at `path` says; none if there is no file."""
    try:
        data = file.read(path, limit=FILE_MAX_BYTES)
        tables = None if data is None else document.toml(data)
    except SourceError as error:
        code, must = _SOURCES[error.code]
        raise HostConfigurationError(code, must) from None
    return None if tables is None else settings_in(tables)
