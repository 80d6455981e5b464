"""`lustra elevators`: gives elevators to robots. Robots ask on robots.<sn>.lift and are answered by cmd.lift.

Rules: a robot rides what it is bound to, and what its owner has in the same building; of several elevators that serve
both floors, the one with the fewest rides. One process works, a second one waits until the first has ended; one that
starts anew takes up the rides where they were. People's words (out of service, released) are read from the database.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import asyncpg
import msgspec
import structlog

from lustra.core import db as database
from lustra.core.bus import Bus, connect
from lustra.core.http import outbound_http
from lustra.core.retry import retry_on
from lustra.core.security import sealed
from lustra.core.settings import Settings
from lustra.domains.elevator.api import SEALED_AS
from lustra.elevators import rides
from lustra.elevators.adapters import Make, adapters
from lustra.elevators.elevator_worker import ElevatorWorker
from lustra.elevators.provider import ElevatorConfig
from lustra.elevators.session import Ride, Session
from lustra.protocol import bus as protocol
from lustra.protocol.bus import ElevatorOffer, ElevatorWish
from lustra.protocol.subjects import serial_of

log = structlog.get_logger(__name__)
LOCK = 0x6C696674  # "lift"
DATABASE_AGAIN_S = 0.5
WORK_AGAIN_S = 1.0
LOOK_S = 1.0  # between two looks at what people want
LONGEST = 200  # letters of a name that a robot sends
READ = msgspec.json.Decoder(ElevatorWish)


def parse_wish(data: bytes) -> ElevatorWish | None:
    try:
        wish = READ.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    texts = (wish.ride, wish.target, wish.origin, wish.building)
    return wish if wish.ride and all(len(text) <= LONGEST and "\0" not in text for text in texts) else None


def normalise_floor(floor: str) -> str:
    return floor.strip().casefold()


class Elevators:
    """`clock`: seconds; `make`: the adapter of an elevator."""

    def __init__(
        self,
        pool: "asyncpg.Pool",
        bus: Bus,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.pool, self.bus, self.settings, self.clock = pool, bus, settings, clock
        self.make: Make = adapters(outbound_http.networks(settings.lift_networks))
        self.workers: dict[int, ElevatorWorker] = {}
        self.releases: dict[int, int] = {}
        self.group: asyncio.TaskGroup | None = None

    async def run(self) -> None:
        try:
            await self.serve()
        finally:
            for worker in self.workers.values():
                await worker.end()

    async def serve(self) -> None:
        async with asyncio.TaskGroup() as self.group:
            for row, session in await rides.open_rides(self.pool, self.clock()):
                self.open(row, session)
            await self.bus.subscribe("robots.*.lift", self.receive)
            while True:
                await asyncio.sleep(LOOK_S)
                try:
                    await self.look()
                except Exception as why:  # noqa: BLE001  whatever it is, the next look comes soon
                    log.warning("elevators.again", why=repr(why))

    def open(self, row: Any, session: Session) -> ElevatorWorker:
        worker = self.workers[row["id"]] = ElevatorWorker(
            self.elevator_config(row), session, self.clock, self.make, self.changed
        )
        self.releases[row["id"]] = row["releases"]
        if self.group:
            self.group.create_task(self.work(worker), name=f"lift {row['id']}")
        return worker

    def elevator_config(self, row: Any) -> ElevatorConfig:
        secret = sealed.unseal(self.settings, SEALED_AS, row["id"], row["secret"]) if row["secret"] else ""
        return ElevatorConfig(
            row["id"],
            row["name"],
            row["provider"],
            tuple(row["floors"].split(",")),
            row["server"],
            row["module_id"],
            row["robot_id"],
            secret,
        )

    @retry_on(Exception, longest_s=WORK_AGAIN_S)
    async def work(self, worker: ElevatorWorker) -> None:
        """An elevator that falls over does not take the others along."""
        await worker.run()

    # What people want

    async def look(self) -> None:
        rows = {row["id"]: row for row in await rides.by_ids(self.pool, list(self.workers))}
        for id_, worker in self.workers.items():
            if id_ in rows:
                await self.follow(worker, rows[id_])

    async def follow(self, worker: ElevatorWorker, row: Any) -> None:
        session, now = worker.session, self.clock()
        if row["out"] and not session.out:
            session.take_out(now)
        elif session.out and not row["out"]:
            session.put_back()
        elif row["releases"] == self.releases[row["id"]]:
            await worker.change(self.elevator_config(row))
            return
        if row["releases"] != self.releases[row["id"]]:
            self.releases[row["id"]] = row["releases"]
            session.release(now)
        worker.woken.set()

    # What robots want

    async def receive(self, message: Any) -> None:
        sn, wish = serial_of(message.subject), parse_wish(message.data)
        if wish is None:
            return
        try:
            await self.wish(sn, wish)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as why:
            log.warning("elevators.again", why=repr(why))  # the robot asks again

    async def wish(self, sn: str, wish: ElevatorWish) -> None:
        ride = Ride(
            wish.ride,
            sn,
            wish.origin.strip(),
            wish.target.strip(),
            self.clock(),
            self.clock(),
            factor=max(1.0, wish.simulated),
        )
        worker = self.riding(sn, wish.ride)
        if worker is None:
            worker = await self.choose(sn, wish)
        if isinstance(worker, str):
            await self.publish(sn, ElevatorOffer(ride=wish.ride, phase="ended", reason=worker))
            return
        ride.origin, ride.target = (self.named(worker, floor) for floor in (ride.origin, ride.target))
        now = worker.session.wish(sn, ride, wish.step, self.clock())
        worker.woken.set()
        await self.publish_ride(worker, now)

    def named(self, worker: ElevatorWorker, floor: str) -> str:
        """The floor's name as the elevator's settings spell it."""
        return next((name for name in worker.config.floors if normalise_floor(name) == normalise_floor(floor)), floor)

    def riding(self, sn: str, ride: str) -> ElevatorWorker | None:
        for worker in self.workers.values():
            if any((known.robot, known.id) == (sn, ride) for known in (*worker.session.rides, *worker.session.over)):
                return worker
        return None

    async def choose(self, sn: str, wish: ElevatorWish) -> ElevatorWorker | str:
        """The elevator of a new ride, or why there is none."""
        may = await rides.rideable(self.pool, sn, wish.building)
        floors = {normalise_floor(wish.target)} | ({normalise_floor(wish.origin)} if wish.origin else set())
        serving = [row for row in may if floors <= {normalise_floor(floor) for floor in row["floors"].split(",")}]
        if not serving:
            return "lift_missing"
        inside = [row for row in serving if self.occupant(row) == sn]
        named = [row for row in serving if wish.lift and row["code"] == wish.lift]
        running = [row for row in named or serving if not row["out"]]
        if not (inside or running):
            return "lift_out_of_service"
        best = min(inside or running, key=lambda row: (self.load(row), not row["own"], row["id"]))
        for other in self.workers.values():  # one ride at a time, whichever elevator it was
            for ride in other.session.rides:
                if ride.robot == sn and other.config.id != best["id"]:
                    other.session.wish(sn, ride, "cancel", self.clock())
        if worker := self.workers.get(best["id"]):
            await self.follow(worker, best)
            return worker
        return self.open(best, Session(occupant=best["occupant"], out=best["out"]))

    def occupant(self, row: Any) -> str:
        worker = self.workers.get(row["id"])
        return worker.session.occupant if worker else row["occupant"]

    def load(self, row: Any) -> int:
        worker = self.workers.get(row["id"])
        return (len(worker.session.rides) if worker else 0) + bool(self.occupant(row))

    # What has changed

    async def changed(self, worker: ElevatorWorker, news: list[Ride]) -> None:
        for ride in news:
            await rides.keep(self.pool, worker.config.id, ride)
            await self.publish_ride(worker, ride)
        await rides.show(self.pool, worker.config.id, rides.live(worker.session, worker.seen, worker.trouble))

    async def publish_ride(self, worker: ElevatorWorker, ride: Ride) -> None:
        floor = worker.seen.floor if worker.seen else ""
        message = ElevatorOffer(
            ride=ride.id,
            phase=ride.phase,
            lift=worker.config.name,
            floor=floor,
            ahead=worker.session.ahead(ride),
            reason=ride.reason,
        )
        await self.publish(ride.robot, message)

    async def publish(self, sn: str, message: ElevatorOffer) -> None:
        """Sends a message to a robot. It may be lost: the robot asks again."""
        await self.bus.publish(protocol.cmd(sn, "lift"), protocol.encode(message))


@retry_on(OSError, asyncpg.PostgresError, asyncpg.InterfaceError, longest_s=DATABASE_AGAIN_S)
async def acquire_lock(settings: Settings) -> asyncpg.Connection:
    """Waits until no other process works."""
    link = await database.connect(settings.database_url, "lustra elevators")
    try:
        await link.execute("select pg_advisory_lock($1)", LOCK)
    except BaseException:
        link.terminate()
        raise
    return link


async def run(settings: Settings) -> None:
    turn = await acquire_lock(settings)
    pool, bus = await database.pool(settings.database_url, size=3), await connect(settings.nats_url, "elevators")
    try:
        await Elevators(pool, bus, settings).run()
    finally:
        await bus.close()
        await pool.close()
        await turn.close()
