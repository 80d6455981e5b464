"""What a relay forwards and what it refuses: a refusal is a flat answer, and a row for the audit."""

import asyncio
import base64
import json
import time
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from aiohttp import web

from lustra.core.security.grants import new_keys
from lustra.protocol.commands import MAPS, VIEW, routes
from lustra.relay import forward, known
from tests.relay.conftest import MakeRobot, World

MB = 1 << 20


@pytest.mark.spec("conv.relay_target", "conv.relay_prefix")
async def test_a_call_reaches_the_robot_as_it_was_sent(world: World, robots: MakeRobot):
    robot = await robots()
    async with world.tunnel(robot):
        answer = await world.call(robot, "api1/task_list", {"map_name": "床"})
    assert answer == {"code": 0, "msg": "", "path": "/api1/task_list"}
    request = robot.requests[0]
    assert json.loads(request["body"]) == {"map_name": "床"}
    assert request["headers"]["control"] == "0"


async def test_pass_on_none_of_the_callers_headers(world: World, robots: MakeRobot):
    robot = await robots()
    async with world.tunnel(robot):
        headers = {
            "grant": world.signed(world.grant(robot)),
            "token": "secret",
            "cookie": "a=b",
            "x-forwarded-for": "x",
        }
        await world.http.post(f"/?m=api1/task_list&p={robot.port}", headers=headers, json={})
    names = {name.lower() for name in robot.requests[0]["headers"]}
    assert not names & {"grant", "token", "cookie", "x-forwarded-for"}


@pytest.mark.parametrize("break_", [b"\r\n ", b"\r\n\t", b"\r", b"\n", b"\0", b"\r\n\r\n"])
async def test_a_kind_of_body_that_is_broken_into_lines_adds_no_header(world: World, robots: MakeRobot, break_: bytes):
    robot = await robots()
    where = urlsplit(world.url)
    head = f"POST /?m=api1/task_list&p={robot.port} HTTP/1.1\r\nhost: relay\r\nconnection: close\r\n"
    head += f"grant: {world.signed(world.grant(robot))}\r\ncontent-length: 2\r\ncontent-type: application/json;"
    async with world.tunnel(robot):
        read, write = await asyncio.open_connection(where.hostname, where.port)
        write.write(head.encode() + break_ + b"x-other: 1\r\n\r\n{}")
        await read.read()
        write.close()
    assert not any("x-other" in map(str.lower, request["headers"]) for request in robot.requests)


@pytest.mark.spec("conv.relay_method")
async def test_a_get_of_the_table_is_a_get_at_the_robot(world: World, robots: MakeRobot):
    robot = await robots()
    async with world.tunnel(robot):
        await world.call(robot, "api2/map_list")
        answer = await world.http.get(
            f"/?m=api2/map_list&p={robot.port}", headers={"grant": world.signed(world.grant(robot))}
        )
    assert answer.json()["code"] == 0
    assert [request["method"] for request in robot.requests] == ["GET", "GET"]


async def test_a_command_is_sent_by_post_or_by_its_own_method(world: World, robots: MakeRobot):
    robot = await robots()
    headers = {"grant": world.signed(world.grant(robot))}
    async with world.tunnel(robot):
        for method, m in (("GET", "api1/task_list"), ("DELETE", "api2/map_list"), ("PUT", "api1/task_list")):
            answer = await world.http.request(method, f"/?m={m}&p={robot.port}", headers=headers)
            refused = answer.status_code == 405 or answer.json()["reason"] == "method_wrong"
            assert refused, (method, m, answer.text)
    assert robot.requests == []


async def test_connections_to_the_robot_are_used_again(world: World, robots: MakeRobot):
    robot = await robots()
    seen = set()

    async def answer(request: web.Request) -> web.StreamResponse:
        seen.add(request.transport.get_extra_info("peername"))
        return web.json_response({"code": 0})

    robot.answer = answer
    async with world.tunnel(robot):
        for _ in range(5):
            await world.call(robot, "api1/task_state")
    assert len(seen) == 1


