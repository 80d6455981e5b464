"""Who steers a robot: one at a time, by a lock that is asked for, handed over and taken over; and grants for relays."""

import json
import time
from datetime import timedelta
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.core.security import grants
from lustra.domains.control import bus_entries
from lustra.protocol import bus
from tests.device.test_devices import store_state
from tests.world import World


@pytest.mark.spec("state.control_request", "state.control_request.t01")
async def test_control_is_held_by_one_at_a_time_under_a_growing_number(world: World):
    ref = {"deviceId": world.devices["SC0003"]}
    lock = await world.call("user", "/device/takeControl", **ref, minutes=30)
    assert (lock["mine"], lock["number"], lock["owner"]) == (True, 1, "Bright Floors")
    code, refusal = await world.raw("sub", "/device/takeControl", **ref, minutes=10)
    assert (code, refusal["owner"]) == (Code.LOCKED, "Bright Floors")
    assert (await world.raw("sub", "/device/releaseControl", **ref))[0] == Code.LOCKED
    longer = await world.call("user", "/device/takeControl", **ref, minutes=60)
    assert longer["number"] == 1
    assert longer["until"] > lock["until"]
    assert await world.services.bus.get("control", "SC0003") == {
        "number": 1,
        "owner": "Bright Floors",
        "ownerId": world.accounts["user"],
        "until": longer["until"],
        "reason": "",
        "asker": "",
        "askerId": 0,
        "askedAt": 0,
    }
    assert (await world.call("user", "/device/releaseControl", **ref))["owner"] == ""
    assert (await world.call("sub", "/device/takeControl", **ref, minutes=10))["number"] == 3
    assert (await world.raw("user", "/device/takeControl", **ref, minutes=7))[0] == Code.BAD_INPUT


@pytest.mark.spec("rule.control.duration")
async def test_take_control_for_one_of_the_durations_or_until_released(world: World):
    ref = {"deviceId": world.devices["SC0003"]}
    for minutes in (10, 30, 60, 120):
        lock = await world.call("user", "/device/takeControl", **ref, minutes=minutes)
        assert minutes - 1 < (lock["until"] / 1000 - time.time()) / 60 <= minutes
    lasting = await world.call("user", "/device/takeControl", **ref, minutes=0)
    assert lasting["until"] / 1000 - time.time() > timedelta(days=365).total_seconds()
    for minutes in (-10, 1, 45, 121, 1440):
        assert (await world.raw("user", "/device/takeControl", **ref, minutes=minutes))[0] == Code.BAD_INPUT


async def read_messages(world: World, account: str) -> list[tuple[str, str]]:
    return [
        (message["kind"], message["content"])
        for message in (await world.call(account, "/message/findAllMessage"))["list"]
    ]


async def test_notify_the_holder_of_control_that_somebody_asks_for_it(world: World):
    ref = {"deviceId": world.devices["SC0003"]}
    free = await world.call("sub", "/device/askControl", **ref)
    assert (free["owner"], free["asker"]) == ("", "")  # nobody to ask
    held = await world.call("user", "/device/takeControl", **ref, minutes=0)
    await world.call("sub", "/device/askControl", **ref)
    answer = await world.call("sub", "/device/askControl", **ref)  # asked twice within a minute, told once
    assert (answer["owner"], answer["mine"], answer["asker"], answer["number"]) == (
        "Bright Floors",
        False,
        "Bright Floors East",
        held["number"],
    )
    entry = await world.services.bus.get("control", "SC0003")
    assert (entry["asker"], entry["askerId"]) == ("Bright Floors East", world.accounts["sub"])
    assert entry["askedAt"] == answer["askedAt"]
    assert await read_messages(world, "user") == [
        ("control_asked", "Bright Floors East requests control of Robot 03 机器.")
    ]
    await world.pool.execute("update control_lock set asked_at = asked_at - interval '61 s'")
    await world.call("sub", "/device/askControl", **ref)
    assert len(await read_messages(world, "user")) == 2
    await world.call("user", "/device/askControl", **ref)  # of oneself
    assert await read_messages(world, "sub") == []
    assert (await world.call("user", "/device/releaseControl", **ref))["asker"] == ""


