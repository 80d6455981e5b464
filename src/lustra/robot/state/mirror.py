"""What the server's mirror of the robot learns: each map, task, group and schedule, as it is now or that it is gone."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from lustra.protocol.bus import EventKind
from lustra.robot.maps.floor import Floor
from lustra.robot.outbox import Outbox
from lustra.robot.plans import Entry, PlanKind, Plans
from lustra.robot.store import Store, StoredTask


@dataclass
class Mirror:
    """`zone`: the IANA time zone that the robot's schedules go by."""

    store: Store
    plans: Plans
    outbox: Outbox
    zone: str

    def announce_map(self, floor: Floor) -> None:
        self.outbox.event("map", floor.name, floor.revision, floor.content())

    def announce_task(self, stored: StoredTask) -> None:
        self.outbox.event("task", f"{stored.task.map_name}/{stored.task.name}", stored.revision, stored.to_row())

    def announce_plan(self, kind: PlanKind, entry: Entry[Any], *, name: str = "", deleted: bool = False) -> None:
        """A group or a schedule as it is now; under a former `name`, that this is gone."""
        name = name or entry.item.name
        row = entry.to_row() | {"kind": kind, "zone": self.zone}
        if kind == "group":
            self.outbox.event("group", name, entry.revision, None if deleted else row, deleted=deleted)
        else:
            self.outbox.event("schedule", f"{kind}/{name}", entry.revision, None if deleted else row, deleted=deleted)

    def announce_missed(self) -> None:
        """Writes the events that the robot's last life did not come to."""
        announced = self.outbox.announced
        for kind, held in self.list_held().items():
            for name, revision in announced.list_missing(
                kind, {name: revision for name, (revision, _) in held.items()}
            ).items():
                self.outbox.event(kind, name, revision + 1, deleted=True)
            for name, (revision, announce) in held.items():
                if announced.revisions.get(kind, {}).get(name) != revision:
                    announce()

    def list_held(self) -> dict[EventKind, dict[str, tuple[int, Callable[[], None]]]]:
        """By kind and name: the revision that the robot holds, and what announces it."""
        maps, tasks, plans = self.store.maps, self.store.tasks, self.plans
        return {
            "map": {name: (floor.revision, partial(self.announce_map, floor)) for name, floor in maps.items()},
            "task": {"/".join(key): (row.revision, partial(self.announce_task, row)) for key, row in tasks.items()},
            "group": {
                name: (entry.revision, partial(self.announce_plan, "group", entry))
                for name, entry in plans.groups.rows.items()
            },
            "schedule": {
                f"{kind}/{name}": (entry.revision, partial(self.announce_plan, kind, entry))
                for kind, shelf in plans.schedules.items()
                for name, entry in shelf.rows.items()
            },
        }
