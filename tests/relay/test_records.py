"""What a relay tells of those who come without a grant."""

from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from lustra.core.bus import Bus, Sent
from lustra.relay import records
from tests.relay.conftest import NODE, MakeRobot, World


async def test_a_flood_without_grants_is_few_rows_whatever_it_asks_for(world: World, robots: MakeRobot):
    robot = await robots()
    for number in range(60):
        await world.ask(f"/?m=api1/none{number}&p={robot.port}", "no.grant")
    await world.call(robot, "api1/none")
    await world.until(lambda: world.audited(command="api1/none"))
    assert len([row for row in world.audit if not row["account"]]) <= 25


async def test_a_row_that_made_room_while_it_was_sent_takes_no_other_with_it(monkeypatch: pytest.MonkeyPatch):
    """The bus was away until more was there than is kept."""
    monkeypatch.setattr(records, "MOST", 2)
    published: list[int] = []

    async def publish(_: str, data: bytes, **__: Any) -> None:
        number = msgspec.json.decode(data, type=Sent).number
        published.append(number)
        if number == 0:
            rows.add(Sent(at=1, account=1, number=2))

    bus = cast("Bus", SimpleNamespace(js=SimpleNamespace(publish=publish)))
    rows = records.Records(bus, NODE, lambda _: False)
    for number in range(2):
        rows.add(Sent(at=1, account=1, number=number))
    await rows.publish()
    assert published == [0, 1, 2]
