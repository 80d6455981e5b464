"""Transfer nodes and file servers: their rules, who sees them, when they go, and what relays say of themselves."""

import time
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.core.http.addresses import canonical, relay_key
from lustra.domains.node import rules, service
from tests.world import World

URL = "https://relay.example.org"
NODE = {"name": "Harbour", "url": URL, "country": "SG", "region": "singapore", "supportType": 3, "flag": 1}
PORTS = {"sshPort": 20000, "webPort": 30000, "frpPort": 21000, "frpPortEnd": 21999}


async def add(world: World, **fields: Any) -> int:
    return (await world.call("admin", "/wmDeviceHostInfo/add", **NODE | fields))["id"]


async def refused(world: World, path: str, **payload: Any) -> str:
    """The field that is named."""
    code, data = await world.raw("admin", path, **payload)
    assert code == Code.BAD_INPUT, (code, data)
    return data["field"]


async def show_node(world: World, node_id: int) -> dict:
    return await world.call("admin", "/wmDeviceHostInfo/queryById", id=node_id)


@pytest.mark.spec(
    "call.wmDeviceHostInfo.add",
    "call.wmDeviceHostInfo.queryById",
    "call.wmDeviceHostInfo.queryByPage",
    "call.wmDeviceHostInfo.queryList",
    "ent.host",
)
async def test_a_node_is_added_found_and_chosen_from(world: World):
    node = await add(world, **PORTS)
    other = await add(world, name="Quay", url="relay2.example.org/", supportType=0, flag=0)
    row = await show_node(world, node)
    assert row.items() >= (NODE | PORTS | {"robots": 0, "state": "unknown", "ours": False}).items()
    assert (await show_node(world, other)).items() >= {
        "url": "https://relay2.example.org",
        "frpPort": 20000,
        "frpPortEnd": 30000,
        "sshPort": None,
    }.items()
    page = await world.call("admin", "/wmDeviceHostInfo/queryByPage", name="HARB")
    assert ([r["id"] for r in page["list"]], page["total"], page["pageNum"]) == ([node], 1, 1)
    for support, ids in ((3, [node, other]), (2, [other]), (None, [node, other])):
        payload = {} if support is None else {"supportType": support}
        nodes = await world.call("admin", "/wmDeviceHostInfo/queryList", **payload)
        assert [r["id"] for r in nodes["list"]] == ids


@pytest.mark.spec("rule.port.range", "const.port_range")
@pytest.mark.parametrize("field", ["sshPort", "webPort", "frpPort", "frpPortEnd"])
async def test_ports_are_from_20000_to_30000(world: World, field: str):
    for port in (19_999, 30_001, 0, -1):
        assert await refused(world, "/wmDeviceHostInfo/add", **NODE | {field: port}) == field
    besides = {"frpPort": 20000} if field == "frpPortEnd" else {}
    await add(world, name="low", url="low.example", **{field: 20_000}, **besides)
    await add(world, name="high", url="high.example", **{field: 30_000})


async def test_the_last_port_does_not_stand_before_the_first(world: World):
    payload = NODE | {"frpPort": 21_000, "frpPortEnd": 20_999}
    assert await refused(world, "/wmDeviceHostInfo/add", **payload) == "frpPortEnd"
    node = await add(world, frpPort=21_000, frpPortEnd=21_000)
    assert await refused(world, "/wmDeviceHostInfo/edit", id=node, frpPort=21_001) == "frpPortEnd"
    assert (await show_node(world, node))["frpPort"] == 21_000


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("name", " "),
        ("name", None),
        ("url", ""),
        ("url", "ftp://a.example"),
        ("url", "https://u:p@a.example"),
        ("url", "https://a.example?x=1"),
        ("url", "a b.example"),
        ("url", "https://"),
        ("url", "https://a.example:99999"),
        ("url", "https://-a.example"),
        ("url", "javascript:alert(1)"),
        ("country", "Narnia"),
        ("country", "XX"),
        ("region", "moon"),
        ("supportType", 1),
        ("flag", 2),
    ],
)
async def test_refuse_an_invalid_node_by_its_field(world: World, field: str, bad: int | str | None):
    assert await refused(world, "/wmDeviceHostInfo/add", **NODE | {field: bad}) == field
    assert await world.pool.fetchval("select count(*) from node") == 0


