"""What a robot publishes on the bus, and how often; its answers to commands from there.

State: 10 Hz while somebody watches closely, 2 Hz while only cells are shown, 1 Hz while a task or a fault runs, else
each 5 s; a change of mode at once. Lidar, path and cells only while watched. Reports and events until they are kept.
"""

import asyncio
import math
import secrets
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import msgspec
import numpy as np

from lustra.protocol import bus
from lustra.protocol.masks import pack_mask
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.alarms import causes
from lustra.robot.clock import now_ms
from lustra.robot.connection import server_commands
from lustra.robot.connection.link import Link
from lustra.robot.elevators import elevator_ride
from lustra.robot.files import log_following
from lustra.robot.navigation.sweep import spans
from lustra.robot.robot import Robot
from lustra.robot.simulation.faults import FAULTS
from lustra.robot.simulation.machine_state import banners, scan

WISH_S = 2.0  # between two words about a ride
HAND_S = 0.04  # between two steps while somebody drives
CLOSE_S = 0.1
CELLS_S = 0.5
BUSY_S = 1.0
REST_S = 5.0
LIDAR_S = 0.2
PATH_S = 1.0
AGAIN_S = 10.0
KEEP_S = 4.0
FILES_S = 10.0  # between two looks at which files there are
KEEP_RUN_S = 12.0
KEEP_REST_S = 30.0
LONGEST_WATCH_S = 120.0
MOST_NUMBERS = 6000  # of one path message
SUBJECTS = {"alarm": bus.alarm, "report": bus.report, "event": bus.event}


