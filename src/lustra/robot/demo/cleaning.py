"""What a demo robot does on its own: one room of its floor after the other, between them to the charger."""

import asyncio
import logging
from dataclasses import dataclass, field

import numpy as np

from lustra.protocol.geometry import XY
from lustra.protocol.payloads.tasks import Area, Task
from lustra.protocol.refusals import RobotRefusal
from lustra.robot import plan_cache
from lustra.robot.clock import now_ms
from lustra.robot.maps.floor import Floor
from lustra.robot.robot import Robot
from lustra.robot.store import StoredTask

log = logging.getLogger(__name__)
FULL_ENOUGH = 60.0  # % of battery and disinfectant to begin with
SMALLEST_ROOM = 12.0  # m²
BREATH_S = 20.0  # own seconds at the charger between two rooms
STAY_MS = 30 * 60_000  # that it stays at its charger when all were sent home
EMERGENCY_AFTER = 0.3  # of the first run: where a robot that shall stand in emergency stop is stopped


def find_start(floor: Floor, ring: list[XY]) -> XY | None:
    """A start point in a room: where there is most space, on the ground that is joined to the charger's."""
    lattice = plan_cache.lattice(floor)
    inside = np.pad(floor.cells_inside(ring), ((0, 1), (0, 1))) & lattice.clear
    if dock := floor.charger():
        near = lattice.nearest(floor.to_vertices([(dock.x, dock.y)])[0], 1.5)
        if near is not None:
            inside &= lattice.part(near)
    if not inside.any():
        return None
    row, column = np.unravel_index(int(np.where(inside, lattice.distance, 0).argmax()), inside.shape)
    x, y = floor.to_metres(np.array([[column, row]]))[0].tolist()
    return x, y


def room_task(floor: Floor, number: int) -> Task | None:
    """The task of one room; None where a robot cannot stand in it."""
    room = floor.free_areas[number]
    if floor.square_metres(floor.cells_inside(room.points) & ~floor.blocked) < SMALLEST_ROOM:
        return None
    start = find_start(floor, room.points)
    if start is None:
        return None
    return Task(name=f"Clean {room.name}", map_name=floor.name, areas=[Area(points=room.points)], start=start)


@dataclass
class DemoCleaner:
    """`share` of so many robots on the floor: each takes every n-th room; more robots than rooms share them."""

    robot: Robot
    share: tuple[int, int]
    emergency: bool = False
    rounds: int = 0
    ready_at: float = 0.0
    tasks: list[str] = field(default_factory=list[str])

    async def prepare(self) -> None:
        """The tasks of its rooms, made once."""
        floor = self.robot.machine.floor
        if floor is None:
            return
        rooms = len(floor.free_areas)
        own = range(self.share[0] % max(1, rooms), rooms, self.share[1])
        for task in await asyncio.to_thread(lambda: [room_task(floor, n) for n in own]):
            if task is None:
                continue
            self.tasks.append(task.name)
            if (floor.name, task.name) not in self.robot.store.tasks:
                stored = StoredTask(task, 1)
                self.robot.store.tasks[floor.name, task.name] = stored
                self.robot.mirror.announce_task(stored)
        self.robot.store.save_tasks()

    async def step(self, now: float) -> None:
        """Begins the next room when nobody has control, and the robot is free, full enough and has stood a while."""
        m = self.robot.machine
        if self.emergency and m.run and m.run.t / m.run.drive.seconds > EMERGENCY_AFTER:
            m.stop(pressed=True)
            self.emergency = False
        idle = not m.run and not self.robot.sequence and not self.robot.trips.current and not m.transit and not m.halted
        free = idle and not self.robot.lock.driver and m.battery >= FULL_ENOUGH and m.liquid >= FULL_ENOUGH
        if not free or not self.tasks:
            self.ready_at = now + BREATH_S / m.factor
            return
        if now < self.ready_at or now_ms() - self.robot.sent_home < STAY_MS:
            return
        name = self.tasks[self.rounds % len(self.tasks)]
        self.rounds += 1
        stored = self.robot.store.tasks.get((m.floor.name if m.floor else "", name))
        if stored is None:
            return
        try:
            await self.robot.starts.begin(stored.task)
        except RobotRefusal as why:
            log.info("%s: %s: %s", self.robot.spec.sn, name, why.msg)
