"""A robot comes new into the whole product, by a code; then it goes to another owner, and really erases."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from lustra.robot.updates.slots import FACTORY
from tests.product.running import MODULE, Console, Product, Refused, until

SN = "NEW1"
WORDS = ("--robots", "2")
PLACE = ("Kestrel Quay Hotel", "floor 1")
pytestmark = pytest.mark.timeout(240)


@contextmanager
def newcomer(product: Product, code: str) -> Iterator["subprocess.Popen[bytes]"]:
    """`lustra robot --enrol CODE`, in a process and on a disk of its own."""
    folder = product.folder / "new"
    words = [
        "robot",
        "--enrol",
        code,
        "--server",
        product.run["http"],
        "--serial",
        SN,
        "--type",
        "Scrub 50",
        "--place",
        *PLACE,
        "--fleet",
        str(folder / "fleet.json"),
        "--state",
        str(folder),
    ]
    with (product.folder / "log" / "new.log").open("ab") as log:
        process = subprocess.Popen([sys.executable, "-m", MODULE, *words], stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


async def row(console: Console) -> dict[str, Any]:
    return (await console.devices()).get(SN, {})


@pytest.mark.spec("call.device.deviceGenerateAuthCode", "call.device.updateDeviceUserInfo", "dialog.auth_code")
async def test_a_new_robot_is_online_and_reached_and_erases_when_it_is_given_away(product: Product):
    async with product.console("admin") as admin, product.console("user") as user:
        code = await admin("/device/deviceGenerateAuthCode", userId=user.id)
        with newcomer(product, code):
            new_row = await until(lambda: row(user), "the robot in its owner's list", patience_s=60)
            device = new_row["deviceId"]
            assert (new_row["firmware_version"], new_row["pad_version"]) == (FACTORY["firmware"], FACTORY["app"])

            async def online() -> bool:
                return bool((await row(user))["online"])

            await until(online, "the robot online")

            async def answers() -> dict[str, Any]:
                user.grants.clear()
                return await user.robot(device, "map_list")

            own = await until(answers, "an answer through its tunnel")
            assert own["code"] == 0
            maps = await until(lambda: listed(user, device), "its map in the mirror")
            others = {account["userId"]: account for account in flat((await admin("/device/selectOwnUser"))["list"])}
            to = next(account["userId"] for account in others.values() if account["name"] == "Polaris Retail")
            await admin("/device/updateDeviceUserInfo", deviceId=device, ownerUserId=to)

            async def erased() -> bool:
                done = await product.fetch("select done_at from robot_errand where device_id = $1", device)
                return len(done) == 2 and all(step["done_at"] for step in done)

            await until(erased, "the robot having erased and taken its password", patience_s=120)
            async with product.console("rivaluser") as rival:

                async def empty() -> bool:
                    return (await rival.robot(device, "map_list")).get("list", []) == []

                await until(empty, "no map on the robot")
                assert await listed(rival, device) == []
            assert await listed(user, device) == maps  # they stay with whom they were made for
            with pytest.raises(Refused):
                await user("/device/relayGrant", deviceId=device)


def flat(accounts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [inner for account in accounts for inner in (account, *flat(account["childs"]))]


async def listed(console: Console, device: int) -> list[int]:
    return [floor_map["mapId"] for floor_map in (await console("/map/selectMap", deviceId=device))["list"]]
