"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.delivery.sending import RETRY_AFTER, link_to, send, states_before
from lustra.domains.delivery.service import State, count_by_state, load_page, reset, reset_failed

__all__ = [
    "RETRY_AFTER",
    "State",
    "count_by_state",
    "link_to",
    "load_page",
    "reset",
    "reset_failed",
    "send",
    "states_before",
]
