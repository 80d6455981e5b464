"""A robot on a real bus: what it says, in what order, what it keeps, and what it does when told."""

import asyncio
import itertools
import json
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st
from nats.aio.msg import Msg

from lustra.protocol import bus as protocol
from lustra.protocol.masks import unpack_mask
from lustra.robot.clock import Clock
from lustra.robot.connection.link import RETRY_MOST_S, RETRY_S, Access, Link, Mqtt, Native, wait_after
from lustra.robot.connection.telemetry import AGAIN_S, TelemetryPublisher
from lustra.robot.demo.schedules import Planned
from lustra.robot.fleet import Entry, Fleet, Living
from lustra.robot.outbox import MOST_STATES, RESEND_MS, Outbox
from lustra.robot.robot import Robot, Spec
from tests.flush import flush
from tests.robot.conftest import TASK, Bus, Local, Server, drive, hall, open_robot


async def until(so: Callable[[], Any], seconds: float = 20.0) -> Any:
    async with asyncio.timeout(seconds):
        while not (value := so()):  # noqa: ASYNC110  (whatever it is has no event of its own)
            await asyncio.sleep(0.01)
    return value


async def until_published(server: Server, stream: str, so: Callable[[list[dict[str, Any]]], Any]) -> Any:
    async with asyncio.timeout(15):
        while not (value := so(await server.messages(stream))):  # noqa: ASYNC110  (a stream in another process)
            await asyncio.sleep(0.05)
    return value


@asynccontextmanager
async def alive(robot: Robot, link: Link) -> AsyncIterator[TelemetryPublisher]:
    """The robot's line and its voice, ticking as fast as anybody looks."""
    voice = TelemetryPublisher(robot, link)
    loop = asyncio.get_running_loop()

    async def tick() -> None:
        last = loop.time()
        while True:
            robot.step(loop.time() - last)
            last = loop.time()
            await voice.tick(last)
            await asyncio.sleep(0.02)

    jobs = [asyncio.create_task(link.run(voice.handle, voice.resend)), asyncio.create_task(tick())]
    try:
        yield voice
    finally:
        await link.close()
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)


def native(robot: Robot, bus: Bus, sn: str = "SC0001") -> Native:
    return Native(Access(sn, "secret", (("127.0.0.1", bus.port),)))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(-5_000, 5_000), st.integers(1, 20)), min_size=1, max_size=20))
def test_at_is_never_used_twice_over_restarts_and_clock_steps(
    tmp_path_factory: pytest.TempPathFactory, lives: list[tuple[int, int]]
):
    file = tmp_path_factory.mktemp("clock") / "clock"
    now, times = [1_700_000_000_000], []
    for jump, messages in lives:  # each life is killed without a goodbye
        now[0] += jump
        clock = Clock(file, lambda: now[0])
        times += [clock.at() for _ in range(messages)]
    assert all(a < b for a, b in itertools.pairwise(times))


def test_states_wait_in_a_bounded_ring_and_old_acknowledged_ones_go(tmp_path: Path):
    box = Outbox(tmp_path / "outbox", Clock(tmp_path / "clock", lambda: 0))
    for n in range(MOST_STATES + 500):
        box.queue_state(n * 1000, b"")
    assert len(box.states) == MOST_STATES
    for at in list(box.states):
        box.acknowledge(at)
    box.queue_state(10_000_000, b"new")
    assert all(at >= 10_000_000 - RESEND_MS for at in box.states)


async def test_the_first_connection_sends_map_and_power_until_confirmed(robot: Robot, own_bus: Bus, server: Server):
    async with alive(robot, native(robot, own_bus)):
        events = await until_published(server, "EVENT", lambda e: len(e) >= 3 and e)
        assert [e["kind"] for e in events][:3] == ["map", "map_loaded", "power"]
        content = protocol.MapContent(**events[0]["content"])
        assert (content.name, content.width, content.height, content.building) == ("hall", 160, 120, "House")
        assert await server.ask("SC0001", "kept", ids=[e["id"] for e in events]) == {"code": 0, "msg": ""}
        assert [message.kind for message in robot.outbox.messages.values()] == ["alarm"]
        alarms = await server.messages("ALARM")
        assert [(alarm["kind"], alarm["alarms"]) for alarm in alarms] == [("snapshot", [])]
        await server.ask("SC0001", "kept", ids=[alarm["id"] for alarm in alarms])
        assert not robot.outbox.messages
        assert not list(robot.outbox.folder.iterdir())
    again = open_robot(robot.store.folder)
    assert [message.kind for message in again.outbox.unconfirmed()] == ["event"]  # power alone: the rest is known


