"""The rules of the dialect as people read them; `contracts/README.md` shows this table."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: what it is called, why it exists, and what usually helps."""

    name: str
    reason: str
    remedy: str


RULES: Mapping[str, Rule] = {
    "D01": Rule(
        "file",
        "Two readers must never read one file differently",
        "save the file as UTF-8 JSON with whole numbers, each member once, at most 32 levels deep",
    ),
    "D02": Rule(
        "envelope",
        "A misspelt member would be a silent no",
        "write the members that the schema in contracts/meta asks for, and no others",
    ),
    "D03": Rule(
        "keyword",
        "The model generator drops what it does not know without a word",
        "use the keywords that contracts/README.md lists",
    ),
    "D04": Rule(
        "type",
        "Clients and templates fail on values without one clear type",
        "give exactly one type, and only keywords that belong to it",
    ),
    "D05": Rule(
        "object",
        "An open object hides misspelt members, a nameless one gets a made-up class name",
        "write title, additionalProperties false, properties and required",
    ),
    "D06": Rule(
        "array",
        "An array without an end is a request without an end",
        "write items and maxItems; distinct items only for texts of an input or record",
    ),
    "D07": Rule(
        "bounds",
        "A text without an end is a request without an end",
        "write whole numbers of 0 or more, the smaller one first",
    ),
    "D08": Rule(
        "pattern",
        "Engines read regular expressions differently; this part they read alike",
        "write ^...$ with classes, groups and counted repetitions below 2000",
    ),
    "D09": Rule(
        "constant",
        "A constant of another type matches nothing, or true where 1 was meant",
        "list different texts in enum, and give const the declared type",
    ),
    "D10": Rule(
        "nullable",
        "A free anyOf gives one error a branch and no clear place",
        'write anyOf as [schema, {"type": "null"}]',
    ),
    "D11": Rule(
        "union",
        "Members that overlap refuse what both accept",
        "tell the members apart by one required constant, and map each to its member",
    ),
    "D12": Rule(
        "name",
        "Names become attributes of classes and arguments of other languages",
        "write lower-case words joined by single underscores",
    ),
    "D13": Rule(
        "rule",
        "A rule across members that is not recognised would not be enforced",
        "write one of the five shapes of contracts/README.md, with a title of its own",
    ),
    "D14": Rule(
        "normalisation",
        "Normalisation of an inline text is lost silently",
        "declare it in a named text definition and refer to that",
    ),
    "D15": Rule(
        "reference",
        "A contract must be readable from its own repository, in finite time",
        "refer to #/$defs/Name or to a file in contracts/shared",
    ),
    "D16": Rule(
        "error",
        "A fault that no declared error answers would become internal_error",
        "let the entries of errors cover every fault of the input",
    ),
    "D17": Rule(
        "log",
        "What people write must never reach a log",
        "log enumerations, constants, numbers, booleans and named identifiers only",
    ),
    "D18": Rule(
        "effect",
        "Approval derives from the effects, so they must not contradict it",
        "let what reads need no consent, and what writes need consent and a gate",
    ),
    "D19": Rule(
        "identity",
        "Every contract has one name and one place",
        "name the file after the contract and list the tool in its plugin's manifest",
    ),
    "D20": Rule(
        "description",
        "What is not described is guessed",
        "write a description",
    ),
    "D21": Rule(
        "publication",
        "One schema that a client cannot compile breaks every tool of every server",
        "change the contract so that its published form keeps to the profile",
    ),
    "D22": Rule(
        "policy",
        "A policy that cannot be matched guards nothing, and an example must not be a leak",
        "name sets that exist, write ranges in order and examples by formula",
    ),
}
