import asyncio
import threading

from mymcp.host.pools import CHANGING_THREADS, PARSING_THREADS, PLUGIN_THREADS, Pools
from mymcp.host.workers import WORKER_THREADS, Workers
from tests.host.tools import echo, external, tool

READING = tool("read", echo)
CHANGING = tool("change", echo, consent="per_call")
SLOW, OTHER = (external(plugin) for plugin in ("slow", "other"))


async def at_a_time(pool: Workers, expected: int) -> int:
    """Wait until `expected` of many calls run at once, and return how many do a little later."""
    running: list[None] = []
    release = threading.Event()

    def call() -> None:
        running.append(None)
        release.wait(10)

    calls = [asyncio.create_task(pool.run(call)) for _ in range(20)]
    while len(running) < expected:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    seen = len(running)
    release.set()
    await asyncio.gather(*calls)
    return seen


def test_each_kind_of_work_has_its_threads() -> None:
    pools = Pools()

    async def count() -> None:
        assert await at_a_time(pools.of(READING), WORKER_THREADS) == WORKER_THREADS
        assert await at_a_time(pools.of(CHANGING), CHANGING_THREADS) == CHANGING_THREADS
        assert await at_a_time(pools.parsing, PARSING_THREADS) == PARSING_THREADS
        assert await at_a_time(pools.of(SLOW), PLUGIN_THREADS) == PLUGIN_THREADS

    asyncio.run(count())


def test_each_external_plugin_has_a_pool_of_its_own() -> None:
    pools = Pools()
    assert pools.of(SLOW) is pools.of(external("slow"))
    assert pools.of(SLOW) is not pools.of(OTHER)
    assert pools.of(SLOW) is not pools.of(READING)


def test_all_threads_end_when_the_pools_stop() -> None:
    async def stop() -> list[threading.Thread]:
        pools = Pools()
        kinds = [pools.of(READING), pools.of(CHANGING), pools.parsing, pools.of(SLOW)]
        threads = [await pool.run(threading.current_thread) for pool in kinds]
        pools.stop()
        return threads

    for thread in asyncio.run(stop()):
        thread.join(10)
        assert not thread.is_alive()