async def test_raise_and_clear_a_fault_once_and_send_all_open_ones_at_log_in(
    robot: Robot, own_bus: Bus, server: Server
):
    def of(kind: str, messages: list[dict[str, Any]]) -> dict[str, list[list[str]]]:
        """Codes of the messages of a kind, each once."""
        return {m["id"]: [alarm["code"] for alarm in m["alarms"]] for m in messages if m["kind"] == kind}

    async with alive(robot, native(robot, own_bus)):
        await until_published(server, "ALARM", lambda a: of("snapshot", a))
        await server.ask("SC0001", "fault", name="stuck")
        raised = await until_published(server, "ALARM", lambda a: of("raised", a))
        assert [*raised.values()] == [["stuck"]]
    async with alive(robot, native(robot, own_bus)):
        snapshots = await until_published(
            server, "ALARM", lambda a: of("snapshot", a) if len(of("snapshot", a)) > 1 else {}
        )
        assert [*snapshots.values()] == [[], ["stuck"]]
        await server.ask("SC0001", "fault", name="stuck", on=False)
        cleared = await until_published(server, "ALARM", lambda a: of("cleared", a))
        assert [*cleared.values()] == [["stuck"]]


async def test_states_from_offline_arrive_in_order_with_their_own_times(robot: Robot, own_bus: Bus, server: Server):
    link = native(robot, own_bus)
    async with alive(robot, link) as voice:
        await until(lambda: link.connected)
        voice.cells_until = asyncio.get_running_loop().time() + 60  # states at 2 Hz
        await until_published(server, "STATE", lambda s: len(s) >= 2)
        own_bus.stop()
        await until(lambda: not link.connected)
        missed = [robot.clock.at() for _ in range(40)]
        for at in missed:
            robot.outbox.queue_state(at, protocol.encode(robot.machine.state(at)))
        robot.outbox.event("task", "hall/x", 1, {"name": "x"})
        own_bus.start()
        got = await until_published(server, "STATE", lambda s: {m["at"] for m in s} >= set(missed) and s)
        first = {}
        for place, message in enumerate(got):
            first.setdefault(message["at"], place)
        assert [at for at in sorted(first, key=first.__getitem__) if at in set(missed)] == missed
        await until_published(server, "EVENT", lambda e: [m for m in e if m["kind"] == "task"])
        assert not any(robot.outbox.states[at].acknowledged for at in missed)  # the bus has them: that is no receipt
        await server.ask("SC0001", "kept", ids=[], states=missed)
        assert all(robot.outbox.states[at].acknowledged for at in missed if at in robot.outbox.states)


async def test_reports_are_sent_again_until_they_are_confirmed(
    robot: Robot, own_bus: Bus, server: Server, local: Local
):
    await local.good("task_add", TASK)
    await local.good("task_start", {"name": "Hall"})
    drive(robot, lambda: not robot.machine.run)
    async with alive(robot, native(robot, own_bus)):
        (report,) = await until_published(server, "REPORT", lambda r: r)
        assert report["end"] == "finished"
        robot.outbox.messages[report["id"]].sent_at -= AGAIN_S  # so long has passed
        twice = await until_published(server, "REPORT", lambda r: len(r) == 2 and r)
        assert twice[0] == twice[1]
        await server.ask("SC0001", "kept", ids=[report["id"]])
        assert report["id"] not in robot.outbox.messages
        painted, missed, beyond = (
            unpack_mask(protocol.Mask(**report[name]), hall().grid.shape) for name in ("cells", "missed", "unreachable")
        )
        assert painted.sum() * 0.05**2 == pytest.approx(report["cleaned"], rel=0.01)
        assert not (painted & missed).any()
        assert not (beyond & (painted | missed)).any()
        assert (painted | missed | beyond).sum() * 0.05**2 == pytest.approx(report["planned"], rel=0.001)


