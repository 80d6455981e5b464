"""A task over a hall of 18,000 m² with shelves, by a robot's local API: how long until its way is known, how long the
answer takes, and how long a stop takes meanwhile at worst.

The robot's loop must stay free: a stop that is asked for during the planning is obeyed as fast as at rest.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

import aiohttp
import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, print_figure

from lustra.robot.local_api import api
from lustra.robot.maps.floor import FREE, OCCUPIED, Floor
from lustra.robot.robot import Robot
from lustra.robot.spec import Spec

CELL = 0.05  # m
LENGTH = 40.0 if SHORT else 195.0  # m
WIDTH = 30.0 if SHORT else 117.0
SHELF = (18.0, 1.0)  # m
AISLE = 2.6
GAP = 3.0
EDGE = 4.0
TRIES = 1 if SHORT else 3
PLANNED_S = 2.0
MOST_TRANSFORMS = 40  # that planning may take
ANSWERED_S = 1.5
STOPPED_S = 0.5
BETWEEN_S = 0.05  # between two stops


def hall(name: str) -> Floor:
    grid = np.full((round(WIDTH / CELL), round(LENGTH / CELL)), FREE, np.uint8)
    grid[:4], grid[-4:], grid[:, :4], grid[:, -4:] = (OCCUPIED,) * 4
    for y in np.arange(EDGE, WIDTH - EDGE, SHELF[1] + AISLE):
        for x in np.arange(EDGE, LENGTH - SHELF[0] - EDGE, SHELF[0] + GAP):
            place = (slice(int(y / CELL), int((y + SHELF[1]) / CELL)), slice(int(x / CELL), int((x + SHELF[0]) / CELL)))
            grid[place] = OCCUPIED
    return Floor(name, grid, CELL)


async def ask(session: aiohttp.ClientSession, port: int, name: str, payload: object) -> tuple[float, dict[str, object]]:
    began = time.perf_counter()
    async with session.post(f"http://127.0.0.1:{port}/api1/{name}", json=payload) as response:
        answer = await response.json()
    return time.perf_counter() - began, answer


async def measure(number: int, folder: Path) -> tuple[float, float, float, float, float]:
    """Of one robot: m², seconds until the way is known, of the answer, of a stop at rest, of the slowest stop."""
    robot = Robot.open(Spec("SC0001", "Bench", 3), folder)
    floor = hall(f"hall {number}")
    floor.grid[200, 200 + number] = OCCUPIED  # another floor each time, which no cache knows
    robot.store.maps[floor.name] = floor
    runner, port = await api.serve(robot)
    ring = [[0.3, 0.3], [LENGTH - 0.3, 0.3], [LENGTH - 0.3, WIDTH - 0.3], [0.3, WIDTH - 0.3]]
    task = {"name": "All", "map_name": floor.name, "areas": [{"points": ring}], "start": [2.0, 2.0]}
    async with aiohttp.ClientSession() as session:
        rest, _ = min([await ask(session, port, "robot_safe", {"robot_safe": 1}) for _ in range(20)])
        began = time.perf_counter()
        adding = asyncio.create_task(ask(session, port, "task_add", task))
        stops: list[float] = []
        while not adding.done() or robot.planner.late:
            stops.append((await ask(session, port, "robot_safe", {"robot_safe": 1}))[0])
            await asyncio.sleep(BETWEEN_S)  # more often, and the questions would be what is measured
        seconds = time.perf_counter() - began
        answered, answer = await adding
    await runner.cleanup()
    assert answer["code"] == 0, answer
    return robot.store.tasks[floor.name, "All"].reachable, seconds, answered, rest, max(stops)


def transform_s() -> float:
    """Seconds of the least that any plan needs: how far each cell is from a wall."""
    grid, spent = (hall("floor").grid == FREE).astype(np.uint8), list[float]()
    for _ in range(TRIES):
        began = time.perf_counter()
        cv2.distanceTransform(grid, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
        spent.append(time.perf_counter() - began)
    return min(spent)


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        runs = [await measure(number, Path(folder) / str(number)) for number in range(TRIES)]
    area, planned, answered, rest, slowest = (min(run[k] for run in runs) for k in range(5))
    print_figure("area that is planned", area, "m²")
    transform = {"floor": round(transform_s(), 3), "floor_name": "one distance transform of the floor"}
    print_figure("until the way is known", planned, "s", limit=PLANNED_S, most_floors=MOST_TRANSFORMS, **transform)
    print_figure("answer of task_add", answered, "s", limit=ANSWERED_S)
    beside = {"floor": rest, "floor_name": "a stop at rest"}
    print_figure("slowest stop meanwhile", slowest, "s", limit=STOPPED_S, **beside)


asyncio.run(main())
