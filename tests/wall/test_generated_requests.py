"""No request makes the server fail: 4,000 of a generator, and 116,000 more in `make proof`.

The seed is LUSTRA_TEST_SEED or the day's of the commit; a failure names it, and gives the same requests again.
"""

from collections.abc import Callable

import pytest

from tests.wall import flooding
from tests.world import World


@pytest.mark.timeout(240)
@pytest.mark.parametrize("part", range(flooding.PARTS))
async def test_no_generated_request_makes_the_server_fail(
    world: World, record_property: Callable[[str, object], None], part: int
):
    await flooding.refuse_failures(world, record_property, part)


@pytest.mark.proof
@pytest.mark.parametrize("part", range(flooding.PARTS, flooding.PARTS + 58))
async def test_none_of_a_hundred_thousand_more_does(
    world: World, record_property: Callable[[str, object], None], part: int
):
    await flooding.refuse_failures(world, record_property, part)
