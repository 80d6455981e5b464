"""Commands for maps: upload, marks, loading and deletion, where a map is, and the robot's part in a sync."""

from typing import Any

import pytest

from lustra.protocol.refusals import RelayCode
from tests.robot.conftest import TASK, Local, bundle, drive, png
from tests.robot.test_api import events


@pytest.mark.spec(
    "call.relay.map.map.Upload",
    "call.relay.map.map_list",
    "call.relay.map.map_name",
    "call.relay.map.map_info",
    "call.relay.map.map_load",
    "call.relay.map.map_del",
    "call.relay.map.map_flag_add",
    "call.relay.map.map_flag_list",
    "call.relay.map.map_flag_del",
    "call.relay.map.virlines_info",
    "ent.map",
    "ent.map_flag",
    "rule.map.flag_name",
    "rule.map.edge",
)
async def test_a_map_from_its_upload_to_its_end(local: Local):
    robot = local.robot
    assert (await local.upload("cellar", bundle()))["revision"] == 1
    rows = {row["name"]: row for row in (await local.good("map_list"))["list"]}
    assert (rows["cellar"]["width"], rows["cellar"]["height"], rows["cellar"]["resolution"]) == (80, 60, 0.05)
    assert (await local.good("map_info", {"map_name": "cellar"}))["origin"] == [-2.0, -1.5, 0.0]
    assert (await local.good("virlines_info", {"map_name": "cellar"}))["forbidden_zone"][0]["name"] == "rug"
    assert (await local.good("map_name"))["map_name"] == "hall"
    assert (await local("map_load", {"name": "attic"}))["reason"] == "map_unknown"
    assert (await local("map_load", {}))["reason"] == "map_name_required"
    await local.good("map_load", {"name": "cellar"})
    assert (await local.good("map_name"))["map_name"] == "cellar"
    flag = {"map_name": "cellar", "name": "Dock", "type": "charging", "x": 1.6, "y": 0.0, "yaw": 3.14}
    assert (await local.good("map_flag_add", flag))["revision"] == 2
    assert (await local("map_flag_add", flag | {"revision": 1}))["reason"] == "revision_conflict"
    assert (await local("map_flag_add", flag | {"name": ""}))["reason"] == "flag_name_required"
    assert (await local("map_flag_add", flag | {"x": 30}))["reason"] == "map.beyond_edge"
    assert (await local.good("map_flag_list", {"map_name": "cellar"}))["list"][0]["x"] == 1.6
    await local.good("go_home")
    drive(robot, lambda: robot.machine.charging)
    assert (await local("map_flag_del", {"map_name": "cellar", "name": "No"}))["reason"] == "flag_unknown"
    await local.good("map_flag_del", {"map_name": "cellar", "name": "Dock"})
    assert (await local("map_del", {"map_name": "cellar"}))["reason"] == "map_in_use"
    await local.good("map_del", {"map_name": "hall"})
    assert b'"deleted":true' in events(robot, "map")[-1]
    assert len(events(robot, "map_loaded")) == 2


async def test_an_upload_with_marks_in_the_form_and_a_revision(local: Local):
    zones = '[{"name": "wet", "points": [[0, 0], [1, 0], [1, 1]]}]'
    await local.upload("cellar", bundle(), forbidden_zone=zones, virlines_wall='[{"points": [[0, 0], [1, 1]]}]')
    answer = await local.good("virlines_info", {"map_name": "cellar"})
    assert answer["forbidden_zone"][0]["name"] == "wet"
    assert len(answer["virlines_wall"]) == 1
    assert (await local.upload("cellar", bundle(), revision="1"))["revision"] == 2
    assert (await local.upload("cellar", bundle(), revision="1"))["reason"] == "revision_conflict"
    out = await local.upload("cellar", bundle(), virlines_wall='[{"points": [[0, 0], [50, 1]]}]')
    assert out["reason"] == "map.beyond_edge"


BAD_MAPS: dict[str, tuple[bytes, str]] = {
    "no zip": (b"this is no zip", "map_archive"),
    "cut off": (bundle()[:-40], "map_archive"),
    "climbs": (bundle(**{"../evil": "x"}), "map_archive_outside"),
    "absolute": (bundle(**{"/etc/passwd": "x"}), "map_archive_outside"),
    "no yaml": (bundle(**{"map.yaml": None}), "map_no_yaml"),
    "no picture": (bundle(**{"map.pgm": None}), "map_image_missing"),
    "no image": (bundle(**{"map.pgm": b"GIF89a nothing"}), "map_no_image"),
    "no resolution": (bundle(**{"map.yaml": "image: map.pgm\norigin: [0, 0, 0]\n"}), "map_no_resolution"),
    "bad origin": (bundle(**{"map.yaml": "image: map.pgm\nresolution: 0.05\norigin: here\n"}), "map_broken"),
    "too large": (bundle(**{"map.pgm": b"P5\n20000 20000\n255\n"}), "map_too_large"),
    "broken marks": (bundle(**{"annotations.json": "{"}), "map_broken"),
    "png cut off": (bundle(**{"map.pgm": png(80, 60)[:60]}), "map_no_image"),
}


