"""The other half of tests/wall/test_generated_requests.py."""

from collections.abc import Callable

import pytest

from tests.wall import flooding
from tests.world import World


@pytest.mark.timeout(240)
@pytest.mark.parametrize("part", range(1, flooding.PARTS, 2))
async def test_no_generated_request_makes_the_server_fail(
    world: World, record_property: Callable[[str, object], None], part: int
):
    await flooding.refuse_failures(world, record_property, part)
