"""Alarms of one cause notify once; what heals in time notifies nobody."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.domains.alarm import notify
from tests.alarm.test_alarms import NOW, alarm_message, alarms, say
from tests.alarm.test_notifications import NOW_DUE, notifications, set_up, stored_mails, switch, want_mails, work
from tests.world import World

FLEET = ("SC0001", "SC0002", "SC0004", "SC0005")
NODE = "https://node.example"


async def settle(world: World, *robots: str, building: str = "North wing", node: str = "") -> None:
    """All robots of `user`, in a building and behind a node."""
    for sn in robots or FLEET:
        await world.pool.execute(
            "insert into device (serial_number, name, type_id, owner_id, owner_path)"
            " select $1, 'Robot ' || $1, type_id, owner_id, owner_path from device where serial_number = 'SC0001'"
            " and not exists (select from device where serial_number = $1)",
            sn,
        )
        await world.pool.execute(
            "update device set address = $2, frp_host = $3 where serial_number = $1", sn, building, node
        )


async def raise_on(world: World, *robots: str, code: str = "door_stuck", at: int = NOW) -> None:
    for sn in robots:
        await say(world, alarm_message("raised", (f"{sn} {code} {at}", code), at=at), sn=sn)


async def read_messages(world: World, account: str = "user") -> list[str]:
    return [row["content"] for row in (await world.call(account, "/message/findMessageByUnRead"))["list"]]


async def listed(world: World, **filters: Any) -> dict[str, dict[str, Any]]:
    return {row["deviceSerialNumber"]: row for row in await alarms(world, **filters)}


async def test_notify_once_of_a_code_on_three_robots_of_a_building(world: World):
    await settle(world)
    await switch(world, "door_stuck", cloud=1)
    await raise_on(world, *FLEET)
    await work(world)
    (message,) = await read_messages(world)
    assert message.startswith("A door on its route does not open · North wing · ")
    assert message.count(" · ") == 5
    rows = await listed(world)
    assert {row["groupCount"] for row in rows.values()} == {4}
    assert {(row["groupCause"], row["groupName"]) for row in rows.values()} == {("building", "North wing")}
    assert set(await listed(world, group=rows["SC0001"]["groupId"])) == set(FLEET)


async def test_notify_of_the_third_alarm_as_a_group_and_then_no_more(world: World):
    await settle(world)
    await switch(world, "door_stuck", cloud=1)
    lengths: list[int] = []
    for place, sn in enumerate(FLEET):
        await raise_on(world, sn, at=NOW + place)
        await work(world)
        lengths.append(len(await read_messages(world)))
    assert lengths == [1, 2, 3, 3]


@pytest.mark.parametrize("apart", ["building", "owner", "code", "time"])
async def test_alarms_that_have_no_cause_in_common_are_no_group(world: World, apart: str):
    await settle(world)
    await switch(world, "door_stuck", cloud=1)
    await switch(world, "lidar", cloud=1)
    if apart == "building":
        await settle(world, "SC0004", building="South wing")
    if apart == "owner":
        await world.pool.execute(
            "update device d set owner_id = a.id, owner_path = a.path from account a"
            " where a.account = 'sub' and d.serial_number = 'SC0004'"
        )
    await raise_on(world, "SC0001", "SC0002")
    late, code = NOW - 301_000 if apart == "time" else NOW, "lidar" if apart == "code" else "door_stuck"
    await raise_on(world, "SC0004", at=late, code=code)
    await work(world)
    assert await world.pool.fetchval("select count(*) from alarm") == 3
    assert await world.pool.fetchval("select count(*) from alarm_group") == 0


async def test_the_mail_of_a_group_names_its_place_and_its_robots_and_leads_to_it(world: World):
    set_up(world, demo=True)
    await settle(world)
    await switch(world, "door_stuck", email=1)
    await want_mails(world, "a@b.com")
    await world.pool.execute("update account set language = 'en' where account = 'user'")
    await raise_on(world, *FLEET[:3])
    await work(world)
    (sent,) = stored_mails(world)
    assert sent["Subject"] == "A door on its route does not open · 3 robots"
    text = sent.get_content()
    assert "Building North wing" in text
    assert all(
        name in text
        for name in (
            "Robot SC0004",
            *await world.pool.fetchval(
                "select array_agg(name) from device where serial_number in ('SC0001', 'SC0002')"
            ),
        )
    )
    group = (await listed(world))["SC0001"]["groupId"]
    assert f"/warn/index/warn?group={group}" in text
    by_member = await notifications(world, (await listed(world))["SC0004"]["warnId"])
    assert [row["target"] for row in by_member] == ["a@b.com"]


async def go_offline(world: World, *robots: str) -> None:
    await world.pool.execute(
        "select alarm_raise(id, 'server', 'offline ' || serial_number, 'offline', now(), 0, '') from device"
        " where serial_number = any($1)",
        robots,
    )


async def test_robots_of_a_lost_node_are_one_group_wherever_they_stand(world: World):
    await world.pool.execute("insert into node (name, url, country, region) values ('East', $1, 'DE', 'eu')", NODE)
    for place, sn in enumerate(FLEET):
        await settle(world, sn, building=f"Building {place}", node=NODE)
    await switch(world, "offline", cloud=1)
    await go_offline(world, *FLEET)
    await world.pool.execute(NOW_DUE.replace("alarm.send", "alarm.notify"))
    await work(world)
    (message,) = await read_messages(world)
    assert " · East · " in message
    assert {row["groupCause"] for row in (await listed(world)).values()} == {"node"}


async def test_a_few_robots_of_a_large_node_are_not_its_end(world: World):
    for place, sn in enumerate((*FLEET, *(f"SC01{n:02}" for n in range(20)))):
        await settle(world, sn, building=f"Building {place}", node=NODE)
    await switch(world, "offline", cloud=1)
    await go_offline(world, *FLEET)
    await world.pool.execute(NOW_DUE.replace("alarm.send", "alarm.notify"))
    await work(world)
    assert await world.pool.fetchval("select count(*) from alarm_group") == 0


@pytest.mark.parametrize(("lost", "alike"), [(2, 4), (3, 5), (1, 1)])
async def test_more_than_half_of_a_site_offline_at_once_is_its_network(world: World, lost: int, alike: int):
    robots = (*FLEET, "SC0006")[:alike]
    await world.pool.execute("update device set address = 'Elsewhere'")
    await settle(world, *robots)
    await switch(world, "offline", cloud=1)
    await go_offline(world, *robots[:lost])
    await world.pool.execute(NOW_DUE.replace("alarm.send", "alarm.notify"))
    await work(world)
    causes = {(row["groupCause"], row["groupName"]) for row in (await listed(world)).values()}
    is_network = lost > 1 and lost > alike / 2
    assert causes == ({("network", "North wing")} if is_network else {("", "")})
    assert len(await read_messages(world)) == (1 if is_network else lost)


async def wait_for_elevator(world: World, name: str, *robots: str) -> None:
    await world.pool.execute(
        "with e as (insert into elevator (account_id, elevator_name, building_name, floor)"
        " select id, $1, 'North wing', '1,2' from account where account = 'user' returning id)"
        " insert into lift_ride (elevator_id, account_id, device_id, sn, name, ride, from_floor, to_floor, phase)"
        " select e.id, d.owner_id, d.id, d.serial_number, d.name, $1, '1', '2', 'wish' from e, device d"
        " where d.serial_number = any($2)",
        name,
        robots,
    )


async def test_two_robots_that_wait_for_the_same_elevator_are_one_group(world: World):
    await settle(world)
    await switch(world, "elevator_wait", cloud=1)
    await wait_for_elevator(world, "East", *FLEET[:2])
    await wait_for_elevator(world, "West", FLEET[2])
    await raise_on(world, FLEET[0], code="elevator_wait", at=NOW - 1_800_000)
    await raise_on(world, *FLEET[1:], code="elevator_wait")
    await work(world)
    causes = {sn: row["groupCause"] for sn, row in (await listed(world)).items()}
    assert causes == {FLEET[0]: "elevator", FLEET[1]: "elevator", FLEET[2]: "", FLEET[3]: ""}
    assert len([text for text in await read_messages(world) if " · East · " in text]) == 1


async def stand_behind_a_large_node(world: World) -> None:
    for place, sn in enumerate((*FLEET, *(f"SC01{n:02}" for n in range(20)))):
        await settle(world, sn, building=f"Building {place}", node=NODE)
    await go_offline(world, *FLEET)


async def stand_at_a_large_site(world: World) -> None:
    await settle(world, *FLEET)
    await go_offline(world, *FLEET[:2])


async def wait_for_two_elevators(world: World) -> None:
    for place, sn in enumerate(FLEET[:2]):
        await settle(world, sn)
        await wait_for_elevator(world, f"Elevator {place}", sn)
        await raise_on(world, sn, code="elevator_wait")


@pytest.mark.parametrize("begin", [stand_behind_a_large_node, stand_at_a_large_site, wait_for_two_elevators])
async def test_alarms_of_one_batch_without_a_cause_in_common_stay_apart(
    world: World, begin: Callable[[World], Awaitable[None]]
):
    await begin(world)
    numbers = [row["id"] for row in await world.pool.fetch("select id from alarm order by id")]
    assert len(numbers) > 1
    await notify.notify_people(world.services, alarms=numbers)
    assert await world.pool.fetchval("select count(*) from alarm_group") == 0


async def test_notify_nobody_of_an_alarm_that_ends_within_its_wait(world: World):
    row = (await world.call("admin", "/wmWarnSet/queryByPage", keyword="door_stuck"))["list"][0]
    await world.call("admin", "/wmWarnSet/edit", id=row["id"], notifyAfterS=60, cloud=1)
    await raise_on(world, "SC0001", "SC0002")
    await work(world)
    assert await read_messages(world) == []
    await say(world, alarm_message("cleared", (f"SC0001 door_stuck {NOW}", "door_stuck"), at=NOW + 1))
    await world.pool.execute(NOW_DUE.replace("alarm.send", "alarm.notify"))
    await work(world)
    assert len(await read_messages(world)) == 1
    assert [len(await notifications(world, row["warnId"])) > 0 for row in await alarms(world)] == [True, False]


async def test_take_all_free_alarms_of_a_group_with_the_first(world: World):
    await settle(world)
    await raise_on(world, *FLEET)
    await work(world)
    rows = await listed(world)
    taking = {"deviceSerialNumber": "SC0002", "warnId": rows["SC0002"]["warnId"], "on": True}
    await world.call("dealer", "/warn/takeWarn", **taking)
    await world.call("user", "/warn/takeWarn", **taking | {"on": False})
    taking = {"deviceSerialNumber": "SC0001", "warnId": rows["SC0001"]["warnId"], "on": True}
    await world.call("user", "/warn/takeWarn", **taking)
    holders = {sn: row["takenUserId"] for sn, row in (await listed(world)).items()}
    user, dealer = world.accounts["user"], world.accounts["dealer"]
    assert holders == {"SC0001": user, "SC0002": user, "SC0004": dealer, "SC0005": dealer}


async def test_a_group_is_seen_by_its_owner_alone(world: World):
    await settle(world)
    await raise_on(world, *FLEET)
    await work(world)
    group = (await listed(world))["SC0001"]["groupId"]
    assert (await world.call("rivaluser", "/warn/list", group=group))["list"] == []


async def test_alarms_move_with_the_branch_of_their_owner(world: World):
    await raise_on(world, "SC0001")
    await world.pool.execute("update account set path = path || 'x' where account = 'user'")
    assert await world.pool.fetchval("select a.owner_path = c.path from alarm a join account c on c.id = a.owner_id")


async def test_a_wait_says_how_often_it_would_have_notified(world: World):
    await settle(world)
    await raise_on(world, *FLEET)
    await work(world)
    await raise_on(world, "SC0001", code="lidar")
    await world.pool.execute("update alarm set cleared_at = raised_at + interval '45 seconds'")

    async def count() -> dict[tuple[str, int], int]:
        rows = (await world.call("admin", "/wmWarnSet/dryRun", waits=[0, 30, 60]))["list"]
        return {(row["code"], row["notifyAfterS"]): row["count"] for row in rows}

    group = "door_stuck"
    assert await count() == {(group, 0): 1, (group, 30): 1, ("lidar", 0): 1, ("lidar", 30): 1}
    await world.pool.execute("update alarm set raised_at = now() - interval '31 days' where code = 'lidar'")
    assert set(await count()) == {(group, 0), (group, 30)}
    for waits in ([], [-1], [0] * 21):
        assert (await world.raw("admin", "/wmWarnSet/dryRun", waits=waits))[0] == Code.BAD_INPUT
    assert (await world.raw("user", "/wmWarnSet/dryRun", waits=[0]))[0] == Code.FORBIDDEN
