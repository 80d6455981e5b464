from tests.world import world

__all__ = ["world"]
