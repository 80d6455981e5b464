import pytest

from tests.world import World, world

__all__ = ["grant_key", "world"]


@pytest.fixture(autouse=True)
async def grant_key(world: World) -> None:
    """Every role has the page of logs: whose rows are whose is another matter."""
    await world.pool.execute("update role set keys = keys || '{device/log}'::text[]")
