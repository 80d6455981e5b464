"""A robot of any make, in two hundred lines: let in by a code, seen on the bus, driven through its tunnel.

    pip install aiohttp asyncssh nats-py
    python robot.py http://127.0.0.1:8080 CODE SERIAL "Scrub 50"
    python robot.py --local 8000        its local API alone, for `lustra robot check`

CODE is made in the console (Device list, Auth code) and wanted once: what the server answers is kept in SERIAL.json.
The last word is the name of its type there.
"""

import asyncio
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

SPEED, STEP_S, AT_REST_S = 0.3, 0.1, 1.0
LARGEST = 1024 * 1024  # bytes of a body
Answer = dict[str, Any]
LOST: Answer = {"code": 423, "msg": "Somebody else has taken control", "reason": "control_lost"}
UNKNOWN: Answer = {"code": 404, "msg": "The robot does not know this command", "reason": "command_unknown"}


class Robot:
    """It drives straight to where it is sent, and stands when it is told to."""

    def __init__(self) -> None:
        self.x = self.y = self.yaw = 0.0
        self.goal: tuple[float, float] | None = None
        self.stopped = False
        self.number = 0  # the newest control lock that it has heard of
        self.watched_until = 0.0
        self.last_at = 0
        self.stream, self.seq = secrets.token_hex(4), 0
        self.alarms: list[Answer] = []
        self.snapshot: Answer | None = None
        self.take_stock()

    def at(self) -> int:
        """Its clock in ms, never the same twice."""
        self.last_at = max(time.time_ns() // 1_000_000, self.last_at + 1)
        return self.last_at

    def take_stock(self) -> None:
        """Says all that is wrong with it, again and again until the server has kept it. A robot so simple needs neither
        `raised` nor `cleared`."""
        self.snapshot = {"v": 1, "at": self.at(), "id": secrets.token_hex(8), "kind": "snapshot", "alarms": self.alarms}

    def step(self) -> None:
        if self.goal is None or self.stopped:
            return
        way = math.dist((self.x, self.y), self.goal)
        part = min(1.0, SPEED * STEP_S / way) if way else 1.0
        self.yaw = math.atan2(self.goal[1] - self.y, self.goal[0] - self.x) if way else self.yaw
        self.x, self.y = self.x + (self.goal[0] - self.x) * part, self.y + (self.goal[1] - self.y) * part
        if part == 1.0:
            self.goal = None

    def state(self) -> Answer:
        self.seq += 1
        mode = "emergency" if self.stopped else "moving" if self.goal else "idle"
        return {
            "v": 1,
            "at": self.at(),
            "stream": self.stream,
            "seq": self.seq,
            "mode": mode,
            "x": self.x,
            "y": self.y,
            "yaw": self.yaw,
            "battery": 80.0,
            "speed": SPEED if mode == "moving" else 0.0,
        }

    def obey(self, command: str, told: Answer, number: int) -> Answer:
        """Who moves it shows the newest control lock; who stops it needs none."""
        self.number = max(self.number, number)
        known = {"robot_safe": self.stop, "robot_pose": self.pose, "point_moveto": self.drive}
        return known[command](told, number) if command in known else UNKNOWN

    def stop(self, told: Answer, number: int) -> Answer:
        if told.get("robot_safe") not in (0, 1):
            return {"code": 400, "msg": "0 or 1", "reason": "input_wrong", "field": "robot_safe"}
        if told["robot_safe"] == 0 and number < self.number:
            return LOST
        if self.stopped != (told["robot_safe"] == 1):
            self.stopped = told["robot_safe"] == 1
            alarm = {"id": secrets.token_hex(8), "code": "emergency_stop", "since": self.at()}
            self.alarms = [alarm] if self.stopped else []
            self.take_stock()
        return {"code": 0, "msg": ""}

    def pose(self, _: Answer, __: int) -> Answer:
        place = {"x": self.x, "y": self.y, "yaw": self.yaw, "map_name": ""}
        return {"code": 0, "msg": "", "uncertainty": 0.05, "confirmed": True, **place}

    def drive(self, told: Answer, number: int) -> Answer:
        if number < self.number:
            return LOST
        for field in ("x", "y"):
            if not isinstance(told.get(field), int | float):
                return {"code": 400, "msg": "x and y are numbers", "reason": "input_missing", "field": field}
        self.goal = (told["x"], told["y"])
        return {"code": 0, "msg": ""}


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
            "commands": ["robot_safe", "robot_pose", "point_moveto"],
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
            told = json.loads(await request.read() or b"{}")
        except web.HTTPRequestEntityTooLarge:
            return web.json_response({"code": 413, "msg": "Too large", "reason": "input_too_large"})
        except ValueError:
            return web.json_response({"code": 400, "msg": "No JSON", "reason": "input_not_json"})
        return web.json_response(robot.obey(command, told, number) if prefix == "api1" else UNKNOWN)

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
        if message.reply:
            await message.respond(b'{"code": 0, "msg": ""}')

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