@pytest.mark.parametrize(
    ("address", "stored"),
    [
        ("Relay.Example.ORG", "https://relay.example.org"),
        ("http://10.0.0.7:8081/", "http://10.0.0.7:8081"),
        ("https://[2001:DB8::1]:8443/r/", "https://[2001:db8::1]:8443/r"),
        ("localhost", "https://localhost"),
    ],
)
def test_an_address_has_one_spelling(address: str, stored: str):
    assert canonical(address) == canonical(stored) == stored


async def test_refuse_a_second_node_of_the_same_name_or_address(world: World):
    node = await add(world)
    assert await refused(world, "/wmDeviceHostInfo/add", **NODE | {"name": "Other"}) == "url"
    assert (await world.raw("admin", "/wmDeviceHostInfo/add", **NODE | {"url": "b.example", "name": "HARBOUR"}))[
        0
    ] == Code.EXISTS
    other = await add(world, name="Other", url="b.example")
    assert await refused(world, "/wmDeviceHostInfo/edit", **NODE | {"name": "Other", "id": other}) == "url"
    await world.call("admin", "/wmDeviceHostInfo/edit", **NODE | {"name": "Harbour", "id": node})


@pytest.mark.spec("call.wmDeviceHostInfo.edit")
async def test_refuse_a_late_edit_name_the_changes_and_overwrite_nothing(world: World):
    node = await add(world)
    before = await show_node(world, node)
    payload = NODE | {"id": node, "updateTime": before["updateTime"]}
    await world.call("admin", "/wmDeviceHostInfo/edit", **payload | {"name": "Pier", "flag": 0})
    code, data = await world.raw("admin", "/wmDeviceHostInfo/edit", **payload | {"country": "AU"})
    assert (code, data["fields"]) == (Code.CONFLICT, ["name", "flag"])
    row = await show_node(world, node)
    assert (row["name"], row["country"]) == ("Pier", "SG")
    await world.call("admin", "/wmDeviceHostInfo/edit", **payload | {"country": "AU", "updateTime": row["updateTime"]})
    assert (await show_node(world, node))["country"] == "AU"
    await world.call("admin", "/wmDeviceHostInfo/edit", **NODE | {"id": node})  # who sends none writes last
    detail = await world.pool.fetchval("select detail from audit where action = 'node.update' order by id desc limit 1")
    assert detail["before"] == {"country": "AU"}


@pytest.mark.spec("call.wmDeviceHostInfo.deleteById", "odd.wmDeviceHostInfo.deleteById.del")
async def test_a_node_in_use_stays_and_says_by_how_many_robots(world: World):
    node = await add(world)
    await world.pool.execute("update device set frp_host = $1 where serial_number = any($2)", URL, ["SC0001", "SC0010"])
    assert (await show_node(world, node))["robots"] == 2
    answer = (await world.post("admin", "/wmDeviceHostInfo/deleteById", id=node)).json()
    assert answer["message"]["code"] == Code.BAD_INPUT
    assert answer["data"]["count"] == 2
    assert "Robot 01 机器 · Robot 10 机器" in answer["message"]["message"]
    moved = NODE | {"id": node, "url": "https://elsewhere.example"}
    assert await refused(world, "/wmDeviceHostInfo/edit", **moved) == "url"
    await world.pool.execute("update device set deleted_at = now()")
    await world.call("admin", "/wmDeviceHostInfo/deleteById", id=node)
    assert (await world.raw("admin", "/wmDeviceHostInfo/queryById", id=node))[0] == Code.NOT_FOUND
    assert (await world.raw("admin", "/wmDeviceHostInfo/deleteById", id=node))[0] == Code.NOT_FOUND


async def test_the_relay_that_the_installation_is_set_to_use_is_a_node_and_stays_one(world: World):
    await service.register_relays(world.services)
    await service.register_relays(world.services)
    [row] = (await world.call("admin", "/wmDeviceHostInfo/queryByPage"))["list"]
    assert (row["url"], row["ours"]) == ("http://127.0.0.1:9", True)
    assert await refused(world, "/wmDeviceHostInfo/deleteById", id=row["id"]) == "id"


