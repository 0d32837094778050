import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.places import (
    Address,
    collection,
    collectionless,
    folder_name,
    listed_namespace,
    recalled_namespace,
    scope_container,
)
from tests.plugins.mnemosyne.tree import memory_id

UNSAFE = ["", ".", "..", "a/../b", "../a", "/a", "a%2f..", "a\0", "CON", "a" * 65, "-a", "a-", "a_",
          "a\n", "é", "a b", "A", "a.json", "\uff5e"]  # fmt: skip
IDENTIFIER = st.from_regex(r"\A[a-z0-9]([a-z0-9_-]{0,62}[a-z0-9])?\Z")


@given(st.text() | IDENTIFIER)
def test_a_folder_name_is_one_plain_step_down_or_refused(text: str) -> None:
    try:
        name = folder_name(text)
    except ValueError:
        return
    assert name == text
    assert re.fullmatch(r"[a-z0-9_-]+", name)
    assert name not in {"", ".", ".."}


@given(IDENTIFIER, st.none() | IDENTIFIER, st.integers(0, 2**128 - 1))
def test_a_path_is_the_scope_then_the_ids(
    namespace: str, collection_id: str | None, number: int
) -> None:
    address = Address("project", namespace, collection_id, memory_id(number))
    between = () if collection_id is None else (collection_id,)
    assert address.path == ("project", namespace, *between, f"mem_{number:032x}.json")


@given(st.tuples(IDENTIFIER, st.none() | IDENTIFIER), st.tuples(IDENTIFIER, st.none() | IDENTIFIER))
def test_different_addresses_have_different_paths(
    one: tuple[str, str | None], other: tuple[str, str | None]
) -> None:
    first, second = (Address("project", *ids, memory_id(1)) for ids in (one, other))
    assert (first.path == second.path) == (first == second)


@pytest.mark.parametrize("unsafe", UNSAFE)
def test_no_unsafe_id_becomes_a_path(unsafe: str) -> None:
    addresses = [
        Address("project", unsafe, None, memory_id(1)),
        Address("project", "atlas", unsafe, memory_id(1)),
        Address("project", "atlas", None, unsafe),
        Address(unsafe, "atlas", None, memory_id(1)),
    ]
    for address in addresses:
        with pytest.raises(ValueError, match="not a"):
            _ = address.path
    for container in (
        lambda: scope_container(unsafe),
        lambda: recalled_namespace("project", unsafe),
        lambda: listed_namespace("project", unsafe),
        lambda: collectionless("project", unsafe),
        lambda: collection("project", "atlas", unsafe),
    ):
        with pytest.raises(ValueError, match="not an identifier"):
            container()


@pytest.mark.parametrize(
    "unsafe",
    [
        "mem_" + "0" * 31,
        "mem_" + "0" * 33,
        "mem_" + "A" * 32,
        "x" + "0" * 32,
        "mem_" + "0" * 32 + "\n",
    ],
)
def test_a_file_is_named_after_a_canonical_id_only(unsafe: str) -> None:
    with pytest.raises(ValueError, match="not a memory id"):
        _ = Address("project", "atlas", None, unsafe).file_name
