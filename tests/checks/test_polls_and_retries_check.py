"""The checks of what asks again and again find it: a page the server, and a call that failed."""

from collections.abc import Callable
from pathlib import Path

import check_polls
import check_retries
import pytest
from house import ROOT

POLL = "const maps = useQuery({ queryKey: ['map'], refetchInterval: 3000 })\n"
LOOP = """
async def connect():
    while True:
        try:
            return await reach()
        except OSError:
            await asyncio.sleep(0.5)
"""
BEAT = """
async def look_each_second():
    while True:
        await asyncio.sleep(1)
        try:
            await look()
        except OSError as why:
            log.warning("later", why=why)
"""


def test_a_page_that_polls_is_refused_with_its_place(project: Callable[..., Path]):
    root = project({"console/src/features/map/list.tsx": f"// maps\n{POLL}"})
    assert [line.split(" ")[0] for line in check_polls.check(root)] == ["console/src/features/map/list.tsx:2:"]


def test_the_two_places_that_may_ask_again_pass(project: Callable[..., Path]):
    assert check_polls.check(project(dict.fromkeys(check_polls.ALLOWED, POLL))) == []


@pytest.mark.parametrize("source", [LOOP, LOOP.replace("while True:", "for _ in range(3):")])
def test_refuse_a_loop_that_sleeps_after_a_failed_call_elsewhere(project: Callable[..., Path], source: str):
    root = project({"src/lustra/live/ingest.py": source, "src/lustra/core/retry.py": source})
    assert check_retries.problems(root) == [
        "src/lustra/live/ingest.py:6: sleeps and tries again; use core.retry.retry_on"
    ]


def test_a_beat_whose_next_round_is_the_next_try_may_stay(project: Callable[..., Path]):
    assert check_retries.problems(project({"src/lustra/live/ingest.py": BEAT})) == []


def test_no_module_of_the_house_has_a_retry_of_its_own():
    assert check_retries.problems(ROOT) == []
