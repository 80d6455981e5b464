"""Commands about maps that robots pass on: this robot's part of it, told truthfully.

Robots do not speak with each other: the server hands maps on (cmd.takemap, see map_download.py), from its mirror of the
source. So a source tells its map anew, that the mirror is the newest; a target says what it has, and how far it is with
a map of that name that the server has sent.
"""

from lustra.protocol.payloads.sync import CloudInfo, MapSync
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.handlers import Answer, does
from lustra.robot.map_rename import rename
from lustra.robot.robot import Robot

PLACES = ("building", "floor")


@does("map/CloudInfoUpdate")
def cloud_info_update(robot: Robot, of: CloudInfo) -> Answer:
    """What the map is called and where its floor is. Nothing else that is told could be of use here."""
    told = robot.editable(robot.map(of.map_name))
    new = {name: value.strip() for name in PLACES if isinstance(value := of.data.get(name), str)}
    if not new and of.name is None:
        raise RobotRefusal(RelayCode.BAD_INPUT, "map_info_empty", "Nothing is told that the robot keeps", "data")
    kept = sorted(new if of.name is None else [*new, "name"])
    if of.name is not None and of.name != told.name:
        told = rename(robot, told.changed(**new), of.name)
    elif any(getattr(told, name) != value for name, value in new.items()):
        told = told.changed(**new)
        robot.changed_map(told)
    return {"revision": told.revision, "kept": kept}


@does("map/map_sync")
def map_sync(robot: Robot, of: MapSync) -> Answer:
    own = robot.spec.sn
    if own == of.source:
        told = robot.map(of.map_name)
        robot.tell_map(told)
        return {"state": "told", "revision": told.revision}
    if own not in of.targets:
        raise RobotRefusal(
            RelayCode.BAD_INPUT, "sync_not_meant", "This robot neither sends nor takes the map", "targets"
        )
    known = robot.store.maps.get(of.map_name)
    sent = [order.told for order in robot.intake.orders.values() if order.take.name == of.map_name]
    told = sent[-1] if sent else None
    return {
        "state": told.state if told else "not_ordered", "reason": told.reason if told else "",
        "have": told.have if told else 0, "revision": known.revision if known else 0,
    }  # fmt: skip
