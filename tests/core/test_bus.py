"""Commands to robots: whichever way a robot can answer, its answer counts once; silence is said."""

import json
from typing import Any

import pytest

from lustra.core.bus import Bus, Silent
from lustra.protocol import bus as protocol


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
