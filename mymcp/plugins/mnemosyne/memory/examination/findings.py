"""Findings: what may be wrong with a memory, where, and what to do about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from mymcp.plugins.mnemosyne.memory.entries import Path, SkipReason

FindingCode = Literal[
    "root_unusable",
    "root_missing",
    "root_empty",
    "not_persistent",
    "not_writable",
    "not_looked_at",
    "scope_unusable",
    "unreadable_folder",
    "loose_permissions",
    "foreign_owner",
    "stale_temporary",
    "linked_from_outside",
    SkipReason,
    "mixed_namespace_kinds",
    "refused_by_policy",
    "candidate_limit_near",
    "candidate_limit_reached",
    "candidate_limit_exceeded",
]

NOTES: Final[frozenset[FindingCode]] = frozenset(
    {"root_missing", "root_empty", "not_persistent", "not_looked_at", "candidate_limit_near"}
)
"""Codes of what is good to know and no fault."""

REMEDIES: Final[Mapping[FindingCode, str]] = {
    "root_unusable": "every call fails; let it be a real folder that this user may read",
    "root_missing": "made when the first memory is stored; if there were memories, the path or a"
    " mount is wrong",
    "root_empty": "if there were memories, the path or a mount is wrong",
    "not_persistent": "what lies there ends with this container or machine; put the root on a disk"
    " or a volume",
    "not_writable": "nothing can be stored or changed there; let this user write to it",
    "not_looked_at": "nothing there is ever served; move memories to the folder of their scope, in"
    " files that end in .json",
    "scope_unusable": "every call for this scope fails; let it be a real folder that this user may"
    " read",
    "unreadable_folder": "calls that cover it fail; let this user read and enter it",
    "loose_permissions": "others may change it; chmod go-w",
    "foreign_owner": "another user may change it; chown it to the user of the server",
    "stale_temporary": "left by a killed server, unless one is writing right now; the next one"
    " deletes it at its first change",
    "linked_from_outside": "changes under the other name show late, and forgetting leaves it; put"
    " a copy in its place, or remove the other name",
    "symlink": "links are never followed; put the file or folder itself there",
    "too_deep": "records lie at most four folders below their scope; move it up",
    "unreadable": "let this user read it",
    "oversized": "a record has at most 65,536 bytes; shorten it",
    "invalid_encoding": "save it as UTF-8",
    "invalid_json": "repair the JSON: no byte order mark, each member once, at most four levels",
    "invalid_record": "a member is missing, unknown or out of bounds; compare it with"
    " the contract of records",
    "path_mismatch": "scope, ids and place must agree; move the file or change the members",
    "mixed_namespace_kinds": "several namespaces share one folder and one selector; give one of"
    " them another id",
    "refused_by_policy": "it looks like what must not be stored, and would be recalled; take it out"
    " of the text",
    "candidate_limit_near": "raise MNEMOSYNE_MEMORY_CANDIDATE_LIMIT or move files out in time",
    "candidate_limit_reached": "nothing more can be remembered; raise"
    " MNEMOSYNE_MEMORY_CANDIDATE_LIMIT or move files out",
    "candidate_limit_exceeded": "calls for the whole scope fail; raise"
    " MNEMOSYNE_MEMORY_CANDIDATE_LIMIT or move files out",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that an operator should know.

    `path` are names from the root, none for the root itself; whoever wrote the tree chose them.
    `detail` is made of our own words and numbers, never of what stands in a file.
    """

    code: FindingCode
    path: Path = ()
    detail: str = ""

    @property
    def is_note(self) -> bool:
        """Whether nothing has to be done about it."""
        return self.code in NOTES

    @property
    def remedy(self) -> str:
        """What it means or what to do, in a few words."""
        return REMEDIES[self.code]
