"""No refused call is left without its declared error: what D16 promises, on mutated arguments."""

from random import Random
from typing import Any

import pytest

from mymcp.contract.faults import Fault, first_declared
from mymcp.contract.reader import Reader, Unreadable
from tests.contracts.mutation import instances
from tests.contracts.oracle import contracts
from tests.contracts.readers import contract_of
from tests.contracts.test_equivalence import bases_of

TOOLS = [name for name, _ in contracts() if name.startswith("tools/")]


@pytest.mark.parametrize("name", TOOLS)
def test_every_refused_object_is_answered_by_a_declared_error(name: str) -> None:
    contract = contract_of(name.rpartition("/")[2])
    answered = 0
    for value in instances(bases_of(name), Random(f"answers {name}"), 3_000):
        if not isinstance(value, dict):
            continue
        faults = faults_of(contract.reader, value)
        assert not faults or first_declared(contract.errors, faults) is not None, value
        answered += bool(faults)
    assert answered >= 300


def faults_of(reader: Reader[Any], value: object) -> tuple[Fault, ...]:
    try:
        reader.read(value)
    except Unreadable as error:
        return error.faults
    return ()
