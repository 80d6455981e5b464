"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.webhook.service import TEST

__all__ = ["TEST"]
