from collections.abc import Iterator
from datetime import datetime
from typing import Any

from lustra.protocol import bus
from tests.world import world

__all__ = ["plan_events", "world"]

NOON = datetime(2020, 1, 3, 12, 0).astimezone()
SCHEDULE = {
    "name": "Evening",
    "map_name": "floor 1",
    "task_list": ["Lobby"],
    "start_time": "22-30",
    "days": [1, 2, 3, 4, 5, 6, 7],
    "enable": 1,
    "kind": "timetask",
    "zone": "Europe/Berlin",
    "revision": 1,
    "top": 0,
}
GROUP = {
    "name": "Night",
    "tasks": [{"name": "Lobby", "map_name": "floor 1", "task": "Lobby"}],
    "kind": "group",
    "zone": "Europe/Berlin",
    "gid": "1f",
    "revision": 1,
    "top": 0,
}


def occurrence(start: int, state: str = "done", schedule: str = "Evening", at: int = 0, **more: Any) -> bus.Event:
    content = {"kind": "timetask", "schedule": schedule, "day": "2020-01-03", "start": start, "state": state} | more
    name = f"timetask/{schedule}/{start}"
    return bus.Event(at=at or start + 60_000, id=f"o{start}{state}", kind="occurrence", name=name, content=content)


def schedule(at: int, **changed: Any) -> bus.Event:
    content = SCHEDULE | changed
    name = f"{content['kind']}/{content['name']}"
    return bus.Event(at=at, id=f"s{at}{name}", kind="schedule", name=name, revision=1, content=content)


def group(at: int, **changed: Any) -> bus.Event:
    content = GROUP | changed
    return bus.Event(at=at, id=f"g{at}", kind="group", name=str(content["name"]), revision=1, content=content)


def plan_events(name: str) -> Iterator[bus.Event]:
    """A group, a schedule and an occurrence in the first week of 2020, all of that name."""
    start = round(NOON.timestamp() * 1000)
    yield group(start - 86_400_000, name=name)
    yield schedule(start - 86_400_000, name=name)
    yield occurrence(start, schedule=name)
