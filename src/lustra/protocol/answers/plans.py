"""Answers about task groups and scheduled tasks."""

from typing import Annotated, Literal

from lustra.protocol.answers.base import Changed, Done, MapTitle, Placed, RevisionOf, RobotTime, Row
from lustra.protocol.answers.tasks import Top
from lustra.protocol.bus import Turn
from lustra.protocol.doc import doc
from lustra.protocol.payloads import schedules as given
from lustra.protocol.payloads.groups import GroupTitle, GroupType

GroupId = Annotated[str, doc("Id of the group; it keeps it through every change of name.")]
Zone = Annotated[str, doc("IANA time zone of the robot's wall clock.")]
Next = Annotated[int, doc("When it comes next, ms since 1970; 0: never.")]


class UnitRow(Row):
    """A step of a group."""

    name: Annotated[str, doc("Name of the step.")]
    map_name: MapTitle
    task: Annotated[str, doc("Name of the task that the step runs.")]


class GroupRow(Row):
    name: GroupTitle
    type: Annotated[GroupType, doc("What its tasks share: 0 nothing, 1 the project, 2 the map, 3 the building.")]
    tasks: Annotated[list[UnitRow], doc("Its steps in their order.")]
    count: Annotated[int, doc("How often one run works through it.")]
    revision: RevisionOf
    top: Top
    gid: GroupId
    running: Annotated[bool, doc("The robot works through it now.")]


class Groups(Done):
    list: Annotated[list[GroupRow], doc("All groups; the one that was put on top last comes first.")]


class SavedGroup(Changed):
    gid: GroupId


class ScheduleRow(Row):
    """What rows of both kinds of schedules have. `state` and `reason`: what became of the newest occurrence."""

    name: given.ScheduleTitle
    start_time: given.StartTime
    days: given.Days
    enable: given.Enable
    forced_end: given.ForcedEnd
    end_time: given.EndTime
    skips: given.Skips
    moves: given.Moves
    charge_below: given.ChargeBelow
    revision: RevisionOf
    top: Top
    state: Annotated[Turn | Literal[""], doc("What became of its newest occurrence; empty: there was none.")]
    reason: Annotated[str, doc("Key of the catalogue: why that was missed or broken off; empty: it was not.")]
    next: Next


class TimeTaskRow(ScheduleRow):
    map_name: MapTitle
    task_list: given.TaskTitles


class FloorRow(Row):
    map_name: given.FloorMap
    task_list: given.TaskTitles


class ElevatorTimeTaskRow(ScheduleRow):
    elevator_id: given.ElevatorId
    floors: Annotated[list[FloorRow], doc("Floors in the order of the work.")]


class TimeTasks(Done):
    timetask_info: Annotated[list[TimeTaskRow], doc("The schedules; the one that was put on top last comes first.")]
    zone: Zone
    now: RobotTime


class ElevatorTimeTasks(Done):
    timetask_info: Annotated[
        list[ElevatorTimeTaskRow], doc("The schedules; the one that was put on top last comes first.")
    ]
    zone: Zone
    now: RobotTime


class TimeTaskInfo(Done, TimeTaskRow):
    zone: Zone


class SavedSchedule(Changed):
    next: Next


class CabinPoint(Placed):
    name: Annotated[str, doc("Name of the point; it is named after its elevator.")]


class CabinPoints(Done):
    list: Annotated[list[CabinPoint], doc("Where the robot stands in an elevator's cabin.")]
