"""The registry of elevators: what may stand in it, whose they are, and when one goes."""

from typing import Any

import pytest

from lustra.core.errors import Code
from tests.world import World

LIFT = {
    "elevatorName": "Lift A",
    "code": "T2-A",
    "buildingName": "Tower 2",
    "buildingAddress": "1 Quay Road",
    "contactName": "Front desk",
    "contactPhone": "13800138000",
    "groupId": 1,
    "size": "2.1 × 2.4 m",
    "floor": "B1, 1,2",
    "position": "Lift hall",
    "provider": 1,
    "moduleId": "M-7",
    "robotId": "R-7",
    "server": "https://lifts.example.org",
}


async def add(world: World, account: str = "user", **fields: Any) -> int:
    return (await world.call(account, "/elevator/insertElevator", **LIFT | fields))["elevatorId"]


async def info(world: World, elevator: int, account: str = "user") -> dict:
    return await world.call(account, "/elevator/selectInfoByElevatorId", elevatorId=elevator)


async def list_ids(world: World, account: str, **filters: Any) -> list[int]:
    return [row["elevatorId"] for row in (await world.call(account, "/elevator/list", **filters))["list"]]


@pytest.fixture(autouse=True)
async def keys(world: World):
    await world.pool.execute("update role set keys = keys || '{elevator/index}'::text[]")


@pytest.mark.spec(
    "call.elevator.insertElevator",
    "call.elevator.selectInfoByElevatorId",
    "call.elevator.list",
    "ent.elevator",
    "q.elevator_provider",
)
async def test_an_elevator_is_registered_and_found(world: World):
    lift = await add(world)
    other = await add(world, elevatorName="Lift B", code="", buildingName="Annex", provider=0, server="")
    expected = LIFT | {"floor": "B1,1,2", "providerName": "KONE", "robots": 0, "userName": "Bright Floors"}
    assert (await info(world, lift)).items() >= expected.items()
    assert (await info(world, other))["providerName"] == ""
    both = [other, lift]
    assert await list_ids(world, "user") == both
    for words, expected_ids in {"tower": [lift], "t2-a": [lift], "LIFT": both, "quay": both, "harbour": []}.items():
        assert await list_ids(world, "user", keyword=words) == expected_ids
    page = await world.call("user", "/elevator/list", pageSize=1, currentPage=2)
    assert ([r["elevatorId"] for r in page["list"]], page["total"], page["pageNum"]) == ([lift], 2, 2)


@pytest.mark.spec("rule.elevator.name", "rule.elevator.building")
@pytest.mark.parametrize("path", ["/elevator/insertElevator", "/elevator/updateElevator"])
@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("elevatorName", ""),
        ("elevatorName", "  "),
        ("buildingName", ""),
        ("contactPhone", "1380013800"),
        ("contactPhone", "138001380000"),
        ("floor", ""),
        ("floor", " , "),
        ("floor", "1,2,1"),
        ("floor", "x" * 33),
        ("provider", 99),
        ("provider", -1),
        ("server", "ftp://x"),
        ("server", "http://a@b"),
        ("groupId", -1),
        ("size", "x" * 101),
    ],
)
async def test_refuse_an_invalid_elevator_by_its_field(world: World, path: str, field: str, bad: int | str):
    lift = await add(world, code="KEPT")
    before = await info(world, lift)
    code, data = await world.raw("user", path, **LIFT | {"elevatorId": lift, field: bad})
    assert (code, data["field"]) == (Code.BAD_INPUT, field)
    assert await info(world, lift) == before


@pytest.mark.parametrize("field", ["elevatorName", "buildingName", "floor"])
async def test_a_new_elevator_has_a_name_a_building_and_floors(world: World, field: str):
    code, data = await world.raw("user", "/elevator/insertElevator", **LIFT | {field: None})
    assert (code, data["field"]) == (Code.BAD_INPUT, field)


async def test_require_only_name_building_and_floors_of_an_elevator(world: World):
    payload = {"elevatorName": "Lift A", "buildingName": "Tower 2", "floor": "1"}
    elevator = await world.call("user", "/elevator/insertElevator", **payload)
    row = await info(world, elevator["elevatorId"])
    assert (row["provider"], row["contactPhone"], row["groupId"]) == (0, "", None)


async def test_a_code_names_one_elevator_of_an_owner(world: World):
    lift = await add(world)
    code, data = await world.raw("user", "/elevator/insertElevator", **LIFT | {"code": "t2-a"})
    assert (code, data["field"]) == (Code.BAD_INPUT, "code")
    await world.call("user", "/elevator/updateElevator", **LIFT | {"elevatorId": lift})
    await add(world, "sub")


