"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.alarm.keep import keep as keep_alarms
from lustra.domains.alarm.keep import read as read_alarm
from lustra.domains.alarm.keep import shift as shift_alarm
from lustra.domains.alarm.tables import Alarm

__all__ = [
    "Alarm",
    "keep_alarms",
    "read_alarm",
    "shift_alarm",
]
