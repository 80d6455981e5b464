"""The bus: its payloads, each once. Their subjects are in subjects.py.

Every payload carries `v` (its version) and `at`: the robot's clock in ms, max(now, last + 1), never used twice by one
robot over all its messages. Every version ever released stays readable (tests/wire keeps samples). JSON, UTF-8.
m, rad, m/s, %, ml, m²; poses in the map frame, y up.

Subjects are named together with their payloads: `bus.state(sn)` carries a `telemetry.State`.
"""

import msgspec

from lustra.protocol.bus.alarms import Alarm, AlarmKind, Notification, OpenAlarm
from lustra.protocol.bus.events import CommandList, Event, EventKind, Receipt, Refused, Send
from lustra.protocol.bus.live_view import Cells, Lidar, Mask, Path
from lustra.protocol.bus.maps import Eraser, Flag, MapContent, TakeMap, Taken, Zone
from lustra.protocol.bus.orders import Control, Erase, Fault, FaultName, Home, Password, Pause, Simulate, Watch
from lustra.protocol.bus.reports import End, Occurrence, Report, Schedule, Turn, Unit
from lustra.protocol.bus.rides import ElevatorOffer, ElevatorWish, RidePhase, RideStep
from lustra.protocol.subjects import alarm, answer, cmd, event, leaf_state, lift, live, report, state, tunnel

__all__ = [
    "LARGEST_INLINE",
    "Alarm",
    "AlarmKind",
    "Cells",
    "CommandList",
    "Control",
    "ElevatorOffer",
    "ElevatorWish",
    "End",
    "Erase",
    "Eraser",
    "Event",
    "EventKind",
    "Fault",
    "FaultName",
    "Flag",
    "Home",
    "Lidar",
    "MapContent",
    "Mask",
    "Notification",
    "Occurrence",
    "OpenAlarm",
    "Password",
    "Path",
    "Pause",
    "Receipt",
    "Refused",
    "Report",
    "RidePhase",
    "RideStep",
    "Schedule",
    "Send",
    "Simulate",
    "TakeMap",
    "Taken",
    "Turn",
    "Unit",
    "Watch",
    "Zone",
    "alarm",
    "answer",
    "cmd",
    "encode",
    "event",
    "leaf_state",
    "lift",
    "live",
    "report",
    "state",
    "tunnel",
]

LARGEST_INLINE = 64 * 1024  # bytes; larger contents go by signed URL to the object endpoint


def encode(payload: msgspec.Struct) -> bytes:
    return msgspec.json.encode(payload)
