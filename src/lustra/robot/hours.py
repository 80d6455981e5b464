"""When zones, rooms and whole maps are closed, by the robot's own clock in its own zone (closed_zones.py acts)."""

from dataclasses import replace
from datetime import datetime, timezone

from lustra.protocol.hours import meets, shown
from lustra.robot.maps.floor import Floor

LEAVES_MS = 2 * 60_000  # before a zone closes
KINDS = ("forbidden_zones", "free_areas")
# Reasons of the catalogue.
QUIET = "map_quiet"
CLOSED = "zone_closed"


def wall_clock_minutes(name: str, since: int, until: int) -> frozenset[int]:
    return shown(name, *(datetime.fromtimestamp(at / 1000, timezone.utc) for at in (since, until)))


def close_zones(floor: Floor, zone: str, since: int, until: int) -> Floor:
    """The floor with what is closed at any time between; the same object where nothing changes."""
    timed = [(kind, n, z.hours) for kind in KINDS for n, z in enumerate(getattr(floor, kind)) if z.hours]
    if not timed:
        return floor
    now = wall_clock_minutes(zone, since, until)
    closed = frozenset((kind, n) for kind, n, hours in timed if meets(hours, now))
    return floor if closed == floor.shut else replace(floor, shut=closed)


def is_quiet(floor: Floor, zone: str, now: int) -> bool:
    """Whether no task may run on the map now."""
    return bool(floor.hours) and meets(floor.hours, wall_clock_minutes(zone, now, now))
