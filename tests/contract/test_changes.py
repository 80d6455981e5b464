"""What changes do with what they are not sent, with nothing, and with what they do not know."""

from typing import Annotated, Any

import pytest

from lustra.app.wiring import wire
from lustra.core.calls.registry import CALLS, Call, types_of
from lustra.core.errors import Code
from lustra.core.wire import Change, Wire, doc, optional_from
from tests.world import World

VERBS = ("edit", "update", "rename")
# Besides the rows' own fields these have a default, which holds where it is not sent: what is done, not what a row is.
ACTS = {
    "/device/updateDataBackupPlan": {"before_updates", "keep"},  # sends the whole plan
    "/device/updateDeviceUserInfo": {"things"},  # how a robot is handed over
    "/device/updateDevicesOwner": {"things"},
    "/device/updateUserDeviceStatus": {"status"},  # binds a robot, or frees it
    "/taskReport/updateLetterhead": {"logo", "monthly", "colour"},  # sends the whole look
    "/user/updateHeadPicture": {"url", "account"},  # the one value; the form's own name
    "/user/updatePadConfig": {  # sends the whole look
        "login_background",
        "boot_animation",
        "idle_animation",
        "login_logo",
        "main_logo",
        "theme_color",
    },
    "/user/updatePassword": {"account"},  # the form's own name
}


def changes() -> list[tuple[Call, type[Any]]]:
    wire()
    rows = [(entry, types_of(entry)[0]) for entry in CALLS.values()]
    return [(entry, payload) for entry, payload in rows if payload is not None and entry.audit]


def verb_of(entry: Call) -> str:
    return entry.path.rsplit("/", 1)[-1].lower()


@pytest.mark.spec("q.payload_silence")
def test_every_change_of_a_row_may_leave_fields_out():
    """A change sends at least its row; whatever has a default but `None` would be written where it was not sent. By the
    register: no payload is left out, and no exception stays that is none."""
    silent: dict[str, set[str]] = {}
    for entry, payload in changes():
        if verb_of(entry).startswith(VERBS) and not issubclass(payload, Change):
            fields = payload.model_fields.items()
            names = {name for name, field in fields if not field.is_required() and field.default is not None}
            if names:
                silent[entry.path] = names
    assert silent == ACTS
    filled = {
        f"{entry.path} {name}"
        for entry, payload in changes()
        if issubclass(payload, Change)
        for name, field in payload.model_fields.items()
        if not field.is_required() and field.default not in (None, "")
    }
    assert filled == set()


NODE = {"name": "Harbour", "url": "https://a.example", "country": "SG", "region": "singapore", "supportType": 3}
ELEVATOR = {
    "elevatorName": "East",
    "code": "E1",
    "buildingName": "Tower",
    "buildingAddress": "Quay 1",
    "contactName": "Ada",
    "contactPhone": "13800000000",
    "groupId": 4,
    "size": "2 x 2",
    "floor": "1,2,3",
    "position": "hall",
    "moduleId": "m",
    "robotId": "r",
}
ADVERT_TIMES = {"startDate": "2026-11-01", "endDate": "2026-12-01", "startTime": "08:00", "endTime": "20:00"}

# Path to create, its fields, path to change, name of the id, path to read, the change.
ROWS: dict[str, tuple[str, dict[str, Any], str, str, str, dict[str, Any]]] = {
    "node": (
        "/wmDeviceHostInfo/add",
        NODE | {"flag": 1, "sshPort": 20001, "webPort": 20002, "frpPort": 21000, "frpPortEnd": 21999},
        "/wmDeviceHostInfo/edit",
        "id",
        "/wmDeviceHostInfo/queryById",
        {"name": "Quay"},
    ),
    "elevator": (
        "/elevator/insertElevator",
        ELEVATOR,
        "/elevator/updateElevator",
        "elevatorId",
        "/elevator/selectInfoByElevatorId",
        {"position": "rear"},
    ),
    "file server": (
        "/host/add",
        {"name": "Files", "url": "https://f.example", "flag": 1},
        "/host/edit",
        "id",
        "/host/list",
        {"name": "Store"},
    ),
    "group of robots": (
        "/deviceGroup/insert",
        {"name": "Night", "type": 2},
        "/deviceGroup/update",
        "id",
        "/deviceGroup/selectAll",
        {"name": "Day"},
    ),
}