# Bad input: another's device, an unlisted m, a foreign p, a key that the grant lacks, a bad grant.


def changed(text: str) -> str:
    claims, signature = text.split(".")
    other = json.loads(base64.urlsafe_b64decode(claims)) | {"account": 1}
    return base64.urlsafe_b64encode(json.dumps(other).encode()).decode() + "." + signature


@pytest.mark.parametrize("bad", ["none", "nonsense", "expired", "foreign", "changed", "long"])
async def test_a_bad_grant_is_refused(world: World, robots: MakeRobot, bad: str):
    robot = await robots()
    good = world.grant(robot)
    grant = {
        "none": None,
        "nonsense": "a.b",
        "expired": world.signed(world.grant(robot, exp=int(time.time() * 1000) - 1)),
        "foreign": world.signed(good, new_keys()[0]),
        "changed": changed(world.signed(good)),
        "long": "A" * 20_000,
    }[bad]
    async with world.tunnel(robot):
        answer = await world.ask(f"/?m=api1/task_list&p={robot.port}&{bad}", grant)
    assert (answer["code"], answer["reason"]) == (401, "grant_invalid")
    assert robot.requests == []
    await world.until(lambda: world.audited(port=str(robot.port), code=401, refused=True))


async def test_a_revoked_sessions_grant_is_refused(world: World, robots: MakeRobot):
    robot = await robots()
    await world.bus.put("revoked", f"gone{robot.port}", 1)
    await world.until(lambda: f"gone{robot.port}" in world.running.known.revoked)
    async with world.tunnel(robot):
        answer = await world.call(robot, "api1/task_list", sid=f"gone{robot.port}")
    assert (answer["code"], answer["reason"]) == (401, "grant_revoked")


@pytest.mark.spec("const.x.relay_query")
@pytest.mark.parametrize(
    "m",
    [
        "api1/reboot",
        "task_list",
        "api/task_list",
        "api2/task_list",
        "api1/task_list/",
        "/api1/task_list",
        "api1/../api1/task_list",
        "http://127.0.0.1/",
        "@127.0.0.1:22/",
        "api1/task_list?x=1",
        "API1/TASK_LIST",
        "",
    ],
)
async def test_an_unlisted_m_is_refused_and_recorded(world: World, robots: MakeRobot, m: str):
    robot = await robots()
    async with world.tunnel(robot):
        answer = await world.http.post(
            "/", params={"m": m, "p": robot.port}, headers={"grant": world.signed(world.grant(robot))}
        )
    assert (answer.json()["code"], answer.json()["reason"]) == (404, "command_unknown")
    assert robot.requests == []
    await world.until(lambda: world.audited(sn=robot.sn, command=m, code=404, refused=True, account=7))


async def test_a_command_that_the_robot_does_not_have_is_refused_before_it(world: World, robots: MakeRobot):
    robot = await robots()
    headers = {"grant": world.signed(world.grant(robot, commands=["task_list"]))}
    async with world.tunnel(robot):
        answers = [
            (await world.http.post(f"/?m={m}&p={robot.port}", headers=headers)).json()
            for m in ("api1/task_list", "api1/task_state")
        ]
    assert [answer["code"] for answer in answers] == [0, 404]
    assert answers[1]["reason"] == "command_unknown"
    assert len(robot.requests) == 1


async def test_two_m_are_refused(world: World, robots: MakeRobot):
    robot = await robots()
    answer = await world.ask(f"/?m=api1/task_list&m=api1/task_list&p={robot.port}", world.signed(world.grant(robot)))
    assert answer["reason"] == "command_unknown"


async def test_a_foreign_p_is_refused_and_recorded(world: World, robots: MakeRobot):
    own, other = await robots(), await robots()
    grant = world.signed(world.grant(own))
    async with world.tunnel(own), world.tunnel(other):
        for query in (f"p={other.port}", f"p={own.port}&p={other.port}", "p=22", f"p=0{own.port}", "p=", ""):
            answer = await world.ask(f"/?m=api1/task_list&{query}", grant)
            assert (answer["code"], answer["reason"], answer["field"]) == (403, "port_foreign", "p")
    assert own.requests == other.requests == []
    await world.until(lambda: world.audited(sn=own.sn, port=str(other.port), refused=True))


