import logging
from collections.abc import Iterator

import pytest

from mymcp.app import create_app
from mymcp.host.listing import listing
from mymcp.host.runtime import assemble
from tests.transport.serving import Wire, serving
from tests.transport.tools import GATE, Gate, tools


@pytest.fixture(scope="package")
def wire() -> Iterator[Wire]:
    """A server with tools that behave and tools that do not."""
    offered = tools()
    names = [str(one.published["name"]) for one in offered]
    with serving(create_app(assemble([listing(names), *offered], generation="g"))) as running:
        yield running


@pytest.fixture
def gate() -> Iterator[Gate]:
    """The gate, closed; opened at the end."""
    GATE.entered.clear()
    GATE.opened.clear()
    yield GATE
    GATE.opened.set()


@pytest.fixture(autouse=True)
def no_traceback(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever a test sends, the server's log holds no traceback."""
    caplog.set_level(logging.INFO)
    yield
    for record in caplog.get_records("call"):
        assert record.exc_info is None
        assert "Traceback" not in record.getMessage()
