"""A host configuration that knows callers by operator bearer."""

from pathlib import Path


def bearer_configuration(verifiers: Path, *, anonymous: bool) -> str:
    """Return a document of format 7; without `anonymous` nobody is served without a credential."""
    return f"""\
schema_version = 7
[authentication]
anonymous_enabled = {str(anonymous).lower()}
[[authentication.adapters]]
id = "local"
type = "operator-bearer-v1"
enabled = true
route = {{ source = "authorization", scheme = "bearer" }}
[authentication.operator_bearer]
verifier_path = "{verifiers}"
[mcp]
strict_protocol_version = true
session_inactivity_timeout_seconds = 1800
session_absolute_lifetime_seconds = 28800
"""