async def test_a_grant_whose_device_has_moved_on_is_refused(world: World, robots: MakeRobot):
    own, other = await robots(), await robots()
    for wrong in ({"port": other.port}, {"device": other.port}, {"sn": "SC9"}):
        answer = await world.call(own, "api1/task_list", **wrong)
        assert (answer["code"], answer["reason"]) == (403, "device_unknown")
    await world.until(lambda: world.audited(command="api1/task_list", code=403, refused=True))


async def test_a_key_that_the_grant_lacks_is_refused_and_recorded(world: World, robots: MakeRobot):
    robot = await robots()
    async with world.tunnel(robot):
        answer = await world.call(robot, "api2/map_flag_add", keys=[VIEW])
        assert (answer["code"], answer["reason"]) == (403, "permission_missing")
        assert (await world.call(robot, "api2/map_flag_add", keys=[MAPS]))["code"] == 0
    await world.until(lambda: world.audited(sn=robot.sn, command="api2/map_flag_add", code=403, refused=True))


async def test_a_robot_below_protocol_3_has_its_own_prefix(world: World, robots: MakeRobot):
    robot = await robots(protocol=2)
    async with world.tunnel(robot):
        assert (await world.call(robot, "api/task_list"))["code"] == 0
        assert (await world.call(robot, "api1/task_list"))["reason"] == "command_unknown"
        assert (await world.call(robot, "api1/emergency_off"))["reason"] == "command_unknown"


# Control: who moves a robot holds its newest lock.


async def test_a_command_that_moves_wants_the_newest_lock(world: World, robots: MakeRobot):
    robot = await robots()
    async with world.tunnel(robot):
        assert (await world.call(robot, "api1/go_home"))["reason"] == "control_lost"
        await world.control(robot, 4)
        assert (await world.call(robot, "api1/go_home", number=4))["code"] == 0
        await world.control(robot, 5, owner="other")
        answer = await world.call(robot, "api1/go_home", number=4)
    assert (answer["code"], answer["reason"]) == (423, "control_lost")
    assert [request["headers"]["control"] for request in robot.requests] == ["4"]
    await world.until(lambda: world.audited(sn=robot.sn, number=4, code=423, refused=True))


async def test_a_released_or_ended_lock_moves_nothing(world: World, robots: MakeRobot):
    robot = await robots()
    async with world.tunnel(robot):
        await world.control(robot, 4, owner="")
        assert (await world.call(robot, "api1/go_home", number=4))["reason"] == "control_lost"
        await world.control(robot, 5, until_ms=1)
        assert (await world.call(robot, "api1/go_home", number=5))["reason"] == "control_lost"


async def test_old_news_of_a_lock_changes_nothing(world: World, robots: MakeRobot):
    robot = await robots()
    await world.control(robot, 9, owner="other")
    world.running.known.on_control(robot.sn, json.dumps({"number": 8, "owner": "user"}).encode())
    assert world.running.known.control[robot.sn].number == 9


async def test_a_relay_that_lost_the_bus_moves_nothing(
    world: World, robots: MakeRobot, monkeypatch: pytest.MonkeyPatch
):
    robot = await robots()
    await world.control(robot, 4)
    monkeypatch.setattr("lustra.relay.known.LOST_S", -1.0)
    async with world.tunnel(robot):
        answer = await world.call(robot, "api1/go_home", number=4)
        assert (answer["code"], answer["reason"]) == (502, "bus_lost")
        assert (await world.call(robot, "api1/task_state"))["code"] == 0
        assert (await world.http.get("/healthz")).status_code == 503


