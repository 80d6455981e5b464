"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.group.tables import DeviceGroup, GroupMember

__all__ = ["DeviceGroup", "GroupMember"]
