"""Generated from contracts/credentials by nox -s codegen; do not edit.

One function a format, so that only the models of the formats in use are imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mymcp.contract.reader import Reader
from mymcp.contract.rules import NativeInteger

if TYPE_CHECKING:
    from .models.credentials.operator_bearer_v1 import OperatorBearerVerifiersV1


def operator_bearer_v1() -> Reader[OperatorBearerVerifiersV1]:
    """Verifiers of operator-bearer-v1, version 1. Contract: contracts/credentials/operator-bearer-v1.json."""
    from .models.credentials.operator_bearer_v1 import OperatorBearerVerifiersV1

    return Reader(OperatorBearerVerifiersV1, rules=(NativeInteger(path=("format_version",)),))
