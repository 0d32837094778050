"""Generated from contracts/credentials/operator-bearer-v1.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictStr
from typing_extensions import TypeAliasType

from mymcp.contract.model import ContractModel

CredentialId = TypeAliasType("CredentialId", Annotated[StrictStr, Field(pattern="^[0-9a-f]{32}$")])


SecretDigest = TypeAliasType(
    "SecretDigest", Annotated[StrictStr, Field(pattern="^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$")]
)


class OperatorBearerVerifier(ContractModel):
    """One credential that is accepted."""

    id: CredentialId
    subject: Annotated[StrictStr, Field(max_length=256, min_length=1)]
    """Whom the credential names: a subject, of at most 256 characters."""

    digest: SecretDigest


class OperatorBearerVerifiersV1(ContractModel):
    format_version: Literal[1]
    """Format 1."""

    credentials: Annotated[list[OperatorBearerVerifier], Field(max_length=32)]
    """What is accepted. Several may name one subject, so that a credential can be replaced while
    the old one still counts."""
