"""A memory of many records, written the way a person or another program would write it."""

import json
from pathlib import Path
from random import Random

NAMESPACES = 10
_TEXT = (
    "archive branch build cache client commit contract cursor decision deploy draft error field "
    "file folder format gate handler header index issue journal key label layer ledger limit line "
    "list lock log marker memory merge module namespace note object order page parser path plan "
    "plugin policy project query queue reader record release report request result review rule "
    "schema scope search server session setting stamp store tag test token tool trace update user "
    "value version worker"
)
WORDS = _TEXT.split()


def write_records(root: Path, count: int) -> None:
    """Write `count` active records of about 900 bytes into scope `project` below `root`."""
    chance = Random(20_251_125)
    for number in range(count):
        namespace = f"bench-{number % NAMESPACES}"
        record = _record(chance, number, namespace)
        folder = root / "project" / namespace
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        target = folder / f"{record['id']}.json"
        target.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
        target.chmod(0o600)


def query(chance: Random) -> str:
    """Return a query of three words that records are made of."""
    return " ".join(chance.sample(WORDS, 3))


def _record(chance: Random, number: int, namespace: str) -> dict[str, object]:
    return {
        "schema_version": 2,
        "id": f"mem_{chance.getrandbits(128):032x}",
        "scope": "project",
        "namespace": {"kind": "project", "id": namespace, "label": None},
        "collection": None,
        "kind": "decision",
        "language": "en",
        "title": f"{number}: {' '.join(chance.sample(WORDS, 4))}",
        "content": " ".join(chance.choice(WORDS) for _ in range(48)) + ".",
        "tags": chance.sample(WORDS, 3),
        "provenance": {"origin": "manual", "recorded_via": "filesystem"},
        "lifecycle": {"state": "active", "revision": 1},
        "created_at": f"2026-01-{number % 28 + 1:02}T00:00:00Z",
        "updated_at": f"2026-01-{number % 28 + 1:02}T12:00:00Z",
    }
