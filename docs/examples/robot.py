"""A robot of any make, in some four hundred lines: let in by a code, seen on the bus, driven through its tunnel. It has
one map, and cleans what its tasks outline on it.

    pip install aiohttp asyncssh nats-py
    python robot.py http://127.0.0.1:8080 CODE SERIAL "Scrub 50"
    python robot.py --local 8000        its local API alone, for `lustra robot check`

CODE is made in the console (Device list, Auth code) and wanted once: what the server answers is kept in SERIAL.json.
The last word is the name of its type there.
"""

import asyncio
import itertools
import json
import math
import secrets
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import asyncssh
import nats
from aiohttp import web

SPEED, STEP_S, AT_REST_S = 0.3, 0.1, 1.0  # m/s, s, s
SLOWEST, FASTEST = 0.1, 0.5  # m/s that a configuration parameter may set
LANE = 0.5  # m between two lanes of a run, as wide as its brush
LARGEST = 1024 * 1024  # bytes of a body
Answer = dict[str, Any]
Point = tuple[float, float]
DONE: Answer = {"code": 0, "msg": ""}
LOST: Answer = {"code": 423, "msg": "Somebody else has taken control", "reason": "control_lost"}
API2 = {"map_list", "map_name", "map_info", "map_flag_list", "virlines_info", "map_load", "check_update"}  # a prefix
UNKNOWN: Answer = {"code": 404, "msg": "The robot does not know this command", "reason": "command_unknown"}
# Its only map: a hall of 12 by 8 m with its charger in a corner. A real robot has drawn its own.
CORNERS = [(0.0, 0.0), (12.0, 0.0), (12.0, 8.0), (0.0, 8.0)]
FRAME = {"width": 240, "height": 160, "resolution": 0.05}  # cells, cells, m
HALL: Answer = {"name": "Hall", "building": "", "floor": "", "revision": 1, **FRAME}
DOCK: Answer = {"name": "Dock", "type": "charging", "x": 0.5, "y": 0.5, "yaw": 0.0}
PLAIN: Answer = {"hard_floor": True, "path": "", "clean_mode": "clean", "task_mode": "normal", "route": "bow"}


def refusal(code: int, reason: str, msg: str, field: str = "") -> Answer:
    return {"code": code, "msg": msg, "reason": reason} | ({"field": field} if field else {})


def lanes(corners: list[Point]) -> list[Point]:
    """The way over an area: a lane each LANE metres, to and fro."""
    low, high = min(y for _, y in corners), max(y for _, y in corners)
    way: list[Point] = []
    for row in range(int((high - low) / LANE)):
        y = low + (row + 0.5) * LANE
        edges = zip(corners, [*corners[1:], corners[0]], strict=True)
        crossings = sorted(
            ax + (y - ay) / (by - ay) * (bx - ax) for (ax, ay), (bx, by) in edges if (ay > y) != (by > y)
        )
        ends = [(x, y) for x in crossings]
        way += ends[::-1] if row % 2 else ends
    return way


def length(way: list[Point]) -> float:
    return sum(math.dist(a, b) for a, b in itertools.pairwise(way))


def area(corners: list[Point]) -> float:
    edges = zip(corners, [*corners[1:], *corners[:1]], strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in edges)) / 2


def is_area(points: Any) -> bool:
    return (
        isinstance(points, list)
        and len(points) > 2
        and all(isinstance(point, list | tuple) and len(point) == 2 for point in points)
        and all(isinstance(number, int | float) for point in points for number in point)
    )


