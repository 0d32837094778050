from typing import get_args

import pytest

from mymcp.authentication.evidence import Evidence
from mymcp.authentication.method import FailureCode, Refused
from mymcp.authentication.principal import anonymous, registered
from mymcp.authentication.refusal import AuthenticationCompositionError
from mymcp.authentication.router import Router
from mymcp.configuration.settings import Route
from tests.authentication.showing import BEARER, Scripted, everything_told, evidence, refusing

SECRET = b"open-sesame"
OTHER_ROUTES = [
    Route("authorization", "basic"),
    Route("authorization", "bearer", "profile"),
    Route("authorization", "Bearer"),
    Route("authorization", "bearer-x"),
    Route("authorization", "beare"),
    Route("cookie", "bearer"),
    Route("", ""),
]


def raising(error: BaseException) -> Scripted:
    def answer(_: Evidence) -> object:
        raise error

    return Scripted(answer)


def test_without_evidence_a_caller_is_anonymous_where_that_is_on() -> None:
    method = Scripted()
    assert Router([method], True).principal_of(None) == anonymous()
    assert method.asked == []


def test_without_evidence_nobody_is_recognised_where_anonymous_is_off() -> None:
    for methods in ([], [Scripted()]):
        with pytest.raises(Refused, match=r"^no_evidence$"):
            Router(methods, False).principal_of(None)


@pytest.mark.parametrize("anonymous_enabled", [True, False])
@pytest.mark.parametrize("route", OTHER_ROUTES, ids=str)
def test_a_route_is_matched_exactly_and_no_other_method_is_tried(
    route: Route, anonymous_enabled: bool
) -> None:
    method = Scripted()
    with pytest.raises(Refused) as caught:
        Router([method], anonymous_enabled).principal_of(evidence(SECRET, route))
    assert (caught.value.code, caught.value.adapter_id) == ("unsupported", None)
    assert method.asked == []


@pytest.mark.parametrize("route", [BEARER, *OTHER_ROUTES], ids=str)
def test_any_evidence_is_unsupported_where_everybody_is_anonymous(route: Route) -> None:
    with pytest.raises(Refused, match=r"^unsupported$"):
        Router([], True).principal_of(evidence(SECRET, route))


def test_exactly_the_method_of_the_route_is_asked_exactly_once() -> None:
    asked = Scripted(lambda e: f"who shows {len(e.payload)}", "one", Route("authorization", "a"))
    others = [
        Scripted(adapter_id=f"other-{n}", route=route) for n, route in enumerate(OTHER_ROUTES)
    ]
    router = Router([*others[:3], asked, *others[3:]], True)
    shown = evidence(b"1234", asked.route)
    assert router.principal_of(shown) == registered("one", "who shows 4")
    assert asked.asked == [shown]
    assert [other.asked for other in others] == [[]] * len(others)


@pytest.mark.parametrize("anonymous_enabled", [True, False])
@pytest.mark.parametrize("code", get_args(FailureCode))
def test_a_refusal_keeps_its_class_and_names_the_adapter(
    code: FailureCode, anonymous_enabled: bool
) -> None:
    router = Router([Scripted(refusing(code))], anonymous_enabled)
    with pytest.raises(Refused) as caught:
        router.principal_of(evidence(SECRET))
    assert (caught.value.code, caught.value.adapter_id) == (code, "scripted")


@pytest.mark.parametrize(
    "error",
    [
        ValueError(SECRET),
        KeyError(SECRET),
        RecursionError(),
        MemoryError(),
        AssertionError(SECRET),
        UnicodeDecodeError("utf-8", SECRET, 0, 1, "secret"),
        OSError(5, "open-sesame"),
        ExceptionGroup("open-sesame", [ValueError(SECRET)]),
        Refused("open-sesame"),  # type: ignore[arg-type]
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_method_that_breaks_rejects_and_tells_nothing(error: BaseException) -> None:
    with pytest.raises(Refused) as caught:
        Router([raising(error)], True).principal_of(evidence(SECRET))
    assert caught.value.code == "rejected"
    told = everything_told(caught.value)
    assert "sesame" not in told
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)


@pytest.mark.parametrize(
    "value",
    [None, True, 1, b"a", "", " ", "a\n", "a" * 257, "e\u0301", "\ud800", ["a"], object()],
    ids=ascii,
)
def test_a_method_that_gives_no_subject_rejects(value: object) -> None:
    with pytest.raises(Refused, match=r"^rejected$"):
        Router([Scripted(lambda _: value)], True).principal_of(evidence(SECRET))


def test_what_ends_the_process_is_not_taken_for_a_refusal() -> None:
    with pytest.raises(KeyboardInterrupt):
        Router([raising(KeyboardInterrupt())], True).principal_of(evidence())


@pytest.mark.parametrize("flag", [None, 1, 0, "true", [], object()])
def test_the_switch_is_a_bool(flag: object) -> None:
    with pytest.raises(TypeError):
        Router([], flag)  # type: ignore[arg-type]


@pytest.mark.parametrize("thing", [None, 1, "bearer", object(), lambda _: "a"])
def test_what_is_no_method_is_not_taken(thing: object) -> None:
    with pytest.raises(TypeError):
        Router([thing], True)  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Scripted(), Scripted()),
        (Scripted(), Scripted(adapter_id="other")),
        (Scripted(), Scripted(route=Route("authorization", "other"))),
    ],
)
def test_methods_have_ids_and_routes_of_their_own(first: Scripted, second: Scripted) -> None:
    with pytest.raises(AuthenticationCompositionError, match=r"^route_collision: "):
        Router([first, second], True)


def test_challenges_are_those_of_the_methods_that_have_one() -> None:
    methods = [
        Scripted(adapter_id=f"m{n}", route=Route("authorization", f"m{n}"), challenge=challenge)
        for n, challenge in enumerate([None, "Bearer a", None, "Other b"])
    ]
    assert Router(methods, False).challenges == ("Bearer a", "Other b")
