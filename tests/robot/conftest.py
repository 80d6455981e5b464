"""Robots that live in the test's own loop, small floors for them, and a bus with their log-ins."""

import io
import json
import shutil
import socket
import subprocess
import sysconfig
import tempfile
import time
import zipfile
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import cv2
import nats
import numpy as np
import pytest
from nats.aio.client import Client
from pydantic import TypeAdapter

from lustra.core.bus import streams
from lustra.core.calls.answer_check import find_fault
from lustra.gate.callout import rights
from lustra.protocol.answers.base import Refusal
from lustra.protocol.bus import Flag
from lustra.protocol.commands import COMMANDS, route, routes
from lustra.protocol.subjects import ROBOTS_ACCOUNT
from lustra.robot.local_api import api
from lustra.robot.maps.floor import FREE, OCCUPIED, Floor
from lustra.robot.robot import Robot, Spec
from lustra.stack.accounts import USERS, accounts
from lustra.stack.place import LOOPBACK, free_ports

BUS = """listen: "127.0.0.1:{port}"
server_name: test
jetstream {{ store_dir: "{folder}" }}
mqtt {{ listen: "127.0.0.1:{mqtt}", reject_qos2_publish: true }}
accounts {accounts}
system_account: SYS
"""


def log_in(sn: str, *, mqtt: bool) -> dict[str, Any]:
    """A robot's user, with the rights that the gate gives."""
    given = rights(sn, mqtt=mqtt)
    answers = {} if mqtt else {"allow_responses": True}
    return {
        "user": sn,
        "password": "secret",
        "permissions": {"publish": given["pub"], "subscribe": given["sub"], **answers},
    }


def bus_accounts() -> str:
    walls = accounts(dict.fromkeys(USERS, "server"))
    walls[ROBOTS_ACCOUNT]["users"] = [log_in("SC0001", mqtt=False), log_in("SC0002", mqtt=True)]
    return json.dumps(walls)


def hall(width: float = 8.0, height: float = 6.0, name: str = "hall", *, dock: bool = True) -> Floor:
    """A room with walls all round, a pillar, and a charger in the corner."""
    grid = np.full((round(height / 0.05), round(width / 0.05)), FREE, np.uint8)
    grid[:2], grid[-2:], grid[:, :2], grid[:, -2:] = (OCCUPIED,) * 4
    grid[50:62, 70:82] = OCCUPIED
    flags = [Flag(name="Dock", type="charging", x=-0.4, y=-0.4, yaw=0.0)] if dock else []
    return Floor(name, grid, 0.05, (-1.0, -1.0, 0.0), "House", "1", flags=flags)


AREA = [[-0.5, -0.5], [2.0, -0.5], [2.0, 1.0], [-0.5, 1.0]]
TASK: dict[str, Any] = {"name": "Hall", "map_name": "hall", "areas": [{"points": AREA}], "start": [0.0, 0.0]}


def bundle(**replaced: bytes | str | None) -> bytes:
    """A good map bundle of 4 x 3 m; files may be replaced, added or (None) left out."""
    grid = np.full((60, 80), 254, np.uint8)
    grid[:2], grid[-2:], grid[:, :2], grid[:, -2:] = (0,) * 4
    picture = b"P5\n# made by hand\n80 60\n255\n" + grid.tobytes()
    sheet = "image: map.pgm\nmode: trinary\nresolution: 0.05\norigin:\n- -2.0\n- -1.5\n- 0.0\nnegate: 0\n"
    notes = {"forbidden_zones": [{"points": [[-0.5, -0.5], [0, -0.5], [0, 0]], "name": "rug"}]}
    files: dict[str, bytes | str | None] = {
        "map.yaml": sheet + "occupied_thresh: 0.65\nfree_thresh: 0.196\n",
        "map.pgm": picture,
        "annotations.json": json.dumps(notes),
    } | replaced
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for entry, content in files.items():
            if content is not None:
                archive.writestr(entry, content)
    return out.getvalue()


def png(width: int, height: int) -> bytes:
    return cv2.imencode(".png", np.full((height, width), 254, np.uint8))[1].tobytes()


def open_robot(folder: Path, protocol: int = 3, floor: Floor | None = None, **more: Any) -> Robot:
    return Robot.open(Spec("SC0001", "Test", protocol, **more), folder, floor)


