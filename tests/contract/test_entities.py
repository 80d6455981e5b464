"""Every field of every entity that is built stands in an answer: of a call, or of the robot's local API.

Which calls answer an entity stands in docs/spec; what the robot or another call answers is listed here, as is each
field that we call otherwise.
"""

from typing import Any

import pytest

from lustra.core.calls.registry import CALLS, types_of
from lustra.protocol.answers import plans, tasks
from lustra.protocol.bus import Flag
from tests.contract.test_conformance import answered, built, fold, rows

FIELDS = [
    f"ent.{entity}.{field}"
    for entity, fields in (
        (
            "device",
            (
                "deviceId deviceSerialNumber deviceCode deviceType typeName deviceUrl address address1"
                " simNo simSupport rackNumber bootTime createTime updateTime heartbeatTime map job"
                " hardDiskInfo online firmware_version soft_version pad_version elevatorId customerName"
                " customerAddress area frpHost frpPort sshPort webPort latitude longitude battery charging"
                " mapName taskName progress protocolVersion ownerUserId groupIds testDevice"
            ),
        ),
        ("device_type", "typeId typeName typeUrl description"),
        ("hardware_part", "id name type cate_id cate_name hard_support_text version"),
        ("hardware_category", "cate_id cate_name"),
        ("production_batch", "batchId batchName rackRange typeIds hardSupportIds"),
        ("consumable", "name replaceDate usedHours lifeHours deviceSerialNumber"),
        ("maintenance", "name maintainDate period device_serial_number"),
        ("lease", "id deviceId customerName startDate endDate stoppedAt state remark"),
        ("data_backup", "id fileName size status time deviceId"),
        ("repair", "id deviceId type detail date operator processor processTime processPlan state"),
        ("map", "id name area flags virtualWalls forbiddenZones erasers freeArea deviceId"),
        ("map_flag", "name position type"),
        ("task", "name map area cleaningMode taskMode routeShape speed hardFloor"),
        ("task_unit", "name map task"),
        ("task_group", "name tasks gid deviceGroupType"),
        ("device_group", "id name type deviceIds userId"),
        (
            "timetask",
            "name map taskList startTime repeat isActive forcedEndTime forcedEndEnabled autoChargeThreshold",
        ),
        ("elevator_timetask", "name elevatorId floors startTime repeat isActive"),
        (
            "elevator",
            (
                "elevatorId elevatorName code buildingName buildingAddress contactName contactPhone"
                " groupId size floor position provider moduleId robotId server"
            ),
        ),
        (
            "user",
            (
                "userId account name phone email password url emailToTask emailToWarn emailToTaskReport"
                " levelDepth role parentUser type childs shadowId permissionKeys"
            ),
        ),
        ("role", "id name userId pagePermissions buttonPermissions"),
        ("role_group", "id userId name roleIds permissionKeys"),
        ("permission", "key name description sort"),
        ("host", "id name url supportType flag sshPort webPort frpPort"),
        ("message", "id read deleted title content time userId"),
        ("login_response", "userId token permissionBeans"),
        (
            "task_report",
            (
                "taskReportId startTime endTime workArea cleanedArea coverage efficiency warnCount"
                " deviceId taskName mapName gid"
            ),
        ),
        ("password_access", "id userId deviceId time ip"),
        (
            "pad_config",
            "loginBackground bootAnimation idleAnimation loginLogo mainLogo homeTiles aboutUs themeColor userId",
        ),
        ("advertising", "id name file startDate endDate deviceSerialNumber"),
        ("operation_log", "id userId call target time ip result"),
    )
    for field in fields.split()
]
# Answered by calls that the specification does not name for it, or by the robot.
ALSO = {
    "ent.permission": ["/login"],
    "ent.login_response": ["/login"],
    "ent.operation_log": ["/log/list"],
    "ent.device": ["/deviceGroup/selectAll"],
    "ent.user": ["/user/insertUser", "/login"],
    "ent.pad_config": ["/user/selectPadConfig"],
}
ROBOT: dict[str, Any] = {
    "ent.map_flag": Flag,
    "ent.task": tasks.TaskRow,
    "ent.task_unit": plans.UnitRow,
    "ent.task_group": plans.GroupRow,
    "ent.timetask": plans.TimeTaskRow,
    "ent.elevator_timetask": plans.ElevatorTimeTaskRow,
}
SAME = {
    "ent.device.groupIds": "deviceIds",  # a group names its robots: /deviceGroup/selectAll
    "ent.map.freeArea": "freeAreas",
    "ent.map_flag.position": "x",  # and y, yaw
    "ent.task.map": "map_name",
    "ent.task.area": "areas",
    "ent.task.cleaningMode": "clean_mode",
    "ent.task.routeShape": "route",
    "ent.task_unit.map": "map_name",
    "ent.task_group.deviceGroupType": "type",
    "ent.timetask.map": "map_name",
    "ent.timetask.repeat": "days",  # rule.timetask.mapping: only the times differ on the wire, dashes for colons
    "ent.timetask.isActive": "enable",
    "ent.timetask.forcedEndTime": "end_time",
    "ent.timetask.forcedEndEnabled": "forced_end",
    "ent.timetask.autoChargeThreshold": "charge_below",
    "ent.elevator_timetask.repeat": "days",
    "ent.elevator_timetask.isActive": "enable",
    "ent.user.permissionKeys": "permissionBeans",  # the console makes the map of them
    "ent.role.pagePermissions": "pageKeys",
    "ent.role.buttonPermissions": "buttonKeys",
    "ent.advertising.file": "url",
    "ent.advertising.deviceSerialNumber": "deviceIds",  # an advert is for several robots
    "ent.operation_log.call": "action",
    "ent.operation_log.target": "detail",
    "ent.operation_log.ip": "address",
}


@pytest.fixture(scope="module")
def fields_by_entity() -> dict[str, set[str]]:
    calls = built()
    names: dict[str, set[str]] = {row["id"]: set() for row in rows("entities")}
    for row, entry in calls.values():
        for entity in row.get("answers", []):
            names[entity] |= answered(types_of(entry)[1], set())
    for entity, paths in ALSO.items():
        for path in paths:
            names[entity] |= answered(types_of(CALLS[("POST", path)])[1], set())
    for entity, model in ROBOT.items():
        structs = getattr(model, "__struct_fields__", None)
        names[entity] |= set(structs) if structs else answered(model, set())
    return {entity: {fold(name) for name in fields} for entity, fields in names.items()}


@pytest.mark.spec(*FIELDS)
@pytest.mark.parametrize("field", FIELDS)
def test_each_field_of_an_entity_is_answered(fields_by_entity: dict[str, set[str]], field: str):
    _, entity, name = field.split(".")
    assert fold(SAME.get(field, name)) in fields_by_entity[f"ent.{entity}"]
