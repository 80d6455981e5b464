"""What a robot writes of itself, which files it says it has, and how it sends one up."""

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web

from lustra.protocol.files import DeleteFiles, FollowLog, SendFile
from lustra.robot.files import log_following, text_log, uploads
from lustra.robot.files.folder import FileFolder
from lustra.robot.files.text_log import TextLog
from lustra.robot.robot import Robot
from tests.robot.conftest import hall, open_robot

NOON = 1_795_262_400_000
DAY_MS = 86_400_000


def events(robot: Robot, kind: str) -> list[dict[str, Any]]:
    every = [msgspec.json.decode(message.data) for message in robot.outbox.unconfirmed() if message.kind == "event"]
    return [event for event in every if event["kind"] == kind]


def test_a_log_has_a_file_for_each_day_and_each_megabyte_and_the_oldest_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(text_log, "MOST_BYTES", 100)
    monkeypatch.setattr(text_log, "MOST_FILES", 3)
    log = TextLog(tmp_path, "robot")
    log.write(NOON, "one\nline" + "x" * 30)
    log.write(NOON, "y" * 60)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["robot-2026-11-21-001.log", "robot-2026-11-21-002.log"]
    assert (tmp_path / "robot-2026-11-21-001.log").read_text() == f"2026-11-21T12:00:00.000Z INFO one line{'x' * 30}\n"
    for days in (1, 2):
        log.write(NOON + days * DAY_MS, "later")
    assert sorted(file.name[6:16] for file in tmp_path.iterdir()) == ["2026-11-21", "2026-11-22", "2026-11-23"]
    again = TextLog(tmp_path, "robot")
    again.write(NOON + 2 * DAY_MS, "after a restart")
    assert again.name == "robot-2026-11-23-001.log"


def test_a_robot_writes_what_changes_and_where_it_drives(tmp_path: Path):
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    robot.journal.step(robot.machine, NOON)
    robot.machine.fault("stuck", on=True)
    robot.journal.step(robot.machine, NOON + 500)
    text = (robot.journal.robot.folder / robot.journal.robot.name).read_text()
    assert "map - -> hall" in text
    assert "WARN fault - -> stuck" in text
    assert text.count("status battery=") == 1
    assert not robot.journal.navigation.folder.exists()
    robot.machine.rate = 1.0
    for ms in (0, 400, 1000):
        robot.journal.step(robot.machine, NOON + ms)
    lines = (robot.journal.navigation.folder / robot.journal.navigation.name).read_text().splitlines()
    assert len(lines) == 2
    assert "map=hall x=" in lines[0]


def test_send_lists_when_files_come_or_go_and_later_when_one_has_grown(tmp_path: Path):
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    robot.journal.robot.write(NOON, "first" * 20)
    robot.files.announce(NOON)
    assert [event["name"] for event in events(robot, "files")] == ["device", "pad", "rosbag", "navlog"]
    robot.journal.robot.write(NOON, "second")
    robot.files.announce(NOON + 1000)
    assert len(events(robot, "files")) == 4
    robot.files.announce(NOON + 600_000)
    grown = events(robot, "files")[4]["content"]["files"]
    assert [file["name"] for file in grown] == [robot.journal.robot.name]
    robot.journal.robot.write(NOON, "x" * 1000)  # more than twice as much
    robot.files.announce(NOON + 600_001)
    assert len(events(robot, "files")) == 6
    robot.journal.navigation.write(NOON, "old")
    old, robot.journal.navigation.name = robot.journal.navigation.name, ""
    robot.files.announce(NOON + 600_002)
    assert robot.files.delete(DeleteFiles(kind="navlog", names=[old, "../facts.json"]), NOON) == [old]
    assert events(robot, "files")[-1]["content"] == {"files": []}
    assert (tmp_path / "SC0001" / "facts.json").exists()


def test_no_file_of_another_folder_is_sent(tmp_path: Path):
    (tmp_path / "secret.log").write_text("secret")
    folder = FileFolder(tmp_path / "logs", ("*.log",))
    for name in ("../secret.log", "secret.log", ""):
        with pytest.raises(Exception, match="does not have this file"):
            folder.pack(name, tmp_path / "copy")


@pytest.fixture
async def server():
    """A server that takes what is put, after as many refusals as it shall give first."""
    state: dict[str, Any] = {"answers": [], "put": []}

    async def take(request: web.Request) -> web.Response:
        state["put"].append((await request.read(), dict(request.query)))
        return state["answers"].pop(0) if state["answers"] else web.json_response({"message": {"code": 0}, "data": {}})

    app = web.Application()
    app.router.add_put("/put", take)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await (site := web.TCPSite(runner, "127.0.0.1", 0)).start()
    state["url"] = f"http://127.0.0.1:{runner.addresses[0][1]}/put?token=t"
    yield state
    await site.stop()
    await runner.cleanup()


