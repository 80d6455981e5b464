"""A robot that dies in the middle of its work: shown offline after the window with since and why; its run is kept."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pytest

from tests.product.running import MODULE, Console, Product, Refused, until
from tests.product.tabs import Tab, tab

ROBOT = "SC0008"  # switched off in the demo: the test switches it on in a process of its own
WORDS = ("--robots", "8")
# LATE_S: of a busy machine
WINDOW_S = 15
LATE_S = 15
FACTOR = 20
AREA = [[0.4, 0.4], [5.0, 0.4], [5.0, 4.7], [0.4, 4.7]]
TASK = {"name": "Last round", "areas": [{"points": AREA}], "start": [2.0, 2.0]}
pytestmark = pytest.mark.timeout(240)


@contextmanager
def alive(product: Product) -> Iterator["subprocess.Popen[bytes]"]:
    """The robot in a process of its own, on its own disk, as the demo keeps it."""
    fleet: dict[str, Any] = json.loads((product.folder / "fleet.json").read_text())
    alone = fleet | {"robots": [robot | {"off": False} for robot in fleet["robots"] if robot["sn"] == ROBOT]}
    file = product.folder / "alone.json"
    file.write_text(json.dumps(alone))
    words = ["robot", "--fleet", str(file), "--state", str(product.folder / "robots")]
    with (product.folder / "log" / "alone.log").open("ab") as log:
        process = subprocess.Popen([sys.executable, "-m", MODULE, *words], stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


async def shown(console: Console) -> dict[str, Any]:
    return (await console.devices())[ROBOT]


async def reports(console: Console, device: int) -> list[dict[str, Any]]:
    return (await console("/taskReport/list", deviceIds=[device]))["list"]


async def at_work(console: Console, device: int, seen: Tab) -> None:
    async def reached() -> dict[str, Any] | None:
        row = await shown(console)
        return row if row["online"] and row["mapName"] else None

    row = await until(reached, "the robot online")
    await console("/device/takeControl", deviceId=device, minutes=10)
    await console("/device/simulate", deviceId=device, factor=FACTOR)

    async def added() -> Any:
        return await console.robot(device, "task_add", map_name=row["mapName"], **TASK)

    await until(added, "its tunnel")
    await console.robot(device, "task_start", name=TASK["name"], map_name=row["mapName"])

    async def cleaning() -> bool:
        return seen.rows[device]["mode"] == "cleaning" and seen.rows[device]["cleaned"] > 1

    await until(cleaning, "some cleaned m²", lambda: str(seen.rows))


@pytest.mark.spec(
    "state.device_online.offline", "state.device_online.online", "state.device_online.t01", "state.device_online.t02"
)
async def test_a_robot_that_dies_is_shown_offline_and_its_run_is_kept_as_interrupted(product: Product):
    async with product.console("sub") as console:

        async def switched_off() -> dict[str, Any] | None:
            row = await shown(console)
            return row if row["offlineReason"] == "switched_off" else None

        device: int = (await until(switched_off, "the good-bye of a robot that is off"))["deviceId"]
        async with tab(product, console, robots=[device], cells=[], detail=device, counts=True) as seen:
            with alive(product) as robot:
                await at_work(console, device, seen)
                os.kill(robot.pid, signal.SIGKILL)
                robot.wait()
            last = seen.rows[device]

            async def offline() -> bool:
                return seen.rows[device]["mode"] == "offline"

            assert (await shown(console))["online"] == 1  # nobody knows yet
            await until(offline, "the robot to be called offline")
            row = await shown(console)
        assert (row["online"], row["mode"], row["offlineReason"]) == (0, "offline", "no_heartbeat")
        assert row["offlineSince"] == row["heartbeatTime"]
        assert row["stateAt"] >= last["at"]
        silence = datetime.now().astimezone() - datetime.fromisoformat(row["heartbeatTime"])
        assert WINDOW_S <= silence.total_seconds() < WINDOW_S + LATE_S
        with pytest.raises(Refused) as refused:
            await console.robot(device, "task_state")
        assert refused.value.reason == "robot_unreachable"

        async def interrupted() -> dict[str, Any] | None:
            (report,) = await reports(console, device)
            return report if report["end"] == "interrupted" else None

        interrupted_run = await until(interrupted, "the interrupted run")
        assert interrupted_run["taskName"] == TASK["name"]
        assert interrupted_run["gid"] == last["run"]
        assert interrupted_run["cleanedArea"] == pytest.approx(row["cleaned"], abs=0.02)
        assert interrupted_run["cleanedArea"] >= last["cleaned"] - 0.01  # m², kept as real
        await again(product, console, device, interrupted_run)


async def again(product: Product, console: Console, device: int, interrupted_run: dict[str, Any]) -> None:
    """Switched on, it tells of the run itself: the same report, once, now with its picture; it does not go on."""
    with alive(product):

        async def newer_report() -> dict[str, Any] | None:
            row, (report,) = await shown(console), await reports(console, device)
            detail = await console("/taskReport/detail", taskReportId=report["taskReportId"])
            return report if row["online"] and detail["cells"] else None

        report = await until(newer_report, "the robot's own report")
        row = await shown(console)
    assert (report["gid"], report["end"]) == (interrupted_run["gid"], "interrupted")
    assert 0 <= report["cleanedArea"] <= interrupted_run["cleanedArea"] + 0.02
    assert (row["mode"], row["run"]) == ("idle", "")
