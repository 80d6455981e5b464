"""Logs of robots: listed, sent up on request, cancelled, asked for again; and what may go wrong on the way."""

import dataclasses
import hashlib
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from lustra.core.db import now
from lustra.core.errors import Code
from lustra.domains.device_log import upload
from lustra.domains.storage.api import upload_url
from lustra.protocol import bus
from lustra.protocol.files import FileList, FileProgress, RobotFile
from tests.device_log import helpers
from tests.device_log.helpers import announce, ask, list_files, list_logs, put_file, say_files, settled, uploads
from tests.map.robots import crews, lines
from tests.world import CLOCK, World, until

NAME = "robot-2026-11-20-001.log"
BAG = "1795263600000.bag"


async def stored_bytes(world: World, log_id: int, account: str = "user") -> bytes:
    url = await world.call(account, "/deviceLog/downloadUrl", id=log_id)
    return (await world.http.get(url)).content


@pytest.mark.spec(
    "call.deviceLog.list",
    "call.deviceLog.upLoadFile",
    "call.deviceLog.getUpLoadStatus",
    "state.upload",
    "state.upload.uploading",
    "state.upload.synchronised",
    "state.upload.t01",
    "ent.device_log",
    "ent.device_log.id",
    "ent.device_log.deviceId",
    "ent.device_log.name",
    "ent.device_log.size",
    "ent.device_log.time",
    "ent.device_log.kind",
    "ent.device_log.uploadState",
)
async def test_a_log_of_a_robot_is_listed_sent_up_and_opened(world: World, tmp_path: Path):
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0001")
        put_file(robot, "device", NAME, content := b"2026-11-20T08:00:00.000Z INFO mode - -> idle\n" * 4000)
        await announce(crew, robot)
        [row] = await list_logs(world)
        assert (row["name"], row["size"], row["kind"], row["uploadState"]) == (NAME, len(content), "device", "")
        assert (row["deviceId"], row["onRobot"], row["stored"]) == (world.devices["SC0001"], True, False)
        code, begun = await ask(world, "device", NAME)
        assert (code, begun) == (0, {"id": row["id"]})
        done = await settled(world, crew, "synchronised")
        assert (done["id"], done["progress"], done["reason"]) == (row["id"], 100, "")
        [row] = await list_logs(world)
        assert (row["uploadState"], row["stored"], row["onRobot"]) == ("synchronised", True, True)
        assert await stored_bytes(world, row["id"]) == content
        assert (await ask(world, "device", NAME))[0] == Code.BAD_INPUT  # as it is, it is here


@pytest.mark.spec("call.deviceLog.listPad", "call.deviceLog.rosbagList", "call.deviceLog.navlogList")
async def test_each_kind_has_its_list(world: World):
    for kind in ("device", "pad", "rosbag", "navlog"):
        await say_files(world, "SC0001", kind, {f"{kind}.log": 10})
    assert [row["name"] for row in await list_logs(world)] == ["device.log"]
    pad = {"deviceId": world.devices["SC0001"], "currentPage": 1, "pageSize": 30}
    assert [row["name"] for row in (await world.call("user", "/deviceLog/listPad", **pad))["list"]] == ["pad.log"]
    assert [row["name"] for row in await list_files(world, "rosbag")] == ["rosbag.log"]
    assert [row["name"] for row in await list_files(world, "navlog")] == ["navlog.log"]


async def test_a_log_that_has_grown_since_may_be_sent_up_again(world: World, tmp_path: Path):
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0001")
        put_file(robot, "device", NAME, b"one\n")
        await announce(crew, robot)
        await ask(world, "device", NAME)
        await settled(world, crew, "synchronised")
        place = await world.pool.fetchval("select place from device_log")
        put_file(robot, "device", NAME, b"one\ntwo\n")
        robot.files.announced.clear()
        await announce(crew, robot)
        [row] = await list_logs(world)
        assert (row["uploadState"], row["stored"], row["size"]) == ("", True, 8)
        await ask(world, "device", NAME)
        await settled(world, crew, "synchronised")
        assert await stored_bytes(world, row["id"]) == b"one\ntwo\n"
        assert not await world.services.objects.exists(place)
        held = await world.pool.fetch("select place, size from holding where kind = 'files'")
        assert [row["size"] for row in held] == [8]