async def test_a_watcher_gets_state_lidar_path_and_cells_that_add_up(
    robot: Robot, own_bus: Bus, server: Server, local: Local
):
    got: dict[str, list[dict[str, Any]]] = {"lidar": [], "path": [], "cells": [], "state": []}

    async def collect(message: Msg) -> None:
        got[message.subject.rsplit(".", 1)[1]].append(json.loads(message.data))

    await local.good("task_add", TASK)
    await local.good("task_start", {"name": "Hall"})
    async with alive(robot, native(robot, own_bus)):
        await server.link.subscribe("robots.SC0001.live.*", cb=collect)
        await server.link.subscribe("robots.SC0001.state", cb=collect)
        await until_published(server, "STATE", lambda s: s)
        assert not got["lidar"]  # nobody watches
        assert (await server.ask("SC0001", "simulate", factor=20))["code"] == 0
        assert (await server.ask("SC0001", "watch", seconds=20, detail=True))["code"] == 0
        run = robot.machine.run
        assert run is not None
        await until(lambda: len(got["cells"]) >= 3 and got["lidar"] and got["path"])
        mask = np.zeros(hall().grid.shape, bool)
        for message in got["cells"][:3]:
            if "full" in message:
                mask = unpack_mask(protocol.Mask(**message["full"]), mask.shape)
            for row, column, length in np.reshape(message.get("spans", []), (-1, 3)).astype(int):
                assert not mask[row, column : column + length].any()
                mask[row, column : column + length] = True
        assert [m["seq"] for m in got["cells"][:3]] == [1, 2, 3]
        assert mask.any()
        assert not (mask & ~run.painted).any()
        assert len(got["lidar"][0]["ranges"]) == 360
        assert len(got["path"][0]["ahead"]) > 4
        assert got["state"][-1]["simulated"] == 20
        await server.ask("SC0001", "watch", seconds=20, detail=True, full=True)
        last = len(got["cells"])
        await until(lambda: any("full" in m for m in got["cells"][last:]) or robot.machine.run is None)
        ats = [m["at"] for stream in got.values() for m in stream]
        assert len(set(ats)) == len(ats)


async def test_a_watcher_gets_the_last_cells_of_a_run_too(robot: Robot, own_bus: Bus, server: Server, local: Local):
    got: list[dict[str, Any]] = []

    async def collect(message: Msg) -> None:
        got.append(json.loads(message.data))

    await local.good("task_add", TASK)
    await local.good("task_start", {"name": "Hall"})
    run = robot.machine.run
    assert run is not None
    async with alive(robot, native(robot, own_bus)):
        await server.link.subscribe("robots.SC0001.live.cells", cb=collect)
        await until_published(server, "STATE", lambda s: s)
        await server.ask("SC0001", "watch", seconds=60, detail=False)
        await server.ask("SC0001", "simulate", factor=20)
        await until(lambda: robot.machine.run is None)

        def all_shown() -> bool:
            mask = np.zeros(hall().grid.shape, bool)
            for message in got:
                if "full" in message:
                    mask = unpack_mask(protocol.Mask(**message["full"]), mask.shape)
                for row, column, length in np.reshape(message.get("spans", []), (-1, 3)).astype(int):
                    mask[row, column : column + length] = True
            return bool((mask == run.painted).all())

        await until(all_shown)


async def test_publish_a_followed_log_line_by_line(robot: Robot, own_bus: Bus, server: Server):
    lines: list[str] = []

    async def collect(message: Msg) -> None:
        lines.extend(json.loads(message.data)["lines"])

    async with alive(robot, native(robot, own_bus)) as voice:
        await until(lambda: voice.link.connected)
        await server.link.subscribe("robots.SC0001.live.log", cb=collect)
        assert (await server.ask("SC0001", "followlog", kind="device", seconds=30, last=5))["log"]["kind"] == "device"
        await server.ask("SC0001", "fault", name="stuck", on=True)
        await until(lambda: any("fault - -> stuck" in line for line in lines))
        bad = await server.ask("SC0001", "followlog", kind="rosbag", seconds=30)
        assert bad["reason"] == "input_not_json"


async def test_commands_of_the_server_are_obeyed_or_refused_in_words(robot: Robot, own_bus: Bus, server: Server):
    async with alive(robot, native(robot, own_bus)) as voice:
        await until(lambda: voice.link.connected)
        assert (await server.ask("SC0001", "control", number=4, owner="Mira", until=0))["code"] == 0
        assert robot.store.facts.number == 4
        assert (await server.ask("SC0001", "simulate", factor=7))["reason"] == "factor_unknown"
        assert (await server.ask("SC0001", "fault", name="stuck", on=True))["code"] == 0
        state = await until_published(server, "STATE", lambda s: next((m for m in s if m.get("help") == "stuck"), None))
        assert state["mode"] == "charging"
        assert (await server.ask("SC0001", "fault", name="gremlins", on=True))["reason"] == "fault_unknown"
        assert (await server.ask("SC0001", "dance"))["reason"] == "command_unknown"
        bad = await server.link.request("robots.SC0001.cmd.watch", b"{", timeout=5)
        assert json.loads(bad.data)["reason"] == "input_not_json"
        assert (await server.ask("SC0001", "send", id="none", url="http://127.0.0.1:1/"))["reason"] == "event_unknown"