def refusal(field: str | None) -> web.Response:
    return web.json_response({"message": {"code": 40000}, "data": field and {"field": field}})


async def send(robot: Robot, url: str, **fields: Any) -> list[tuple[str, str]]:
    """How it went: states and reasons."""
    robot.journal.robot.write(NOON, "a line")
    order = {"kind": "device", "number": 5, "name": robot.journal.robot.name, "url": url, "largest": 1 << 20}
    robot.uploads.accept(SendFile(**order | fields))
    await asyncio.gather(*robot.uploads.tasks.values(), return_exceptions=True)
    return [(event["content"]["state"], event["content"]["reason"]) for event in events(robot, "file_upload")]


async def test_a_file_is_put_with_its_size_and_checksum(robot: Robot, server: dict[str, Any]):
    assert await send(robot, server["url"]) == [("sending", ""), ("sent", "")]
    [(data, query)] = server["put"]
    assert data == (robot.journal.robot.folder / robot.journal.robot.name).read_bytes()
    assert query == {"token": "t", "size": str(len(data)), "sha256": hashlib.sha256(data).hexdigest()}
    assert list((robot.store.folder / "outgoing").iterdir()) == []


async def test_send_a_damaged_recording_again_and_give_it_up_in_the_end(
    robot: Robot, server: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(uploads, "AGAIN_S", 0.0)
    server["answers"] = [refusal("sha256")]
    assert (await send(robot, server["url"]))[-1] == ("sent", "")
    server["answers"] = [refusal("sha256") for _ in range(3)]
    assert (await send(robot, server["url"], number=6))[-1] == ("failed", "upload_checksum")
    assert len(server["put"]) == 5


@pytest.mark.parametrize("answer", [refusal(None), refusal("token"), web.Response(text="no envelope")])
async def test_give_up_at_once_what_the_server_refuses(robot: Robot, server: dict[str, Any], answer: web.Response):
    server["answers"] = [answer]
    assert (await send(robot, server["url"]))[-1] == ("failed", "upload_refused")


async def test_a_server_that_fails_is_tried_again(
    robot: Robot, server: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(uploads, "AGAIN_S", 0.0)
    server["answers"] = [web.Response(status=502)]
    assert await send(robot, server["url"]) == [("sending", ""), ("sending", "upload_cut"), ("sent", "")]


async def test_a_file_that_is_too_large_or_not_there_is_not_sent(robot: Robot, server: dict[str, Any]):
    assert await send(robot, server["url"], largest=3) == [("failed", "upload_too_large")]
    assert (await send(robot, server["url"], number=6, name="none.log"))[-1] == ("failed", "upload_file_unknown")
    assert (await send(robot, server["url"], number=7, kind="backup"))[-1] == ("failed", "upload_file_unknown")
    assert server["put"] == []


async def test_the_next_owner_finds_no_log_of_the_former(robot: Robot, server: dict[str, Any]):
    robot.journal.robot.write(NOON, "a line of the former owner")
    robot.uploads.accept(SendFile(kind="device", number=5, name=robot.journal.robot.name, url=server["url"]))
    robot.erase(1)
    assert robot.uploads.tasks == {}
    assert robot.files.folders["device"].list_files() == []
    robot.journal.robot.write(NOON, "first line of the next")
    assert len(robot.files.folders["device"].list_files()) == 1


def test_a_followed_log_gives_its_last_lines_and_then_each_new_one_by_number(tmp_path: Path):
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    log, following = robot.journal.robot, robot.following
    for word in ("a", "b", "c"):
        log.write(NOON, word)
    assert following.take("device", 1) is None
    begin = following.accept(FollowLog(kind="device", seconds=60, last=2), 1)
    assert [line.split()[-1] for line in begin.lines] == ["b", "c"]
    log.write(NOON, "d")
    message = following.take("device", 2)
    assert message is not None
    assert (message.first, [line.split()[-1] for line in message.lines]) == (begin.first + 2, ["d"])
    assert following.take("device", 3) is None
    following.accept(FollowLog(kind="device", seconds=0), 4)
    log.write(NOON, "e")
    assert following.take("device", 5) is None
    assert not following.active


def test_lines_that_are_too_many_are_left_out_and_their_numbers_show_it(tmp_path: Path):
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    robot.following.accept(FollowLog(kind="pad", seconds=60), 1)
    for number in range(text_log.MOST_RECENT + 100):
        robot.journal.screen.write(NOON, f"{number} {'x' * text_log.LONGEST}")
    first = robot.following.take("pad", 2)
    assert first is not None
    assert first.first == 100
    assert 0 < sum(map(len, first.lines)) <= log_following.MOST_BYTES
    then = robot.following.take("pad", 3)
    assert then is not None
    assert then.first == 100 + len(first.lines)
