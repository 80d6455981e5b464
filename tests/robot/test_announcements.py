"""A robot whose power goes between a change and its event announces the change at its next start."""

import json
from pathlib import Path
from typing import Any

import pytest

from lustra.protocol.payloads.groups import TaskGroup
from lustra.protocol.payloads.tasks import Task
from lustra.robot.plans import Entry
from lustra.robot.robot import Robot
from lustra.robot.store import StoredTask
from tests.robot.conftest import TASK, hall, open_robot


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a robot that holds a map, a task and a group, all announced and confirmed."""
    folder = tmp_path / "SC0001"
    robot = open_robot(folder, floor=hall())
    task = StoredTask(Task.model_validate(TASK | {"map_name": "hall"}), 1)
    group = Entry(TaskGroup.model_validate({"name": "Round", "tasks": [{"map_name": "hall", "task": "Hall"}]}))
    robot.store.tasks["hall", "Hall"] = task
    robot.store.save_tasks()
    robot.mirror.announce_task(task)
    robot.plans.groups.rows["Round"] = group
    robot.plans.save()
    robot.mirror.announce_plan("group", group)
    robot.outbox.confirm(list(robot.outbox.messages))
    return folder


def announced(robot: Robot) -> list[tuple[str, str, bool]]:
    events: list[dict[str, Any]] = [json.loads(message.data) for message in robot.outbox.unconfirmed()]
    return [(event["kind"], event["name"], event.get("deleted", False)) for event in events if event["kind"] != "power"]


def test_a_start_after_which_nothing_changed_announces_nothing(folder: Path):
    assert announced(open_robot(folder)) == []


@pytest.mark.spec("rule.task.name")
def test_announce_at_the_next_start_what_was_stored_before(folder: Path):
    robot = open_robot(folder)
    changed = robot.store.tasks["hall", "Hall"]
    changed.revision += 1
    new = StoredTask(changed.task.model_copy(update={"name": "New"}), 1)
    robot.store.tasks["hall", "New"] = new
    robot.store.save_tasks()
    robot.store.save_map(hall(name="attic"))
    robot.plans.groups.rows["Round"].revision += 1
    robot.plans.save()

    assert sorted(announced(open_robot(folder))) == [
        ("group", "Round", False),
        ("map", "attic", False),
        ("task", "hall/Hall", False),
        ("task", "hall/New", False),
    ]


def test_announce_as_deleted_what_was_deleted_before_a_restart(folder: Path):
    robot = open_robot(folder)
    del robot.plans.groups.rows["Round"]
    robot.plans.save()
    del robot.store.tasks["hall", "Hall"]
    robot.store.save_tasks()

    restarted = open_robot(folder)
    assert sorted(announced(restarted)) == [("group", "Round", True), ("task", "hall/Hall", True)]
    restarted.outbox.confirm(list(restarted.outbox.messages))
    assert announced(open_robot(folder)) == []


def test_announce_no_erased_reports_to_the_next_owner(folder: Path):
    open_robot(folder).erase(1)
    assert announced(open_robot(folder)) == []


def test_a_folder_of_a_former_version_is_announced_as_a_whole(folder: Path):
    (folder / "announced.json").unlink()
    assert sorted(announced(open_robot(folder))) == [
        ("group", "Round", False),
        ("map", "hall", False),
        ("task", "hall/Hall", False),
    ]
