"""`lustra robot` as a process: it ends when it is told to, whatever is being worked out."""

import asyncio
import contextlib
import io
import json
import signal
import sys
import time
from pathlib import Path

import aiohttp
import numpy as np
import psutil
import pytest

from lustra.robot import fleet
from lustra.robot.local_api import api
from lustra.robot.robot import Robot
from lustra.stack.place import LOOPBACK, free_port
from tests.robot.conftest import bundle

SIDE = 4000  # cells: a plan over all of them takes far longer than an end may
COMMAND = [sys.executable, "-m", "lustra.app.cli", "robot"]


def large() -> bytes:
    return bundle(**{"map.pgm": b"P5\n%d %d\n255\n" % (SIDE, SIDE) + np.full((SIDE, SIDE), 254, np.uint8).tobytes()})


async def listening(pid: int) -> int:
    async with asyncio.timeout(30):
        while True:
            for connection in psutil.Process(pid).net_connections("tcp4"):
                if connection.status == psutil.CONN_LISTEN:
                    return connection.laddr.port
            await asyncio.sleep(0.05)


async def upload(http: aiohttp.ClientSession, name: str, data: bytes) -> dict[str, object]:
    form = aiohttp.FormData({"map_name": name})
    form.add_field("file", io.BytesIO(data), filename="map.zip", content_type="application/zip")
    async with http.post("/api2/map/Upload", data=form) as answer:
        return await answer.json()


async def test_end_within_three_seconds_while_planning_and_reading_a_map(tmp_path: Path):
    robots = [{"sn": "SC0001", "password": "x", "building": "St. Orla Clinic", "floor": "ward 3"}]
    fleet = tmp_path / "fleet.json"
    fleet.write_text(json.dumps({"nats": f"nats://127.0.0.1:{free_port(LOOPBACK)}", "robots": robots}))
    process = await asyncio.create_subprocess_exec(*COMMAND, "--fleet", fleet, "--state", tmp_path / "state")
    try:
        async with aiohttp.ClientSession(f"http://127.0.0.1:{await listening(process.pid)}") as http:
            data = await asyncio.to_thread(large)
            assert (await upload(http, "wide", data))["code"] == 0
            half = SIDE * 0.05 / 2 - 3
            ring = [[-half, -half], [half, -half], [half, half], [-half, half]]
            payload = {"map_name": "wide", "area": [[x + half, y + half] for x, y in ring], "start": [half, half]}
            plan = asyncio.create_task(http.post("/api1/clean_area_pre", json=payload))
            read = asyncio.create_task(upload(http, "other", data))
            async with http.get("/api2/map_list") as answer:  # it hears: the others have been begun
                assert (await answer.json())["code"] == 0
            began = time.monotonic()
            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), 10) == 0
            assert time.monotonic() - began < 3
            for task in (plan, read):
                task.cancel()
            await asyncio.gather(plan, read, return_exceptions=True)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    assert json.loads((tmp_path / "state" / "SC0001" / "facts.json").read_text())["announced"]


async def test_a_reboot_is_an_outage_after_which_all_stored_data_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(fleet, "REBOOT_S", 0.3)
    ports: list[int] = []
    serve = api.serve

    async def counted(robot: Robot):
        runner, port = await serve(robot)
        ports.append(port)
        return runner, port

    monkeypatch.setattr(api, "serve", counted)
    entry = fleet.Entry(sn="SC0001", password="x", building="St. Orla Clinic", floor="ward 3")
    nobody = fleet.Fleet(nats=f"nats://127.0.0.1:{free_port(LOOPBACK)}")
    living = asyncio.create_task(fleet.Living(entry, nobody, tmp_path / "r", (0, 1), 0).live())
    try:
        async with asyncio.timeout(20), aiohttp.ClientSession() as http:
            while not ports:  # noqa: ASYNC110  any condition, so there is no event to wait for
                await asyncio.sleep(0.02)
            url = f"http://127.0.0.1:{ports[0]}/api1"
            await http.post(f"{url}/disinfect_ctrl", json={"speed_Value": 3})
            async with http.post(f"{url}/robot_reboot", json={"voice": 0, "outage_reboot": 1}) as answer:
                assert (await answer.json())["code"] == 0
            while len(ports) < 2:  # noqa: ASYNC110  the same
                await asyncio.sleep(0.02)
            with pytest.raises(aiohttp.ClientError):
                await http.post(f"{url}/robot_pose")
            async with http.post(f"http://127.0.0.1:{ports[1]}/api1/disinfect_state") as answer:
                assert (await answer.json())["speed_Value"] == 3
    finally:
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)
    events = [json.loads(file.read_bytes()) for file in sorted((tmp_path / "r" / "outbox").glob("*-event-*.json"))]
    power = [(event["name"], event["content"]["reason"]) for event in events if event["kind"] == "power"]
    assert power == [("on", "start"), ("off", "reboot"), ("on", "start"), ("off", "switched_off")]


async def test_by_the_clock_it_stands_half_a_second_after_its_driver_fell_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    robots: list[tuple[Robot, int]] = []
    serve = api.serve

    async def known(robot: Robot):
        runner, port = await serve(robot)
        robots.append((robot, port))
        return runner, port

    monkeypatch.setattr(api, "serve", known)
    entry = fleet.Entry(sn="SC0001", password="x", building="St. Orla Clinic", floor="ward 3")
    nobody = fleet.Fleet(nats=f"nats://127.0.0.1:{free_port(LOOPBACK)}")
    living = asyncio.create_task(fleet.Living(entry, nobody, tmp_path / "r", (0, 1), 0).live())
    try:
        async with asyncio.timeout(20), aiohttp.ClientSession() as http:
            while not robots:  # noqa: ASYNC110  any condition, so there is no event to wait for
                await asyncio.sleep(0.02)
            (robot, port), machine = robots[0], robots[0][0].machine
            machine.place(19.0, 10.2, 0.0, charging=False)
            await http.post(f"http://127.0.0.1:{port}/api1/hand_mode", json={"mode": 1})
            seq = 0
            last = time.monotonic()
            while machine.hand.linear < 0.4:  # 20 Hz, until it is fast
                seq += 1
                payload = {"linear": 0.6, "angular": 0.0, "stream": "a", "seq": seq}
                await http.post(f"http://127.0.0.1:{port}/api1/cmdvel_ctrl", json=payload)
                last = time.monotonic()
                await asyncio.sleep(0.05)
            while machine.hand.moving:  # noqa: ASYNC110  the same
                await asyncio.sleep(0.005)
            assert time.monotonic() - last < 0.5
            assert robot.machine.mode == "manual"
    finally:
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)
