"""References of records, as every tool gives them."""

from mymcp._generated.models.shared.reference import CanonicalReference, LegacyReference
from mymcp._generated.models.shared.scope import Scope
from mymcp.plugins.mnemosyne.memory.places import Address
from mymcp.plugins.mnemosyne.memory.records import LegacyRecord, Record


def reference_of(record: Record, scope: Scope) -> CanonicalReference | LegacyReference:
    """Return the reference by which inspect finds `record` of `scope`."""
    if isinstance(record, LegacyRecord):
        return LegacyReference(schema_version=1, scope=scope, id=record.id)
    return canonical_reference(record.address)


def address_of(reference: CanonicalReference) -> Address:
    """Return where the record lies that `reference` names."""
    return Address(reference.scope, reference.namespace_id, reference.collection_id, reference.id)


def canonical_reference(address: Address) -> CanonicalReference:
    """Return the reference of the version-2 record at `address`."""
    return CanonicalReference(
        schema_version=2,
        scope=address.scope,
        namespace_id=address.namespace_id,
        collection_id=address.collection_id,
        id=address.id,
    )
