import pytest

from mymcp.contract.trace import kind_of, place_of


def deep(error: BaseException) -> None:
    raise error


def test_place_is_module_and_line_of_the_innermost_frame() -> None:
    error = ValueError()
    try:
        deep(error)
    except ValueError:
        line = deep.__code__.co_firstlineno + 1
        assert place_of(error) == f"{__name__}:{line}"


def test_error_that_was_never_raised_has_no_place() -> None:
    assert place_of(ValueError()) == "unknown"


def test_kind_is_the_class_as_it_was_stated_whatever_its_metaclass_says() -> None:
    class Naming(type):
        @property
        def __name__(cls) -> str:  # type: ignore[override]  # that is the fault
            raise SystemExit

    class Odd(Exception, metaclass=Naming):
        pass

    assert kind_of(Odd()) == "Odd"


def test_module_without_a_text_for_a_name_is_unknown() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        exec("1 / 0", {"__name__": object()})
    assert place_of(caught.value) == "unknown:1"
