"""Commands about maps that robots pass on: this robot's part of it.

Robots do not speak with each other: the server hands maps on (cmd.takemap, see map_download.py), from its mirror of the
source. So a source sends its map anew, that the mirror is the newest; a target answers what it has, and the state of
its download of a map of that name.
"""

from lustra.protocol.payloads.sync import CloudInfo, MapSync
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.local_api.handlers import Answer, handles
from lustra.robot.local_api.map_rename import rename_map
from lustra.robot.robot import Robot

PLACES = ("building", "floor")


@handles("map/CloudInfoUpdate")
def cloud_info_update(robot: Robot, of: CloudInfo) -> Answer:
    """What the map is called and where its floor is. All else in `data` is ignored."""
    floor = robot.check_editable(robot.find_map(of.map_name))
    new = {name: value.strip() for name in PLACES if isinstance(value := of.data.get(name), str)}
    if not new and of.name is None:
        raise RobotRefusal(RelayCode.BAD_INPUT, "map_info_empty", "Nothing is told that the robot keeps", "data")
    changed_fields = sorted(new if of.name is None else [*new, "name"])
    if of.name is not None and of.name != floor.name:
        floor = rename_map(robot, floor.changed(**new), of.name)
    elif any(getattr(floor, name) != value for name, value in new.items()):
        floor = floor.changed(**new)
        robot.save_map(floor)
    return {"revision": floor.revision, "kept": changed_fields}


@handles("map/map_sync")
def map_sync(robot: Robot, of: MapSync) -> Answer:
    own = robot.spec.sn
    if own == of.source:
        report = robot.find_map(of.map_name)
        robot.mirror.announce_map(report)
        return {"state": "told", "revision": report.revision}
    if own not in of.targets:
        raise RobotRefusal(
            RelayCode.BAD_INPUT, "sync_not_meant", "This robot neither sends nor takes the map", "targets"
        )
    known = robot.store.maps.get(of.map_name)
    reports = [order.report for order in robot.downloads.orders.values() if order.take.name == of.map_name]
    report = reports[-1] if reports else None
    return {
        "state": report.state if report else "not_ordered",
        "reason": report.reason if report else "",
        "have": report.have if report else 0,
        "revision": known.revision if known else 0,
    }