async def test_a_large_map_is_put_to_the_signed_url_when_asked(robot: Robot, own_bus: Bus, server: Server):
    large = hall(60.0, 40.0, "large")
    dice = np.random.default_rng(0)
    large.grid[dice.random(large.grid.shape) < 0.5] = 205
    robot.save_map(large)
    taken: list[bytes] = []

    async def take(request: web.Request) -> web.Response:
        taken.append(await request.read())
        return web.Response()

    app = web.Application(client_max_size=1 << 26)
    app.router.add_put("/object", take)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    async with alive(robot, native(robot, own_bus)):
        event = await until_published(server, "EVENT", lambda e: next((m for m in e if m["name"] == "large"), None))
        assert "content" not in event
        url = f"http://127.0.0.1:{runner.addresses[0][1]}/object"
        assert (await server.ask("SC0001", "send", id=event["id"], url=url))["code"] == 0
        assert len(taken[0]) == event["size"] > protocol.LARGEST_INLINE
        assert protocol.MapContent(**json.loads(taken[0])).width == 1200
        away = await server.ask("SC0001", "send", id=event["id"], url="http://127.0.0.1:1/object")
        assert away["reason"] == "robot_failed"
    await runner.cleanup()


def without_files(events: list[dict[str, Any]]) -> set[str]:
    """Ids of all events but the lists of files, which come a moment later."""
    return {event["id"] for event in events if event["kind"] != "files"}


async def test_an_mqtt_robot_speaks_hears_and_comes_back(tmp_path: Path, own_bus: Bus, server: Server):
    robot = Robot.open(Spec("SC0002"), tmp_path, hall())
    link = Mqtt(Access("SC0002", "secret", (("127.0.0.1", own_bus.mqtt),)))
    answers: list[bytes] = []

    async def collect(message: Msg) -> None:
        answers.append(message.data)

    async with alive(robot, link):
        await until_published(server, "EVENT", lambda e: len(without_files(e)) == 3)  # told again, they count once
        await server.link.subscribe("robots.SC0002.answer.*", cb=collect)
        await flush(server.link)
        await server.link.publish("robots.SC0002.cmd.fault", b'{"name":"stuck"}')
        await until_published(server, "STATE", lambda s: [m for m in s if m.get("help") == "stuck"])
        assert json.loads((await until(lambda: answers))[0]) == {"code": 0, "msg": ""}
        own_bus.stop()
        await until(lambda: not link.connected)
        own_bus.start()
        await until(lambda: link.connected)
        robot.outbox.event("power", "on")
        await until_published(server, "EVENT", lambda e: len(without_files(e)) == 4)


async def test_a_wrong_password_keeps_out_and_does_not_end_the_robot(robot: Robot, own_bus: Bus):
    link = Native(Access("SC0001", "wrong", (("127.0.0.1", own_bus.port),)))
    async with alive(robot, link):
        await until(lambda: robot.outbox.states and link.refusals)
        assert not link.connected


async def test_a_refused_event_is_forgotten_and_a_missed_content_is_sent_again(
    robot: Robot, own_bus: Bus, server: Server
):
    async with alive(robot, native(robot, own_bus)) as voice:
        first, second, *_ = await until_published(server, "EVENT", lambda e: len(e) >= 3 and e)
        await server.ask("SC0001", "refused", id=first["id"], reason="unreadable")
        assert first["id"] not in robot.outbox.messages
        await server.ask("SC0001", "refused", id=second["id"], reason="content_missing")
        message = robot.outbox.messages[second["id"]]
        count = len(await server.messages("EVENT"))
        voice.now += AGAIN_S
        await voice.publish_unconfirmed()
        assert message.sent_at == math.inf
        own_bus.stop()
        await until(lambda: not voice.link.connected)
        own_bus.start()
        await until_published(server, "EVENT", lambda e: second["id"] in [m["id"] for m in e[count:]])


def test_a_refused_robot_retries_ever_more_rarely_with_jitter():
    assert wait_after(0) == RETRY_S
    for refusals in range(1, 40):
        waits = {wait_after(refusals) for _ in range(20)}
        longest = min(RETRY_MOST_S, RETRY_S * 2**refusals)
        assert longest / 2 <= min(waits) < max(waits) <= longest


