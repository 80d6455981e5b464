"""Recordings that robots make for alarms: fetched of itself, listed with the alarm, found over the fleet."""

import asyncio
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lustra.app.processes import worker
from lustra.core.errors import Code
from lustra.core.files import disk
from lustra.domains.account.access.support import Look
from lustra.domains.account.api import find_actor
from lustra.domains.device_log import fetching, following
from lustra.protocol import bus
from lustra.protocol.files import FileList, RecordedAlarm, RobotFile, Trigger
from lustra.robot.clock import now_ms
from tests.alarm.test_alarms import alarm_message, say
from tests.device_log.helpers import keep, list_files, settled
from tests.map.robots import crews, lines
from tests.robot.conftest import hall
from tests.world import CLOCK, World, until

DOOR = {"mapName": "jade-1", "x": 4.0, "y": 2.0}
CODE = "0x0534"


async def work(world: World) -> None:
    await worker.run_worker(world.services.settings, until_empty=True)


async def search(world: World, account: str = "user", **filters: Any) -> list[dict[str, Any]]:
    paging = {"currentPage": 1, "pageSize": 30}
    return (await world.call(account, "/deviceLog/searchRecordings", **paging, **filters))["list"]


async def tell(world: World, *triggers: Trigger, sn: str = "SC0001", at: int = 0) -> list[str]:
    """A robot has these recordings; their names."""
    files = [RobotFile(name=f"alarm-{each.at}.mcap", size=9, time=each.at, trigger=each) for each in triggers]
    at = at or next(CLOCK)
    await keep(world, sn, bus.Event(at=at, id=f"f{at}", kind="files", name="rosbag", content=FileList(files=files)))
    return [file.name for file in files]


def trigger(
    code: str = CODE, *, ago_s: int = 0, x: float = 4.5, by: Any = "alarm", map_name: str = "jade-1"
) -> Trigger:
    alarms = [RecordedAlarm(id=f"a{code}", code=code)]
    return Trigger(by=by, at=now_ms() - ago_s * 1000, map=map_name, x=x, y=2.0, alarms=alarms)


async def test_a_black_box_comes_of_itself_is_listed_with_its_alarm_and_opens(world: World, tmp_path: Path):
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0001")
        robot.save_map(hall())
        robot.alarms.update({CODE})
        begin = now_ms()
        for at in range(begin, begin + 10_001, 100):
            robot.black_box.step(robot.machine, at, robot.alarms.open.values())
        robot.files.announce(begin)
        alarm = robot.alarms.open[CODE]
        await say(world, alarm_message("raised", (alarm.id, CODE), at=begin))
        await crew.listen()
        await work(world)
        await settled(world, crew, "synchronised")
        await work(world)
    [raised] = (await world.call("user", "/warn/list", code=CODE, currentPage=1, pageSize=5))["list"]
    [row] = (await world.call("user", "/warn/recordings", warnId=raised["warnId"]))["list"]
    assert (row["by"], row["uploadState"], row["ready"]) == ("alarm", "synchronised", True)
    opened = await world.call("user", "/deviceLog/openRecording", id=row["id"])
    assert {topic["name"] for topic in opened["topics"]} >= {"/pose", "/state"}
    assert all(topic["readable"] for topic in opened["topics"])
    assert (await world.call("rivaluser", "/warn/recordings", warnId=raised["warnId"]))["list"] == []


async def test_recordings_of_a_code_are_found_where_they_were_made(world: World):
    await tell(world, trigger(), trigger("imu", ago_s=4), trigger(x=40.0, ago_s=1), trigger(map_name="jade-2", ago_s=2))
    await tell(world, trigger(ago_s=3), sn="SC0002")
    assert len(await search(world, "admin")) == 5
    rows = await search(world, "admin", code=CODE, **DOOR)
    assert {row["deviceSerialNumber"] for row in rows} == {"SC0001", "SC0002"}
    [alarm] = rows[0]["trigger"]["alarms"]
    assert alarm["code"] == CODE
    assert alarm["content"] != CODE
    own = {"deviceId": world.devices["SC0001"]}
    assert len(await search(world, code=CODE, **DOOR, within=50, **own)) == 2
    assert len(await search(world, code="imu", triggered=True, **own)) == 1
    today = rows[0]["time"][:10]
    assert await search(world, startDate="2020-01-01", endDate="2020-01-02") == []
    assert len(await search(world, startDate="2020-01-01", endDate=today, **own)) == 4
    assert await search(world, building="nowhere") == []
    assert await search(world, "rivaluser", code=CODE) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"x": 1.0, "y": 1.0},
        {"mapName": "m", "x": 1.0},
        {"within": 0},
        {"startDate": "2026-02-02", "endDate": "2026-02-01"},
    ],
)
async def test_a_place_without_its_map_or_by_half_is_refused(world: World, wrong: dict[str, Any]):
    paging = {"currentPage": 1, "pageSize": 30}
    assert (await world.raw("user", "/deviceLog/searchRecordings", **paging, **wrong))[0] == Code.BAD_INPUT


