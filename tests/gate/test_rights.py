"""Who may log in to the bus, and what a robot may touch there."""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import aiomqtt
import pytest
from nats.aio.client import Client

from tests.flush import flush
from tests.gate.conftest import Fleet

REFUSED = 0x80


def reason_values(codes: Sequence[Any]) -> list[int]:
    """MQTT 5 gives reason codes, MQTT 3.1.1 numbers."""
    return [code if isinstance(code, int) else code.value for code in codes]


async def until(true: Callable[[], object], seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110  any condition, so there is no event to wait for
            await asyncio.sleep(0.01)


async def received_nothing(subscription: Any) -> bool:
    """Everything that was sent before the link's answer to a ping has come by then."""
    await flush(subscription._conn)
    return subscription.pending_msgs == 0


async def subscribe_refused(link: Client, subject: str, errors: list[str]) -> None:
    errors.clear()
    await link.subscribe(subject)
    await until(lambda: any("permissions violation for subscription" in error for error in errors))


async def publish_refused(link: Client, subject: str, errors: list[str]) -> None:
    errors.clear()
    await link.publish(subject, b"x")
    await until(lambda: any("permissions violation for publish" in error for error in errors))


async def observed(fleet: Fleet, sn: str) -> tuple[Client, list[str]]:
    errors: list[str] = []

    async def note(why: Exception) -> None:
        errors.append(str(why).lower())

    return await fleet.native(sn, error_cb=note), errors


@pytest.mark.parametrize(("name", "password"), [("", ""), ("GT9999", "right"), ("known", "wrong"), ("known", "")])
async def test_strangers_are_refused_native_and_mqtt(fleet: Fleet, name: str, password: str):
    known = await fleet.register()
    sn = known if name == "known" else name
    assert await fleet.refused(sn, password)
    with pytest.raises(aiomqtt.MqttError):
        async with fleet.mqtt(sn, password, identifier=sn or "x"):
            pass


async def test_a_robot_tells_its_own_state_and_nobody_elses(fleet: Fleet):
    own, other = await fleet.register(), await fleet.register()
    link, errors = await observed(fleet, own)
    before = (await fleet.bus.js.stream_info("STATE")).state.last_seq
    await link.publish(f"robots.{own}.state", b"{}")
    async with asyncio.timeout(5):
        while (await fleet.bus.js.stream_info("STATE")).state.last_seq == before:  # noqa: ASYNC110  no event
            await asyncio.sleep(0.01)
    for subject in (
        f"robots.{other}.state",
        f"robots.{own}.cmd.watch",
        "$JS.API.STREAM.NAMES",
        "audit.relay",
        "$KV.control.x",
        f"tunnel.{own}",
    ):
        await publish_refused(link, subject, errors)
    await link.close()


async def test_a_robot_hears_its_own_commands_alone(fleet: Fleet):
    own, other = await fleet.register(), await fleet.register()
    link, errors = await observed(fleet, own)
    for subject in (
        f"robots.{other}.cmd.>",
        "robots.>",
        ">",
        "$SYS.>",
        "_INBOX.>",
        f"_INBOX.{other}.>",
        "$MQTT.sub.>",
        "$KV.devices.>",
    ):
        await subscribe_refused(link, subject, errors)
    await link.close()


async def test_a_native_robot_answers_a_command(fleet: Fleet):
    sn = await fleet.register()
    link = await fleet.native(sn)

    async def answer(message: Any) -> None:
        await message.respond(b'{"code": 0}')

    await link.subscribe(f"robots.{sn}.cmd.>", cb=answer)
    await flush(link)
    reply = await fleet.bus.link.request(f"robots.{sn}.cmd.watch", b"{}", timeout=5)
    assert json.loads(reply.data) == {"code": 0}
    await link.close()


async def test_mqtt_robots_speak_and_hear_with_qos_1(fleet: Fleet):
    sn = await fleet.register()
    messages: asyncio.Queue[bytes] = asyncio.Queue()

    async def state(message: Any) -> None:
        messages.put_nowait(message.data)

    await fleet.bus.subscribe(f"robots.{sn}.state", state)
    await flush(fleet.bus.link)
    async with fleet.mqtt(sn) as client:
        codes = await client.subscribe(f"robots/{sn}/cmd/#", qos=1)
        assert REFUSED not in reason_values(codes)
        await client.publish(f"robots/{sn}/state", b"hello", qos=1)
        assert await asyncio.wait_for(messages.get(), 20) == b"hello"
        await fleet.bus.publish(f"robots.{sn}.cmd.watch", b"look")
        message = await asyncio.wait_for(anext(aiter(client.messages)), 20)
        assert message.payload == b"look"


@pytest.mark.parametrize("topic", ["robots/{other}/cmd/#", "robots/#", "#", "$MQTT/sub/#", "$SYS/#"])
async def test_mqtt_robots_hear_nobody_elses_commands(fleet: Fleet, topic: str):
    own, other = await fleet.register(), await fleet.register()
    async with fleet.mqtt(own) as client:
        codes = await client.subscribe(topic.format(other=other), qos=1)
    assert reason_values(codes) == [REFUSED]


async def test_an_mqtt_command_does_not_leak_to_a_native_robot(fleet: Fleet):
    """QoS 1 is delivered on $MQTT.sub.>: a native robot with that right read another's commands."""
    own, other = await fleet.register(), await fleet.register()
    spy = await fleet.native(other)
    caught = [await spy.subscribe(subject) for subject in ("$MQTT.sub.>", "$MQTT.>", ">")]
    await spy.flush()
    async with fleet.mqtt(own) as client:
        await client.subscribe(f"robots/{own}/cmd/#", qos=1)
        await fleet.bus.publish(f"robots.{own}.cmd.watch", b"secret")
        message = await asyncio.wait_for(anext(aiter(client.messages)), 20)
        assert message.payload == b"secret"
    for subscription in caught:
        assert await received_nothing(subscription)
    await spy.close()


async def test_an_mqtt_client_id_of_another_robot_is_refused(fleet: Fleet):
    own, other = await fleet.register(), await fleet.register()
    async with fleet.mqtt(other) as neighbour:
        with pytest.raises(aiomqtt.MqttError):
            async with fleet.mqtt(own, identifier=other):
                pass
        await neighbour.publish(f"robots/{other}/state", b"{}", qos=1)


async def test_a_revoked_robot_is_thrown_out_and_stays_out(fleet: Fleet):
    sn = await fleet.register()
    closed = asyncio.Event()

    async def on_close() -> None:
        closed.set()

    await fleet.native(sn, closed_cb=on_close)
    async with fleet.mqtt(sn) as client:
        await fleet.bus.drop("devices", sn)
        await asyncio.wait_for(closed.wait(), 20)
        with pytest.raises(aiomqtt.MqttError):
            await asyncio.wait_for(anext(aiter(client.messages)), 20)
    assert await fleet.refused(sn, "right")


async def test_a_new_password_ends_the_old_ones_links(fleet: Fleet):
    sn = await fleet.register()
    closed = asyncio.Event()

    async def on_close() -> None:
        closed.set()

    await fleet.native(sn, closed_cb=on_close)
    await fleet.register(sn, "new")
    await asyncio.wait_for(closed.wait(), 20)
    assert await fleet.refused(sn, "right")
    await (await fleet.native(sn, "new")).close()
