"""What a robot says on the bus, and when; what it does on a command from there.

State: 10 Hz while somebody watches closely, 2 Hz while only cells are shown, 1 Hz while a task or a fault runs, else
each 5 s; a change of mode at once. Lidar, path and cells only while watched. Reports and events until they are kept.
"""

import asyncio
import math
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import msgspec
import numpy as np

from lustra.protocol import bus
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import elevator_ride, server_commands
from lustra.robot.faults import FAULTS
from lustra.robot.link import Link
from lustra.robot.machine_state import banners, scan
from lustra.robot.robot import Robot
from lustra.robot.sweep import packed, spans

WISH_S = 2.0  # between two words about a ride
HAND_S = 0.04  # between two steps while somebody drives
CLOSE_S, CELLS_S, BUSY_S, REST_S = 0.1, 0.5, 1.0, 5.0
LIDAR_S, PATH_S, AGAIN_S, KEEP_S, KEEP_RUN_S, KEEP_REST_S = 0.2, 1.0, 10.0, 4.0, 12.0, 30.0
LONGEST_WATCH_S = 120.0
MOST_NUMBERS = 6000  # of one path message


@dataclass
class Voice:
    robot: Robot
    link: Link
    now: float = 0.0
    close_until: float = 0.0
    cells_until: float = 0.0
    full: bool = False
    seq: int = 0
    told_run: str = ""
    last_mode: tuple[Any, ...] = ()
    said: dict[str, float] | None = None
    wished: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    # Timing

    def due(self, what: str, every: float) -> bool:
        if self.said is None:
            self.said = {}
        if self.now - self.said.get(what, -math.inf) < every - 0.02:
            return False
        self.said[what] = self.now
        return True

    @property
    def close(self) -> bool:
        return self.now < self.close_until

    @property
    def watched(self) -> bool:
        return self.close or self.now < self.cells_until

    def every(self) -> float:
        """Seconds until the robot is stepped again."""
        if self.robot.machine.hand.attentive:
            return HAND_S
        if self.close or self.robot.bags.writer:
            return CLOSE_S
        if self.watched:
            return CELLS_S
        return BUSY_S if self.robot.machine.busy or self.robot.machine.charging else REST_S / 2

    # Speaking

    async def tick(self, now: float) -> None:
        self.now = now
        await self.tell_state()
        if self.watched and self.link.connected and not any(FAULTS[f].mute for f in self.robot.machine.faults):
            await self.tell_live()
        elif not self.watched:
            self.robot.machine.untold()
        if self.link.connected:
            await self.tell_letters()
            await self.tell_wishes()
        if self.due("keep", KEEP_S if self.robot.machine.busy else KEEP_REST_S):
            self.robot.keep(run=self.due("keep_run", KEEP_RUN_S))

    async def tell_state(self) -> None:
        m = self.robot.machine
        mode = (m.mode, m.help, m.run and m.run.id, m.charging, m.factor, m.mapping and m.mapping.name, *banners(m))
        changed, self.last_mode = mode != self.last_mode, mode
        mute = any(FAULTS[f].mute for f in m.faults)
        period = (
            REST_S if mute else CLOSE_S if self.close else CELLS_S if self.watched else BUSY_S if m.busy else REST_S
        )
        if not (self.due("state", period) or changed):
            return
        at = self.robot.clock.at()
        data = bus.encode(m.state(at))
        self.robot.outbox.say(at, data)
        await self.link.say(bus.state(self.robot.spec.sn), data)

    async def tell_letters(self) -> None:
        """Reports and events that nobody has confirmed for a while, oldest first."""
        for letter in self.robot.outbox.waiting():
            if self.now - letter.told < AGAIN_S:
                continue
            letter.told = self.now
            subject = bus.report if letter.kind == "report" else bus.event
            if not await self.link.say(subject(self.robot.spec.sn), letter.data):
                return

    async def tell_wishes(self) -> None:
        """What it wants of a lift: at once when that changes, else again and again."""
        wishes = elevator_ride.wishes(self.robot)
        changed = [(wish.ride, wish.step) for wish in wishes] != self.wished
        self.wished = [(wish.ride, wish.step) for wish in wishes]
        if wishes and (self.due("wish", WISH_S) or changed):
            for wish in wishes:
                await self.link.say(bus.lift(self.robot.spec.sn), bus.encode(wish))

    async def back(self) -> None:
        """The line is there again: what was said meanwhile goes first, in order."""
        for data in self.robot.outbox.again():
            await self.link.say(bus.state(self.robot.spec.sn), data)
        for letter in self.robot.outbox.waiting():
            letter.told = -math.inf
        await self.tell_letters()
        self.robot.woken.set()

    # Being watched

    async def tell_live(self) -> None:
        sn, m = self.robot.spec.sn, self.robot.machine
        if self.close and self.due("lidar", LIDAR_S) and (told := scan(m, self.robot.clock.at())):
            await self.link.say(bus.live(sn, "lidar"), bus.encode(told))
        if self.close and self.due("path", PATH_S):
            await self.link.say(bus.live(sn, "path"), bus.encode(self.path()))
        if (m.run or m.over) and self.due("cells", CELLS_S) and (told := self.cells()):
            await self.link.say(bus.live(sn, "cells"), bus.encode(told))

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
        run, fresh = machine.run or machine.over, machine.fresh
        machine.over = None
        if run is None:
            return None
        full = self.full or self.told_run != run.id
        if not (full or fresh):
            return None
        self.seq += 1
        told = bus.Cells(at=self.robot.clock.at(), run=run.id, seq=self.seq)
        if full:
            told.full = packed(run.painted)
        else:
            told.spans = spans(np.concatenate(fresh), run.painted.shape[1])
        fresh.clear()
        self.full, self.told_run = False, run.id
        return told

    # Hearing

    async def hear(self, name: str, data: bytes) -> dict[str, Any]:
        try:
            told = await self.obey(name, data)
        except RobotRefusal as refusal:
            return refusal.answer()
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return RobotRefusal(RelayCode.BAD_INPUT, "input_not_json", "The command cannot be read").answer()
        except (aiohttp.ClientError, OSError, TimeoutError):
            return RobotRefusal(RelayCode.FAILED, "robot_failed", "The content could not be sent").answer()
        return {"code": int(RelayCode.OK), "msg": "", **told}

    async def obey(self, name: str, data: bytes) -> dict[str, Any]:
        """What the answer tells beside that it is done."""
        match name:
            case "watch":
                self.watch(msgspec.json.decode(data, type=bus.Watch))
                self.robot.woken.set()
            case "kept":
                receipt = msgspec.json.decode(data, type=bus.Kept)
                self.robot.outbox.kept(receipt.ids)
                for at in receipt.states:
                    self.robot.outbox.heard(at)
            case "refused":
                self.robot.outbox.refused(msgspec.json.decode(data, type=bus.Refused))
            case "send":
                await self.send(msgspec.json.decode(data, type=bus.Send))
            case _:
                return server_commands.obey(self.robot, name, data)
        return {}

    def watch(self, asked: bus.Watch) -> None:
        until = asyncio.get_running_loop().time() + min(max(asked.seconds, 0.0), LONGEST_WATCH_S)
        began = not self.watched
        if asked.detail:
            self.close_until = max(self.close_until, until)
        self.cells_until = max(self.cells_until, until)
        self.full = self.full or asked.full or began

    async def send(self, asked: bus.Send) -> None:
        """Puts the content of an event to the signed URL."""
        content = self.robot.outbox.content(asked.id)
        if content is None:
            raise RobotRefusal(RelayCode.UNKNOWN, "event_unknown", "The robot does not have this content", "id")
        wait = aiohttp.ClientTimeout(total=60)
        async with aiohttp.ClientSession(timeout=wait) as client, client.put(asked.url, data=content) as answer:
            answer.raise_for_status()
