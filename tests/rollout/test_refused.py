"""What is refused about updates leaves nothing behind; firmware, apps and whole machines go by the device API too."""

import asyncio
import hashlib
from typing import Any, NamedTuple

import pytest

from lustra.core.errors import Code
from lustra.core.files import disk
from tests.rollout.conftest import PACKAGE, Workshop
from tests.rollout.test_ddi import SN, Updater, create_token
from tests.rollout.test_kinds import APP, FIRMWARE, add_app, add_firmware, add_whole, device
from tests.version.helpers import add_line, upload

CHUNKS = {
    "firmware": {"firmware": ("1.1.0", FIRMWARE)},
    "app": {"bApp": ("Pad 1.1", APP)},
    "whole": {"os": ("2.0.0", PACKAGE), "firmware": ("1.1.0", FIRMWARE), "bApp": ("Pad 1.1", APP)},
}


class Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.mark.parametrize("kind", ["firmware", "app", "whole"])
async def test_each_kind_comes_to_a_robot_that_asks_with_its_own_chunks(workshop: Workshop, kind: str):
    world, updater = workshop.world, Updater(workshop, await create_token(workshop))
    if kind == "whole":
        await workshop.publish("2.0.0", PACKAGE, SN)
    number = await add_firmware(workshop) if kind != "app" else 0
    number = await add_app(workshop) if kind != "firmware" else number
    number = await add_whole(workshop) if kind == "whole" else number
    await world.pool.execute("update device set deleted_at = now() where serial_number <> $1", SN)
    rollout = await workshop.roll_out(number, versionKind=kind)
    await workshop.work(crew=False)
    action = await updater.action()
    assert action
    chunks = (await updater.ask(path=f"/deploymentBase/{action}"))[1]["deployment"]["chunks"]
    digests = {each["part"]: (each["version"], each["artifacts"][0]["hashes"]["sha256"]) for each in chunks}
    assert digests == {
        part: (version, hashlib.sha256(content).hexdigest()) for part, (version, content) in CHUNKS[kind].items()
    }
    assert await updater.report(action, "closed", "success") == 200
    await workshop.work(crew=False)
    assert (await workshop.rollout(rollout))["state"] == "finished"
    versions = await device(workshop)
    assert (versions["firmware"] == "1.1.0", versions["app"] == "Pad 1.1") == (kind != "app", kind != "firmware")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"status": {"execution": "x" * 33}}, Code.BAD_INPUT),
        ({"status": {"execution": "closed", "result": {"finished": "x" * 33}}}, Code.BAD_INPUT),
        ({"status": {"execution": "closed", "details": [{}]}}, Code.BAD_INPUT),
        ({"status": "closed"}, Code.BAD_INPUT),
        ({"status": {"execution": "proceeding", "details": ["a\x00"]}}, Code.BAD_INPUT),
    ],
)
async def test_feedback_that_cannot_be_is_refused_and_changes_nothing(
    workshop: Workshop, body: dict[str, Any], code: Code
):
    updater = Updater(workshop, await create_token(workshop))
    rollout = await workshop.roll_out(await workshop.publish("2.0.0", PACKAGE, SN))
    await workshop.work(crew=False)
    action = await updater.action()
    _, answer = await updater.ask("POST", f"/deploymentBase/{action}/feedback", **body)
    assert answer["message"]["code"] == code
    [row] = (await workshop.rollout(rollout))["list"]
    assert row["state"] == "waiting"


async def test_of_what_a_robot_says_of_itself_so_much_is_stored(workshop: Workshop):
    updater = Updater(workshop, await create_token(workshop))
    data = {f"{number:03}{'n' * 200}": "v" * 200 for number in range(100)}
    assert (await updater.ask("PUT", "/configData", data=data))[0] == 200
    view = await workshop.world.call("admin", "/device/selectUpdateToken", deviceId=workshop.world.devices[SN])
    assert len(view["attributes"]) == 64
    assert {(len(name), len(value)) for name, value in view["attributes"].items()} == {(128, 128)}


async def test_of_two_roll_outs_for_the_same_robot_one_begins(workshop: Workshop):
    build = await workshop.publish("2.0.0", PACKAGE, SN)
    firmware = await add_firmware(workshop)
    answers = await asyncio.gather(
        workshop.world.raw("admin", "/version/startRollout", publicId=build),
        workshop.world.raw("admin", "/version/startRollout", publicId=firmware, versionKind="firmware"),
    )
    codes = [code for code, _ in answers]
    assert codes.count(0) == 1
    assert set(codes) <= {0, Code.BAD_INPUT, Code.EXISTS}
    assert await workshop.world.pool.fetchval("select count(*) from rollout") == 1


async def test_on_a_full_disk_a_version_is_not_made_and_its_upload_stays(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
):
    world, line = workshop.world, await add_line(workshop.world)
    fields = {"versionId": line, "name": "b", "version": "1", "file": await upload(world)}
    with monkeypatch.context() as full:
        full.setattr(disk.shutil, "disk_usage", lambda _: Usage(100 << 30, 0, 1 << 30))
        full.setattr(world.services.objects, "reserve_mb", 2048)
        assert (await world.raw("admin", "/version/insertVersionPublic", **fields))[0] == Code.DISK_FULL
    assert await world.pool.fetchval("select count(*) from version_file") == 0
    assert await world.services.objects.list_folder("versions/") == []
    assert (await world.raw("admin", "/version/insertVersionPublic", **fields))[0] == 0


async def test_a_version_is_made_of_ones_own_upload_alone(workshop: Workshop):
    world, line = workshop.world, await add_line(workshop.world)
    name = await upload(world, "rival", "foreign.zip")
    for path in (name, f"../{name}", f"%2e%2e/{name}", "/etc/passwd"):
        fields = {"versionId": line, "name": "b", "version": "1", "file": path}
        assert (await world.raw("admin", "/version/insertVersionPublic", **fields))[0] == Code.BAD_INPUT, path
    assert await world.pool.fetchval("select count(*) from version_file") == 0
