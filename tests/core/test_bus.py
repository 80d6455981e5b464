"""Commands to robots: whichever way a robot can answer, its answer counts once; silence is said.

Buckets are read whole.
"""

import asyncio
import json
import signal
from typing import Any

import pytest
from nats.js.client import JetStreamContext

from lustra.core.bus import BUCKETS, Bus, Silent, open_link
from lustra.protocol import bus as protocol
from tests.buses import MOST
from tests.conftest import Stack


async def test_a_native_robot_answers_to_the_reply_subject(bus: Bus):
    async def answer(message: Any):
        await message.respond(b'{"code": 0, "msg": ""}')

    ear = await bus.subscribe(protocol.cmd("SC7001", "simulate"), answer)
    assert await bus.ask("SC7001", "simulate", protocol.Simulate(factor=5)) == {"code": 0, "msg": ""}
    await ear.unsubscribe()


async def test_an_mqtt_robot_that_sees_no_reply_subject_answers_on_its_own(bus: Bus):
    async def answer(message: Any):
        content = json.dumps({"code": 0, "factor": json.loads(message.data)["factor"]}).encode()
        await bus.publish(protocol.answer("SC7002", "simulate"), content)

    ear = await bus.subscribe(protocol.cmd("SC7002", "simulate"), answer)
    assert (await bus.ask("SC7002", "simulate", protocol.Simulate(factor=20)))["factor"] == 20
    await ear.unsubscribe()


async def test_a_robot_that_nobody_hears_is_silent_and_not_waited_for(bus: Bus):
    with pytest.raises(Silent):
        await bus.ask("SC7003", "simulate", protocol.Simulate(factor=1), wait_s=60)


async def test_values_are_read_too_that_the_bus_counts_as_delivered(bus: Bus, monkeypatch: pytest.MonkeyPatch):
    """They may still be on their way when it is asked how many are left."""
    subscription = JetStreamContext.PushSubscription
    ask = subscription.consumer_info

    async def ask_when_delivered(values: Any) -> Any:
        while (info := await ask(values)).num_pending:  # noqa: ASYNC110  the bus tells it to nobody
            await asyncio.sleep(0.01)
        return info

    monkeypatch.setattr(subscription, "consumer_info", ask_when_delivered)
    for sn in ("SC7001", "SC7002", "SC7003"):
        await bus.put("devices", sn, {"sn": sn})
    await bus.drop("devices", "SC7002")
    current: dict[str, Any] = {}
    await bus.follow("devices", current.__setitem__).read()
    assert current == {"SC7001": {"sn": "SC7001"}, "SC7002": None, "SC7003": {"sn": "SC7003"}}


async def test_a_bucket_becomes_what_it_is_to_be(bus: Bus):
    await bus.sync("devices", {"SC7001": 1, "SC7002": 2, "SC7003": 3})
    await bus.sync("devices", {"SC7001": 1, "SC7003": 4, "SC7004": 5})
    current: dict[str, Any] = {}
    await bus.follow("devices", current.__setitem__).read()
    assert current == {"SC7001": 1, "SC7002": None, "SC7003": 4, "SC7004": 5}
    await bus.sync("devices", {})
    await bus.follow("devices", current.__setitem__).read()
    assert set(current.values()) == {None}


async def test_each_copy_of_a_bucket_answers_for_a_value(bus: Bus):
    """Also of one that was made before: who asks need not wait for another leader."""
    config = (await bus.js.stream_info("KV_tunnels")).config
    config.allow_direct = False
    await bus.js.update_stream(config)
    await bus.set_up(MOST)
    configs = {name: (await bus.js.stream_info(f"KV_{name}")).config for name in BUCKETS}
    assert {name: config.allow_direct for name, config in configs.items()} == dict.fromkeys(BUCKETS, True)


async def test_a_link_that_the_bus_closes_for_ever_ends_the_process(stack: Stack, monkeypatch: pytest.MonkeyPatch):
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    try:
        link = await open_link(stack.nats, "test")
        monkeypatch.setattr(link, "_max_payload", 1 << 30)  # as where the bus was given a smaller limit meanwhile
        await link.publish("large", bytes(link.max_payload >> 6))
        await asyncio.wait_for(ended.wait(), 10)
        assert link.is_closed
        ended.clear()
        await (await open_link(stack.nats, "test")).close()
        await asyncio.sleep(0)
        assert not ended.is_set(), "it was closed on purpose"
    finally:
        asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)
