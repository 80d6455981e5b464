"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.advert.delivery import keep_advert

__all__ = ["keep_advert"]
