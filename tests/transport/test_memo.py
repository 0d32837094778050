from mymcp.transport.memo import MEMO_VALUE_MAX_BYTES, MEMO_VERDICTS, Values, remembered


class Counting:
    def __init__(self) -> None:
        self.asked: list[Values] = []
        self.judge = remembered(self._judge)

    def _judge(self, values: Values) -> bool:
        self.asked.append(values)
        return values == (b"yes",)


def test_a_verdict_is_given_again_without_a_second_look() -> None:
    counting = Counting()
    for values in [(b"yes",), (b"no",), ()] * 2:
        assert counting.judge(values) is (values == (b"yes",))
    assert counting.asked == [(b"yes",), (b"no",), ()]


def test_what_is_long_or_several_is_not_kept() -> None:
    counting = Counting()
    for values in [(b"x" * (MEMO_VALUE_MAX_BYTES + 1),), (b"x", b"y")] * 2:
        assert not counting.judge(values)
    assert len(counting.asked) == 4


def test_only_so_many_verdicts_are_kept() -> None:
    counting = Counting()
    for number in [*range(MEMO_VERDICTS + 1), 0]:
        counting.judge((b"%d" % number,))
    assert counting.asked[-1] == (b"0",)