async def test_the_holder_hands_control_over_to_who_has_asked(world: World):
    ref = {"deviceId": world.devices["SC0003"]}
    held = await world.call("user", "/device/takeControl", **ref, minutes=60)
    assert (await world.raw("user", "/device/handOverControl", **ref))[0] == Code.BAD_INPUT  # nobody asks
    await world.call("sub", "/device/askControl", **ref)
    assert (await world.raw("dealer", "/device/handOverControl", **ref))[0] == Code.LOCKED
    given = await world.call("user", "/device/handOverControl", **ref)
    assert (given["owner"], given["ownerId"]) == ("Bright Floors East", world.accounts["sub"])
    assert (given["mine"], given["number"], given["until"]) == (False, held["number"] + 1, held["until"])
    assert (given["asker"], given["askerId"]) == ("", 0)
    assert await read_messages(world, "sub") == [("control_given", "Bright Floors gave you control of Robot 03 机器.")]
    assert (await world.call("sub", "/device/control", **ref))["mine"] is True


async def test_take_control_over_with_a_reason_for_its_holder_and_the_audit(world: World):
    ref = {"deviceId": world.devices["SC0003"]}
    held = await world.call("user", "/device/takeControl", **ref, minutes=0)
    await world.call("sub", "/device/askControl", **ref)
    for reason in ("", "  ", "x" * 201):
        code, refused = await world.raw("dealer", "/device/takeOverControl", **ref, minutes=10, reason=reason)
        assert (code, refused["field"]) == (Code.BAD_INPUT, "reason")
    taken = await world.call("dealer", "/device/takeOverControl", **ref, minutes=10, reason=" Water on the floor ")
    assert (taken["mine"], taken["number"], taken["reason"]) == (True, held["number"] + 1, "Water on the floor")
    assert taken["asker"] == ""
    assert (await world.services.bus.get("control", "SC0003"))["reason"] == "Water on the floor"
    assert (await read_messages(world, "user"))[0] == (
        "control_taken",
        "Harbour Robotics took over control of Robot 03 机器: Water on the floor",
    )
    assert (await world.raw("user", "/device/releaseControl", **ref))[0] == Code.LOCKED
    row = (await world.call("admin", "/log/list", **ref))["list"][1]
    assert (row["action"], row["result"]) == ("device.take_over_control", 0)
    assert await world.services.bus.get("control", "SC0003") == {
        key: taken[key] for key in ("number", "owner", "ownerId", "until", "reason", "asker", "askerId", "askedAt")
    }


async def test_take_free_control_without_a_message(world: World):
    ref = {"deviceId": world.devices["SC0003"]}
    taken = await world.call("user", "/device/takeOverControl", **ref, minutes=10, reason="Round")
    longer = await world.call("user", "/device/takeOverControl", **ref, minutes=30, reason="Round")
    assert (taken["number"], longer["number"], longer["reason"]) == (1, 1, "")
    assert await read_messages(world, "user") == []


@pytest.mark.spec("state.control_request.t02")
async def test_a_lock_that_ran_out_is_free(world: World):
    ref = {"deviceId": world.devices["SC0003"]}
    await world.call("user", "/device/takeControl", **ref, minutes=0)
    await world.pool.execute("update control_lock set until = now() - interval '1 second'")
    assert (await world.call("sub", "/device/control", **ref))["owner"] == ""
    assert (await world.call("sub", "/device/takeControl", **ref, minutes=30))["number"] == 2


async def test_the_grant_carries_what_the_relay_must_know(world: World):
    ref = {"deviceId": world.devices["SC0001"]}
    answer = await world.call("user", "/device/relayGrant", **ref)
    key = grants.private("11" * 32).public_key()
    grant = grants.Checker(key).check(answer["grant"])
    assert (grant.sn, grant.port, grant.protocol, grant.number) == ("SC0001", answer["port"], 3, 0)
    assert "device_control/index" in grant.keys
    assert 0 < grant.exp - time.time() * 1000 <= 60_000
    await world.call("user", "/device/takeControl", **ref, minutes=30)
    answer = await world.call("user", "/device/relayGrant", **ref)
    assert grants.Checker(key).check(answer["grant"]).number == answer["number"] == 1
    answer = await world.call("dealer", "/device/relayGrant", **ref)
    assert (grants.Checker(key).check(answer["grant"]).number, answer["number"]) == (0, 1)


async def test_an_api_key_gets_grants_of_its_own_keys_that_end_with_it(world: World):
    ref = {"deviceId": world.devices["SC0001"]}
    key = await world.call("user", "/user/apiKey/insert", name="Driver", keys=["device_control/index"])
    maker = await world.token("user")
    world.tokens["user"] = key["secret"]
    answer = await world.call("user", "/device/relayGrant", **ref)
    grant = grants.Checker(grants.private("11" * 32).public_key()).check(answer["grant"])
    assert (grant.sid, grant.keys) == (key["id"], ["device_control/index"])
    world.tokens["user"] = maker
    await world.call("user", "/user/apiKey/delete", keyId=key["id"])
    assert await world.services.bus.get("revoked", key["id"])


