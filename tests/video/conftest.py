import pytest

from tests.world import World, world

__all__ = ["grant_keys", "world"]


@pytest.fixture(autouse=True)
async def grant_keys(world: World) -> None:
    """Every role may watch: whose rows are whose is another matter."""
    keys = "'{device/videoHistory,device/videoHistory/live}'::text[]"
    await world.pool.execute(f"update role set keys = keys || {keys}")
