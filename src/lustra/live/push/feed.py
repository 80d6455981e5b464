"""Live messages of robots, for the sockets that show them: one subscription a robot, however many look.

Rules: a robot's row moves forward only, and a wrong clock does not hold it (live/clocks); who is offline is told by
ingest; a robot is asked for its fast state, its cells and, in detail, its lidar and path only while somebody looks
(`cmd.watch`, renewed); support gets these only while the customer's support access is open, which the bucket `support`
tells.
"""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec
import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from lustra.core import stale
from lustra.core.context import Actor, Services
from lustra.domains.account.api import support
from lustra.domains.telemetry.api import count_by_mode, find_by_mode
from lustra.live.clocks import LIMIT_MS, Clocks
from lustra.live.ingest import presence
from lustra.live.push import rows
from lustra.live.push.fleet import COUNTS_S, FLEET_S, ByScope
from lustra.live.push.log_tail import LogTail
from lustra.live.push.outbox import Frame, ListPace, Outbox
from lustra.live.push.stale import Readers
from lustra.protocol import bus
from lustra.protocol.flaws import read_state
from lustra.protocol.subjects import serial_of
from lustra.protocol.telemetry import State

log = structlog.get_logger(__name__)
WATCH_S = 6.0
RENEW_S = 2.0
MAPS_S = 2.0
MOST_BYTES = 4 * bus.LARGEST_INLINE
READ: dict[str, msgspec.json.Decoder[bus.Lidar | bus.Path | bus.Cells]] = {
    "lidar": msgspec.json.Decoder(bus.Lidar),
    "path": msgspec.json.Decoder(bus.Path),
    "cells": msgspec.json.Decoder(bus.Cells),
}


@dataclass(slots=True, eq=False)
class Viewer:
    """One socket's look at one robot. `customer`: whose support access must be open for detail and cells; None: no
    matter."""

    outbox: Outbox
    detail: bool
    cells: bool
    customer: int | None


@dataclass(slots=True, eq=False)
class Robot:
    id: int
    sn: str
    row: rows.Row
    maps: dict[str, int] = field(default_factory=dict[str, int])
    viewers: dict[Outbox, Viewer] = field(default_factory=dict[Outbox, Viewer])
    received_at: float = 0.0
    looked_at: float = 0.0
    revision: int = 0
    stream: str = ""  # of its newest state, and its place in that
    state_seq: int = 0
    run: str = ""
    seq: int = 0
    subscriptions: list[Subscription] = field(default_factory=list[Subscription])
    encoded: msgspec.Raw | None = None

    def line(self) -> msgspec.Raw:
        """The robot's row as JSON, encoded once for all sockets."""
        if self.encoded is None:
            self.encoded = msgspec.Raw(msgspec.json.encode(self.row))
        return self.encoded

    def fresh(self) -> rows.Row:
        """The robot's row with the age of its state at this moment."""
        age = self.row["ageMs"]
        return self.row | {"ageMs": None if age is None else age + int((time.monotonic() - self.received_at) * 1000)}


def is_newer(robot: Robot, state: State, now: int) -> bool:
    """Within a stream its counter says so, else the clock; a row that ran ahead of the present gives way."""
    if state.stream and state.stream == robot.stream:
        return state.seq > robot.state_seq
    return state.at > robot.row["at"] or robot.row["at"] > now + LIMIT_MS


