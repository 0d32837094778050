"""What looks random, judged by a second implementation that takes a value apart."""

import re

from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.policy.harmless import looks_random
from tests.plugins.mnemosyne.memory.policy.formulas import CONTRACT

HARMLESS = CONTRACT["harmless"]
PIECES = st.sampled_from(["a", "Zq", "1", "42", "-", "_", "/", ".", "=", "word", "0123456789"])


def is_random(value: str) -> bool:
    parts = re.split("[-_/.]", value)
    if any(part.isalnum() and len(part) >= HARMLESS["unbroken"] for part in parts):
        return True
    if all(part.isalpha() or part.isdigit() or not part for part in parts):
        return False
    has_both = any(map(str.isalpha, value)) and any(map(str.isdigit, value))
    return has_both and len(value) >= HARMLESS["random_least"]


@given(st.lists(PIECES, max_size=12).map("".join))
def test_words_and_numbers_with_marks_between_them_do_not_look_random(value: str) -> None:
    assert looks_random(value) == is_random(value)
