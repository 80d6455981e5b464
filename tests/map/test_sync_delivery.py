"""A map that is sent waits for its robot, is asked for again, and leaves no file behind."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from lustra.core.errors import Code, Refusal
from lustra.domains.map import courier
from tests.map.robots import crews, lines, mirrored, noise
from tests.map.test_sync import deliver, list_syncs, settled, start
from tests.world import World


@pytest.mark.spec("state.map_sync.idle")
async def test_send_a_map_to_an_offline_robot_when_it_is_back(world: World, tmp_path: Path):
    source = await mirrored(world, "SC0001", noise())
    await start(world, source, "SC0002")
    [row] = await list_syncs(world)
    assert (row["state"], row["online"]) == ("waiting", False)
    await courier.deliver_due(world.services)
    assert (await list_syncs(world))[0]["attempts"] == 0
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0002")
        await world.pool.execute("update presence set since = now()")
        await courier.deliver_due(world.services)
        await settled(world, crew, "received")
        assert set(robot.store.maps) == {"Ground"}


async def test_ask_a_silent_robot_again_at_its_next_message(world: World, tmp_path: Path):
    source = await mirrored(world, "SC0001", noise())
    await world.online("SC0002")
    await start(world, source, "SC0002")
    await courier.deliver_due(world.services)
    [row] = await list_syncs(world)
    assert (row["state"], row["reason"], row["attempts"]) == ("waiting", "robot_silent", 1)
    await courier.deliver_due(world.services)
    assert (await list_syncs(world))[0]["attempts"] == 1  # not before its time
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        await crew.switch_on("SC0002")
        await world.pool.execute("update presence set since = now()")
        await courier.deliver_due(world.services)
        await settled(world, crew, "received")


@pytest.mark.parametrize(
    ("answer", "state", "reason"),
    [
        ({"code": 1, "reason": "disk_full"}, "receive_failed", "disk_full"),
        ({"code": 1}, "waiting", "robot_failed"),  # it may be asked again
        ({}, "waiting", "robot_failed"),
    ],
)
async def test_a_robot_that_refuses_a_map_says_why(world: World, answer: dict[str, Any], state: str, reason: str):
    async def refuse(message: Any) -> None:
        await message.respond(msgspec.json.encode(answer))

    source = await mirrored(world, "SC0001", noise())
    await world.online("SC0002")
    listener = await world.services.bus.link.subscribe("robots.SC0002.cmd.takemap", cb=refuse)
    await start(world, source, "SC0002")
    await courier.deliver_due(world.services)
    [row] = await list_syncs(world)
    assert (row["state"], row["reason"], row["attempts"]) == (state, reason, 1)
    await courier.deliver(world.services, await world.pool.fetchval("select id from map_sync_target"))
    assert (await list_syncs(world))[0]["attempts"] == 1  # not before its time
    await listener.unsubscribe()


async def test_files_that_no_robot_will_fetch_go_at_night(world: World, monkeypatch: pytest.MonkeyPatch):
    for sn, name in (("SC0001", "Ground"), ("SC0002", "Roof")):
        await start(world, await mirrored(world, sn, noise(name=name)), *({"SC0001", "SC0002"} - {sn}))
    first, second = await world.pool.fetch("select id, place from map_sync order by id")
    await world.pool.execute(
        "update map_sync_target set state = 'received', next_at = null where sync_id = $1", first[0]
    )
    monkeypatch.setattr(courier, "OLD", -courier.OLD)
    await courier.purge(world.services)
    objects = world.services.objects
    assert [await objects.exists(row["place"]) for row in (first, second)] == [False, True]
    held = await world.pool.fetch("select place from holding where place like 'syncs/%'")
    assert [row["place"] for row in held] == [second["place"]]


@pytest.mark.spec("state.map_sync.send_failure", "state.map_sync.t03", "err.text.map_sync_send_failure")
async def test_after_its_time_nothing_comes_any_more(world: World, tmp_path: Path):
    source = await mirrored(world, "SC0001", noise())
    await start(world, source, "SC0002")
    await world.pool.execute("update map_sync_target set until = now()")
    await courier.deliver_due(world.services)
    [row] = await list_syncs(world)
    assert (row["state"], row["reason"]) == ("send_failed", "sync_late")
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0002")
        await deliver(world)
        assert robot.downloads.orders == {}


async def test_a_link_opens_the_file_for_a_quarter_of_an_hour(world: World, monkeypatch: pytest.MonkeyPatch):
    target = {"leave": False, "id": 1, "name": "x", "place": "syncs/0.zip", "size": 1, "sha256": "", "base": 0}
    with monkeypatch.context() as clock:
        clock.setattr("time.time", lambda: 1_800_000_000.0)
        url = courier.build_command(world.services, target | {"replace": False}).url
        (link,) = parse_qs(urlsplit(url).query)["link"]
        clock.setattr("time.time", lambda: 1_800_000_899.0)
        assert world.services.objects.linked(link) == "syncs/0.zip"
        clock.setattr("time.time", lambda: 1_800_000_901.0)
        with pytest.raises(Refusal) as refused:
            world.services.objects.linked(link)
    assert refused.value.code == Code.LINK_EXPIRED


async def test_a_link_that_is_over_is_replaced_by_a_fresh_one(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    source = await mirrored(world, "SC0001", noise())
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        await crew.switch_on("SC0002")
        await start(world, source, "SC0002")
        monkeypatch.setattr(courier, "LINK_S", -1.0)
        await deliver(world)
        [row] = await settled(world, crew, "waiting")
        assert row["reason"] == "sync_link"
        monkeypatch.undo()
        await deliver(world)
        await settled(world, crew, "received")