@dataclass
class TelemetryPublisher:
    robot: Robot
    link: Link
    now: float = 0.0
    close_until: float = 0.0
    cells_until: float = 0.0
    full: bool = False
    seq: int = 0
    stream: str = field(default_factory=lambda: secrets.token_hex(4))
    state_seq: int = 0
    run_sent: str = ""
    last_mode: tuple[Any, ...] = ()
    last_sent: dict[str, float] | None = None
    last_wishes: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    # Timing

    def due(self, stream: str, every: float) -> bool:
        if self.last_sent is None:
            self.last_sent = {}
        if self.now - self.last_sent.get(stream, -math.inf) < every - 0.02:
            return False
        self.last_sent[stream] = self.now
        return True

    @property
    def closely_watched(self) -> bool:
        return self.now < self.close_until

    @property
    def watched(self) -> bool:
        return self.closely_watched or self.now < self.cells_until

    def step_period(self) -> float:
        """Seconds until the robot is stepped again."""
        if self.robot.machine.hand.active:
            return HAND_S
        if self.closely_watched or self.robot.bags.writer or self.robot.black_box.trigger:
            return CLOSE_S
        if self.watched or self.robot.following.active:
            return CELLS_S
        return BUSY_S if self.robot.machine.busy or self.robot.machine.charging else REST_S / 2

    # Publishing

    async def tick(self, now: float) -> None:
        self.now = now
        self.robot.alarms.update(causes(self.robot.machine))
        await self.publish_state()
        if self.watched and self.link.connected and not any(FAULTS[f].mute for f in self.robot.machine.faults):
            await self.publish_live()
        elif not self.watched:
            self.robot.machine.cells.discard()
        if self.link.connected:
            await self.publish_unconfirmed()
            await self.publish_elevator_wishes()
            await self.publish_log()
        if self.due("files", FILES_S):
            self.robot.files.announce(now_ms())
        if self.due("keep", KEEP_S if self.robot.machine.busy else KEEP_REST_S):
            self.robot.keep(run=self.due("keep_run", KEEP_RUN_S))

    def state_period(self) -> float:
        """Seconds between two states when nothing changes."""
        machine = self.robot.machine
        if any(FAULTS[fault].mute for fault in machine.faults):
            return REST_S
        if self.watched:
            return CLOSE_S if self.closely_watched else CELLS_S
        return BUSY_S if machine.busy else REST_S

    async def publish_state(self) -> None:
        m = self.robot.machine
        planning = len(self.robot.planner.late)
        mode = (m.mode, m.help, m.run and m.run.id, m.charging, m.factor, m.mapping and m.mapping.name, *banners(m))
        mode += (planning,)
        changed, self.last_mode = mode != self.last_mode, mode
        period = self.state_period()
        if not (self.due("state", period) or changed):
            return
        at = self.robot.clock.at()
        self.state_seq += 1
        state = m.state(at)
        state.stream, state.seq, state.planning = self.stream, self.state_seq, planning
        data = bus.encode(state)
        self.robot.outbox.queue_state(at, data)
        await self.link.say(bus.state(self.robot.spec.sn), data)

    async def publish_unconfirmed(self) -> None:
        """Alarms, reports and events that nobody has confirmed for a while, oldest first."""
        for message in self.robot.outbox.unconfirmed():
            if self.now - message.sent_at < AGAIN_S:
                continue
            message.sent_at = self.now
            if not await self.link.say(SUBJECTS[message.kind](self.robot.spec.sn), message.data):
                return

    async def publish_elevator_wishes(self) -> None:
        """What it wants of an elevator: at once when that changes, else again and again."""
        wishes = elevator_ride.elevator_wishes(self.robot)
        changed = [(wish.ride, wish.step) for wish in wishes] != self.last_wishes
        self.last_wishes = [(wish.ride, wish.step) for wish in wishes]
        if wishes and (self.due("wish", WISH_S) or changed):
            for wish in wishes:
                await self.link.say(bus.lift(self.robot.spec.sn), bus.encode(wish))

    async def publish_log(self) -> None:
        """New lines of the logs that somebody follows."""
        following = self.robot.following
        if not (following.active and self.due("log", log_following.PERIOD_S)):
            return
        for kind in following.logs:
            if message := following.take(kind, self.robot.clock.at()):
                await self.link.say(bus.live(self.robot.spec.sn, "log"), bus.encode(message))

    async def resend(self) -> None:
        """The line is there again: states of the meantime go first, in order."""
        self.robot.updates.reached.set()
        for data in self.robot.outbox.unacknowledged():
            await self.link.say(bus.state(self.robot.spec.sn), data)
        self.robot.alarms.say_all()
        for message in self.robot.outbox.unconfirmed():
            message.sent_at = -math.inf
        await self.publish_unconfirmed()
        self.robot.woken.set()

    # Being watched

    async def publish_live(self) -> None:
        sn, m = self.robot.spec.sn, self.robot.machine
        if self.closely_watched and self.due("lidar", LIDAR_S) and (message := scan(m, self.robot.clock.at())):
            await self.link.say(bus.live(sn, "lidar"), bus.encode(message))
        if self.closely_watched and self.due("path", PATH_S):
            await self.link.say(bus.live(sn, "path"), bus.encode(self.path()))
        if (m.run or m.cells.ended_run) and self.due("cells", CELLS_S) and (message := self.cells()):
            await self.link.say(bus.live(sn, "cells"), bus.encode(message))

    def path(self) -> bus.Path:
        m = self.robot.machine
        ahead: list[float] = []
        legs = [(m.transit.drive, m.transit.t)] if m.transit else []
        if m.run:
            legs.append((m.run.drive, m.run.t))
        for drive, t in legs:
            line = drive.line(t, drive.seconds)
            ahead += np.round(line, 2).ravel().tolist()
        driven = m.run.driven if m.run else []
        thin = max(1, len(driven) // MOST_NUMBERS + 1)
        points = np.array(driven).reshape(-1, 2)[::thin].ravel().tolist()
        return bus.Path(
            at=self.robot.clock.at(), run=m.run.id if m.run else "", ahead=ahead[:MOST_NUMBERS], driven=points
        )

    def cells(self) -> bus.Cells | None:
        machine = self.robot.machine
        run, fresh = machine.run or machine.cells.ended_run, machine.cells.fresh
        machine.cells.ended_run = None
        if run is None:
            return None
        full = self.full or self.run_sent != run.id
        if not (full or fresh):
            return None
        self.seq += 1
        message = bus.Cells(at=self.robot.clock.at(), run=run.id, seq=self.seq)
        if full:
            message.full = pack_mask(run.painted)
        else:
            message.spans = spans(np.concatenate(fresh), run.painted.shape[1])
        fresh.clear()
        self.full, self.run_sent = False, run.id
        return message

    # Commands

    async def handle(self, name: str, data: bytes) -> dict[str, Any]:
        try:
            answer = await self.run_command(name, data)
        except RobotRefusal as refusal:
            return refusal.answer()
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return RobotRefusal(RelayCode.BAD_INPUT, "input_not_json", "The command cannot be read").answer()
        except (aiohttp.ClientError, OSError, TimeoutError):
            return RobotRefusal(RelayCode.FAILED, "robot_failed", "The content could not be sent").answer()
        return {"code": int(RelayCode.OK), "msg": "", **answer}

    async def run_command(self, name: str, data: bytes) -> dict[str, Any]:
        """Runs a command of the server; the fields of its answer beside code and msg."""
        match name:
            case "watch":
                self.watch(msgspec.json.decode(data, type=bus.Watch))
                self.robot.woken.set()
            case "kept":
                receipt = msgspec.json.decode(data, type=bus.Receipt)
                self.robot.outbox.confirm(receipt.ids)
                for at in receipt.states:
                    self.robot.outbox.acknowledge(at)
            case "refused":
                self.robot.outbox.drop_refused(msgspec.json.decode(data, type=bus.Refused))
            case "send":
                await self.upload_content(msgspec.json.decode(data, type=bus.Send))
            case _:
                return server_commands.run_command(self.robot, name, data)
        return {}

    def watch(self, command: bus.Watch) -> None:
        until = asyncio.get_running_loop().time() + min(max(command.seconds, 0.0), LONGEST_WATCH_S)
        began = not self.watched
        if command.detail:
            self.close_until = max(self.close_until, until)
        self.cells_until = max(self.cells_until, until)
        self.full = self.full or command.full or began

    async def upload_content(self, command: bus.Send) -> None:
        """Puts the content of an event to the signed URL."""
        content = self.robot.outbox.content(command.id)
        if content is None:
            raise RobotRefusal(RelayCode.UNKNOWN, "event_unknown", "The robot does not have this content", "id")
        wait = aiohttp.ClientTimeout(total=60)
        async with aiohttp.ClientSession(timeout=wait) as client, client.put(command.url, data=content) as answer:
            answer.raise_for_status()
