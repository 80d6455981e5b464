"""The product's main job over the wire: a map made elsewhere becomes a cleaned floor, seen live, and a report."""

import io
from pathlib import Path
from typing import Any

import msgspec
import openpyxl
import pytest

from lustra.protocol.bus import Mask
from tests.product.running import Console, Product, Refused, until
from tests.product.tabs import Tab, set_of, tab

WORDS = ("--robots", "2")
ROBOT = "SC0002"  # version 3; has no task of its own
SAMPLES = Path(__file__).resolve().parents[2] / "docs" / "samples"
MAP = "Sample ward"
TASK = "Morning round"
DOCK = {"name": "Dock", "type": "charging", "x": 23.6, "y": 8.0, "yaw": 3.14159}
AREA = [[14.0, 7.0], [22.0, 7.0], [22.0, 11.0], [14.0, 11.0]]
PLAN = {
    "name": TASK,
    "map_name": MAP,
    "areas": [{"points": AREA}],
    "start": [18.0, 9.0],
    "route": "bow",
    "clean_mode": "clean",
    "speed": "middle",
}
pytestmark = pytest.mark.timeout(240)


async def imported(console: Console) -> dict[str, Any]:
    files = [("files", (f"floor.{end}", (SAMPLES / f"floor.{end}").read_bytes())) for end in ("yaml", "pgm")]
    (imported,) = (await console.form("/map/importMap", files, name=MAP))["list"]
    return imported


async def given(console: Console, device: int, sample: dict[str, Any]) -> None:
    """To the robot, by its relay, with its charger; the mirror follows."""
    bundle = await console.raw("/map/bundle", mapId=sample["mapId"])
    form = {"data": {"map_name": MAP}, "files": {"file": ("map.zip", bundle.content, "application/zip")}}

    async def uploaded() -> Any:
        return await console.robot(device, "map/Upload", form=form)

    upload = await until(uploaded, "the robot's tunnel")
    await console.robot(device, "map_flag_add", map_name=MAP, revision=upload["revision"], **DOCK)

    async def mirrored() -> bool:
        maps = (await console("/map/selectMap", deviceId=device))["list"]
        return any(row["name"] == MAP and row["area"] == sample["area"] and row["flags"] for row in maps)

    await until(mirrored, "the mirror of the robot's map")


async def steered(console: Console, device: int) -> None:
    """Nothing moves without control; with it, the robot stands on the new map and knows the task."""
    with pytest.raises(Refused) as refused:
        await console.robot(device, "map_load", name=MAP)
    assert refused.value.reason == "control_lost"
    held = await console("/device/takeControl", deviceId=device, minutes=30)
    assert held["mine"]
    console.grants.clear()
    await console.robot(device, "map_load", name=MAP)
    await console("/device/simulate", deviceId=device, factor=20)
    await console.robot(device, "task_add", **PLAN)


async def mode(seen: Tab, device: int, *modes: str) -> dict[str, Any]:
    async def shown() -> dict[str, Any] | None:
        row = seen.rows.get(device, {})
        return row if row.get("mode") in modes and row["mapName"] == MAP else None

    return await until(shown, f"{modes}", lambda: str(seen.rows))


async def cleaned_live(product: Product, console: Console, device: int) -> tuple[str, set[tuple[int, int]]]:
    """Starts, pauses, resumes, and watches until the robot has docked. The run, and the cells that the tab painted."""
    async with tab(product, console, robots=[device], cells=[], detail=device, counts=False) as seen:
        await mode(seen, device, "charging")
        await console.robot(device, "task_start", name=TASK, map_name=MAP)
        cleaning = await mode(seen, device, "cleaning")
        run = cleaning["run"]
        await console.robot(device, "task_pause")
        await mode(seen, device, "paused")
        await console.robot(device, "task_resume")
        await mode(seen, device, "cleaning")
        docked = await mode(seen, device, "charging")
        assert (cleaning["charging"], docked["charging"], docked["run"]) == (False, True, "")
        assert {"snapshot", "robots", "lidar", "path", "cells", "control"} <= seen.kinds
        order = [each for each in seen.modes if each in {"cleaning", "paused", "charging"}]
        assert order[-4:] == ["cleaning", "paused", "cleaning", "charging"]
        return run, seen.runs[run]


async def reported(console: Console, run: str) -> dict[str, Any]:
    async def report_row() -> dict[str, Any] | None:
        rows = (await console("/taskReport/list", taskName=TASK))["list"]
        return next((row for row in rows if row["gid"] == run and row["end"] == "finished"), None)

    return await until(report_row, "the report")


async def complete_row(console: Console, report: dict[str, Any], live: set[tuple[int, int]]) -> None:
    """What the list, the picture and the tab say is one."""
    detail = await console("/taskReport/detail", taskReportId=report["taskReportId"])
    cells = set_of(msgspec.convert(detail["cells"], Mask))
    painted = len(cells) * detail["map"]["resolution"] ** 2
    assert report["cleanedArea"] == pytest.approx(painted, rel=0.01)
    assert report["coverage"] == pytest.approx(1000 * painted / report["reachableArea"], abs=2)
    assert report["coverage"] >= 950
    assert live <= cells
    assert len(live) >= 0.9 * len(cells)
    assert report["pauses"] == 1
    assert report["batteryFrom"] > report["batteryTo"]
    assert report["liquidMl"] > 0
    assert report["factor"] == 20
    assert 0 < report["reachableArea"] <= report["workArea"]


async def exported(console: Console, report: dict[str, Any]) -> None:
    answer = await console.raw("/taskReport/export", taskName=TASK)
    assert "export.xlsx" in answer.headers["content-disposition"]
    sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).active
    assert sheet is not None
    head, row, *_ = sheet.iter_rows(values_only=True)  # below them the sums
    cells: dict[Any, Any] = dict(zip(head, row, strict=True))
    assert cells["Task"] == TASK
    assert cells["Cleaned area (m²)"] == pytest.approx(report["cleanedArea"])
    assert cells["Coverage"] == pytest.approx(report["coverage"] / 1000)
    assert cells["Duration"].total_seconds() == pytest.approx(report["seconds"], abs=1)


@pytest.mark.spec(
    "state.device_charging.charging",
    "state.device_charging.not_charging",
    "state.device_charging.t01",
    "state.device_charging.t02",
    "state.device_mode.cleaning",
    "state.device_mode.pause",
    "state.device_mode.t01",
    "state.device_mode.t02",
    "state.robot_run.running",
    "feat.area.tasks",
    "state.robot_run.paused",
    "call.taskReport.list",
    "call.relay.map.map.Upload",
    "call.relay.map.map_load",
)
async def test_a_map_made_elsewhere_becomes_a_cleaned_floor_seen_live_and_a_report(product: Product):
    async with product.console("user") as console:
        sample = await imported(console)
        assert (sample["width"], sample["height"], sample["origin"]) == (800, 450, [-1.0, -1.0, 0.0])
        device = (await console.devices())[ROBOT]["deviceId"]
        await given(console, device, sample)
        await steered(console, device)
        run, live = await cleaned_live(product, console, device)
        report = await reported(console, run)
        await complete_row(console, report, live)
        await exported(console, report)
        assert not (await console("/device/releaseControl", deviceId=device))["owner"]
