"""The robot of docs/examples comes into the whole product as a maker's would: code, bus, tunnel."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.product.running import Product, Refused, until

SN = "MAKER1"
WORDS = ("--robots", "1")
EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "robot.py"
pytestmark = pytest.mark.timeout(240)


@contextmanager
def example(product: Product, code: str) -> Iterator[None]:
    with (product.folder / "log" / "maker.log").open("ab") as log:
        words = [sys.executable, str(EXAMPLE), product.run["http"], code, SN, "Scrub 50"]
        process = subprocess.Popen(words, cwd=product.folder, stdout=log, stderr=log)
        try:
            yield
        finally:
            process.kill()
            process.wait()


@pytest.mark.spec(
    "call.device.deviceGenerateAuthCode", "call.relay.common.point_moveto", "call.relay.common.robot_safe"
)
async def test_the_example_of_the_documents_is_a_robot_like_any_other(product: Product):
    async with product.console("admin") as admin, product.console("user") as user:

        async def row() -> dict:
            return (await user.devices()).get(SN, {})

        async def at_work(mode: str) -> bool:
            listed = await row()
            return bool(listed.get("online")) and listed["mode"] == mode

        with example(product, await admin("/device/deviceGenerateAuthCode", userId=user.id)):
            await until(lambda: at_work("idle"), "the robot online")
            device = (await row())["deviceId"]

            async def answers() -> bool:
                user.grants.clear()
                return (await user.robot(device, "robot_pose"))["code"] == 0

            await until(answers, "an answer through its tunnel")
            with pytest.raises(Refused) as free:
                await user.robot(device, "point_moveto", x=30, y=0)
            assert free.value.reason == "control_lost"  # nobody has taken it
            await user("/device/takeControl", deviceId=device, minutes=10)
            user.grants.clear()
            assert (await user.robot(device, "point_moveto", x=30, y=0))["code"] == 0
            await until(lambda: at_work("moving"), "it drives")
            assert (await user.robot(device, "robot_safe", robot_safe=1))["code"] == 0
            await until(lambda: at_work("emergency"), "it stands")
            with pytest.raises(Refused) as unknown:
                await user.robot(device, "task_state")
            assert unknown.value.reason == "command_unknown"
        with example(product, "used"):  # what it was told is kept: a restart wants no code
            await until(lambda: at_work("idle"), "the robot online again")
