"""The gate's process: three links to the bus, its file, robots to be thrown out, and the watch over floods.

Links: GATE hears the questions, SYS throws out, FLEET feeds the file. Each comes back by itself, at any time.
"""

import asyncio
import contextlib
import signal
from collections.abc import AsyncGenerator

import nats.errors
import structlog
from nats.aio.client import Client

from lustra.core.bus import open_link
from lustra.core.follow import Follower
from lustra.core.process.tasks import cancel_all, ending
from lustra.core.retry import retry_on
from lustra.core.settings import Settings
from lustra.gate import jwt
from lustra.gate.callout import Callout
from lustra.gate.connections import throw_out
from lustra.gate.floods import LOOK_S, Floods
from lustra.gate.refusals import EACH_S, Refusals
from lustra.gate.roster import Roster

BUS_AGAIN_S = 0.5
log = structlog.get_logger()


async def run(settings: Settings) -> None:
    stop = asyncio.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, stop.set)
    async with serving(settings):
        await stop.wait()


@contextlib.asynccontextmanager
async def serving(settings: Settings) -> AsyncGenerator[Roster, None]:
    """The gate, open until left."""
    leaving: asyncio.Queue[str] = asyncio.Queue()
    roster = Roster(settings.folder / "gate.json", leaving.put_nowait)
    system = await open_link(settings.system_url, "gate system")
    questions = await open_link(settings.gate_url, "gate questions")
    fleet = await open_link(settings.nats_url, "gate fleet")
    refusals, floods = Refusals(), Floods()
    await Callout(jwt.from_seed(settings.gate_seed), roster.passwords.get, refusals, floods).open(questions)
    log.info("open", robots=len(roster.passwords))
    tasks = [
        asyncio.create_task(roster.write()),
        asyncio.create_task(Follower(fleet, "devices", roster.update).run()),
        asyncio.create_task(throw_out_revoked(system, leaving)),
        asyncio.create_task(watch(system, floods)),
        asyncio.create_task(report(refusals)),
    ]
    try:
        yield roster
    finally:
        await cancel_all(*tasks)
        for each in (fleet, questions, system):
            await each.close()


async def throw_out_revoked(system: Client, leaving: "asyncio.Queue[str]") -> None:
    """Throws out one after the other; the bus may be away meanwhile."""
    throw_out_reached = retry_on(nats.errors.Error, OSError, longest_s=BUS_AGAIN_S)(throw_out)
    while not ending():
        sn = await leaving.get()
        log.info("thrown out", sn=sn, links=await throw_out_reached(system, sn))


async def watch(system: Client, floods: Floods) -> None:
    while not ending():
        await asyncio.sleep(LOOK_S)
        with contextlib.suppress(nats.errors.Error, OSError):  # the bus may be away
            await floods.look(system)


async def report(refusals: Refusals) -> None:
    while True:
        await asyncio.sleep(EACH_S)
        refusals.report()
