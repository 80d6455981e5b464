"""Configuration parameters come to every robot, whenever it is online, and each says whether they are in force."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lustra.app.processes import worker
from lustra.core.errors import Code
from lustra.domains.delivery import sending
from lustra.domains.version import parameter_delivery
from lustra.protocol.updates import LARGEST_CONFIGURATION, Configuration
from lustra.robot.connection.server_commands import run_command
from lustra.robot.robot import Robot, Spec
from tests.map.robots import Crew, crews
from tests.version.helpers import KEYS, refusal
from tests.world import World

PAGE = "/configure/selectDeliveryPageList"


@pytest.fixture
async def crew(world: World, tmp_path: Path) -> AsyncIterator[Crew]:
    async with contextlib.AsyncExitStack() as stack:
        yield await stack.enter_async_context(crews(world, tmp_path / "robots"))


async def work(world: World) -> None:
    await worker.run_worker(world.services.settings, until_empty=True)


async def row_of(world: World, sn: str = "SC0001", account: str = "admin") -> dict[str, Any]:
    page = await world.call(account, PAGE, pageSize=100)
    return next((row for row in page["list"] if row["deviceSerialNumber"] == sn), {})


async def later(world: World) -> None:
    """Some minutes, and what the worker does each minute."""
    await world.pool.execute("update parameter_delivery set tried_at = tried_at - interval '6 minutes'")
    await parameter_delivery.deliver_all(world.services)


async def answer_with(crew: Crew, sn: str, answer: dict[str, Any]) -> list[dict[str, Any]]:
    """A robot that answers so; the orders that it gets."""
    orders: list[dict[str, Any]] = []

    async def on_message(message: Any) -> None:
        orders.append(msgspec.json.decode(message.data))
        await message.respond(msgspec.json.encode(answer))

    link = crew.world.services.bus.link
    crew.ears.append(await link.subscribe(f"robots.{sn}.cmd.configure", cb=on_message))
    await crew.world.online(sn)
    return orders


@pytest.mark.spec("call.configure.add", "call.configure.del", "ent.configuration_parameter")
async def test_parameters_are_in_force_and_a_robot_names_those_it_does_not_know(crew: Crew):
    world, robot = crew.world, await crew.switch_on("SC0001")
    usual = robot.machine.params["charge_below"]
    speed = (await world.call("admin", "/configure/add", key="charge_below", value="20"))["id"]
    await world.call("admin", "/configure/add", key="map.scale", value="1")
    await work(world)
    row = await row_of(world)
    assert (row["state"], row["reason"], row["refusedKey"]) == ("shown", "", "")
    assert row["unknownKeys"] == ["map.scale"]
    assert row["shownTime"]
    assert robot.machine.params["charge_below"] == 20
    await world.call("admin", "/configure/del", id=speed)
    await work(world)
    assert (await row_of(world))["state"] == "shown"
    assert robot.machine.params["charge_below"] == usual


@pytest.mark.parametrize(
    ("value", "reason"), [("99", "param_range"), ("fast", "param_no_number"), ("nan", "param_no_number")]
)
async def test_a_bad_value_is_refused_with_its_key_and_the_robot_keeps_what_it_had(crew: Crew, value: str, reason: str):
    world, robot = crew.world, await crew.switch_on("SC0001")
    number = (await world.call("admin", "/configure/add", key="charge_below", value="20"))["id"]
    await work(world)
    await world.call("admin", "/configure/add", key="speed_moving", value="0.4")
    await world.call("admin", "/configure/edit", id=number, value=value)
    await work(world)
    row = await row_of(world)
    assert (row["state"], row["reason"], row["refusedKey"]) == ("failed", reason, "charge_below")
    assert robot.machine.params["charge_below"] == 20
    await world.call("admin", "/configure/edit", id=number, value="25")
    await work(world)
    assert (await row_of(world))["refusedKey"] == ""
    assert (robot.machine.params["charge_below"], robot.machine.params["speed_moving"]) == (25, 0.4)


async def test_a_lower_speed_above_a_higher_one_is_refused(crew: Crew):
    world = crew.world
    await crew.switch_on("SC0001")
    await world.call("admin", "/configure/add", key="speed_high", value="0.3")
    await work(world)
    row = await row_of(world)
    assert (row["state"], row["reason"], row["refusedKey"]) == ("failed", "param_order", "speed_high")


async def test_a_robot_that_was_away_and_one_that_is_new_get_them_once_they_are_online(crew: Crew):
    world = crew.world
    await world.call("admin", "/configure/add", key="charge_below", value="20")
    await work(world)
    assert (await row_of(world, "SC0002"))["state"] == "waiting"
    await world.pool.execute("delete from parameter_delivery")
    robot = await crew.switch_on("SC0002")
    await later(world)
    assert (await row_of(world, "SC0002"))["state"] == "shown"
    assert robot.machine.params["charge_below"] == 20


async def test_a_robot_of_before_says_so_and_is_sent_them_again_when_somebody_asks(crew: Crew):
    world = crew.world
    answer: dict[str, Any] = {"code": 404, "msg": "", "reason": "command_unknown"}
    orders = await answer_with(crew, "SC0001", answer)
    blank = await answer_with(crew, "SC0002", {"code": 0, "msg": ""})
    await world.call("admin", "/configure/add", key="charge_below", value="20")
    await work(world)
    row = await row_of(world)
    assert (row["state"], row["reason"]) == ("failed", "command_unknown")
    assert (await row_of(world, "SC0002"))["reason"] == "robot_failed"
    await later(world)
    assert (len(orders), len(blank)) == (1, 1)
    answer |= {"code": 0, "configure": {"revision": orders[0]["revision"]}}
    await world.call("admin", "/configure/send", deviceId=world.devices["SC0001"])
    await work(world)
    assert (await row_of(world))["state"] == "shown"
    await world.call("admin", "/configure/send")
    await work(world)
    assert (len(orders), len(blank)) == (2, 2)


async def test_the_same_parameters_are_not_sent_again(crew: Crew):
    world = crew.world
    orders = await answer_with(crew, "SC0001", {"code": 0, "configure": {"revision": 1}})
    number = (await world.call("admin", "/configure/add", key="charge_below", value="20"))["id"]
    await work(world)
    await world.call("admin", "/configure/edit", id=number, value="20")
    await work(world)
    await later(world)
    assert len(orders) == 1


async def test_parameters_that_changed_meanwhile_are_not_sent(crew: Crew):
    world = crew.world
    orders = await answer_with(crew, "SC0001", {"code": 0, "configure": {"revision": 1}})
    await world.call("admin", "/configure/add", key="charge_below", value="20")
    await world.pool.execute("update parameter_delivery set revision = 0")
    await parameter_delivery.deliver(world.services)
    assert orders == []
    await later(world)
    assert len(orders) == 1


async def test_a_robot_that_does_not_answer_waits(crew: Crew, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sending, "ANSWERS_IN_S", 0.1)
    world = crew.world
    await world.online("SC0001")
    await world.call("admin", "/configure/add", key="charge_below", value="20")
    await work(world)
    row = await row_of(world)
    assert (row["state"], row["reason"]) == ("waiting", "robot_silent")


async def test_parameters_that_no_message_holds_are_refused(world: World):
    for number in range(LARGEST_CONFIGURATION // 4000):
        await world.call("admin", "/configure/add", key=f"text.{number}", value="x" * 3980)
    code, text = await refusal(world, "admin", "/configure/add", key="text.last", value="x" * 4000)
    assert (code, text) == (Code.BAD_INPUT, "Value: All parameters together may have at most 32 KB")
    assert len((await world.call("admin", "/configure/findAll"))["list"]) == LARGEST_CONFIGURATION // 4000


@pytest.mark.spec("perm.page.version.configure")
async def test_refuse_parameters_without_the_right_and_hide_foreign_robots(world: World):
    await world.call("admin", "/configure/add", key="charge_below", value="20")
    for path in (PAGE, "/configure/send"):
        assert (await world.raw("user", path))[0] == Code.FORBIDDEN
    await world.pool.execute(KEYS)
    foreign = world.devices["SC0010"]
    assert await row_of(world, "SC0010", "rival")
    assert await row_of(world, "SC0010", "dealer") == {}
    assert (await world.raw("dealer", "/configure/send", deviceId=foreign))[0] == Code.NOT_FOUND


def test_a_robot_keeps_them_over_a_restart_and_what_a_person_sets_after_them(tmp_path: Path):
    robot = Robot.open(Spec("X1", "X1"), tmp_path)
    order = msgspec.json.encode(Configuration(revision=7, values={"charge_below": "20"}))
    assert run_command(robot, "configure", order)["configure"] == {
        "revision": 7,
        "state": "shown",
        "reason": "",
        "unknown": [],
    }
    robot.machine.params["charge_below"] = 30
    robot.keep()
    again = Robot.open(Spec("X1", "X1"), tmp_path)
    run_command(again, "configure", order)
    assert again.machine.params["charge_below"] == 30
    run_command(again, "configure", msgspec.json.encode(Configuration(revision=0)))
    assert again.machine.params["charge_below"] == 15
