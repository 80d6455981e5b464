"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.change.events import ChangesNumbered
from lustra.domains.change.kinds import KINDS, ChangeKind
from lustra.domains.change.modes import load_modes
from lustra.domains.change.service import AT_ONCE, order, select_visible
from lustra.domains.change.tables import ChangeEntry
from lustra.domains.change.wire import ChangeRow, build_row

__all__ = [
    "AT_ONCE",
    "KINDS",
    "ChangeEntry",
    "ChangeKind",
    "ChangeRow",
    "ChangesNumbered",
    "build_row",
    "load_modes",
    "order",
    "select_visible",
]
