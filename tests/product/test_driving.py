"""Two people and one robot, driven by hand at 20 Hz through relay and tunnel: only who has control moves it."""

import asyncio
import time
from itertools import count

import pytest

from tests.product.running import Console, Product, Refused, until

WORDS = ("--robots", "1")
EACH_S = 0.05
GRACE_S = 1.0  # the issue of a new lock or the end of a session is known everywhere by then
pytestmark = pytest.mark.timeout(240)


class Driver:
    """Turns the robot on the spot, and keeps what became of each command: when it was sent, and why it was refused."""

    def __init__(self, console: Console, device: int) -> None:
        self.console, self.device = console, device
        self.sent: list[tuple[float, str]] = []

    async def drive(self) -> None:
        for seq in count(1):
            began, why = time.monotonic(), ""
            try:
                await self.console.robot(self.device, "cmdvel_ctrl", linear=0.0, angular=0.4, stream="test", seq=seq)
            except Refused as refusal:
                why = refusal.reason or str(refusal.code)
            self.sent.append((began, why))
            await asyncio.sleep(max(0.0, EACH_S - (time.monotonic() - began)))

    def passed(self, since: float) -> list[float]:
        return [at - since for at, why in self.sent if not why and at > since]

    async def sent_after(self, since: float, enough: int = 20) -> None:
        async def many() -> bool:
            return sum(at > since for at, _ in self.sent) >= enough

        await until(many, "more commands")


async def at_the_stick(product: Product, console: Console) -> int:
    async def online() -> int | None:
        return next((row["deviceId"] for row in (await console.devices()).values() if row["online"]), None)

    device = await until(online, "the robot online")

    async def answers() -> bool:
        console.grants.clear()
        return (await console.robot(device, "robot_pose"))["code"] == 0

    await until(answers, "an answer through the tunnel")
    return device


@pytest.mark.spec("call.relay.common.cmdvel_ctrl", "call.relay.common.hand_mode", "call.relay.common.robot_safe")
async def test_a_former_driver_and_an_ended_session_move_nothing_after_one_second(product: Product):
    async with product.console("user") as user, product.console("dealer") as dealer:
        device = await at_the_stick(product, user)
        await user("/device/takeControl", deviceId=device, minutes=10)
        user.grants.clear()
        await user.robot(device, "hand_mode", mode=1)
        first, second = Driver(user, device), Driver(dealer, device)
        driving = [asyncio.create_task(first.drive())]
        try:
            await first.sent_after(0.0)
            assert first.passed(0.0)
            await dealer("/device/takeOverControl", deviceId=device, minutes=10, reason="The corridor is wet")
            taken = time.monotonic()
            driving.append(asyncio.create_task(second.drive()))
            await first.sent_after(taken + GRACE_S)
            assert max(first.passed(taken), default=0.0) <= GRACE_S

            await dealer.robot(device, "hand_mode", mode=1)  # it ended with the former driver's control

            async def drives() -> bool:
                return bool(second.passed(taken))

            await until(drives, "the new driver's commands")
            assert (await user.robot(device, "robot_safe", robot_safe=1))["code"] == 0  # stopping is everybody's
            with pytest.raises(Refused):
                await user.robot(device, "robot_safe", robot_safe=0)
            await dealer.robot(device, "robot_safe", robot_safe=0)
            await dealer("/logout")
            ended = time.monotonic()
            await second.sent_after(ended + GRACE_S)
            assert max(second.passed(ended), default=0.0) <= GRACE_S
        finally:
            for task in driving:
                task.cancel()
            await asyncio.gather(*driving, return_exceptions=True)
