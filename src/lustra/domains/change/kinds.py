"""The kinds of changes: what each contains, and who may get it.

Rule: whoever may read the thing itself may learn of its change: one of the kind's keys, and of what support access
guards, that it is open. A new kind is a line here and a trigger that calls `record_change` (migration 0034).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from lustra.core.wire import Wire, doc

ChangeKind = Literal[
    "device.added",
    "device.removed",
    "device.online",
    "device.offline",
    "device.mode",
    "fault.began",
    "fault.ended",
    "alarm.raised",
    "alarm.resolved",
    "run.began",
    "run.ended",
    "report.created",
    "map.changed",
    "map.deleted",
    "message.created",
]


class NoData(Wire):
    """Nothing besides the robot."""


class OnlineData(Wire):
    since: Annotated[datetime, doc("Since when.")]


class OfflineData(OnlineData):
    reason: Annotated[str, doc("Why: `no_heartbeat`, `switched_off`, `restarting`.")]


class ModeData(Wire):
    mode: Annotated[str, doc("What it does now.")]
    before: Annotated[str, doc("What it did before.")]


class FaultData(Wire):
    fault: Annotated[str, doc("Fault code or message key, as `help` in the list of robots.")]


class AlarmData(Wire):
    warn_id: Annotated[int, doc("Number of the alarm, as in the list of alarms.")]
    code: Annotated[str, doc("Code or event, as `0x0610` or `offline`.")]
    type: Annotated[int, doc("1 reminder, 2 alarm.")]
    level: Annotated[int, doc("1 information, 2 minor, 3 major, 4 critical.")]
    time: Annotated[datetime, doc("When it was raised first.")]
    resolve_date: Annotated[datetime | None, doc("When it was resolved; null: it is open.")]


class RunData(Wire):
    task_report_id: Annotated[int, doc("Number of the run, as in the list of reports.")]
    run: Annotated[str, doc("The robot's id of the run.")]
    task_name: Annotated[str, doc("Name of the task.")]
    map_name: Annotated[str, doc("Name of the map.")]
    start_time: Annotated[datetime, doc("When it began.")]


class EndedRunData(RunData):
    end: Annotated[str, doc("How it ended: `finished`, `cancelled`, `interrupted` or `failed`.")]
    end_time: Annotated[datetime, doc("When it ended.")]


class ReportData(EndedRunData):
    cleaned_area: Annotated[float, doc("Cleaned, m².")]


class MapData(Wire):
    map_id: Annotated[int, doc("Number of the map.")]
    map_name: Annotated[str, doc("Its name.")]
    map_revision: Annotated[int, doc("Its revision.")]


class MessageData(Wire):
    message_id: Annotated[int, doc("Number of the message.")]
    message_kind: Annotated[str, doc("Key of its text.")]


@dataclass(frozen=True, slots=True)
class Kind:
    """`keys`: any of them suffices. `guarded`: by support access."""

    summary: str
    data: type[Wire]
    keys: tuple[str, ...]
    guarded: bool = False


ROBOTS = ("device/index", "device/info", "device_control/index")
ALARMS = ("warn/index/warn", "device/warn", "index/realWarn")
REPORTS = ("device/report",)
MAPS = ("device/maplist",)
KINDS: dict[str, Kind] = {
    "device.added": Kind("A robot came to the account, or was entered.", NoData, ROBOTS),
    "device.removed": Kind("A robot went to another account, or was deleted.", NoData, ROBOTS),
    "device.online": Kind("A robot is online.", OnlineData, ROBOTS),
    "device.offline": Kind("A robot is offline.", OfflineData, ROBOTS),
    "device.mode": Kind("A robot does something else.", ModeData, ROBOTS),
    "fault.began": Kind("A robot has a fault that it cannot solve itself.", FaultData, ROBOTS),
    "fault.ended": Kind("That fault is solved.", FaultData, ROBOTS),
    "alarm.raised": Kind("An alarm was raised, or one that was resolved came back.", AlarmData, ALARMS),
    "alarm.resolved": Kind("An alarm is resolved: its cause is gone, or somebody released it.", AlarmData, ALARMS),
    "run.began": Kind("A run of a task began, or one that was taken for interrupted goes on.", RunData, REPORTS),
    "run.ended": Kind("A run ended; its report may come later.", EndedRunData, REPORTS),
    "report.created": Kind("The report of a run came.", ReportData, REPORTS),
    "map.changed": Kind("A map is new, has another revision or another name.", MapData, MAPS, guarded=True),
    "map.deleted": Kind("A map was deleted.", MapData, MAPS, guarded=True),
    "message.created": Kind("A message came to the account itself.", MessageData, ("message/index",)),
}
