"""The package as an author imports it."""

import subprocess
import sys
from importlib import import_module
from typing import get_args

from mymcp import plugin
from mymcp.plugin import errors


def test_importing_it_loads_neither_models_nor_the_server() -> None:
    program = (
        "import sys, mymcp.plugin, mymcp.plugin.adapter;"
        "print([n for n in ('pydantic', 'fastapi', 'jsonschema_rs', 'mymcp.host')"
        " if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_everything_public_is_there_and_says_what_it_is() -> None:
    for name in plugin.__all__:
        value = getattr(plugin, name)
        assert not isinstance(value, type) or value.__doc__, name
    assert import_module("mymcp.plugin.adapter").PluginAdapter is plugin.PluginAdapter


def test_every_code_has_advice() -> None:
    codes = {code for group in get_args(errors.PluginContractErrorCode) for code in get_args(group)}
    assert set(errors.ADVICE) == errors.CODES == codes
