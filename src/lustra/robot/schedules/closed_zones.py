"""What a robot does when a zone, a room or its whole map closes (hours.py knows when).

Rules: a forbidden zone with hours is forbidden in them alone; a room with hours is closed to the robot in them; what
would close before a run is over is closed for it from its start. What closes while it runs all the same (it paused, or
was charging) it leaves two minutes before, and does the rest of its work elsewhere. In a map's own hours no task
begins; one that runs waits at the charger and goes on afterwards. People may drive the robot by hand at any hour.
"""

import asyncio
import contextlib
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from lustra.protocol.refusals import RobotRefusal
from lustra.robot import plan_cache
from lustra.robot.hours import CLOSED, LEAVES_MS, QUIET, close_zones, is_quiet
from lustra.robot.maps.floor import Cells, Floor
from lustra.robot.navigation.drive import timetable
from lustra.robot.navigation.lattice import TOOL, Lattice
from lustra.robot.navigation.planner import NoPath, Plan, cover
from lustra.robot.navigation.run import Run
from lustra.robot.robot import Robot

OUT_M = 50.0  # as far as the nearest open place may be


async def step(robot: Robot, now: int) -> None:
    """Called every few seconds."""
    m, zone = robot.machine, robot.spec.zone
    if (floor := m.floor) is None:
        return
    new = close_zones(floor, zone, now, now + LEAVES_MS)
    if new is not floor:
        await asyncio.to_thread(plan_cache.lattice, new)
        if m.floor is not floor:  # another was loaded meanwhile
            return
        m.floor = new
    if (run := m.run) is None or run.floor.name != new.name:
        return
    wait_for_opening(robot, new, now)
    closing = close_zones(run.floor, zone, now, now + LEAVES_MS).shut - run.floor.shut
    if closing:
        ahead = round((run.drive.seconds - run.t) / m.factor * 1000)
        await replan(robot, run, close_zones(run.floor, zone, now, now + LEAVES_MS + ahead), now)


def wait_for_opening(robot: Robot, floor: Floor, now: int) -> None:
    """Waits while the map has its hours, and goes on afterwards unless somebody else has stopped it."""
    m, silent = robot.machine, is_quiet(floor, robot.spec.zone, now)
    if silent and not m.paused:
        m.pause(QUIET)
        with contextlib.suppress(RobotRefusal):  # it has no charger, or no way to it
            m.go_home()
    elif not silent and m.paused and m.paused_by == QUIET:
        with contextlib.suppress(RobotRefusal):  # it may not drive: it goes on when somebody resumes it
            m.resume()


async def replan(robot: Robot, run: Run, floor: Floor, now: int) -> None:
    """Plans the rest of a run anew when less of its floor is open than before."""
    m = robot.machine
    lattice = await asyncio.to_thread(plan_cache.lattice, floor)
    if keeps_clear(floor, lattice, run.drive.line(run.t, run.drive.seconds)):
        run.floor = floor
        return
    plan = await asyncio.to_thread(plan_rest, run, floor, lattice, m.pose.xy)
    if m.run is not run:
        return
    if plan is None:
        run.faults.append(CLOSED)
        m.end("interrupted", now)
        m.drive_home()
        return
    run.floor, run.t = floor, 0.0
    yaw = m.pose.yaw
    if m.cleaning or (m.transit and m.transit.then in {"clean", "back"}):  # one that charges first fills up
        path = timetable(path_out(floor, lattice, m.pose.xy, plan.path[0]), m.pose.yaw, m.params["speed_moving"])
        m.travel(path, "clean")
        yaw = float(path.yaws[-1])
    run.drive = timetable(plan.path, yaw, m.params[f"speed_{run.task.speed}"])


def keeps_clear(floor: Floor, lattice: Lattice, line: NDArray[np.float64]) -> bool:
    """Whether the way keeps clear of what is closed."""
    corners = floor.to_vertices(line)
    far = np.concatenate([[0.0], np.hypot(*np.diff(corners, axis=0).T).cumsum()])
    along = np.arange(0.0, far[-1] + 1.0)
    columns, rows = (np.rint(np.interp(along, far, corners[:, k])).astype(int) for k in (0, 1))
    mask = lattice.clear
    return bool(mask[rows.clip(0, mask.shape[0] - 1), columns.clip(0, mask.shape[1] - 1)].all())


def plan_rest(run: Run, floor: Floor, lattice: Lattice, at: tuple[float, float]) -> Plan | None:
    """What is still to be cleaned where it is open, from the nearest open place; None where nothing is."""
    start = lattice.nearest(floor.to_vertices([at])[0], OUT_M)
    if start is None or not run.task.areas:  # a path that leads through a closed zone has no other
        return None
    todo = uncleaned_cells(run, floor)
    x, y = floor.to_metres(np.array([start]))[0].tolist()
    try:
        return cover(floor, lattice, todo, (x, y), run.task.way)
    except NoPath:
        return None


def uncleaned_cells(run: Run, floor: Floor) -> Cells:
    """Without seams between lanes, that no tool would be sent for."""
    todo = (floor.cells_inside(run.task.areas[0].points) & ~run.painted).astype(np.uint8)
    side = max(1, round(TOOL / 2 / floor.resolution))
    return cv2.morphologyEx(todo, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)).astype(np.bool_)


def path_out(floor: Floor, lattice: Lattice, at: tuple[float, float], goal: NDArray[np.float64]) -> NDArray[np.float64]:
    """To where the rest begins; from inside of what closes, over the floor as it was."""
    ground, here = lattice, lattice.nearest(floor.to_vertices([at])[0], floor.resolution * 2)
    if here is None:
        ground = plan_cache.lattice(replace(floor, shut=frozenset()))
        here = ground.nearest(floor.to_vertices([at])[0], OUT_M)
    goal_vertex = ground.nearest(floor.to_vertices(goal[None])[0], OUT_M)
    path = ground.path(here, goal_vertex) if here and goal_vertex else None
    between = floor.to_metres(np.array(path)) if path else np.empty((0, 2))
    return np.concatenate([[at], between, [goal]])
