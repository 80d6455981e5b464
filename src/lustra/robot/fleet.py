"""Virtual robots of a fleet file in one process: `run(fleet_file, state_dir)`.

Each robot has its own folder, bus line, local API and tunnel, as if it were alone; what they share is only arithmetic
(lattices and plans). Switched off cleanly they say so; killed they start where they stopped.
"""

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from lustra.robot import task_plans
from lustra.robot.buildings import catalogue
from lustra.robot.clock import now_ms
from lustra.robot.connection.link import Access, Link, Mqtt, Native
from lustra.robot.connection.telemetry import TelemetryPublisher
from lustra.robot.connection.tunnel import Relay, Tunnel
from lustra.robot.demo import elevator
from lustra.robot.demo.cleaning import DemoCleaner
from lustra.robot.demo.schedules import Planned, add_schedules
from lustra.robot.local_api import api
from lustra.robot.robot import Robot, Spec
from lustra.robot.schedules import closed_zones, schedule

log = logging.getLogger(__name__)
GOODBYE_S = 1.5  # for its last words
END_S = 2.5  # for all of it
DECIDES_S = 0.05  # that a beat waits for what it decides
REBOOT_S = 6.0  # that its computer takes to come back
OFF_AFTER_S = 30.0  # a robot that shall be off says what it has to say first


class Entry(msgspec.Struct, kw_only=True):
    """One robot. `off`: it has been switched off and stays so; `emergency`: its stop is pressed in the first run;
    `rides`: it knows all floors of its building, and has work on each; `week`: its first schedules."""

    sn: str
    password: str
    key: str = ""
    name: str = ""
    port: int = 0
    protocol: int = 3
    model: str = ""
    building: str = ""
    floor: str = ""
    bus: Literal["nats", "mqtt"] = "nats"
    tunnel: Literal["ssh", "asyncssh"] = "asyncssh"
    off: bool = False
    battery: float = 80.0
    task: bool = False
    rides: bool = False
    emergency: bool = False
    dock: tuple[float, float, float] | None = None
    factor: float = 1.0
    zone: str = "UTC"
    week: list[Planned] = []
    disk: int = 0
    webrtc: bool = False

    def spec(self, root: str) -> Spec:
        return Spec(
            self.sn,
            self.name,
            self.protocol,
            self.building,
            self.floor,
            self.battery,
            self.dock,
            self.factor,
            self.model,
            self.zone,
            self.disk,
            root,
            self.webrtc,
        )


class Fleet(msgspec.Struct, kw_only=True, rename="camel"):
    """`nats`, `mqtt`: where the bus is; several servers by comma."""

    nats: str
    mqtt: str = ""
    relays: list[Relay] = []
    host_key: str = ""
    root: str = ""
    robots: list[Entry] = []

    def link(self, entry: Entry) -> Link:
        urls = [
            urlsplit(url if "://" in url else f"mqtt://{url}")
            for url in (self.nats if entry.bus == "nats" else self.mqtt).split(",")
        ]
        addresses = tuple((url.hostname or "127.0.0.1", url.port or 4222) for url in urls)
        access = Access(entry.sn, entry.password, addresses, tls=urls[0].scheme in {"tls", "mqtts"})
        return (Native if entry.bus == "nats" else Mqtt)(access)