async def test_find_done_and_denied_commands_in_the_audit_by_robot(world: World):
    ref, other = ({"deviceId": world.devices[sn]} for sn in ("SC0001", "SC0002"))
    await world.call("user", "/device/takeControl", **ref, minutes=30)
    assert (await world.raw("rivaluser", "/device/takeControl", **ref, minutes=30))[0] == Code.NOT_FOUND
    rows = (await world.call("admin", "/log/list", **ref))["list"]
    assert [(row["account"], row["action"], row["result"]) for row in rows] == [
        ("rivaluser", "device.take_control", Code.NOT_FOUND),
        ("user", "device.take_control", 0),
    ]
    assert (await world.call("admin", "/log/list", **other))["total"] == 0


async def test_the_relay_that_holds_the_tunnel_is_named(world: World):
    await world.services.bus.put("tunnels", "SC0001", {"relay": "http://other", "up": True, "at": 1})
    assert (await world.call("user", "/device/relayGrant", deviceId=world.devices["SC0001"]))["url"] == "http://other"


async def test_send_no_simulation_to_a_real_robot(world: World):
    ref = {"deviceId": world.devices["SC0001"], "factor": 5}
    assert (await world.raw("user", "/device/simulate", **ref))[0] == Code.OFFLINE
    await store_state(world, "SC0001", simulated=0)
    assert (await world.raw("user", "/device/simulate", **ref))[0] == Code.NOT_SIMULATED
    await store_state(world, "SC0001", simulated=1)
    assert (await world.raw("user", "/device/simulate", **ref))[0] == Code.ROBOT_SILENT


async def test_a_virtual_robot_hears_the_factor(world: World):
    await store_state(world, "SC0001", simulated=1)
    messages = []

    async def robot(message: Any):
        messages.append(message.data)
        await message.respond(b'{"code": 0, "msg": ""}')

    await world.services.bus.subscribe(bus.cmd("SC0001", "simulate"), robot)
    await world.call("user", "/device/simulate", deviceId=world.devices["SC0001"], factor=20)
    assert messages == [b'{"factor":20}']


async def test_a_robot_of_an_frp_node_is_looked_for_at_that_node(world: World):
    """Nobody announces its tunnel."""
    ref, node = {"deviceId": world.devices["SC0001"]}, "https://frp.test"
    await world.pool.execute("insert into node (name, url, flag) values ('Far', $1, 1)", node)
    before = (await world.call("user", "/device/relayGrant", **ref))["url"]
    await world.pool.execute("update device set frp_host = $1 where id = $2", node, ref["deviceId"])
    assert before != (await world.call("user", "/device/relayGrant", **ref))["url"] == node
    await world.services.bus.put("tunnels", "SC0001", {"up": True, "relay": "https://near.test", "at": 1})
    assert (await world.call("user", "/device/relayGrant", **ref))["url"] == "https://near.test"


async def test_giving_back_what_nobody_holds_changes_nothing(world: World):
    ref = {"deviceId": world.devices["SC0003"]}
    lock = await world.call("user", "/device/releaseControl", **ref)
    assert (lock["owner"], lock["number"]) == ("", 0)


async def test_a_robot_without_a_tunnel_gets_no_grant(world: World):
    await world.pool.execute("update device set frp_port = null where serial_number = 'SC0001'")
    code, data = await world.raw("user", "/device/relayGrant", deviceId=world.devices["SC0001"])
    assert (code, data["field"]) == (Code.NO_TUNNEL, "deviceId")


async def test_simulate_a_fault_of_a_virtual_robot_or_say_why_not(world: World):
    await store_state(world, "SC0001", simulated=1)
    answers = [b'{"code": 0, "msg": ""}', b'{"code": 1, "msg": "", "reason": "fault_unknown"}']

    async def robot(message: Any):
        assert json.loads(message.data) == {"name": "stuck", "on": True}
        await message.respond(answers.pop(0))

    await world.services.bus.subscribe(bus.cmd("SC0001", "fault"), robot)
    payload = {"deviceId": world.devices["SC0001"], "name": "stuck", "on": True}
    await world.call("user", "/device/fault", **payload)
    code, data = await world.raw("user", "/device/fault", **payload)
    assert (code, data["field"]) == (Code.ROBOT_REFUSED, "deviceId")


async def test_a_server_that_starts_writes_all_locks_into_the_bus(world: World):
    lock = await world.call("user", "/device/takeControl", deviceId=world.devices["SC0003"], minutes=30)
    await world.services.bus.drop("control", "SC0003")
    await bus_entries.sync(world.services)
    entry = await world.services.bus.get("control", "SC0003")
    assert (entry["owner"], entry["until"], entry["number"]) == (lock["owner"], lock["until"], lock["number"])
