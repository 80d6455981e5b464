"""Several robots are told the same at once: who is asked, and what the answer tells."""

import json
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.domains.control import orders
from lustra.protocol import bus
from tests.flush import flush
from tests.world import World

HOTEL = "Kestrel Quay Hotel"


async def obey(world: World, sn: str, order: str = "home", /, **answer: Any) -> list[str]:
    subjects: list[str] = []

    async def respond(message: Any):
        subjects.append(message.subject)
        await message.respond(json.dumps({"code": 0, "msg": ""} | answer).encode())

    await world.services.bus.subscribe(bus.cmd(sn, order), respond)
    await flush(world.services.bus.link)
    return subjects


async def test_ask_each_robot_of_the_building_in_scope_and_report_each(world: World):
    await world.online("SC0001", "SC0002", "SC0010")
    subjects = await obey(world, "SC0001")
    await obey(world, "SC0002", code=0x0535, reason="0x0535")
    foreign = await obey(world, "SC0010")  # another dealer's, in a building of the same name
    answer = await world.call("user", "/device/sendHome", building=f" {HOTEL.lower()} ")
    assert (answer["obeyed"], len(subjects), foreign) == (1, 1, [])
    assert [(row["deviceId"], row["outcome"], row["reason"]) for row in answer["list"]] == [
        (world.devices["SC0001"], "obeys", ""),
        (world.devices["SC0002"], "refuses", "0x0535"),
        (world.devices["SC0003"], "offline", ""),
    ]
    action, note = await world.pool.fetchrow("select action, detail::text from audit order by id desc limit 1")
    assert (action, '"obeys": 1' in note) == ("device.send_home", True)


async def test_a_robot_that_somebody_else_controls_is_left_alone(world: World):
    await world.online("SC0001")
    subjects = await obey(world, "SC0001")
    await world.call("dealer", "/device/takeControl", deviceId=world.devices["SC0001"], minutes=10)
    answer = await world.call("user", "/device/sendHome", building=HOTEL)
    row = next(row for row in answer["list"] if row["deviceId"] == world.devices["SC0001"])
    assert (row["outcome"], row["reason"], subjects) == ("refuses", "control_lost", [])
    assert (await world.call("dealer", "/device/sendHome", building=HOTEL))["obeyed"] == 1  # to whom it belongs


@pytest.mark.parametrize(
    ("account", "building", "code"),
    [("user", "Elsewhere", Code.NOT_FOUND), ("user", " ", Code.BAD_INPUT), ("making", HOTEL, Code.FORBIDDEN)],
)
async def test_no_building_none_of_ones_own_and_no_right_are_refused(
    world: World, account: str, building: Any, code: Any
):
    assert (await world.raw(account, "/device/sendHome", building=building))[0] == code


async def test_a_robot_that_does_not_answer_is_silent(world: World):
    await world.online("SC0010")
    answer = await world.call("rivaluser", "/device/sendHome", building=HOTEL)
    assert [row["outcome"] for row in answer["list"]] == ["silent"]


async def test_chosen_robots_are_sent_home_or_paused_and_each_says_what_came_of_it(world: World):
    await world.online("SC0001", "SC0002")
    for sn, answer in (("SC0001", {}), ("SC0002", {"code": 40009, "reason": "task_none_running"})):
        await obey(world, sn, "home", **answer)
        await obey(world, sn, "pause", **answer)
    ids = [world.devices[sn] for sn in ("SC0001", "SC0002", "SC0003")]
    for path in ("/device/sendHome", "/device/pauseDevices"):
        answer = await world.call("user", path, deviceIds=ids)
        assert answer["obeyed"] == 1
        assert [(row["deviceId"], row["outcome"], row["reason"]) for row in answer["list"]] == [
            (ids[0], "obeys", ""),
            (ids[1], "refuses", "task_none_running"),
            (ids[2], "offline", ""),
        ]


async def test_pausing_never_asks_for_control(world: World):
    await world.online("SC0001")
    subjects = await obey(world, "SC0001", "pause")
    await world.call("dealer", "/device/takeControl", deviceId=world.devices["SC0001"], minutes=10)
    answer = await world.call("user", "/device/pauseDevices", deviceIds=[world.devices["SC0001"]])
    assert (answer["obeyed"], len(subjects)) == (1, 1)


@pytest.mark.parametrize("path", ["/device/sendHome", "/device/pauseDevices"])
async def test_ask_no_robot_when_a_chosen_one_is_out_of_scope(world: World, path: str):
    await world.online("SC0001")
    subjects = await obey(world, "SC0001", "home") + await obey(world, "SC0001", "pause")
    ids = [world.devices["SC0001"], world.devices["SC0010"]]
    code, data = await world.raw("user", path, deviceIds=ids)
    assert (code, data["field"], subjects) == (Code.NOT_FOUND, "deviceIds", [])


async def test_a_building_of_too_many_robots_is_not_asked_at_once(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(orders, "MOST_DEVICES", 1)
    code, data = await world.raw("user", "/device/sendHome", building=HOTEL)
    assert (code, data) == (Code.TOO_MANY_ROWS, {"field": "building", "count": 2, "limit": 1})
