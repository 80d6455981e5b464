"""What a backup of this robot holds, and how a robot comes to hold it.

Rules: maps, tasks with their pictures, paths, groups, schedules and settings; not where the robot stands, not its
reports, recordings, passwords and control lock. What is put in place becomes all that the robot holds; what is the same
already stays as it is, with its revision, so that putting it in place twice does the same as once.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from lustra.protocol.backups import BackupItem, ItemKind
from lustra.robot.backups.archive import refuse
from lustra.robot.maps import floor as floors
from lustra.robot.maps.bundle import check_marks
from lustra.robot.maps.floor import Floor
from lustra.robot.plans import Entry, Plans
from lustra.robot.simulation.parameters import check_parameters
from lustra.robot.store import Store, StoredTask, write

KINDS: dict[str, ItemKind] = {  # of items, by list of plans
    "groups": "group",
    "timetasks": "timetask",
    "lifts": "elevator_timetask",
    "paths": "path",
}
PICTURES = "pictures/"
MAPS = "maps/"


class Settings(msgspec.Struct, kw_only=True):
    params: dict[str, float]
    utilities: dict[str, int]
    dose: float


@dataclass
class Contents:
    """`plans`: by list, then name. `pictures`: of tasks, by the name of their content."""

    maps: dict[str, Floor]
    tasks: dict[tuple[str, str], StoredTask]
    plans: dict[str, dict[str, Entry[Any]]]
    settings: Settings
    pictures: dict[str, bytes] = field(default_factory=dict[str, bytes])


def collect(store: Store, plans: Plans) -> Contents:
    """What the robot holds now."""
    facts = store.facts
    files = {stored.picture: picture_file(store, stored.picture) for stored in store.tasks.values()}
    return Contents(
        maps=dict(store.maps),
        tasks=dict(store.tasks),
        plans={name: dict(shelf.rows) for name, shelf in plans.lists.items()},
        settings=Settings(params=dict(facts.params), utilities=dict(facts.utilities), dose=facts.dose),
        pictures={name: file.read_bytes() for name, file in files.items() if name and file.exists()},
    )


def picture_file(store: Store, name: str) -> Path:
    return store.folder / "pictures" / f"{name}.png"


def digest_of(content: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()[:16]


def map_digest(floor: Floor) -> str:
    return digest_of(msgspec.to_builtins(floor.content()))


def task_digest(stored: StoredTask) -> str:
    return digest_of([stored.task.model_dump(mode="json", exclude={"revision"}), stored.picture])


def plan_digest(entry: Entry[Any]) -> str:
    return digest_of(entry.item.model_dump(mode="json", exclude={"revision"}))


def list_items(contents: Contents) -> Iterator[BackupItem]:
    for name, floor in contents.maps.items():
        yield BackupItem(kind="map", name=name, digest=map_digest(floor))
    for (map_name, name), stored in contents.tasks.items():
        yield BackupItem(kind="task", name=f"{map_name}/{name}", digest=task_digest(stored))
    for shelf, rows in contents.plans.items():
        for name, entry in rows.items():
            yield BackupItem(kind=KINDS[shelf], name=name, digest=plan_digest(entry))
    settings = contents.settings
    for name, value in {**settings.params, **settings.utilities, "dose": settings.dose}.items():
        yield BackupItem(kind="setting", name=name, digest=digest_of(float(value)))


def to_files(contents: Contents) -> dict[str, bytes]:
    tasks = [stored.to_row() | {"origin": stored.origin} for stored in contents.tasks.values()]
    plans = {shelf: {name: entry.to_row() for name, entry in rows.items()} for shelf, rows in contents.plans.items()}
    return {
        **{f"{MAPS}{n}.json": floors.encode_floor(floor) for n, floor in enumerate(contents.maps.values())},
        **{f"{PICTURES}{name}.png": data for name, data in contents.pictures.items()},
        "tasks.json": msgspec.json.encode(tasks),
        "plans.json": msgspec.json.encode(plans),
        "settings.json": msgspec.json.encode(contents.settings),
    }


def from_files(files: dict[str, bytes]) -> Contents:
    """Refused as a whole where any of it is not what this robot can hold."""
    try:
        maps = [floors.decode_floor(data) for name, data in files.items() if name.startswith(MAPS)]
        tasks = [StoredTask.read(row) for row in msgspec.json.decode(files["tasks.json"], type=list[dict[str, Any]])]
        settings = msgspec.json.decode(files["settings.json"], type=Settings)
        plans = Plans(Path())
        plans.read(msgspec.json.decode(files["plans.json"], type=dict[str, dict[str, dict[str, Any]]]))
    except (msgspec.MsgspecError, KeyError, ValueError) as why:
        raise refuse("backup_broken", "What the backup holds cannot be read") from why
    check_parameters(settings.params, {})
    contents = Contents(
        maps={floor.name: check_marks(floor) for floor in maps},
        tasks={(stored.task.map_name, stored.task.name): stored for stored in tasks},
        plans={name: shelf.rows for name, shelf in plans.lists.items()},
        settings=settings,
        pictures={Path(name).stem: data for name, data in files.items() if name.startswith(PICTURES)},
    )
    of_maps = {key[0] for key in contents.tasks} | {entry.item.map_name for entry in plans.paths.rows.values()}
    if not of_maps <= contents.maps.keys():
        raise refuse("backup_broken", "A task of the backup is on a map that it does not hold")
    return contents


def put_in_place(contents: Contents, store: Store, plans: Plans) -> None:
    """What the robot holds becomes what the backup holds."""
    for name in store.maps.keys() - contents.maps.keys():
        store.drop_map(name)
    for name, floor in contents.maps.items():
        known_floor = store.maps.get(name)
        if known_floor is None or map_digest(known_floor) != map_digest(floor):
            store.save_map(replace(floor, revision=known_floor.revision + 1 if known_floor else 1))
    for name, data in contents.pictures.items():
        picture_file(store, name).parent.mkdir(exist_ok=True)
        write(picture_file(store, name), data)
    store.tasks = {key: next_task(store.tasks.get(key), stored) for key, stored in contents.tasks.items()}
    store.save_tasks()
    for shelf, entries in plans.lists.items():
        entries.rows = {name: next_entry(entries.rows.get(name), row) for name, row in contents.plans[shelf].items()}
    plans.save()
    settings, facts = contents.settings, store.facts
    facts.params, facts.utilities, facts.dose = dict(settings.params), dict(settings.utilities), settings.dose
    store.save_facts()


def next_task(known: StoredTask | None, stored: StoredTask) -> StoredTask:
    if known and task_digest(known) == task_digest(stored):
        return known
    return replace(stored, revision=known.revision + 1 if known else 1)


def next_entry(known: Entry[Any] | None, entry: Entry[Any]) -> Entry[Any]:
    if known and plan_digest(known) == plan_digest(entry):
        return known
    return replace(entry, revision=known.revision + 1 if known else 1)