@dataclass
class Living:
    """One robot of the process, and everything that runs for it."""

    entry: Entry
    fleet: Fleet
    folder: Path
    share: tuple[int, int]
    berth: int  # number of its charger on the floor, where the file names none
    work: "asyncio.Task[None] | None" = None  # what it decides and plans on its own

    async def live(self) -> None:
        """Until it is switched off. After a reboot it comes back as it does after a power cut."""
        again = True
        while again:
            again = await self.once()
            await asyncio.sleep(REBOOT_S if again else 0)

    async def once(self) -> bool:
        """From power on to power off; whether it boots again."""
        known = (self.entry.building, self.entry.floor) in catalogue.PLANS
        floor = catalogue.floor(self.entry.building, self.entry.floor) if known else None
        seen = (self.folder / "facts.json").exists()
        if self.entry.off and seen:
            return False
        spec = self.entry.spec(self.fleet.root)
        if floor and spec.dock is None:
            own = catalogue.charger(floor, self.berth)
            spec.dock = (own.x, own.y, own.yaw)
        robot = Robot.open(spec, self.folder, floor)
        if self.entry.rides and not seen:
            await asyncio.to_thread(elevator.add_elevator_work, robot)
        voice = TelemetryPublisher(robot, self.fleet.link(self.entry))
        runner, local = await api.serve(robot)
        (self.folder / "tablet.url").write_text(f"http://127.0.0.1:{local}/tablet\n", "ascii")
        jobs = [
            asyncio.create_task(voice.link.run(voice.handle, voice.resend)),
            asyncio.create_task(robot.downloads.run()),
            asyncio.create_task(robot.uploads.run()),
            asyncio.create_task(robot.backups.run()),
            asyncio.create_task(robot.restores.run()),
            asyncio.create_task(robot.cameras.run()),
            asyncio.create_task(robot.updates.run()),
            asyncio.create_task(robot.look.run()),
            asyncio.create_task(robot.adverts.run()),
            asyncio.create_task(add_schedules(robot, [] if seen else self.entry.week)),
        ]
        if self.fleet.relays and self.entry.key and not self.entry.off:
            way = Tunnel(
                self.entry.sn,
                Path(self.entry.key),
                self.entry.port,
                local,
                self.fleet.relays,
                self.fleet.host_key,
                self.folder,
                self.entry.tunnel,
            )
            jobs.append(asyncio.create_task(way.run()))
        try:
            await self.beat(robot, voice)
        finally:
            await self.goodbye(robot, voice)
            jobs += [self.work] if self.work else []
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
            await runner.cleanup()
        return robot.reboots.is_set()

    async def beat(self, robot: Robot, voice: TelemetryPublisher) -> None:
        """Time passes: step, speak, and what the robot does on its own."""
        duty = DemoCleaner(robot, self.share, self.entry.emergency) if self.entry.task and not self.entry.off else None
        if duty:
            await duty.prepare()
        loop = asyncio.get_running_loop()
        began = last = loop.time()
        self.work = asyncio.create_task(task_plans.plan_unfinished(robot))
        while True:
            now = loop.time()
            robot.step(now - last)
            last = now
            await voice.tick(now)
            if self.work.done() and not self.entry.off:
                self.work.result()
                self.work = asyncio.create_task(self.decide(robot, duty, now))
                _, undecided = await asyncio.wait({self.work}, timeout=DECIDES_S)
                for work in undecided:
                    work.add_done_callback(lambda _: robot.woken.set())
            if robot.reboots.is_set():
                return
            if self.entry.off and voice.link.connected and (not robot.outbox.messages or now - began > OFF_AFTER_S):
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(now + voice.step_period()):
                    await robot.woken.wait()
            robot.woken.clear()

    async def decide(self, robot: Robot, duty: DemoCleaner | None, now: float) -> None:
        """What it does on its own. Where that needs a way, the robot goes on stepping and speaking meanwhile."""
        await closed_zones.step(robot, now_ms())
        await schedule.step(robot, now_ms())
        if duty:
            await duty.step(now)

    async def goodbye(self, robot: Robot, voice: TelemetryPublisher) -> None:
        reason = "reboot" if robot.reboots.is_set() else "switched_off"
        robot.outbox.event("power", "off", content={"reason": reason})
        robot.bags.end()
        robot.keep()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_S):
                if voice.link.connected:
                    await voice.publish_unconfirmed()
                await voice.link.close()


async def start(fleet: Fleet, state: Path, beside: Coroutine[Any, Any, None]) -> None:
    """Until SIGTERM or SIGINT. `beside` runs in the same loop."""
    stop, companion = asyncio.Event(), asyncio.create_task(beside)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    working = [e for e in fleet.robots if e.task and not e.off]
    tasks: list[asyncio.Task[None]] = []
    berths: dict[tuple[str, str], int] = {}
    for entry in fleet.robots:
        mates = [e.sn for e in working if (e.building, e.floor) == (entry.building, entry.floor)]
        share = (mates.index(entry.sn), len(mates)) if entry.sn in mates else (0, 1)
        berths[entry.building, entry.floor] = berth = berths.get((entry.building, entry.floor), -1) + 1
        living = Living(entry, fleet, state / entry.sn, share, berth)
        tasks.append(asyncio.create_task(watched(living), name=entry.sn))
    await stop.wait()
    companion.cancel()
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=END_S)


async def watched(living: Living) -> None:
    """A robot that fails is logged and started again."""
    while True:
        try:
            await living.live()
        except Exception:
            log.exception("%s has fallen over", living.entry.sn)
            await asyncio.sleep(1)
        else:
            return


def run(fleet_file: Path, state_dir: Path, beside: Coroutine[Any, Any, None]) -> None:
    fleet = msgspec.json.decode(Path(fleet_file).read_bytes(), type=Fleet)
    state = Path(state_dir)
    state.mkdir(parents=True, exist_ok=True)
    asyncio.new_event_loop().run_until_complete(start(fleet, state, beside))
    logging.shutdown()
    os._exit(0)  # what is still worked out in a thread (a plan, a map) is nobody's by now, and no thread can be ended