async def test_a_node_is_up_while_its_relay_says_so_on_the_bus(world: World):
    node, now = await add(world), int(time.time() * 1000)

    async def put_status(**changes: Any):
        usual = {"url": URL, "up": True, "since": now - 60_000, "at": now, "tunnels": 3}
        await world.services.bus.put("relays", relay_key(URL), usual | changes)
        row = await show_node(world, node)
        return row["state"], row["since"], row["tunnels"]

    assert await put_status() == ("up", now - 60_000, 3)
    assert await put_status(up=False) == ("down", now, 0)
    assert await put_status(at=now - service.SILENT_MS - 1000) == ("down", now - service.SILENT_MS - 1000, 0)


@pytest.mark.spec("const.countries_listed", "const.transfer_nodes", "const.regions")
async def test_list_countries_and_regions_for_every_account(world: World):
    places = await world.call("user", "/wmDeviceHostInfo/places")
    assert (len(places["countries"]), places["nodes"]) == (17, ["CN", "RU", "SG", "US", "AU"])
    assert places["regions"] == ["domestic", "singapore", "france", "eu"]
    assert len(set(rules.PLACES["countries"])) == 17


@pytest.mark.spec("call.host.add", "call.host.list", "call.host.edit", "call.host.del", "odd.host.del.del")
async def test_file_servers_are_a_list_of_their_own(world: World):
    payload = {"name": "Files", "url": "files.example.org", "flag": 1}
    server = (await world.call("admin", "/host/add", **payload))["id"]
    [row] = (await world.call("admin", "/host/list"))["list"]
    assert row.items() >= {"id": server, "name": "Files", "url": "https://files.example.org", "flag": 1}.items()
    await world.call("admin", "/host/edit", **payload | {"id": server, "flag": 0, "updateTime": row["updateTime"]})
    code, data = await world.raw("admin", "/host/edit", **payload | {"id": server, "updateTime": row["updateTime"]})
    assert (code, data["fields"]) == (Code.CONFLICT, ["flag"])
    for field, bad in (("name", ""), ("url", "gopher://x"), ("flag", 7)):
        assert await refused(world, "/host/add", **payload | {"name": "B", field: bad}) == field
    assert (await world.raw("admin", "/host/add", **payload | {"name": "FILES"}))[0] == Code.EXISTS
    await world.call("admin", "/host/del", id=server)
    assert (await world.call("admin", "/host/list"))["list"] == []
    assert (await world.raw("admin", "/host/edit", **payload | {"id": server}))[0] == Code.NOT_FOUND


@pytest.mark.parametrize("account", ["dealer", "user", "subsub", "rival"])
async def test_nodes_and_servers_are_for_those_who_hold_their_key(world: World, account: str):
    node = await add(world)
    for path, payload in (
        ("/wmDeviceHostInfo/queryByPage", {}),
        ("/wmDeviceHostInfo/add", NODE),
        ("/host/list", {}),
        ("/wmDeviceHostInfo/edit", NODE | {"id": node}),
        ("/wmDeviceHostInfo/deleteById", {"id": node}),
        ("/host/add", {"name": "x", "url": "x.example"}),
        ("/host/del", {"id": 1}),
    ):
        assert (await world.raw(account, path, **payload))[0] == Code.FORBIDDEN, path
    assert (await world.call(account, "/wmDeviceHostInfo/queryList"))["list"]  # to choose from


async def test_find_a_node_by_each_spelling_of_its_address_and_by_nothing_else(world: World):
    node = await add(world)
    async with world.services.sessions() as db:
        rows = [await service.find_node_at(db, url) for url in ("Relay.Example.org/", URL, "https://", "elsewhere")]
    assert [row.id if row else None for row in rows] == [node, node, None, None]


async def test_an_installation_that_is_set_to_use_no_relay_registers_none(world: World):
    before = await world.pool.fetchval("select count(*) from node")
    object.__setattr__(world.services.settings, "relay_url", "")
    await service.register_relays(world.services)
    assert await world.pool.fetchval("select count(*) from node") == before
