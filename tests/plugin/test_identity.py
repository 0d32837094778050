import json
import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugin import CapabilityId
from mymcp.plugin.identity import is_local_id, is_plugin_id, is_shown_text, is_version

SCHEMA = json.loads(
    files("mymcp._generated.data").joinpath("contracts/manifests/plugin-v1.json").read_bytes()
)["manifest"]["properties"]
CAPABILITY = SCHEMA["capabilities"]["items"]["properties"]
texts = st.text(alphabet="abAB019_-.+ \n", max_size=12) | st.from_regex(r"[a-z0-9_.+-]{0,70}")


@pytest.mark.parametrize(
    ("is_one", "schema"),
    [
        (is_plugin_id, SCHEMA["id"]),
        (is_version, SCHEMA["version"]),
        (is_local_id, CAPABILITY["id"]),
    ],
)
@given(text=texts)
def test_grammar_is_that_of_the_contract(is_one: object, schema: dict[str, str], text: str) -> None:
    assert callable(is_one)
    pattern = schema["pattern"].removeprefix("^").removesuffix("$")
    expected = len(text) <= int(schema["maxLength"]) and re.fullmatch(pattern, text)
    assert is_one(text) == bool(expected)


@pytest.mark.parametrize("value", [None, 1, True, b"a", ["a"]])
def test_what_is_no_text_is_no_identity(value: object) -> None:
    assert not any(is_one(value) for is_one in (is_plugin_id, is_local_id, is_version))
    assert not is_shown_text(value, 10)


@pytest.mark.parametrize("text", ["a", "Ärger & Söhne", "नमस्ते", "👩‍👧", "می‌خواهم"])
def test_visible_text_is_shown(text: str) -> None:
    assert is_shown_text(text, 100)


@pytest.mark.parametrize("text", ["", " ", "\u00a0", "a\tb", "\u200b", "a\u2066b", "\ufeffa"])
def test_text_that_hides_something_is_not_shown(text: str) -> None:
    assert not is_shown_text(text, 100)


def test_public_name_joins_plugin_and_tool() -> None:
    assert CapabilityId("my-demo", "say_it").public_name == "my-demo__say_it"


@pytest.mark.parametrize(("plugin", "local"), [("A", "b"), ("a", "b__c"), ("a", ""), ("", "b")])
def test_capability_id_keeps_to_the_grammar(plugin: str, local: str) -> None:
    with pytest.raises(ValueError, match="must be"):
        CapabilityId(plugin, local)