def test_count_the_bus_as_lost_after_five_seconds_of_silence(monkeypatch: pytest.MonkeyPatch):
    state = known.Known()
    assert state.lost  # it was never heard
    state.synced_at = 100.0
    for now, lost in ((104.9, False), (105.1, True)):
        monkeypatch.setattr(known, "time", SimpleNamespace(monotonic=lambda now=now: now))
        assert state.lost is lost


async def test_commands_that_do_something_are_recorded_and_reading_is_not(world: World, robots: MakeRobot):
    robot = await robots()
    await world.control(robot, 2)
    async with world.tunnel(robot):
        await world.call(robot, "api1/task_state")
        await world.call(robot, "api1/go_home", number=2)
    await world.until(lambda: world.audited(sn=robot.sn))
    (row,) = world.audited(sn=robot.sn)
    assert row["command"] == "api1/go_home"
    assert (row["account"], row["acting"], row["code"], row["refused"]) == (7, 7, 0, False)


# Bounds and the robot's own failures.


@pytest.mark.parametrize("length_declared", [True, False])
async def test_a_large_body_is_refused(world: World, robots: MakeRobot, length_declared: bool):
    robot = await robots()

    async def parts():
        for _ in range(3):
            yield b" " * (MB // 2)

    headers = {"grant": world.signed(world.grant(robot))}
    content = b" " * (MB + 1) if length_declared else parts()
    async with world.tunnel(robot):
        answer = await world.http.post(f"/?m=api1/task_add&p={robot.port}", headers=headers, content=content)
    assert answer.json()["code"] == 413
    assert robot.requests == []


async def test_a_map_may_be_large_up_to_its_own_limit(world: World, robots: MakeRobot, monkeypatch: pytest.MonkeyPatch):
    robot = await robots()
    grant = {"grant": world.signed(world.grant(robot))}
    path = f"/?m=api2/map/Upload&p={robot.port}"

    async def parts():
        for _ in range(12):
            yield b"x" * MB

    kind = {"content-type": "multipart/form-data; boundary=x"}
    async with world.tunnel(robot):
        answer = await world.http.post(path, headers=grant | kind, content=parts())
        assert answer.json()["code"] == 0
        assert len(robot.requests[0]["body"]) == 12 * MB
        assert robot.requests[0]["headers"]["Content-Type"] == kind["content-type"]
        monkeypatch.setattr(forward, "LARGEST_FORM", 4 * MB)
        answer = await world.http.post(path, headers=grant | kind, content=parts())
    assert answer.json()["code"] == 413
    assert len(robot.requests) == 1


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("https://console.test", True),
        ("http://localhost:5173", True),
        ("http://127.0.0.1:8080", True),
        ("https://evil.test", False),
        ("http://127.0.0.1.evil.test", False),
        ("null", False),
    ],
)
async def test_browsers_of_the_console_alone_may_ask(world: World, origin: str, allowed: bool):
    headers = {"origin": origin, "access-control-request-method": "POST", "access-control-request-headers": "grant"}
    answer = await world.http.options("/", headers=headers)
    assert answer.headers.get("access-control-allow-origin") == (origin if allowed else None)
    if allowed:
        assert answer.headers["access-control-max-age"] == "600"
        assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("protocol", [2, 3])
async def test_no_command_reaches_anothers_robot(world: World, robots: MakeRobot, protocol: int):
    """With every key and the newest lock of the own robot, and with the other's serial number and port as well."""
    own, other = await robots(protocol=protocol), await robots(protocol=protocol)
    grant = world.grant(own, protocol=protocol, number=9)
    forged = world.grant(own, protocol=protocol, number=9, sn=other.sn, port=other.port)
    async with world.tunnel(own), world.tunnel(other):
        for m in routes(protocol):
            answer = await world.ask(f"/?m={m}&p={other.port}", world.signed(grant))
            assert (answer["code"], answer["reason"]) == (403, "port_foreign"), m
            answer = await world.ask(f"/?m={m}&p={other.port}", world.signed(forged))
            assert (answer["code"], answer["reason"]) == (403, "device_unknown"), m
    assert own.requests == other.requests == []
