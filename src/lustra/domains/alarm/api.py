"""What other domains and processes may use of this one; all else is its own."""

from lustra.core.texts import name_alarm
from lustra.domains.alarm.keep import keep as keep_alarms
from lustra.domains.alarm.keep import read as read_alarm
from lustra.domains.alarm.keep import shift as shift_alarm
from lustra.domains.alarm.queries import RECENT as RECENT_ALARMS
from lustra.domains.alarm.service import LISTS as ALARM_LISTS
from lustra.domains.alarm.service import build_where as build_alarm_where
from lustra.domains.alarm.service import every as every_alarm
from lustra.domains.alarm.service import load_chart as load_alarm_chart
from lustra.domains.alarm.service import load_page as load_alarm_page
from lustra.domains.alarm.service import render as render_alarm
from lustra.domains.alarm.tables import Alarm

__all__ = [
    "ALARM_LISTS",
    "RECENT_ALARMS",
    "Alarm",
    "build_alarm_where",
    "every_alarm",
    "keep_alarms",
    "load_alarm_chart",
    "load_alarm_page",
    "name_alarm",
    "read_alarm",
    "render_alarm",
    "shift_alarm",
]
