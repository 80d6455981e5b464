"""What a relay makes of a robot's answer, and of none: the caller gets the answer as it came, or a refusal in words."""

import asyncio
import contextlib
import json

import pytest
from aiohttp import web

from lustra.relay import forward
from tests.relay.conftest import MakeRobot, World


async def test_a_robot_without_a_tunnel_cannot_be_reached(world: World, robots: MakeRobot):
    robot = await robots()
    answer = await world.call(robot, "api1/task_list")
    assert (answer["code"], answer["reason"]) == (502, "robot_unreachable")


async def test_a_tunnel_with_nobody_at_its_end_cannot_be_reached(world: World, robots: MakeRobot):
    robot = await robots()
    robot.local = 1
    async with world.tunnel(robot):
        answer = await world.call(robot, "api1/task_list")
    assert (answer["code"], answer["reason"]) == (502, "robot_unreachable")


async def test_a_robot_that_does_not_answer_is_late(world: World, robots: MakeRobot, monkeypatch: pytest.MonkeyPatch):
    robot = await robots()
    assert forward.WAIT_S == 10
    monkeypatch.setattr(forward, "WAIT_S", 0.2)
    free = asyncio.Event()

    async def answer(_: web.Request) -> web.StreamResponse:
        await free.wait()
        return web.json_response({"code": 0})

    robot.answer = answer
    async with world.tunnel(robot):
        refused = await world.call(robot, "api1/task_list")
        free.set()
    assert (refused["code"], refused["reason"]) == (504, "robot_late")


async def test_report_a_tunnel_that_breaks_in_a_call_and_use_the_next(world: World, robots: MakeRobot):
    robot, arrived = await robots(), asyncio.Event()

    async def never(_: web.Request) -> web.StreamResponse:
        arrived.set()
        await asyncio.Event().wait()
        return web.Response()

    robot.answer = never
    async with world.tunnel(robot) as link:
        call = asyncio.create_task(world.call(robot, "api1/task_list"))
        await arrived.wait()
        link.abort()
        answer = await call
    assert (answer["code"], answer["reason"]) == (502, "robot_unreachable")
    robot.answer = None
    async with world.tunnel(robot):
        assert (await world.call(robot, "api1/task_list"))["code"] == 0


async def test_a_redirect_of_a_robot_is_not_followed(world: World, robots: MakeRobot):
    robot = await robots()

    async def answer(_: web.Request) -> web.StreamResponse:
        raise web.HTTPFound("http://127.0.0.1:1/")

    robot.answer = answer
    async with world.tunnel(robot):
        refused = await world.call(robot, "api1/task_list")
    assert (refused["code"], refused["reason"]) == (500, "robot_failed")


GARBAGE = (
    b"",
    b"\xff\xfe",
    b"<html>",
    b'{"code": 0',
    b"[]",
    b"null",
    b'{"msg": "yes"}',
    b'{"code": "0"}',
    b'{"code": null}',
)


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
async def test_garbage_of_a_robot_is_a_refusal_in_words(world: World, robots: MakeRobot, garbage: bytes):
    robot = await robots()

    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(body=garbage, content_type="application/json")

    robot.answer = answer
    async with world.tunnel(robot):
        refused = await world.call(robot, "api1/task_list")
    assert (refused["code"], refused["reason"]) == (500, "robot_failed")


async def test_an_answer_that_comes_twice_is_not_taken_for_the_next_ones(world: World, robots: MakeRobot):
    robot, requests = await robots(), []

    async def twice(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer), contextlib.suppress(ConnectionError):
            while line := await reader.readline():
                if line != b"\r\n":
                    continue
                await reader.readexactly(2)  # the body "{}"
                requests.append(1)
                body = json.dumps({"code": 0, "n": len(requests)}).encode()
                writer.write((b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)) * 2)

    async with await asyncio.start_server(twice, "127.0.0.1", 0) as stutterer:
        robot.local = stutterer.sockets[0].getsockname()[1]
        async with world.tunnel(robot):
            answers = [await world.call(robot, "api1/task_list") for _ in range(3)]
    assert [answer.get("n") for answer in answers] == [1, 2, 3]


async def test_an_answer_is_passed_on_up_to_32_mebibytes(
    world: World, robots: MakeRobot, monkeypatch: pytest.MonkeyPatch
):
    assert forward.LARGEST_ANSWER == 32 << 20
    monkeypatch.setattr(forward, "LARGEST_ANSWER", 1000)
    robot, sizes = await robots(), iter((1000, 1001))

    async def answer(_: web.Request) -> web.StreamResponse:
        body = b'{"code": 0, "x": "'
        return web.Response(body=body + b"x" * (next(sizes) - len(body) - 2) + b'"}', content_type="application/json")

    robot.answer = answer
    async with world.tunnel(robot):
        answers = [await world.call(robot, "api1/task_list") for _ in range(2)]
    assert [(given["code"], given.get("reason")) for given in answers] == [(0, None), (413, "body_too_large")]


async def test_no_browser_shows_an_answer_or_a_refusal_as_a_page(world: World, robots: MakeRobot):
    robot = await robots()
    path, headers = f"/?m=api1/task_list&p={robot.port}", {"grant": world.signed(world.grant(robot))}
    refused = await world.http.post(path, headers=headers, json={})
    async with world.tunnel(robot):
        answer = await world.http.post(path, headers=headers, json={})
    assert (refused.json()["reason"], answer.json()["code"]) == ("robot_unreachable", 0)
    for response in (refused, answer):
        assert response.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["cache-control"] == "no-store"