async def read(world: World, path: str, id_name: str, row_id: int) -> dict[str, Any]:
    data = await world.call("admin", path, **{id_name: row_id})
    return next(row for row in data["list"] if row[id_name] == row_id) if "list" in data else data


@pytest.mark.spec("q.payload_silence")
@pytest.mark.parametrize("name", list(ROWS))
async def test_leave_fields_that_a_change_omits(world: World, name: str):
    create, fields, change, id_name, show, part = ROWS[name]
    row_id = (await world.call("admin", create, **fields))[id_name]
    before = await read(world, show, id_name, row_id)
    assert before.items() >= {k: v for k, v in fields.items() if k in before}.items()
    await world.call("admin", change, **{id_name: row_id}, **part)
    after = await read(world, show, id_name, row_id)
    changed = {field for field in before if before[field] != after[field]}
    assert changed == {*part, "updateTime"}, (before, after)

    nulls = dict.fromkeys((k for k in fields if k not in part and k not in {"groupId", "sshPort", "webPort"}), None)
    await world.call("admin", change, **{id_name: row_id}, **part, **nulls)
    assert await read(world, show, id_name, row_id) == after


@pytest.mark.spec("q.payload_silence")
@pytest.mark.parametrize("name", list(ROWS))
async def test_a_change_that_names_nothing_known_is_refused(world: World, name: str):
    create, fields, change, id_name, _, _ = ROWS[name]
    row_id = (await world.call("admin", create, **fields))[id_name]
    for payload in ({}, {"colour": "red"}):
        answer = (await world.post("admin", change, **{id_name: row_id}, **payload)).json()
        assert answer["message"]["code"] == Code.BAD_INPUT
        assert answer["message"]["message"] == "No changes were sent"


async def test_an_emptied_text_is_emptied(world: World):
    row_id = (await world.call("admin", "/elevator/insertElevator", **ELEVATOR))["elevatorId"]
    await world.call("admin", "/elevator/updateElevator", elevatorId=row_id, contactName="", groupId=None)
    row = await read(world, "/elevator/selectInfoByElevatorId", "elevatorId", row_id)
    assert (row["contactName"], row["groupId"], row["size"]) == ("", None, "2 x 2")


async def test_rules_of_two_fields_hold_where_one_is_sent(world: World):
    code, data = await world.raw("admin", "/wmDeviceHostInfo/add", **NODE, frpPortEnd=20500, frpPort=21000)
    assert (code, data["field"]) == (Code.BAD_INPUT, "frpPortEnd")
    node = (await world.call("admin", "/wmDeviceHostInfo/add", **NODE, frpPort=21000, frpPortEnd=21999))["id"]
    for ports in ({"frpPort": 22000}, {"frpPortEnd": 20500}):
        code, data = await world.raw("admin", "/wmDeviceHostInfo/edit", id=node, **ports)
        assert (code, data["field"]) == (Code.BAD_INPUT, "frpPortEnd")


async def test_a_plan_of_maintenance_keeps_what_its_change_leaves_out(world: World):
    sn = {"device_serial_number": "SC0001"}
    whole = {"name": "Belts", "period": 50.0, "maintainDate": "2099-01-01"}
    await world.call("admin", "/maintain/updateMaintainBySn", **sn, list=[whole])
    [plan] = (await world.call("admin", "/maintain/findMaintainBySn", **sn))["list"]
    await world.call("admin", "/maintain/updateMaintainBySn", **sn, list=[{"id": plan["id"], "period": 60}])
    [after] = (await world.call("admin", "/maintain/findMaintainBySn", **sn))["list"]
    assert after == plan | {"period": 60.0}
    await world.call("admin", "/maintain/updateMaintainBySn", **sn, list=[{"id": plan["id"], "maintainDate": ""}])
    [after] = (await world.call("admin", "/maintain/findMaintainBySn", **sn))["list"]
    assert (after["maintainDate"], after["name"]) == (None, "Belts")


async def test_fields_that_a_call_does_not_know_are_named(world: World):
    answer = await world.post("admin", "/elevator/list", pageSize=5, colour="red", **{"größe\n": 1})
    assert answer.json()["message"]["code"] == 0
    assert answer.headers["x-unknown-fields"] == "colour, gr%C3%B6%C3%9Fe%0A"
    assert "x-unknown-fields" not in (await world.post("admin", "/elevator/list", pageSize=5)).headers


