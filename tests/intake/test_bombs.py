"""Small files that cost much are refused, or taken, within the limits, and the event loop waits for none of them."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from lustra.app.opening import READERS
from lustra.core.errors import Code, Refusal
from lustra.core.files.intake import Intake
from lustra.core.files.intake_process import CPU_S
from tests.intake.bombs import BOMBS

MEMORY = 512 << 20  # bytes beside the server
# on a busy machine with two cores
TICK_S = 0.01
LATE_S = 2.0  # what is read in the loop itself holds it up for longer; a busy machine does not
COUNTED_S = 0.1  # the kernel looks at its count of CPU time by the tick
KINDS = sorted({name.split(":")[0] for name in BOMBS})


@pytest.fixture
async def intake() -> AsyncIterator[Intake]:
    intake = Intake(READERS)
    yield intake
    intake.close()


async def watch_loop(late: list[float]) -> None:
    while True:
        began = time.monotonic()
        await asyncio.sleep(TICK_S)
        late.append(time.monotonic() - began - TICK_S)


async def hand_in(intake: Intake, name: str) -> str:
    work, make, arguments = BOMBS[name]
    files = await asyncio.to_thread(make)
    late: list[float] = []
    watching = asyncio.create_task(watch_loop(late))
    try:
        await intake.read(1, work, files, *arguments)
        outcome = ""
    except Refusal as refused:
        outcome = f"{refused.code.name} {refused.reason}"
        if refused.reason == "unreadable" or refused.code in (Code.BUSY, Code.UNAVAILABLE):
            return f"{name}: {outcome}"
    watching.cancel()
    spent = intake.spent[-1]
    within = spent.cpu_s <= CPU_S + COUNTED_S and spent.memory <= MEMORY and max(late, default=0) < LATE_S
    return "" if within else f"{name}: {spent.cpu_s:.1f} s, {spent.memory >> 20} MB, late {max(late):.2f} s, {outcome}"


@pytest.mark.parametrize("kind", KINDS)
async def test_every_bomb_is_refused_or_read_in_five_seconds_and_half_a_gigabyte(intake: Intake, kind: Any):
    beyond = [await hand_in(intake, name) for name in BOMBS if name.startswith(f"{kind}:")]
    assert [problem for problem in beyond if problem] == []


def test_there_are_more_bombs_than_the_first_attack_had():
    assert len(BOMBS) > 90
