from world import world

__all__ = ["world"]