@pytest.fixture
def robot(tmp_path: Path) -> Robot:
    return open_robot(tmp_path / "SC0001", floor=hall())


@dataclass
class Local:
    """Calls a robot's local API as the relay does; each answer is compared with its command's model."""

    robot: Robot
    session: aiohttp.ClientSession
    port: int

    async def raw(self, m: str, method: str = "POST", control: int = 0, **how: Any) -> dict[str, Any]:
        url = f"http://127.0.0.1:{self.port}/{m}"
        async with self.session.request(method, url, headers={"control": str(control)}, **how) as answer:
            assert answer.status == 200
            data = await answer.read()
        content: dict[str, Any] = json.loads(data)
        if command := routes(self.robot.spec.protocol).get(m):
            model = Refusal if content["code"] else command.answer
            assert find_fault(TypeAdapter(model), data) == "", f"{m}: {content}"
        return content

    async def __call__(self, name: str, payload: Any = None, control: int = 0) -> dict[str, Any]:
        command = COMMANDS[name]
        m = route(command, self.robot.spec.protocol)
        return await self.raw(m, command.method, control, json=payload if payload is not None else {})

    async def good(self, name: str, payload: Any = None) -> dict[str, Any]:
        content = await self(name, payload)
        assert content["code"] == 0, content
        return content

    async def upload(self, name: str, data: bytes, **fields: str) -> dict[str, Any]:
        form = aiohttp.FormData({"map_name": name} | fields)
        form.add_field("file", data, filename="map.zip", content_type="application/zip")
        return await self.raw("api2/map/Upload", data=form)


@pytest.fixture
async def local(robot: Robot) -> AsyncIterator[Local]:
    runner, port = await api.serve(robot)
    async with aiohttp.ClientSession() as session:
        yield Local(robot, session, port)
    await runner.cleanup()


def drive(robot: Robot, until: Callable[[], Any], step: float = 0.2, most_s: float = 7200) -> float:
    """Lets the robot's time pass until something is so; the seconds that it took."""
    passed = 0.0
    while not until():
        assert passed < most_s, "it never comes"
        robot.step(step)
        passed += step
    return passed


@dataclass
class Bus:
    port: int
    mqtt: int
    conf: Path
    process: "subprocess.Popen[bytes]"

    def start(self) -> None:
        program = Path(sysconfig.get_path("scripts")) / "nats-server"
        self.process = subprocess.Popen([program, "-c", self.conf], stderr=subprocess.DEVNULL)
        self.wait()

    def wait(self) -> None:
        until = time.monotonic() + 10
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.mqtt), 1).close()
            except OSError:
                continue
            return
        raise TimeoutError("nats-server does not start")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def own_bus() -> Iterator[Bus]:
    folder = Path(tempfile.mkdtemp(prefix="lustra-robot-bus-"))
    port, mqtt = free_ports(LOOPBACK, 2)
    conf = folder / "nats.conf"
    conf.write_text(BUS.format(port=port, mqtt=mqtt, folder=folder, accounts=bus_accounts()))
    bus = Bus(port, mqtt, conf, None)  # type: ignore[arg-type]  # start makes it
    bus.start()
    yield bus
    bus.stop()
    shutil.rmtree(folder)


@dataclass
class Server:
    """The server's end of the bus: what robots said, in the order of the streams."""

    link: Client

    async def messages(self, stream: str) -> list[dict[str, Any]]:
        js = self.link.jetstream()
        info = await js.stream_info(stream)
        return [
            json.loads((await js.get_msg(stream, n)).data or b"{}")
            for n in range(info.state.first_seq or 1, (info.state.last_seq or 0) + 1)
        ]

    async def ask(self, sn: str, name: str, /, **fields: Any) -> dict[str, Any]:
        answer = await self.link.request(f"robots.{sn}.cmd.{name}", json.dumps(fields).encode(), timeout=5)
        content: dict[str, Any] = json.loads(answer.data)
        return content


@pytest.fixture
async def server(own_bus: Bus) -> AsyncIterator[Server]:
    link = await nats.connect(f"nats://server:server@127.0.0.1:{own_bus.port}", reconnect_time_wait=0.1)
    for config in streams(1 << 26):
        await link.jetstream().add_stream(config)
    yield Server(link)
    await link.close()
