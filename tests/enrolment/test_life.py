"""Enrolment by a code, passwords, change of owner, types, SIM cards, places, work: through the wire and the bus."""

import asyncio
import hashlib
import json
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric.ec import SECP521R1
from cryptography.hazmat.primitives.asymmetric.ec import generate_private_key as generate_ec_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from httpx import ASGITransport, AsyncClient
from starlette.applications import Starlette

from lustra.core.calls import rpc
from lustra.core.errors import Code
from lustra.core.http.doors import Limit
from lustra.domains.enrolment import command_delivery, vault
from lustra.protocol import bus
from tests.world import World, forget_logins

SN = "SC0001"
PAST = 1_000
FUTURE = 4_000_000_000_000


def public(key: Any) -> str:
    return key.public_key().public_bytes(form.Encoding.OpenSSH, form.PublicFormat.OpenSSH).decode()


KEY = public(Ed25519PrivateKey.generate())


async def create_code(world: World, account: str = "dealer", **payload: Any) -> str:
    return await world.call(account, "/device/deviceGenerateAuthCode", **payload)


async def enrol(world: World, given: str, serial: str = "NEW1", **fields: Any):
    payload = {"code": given, "deviceSerialNumber": serial, "sshKey": KEY, "typeName": "scrubber"} | fields
    answer = (await world.http.post("/api/device/enrol", json=payload)).json()
    return answer["message"]["code"], answer["data"]


@pytest.mark.spec(
    "call.device.deviceGenerateAuthCode", "perm.button.device.index.authCode", "ent.auth_code", "state.auth_code"
)
async def test_a_robot_with_a_code_is_known_to_bus_and_relays_at_once(world: World):
    given = await create_code(world, userId=world.accounts["sub"])
    commands = ["robot_pose", "robot_safe"]
    status, answer = await enrol(world, given, abilities=["scrub"], firmwareVersion="4.2", commands=commands)
    assert status == 0
    entry = await world.services.bus.get("devices", "NEW1")
    assert entry["password"] == hashlib.sha256(answer["busPassword"].encode()).hexdigest()
    assert (entry["sshKey"], entry["port"], entry["deviceId"]) == (KEY, answer["port"], answer["deviceId"])
    assert answer["nats"].startswith("nats://")
    assert "@" not in answer["nats"]
    row = await world.call("sub", "/device/selectDeviceByDeviceId", deviceId=answer["deviceId"])
    assert row["commands"] == commands
    assert (row["ownerUserId"], row["typeName"], row["abilities"], row["firmware_version"], row["frpPort"]) == (
        world.accounts["sub"],
        "Scrubber",
        ["scrub"],
        "4.2",
        answer["port"],
    )
    audit = await world.pool.fetchrow("select name, detail::text from audit where action = 'device.enrol'")
    assert audit["name"] == "dealer"
    assert answer["busPassword"] not in audit["detail"]


@pytest.mark.spec(
    "ent.auth_code.used",
    "state.auth_code.valid",
    "state.auth_code.used",
    "state.auth_code.t01",
    "rule.auth_code.once",
    "const.auth_code_ttl",
)
async def test_of_many_parallel_uses_of_a_code_exactly_one_wins(world: World):
    given = await create_code(world)
    answers = await asyncio.gather(*(enrol(world, given, f"NEW{n}") for n in range(100)))
    codes = [status for status, _ in answers]
    assert codes.count(0) == 1
    assert set(codes) <= {0, Code.CODE_INVALID, Code.UNAVAILABLE}  # of a hundred some wait too long for the database
    assert await world.pool.fetchval("select count(*) from device where serial_number like 'NEW%'") == 1


@pytest.mark.spec(
    "ent.auth_code.code",
    "ent.auth_code.expiresAt",
    "state.auth_code.expired",
    "state.auth_code.t02",
    "rule.auth_code.once",
    "const.auth_code_ttl",
)
@pytest.mark.parametrize(("age", "status"), [(119, 0), (121, Code.CODE_INVALID)])
async def test_a_code_lives_two_minutes(world: World, age: int, status: Any):
    given = await create_code(world)
    await world.pool.execute("update one_time_code set expires_at = expires_at - $1::interval", timedelta(seconds=age))
    assert (await enrol(world, given))[0] == status


async def test_a_refused_robot_does_not_use_up_the_code(world: World):
    given = await create_code(world)
    for wrong in ({"sshKey": "ssh-ed25519 AAAA"}, {"typeName": "none"}, {"serial": "SC0010"}):
        assert (await enrol(world, given, **wrong))[0] in (Code.BAD_INPUT, Code.EXISTS)
    assert (await enrol(world, given, serial="a b"))[0] == Code.BAD_INPUT
    assert (await enrol(world, given))[0] == 0


