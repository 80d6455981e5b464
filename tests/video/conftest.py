import pytest

from tests.world import World, world

__all__ = ["grant_keys", "own_address", "world"]


@pytest.fixture(autouse=True)
async def grant_keys(world: World) -> None:
    """Every role may watch: whose rows are whose is another matter."""
    keys = "'{device/videoHistory,device/videoHistory/live}'::text[]"
    await world.pool.execute(f"update role set keys = keys || {keys}")


@pytest.fixture(autouse=True)
def own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """WebRTC within this machine, whatever networks it has or lacks."""
    monkeypatch.setattr("aioice.ice.get_host_addresses", lambda *_, **__: ["127.0.0.1"])