@pytest.mark.parametrize("case", BAD_MAPS)
async def test_a_bad_map_is_refused_and_nothing_is_stored(local: Local, case: str):
    data, reason = BAD_MAPS[case]
    answer = await local.upload("cellar", data)
    assert (answer["code"], answer["reason"]) == (RelayCode.BAD_INPUT, reason)
    assert [row["name"] for row in (await local.good("map_list"))["list"]] == ["hall"]
    assert not list(local.robot.store.folder.glob("**/cellar*"))


@pytest.mark.spec("rule.map.name")
async def test_a_map_without_a_name_or_file_is_refused(local: Local):
    assert (await local.upload("", bundle()))["reason"] == "map_name_required"
    assert (await local.upload("cellar", b""))["reason"] == "map_file_missing"
    assert (await local("map/Upload", {"map_name": "cellar"}))["reason"] == "input_not_a_form"


@pytest.mark.spec("state.map_edit.t03", "rule.edit.block_task")
async def test_maps_are_not_edited_while_a_task_runs_on_them(local: Local):
    await local.good("task_add", TASK)
    await local.good("task_start", {"name": "Hall"})
    refused: list[dict[str, Any]] = [
        await local("map_flag_add", {"map_name": "hall", "name": "x", "x": 0, "y": 0}),
        await local("map_flag_del", {"map_name": "hall", "name": "Dock"}),
        await local("map_del", {"map_name": "hall"}),
        await local.upload("hall", bundle()),
    ]
    assert {answer["reason"] for answer in refused} == {"map.task_running"}
    await local.good("task_cancel")
    await local.good("map_flag_add", {"map_name": "hall", "name": "x", "x": 0, "y": 0})


@pytest.mark.spec("state.map_change.current", "state.map_change.t02", "state.map_change.t01")
async def test_loading_a_map_ends_the_run(local: Local):
    await local.upload("cellar", bundle())
    await local.good("task_add", TASK)
    await local.good("task_start", {"name": "Hall"})
    await local.good("map_load", {"name": "cellar"})
    (report,) = [message for message in local.robot.outbox.unconfirmed() if message.kind == "report"]
    assert b'"end":"cancelled"' in report.data
    assert (await local("task_start", {"name": "Hall", "map_name": "hall"}))["reason"] == "task_other_map"


@pytest.mark.spec("call.relay.map.map.CloudInfoUpdate")
async def test_set_the_floor_of_a_map_on_the_robot(local: Local):
    assert (await local("map/CloudInfoUpdate", {"map_name": "hall", "data": {"id": 7}}))["reason"] == "map_info_empty"
    assert (await local("map/CloudInfoUpdate", {"map_name": "attic", "data": {"floor": "2"}}))[
        "reason"
    ] == "map_unknown"
    answer = await local.good("map/CloudInfoUpdate", {"map_name": "hall", "data": {"floor": "2", "id": 7}})
    assert (answer["revision"], answer["kept"]) == (2, ["floor"])
    assert (await local.good("map/CloudInfoUpdate", {"data": {"floor": "2"}}))["revision"] == 2  # the same
    assert (await local.good("map_list"))["list"][0]["floor"] == "2"


@pytest.mark.spec("call.relay.map.map.map_sync")
async def test_a_map_sync_is_answered_by_the_robots_part_in_it(local: Local):
    payload = {"map_name": "hall", "source": "SC0001", "targets": ["SC0002"]}
    before = len(events(local.robot, "map"))
    assert await local.good("map/map_sync", payload) == {"code": 0, "msg": "", "state": "told", "revision": 1}
    assert len(events(local.robot, "map")) == before + 1
    turned = payload | {"source": "SC0002", "targets": ["SC0001"]}
    assert (await local.good("map/map_sync", turned))["state"] == "not_ordered"
    assert (await local.good("map/map_sync", turned | {"map_name": "attic"}))["revision"] == 0
    for changed, reason in (
        ({"map_name": ""}, "map_name_required"),
        ({"map_name": "attic"}, "map_unknown"),
        ({"source": ""}, "sync_source_required"),
        ({"targets": []}, "sync_targets_required"),
        ({"targets": ["SC0001"]}, "sync_to_itself"),
        ({"source": "SC0003"}, "sync_not_meant"),
    ):
        assert (await local("map/map_sync", payload | changed))["reason"] == reason


@pytest.mark.spec("rule.confirm.map_change")
async def test_another_map_is_loaded_only_at_the_end_of_the_run_that_was_confirmed(local: Local):
    robot = local.robot
    await local.upload("cellar", bundle())
    await local.good("task_add", TASK)
    run = (await local.good("task_start", {"name": "Hall"}))["run"]
    for ends in ("", "the run before"):
        assert (await local("map_load", {"name": "cellar", "ends": ends}))["reason"] == "run_not_confirmed"
    assert robot.machine.run
    assert robot.machine.floor.name == "hall"
    await local.good("map_load", {"name": "cellar", "ends": run})
    assert robot.machine.run is None
    assert robot.machine.floor.name == "cellar"
    await local.good("map_load", {"name": "hall", "ends": run})  # it has ended by itself: nothing else ends now
    assert robot.machine.floor.name == "hall"
