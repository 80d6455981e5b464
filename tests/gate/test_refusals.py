"""What refused log-ins and floods of robots cost: bounded lines, bounded memory, and the robot its connection."""

import asyncio
import contextlib

import pytest
import structlog

from lustra.gate import floods as gate_floods
from lustra.gate.floods import Floods
from lustra.gate.refusals import NAMES, OTHERS, Refusals
from tests.gate.conftest import Fleet, until


def test_log_a_refused_name_once_and_then_its_count():
    refusals = Refusals()
    with structlog.testing.capture_logs() as lines:
        for _ in range(1000):
            refusals.note("SC0001")
        refusals.report()
        refusals.report()
        refusals.note("SC0001")
    assert [(line["name"], line["count"]) for line in lines] == [("SC0001", 1), ("SC0001", 999), ("SC0001", 1)]


def test_ten_thousand_refused_names_are_few_lines_and_little_memory():
    refusals = Refusals()
    with structlog.testing.capture_logs() as lines:
        for number in range(10_000):
            refusals.note(f"{number:05d}" * 1000)
        refusals.report()
    assert len(refusals.counts) <= NAMES + 1
    assert len(lines) <= NAMES + 2
    assert sum(line["count"] for line in lines) == 10_000
    assert max(len(line["name"]) for line in lines) <= 64
    assert lines[-1]["name"] == OTHERS


async def test_the_gate_tells_whom_it_refuses(fleet: Fleet):
    with structlog.testing.capture_logs() as lines:
        assert await fleet.refused("GT9999", "wrong")
        assert await fleet.refused("GT9999", "wrong")
    refused = [line for line in lines if line["event"] == "login.refused"]
    assert [(line["name"], line["count"]) for line in refused] == [("GT9999", 1)]


def test_a_robot_may_say_at_once_what_it_kept_and_live_pictures_without_end():
    now = 0.0
    floods, sent = Floods(clock=lambda: now), 0
    for burst in (10_000, *[90 * 2] * 1000):
        sent += burst
        assert not floods.count(("server", 1), sent)
        now += 2.0
    assert floods.count(("server", 1), sent + 20_001)
    assert not floods.count(("server", 2), 20_000)  # another's allowance is its own


def test_double_the_ban_of_a_robot_that_floods_again():
    now = 0.0
    floods = Floods(clock=lambda: now)
    for seconds in (60, 120, 240, 480, 900, 900):
        assert floods.punish("SC0001") == seconds
        assert floods.shut_out("SC0001")
        assert not floods.shut_out("SC0002")
        now += seconds
        assert not floods.shut_out("SC0001")
    now += 3601
    floods.forgive()
    assert floods.out == {}


async def test_a_robot_that_floods_the_bus_loses_its_connection_and_another_stays(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(gate_floods, "BURST", 1000)
    sn, other = await fleet.register(), await fleet.register()
    hostile, honest = await fleet.native(sn), await fleet.native(other)
    with contextlib.suppress(Exception):
        for _ in range(2000):
            await hostile.publish("audit.relay", b"{}")
    await until(lambda: hostile.is_closed)
    assert await fleet.refused(sn, "right")
    assert honest.is_connected
    assert not await fleet.refused(other, "right")
    await honest.close()


async def test_an_mqtt_robot_that_floods_loses_its_connection_too(fleet: Fleet, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(gate_floods, "BURST", 1000)
    sn = await fleet.register()
    with contextlib.suppress(Exception):
        async with asyncio.timeout(20), fleet.mqtt(sn) as client:
            while True:
                await client.publish("audit/relay", b"{}", qos=0)
    async with asyncio.timeout(20):
        while not await fleet.refused(sn, "right"):
            pass