async def test_a_run_broken_by_a_power_cut_is_reported_interrupted_and_not_resumed(local: Local):
    robot = local.robot
    await local.good("task_add", TASK)
    run = (await local.good("task_start", {"name": "Hall"}))["run"]
    drive(robot, lambda: robot.machine.run and robot.machine.run.t > 10)
    robot.keep()  # as every three seconds; then it dies
    again = open_robot(robot.store.folder)
    assert again.machine.run is None
    (message,) = [message for message in again.outbox.unconfirmed() if message.kind == "report"]
    report = json.loads(message.data)
    assert (report["id"], report["end"]) == (run, "interrupted")
    painted = unpack_mask(protocol.Mask(**report["cells"]), hall().grid.shape)
    assert painted.sum() * 0.05**2 == pytest.approx(report["cleaned"], rel=0.01)
    assert report["cleaned"] > 0
    third = open_robot(robot.store.folder)
    assert len([message for message in third.outbox.unconfirmed() if message.kind == "report"]) == 1


async def test_a_robot_of_the_fleet_lives_and_says_goodbye(tmp_path: Path, own_bus: Bus, server: Server):
    fleet = Fleet(nats=f"nats://127.0.0.1:{own_bus.port}", mqtt=f"127.0.0.1:{own_bus.mqtt}")
    entry = Entry(sn="SC0001", password="secret", building="St. Orla Clinic", floor="ward 3", task=True, factor=20)
    living = asyncio.create_task(Living(entry, fleet, tmp_path / "SC0001", (0, 1), 0).live())
    await until_published(server, "STATE", lambda s: [m for m in s if m["mode"] == "cleaning"])
    living.cancel()
    await asyncio.gather(living, return_exceptions=True)
    events = await until_published(server, "EVENT", lambda e: e[-1]["name"] == "off" and e)
    assert events[-1]["kind"] == "power"
    assert {e["kind"] for e in events} == {"map", "map_loaded", "task", "power", "files"}


async def test_a_demo_robot_begins_with_schedules_that_people_may_delete(tmp_path: Path, own_bus: Bus, server: Server):
    fleet = Fleet(nats=f"nats://127.0.0.1:{own_bus.port}", mqtt=f"127.0.0.1:{own_bus.mqtt}")
    planned = Planned(name="Wards", start="05:30", rooms=(0, 1), end="06:45")
    entry = Entry(sn="SC0001", password="secret", building="St. Orla Clinic", floor="ward 3", week=[planned])

    living = asyncio.create_task(Living(entry, fleet, tmp_path / "SC0001", (0, 1), 0).live())
    (event,) = await until_published(
        server, "EVENT", lambda e: [message for message in e if message["kind"] == "schedule"]
    )
    living.cancel()
    await asyncio.gather(living, return_exceptions=True)
    content = event["content"]
    assert (content["start_time"], content["end_time"], content["forced_end"]) == ("05-30", "06-45", 1)
    tasks = [e["content"] for e in await server.messages("EVENT") if e["kind"] == "task"]
    assert [task["name"] for task in tasks] == content["task_list"]
    assert all(task["seconds"] > 0 and task["reachable"] > 0 for task in tasks)
    robot = open_robot(tmp_path / "SC0001")
    robot.plans.timetasks.rows.clear()
    robot.plans.save()
    states = len(await server.messages("STATE"))
    living = asyncio.create_task(Living(entry, fleet, tmp_path / "SC0001", (0, 1), 0).live())
    await until_published(server, "STATE", lambda s: len(s) > states)
    living.cancel()
    await asyncio.gather(living, return_exceptions=True)
    assert not open_robot(tmp_path / "SC0001").plans.timetasks.rows


async def test_a_robot_that_is_switched_off_says_so_once_and_stays_off(tmp_path: Path, own_bus: Bus, server: Server):
    fleet = Fleet(nats=f"nats://127.0.0.1:{own_bus.port}")
    entry = Entry(sn="SC0001", password="secret", building="Jade Gate Mall", floor="floor 1", off=True)
    living = asyncio.create_task(Living(entry, fleet, tmp_path / "SC0001", (0, 1), 0).live())
    events = await until_published(server, "EVENT", lambda e: len(e) >= 3 and e)
    alarms = await until_published(server, "ALARM", lambda a: a)
    await server.ask("SC0001", "kept", ids=[message["id"] for message in [*events, *alarms]])
    await asyncio.wait_for(living, 20)
    last = await until_published(server, "EVENT", lambda e: e[-1]["name"] == "off" and e[-1])
    assert (last["name"], last["content"]) == ("off", {"reason": "switched_off"})
    await asyncio.wait_for(Living(entry, fleet, tmp_path / "SC0001", (0, 1), 0).live(), 20)
    assert (await server.messages("EVENT"))[-1] == last
