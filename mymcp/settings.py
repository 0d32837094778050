"""Who this product is and which protocol revisions it speaks; nothing else."""

PRODUCT_NAME = "mymcp"
PRODUCT_TITLE = "MyMCP"
PRODUCT_VERSION = "0.11.0"

PROTOCOL_VERSION = "2025-11-25"
"""The newest revision that opens with a handshake; `/version` and `initialize` answer with it."""

HANDSHAKE_REVISIONS = frozenset({"2025-11-25", "2025-06-18", "2025-03-26"})
"""Revisions that a message after `initialize` may name."""

NEGOTIABLE_REVISIONS = frozenset({"2025-11-25", "2025-06-18"})
"""Offers that an anonymous `initialize` is answered with; every other gets `PROTOCOL_VERSION`.

2025-03-26 is left out because its servers must take batches, which need a session that says so.
"""

BATCH_REVISION = "2025-03-26"
"""The only one of them that has batches, and that does not have its header."""