@pytest.mark.spec("conv.acting_user")
async def test_a_user_id_names_the_target_or_is_refused(world: World):
    me = await world.call("user", "/user/me")
    sub = world.accounts["sub"]
    await world.call("user", "/user/updateUserInfo", userId=sub, name="Other name")
    assert (await world.call("user", "/user/me"))["name"] == me["name"]
    assert (await world.call("sub", "/user/me"))["name"] == "Other name"
    code, _ = await world.raw("user", "/user/updateUserInfo", userId=world.accounts["rivaluser"], name="Stolen")
    assert code == Code.NOT_FOUND
    own, foreign = world.accounts["admin"], world.accounts["rivaluser"]
    await world.call("admin", "/host/add", name="A", url="https://a.example", userId=own)
    code, data = await world.raw("admin", "/host/add", name="B", url="https://b.example", userId=foreign)
    assert (code, data["field"]) == (Code.BAD_INPUT, "userId")


@pytest.mark.spec("q.extra_field_cases")
async def test_a_field_comes_by_its_name_or_by_another_writing_of_it(world: World):
    row_id = (await world.call("admin", "/elevator/insertElevator", **ELEVATOR))["elevatorId"]
    for name in ("elevatorId", "id", "elevator_id", "ELEVATORID"):
        answer = await world.post("admin", "/elevator/selectInfoByElevatorId", **{name: row_id})
        assert answer.json()["data"]["elevatorId"] == row_id
        assert "x-unknown-fields" not in answer.headers
    for name in ("device_serial_number", "deviceSerialNumber"):
        assert (await world.call("admin", "/maintain/findMaintainBySn", **{name: "SC0001"}))["list"] == []
    fields = {"name": "A", "url": "https://a.example"}
    for name in ("userID", "user_id"):
        code, data = await world.raw("admin", "/host/add", **fields, **{name: world.accounts["rivaluser"]})
        assert (code, data["field"]) == (Code.BAD_INPUT, "userId")


async def test_a_foreign_account_is_refused_however_many_unknown_fields_come_before_it(world: World):
    many = {f"unknown{number}": 1 for number in range(30)}
    fields = {"name": "B", "url": "https://b.example", "userId": world.accounts["rivaluser"]}
    code, data = await world.raw("admin", "/host/add", **many, **fields)
    assert (code, data["field"]) == (Code.BAD_INPUT, "userId")
    answer = await world.post("admin", "/elevator/list", **many)
    assert len(answer.headers["x-unknown-fields"].split(", ")) == 20


def test_a_field_that_a_change_may_leave_out_says_that_it_stays():
    class NewThing(Wire):
        colour: Annotated[str, doc("Colour of the thing.")]

    @optional_from(NewThing)
    class ThingChange(NewThing, Change):
        pass

    assert ThingChange.model_fields["colour"].description == "Colour of the thing. Left out: it stays."
    assert NewThing.model_fields["colour"].description == "Colour of the thing."


@pytest.mark.spec("call.device.listScreen", "q.payload_silence")
@pytest.mark.parametrize("empty", [None, ""])
async def test_a_filter_that_nobody_chose_does_not_narrow(world: World, empty: str | None):
    whole = await world.call("admin", "/device/selectDevicePc")
    names = ("deviceType", "deviceCode", "pageSize", "deviceCodeForSim", "isPc", "currentPage", "userId", "mode")
    assert await world.call("admin", "/device/selectDevicePc", **dict.fromkeys(names, empty)) == whole


def lists() -> list[str]:
    wire()
    names = []
    for entry in CALLS.values():
        payload, _ = types_of(entry)
        if (
            payload is not None
            and not entry.audit
            and not entry.upload
            and not entry.raw
            and "page_size" in payload.model_fields
        ):
            names.append(entry.path)
    return names


OF_DEALERS = {"/user/selectPadDeliveryPageList"}


@pytest.mark.parametrize("empty", [None, ""])
async def test_every_list_takes_filters_that_nobody_chose(world: World, empty: str | None):
    refusals: dict[str, Any] = {}
    for path in lists():
        payload, _ = types_of(CALLS["POST", path])
        fields = {field.alias: empty for field in payload.model_fields.values() if not field.is_required()}
        needed = {field.alias: 1 for field in payload.model_fields.values() if field.is_required()}
        code, data = await world.raw("dealer" if path in OF_DEALERS else "admin", path, **fields, **needed)
        if code not in (0, Code.NOT_FOUND):
            refusals[path] = (code, data)
    assert refusals == {}
    assert len(lists()) >= 30