class Robot:
    """It drives straight from point to point, along the lanes of its task, and stands when it is told to."""

    def __init__(self) -> None:
        self.x, self.y, self.yaw = DOCK["x"], DOCK["y"], DOCK["yaw"]
        self.way: list[Point] = []  # what is left of it
        self.speed = SPEED
        self.task: Answer | None = None  # that runs
        self.run, self.planned = "", 0.0  # its id, and the metres of its way
        self.stopped = self.paused = False
        self.tasks: dict[str, Answer] = {}
        self.add_task({"name": "Whole hall", "areas": [{"points": CORNERS}]})
        self.number = 0  # the newest control lock that it has heard of
        self.watched_until = 0.0
        self.last_at = 0
        self.stream, self.seq = secrets.token_hex(4), 0
        self.alarms: list[Answer] = []
        self.snapshot: Answer | None = None
        self.take_stock()
        self.reads = {
            "robot_pose": self.pose,
            "sensor_info_web": lambda: {"list": [{"id": "battery", "value": 80.0, "unit": "%", "ok": True}]},
            "hardware_state": lambda: {"list": [{"name": "motors", "state": "ok"}]},
            "radar_info": lambda: {"points": CORNERS},
            "radar_info_raw": self.scan,
            "robot_params_get": lambda: {"params": {"speed": self.speed}, "ranges": {}},
            "map_list": lambda: {"list": [HALL]},
            "map_name": lambda: {"map_name": HALL["name"]},
            "task_state": self.task_state,
            "task_list": lambda: {"task_list": [*self.tasks.values()]},
            "task_info": lambda: {"task_info": [*self.tasks.values()]},
            "all_tasksingle_list": lambda: {"list": [*self.tasks.values()]},
            "task_all_map": lambda: {"list": [{"map_name": HALL["name"], "task_list": [*self.tasks.values()]}]},
        }
        # What it has none of: it answers so, and does not name these among its commands.
        self.none_of = {
            "check_update": lambda: {"version": "1.0", "hasUpdate": False},
            "utils_state": lambda: {"list": []},
            "disinfect_state": lambda: {"running": False, "speed_Value": 0, "liquid": 0, "liquid_ml": 0, "area": 0},
            "dir_path_list": lambda: {"paths": [], "list": []},
            "taskgroup_list": lambda: {"list": []},
            "timetask_list": self.no_schedules,
            "elevator_timetask_list": self.no_schedules,
            "elevator_point_list": lambda: {"list": []},
        }
        self.of_map = {
            "map_info": lambda: HALL | {"origin": [0.0, 0.0, 0.0]},
            "map_flag_list": lambda: {"list": [DOCK]},
            "virlines_info": lambda: {"virlines_wall": [], "free_area": [], "forbidden_zone": [], "revision": 1},
        }
        self.always = {"task_pause": self.pause, "task_cancel": self.cancel}  # whoever holds control
        self.moves = {
            "point_moveto": self.drive,
            "task_start": self.start,
            "task_resume": self.resume,
            "docker_back": lambda _: self.send_to([(DOCK["x"], DOCK["y"])]),
            "map_load": self.load_map,
        }
        self.others = {"task_add": self.add_task, "task_del": self.delete_task, "clean_area_pre": self.forecast}

    @property
    def commands(self) -> list[str]:
        return ["robot_safe", *self.reads, *self.of_map, *self.always, *self.moves, *self.others]

    def at(self) -> int:
        """Its clock in ms, never the same twice."""
        self.last_at = max(time.time_ns() // 1_000_000, self.last_at + 1)
        return self.last_at

    def take_stock(self) -> None:
        """Says all that is wrong with it, again and again until the server has kept it. A robot so simple needs neither
        `raised` nor `cleared`."""
        self.snapshot = {"v": 1, "at": self.at(), "id": secrets.token_hex(8), "kind": "snapshot", "alarms": self.alarms}

    def step(self) -> None:
        if not self.way or self.stopped or self.paused:
            return
        goal, left = self.way[0], self.speed * STEP_S
        far = math.dist((self.x, self.y), goal)
        part = min(1.0, left / far) if far else 1.0
        self.yaw = math.atan2(goal[1] - self.y, goal[0] - self.x) if far else self.yaw
        self.x, self.y = self.x + (goal[0] - self.x) * part, self.y + (goal[1] - self.y) * part
        if part == 1.0:
            self.way.pop(0)
        if not self.way:
            self.task = None

    @property
    def mode(self) -> str:
        if self.stopped or self.paused:
            return "emergency" if self.stopped else "paused"
        return ("cleaning" if self.task else "moving") if self.way else "idle"

    @property
    def progress(self) -> float:
        left = length([(self.x, self.y), *self.way])
        return round(max(0.0, 100 * (1 - left / self.planned)), 1) if self.task and self.planned else 0.0

    def state(self) -> Answer:
        self.seq += 1
        runs = {"task": self.task["name"], "run": self.run, "progress": self.progress} if self.task else {}
        return {
            "v": 1,
            "at": self.at(),
            "stream": self.stream,
            "seq": self.seq,
            "mode": self.mode,
            "x": self.x,
            "y": self.y,
            "yaw": self.yaw,
            "battery": 80.0,
            "speed": self.speed if self.mode in {"moving", "cleaning"} else 0.0,
            **runs,
        }

    def obey(self, command: str, payload: Answer, number: int) -> Answer:
        """Who moves it shows the newest control lock; who stops it, or reads, needs none."""
        self.number = max(self.number, number)
        if command == "robot_safe":
            return self.stop(payload, number)
        if command in self.moves and number < self.number:
            return LOST
        if command in self.of_map and payload.get("map_name", "") not in ("", HALL["name"]):
            return refusal(404, "map_unknown", "The robot does not have this map", "map_name")
        if reading := self.reads.get(command) or self.of_map.get(command) or self.none_of.get(command):
            return DONE | reading()
        acting = self.always.get(command) or self.moves.get(command) or self.others.get(command)
        return acting(payload) if acting else UNKNOWN

    def stop(self, payload: Answer, number: int) -> Answer:
        if payload.get("robot_safe") not in (0, 1):
            return refusal(400, "input_wrong", "0 or 1", "robot_safe")
        if payload["robot_safe"] == 0 and number < self.number:
            return LOST
        if self.stopped != (payload["robot_safe"] == 1):
            self.stopped = payload["robot_safe"] == 1
            alarm = {"id": secrets.token_hex(8), "code": "emergency_stop", "since": self.at()}
            self.alarms = [alarm] if self.stopped else []
            self.take_stock()
        return DONE

    def pose(self) -> Answer:
        place = {"x": self.x, "y": self.y, "yaw": self.yaw, "map_name": HALL["name"]}
        return {"uncertainty": 0.05, "confirmed": True, **place}

    def scan(self) -> Answer:
        """Its lidar: a ray each five degrees, straight ahead first, to the walls of its hall."""
        turn = math.radians(5)
        rays = [(math.cos(self.yaw + n * turn), math.sin(self.yaw + n * turn)) for n in range(72)]
        (right, top), here = CORNERS[2], (self.x, self.y)
        walls = [((right if dx > 0 else 0.0, dx), (top if dy > 0 else 0.0, dy)) for dx, dy in rays]
        ranges = [
            min((wall - at) / way for (wall, way), at in zip(pair, here, strict=True) if abs(way) > 1e-9)
            for pair in walls
        ]
        return {"angle_min": 0.0, "angle_increment": turn, "scan_time": STEP_S, "ranges": [round(r, 3) for r in ranges]}

    def no_schedules(self) -> Answer:
        return {"timetask_info": [], "zone": "UTC", "now": self.at()}

    def drive(self, payload: Answer) -> Answer:
        for field in ("x", "y"):
            if not isinstance(payload.get(field), int | float):
                return refusal(400, "input_missing", "x and y are numbers", field)
        return self.send_to([(payload["x"], payload["y"])])

    def send_to(self, way: list[Point]) -> Answer:
        """What ran is over."""
        self.task, self.paused, self.way = None, False, way
        return DONE

    def load_map(self, payload: Answer) -> Answer:
        if payload.get("name") != HALL["name"]:
            return refusal(404, "map_unknown", "The robot does not have this map", "name")
        return self.send_to([]) | {"map_name": HALL["name"]}

    def configure(self, order: Answer) -> Answer:
        """Parameters of the installation: it knows one, and has its own speed without it."""
        try:
            speed = float(order["values"].get("speed", SPEED))
        except ValueError:
            return refusal(400, "param_no_number", "The speed is a number", "values.speed")
        if not SLOWEST <= speed <= FASTEST:
            return refusal(400, "param_range", "The speed is out of its range", "values.speed")
        self.speed = speed
        unknown = [key for key in order["values"] if key != "speed"]
        return DONE | {"configure": {"revision": order["revision"], "state": "shown", "unknown": unknown}}

    def task_state(self) -> Answer:
        standing = {"follows": [], "group": "", "schedule": ""}
        runs = {"name": self.task["name"] if self.task else "", "run": self.run if self.task else ""}
        return {"state": self.mode, "progress": self.progress, **runs, **standing}

    def add_task(self, payload: Answer) -> Answer:
        name, areas = payload.get("name"), payload.get("areas")
        if not isinstance(name, str) or not name.strip():
            return refusal(400, "task_name_required", "Enter a task name", "name")
        first = areas[0] if isinstance(areas, list) and areas else None
        if not isinstance(first, dict) or not is_area(first.get("points")):
            return refusal(400, "task_area_required", "Draw the task's area first", "areas")
        corners = [(x, y) for x, y in first["points"]]
        revision = self.tasks.get(name, {"revision": 0})["revision"] + 1
        found = {"reachable": round(area(corners), 2), "seconds": round(length(lanes(corners)) / SPEED, 1)}
        drawn = {"name": name, "map_name": HALL["name"], "areas": [{"points": corners}], "start": corners[0]}
        self.tasks[name] = PLAIN | drawn | found | {"speed": "middle", "revision": revision, "picture": ""}
        return DONE | found | {"revision": revision}

    def delete_task(self, payload: Answer) -> Answer:
        if self.tasks.pop(str(payload.get("name")), None) is None:
            return refusal(404, "task_unknown", "The robot does not have this task", "name")
        return DONE

    def start(self, payload: Answer) -> Answer:
        task = self.tasks.get(str(payload.get("name")))
        if task is None:
            return refusal(404, "task_unknown", "The robot does not have this task", "name")
        if self.task:
            return refusal(409, "task_running", "A task is running")
        self.send_to(lanes(task["areas"][0]["points"]))
        self.task, self.run = task, secrets.token_hex(8)
        self.planned = length([(self.x, self.y), *self.way])
        return DONE | {"run": self.run}

    def pause(self, _: Answer) -> Answer:
        self.paused = bool(self.way)
        return DONE

    def resume(self, _: Answer) -> Answer:
        self.paused = False
        return DONE

    def cancel(self, _: Answer) -> Answer:
        return self.send_to([]) if self.task else refusal(409, "task_none_running", "No task is running")

    def forecast(self, payload: Answer) -> Answer:
        if not is_area(payload.get("area")):
            return refusal(400, "task_area_required", "Draw the task's area first", "area")
        corners = [(x, y) for x, y in payload["area"]]
        way = lanes(corners)
        found = {"area": area(corners), "reachable": area(corners), "length": length(way)}
        return (
            DONE | found | {"path": way, "seconds": length(way) / SPEED, "battery": 5.0, "liquid": 0.0, "speed": SPEED}
        )


def enrolled(server: str, code: str, serial: str, model: str) -> Answer:
    """What the server knows the robot by; the private key never leaves it."""
    kept = Path(f"{serial}.json")
    if not kept.exists():
        key = asyncssh.generate_private_key("ssh-ed25519")
        line = key.export_public_key().decode()
        told = {
            "code": code,
            "deviceSerialNumber": serial,
            "sshKey": line,
            "typeName": model,
            "commands": Robot().commands,
        }
        asked = Request(f"{server}/api/device/enrol", json.dumps(told).encode(), {"content-type": "application/json"})
        with urlopen(asked) as answer:
            said = json.load(answer)
        if said["message"]["code"]:
            sys.exit(said["message"]["message"])
        kept.touch(0o600)
        kept.write_text(json.dumps(said["data"] | {"key": key.export_private_key().decode()}))
    return json.loads(kept.read_text())


async def local_api(robot: Robot, port: int = 0) -> int:
    """What the tunnel ends at. Answers its port."""

    async def answer(request: web.Request) -> web.Response:
        prefix, _, command = request.match_info["m"].partition("/")
        number = int(request.headers.get("control", "0"))
        try:
            payload = dict(json.loads(await request.read() or b"{}"))
        except web.HTTPRequestEntityTooLarge:
            return web.json_response({"code": 413, "msg": "Too large", "reason": "input_too_large"})
        except (TypeError, ValueError):
            return web.json_response({"code": 400, "msg": "No JSON", "reason": "input_not_json"})
        right = prefix == ("api2" if command in API2 else "api1")
        return web.json_response(robot.obey(command, payload, number) if right else UNKNOWN)

    app = web.Application(client_max_size=LARGEST)
    app.router.add_route("*", "/{m:.+}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    return runner.addresses[0][1]


async def tunnel(me: Answer, local: int) -> None:
    """To the first relay that takes it, and again when the line breaks."""
    known = ([asyncssh.import_public_key(me["hostKey"])], [], [])
    key = asyncssh.import_private_key(me["key"])
    while True:
        for relay in me["relays"]:
            try:
                async with asyncssh.connect(
                    relay["host"],
                    relay["port"],
                    username=me["deviceSerialNumber"],
                    client_keys=[key],
                    known_hosts=known,
                    config=None,
                    agent_path=None,
                    keepalive_interval=5,
                ) as link:
                    await link.forward_remote_port("127.0.0.1", me["port"], "127.0.0.1", local)
                    await link.wait_closed()
            except (OSError, asyncssh.Error, asyncssh.ChannelListenError) as why:
                sys.stderr.write(f"relay {relay['host']}: {why}\n")
        await asyncio.sleep(1)


async def bus(me: Answer, robot: Robot) -> None:
    """Says its state, and hears the server's commands."""
    sn = me["deviceSerialNumber"]
    link = await nats.connect(me["nats"], user=sn, password=me["busPassword"], max_reconnect_attempts=-1)

    async def hear(message: Any) -> None:
        told, name = json.loads(message.data or b"{}"), message.subject.rsplit(".", 1)[1]
        if name == "watch":
            robot.watched_until = time.monotonic() + told["seconds"]
        if name == "refused":
            sys.stderr.write(f"refused: {told}\n")
        if name == "kept" and robot.snapshot and robot.snapshot["id"] in told["ids"]:
            robot.snapshot = None
        if name == "control":
            robot.number = max(robot.number, told["number"])
        answer = robot.configure(told) if name == "configure" else DONE
        if message.reply:
            await message.respond(json.dumps(answer).encode())

    await link.subscribe(f"robots.{sn}.cmd.>", cb=hear)
    said = 0.0
    while True:
        robot.step()
        if time.monotonic() - said >= (STEP_S if time.monotonic() < robot.watched_until else AT_REST_S):
            said = time.monotonic()
            await link.publish(f"robots.{sn}.state", json.dumps(robot.state()).encode())
            if robot.snapshot:
                await link.publish(f"robots.{sn}.alarm", json.dumps(robot.snapshot).encode())
        await asyncio.sleep(STEP_S)


async def main(me: Answer) -> None:
    robot = Robot()
    await asyncio.gather(tunnel(me, await local_api(robot)), bus(me, robot))


async def alone(port: int) -> None:
    """Its local API and no more: for `lustra robot check`."""
    sys.stdout.write(f"{await local_api(Robot(), port)}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(alone(int(sys.argv[2])) if sys.argv[1] == "--local" else main(enrolled(*sys.argv[1:])))