@pytest.mark.spec("call.elevator.updateElevator")
async def test_refuse_a_late_edit_and_name_what_changed(world: World):
    lift = await add(world)
    change = LIFT | {"elevatorId": lift, "updateTime": (await info(world, lift))["updateTime"]}
    await world.call("dealer", "/elevator/updateElevator", **change | {"floor": "1,2,3", "size": "small"})
    code, data = await world.raw("user", "/elevator/updateElevator", **change | {"position": "Yard"})
    assert (code, data["fields"]) == (Code.CONFLICT, ["size", "floor"])
    row = await info(world, lift)
    assert (row["floor"], row["position"], row["userName"]) == ("1,2,3", "Lift hall", "Bright Floors")


@pytest.mark.spec("call.elevator.deleteElevator")
async def test_an_elevator_that_robots_ride_stays_and_says_how_many(world: World):
    lift = await add(world, "dealer")
    await world.pool.execute("update device set elevator_id = $1 where serial_number in ('SC0001', 'SC0003')", lift)
    assert (await info(world, lift, "dealer"))["robots"] == 2
    answer = (await world.post("dealer", "/elevator/deleteElevator", elevatorId=lift)).json()
    assert (answer["message"]["code"], answer["data"]["count"]) == (Code.BAD_INPUT, 2)
    assert "Robot 01 机器 · Robot 03 机器" in answer["message"]["message"]
    await world.pool.execute("update device set elevator_id = null where serial_number = 'SC0001'")
    await world.pool.execute("update device set deleted_at = now() where serial_number = 'SC0003'")
    await world.call("dealer", "/elevator/deleteElevator", elevatorId=lift)
    assert (await world.raw("dealer", "/elevator/selectInfoByElevatorId", elevatorId=lift))[0] == Code.NOT_FOUND


@pytest.mark.parametrize("account", ["rival", "rivaluser", "sub"])
async def test_an_elevator_is_its_owners_and_of_those_above(world: World, account: str):
    lift = await add(world)
    before = await world.pool.fetchval("select row_to_json(e)::text from elevator e")
    assert await list_ids(world, account) == []
    for path, payload in (
        ("/elevator/selectInfoByElevatorId", {}),
        ("/elevator/updateElevator", LIFT),
        ("/elevator/deleteElevator", {}),
    ):
        assert (await world.raw(account, path, elevatorId=lift, **payload))[0] == Code.NOT_FOUND, path
    theirs = LIFT | {"code": "", "userId": world.accounts["user"]}
    assert (await world.raw(account, "/elevator/insertElevator", **theirs))[0] == Code.NOT_FOUND
    assert (await world.raw(account, "/elevator/list", userId=world.accounts["user"]))[0] == Code.NOT_FOUND
    assert await world.pool.fetchval("select row_to_json(e)::text from elevator e") == before
    assert (
        await list_ids(world, "dealer") == await list_ids(world, "admin") == await list_ids(world, "shadow") == [lift]
    )


async def test_register_an_elevator_for_an_account_below_and_filter_by_account(world: World):
    lift = await add(world, "dealer", userId=world.accounts["user"])
    own = await add(world, "dealer", code="D")
    assert await list_ids(world, "user") == [lift]
    assert sorted(await list_ids(world, "dealer")) == sorted([lift, own])
    assert await list_ids(world, "dealer", userId=world.accounts["user"]) == [lift]


async def test_a_deleted_accounts_elevators_go_to_the_account_above(world: World):
    lift, same = await add(world, "sub"), await add(world, "sub", code="S")
    await add(world, "user")
    await world.pool.execute("update account set deleted_at = now() where account = 'sub'")
    row = await info(world, lift)
    assert (row["userName"], row["code"]) == ("Bright Floors", "")  # the code is taken there
    assert (await info(world, same))["code"] == "S"


async def test_a_secret_stays_with_its_server_and_goes_with_another(world: World):
    fields = {
        "elevatorName": "Lift",
        "buildingName": "Tower",
        "floor": "1,2",
        "provider": 7,
        "server": "https://a.example",
    }
    id_ = (await world.call("user", "/elevator/insertElevator", **fields, secret="hush"))["elevatorId"]

    async def has() -> bool:
        return (await world.call("user", "/elevator/selectInfoByElevatorId", elevatorId=id_))["hasSecret"]

    await world.call("user", "/elevator/updateElevator", elevatorId=id_, **fields | {"position": "Yard"})
    assert await has()
    await world.call("user", "/elevator/updateElevator", elevatorId=id_, **fields | {"server": "https://b.example"})
    assert not await has()
    await world.call("user", "/elevator/updateElevator", elevatorId=id_, **fields, secret="new")
    assert await has()
    await world.call("user", "/elevator/updateElevator", elevatorId=id_, **fields, secret="")
    assert not await has()
    code, _ = await world.raw("rivaluser", "/elevator/updateElevator", elevatorId=id_, **fields, secret="theirs")
    assert (code, await has()) == (Code.NOT_FOUND, False)
    notes = await world.pool.fetchval("select string_agg(detail::text, ' ') from audit")
    assert "hush" not in notes
    assert "theirs" not in notes
