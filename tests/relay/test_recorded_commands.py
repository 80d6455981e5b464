"""Every command that changes a robot leaves a row when it succeeds, with what it was about; a mere read leaves none."""

import pytest

from lustra.protocol.commands import COMMANDS, PASSWORDS, routes
from tests.relay.conftest import EVERY_KEY, MakeRobot, World


def test_count_no_command_as_a_read_that_changes_something():
    assert [c.name for c in COMMANDS.values() if c.reads and (c.danger != "none" or c.form or c.flow)] == []


async def test_every_command_but_reads_is_recorded_when_it_succeeds(world: World, robots: MakeRobot):
    robot = await robots()
    await world.control(robot, 1)
    table = routes(3)
    async with world.tunnel(robot):
        for m in table:
            assert (await world.call(robot, m, keys=[*EVERY_KEY, PASSWORDS], number=1))["code"] == 0, m
    changing = {m for m, command in table.items() if not command.reads}
    await world.until(lambda: changing <= {row["command"] for row in world.audited(account=7, code=0)})
    assert {row["command"] for row in world.audited(account=7)} == changing


@pytest.mark.parametrize("kind", ["json", "data"])
async def test_the_row_says_which_task_it_was(world: World, robots: MakeRobot, kind: str):
    robot = await robots()
    sent = {"name": "夜", "map_name": "x" * 500}
    async with world.tunnel(robot):
        headers = {"grant": world.signed(world.grant(robot))}
        await world.http.post(f"/?m=api1/task_del&p={robot.port}", headers=headers, **{kind: sent})
    await world.until(lambda: world.audited(command="api1/task_del"))
    (row,) = world.audited(command="api1/task_del")
    assert row["content"] == {"name": "夜", "map_name": "x" * 100}
