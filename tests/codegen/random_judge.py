"""Run as a program on a generated product: do its models agree with an independent validator?

Arguments: the folder of the product, a JSON file of cases (name, contract, values). Prints the
numbers of instances, of valid ones and of disagreements, and the first disagreements.
"""

import importlib
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import jsonschema_rs

INSTANCES = 300


class Distinct:
    """`x-distinct`: texts that differ also when letter case is ignored."""

    def __init__(self, _parent: object, _value: object, _path: object) -> None:
        pass

    def validate(self, instance: Any) -> None:
        if not isinstance(instance, list):
            return
        texts = [item.casefold() for item in instance if isinstance(item, str)]
        if len(texts) == len(instance) and len(set(texts)) != len(texts):
            raise ValueError("not distinct")


def main(product: Path, cases: Path) -> None:
    sys.path.insert(0, str(product))
    readers = importlib.import_module("mymcp._generated.records")
    unreadable = importlib.import_module("mymcp.contract.reader").Unreadable
    resolve = importlib.import_module("mymcp.schema.resolution").resolve
    instances = importlib.import_module("tests.contracts.mutation").instances
    normalised = importlib.import_module("tests.schema.dialects").normalised
    seen = valid = 0
    disagreements: list[Any] = []
    for name, contract, values in json.loads(cases.read_text("utf-8")):
        schema = resolve(contract["record"], name, {name: contract})
        judge = jsonschema_rs.Draft202012Validator(schema, keywords={"x-distinct": Distinct})
        for value in [*values, *instances(values, Random(name), INSTANCES)]:
            expected = judge.is_valid(normalised(value, schema))
            try:
                getattr(readers, f"{name.upper()}_V1").read(value)
            except unreadable:
                found = False
            else:
                found = True
            seen, valid = seen + 1, valid + expected
            if found is not expected:
                disagreements.append([name, value, expected])
    print(json.dumps([seen, valid, len(disagreements), disagreements[:3]]))  # noqa: T201  its answer


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
