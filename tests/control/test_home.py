"""All robots of a building are sent home at once: who is asked, and what the answer tells."""

import json
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.protocol import bus
from tests.flush import flush
from tests.world import World

HOTEL = "Kestrel Quay Hotel"


async def obey(world: World, sn: str, **answer: Any) -> list[str]:
    subjects: list[str] = []

    async def respond(message: Any):
        subjects.append(message.subject)
        await message.respond(json.dumps({"code": 0, "msg": ""} | answer).encode())

    await world.services.bus.subscribe(bus.cmd(sn, "home"), respond)
    await flush(world.services.bus.link)
    return subjects


async def test_each_robot_of_the_building_in_scope_is_asked_and_told_of(world: World):
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