async def waiting(world: World) -> list[str]:
    """Of the recordings those that the server has asked for; no robot answers."""
    await fetching.fetch_all(world.services)
    return [row["name"] for row in await list_files(world, "rosbag") if row["uploadState"]]


async def test_request_a_recording_of_the_same_alarms_once_an_hour(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lustra.domains.device_log.upload.ANSWERS_IN_S", 0.05)
    first, again, other, order = (
        trigger(ago_s=60),
        trigger(ago_s=30),
        trigger("imu", ago_s=20),
        trigger(by="order", ago_s=10),
    )
    [name] = await tell(world, first)
    await world.pool.execute("update presence set online = false")
    assert await waiting(world) == []  # the robot is away
    await world.online("SC0001")
    assert await waiting(world) == [name]
    stored = "update device_log set upload_state = 'synchronised', place = 'p' where name = $1"
    await world.pool.execute(stored, name)
    names = await tell(world, first, again, other, order)
    assert set(await waiting(world)) == set(names) - {names[1]}


async def test_two_workers_request_a_recording_once(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lustra.domains.device_log.upload.ANSWERS_IN_S", 0.05)
    ordered: list[str] = []

    async def order(_app: object, sn: str, *_: object) -> None:
        ordered.append(sn)

    monkeypatch.setattr(fetching, "order", order)
    await world.online("SC0001")
    await tell(world, trigger(ago_s=60))
    async with world.as_ingest() as db, db.transaction():
        await db.execute("select from device_log for update")
        workers = [asyncio.create_task(fetching.fetch_all(world.services)) for _ in range(2)]

        async def wait_for_both() -> bool:
            return await world.pool.fetchval("select count(*) = 2 from pg_locks where not granted")

        await until(wait_for_both)
    await asyncio.gather(*workers)
    assert ordered == ["SC0001"]


async def test_hide_recordings_of_the_former_owner_from_the_new(world: World):
    await world.pool.execute(
        "insert into former_owner (device_id, owner_id, to_id, things, until, by_id)"
        " select d.id, a.id, d.owner_id, 'keep', epoch_ms(now()), a.id from device d, account a"
        " where d.serial_number = 'SC0001' and a.account = 'rivaluser'"
    )
    await tell(world, trigger(ago_s=60), trigger(ago_s=-60), at=now_ms() + 60_000)
    assert len(await search(world)) == 1


async def test_ask_for_no_recording_that_is_too_large_or_has_no_room(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lustra.domains.device_log.upload.ANSWERS_IN_S", 0.05)
    await world.online("SC0001")
    monkeypatch.setattr(fetching, "LARGEST", 0)
    [name] = await tell(world, trigger(ago_s=60))
    assert await waiting(world) == []
    monkeypatch.setattr(fetching, "LARGEST", 100)
    monkeypatch.setattr(disk.shutil, "disk_usage", lambda _: DiskUsage(100, 0, 0))
    monkeypatch.setattr(world.services.objects, "reserve_mb", 2048)
    assert await waiting(world) == []
    monkeypatch.undo()
    monkeypatch.setattr("lustra.domains.device_log.upload.ANSWERS_IN_S", 0.05)
    assert await waiting(world) == [name]


class DiskUsage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.mark.parametrize("support", [False, True])
async def test_reading_a_log_as_it_is_written_is_recorded(world: World, support: bool):
    customer, account = world.accounts["user"], "dealer" if support else "user"
    async with world.services.sessions() as db:
        actor = await find_actor(db, world.accounts[account])
    look = Look("live_log", 7, "app.log", world.devices["SC0001"])
    await following.record_following(
        world.services, actor, "127.0.0.1", look, kind="device", customer=customer if support else None
    )
    rows = await world.pool.fetch("select action, detail from audit where device_id = $1", world.devices["SC0001"])
    assert [row["action"] for row in rows] == ["device_log.follow", *(["support.look"] if support else [])]
    assert rows[0]["detail"] == {"deviceId": world.devices["SC0001"], "name": "app.log", "kind": "device"}