@pytest.mark.parametrize(("bits", "status"), [(1024, Code.BAD_INPUT), (2048, 0)])
async def test_a_key_that_is_too_short_is_refused(world: World, bits: int, status: Any):
    short = public(generate_private_key(65537, bits))
    assert (await enrol(world, await create_code(world), sshKey=short))[0] == status


async def test_a_key_of_another_kind_is_refused(world: World):
    other = public(generate_ec_key(SECP521R1()))
    status, data = await enrol(world, await create_code(world), sshKey=other)
    assert (status, data["field"]) == (Code.BAD_INPUT, "sshKey")


async def test_a_code_whose_owner_is_gone_lets_nobody_in(world: World):
    given = await create_code(world, userId=world.accounts["subsub"])
    await world.call("dealer", "/user/deleteUserInfo", targetUserId=world.accounts["subsub"])
    assert (await enrol(world, given))[0] == Code.CODE_INVALID


async def test_a_robot_that_is_in_comes_again_only_by_a_code_for_just_it(world: World):
    robot = world.devices[SN]
    assert (await enrol(world, await create_code(world, userId=world.accounts["user"]), SN))[0] == Code.EXISTS
    named = await create_code(world, deviceSerialNumber=SN)
    assert (await enrol(world, named, "NEW1"))[0] == Code.CODE_INVALID
    status, answer = await enrol(world, named, SN)
    assert (status, answer["deviceId"], answer["port"]) == (0, robot, 20001)
    code_, answer = await world.raw("dealer", "/device/deviceGenerateAuthCode", deviceSerialNumber="SC0010")
    assert (code_, answer["field"]) == (Code.EXISTS, "deviceSerialNumber")


async def test_a_robot_that_was_added_before_enrols_by_any_code_of_its_owner(world: World):
    payload = {"deviceSerialNumber": "NEW1", "deviceCode": "Ready", "deviceType": 1}
    device = await world.call("dealer", "/device/insertDevice", **payload)
    assert (await enrol(world, await create_code(world, "rival")))[0] == Code.EXISTS
    status, payload = await enrol(world, await create_code(world))
    assert (status, payload["deviceId"]) == (0, device["deviceId"])


@pytest.mark.spec("call.device.deviceGenerateAuthCode")
async def test_a_code_is_for_ones_own_scope_only(world: World):
    for payload in ({"userId": world.accounts["rivaluser"]},):
        assert (await world.raw("dealer", "/device/deviceGenerateAuthCode", **payload))[0] == Code.NOT_FOUND
    assert (await world.raw("user", "/device/deviceGenerateAuthCode"))[0] == Code.FORBIDDEN


# Passwords


async def enrol_new(world: World, account: str = "dealer", serial: str = "NEW1") -> dict:
    return (await enrol(world, await create_code(world, account), serial))[1]


async def list_readings(world: World, account: str = "admin", **filters: Any):
    return (await world.call(account, "/device/selectViewPwdPageList", **filters))["list"]


async def grant_keys(world: World, *accounts: str) -> None:
    for account in accounts:
        await world.pool.execute(
            "update account set keys = held_keys(account) || $1::text[] where account = $2",
            ["device/index/view_password", "device/index/device/selectViewPwdPageList", "device/index/edit_owner"],
            account,
        )
    world.tokens.clear()
    forget_logins(world.services)


@pytest.mark.spec(
    "call.device.selectPasswordByDeviceId",
    "call.device.selectViewPwdPageList",
    "ent.password_access",
    "perm.button.device.index.view_password",
    "perm.page.device.index.device.selectViewPwdPageList",
    "q.device_password",
)
async def test_record_each_reading_of_a_password_and_store_none_in_clear(world: World):
    answer = await enrol_new(world)
    device = answer["deviceId"]
    assert (await world.raw("dealer", "/device/selectPasswordByDeviceId", deviceId=device))[0] == Code.FORBIDDEN
    assert await list_readings(world) == []
    read = await world.call("admin", "/device/selectPasswordByDeviceId", deviceId=device)
    assert read["password"] == answer["devicePassword"]
    [record] = await list_readings(world)
    assert (record["account"], record["deviceSerialNumber"], record["ip"]) == ("admin", "NEW1", "127.0.0.1")
    assert await list_readings(world, deviceSerialNumber="new") == [record]
    assert await list_readings(world, deviceSerialNumber="SC") == []
    today = datetime.now(timezone.utc).date()
    assert await list_readings(world, startDate=str(today), endDate=str(today)) == [record]
    assert await list_readings(world, startDate=str(today + timedelta(days=1))) == []
    for table in ("device_password", "device", "device_credential", "audit", "password_access"):
        rows = await world.pool.fetchval(f"select coalesce(json_agg(t), '[]')::text from {table} t")
        assert answer["devicePassword"] not in rows, table
    assert (await world.raw("admin", "/device/selectPasswordByDeviceId", deviceId=world.devices[SN]))[0] == 40000


