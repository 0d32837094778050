from mymcp.contract.trace import place_of


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
