"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.spot_check.service import load_days as load_spot_checks
from lustra.domains.spot_check.service import name_people as name_inspectors

__all__ = ["load_spot_checks", "name_inspectors"]
