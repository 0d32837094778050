"""Policies of content: the module that the product matches by, and the page for people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from codegen.emit.header import markdown_header, python_header
from codegen.emit.prose import cell, line
from codegen.emit.source import docstring, literal, names_in
from codegen.policies import Members, Policy, examples


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table or list: what it is about, and the rest as code."""

    name: str
    words: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class PolicyPage:
    """Everything on the page of one policy."""

    header: str
    title: str
    description: str
    prefixes: tuple[Row, ...]
    keywords: str
    prose: str
    issuers: tuple[Row, ...]
    refused: tuple[Row, ...]
    accepted: tuple[Row, ...]
    policy: Policy
    joined: str


def module(policies: Sequence[Policy]) -> str:
    """Return the text of `policy.py`; `policies` is not empty."""
    names = sorted(frozenset[str]().union(*(names_in(policy.content) for policy in policies)))
    blocks = [python_header("contracts/policy")]
    blocks.append(f"from mymcp.contract.policy import {', '.join(names)}")
    for policy in policies:
        constant = f"{policy.name}_v{policy.version}".replace("-", "_").upper()
        summary = docstring(f"{policy.contract['title']}. Contract: {policy.source}.")
        blocks.append(f"{constant} = {_ascii(literal(policy.content))}\n{summary}")
    return "\n\n".join(blocks) + "\n"


def _ascii(source: str) -> str:
    """Return `source` with escapes for what is not ASCII: much of it would not be seen."""
    return source.encode("ascii", "backslashreplace").decode("ascii")


def page(policy: Policy) -> PolicyPage:
    """Return what the page of `policy` shows."""
    contract, content = policy.contract, policy.content
    return PolicyPage(
        header=markdown_header([policy.source]),
        title=cell(str(contract["title"])),
        description=line(str(contract["description"])),
        prefixes=tuple(_prefixes(contract)),
        keywords=_code(content.assignments.keywords),
        prose=_code(content.assignments.prose),
        issuers=tuple(
            Row(issuer.name, _ranges(issuer.ranges), ", ".join(map(str, issuer.lengths)))
            for issuer in content.cards.issuers
        ),
        refused=tuple(_examples(contract, "refused")),
        accepted=tuple(_examples(contract, "accepted")),
        policy=policy,
        joined=_code(content.joined.fields),
    )


def _prefixes(contract: Members) -> Iterator[Row]:
    for group in cast(Sequence[Members], contract["prefixes"]):
        least = group["least"]
        length = f"exactly {least}" if group.get("exact") else f"{least} or more"
        if "unbroken" in group:
            length = f"{length}, {group['unbroken']} of them in one run of letters and digits"
        words = _code(cast(Sequence[str], group["texts"]))
        yield Row(cell(str(group["provider"])), words, length)


def _examples(contract: Members, verdict: str) -> Iterator[Row]:
    found: dict[str, list[str]] = {}
    for group, value in examples(contract, verdict):
        about = f"{group['about']}: `{group['reason']}`" if "reason" in group else group["about"]
        found.setdefault(str(about), []).append(_formula(value))
    for about, values in found.items():
        yield Row(line(about), ", ".join(values))


def _formula(value: object) -> str:
    pieces = value if isinstance(value, list) else [value]
    return " + ".join(_piece(piece) for piece in pieces)


def _piece(piece: object) -> str:
    if isinstance(piece, Mapping):
        text, count = cast(tuple[str, int], piece["repeat"])
        return f"{count} x {_piece(text)}"
    return _verbatim(ascii(piece)[1:-1])


def _verbatim(text: str) -> str:
    """Return a code span of `text`, blanks at its ends and backticks included."""
    if "`" in text:
        return f"`` {text} ``"
    return f"` {text} `" if text.startswith(" ") and text.endswith(" ") else f"`{text}`"


def _ranges(ranges: Sequence[tuple[str, str]]) -> str:
    return ", ".join(first if first == last else f"{first}-{last}" for first, last in ranges)


def _code(texts: Sequence[str]) -> str:
    return ", ".join(f"`{text}`" for text in texts)
