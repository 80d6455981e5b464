"""Map sync: who may send which map where, and how robots get it over a line that breaks."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.domains.map import courier, sync
from lustra.protocol import bus
from lustra.protocol.payloads.tasks import Task
from tests.map.robots import Crew, crews, lines, mirrored, noise
from tests.robot.conftest import TASK, hall
from tests.world import World, until

MB = 1 << 20
FAR_FUTURE = 4_000_000_000_000  # ms: newer than what any robot has


async def list_syncs(world: World, account: str = "user", **filters: Any):
    return (await world.call(account, "/map/selectSync", **filters))["list"]


async def start(world: World, map_id: int, *sns: str, account: str = "user", **more: Any):
    ids = [world.devices[sn] for sn in sns]
    return await world.raw(account, "/map/syncMap", mapId=map_id, deviceIds=ids, **more)


async def deliver(world: World) -> None:
    """What the worker does: one try each."""
    due = "update map_sync_target set next_at = now() where next_at is not null returning id"
    for row in await world.pool.fetch(due):
        await courier.deliver(world.services, row["id"])


async def settled(world: World, crew: Crew, state: str, count: int = 1, seconds: float = 30):
    """Until so many targets are in that state."""

    async def look():
        await crew.listen()
        syncs = await list_syncs(world)
        return syncs if sum(row["state"] == state for row in syncs) == count else None

    return await until(look, seconds)


async def comes_while_it_works(world: World, crew: Crew, *, replace: bool = True):
    """A robot whose task runs in the hall, and the other hall that has come to it meanwhile."""
    source = await mirrored(world, "SC0001", noise(name="hall"), at=FAR_FUTURE)
    robot = await crew.switch_on("SC0002")
    robot.save_map(hall())
    robot.machine.load(robot.store.maps["hall"], 0)
    await crew.listen()
    await robot.starts.begin(Task.model_validate(TASK))
    await start(world, source, "SC0002", replace=replace)
    await deliver(world)
    [row] = await settled(world, crew, "sent")
    return robot, row


@pytest.mark.spec(
    "call.relay.map.map_sync_mq",
    "state.map_sync",
    "state.map_sync.receive_success",
    "state.map_sync.t01",
    "err.text.map_sync_receive_success",
)
async def test_a_map_of_one_robot_comes_to_another(world: World, tmp_path: Path):
    source = await mirrored(world, "SC0001", noise())
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0002")
        code, begun = await start(world, source, "SC0002")
        assert code == 0
        await deliver(world)
        [row] = await settled(world, crew, "received")
        assert (row["syncId"], row["deviceId"], row["have"]) == (begun["syncId"], world.devices["SC0002"], row["size"])
        got = robot.store.maps["Ground"]
        assert (got.revision, got.building, got.flags[0].id) == (1, "Kestrel", "f1")
        maps = (await world.call("user", "/map/selectMap", deviceId=world.devices["SC0002"]))["list"]
        assert [entry["name"] for entry in maps] == ["Ground"]
        code, _ = await start(world, source, "SC0002")
        assert code == 0
        assert (await list_syncs(world))[0]["state"] == "received"  # it has the very map: nothing is sent
        assert (await list_syncs(world))[0]["attempts"] == 0


@pytest.mark.spec("state.map_sync.sending", "state.map_sync.send_success", "err.text.map_sync_send_success")
async def test_a_cut_costs_less_than_a_megabyte_and_so_does_a_restart(world: World, tmp_path: Path):
    sns = ("SC0002", "SC0003")
    source = await mirrored(world, "SC0001", noise(side=2900))
    async with lines(world) as line, crews(world, tmp_path / "robots") as crew:
        for sn in sns:
            await crew.switch_on(sn)
        line.cut_after = 3 * MB
        await start(world, source, *sns)
        await deliver(world)
        size = (await list_syncs(world))[0]["size"]
        assert size > 8 * MB
        await until(lambda: asyncio.sleep(0, crew.robots["SC0002"].downloads.bytes_on_disk(1) > 4 * MB), 60)
        await crew.switch_off("SC0002")
        await crew.switch_on("SC0002")
        await settled(world, crew, "received", 2, 90)
        assert line.cuts >= 2 * len(sns)
        breaks = line.cuts + 1
        assert line.sent - len(sns) * size < breaks * MB
        assert [crew.robots[sn].store.maps["Ground"].size for sn in sns] == [(2900, 2900)] * 2


@pytest.mark.spec("state.map_sync.receive_failure", "err.text.map_sync_receive_failure")
async def test_own_newer_changes_are_not_overwritten_unless_that_is_asked_for(world: World, tmp_path: Path):
    source = await mirrored(world, "SC0001", noise(), at=1000)
    await mirrored(world, "SC0002", noise(side=50), revision=4, at=2000)
    targets = (await world.call("user", "/map/syncTargets", mapId=source))["list"]
    present = {row["deviceSerialNumber"]: row["there"] for row in targets}
    assert (present["SC0002"], present["SC0003"]) == ("newer", "none")
    await start(world, source, "SC0002")
    [row] = await list_syncs(world)
    assert (row["state"], row["reason"]) == ("receive_failed", "sync_conflict")
    of = {"syncId": row["syncId"], "deviceId": row["deviceId"]}
    assert (await world.raw("user", "/map/retrySync", **of))[0] == Code.MAP_REFUSED
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0002")
        await world.call("user", "/map/retrySync", replace=True, **of)
        await deliver(world)
        await settled(world, crew, "received")
        assert robot.store.maps["Ground"].size == (60, 60)


async def test_leave_what_a_robot_changed_while_the_map_was_on_its_way(world: World, tmp_path: Path):
    source = await mirrored(world, "SC0001", noise())
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0002")
        await start(world, source, "SC0002")
        robot.save_map(hall(name="Ground"))
        await deliver(world)
        [row] = await settled(world, crew, "receive_failed")
        assert row["reason"] == "sync_conflict"
        assert robot.store.maps["Ground"].size == hall().size


async def test_a_robot_without_room_says_so_and_keeps_its_old_map(world: World, tmp_path: Path):
    source = await mirrored(world, "SC0001", noise(side=400))
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0002", disk=300_000)
        robot.save_map(hall(name="Ground"))
        await crew.listen()
        await start(world, source, "SC0002", replace=True)
        await deliver(world)
        [row] = await settled(world, crew, "receive_failed")
        assert row["reason"] == "sync_space"
        assert robot.store.maps["Ground"].size == hall().size
        assert list((tmp_path / "robots" / "SC0002" / "incoming").glob("*.zip")) == []


@pytest.mark.spec("state.map_sync.t02", "state.map_sync.t04")
async def test_a_map_that_a_task_runs_on_waits_for_its_end(world: World, tmp_path: Path):
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot, row = await comes_while_it_works(world, crew)
        assert (row["reason"], row["have"]) == ("map.task_running", row["size"])
        assert robot.machine.floor.size == hall().size
        robot.machine.cancel(0)
        robot.downloads.woken.set()
        await settled(world, crew, "received")
        assert robot.machine.floor.size == (60, 60)


@pytest.mark.spec("state.map_sync.t05")
async def test_refuse_a_sent_map_when_the_robot_changed_its_own_meanwhile(world: World, tmp_path: Path):
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot, _ = await comes_while_it_works(world, crew, replace=False)
        changed = hall(5, 5)
        changed.revision = robot.store.maps["hall"].revision + 1
        robot.save_map(changed)
        robot.machine.cancel(0)
        robot.downloads.woken.set()
        [row] = await settled(world, crew, "receive_failed")
        assert (row["reason"], row["have"]) == ("sync_conflict", row["size"])
        assert robot.store.maps["hall"].size == hall(5, 5).size


async def test_a_broken_file_is_not_taken_and_tried_again(world: World, tmp_path: Path):
    source = await mirrored(world, "SC0001", noise())
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0002")
        await start(world, source, "SC0002")
        place, size = await world.pool.fetchrow("select place, size from map_sync")
        good = await world.services.objects.get(place)
        await world.services.objects.put_bytes(place, b"0" * size)
        await deliver(world)
        [row] = await settled(world, crew, "waiting")
        assert row["reason"] == "sync_checksum"
        assert robot.store.maps == {}
        await world.services.objects.put_bytes(place, good)
        await deliver(world)
        await settled(world, crew, "received")


async def test_a_map_that_no_robot_takes_is_refused_with_the_reason(world: World, tmp_path: Path):
    bad = noise()
    bad.virtual_walls = [bus.Zone(points=[(0, 0), (99, 0)])]
    source = await mirrored(world, "SC0001", bad)
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0002")
        await start(world, source, "SC0002")
        await deliver(world)
        [row] = await settled(world, crew, "receive_failed")
        assert row["reason"] == "map.beyond_edge"
        assert robot.store.maps == {}


async def test_send_no_cancelled_map(world: World, tmp_path: Path):
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot, row = await comes_while_it_works(world, crew)
        of = {"syncId": row["syncId"], "deviceId": row["deviceId"]}
        await world.call("user", "/map/cancelSync", **of)
        await deliver(world)
        await settled(world, crew, "cancelled")
        robot.machine.cancel(0)
        assert [order.report.state for order in robot.downloads.orders.values()] == ["dropped"]
        assert robot.store.maps["hall"].size == hall().size
        assert (await world.raw("user", "/map/cancelSync", **of))[0] == Code.MAP_REFUSED


async def test_a_newer_sync_takes_the_place_of_an_older_one(world: World):
    source = await mirrored(world, "SC0001", noise())
    await start(world, source, "SC0002")
    await mirrored(world, "SC0001", noise(side=50), revision=2)
    await start(world, source, "SC0002")
    assert [(row["revision"], row["state"], row["reason"]) for row in await list_syncs(world)] == [
        (2, "waiting", ""),
        (1, "cancelled", "sync_newer"),
    ]


async def test_a_file_is_packed_once_and_again_where_it_is_gone(world: World):
    source = await mirrored(world, "SC0001", noise())
    await start(world, source, "SC0002")
    place = await world.pool.fetchval("select place from map_sync")
    packed = (await world.services.objects.about(place)).etag
    await start(world, source, "SC0003")
    assert await world.pool.fetchval("select count(distinct place) from map_sync") == 1
    assert (await world.services.objects.about(place)).etag == packed
    await world.services.objects.delete(place)
    await world.pool.execute("update map_sync_target set state = 'receive_failed'")
    [row, _] = await list_syncs(world)
    await world.call("user", "/map/retrySync", syncId=row["syncId"], deviceId=row["deviceId"])
    assert await world.services.objects.exists(place)


async def test_a_map_is_not_sent_again_to_a_robot_that_is_gone(world: World):
    source = await mirrored(world, "SC0001", noise())
    await start(world, source, "SC0002")
    await world.pool.execute("update map_sync_target set state = 'receive_failed'")
    [row] = await list_syncs(world)
    await world.pool.execute("update device set deleted_at = now() where serial_number = 'SC0002'")
    code, _ = await world.raw("user", "/map/retrySync", syncId=row["syncId"], deviceId=row["deviceId"])
    assert code == Code.NOT_FOUND


async def test_a_map_is_not_sent_again_to_a_robot_that_goes_meanwhile(world: World, monkeypatch: pytest.MonkeyPatch):
    async def list_none(*_: object) -> list[dict[str, Any]]:
        return []

    source = await mirrored(world, "SC0001", noise())
    await start(world, source, "SC0002")
    await world.pool.execute("update map_sync_target set state = 'receive_failed'")
    [row] = await list_syncs(world)
    monkeypatch.setattr(sync, "list_devices", list_none)
    code, _ = await world.raw("user", "/map/retrySync", syncId=row["syncId"], deviceId=row["deviceId"])
    assert code == Code.NOT_FOUND


async def test_refuse_a_map_or_a_robot_outside_the_scope(world: World):
    source = await mirrored(world, "SC0001", noise())
    foreign = await mirrored(world, "SC0010", noise())
    assert (await start(world, source, "SC0010"))[0] == Code.NOT_FOUND
    assert (await start(world, foreign, "SC0002"))[0] == Code.NOT_FOUND
    assert (await start(world, source, "SC0002", account="rivaluser"))[0] == Code.NOT_FOUND
    assert (await world.raw("rivaluser", "/map/syncTargets", mapId=source))[0] == Code.NOT_FOUND
    assert await list_syncs(world) == []
    await start(world, source, "SC0002")
    [row] = await list_syncs(world)
    of = {"syncId": row["syncId"], "deviceId": row["deviceId"]}
    assert await list_syncs(world, "rivaluser") == []
    for path in ("/map/cancelSync", "/map/retrySync"):
        assert (await world.raw("rivaluser", path, **of))[0] == Code.NOT_FOUND
    assert (await list_syncs(world))[0]["state"] == "waiting"


async def test_no_floor_goes_to_another_customers_robot_not_even_by_who_sees_both(world: World):
    source = await mirrored(world, "SC0001", noise())
    assert (await start(world, source, "SC0010", account="admin"))[0] == Code.MAP_REFUSED
    assert await list_syncs(world, "admin") == []


async def test_a_map_does_not_go_to_the_robot_that_it_comes_from(world: World):
    source = await mirrored(world, "SC0001", noise())
    assert (await start(world, source, "SC0001"))[0] == Code.MAP_REFUSED


async def test_a_robot_tells_of_its_own_orders_alone(world: World):
    source = await mirrored(world, "SC0001", noise())
    await start(world, source, "SC0002")
    number = await world.pool.fetchval("select id from map_sync_target")
    async with world.as_ingest() as db:
        await courier.store_progress(db, "SC0010", 5, bus.Taken(number=number, state="received"))
        assert (await list_syncs(world))[0]["state"] == "waiting"
        await courier.store_progress(db, "SC0002", 9, bus.Taken(number=number, state="whole"))
        await courier.store_progress(db, "SC0002", 7, bus.Taken(number=number, state="loading"))
        assert (await list_syncs(world))[0]["state"] == "sent"


async def test_send_no_map_to_a_robot_that_has_another_owner(world: World):
    source = await mirrored(world, "SC0001", noise())
    await start(world, source, "SC0003")
    new = {"ownerUserId": world.accounts["rivaluser"], "things": "keep"}
    await world.call("admin", "/device/updateDeviceUserInfo", deviceId=world.devices["SC0003"], **new)
    [row] = await list_syncs(world, "admin")
    assert (row["state"], row["reason"]) == ("cancelled", "sync_owner")