class Feed:
    def __init__(self, services: Services) -> None:
        self.services, self.bus = services, services.bus
        self.robots: dict[int, Robot] = {}
        self.by_sn: dict[str, Robot] = {}
        self.clocks, self.pace = Clocks(), ListPace()
        self.control: dict[str, dict[str, Any]] = {}
        self.support: dict[int, support.SupportState] = {}
        self.readers = Readers(self.is_open)
        self.counts = ByScope(services, count_by_mode, COUNTS_S / 2)
        self.fleets = ByScope(services, find_by_mode, FLEET_S / 2)
        self.log_tail = LogTail(services.bus, self.is_open)
        self.tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        following = [
            asyncio.create_task(self.bus.follow("control", self.on_control).run()),
            asyncio.create_task(self.bus.follow("support", self.on_support).run()),
            asyncio.create_task(
                stale.follow(self.services.settings.database_url, self.readers.on_note, self.readers.on_gap)
            ),
        ]
        try:
            while True:
                await asyncio.sleep(RENEW_S)
                for customer in [customer_id for customer_id, stands in self.support.items() if stands.ended]:
                    self.on_support(str(customer), None)
                for robot in list(self.robots.values()):
                    await self.watch(robot)
                await self.log_tail.renew()
        finally:
            for task in following:
                task.cancel()

    def on_control(self, sn: str, lock: dict[str, Any] | None) -> None:
        free = {
            "number": 0,
            "owner": "",
            "ownerId": 0,
            "until": 0,
            "reason": "",
            "asker": "",
            "askerId": 0,
            "askedAt": 0,
        }
        self.control[sn] = lock or free
        robot = self.by_sn.get(sn)
        if robot:
            for outbox in robot.viewers:
                outbox.frame("control", robot.id, self.control[sn])

    def on_support(self, customer: str, access: dict[str, Any] | None) -> None:
        """What waits of lidar, path and cells is sent no more; the next `cmd.watch` asks as it now stands."""
        self.support[int(customer)] = support.SupportState(access["until"] if access else 0)
        for robot in self.robots.values():
            for viewer in robot.viewers.values():
                if viewer.customer == int(customer):
                    if not self.looks(viewer):
                        viewer.outbox.withhold(robot.id)
                    viewer.outbox.frame("support", robot.id, self.access(viewer))
        self.log_tail.on_support(int(customer))

    def looks(self, viewer: Viewer) -> bool:
        """Whether this viewer may see lidar, path and cells now."""
        return viewer.customer is None or self.is_open(viewer.customer)

    def is_open(self, customer: int) -> bool:
        """Whether the customer's support access is open now."""
        stands = self.support.get(customer)
        return stands is not None and stands.open

    def access(self, viewer: Viewer) -> Frame:
        return {"at": rows.now_ms(), "data": self.looks(viewer)}

    def looked_at(self, device_id: int, outbox: Outbox) -> bool:
        """Whether the socket is shown more of this robot than its row."""
        robot = self.robots.get(device_id)
        viewer = robot.viewers.get(outbox) if robot else None
        return viewer is not None and viewer.cells and self.looks(viewer)

    async def show(
        self, actor: Actor, outbox: Outbox, device_ids: Iterable[int], cells: set[int], detail: int | None
    ) -> list[rows.RobotRow]:
        """From now on this socket shows these, as far as they lie in its scope; and no others."""
        ids = {*device_ids, *cells, *([detail] if detail is not None else [])}
        async with self.services.pool.acquire() as db:
            seen = await rows.snapshot(db, actor.scope, list(ids))
        previous = [robot for robot in self.robots.values() if outbox in robot.viewers]
        outbox.detail = detail
        for entry in seen:
            sn, row = entry.sn, entry.row
            robot = await self._track(entry)
            customer = entry.customer if actor.support else None
            looks = row["id"] in cells or row["id"] == detail
            robot.viewers[outbox] = Viewer(outbox, row["id"] == detail, looks, customer)
            if robot.viewers[outbox].cells:
                await self.watch(robot, full=True)
            if customer is not None:
                outbox.frame("support", robot.id, self.access(robot.viewers[outbox]))
            if sn in self.control:
                outbox.frame("control", robot.id, self.control[sn])
        shown = {entry.row["id"] for entry in seen}
        for robot in previous:
            if robot.id not in shown:
                await self._leave(robot, outbox)
        return seen

    async def leave(self, outbox: Outbox) -> None:
        await self.log_tail.leave(outbox)
        for robot in [r for r in self.robots.values() if outbox in r.viewers]:
            await self._leave(robot, outbox)

    async def _leave(self, robot: Robot, outbox: Outbox) -> None:
        robot.viewers.pop(outbox, None)
        if not robot.viewers and self.robots.pop(robot.id, None):
            self.by_sn.pop(robot.sn, None)
            subscriptions, robot.subscriptions = robot.subscriptions, []
            for subscription in subscriptions:
                await subscription.unsubscribe()

    async def _track(self, entry: rows.RobotRow) -> Robot:
        sn, row = entry.sn, entry.row
        robot = self.robots.get(row["id"])
        if robot is None:
            robot = self.robots[row["id"]] = self.by_sn[sn] = Robot(row["id"], sn, row, received_at=time.monotonic())
            robot.stream, robot.state_seq = entry.stream, entry.seq
            self.clocks.remember(sn, row["clockOff"])
            if row["mapId"]:
                robot.maps[row["mapName"]] = row["mapId"]
            for subject, handler in (
                (bus.state(sn), self.on_state),
                *([(bus.leaf_state(sn), self.on_state)] if self.services.settings.leaves else []),
                (bus.live(sn, "*"), self.on_live),
                (presence.subject(sn), self.on_presence),
            ):
                robot.subscriptions.append(await self.bus.subscribe(subject, handler))
        elif row["at"] > robot.row["at"] or row["online"] != robot.row["online"]:
            robot.row, robot.encoded, robot.received_at = row, None, time.monotonic()
            robot.stream, robot.state_seq = entry.stream, entry.seq
        return robot

    async def watch(self, robot: Robot, *, full: bool = False) -> None:
        looking = [viewer for viewer in robot.viewers.values() if viewer.cells and self.looks(viewer)]
        if looking:
            watch = bus.Watch(seconds=WATCH_S, detail=any(v.detail for v in looking), full=full)
            await self.bus.publish(bus.cmd(robot.sn, "watch"), bus.encode(watch))

    async def on_state(self, message: Msg) -> None:
        robot = self.by_sn.get(serial_of(message.subject))
        reading = read_state(message.data)[0] if robot else None
        if robot is None or reading is None:
            return
        newest, now = reading.state, rows.now_ms()
        newest.at, clock_off = self.clocks.judge(robot.sn, newest.at, now)
        if not is_newer(robot, newest, now):
            return
        if newest.map and (newest.map not in robot.maps or newest.map_revision != robot.revision):
            self._look_for_maps(robot, newest.map_revision)
        newest.at = max(newest.at, robot.row["at"] + 1) if robot.row["at"] <= now + LIMIT_MS else newest.at
        robot.stream, robot.state_seq = newest.stream, newest.seq
        change = rows.row_of_state(robot.id, reading, robot.maps.get(newest.map), clock_off, robot.row)
        self._update_row(robot, robot.row | change)

    def _update_row(self, robot: Robot, row: rows.Row) -> None:
        robot.row, robot.encoded, robot.received_at = row, None, time.monotonic()
        for outbox in robot.viewers:
            outbox.row(robot.id)

    def _look_for_maps(self, robot: Robot, revision: int) -> None:
        if time.monotonic() - robot.looked_at < MAPS_S:
            return
        robot.looked_at, robot.revision = time.monotonic(), revision

        async def look() -> None:
            try:
                async with self.services.pool.acquire() as db:
                    robot.maps = await rows.maps(db, robot.sn)
            except Exception as why:  # noqa: BLE001  the next state asks again
                log.warning("push.maps", why=repr(why))

        task = asyncio.create_task(look())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def on_presence(self, message: Msg) -> None:
        robot = self.by_sn.get(serial_of(message.subject))
        if robot is None:
            return
        change = msgspec.json.decode(message.data, type=presence.Presence)
        offline = {"mode": "offline", "online": 0, "offlineSince": change.since, "offlineReason": change.reason}
        if not change.online:
            received_at = robot.received_at
            self._update_row(robot, robot.row | offline)
            robot.received_at = received_at

    async def on_live(self, message: Msg) -> None:
        """Lidar, path and cells go on as they came, once they were read."""
        kind = message.subject.rsplit(".", 1)[1]
        robot, reader = self.by_sn.get(serial_of(message.subject)), READ.get(kind)
        if robot is None or reader is None or len(message.data) > MOST_BYTES:
            return
        try:
            content = reader.decode(message.data)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return
        frame = {"at": content.at, "data": msgspec.Raw(message.data)}
        if isinstance(content, bus.Cells):
            await self._cells(robot, content, frame)
            return
        for outbox, viewer in robot.viewers.items():
            if viewer.detail and self.looks(viewer):
                outbox.frame("path" if kind == "path" else "lidar", robot.id, frame)

    async def _cells(self, robot: Robot, cells: bus.Cells, frame: Frame) -> None:
        full = cells.full is not None
        missed = not full and (cells.run, cells.seq) != (robot.run, robot.seq + 1)
        robot.run, robot.seq = cells.run, cells.seq
        for outbox, viewer in robot.viewers.items():
            if viewer.cells and self.looks(viewer) and not outbox.cell(robot.id, frame, full=full):
                missed = True
        if missed:
            await self.watch(robot, full=True)
