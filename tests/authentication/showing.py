"""Evidence and methods for tests, and a look at whether something tells a secret."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field

from mymcp.authentication.evidence import Evidence
from mymcp.authentication.method import FailureCode, Refused
from mymcp.configuration.settings import Route

BEARER = Route("authorization", "bearer")


def evidence(payload: bytes = b"x", route: Route = BEARER) -> Evidence:
    return Evidence(route, payload)


@dataclass
class Scripted:
    """A method that does what a test says, and counts how often it was asked."""

    answer: Callable[[Evidence], object] = lambda _: "subject"
    adapter_id: str = "scripted"
    route: Route = BEARER
    challenge: str | None = None
    asked: list[Evidence] = field(default_factory=list)

    def subject_of(self, evidence: Evidence) -> str:
        self.asked.append(evidence)
        return self.answer(evidence)  # type: ignore[return-value]  # tests give what is no subject


def refusing(code: FailureCode) -> Callable[[Evidence], object]:
    def answer(_: Evidence) -> object:
        raise Refused(code)

    return answer


def everything_told(error: BaseException) -> str:
    """Return all that a log with a traceback could show of `error`."""
    return "".join(traceback.TracebackException.from_exception(error).format()) + repr(error)