@pytest.mark.spec("call.deviceLog.cancleUploadFile", "state.upload.failed", "state.upload.t03", "state.upload.t04")
async def test_a_cancelled_upload_has_failed_and_may_be_asked_for_again(world: World, tmp_path: Path):
    async with lines(world) as line, crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0001")
        put_file(robot, "rosbag", BAG, content := helpers.noise(4 << 20))
        await announce(crew, robot)
        line.cut_up_after = 1 << 20
        _, begun = await ask(world, "rosbag", BAG)
        await until(lambda: _any(line.cuts))
        [running] = await uploads(world)
        assert running["state"] == "uploading"
        assert (await ask(world, "rosbag", BAG))[0] == Code.BAD_INPUT
        await world.call("user", "/deviceLog/cancleUploadFile", id=begun["id"])
        [row] = await uploads(world)
        assert (row["state"], row["reason"]) == ("failed", "upload_cancelled")
        assert robot.uploads.tasks == {}
        assert (await world.raw("user", "/deviceLog/cancleUploadFile", id=begun["id"]))[0] == Code.BAD_INPUT
        line.cut_up_after = 0
        await ask(world, "rosbag", BAG)
        await settled(world, crew, "synchronised")
        assert await stored_bytes(world, begun["id"]) == content


async def _any(value: Any) -> Any:
    return value


async def test_report_a_broken_connection_and_try_again(world: World, tmp_path: Path):
    async with lines(world) as line, crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0001")
        put_file(robot, "rosbag", BAG, content := helpers.noise(4 << 20))
        await announce(crew, robot)
        line.cut_up_after = 1 << 20
        _, begun = await ask(world, "rosbag", BAG)

        async def cut() -> Any:
            await crew.listen()
            return [row for row in await uploads(world) if row["reason"] == "upload_cut"]

        [row] = await until(cut)
        assert row["state"] == "uploading"
        line.cut_up_after = 0
        await settled(world, crew, "synchronised")
        assert await stored_bytes(world, begun["id"]) == content


@pytest.mark.spec("state.upload.t02")
async def test_a_robot_that_gives_no_sign_has_failed_and_nothing_of_it_is_taken_later(world: World, tmp_path: Path):
    async with lines(world) as line, crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0001")
        put_file(robot, "rosbag", BAG, helpers.noise(2 << 20))
        await announce(crew, robot)
        line.cut_up_after = 1 << 20
        await ask(world, "rosbag", BAG)
        await until(lambda: _any(line.cuts))
        await crew.switch_off("SC0001")
        await upload.end_silent(world.services)
        assert [row["state"] for row in await uploads(world)] == ["uploading"]  # it may still come
        await world.pool.execute(
            "update device_log set heard_at = $1", now() - upload.SILENT_AFTER - timedelta(seconds=1)
        )
        await upload.end_silent(world.services)
        [row] = await uploads(world)
        assert (row["state"], row["reason"]) == ("failed", "upload_silent")
        assert await put(world, row["id"], b"late") == Code.UPLOAD_EXPIRED
        assert await world.pool.fetchval("select place from device_log") == ""


async def put(world: World, number: int, data: bytes, **wrong: Any) -> int:
    """As a robot puts the bytes of an order; the code of the answer."""
    token = parse_qs(urlsplit(upload_url(world.services, "rosbag", number)).query)["token"][0]
    query = {"token": token, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()} | wrong
    return (await world.http.put("/api/oss/object", params=query, content=data)).json()["message"]["code"]


async def begin(world: World) -> int:
    """An upload that waits for its bytes."""
    await say_files(world, "SC0001", "rosbag", {BAG: 4})
    return await world.pool.fetchval("update device_log set upload_state = 'uploading' returning id")


async def test_store_no_bytes_that_differ_from_the_robots_checksum(world: World, tmp_path: Path):
    number = await begin(world)
    assert await put(world, number, b"data", sha256="0" * 64) == Code.BAD_INPUT
    assert await put(world, number, b"data", size=3) == Code.BAD_INPUT
    assert await put(world, number, b"data", sha256="") == Code.BAD_INPUT
    assert [path for path in (tmp_path / "objects").rglob("*") if path.is_file()] == []
    assert await put(world, number, b"data") == 0
    assert await put(world, number, b"data") == Code.UPLOAD_EXPIRED  # it has come


async def test_a_file_for_which_its_owner_has_no_room_is_not_stored(world: World):
    number = await begin(world)
    world.services.settings = dataclasses.replace(world.services.settings, quota_gb="files=0.000000001")
    assert await put(world, number, b"data") == Code.QUOTA
    assert (await uploads(world))[0]["state"] == "uploading"


async def test_fail_a_request_that_the_robot_refuses_with_its_reason(world: World, tmp_path: Path):
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0001")
        file = put_file(robot, "device", NAME, b"x")
        await announce(crew, robot)
        file.unlink()
        await ask(world, "device", NAME)
        row = await settled(world, crew, "failed")
        assert row["reason"] == "upload_file_unknown"


