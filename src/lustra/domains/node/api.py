"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.node.events import NodesInUse
from lustra.domains.node.service import find_node_at, register_relays
from lustra.domains.node.tables import FRP, Node

__all__ = [
    "FRP",
    "Node",
    "NodesInUse",
    "find_node_at",
    "register_relays",
]
