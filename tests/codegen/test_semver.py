"""Which version is higher, by the order that semver.org gives."""

from itertools import pairwise

import pytest

from codegen.semver import is_higher, precedence

RISING = [
    "0.9.9",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.2.0",
    "1.10.0",
    "2.0.0",
]


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(RISING)))
def test_versions_rise_as_the_specification_orders_them(lower: str, higher: str) -> None:
    assert is_higher(higher, lower)
    assert not is_higher(lower, higher)


def test_build_metadata_does_not_count() -> None:
    assert not is_higher("1.0.0+2", "1.0.0+1")


@pytest.mark.parametrize(
    "text", ["1.0", "v1.0.0", "01.0.0", "1.0.0-01", "1.0.0-", "1.0.0 ", "１.0.0"]
)
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="semantic version"):
        precedence(text)
