"""Generated from contracts/config by nox -s codegen; do not edit.

One function a format, so that only the models of the formats in use are imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mymcp.contract.reader import Reader
from mymcp.contract.rules import NativeInteger

if TYPE_CHECKING:
    from .models.config.host_v1 import HostConfigV1
    from .models.config.host_v2 import HostConfigV2
    from .models.config.host_v3 import HostConfigV3
    from .models.config.host_v4 import HostConfigV4
    from .models.config.host_v5 import HostConfigV5
    from .models.config.host_v6 import HostConfigV6
    from .models.config.host_v7 import HostConfigV7
    from .models.config.mnemosyne import MnemosyneConfig


def host_v1() -> Reader[HostConfigV1]:
    """Host configuration, version 1. Contract: contracts/config/host-v1.json."""
    from .models.config.host_v1 import HostConfigV1

    return Reader(HostConfigV1, rules=(NativeInteger(path=("schema_version",)),))


def host_v2() -> Reader[HostConfigV2]:
    """Host configuration, version 2. Contract: contracts/config/host-v2.json."""
    from .models.config.host_v2 import HostConfigV2

    return Reader(HostConfigV2, rules=(NativeInteger(path=("schema_version",)),))


def host_v3() -> Reader[HostConfigV3]:
    """Host configuration, version 3. Contract: contracts/config/host-v3.json."""
    from .models.config.host_v3 import HostConfigV3

    return Reader(HostConfigV3, rules=(NativeInteger(path=("schema_version",)),))


def host_v4() -> Reader[HostConfigV4]:
    """Host configuration, version 4. Contract: contracts/config/host-v4.json."""
    from .models.config.host_v4 import HostConfigV4

    return Reader(HostConfigV4, rules=(NativeInteger(path=("schema_version",)),))


def host_v5() -> Reader[HostConfigV5]:
    """Host configuration, version 5. Contract: contracts/config/host-v5.json."""
    from .models.config.host_v5 import HostConfigV5

    return Reader(HostConfigV5, rules=(NativeInteger(path=("schema_version",)),))


def host_v6() -> Reader[HostConfigV6]:
    """Host configuration, version 6. Contract: contracts/config/host-v6.json."""
    from .models.config.host_v6 import HostConfigV6

    return Reader(HostConfigV6, rules=(NativeInteger(path=("schema_version",)),))


def host_v7() -> Reader[HostConfigV7]:
    """Host configuration, version 7. Contract: contracts/config/host-v7.json."""
    from .models.config.host_v7 import HostConfigV7

    return Reader(HostConfigV7, rules=(NativeInteger(path=("schema_version",)),))


def mnemosyne() -> Reader[MnemosyneConfig]:
    """Settings of Mnemosyne. Contract: contracts/config/mnemosyne.json."""
    from .models.config.mnemosyne import MnemosyneConfig

    return Reader(MnemosyneConfig)
