"""What judging the content of a memory costs: the longest there may be, and the worst of shapes."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from heapq import nlargest
from itertools import islice
from random import Random

from mymcp.plugins.mnemosyne.memory.content_policy import reason_against, refusal
from tests.bench.figure import Figure, Unmeasurable

CHARACTERS = 4_000
BOUND = 2.0
MEMORY_BOUND = 2.5 * BOUND  # title, content and ten tags, and all of them joined
ROUNDS = 15
FUZZED = 1_500
FUZZED_ROUNDS = 3
SUSPECTS = 30  # so many of the slowest are looked at again: of a few rounds, all may be disturbed
PROSE = "Every durable write needs approval of the exact call; the answer says what was done. "
PARTS = (
    "a-", "a.", "a", "p", "s", "t", "://a:", "x://a:${b}@ ", "a://:@", "4 ", "4,", "4.", "41 ",
    "62 ",
    "4000 ", "4444 ", "4 4 4 4x", "1-", "111-11-", "123-45-6789-1 ", "-", "-----BEGIN ", "eyJ",
    "440 ", "400 4000 ", "4000.", "password ", "password : x ", "pwd:none ",
    "password=* ", "password:<a> ", "mypassword=abcd ", "xaccess_token",
    "tokentoken ", "secret= ", "secret: word ", "secret: a1b ", "authorization : ",
    "authorization: bearer ", "bearer ", "bearer abcdefgh ", "ghp_", "sk-", " sk-a-", " xoxb-A",
    "AIzaAAAA", "SG.a.", " ", "\n", "?", "\u00e9", "\u4e2d", "\u0661", "\u0664\u0661 ",
    "\uff14\uff11\uff11\uff11 ", "\u2469", "\u200b", "\ufdfa", "\uff41", "e\u0301", "\u33af",
    "".join(map(chr, range(0x4E00, 0x4F00))), "".join(map(chr, range(0xC0, 0x100))),
    "\u2487", "\U0001f600 ", "password:\u3000x ",
)  # fmt: skip


def policy() -> Iterator[Figure]:
    """Judge texts of 4,000 characters that no shape stops early, by hand and by chance."""
    yield Figure("policy, ordinary prose", _milliseconds(_filled(PROSE)), "ms", BOUND)
    worst = max((_milliseconds(_filled(part)), part[:24]) for part in PARTS)
    yield Figure("policy, the worst of known shapes", worst[0], "ms", BOUND, note=ascii(worst[1]))
    worst = max((_milliseconds(text), text[:24]) for text in _suspects())
    yield Figure("policy, the worst by chance", worst[0], "ms", BOUND, note=ascii(worst[1]))
    worst = max((_milliseconds_of_a_memory(part), part[:24]) for part in PARTS)
    note = ascii(worst[1])
    yield Figure("policy, all fields of a memory", worst[0], "ms", MEMORY_BOUND, note=note)


def _filled(part: str) -> str:
    return (part * CHARACTERS)[:CHARACTERS]


def _suspects() -> list[str]:
    """Return the texts by chance that took the longest."""
    texts = islice(_by_chance(), FUZZED)
    times = ((_least(partial(reason_against, text), FUZZED_ROUNDS), text) for text in texts)
    return [text for _, text in nlargest(SUSPECTS, times)]


def _by_chance() -> Iterator[str]:
    """Yield texts of two to six parts in turn that nothing is found in."""
    random = Random(20)
    while True:
        text = _filled("".join(random.choices(PARTS, k=random.randint(2, 6))))
        if reason_against(text) is None:
            yield text


def _milliseconds(text: str) -> float:
    if reason_against(text) is not None:
        raise Unmeasurable(f"{text[:24]!a} is refused, so most of it is not looked at")
    return _least(lambda: reason_against(text))


def _milliseconds_of_a_memory(part: str) -> float:
    text = _filled(part)
    tags = [("tags", text[start : start + 50]) for start in range(0, 500, 50)]
    fields = [("title", text[:200]), ("content", text), *tags]
    return _least(lambda: refusal(fields))


def _least(judge: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the processor time of the quickest of some rounds: others only add to it."""
    times = []
    for _ in range(rounds):
        before = time.process_time_ns()
        judge()
        times.append(time.process_time_ns() - before)
    return min(times) / 1e6