async def test_a_robot_that_is_offline_or_does_not_answer_is_not_asked_in_vain(world: World):
    await say_files(world, "SC0001", "device", {NAME: 4})
    assert (await ask(world, "device", NAME))[0] == Code.OFFLINE
    await world.online("SC0001")
    assert (await ask(world, "device", NAME))[0] == 0  # nobody listens there
    [row] = await uploads(world)
    assert (row["state"], row["reason"]) == ("failed", "upload_silent")


async def test_a_robot_that_does_not_know_the_command_says_so(world: World):
    await say_files(world, "SC0001", "device", {NAME: 4})
    await world.online("SC0001")

    async def refuse(message: Any) -> None:
        await message.respond(b'{"code": 404, "msg": "", "reason": "command_unknown"}')

    ear = await world.services.bus.link.subscribe("robots.SC0001.cmd.>", cb=refuse)
    await ask(world, "device", NAME)
    [row] = await uploads(world)
    assert (row["state"], row["reason"]) == ("failed", "command_unknown")
    await ear.unsubscribe()


async def test_a_cancelled_upload_of_a_robot_that_has_gone_is_over_all_the_same(world: World):
    number = await begin(world)
    await world.call("user", "/deviceLog/cancleUploadFile", id=number)
    assert (await uploads(world))[0]["reason"] == "upload_cancelled"


async def test_a_file_of_another_domain_is_none_of_a_log(world: World):
    number = await begin(world)
    token = parse_qs(urlsplit(upload_url(world.services, "backup", number)).query)["token"][0]
    query = {"token": token, "size": 4, "sha256": hashlib.sha256(b"data").hexdigest()}
    code = (await world.http.put("/api/oss/object", params=query, content=b"data")).json()["message"]["code"]
    assert code == Code.UPLOAD_EXPIRED
    assert (await uploads(world))[0]["state"] == "uploading"


async def test_a_file_that_is_too_large_is_not_asked_for(world: World):
    await say_files(world, "SC0001", "device", {NAME: (256 << 20) + 1})
    await world.online("SC0001")
    assert (await ask(world, "device", NAME))[0] == Code.TOO_LARGE


async def test_a_file_that_no_robot_has_is_unknown(world: World):
    await say_files(world, "SC0001", "device", {NAME: 4})
    assert (await ask(world, "device", "other.log"))[0] == Code.NOT_FOUND
    assert (await ask(world, "pad", NAME))[0] == Code.NOT_FOUND
    assert (await ask(world, "device", NAME, sn="SC9999"))[0] == Code.NOT_FOUND
    await say_files(world, "SC0001", "device", {})
    assert (await ask(world, "device", NAME))[0] == Code.NOT_FOUND
    assert await list_logs(world) == []  # neither there nor here


async def test_ignore_progress_of_an_upload_that_is_over_or_older_than_its_order(world: World):
    number = await begin(world)

    async def say(state: str, at: int, kind: str = "rosbag") -> None:
        fields = {"kind": kind, "number": number, "state": state, "have": 1, "size": 4, "reason": "x"}
        content = msgspec.convert(fields, FileProgress)
        event = bus.Event(at=at, id=f"u{at}{state}", kind="file_upload", name=f"{kind}/{number}", content=content)
        await helpers.keep(world, "SC0001", event)

    await say("failed", 1)
    assert (await uploads(world))[0]["state"] == "uploading"
    await say("failed", next(CLOCK), kind="backup")
    assert (await uploads(world))[0]["state"] == "uploading"
    await say("sending", next(CLOCK))
    assert (await uploads(world))[0]["progress"] == 25
    await say("failed", next(CLOCK))
    assert (await uploads(world))[0]["state"] == "failed"
    await say("sending", next(CLOCK))
    assert (await uploads(world))[0]["state"] == "failed"


async def test_an_older_list_does_not_take_the_place_of_a_newer_one(world: World):
    at = next(CLOCK)
    await say_files(world, "SC0001", "navlog", {"nav-b.log": 5}, at=at)
    await say_files(world, "SC0001", "navlog", {"nav-b.log": 4}, at=at - 1)
    [row] = await list_files(world, "navlog")
    assert (row["name"], row["size"]) == ("nav-b.log", 5)


async def test_a_list_that_has_the_same_name_twice_is_one_file(world: World):
    await say_files(world, "SC0001", "navlog", {"nav-b.log": 5})
    twins = [RobotFile(name="nav-b.log", size=size, time=1_790_000_000_000) for size in (7, 9)]
    event = bus.Event(at=next(CLOCK), id="twins", kind="files", name="navlog", content=FileList(files=twins))
    await helpers.keep(world, "SC0001", event)
    assert [(row["name"], row["size"]) for row in await list_files(world, "navlog")] == [("nav-b.log", 9)]
