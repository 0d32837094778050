"""Policies of content as the emitters want them: named sets replaced by their characters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from codegen.catalog import Document
from codegen.digest import digest
from codegen.ledger import State
from mymcp.contract.policy import (
    Assignments,
    Authorization,
    Cards,
    CompactTokens,
    ContentPolicy,
    Folding,
    Harmless,
    Identifiers,
    Issuer,
    Joined,
    Prefix,
    PrivateKeys,
)

Members = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Policy:
    """One version of a policy; `content` is what the product is given of it."""

    source: str
    name: str
    version: int
    contract: Members
    content: ContentPolicy
    digest: str

    @property
    def capability(self) -> str:
        """The name in the ledger and of the page."""
        return f"policy-{self.name}-v{self.version}"

    @property
    def state(self) -> State:
        """What the ledger would record of it: a number and, as fields, how much it holds."""
        return State(
            capability=self.capability,
            source=self.source,
            version=str(self.version),
            contract=self.digest,
            published=None,
            fields=tuple((name, f"{count} {of}") for name, count, of in self._counted()),
            formats=True,
        )

    def _counted(self) -> Iterator[tuple[str, int, str]]:
        content = self.content
        words = (*content.assignments.keywords, *content.assignments.prose)
        yield "prefixes", len(content.prefixes), "texts"
        yield "assignments", len(words), "key words"
        yield "cards", len(content.cards.issuers), "issuers"
        for verdict in ("refused", "accepted"):
            yield f"examples.{verdict}", len(tuple(examples(self.contract, verdict))), "values"


def compile_policy(document: Document) -> Policy:
    """Return the policy of a linted `document`."""
    contract = {name: value for name, value in document.members.items() if name != "$schema"}
    return Policy(
        source=document.path,
        name=str(contract["name"]),
        version=cast(int, contract["version"]),
        contract=contract,
        content=_content(contract),
        digest=digest({name: value for name, value in contract.items() if name != "version"}),
    )


def examples(contract: Members, verdict: str) -> Iterator[tuple[Members, object]]:
    """Yield each example of `verdict`, `refused` or `accepted`, with its group."""
    for group in _objects(_object(contract["examples"])[verdict]):
        for value in _list(group["values"]):
            yield group, value


def _content(contract: Members) -> ContentPolicy:
    sets = {name: str(inside) for name, inside in _object(contract["sets"]).items()}
    tokens, identifiers = _object(contract["compact_tokens"]), _object(contract["identifiers"])
    assignments, joined = _object(contract["assignments"]), _object(contract["joined"])
    return ContentPolicy(
        folding=_folding(_object(contract["folding"])),
        joined=Joined(_texts(joined["fields"]), _count(joined["reach"])),
        private_keys=_private_keys(_object(contract["private_keys"])),
        prefixes=tuple(_prefixes(_objects(contract["prefixes"]), sets)),
        authorization=_authorization(_object(contract["authorization"])),
        assignments=Assignments(
            keywords=_texts(assignments["keywords"]),
            prose=_texts(assignments["prose"]),
            least=_count(assignments["least"]),
        ),
        harmless=_harmless(_object(contract["harmless"])),
        scheme_reach=_count(contract["scheme_reach"]),
        compact_tokens=CompactTokens(
            str(tokens["start"]), sets[str(tokens["body"])], _count(tokens["least"])
        ),
        identifiers=Identifiers(
            _counts(identifiers["groups"]),
            tuple(_pairs(ranges) for ranges in _list(identifiers["excluded"])),
        ),
        cards=_cards(_object(contract["cards"])),
    )


def _folding(folding: Members) -> Folding:
    ranges = _pairs(folding["ignorable"])
    return Folding(
        ignorable=tuple((_character(first), _character(last)) for first, last in ranges),
        zeros=tuple(_character(zero) for zero in _texts(folding["zeros"])),
    )


def _private_keys(keys: Members) -> PrivateKeys:
    return PrivateKeys(
        hyphens=_count(keys["hyphens"]),
        gap=_count(keys["gap"]),
        opening=str(keys["opening"]),
        words=_count(keys["words"]),
        name=str(keys["name"]),
        endings=_texts(keys["endings"]),
        bodies=_texts(keys["bodies"]),
    )


def _prefixes(groups: Sequence[Members], sets: Mapping[str, str]) -> Iterator[Prefix]:
    for group in groups:
        for text in _texts(group["texts"]):
            yield Prefix(
                text=text,
                body=sets[str(group["body"])],
                least=_count(group["least"]),
                guard=sets[str(group["guard"])],
                exact=bool(group.get("exact", False)),
                unbroken=_count(group.get("unbroken", 0)),
                mixed=_count(group.get("mixed", 0)),
            )


def _authorization(header: Members) -> Authorization:
    schemes = _object(header["schemes"])
    return Authorization(
        names=_texts(header["names"]),
        schemes=tuple((name, _count(least)) for name, least in schemes.items()),
        bare=_texts(header["bare"]),
        bare_least=_count(header["bare_least"]),
    )


def _harmless(harmless: Members) -> Harmless:
    return Harmless(
        words=_texts(harmless["words"]),
        brackets=_pairs(harmless["brackets"]),
        starts=_texts(harmless["starts"]),
        random_least=_count(harmless["random_least"]),
        unbroken=_count(harmless["unbroken"]),
    )


def _cards(cards: Members) -> Cards:
    return Cards(
        issuers=tuple(
            Issuer(str(item["name"]), _pairs(item["ranges"]), _counts(item["lengths"]))
            for item in _objects(cards["issuers"])
        ),
        gap=_count(cards["gap"]),
        groupings=tuple(_counts(grouping) for grouping in _list(cards["groupings"])),
        joiners=str(cards["joiners"]),
        groups=_count(cards["groups"]),
        retail=_counts(cards["retail"]),
    )


def _character(code_point: str) -> str:
    return chr(int(code_point, 16))


def _object(value: object) -> Members:
    return cast(Members, value)


def _objects(value: object) -> Sequence[Members]:
    return cast(Sequence[Members], value)


def _list(value: object) -> Sequence[object]:
    return cast(Sequence[object], value)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in _list(value))


def _count(value: object) -> int:
    return cast(int, value)


def _counts(value: object) -> tuple[int, ...]:
    return tuple(_count(item) for item in _list(value))


def _pairs(value: object) -> tuple[tuple[str, str], ...]:
    return tuple((first, last) for first, last in map(_texts, _list(value)))
