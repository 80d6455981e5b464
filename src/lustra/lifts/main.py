"""`lustra lifts`: gives lifts to robots. Robots ask on robots.<sn>.lift and are told by cmd.lift.

Rules: a robot rides what it is bound to, and what its owner has in the same building; of several lifts that serve both
floors, the one with the fewest rides. One process works, a second one waits until the first has ended; one that starts
anew takes up the rides where they were. People's words (out of service, released) are read from the database.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import asyncpg
import msgspec
import structlog

from lustra.core import db as database
from lustra.core import outside, sealed
from lustra.core.bus import Bus, connect
from lustra.core.settings import Settings
from lustra.domains.elevator.rules import SEALED_AS
from lustra.lifts import rides
from lustra.lifts.adapters import Make, adapters
from lustra.lifts.elevator_worker import Shaft
from lustra.lifts.provider import Known
from lustra.lifts.session import Ride, Session
from lustra.protocol import bus as protocol
from lustra.protocol.bus import Lift, LiftWish

log = structlog.get_logger(__name__)
LOCK = 0x6C696674  # "lift"
LOOK_S = 1.0  # between two looks at what people want
LONGEST = 200  # letters of a name that a robot tells
READ = msgspec.json.Decoder(LiftWish)


def read(data: bytes) -> LiftWish | None:
    try:
        told = READ.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    texts = (told.ride, told.target, told.origin, told.building)
    return told if told.ride and all(len(text) <= LONGEST and "\0" not in text for text in texts) else None


def same(floor: str) -> str:
    return floor.strip().casefold()


class Lifts:
    """`clock`: seconds; `make`: the adapter of an elevator."""

    def __init__(
        self,
        pool: "asyncpg.Pool",
        bus: Bus,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.pool, self.bus, self.settings, self.clock = pool, bus, settings, clock
        self.make: Make = adapters(outside.networks(settings.lift_networks))
        self.shafts: dict[int, Shaft] = {}
        self.releases: dict[int, int] = {}
        self.group: asyncio.TaskGroup | None = None

    async def run(self) -> None:
        try:
            await self.serve()
        finally:
            for shaft in self.shafts.values():
                await shaft.end()

    async def serve(self) -> None:
        async with asyncio.TaskGroup() as self.group:
            for row, session in await rides.left(self.pool, self.clock()):
                self.open(row, session)
            await self.bus.subscribe("robots.*.lift", self.hear)
            while True:
                await asyncio.sleep(LOOK_S)
                try:
                    await self.look()
                except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as why:
                    log.warning("lifts.again", why=repr(why))

    def open(self, row: Any, session: Session) -> Shaft:
        shaft = self.shafts[row["id"]] = Shaft(self.known(row), session, self.clock, self.make, self.changed)
        self.releases[row["id"]] = row["releases"]
        if self.group:
            self.group.create_task(self.work(shaft), name=f"lift {row['id']}")
        return shaft

    def known(self, row: Any) -> Known:
        secret = sealed.unseal(self.settings, SEALED_AS, row["id"], row["secret"]) if row["secret"] else ""
        return Known(
            row["id"], row["name"], row["provider"], tuple(row["floors"].split(",")), row["server"], row["module_id"],
            row["robot_id"], secret,
        )  # fmt: skip

    async def work(self, shaft: Shaft) -> None:
        """A lift that falls over does not take the others along."""
        while True:
            try:
                await shaft.run()
            except Exception:
                log.exception("lift.again", lift=shaft.known.id)
                await asyncio.sleep(1)

    # What people want

    async def look(self) -> None:
        found = {row["id"]: row for row in await rides.these(self.pool, list(self.shafts))}
        for id_, shaft in self.shafts.items():
            if id_ in found:
                await self.follow(shaft, found[id_])

    async def follow(self, shaft: Shaft, row: Any) -> None:
        session, now = shaft.session, self.clock()
        if row["out"] and not session.out:
            session.take_out(now)
        elif session.out and not row["out"]:
            session.put_back()
        elif row["releases"] == self.releases[row["id"]]:
            await shaft.change(self.known(row))
            return
        if row["releases"] != self.releases[row["id"]]:
            self.releases[row["id"]] = row["releases"]
            session.release(now)
        shaft.woken.set()

    # What robots want

    async def hear(self, message: Any) -> None:
        sn, told = message.subject.split(".")[1], read(message.data)
        if told is None:
            return
        try:
            await self.wish(sn, told)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as why:
            log.warning("lifts.again", why=repr(why))  # the robot asks again

    async def wish(self, sn: str, told: LiftWish) -> None:
        ride = Ride(
            told.ride, sn, told.origin.strip(), told.target.strip(), self.clock(), self.clock(),
            factor=max(1.0, told.simulated),
        )  # fmt: skip
        shaft = self.riding(sn, told.ride)
        if shaft is None:
            shaft = await self.chosen(sn, told)
        if isinstance(shaft, str):
            await self.tell(sn, Lift(ride=told.ride, phase="ended", reason=shaft))
            return
        ride.origin, ride.target = (self.named(shaft, floor) for floor in (ride.origin, ride.target))
        now = shaft.session.wish(sn, ride, told.step, self.clock())
        shaft.woken.set()
        await self.tell_ride(shaft, now)

    def named(self, shaft: Shaft, floor: str) -> str:
        """As the registry writes it."""
        return next((name for name in shaft.known.floors if same(name) == same(floor)), floor)

    def riding(self, sn: str, ride: str) -> Shaft | None:
        for shaft in self.shafts.values():
            if any((one.robot, one.id) == (sn, ride) for one in (*shaft.session.rides, *shaft.session.over)):
                return shaft
        return None

    async def chosen(self, sn: str, told: LiftWish) -> Shaft | str:
        """The lift of a new ride, or why there is none."""
        may = await rides.mine(self.pool, sn, told.building)
        wanted = {same(told.target)} | ({same(told.origin)} if told.origin else set())
        serving = [row for row in may if wanted <= {same(floor) for floor in row["floors"].split(",")}]
        if not serving:
            return "lift_missing"
        inside = [row for row in serving if self.occupant(row) == sn]
        told_to = [row for row in serving if told.lift and row["code"] == told.lift]
        running = [row for row in told_to or serving if not row["out"]]
        if not (inside or running):
            return "lift_out_of_service"
        best = min(inside or running, key=lambda row: (self.load(row), not row["own"], row["id"]))
        for other in self.shafts.values():  # one ride at a time, whichever lift it was
            for ride in other.session.rides:
                if ride.robot == sn and other.known.id != best["id"]:
                    other.session.wish(sn, ride, "cancel", self.clock())
        if shaft := self.shafts.get(best["id"]):
            await self.follow(shaft, best)
            return shaft
        return self.open(best, Session(occupant=best["occupant"], out=best["out"]))

    def occupant(self, row: Any) -> str:
        shaft = self.shafts.get(row["id"])
        return shaft.session.occupant if shaft else row["occupant"]

    def load(self, row: Any) -> int:
        shaft = self.shafts.get(row["id"])
        return (len(shaft.session.rides) if shaft else 0) + bool(self.occupant(row))

    # What has changed

    async def changed(self, shaft: Shaft, news: list[Ride]) -> None:
        for ride in news:
            await rides.keep(self.pool, shaft.known.id, ride)
            await self.tell_ride(shaft, ride)
        await rides.show(self.pool, shaft.known.id, rides.live(shaft.session, shaft.seen, shaft.trouble))

    async def tell_ride(self, shaft: Shaft, ride: Ride) -> None:
        floor = shaft.seen.floor if shaft.seen else ""
        told = Lift(
            ride=ride.id, phase=ride.phase, lift=shaft.known.name, floor=floor, ahead=shaft.session.ahead(ride),
            reason=ride.reason,
        )  # fmt: skip
        await self.tell(ride.robot, told)

    async def tell(self, sn: str, told: Lift) -> None:
        """No answer is waited for: the robot asks again."""
        await self.bus.publish(protocol.cmd(sn, "lift"), protocol.encode(told))


async def alone(settings: Settings) -> asyncpg.Connection:
    """Waits until no other process works."""
    while True:
        try:
            link = await asyncpg.connect(settings.database_url)
            await link.execute("select pg_advisory_lock($1)", LOCK)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError) as why:
            log.warning("lifts.again", what="database", why=repr(why))
            await asyncio.sleep(0.5)
        else:
            return link


async def run(settings: Settings) -> None:
    turn = await alone(settings)
    pool, bus = await database.pool(settings.database_url, size=3), await connect(settings.nats_url, "lifts")
    try:
        await Lifts(pool, bus, settings).run()
    finally:
        await bus.close()
        await pool.close()
        await turn.close()