async def test_a_sealed_password_opens_for_its_robot_alone(world: World):
    settings = world.services.settings
    sealed = vault.seal(settings, 1, "secret")
    assert vault.unseal(settings, 1, sealed) == "secret"
    assert vault.seal(settings, 1, "secret") != sealed
    for device, changed in ((2, sealed), (1, sealed[:-1] + bytes([sealed[-1] ^ 1]))):
        with pytest.raises(InvalidTag):
            vault.unseal(settings, device, changed)


class Answering:
    """A robot that answers its errands on the bus, or refuses."""

    def __init__(self, world: World, sn: str, at: int = FUTURE) -> None:
        self.world, self.sn, self.at, self.commands = world, sn, at, []

    async def __aenter__(self):
        async def hear(message: Any) -> None:
            self.commands.append((message.subject.rsplit(".", 1)[1], json.loads(message.data)))
            await message.respond(json.dumps({"code": 0, "msg": "", "at": self.at}).encode())

        self.ear = await self.world.services.bus.subscribe(bus.cmd(self.sn, "*"), hear)
        return self

    async def __aexit__(self, *_: object):
        await self.ear.unsubscribe()


async def deliver_all(world: World) -> None:
    for row in await world.pool.fetch("select id from robot_errand where done_at is null order by id"):
        await command_delivery.deliver(world.services, row["id"])


@pytest.mark.spec("perm.button.device.index.reset_password")
async def test_a_new_password_counts_once_the_robot_has_taken_it(world: World):
    answer = await enrol_new(world)
    device = answer["deviceId"]
    await world.call("admin", "/device/resetPassword", deviceId=device)
    read = await world.call("admin", "/device/selectPasswordByDeviceId", deviceId=device)
    assert (read["password"], read["coming"]) == (answer["devicePassword"], True)
    await deliver_all(world)  # nobody is there
    assert await world.pool.fetchval("select tries from robot_errand") == 1
    async with Answering(world, "NEW1") as robot:
        await world.pool.execute("update presence set online = true where robot = $1", device)
        await world.pool.execute("update robot_errand set tried_at = now() - interval '1 minute'")
        await command_delivery.deliver_due(world.services)
        [command] = [sent for name, sent in robot.commands if name == "password"]
    read = await world.call("admin", "/device/selectPasswordByDeviceId", deviceId=device)
    assert (read["password"], read["coming"]) == (command["password"], False)
    assert read["password"] != answer["devicePassword"]


async def test_a_command_that_its_robot_refuses_or_cannot_hear_stays_undone(world: World):
    device = (await enrol_new(world))["deviceId"]
    await world.call("admin", "/device/resetPassword", deviceId=device)
    undone = "select count(*) from robot_errand where done_at is null"

    async def refuse(message: Any) -> None:
        await message.respond(b'{"code": 1, "msg": "", "reason": "robot_busy"}')

    ear = await world.services.bus.subscribe(bus.cmd("NEW1", "*"), refuse)
    await deliver_all(world)
    assert await world.pool.fetchval(undone) == 1
    await ear.unsubscribe()
    await world.pool.execute("update device set deleted_at = now() where id = $1", device)
    async with Answering(world, "NEW1") as robot:
        await deliver_all(world)
        assert robot.commands == []
    assert await world.pool.fetchval(undone) == 1


async def test_the_past_of_a_robot_names_no_account_out_of_scope(world: World):
    ref = {"deviceId": world.devices["SC0001"]}
    await world.call("dealer", "/device/workInfoResetById", **ref, reason="Sold", hash="h1")
    await world.call("admin", "/device/updateDeviceUserInfo", **ref, ownerUserId=world.accounts["rivaluser"])
    history = await world.call("rivaluser", "/device/selectHistory", **ref)
    assert [(row["fromName"], row["toName"], row["things"]) for row in history["owners"]] == [
        (None, history["owners"][0]["toName"], "keep")
    ]
    assert history["owners"][0]["toName"]
    assert history["resets"] == []
    whole = await world.call("admin", "/device/selectHistory", **ref)
    assert whole["owners"][0]["fromName"]
    assert [row["reason"] for row in whole["resets"]] == ["Sold"]
    assert (await world.raw("user", "/device/selectHistory", **ref))[0] == Code.NOT_FOUND


async def test_bound_guesses_of_codes_by_address_and_lock_no_other_out(world: World):
    world.services.doors.each = Limit(burst=2, per_second=0.001)
    given = await create_code(world)
    assert [(await enrol(world, "GUESS111"))[0] for _ in range(3)] == [
        Code.CODE_INVALID,
        Code.CODE_INVALID,
        Code.TOO_MANY_TRIES,
    ]
    assert (await enrol(world, given))[0] == Code.TOO_MANY_TRIES
    elsewhere = ASGITransport(Starlette(routes=[rpc.CallRoute(world.services)]), client=("192.0.2.7", 1))
    async with AsyncClient(transport=elsewhere, base_url="http://test") as world.http:
        assert (await enrol(world, given))[0] == 0
