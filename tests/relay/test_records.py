"""What a relay tells of those who come without a grant."""

from tests.relay.conftest import MakeRobot, World


async def test_a_flood_without_grants_is_few_rows_whatever_it_asks_for(world: World, robots: MakeRobot):
    robot = await robots()
    for number in range(60):
        await world.ask(f"/?m=api1/none{number}&p={robot.port}", "no.grant")
    await world.call(robot, "api1/none")
    await world.until(lambda: world.audited(command="api1/none"))
    assert len([row for row in world.audit if not row["account"]]) <= 25
