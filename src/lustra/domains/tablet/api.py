"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.tablet.delivery import keep_tablet

__all__ = ["keep_tablet"]
