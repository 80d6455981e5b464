"""Firmware, apps and whole machines come to robots as software does: by the same steps, checked and all or none."""

import asyncio
from typing import Any

import msgspec
import pytest

from lustra.core.errors import Code
from lustra.domains.rollout import orders
from lustra.protocol.updates import Part, Update, UpdatePackage, target_path
from lustra.robot.simulation.body import SOFTWARE
from lustra.robot.updates.slots import FACTORY
from tests.rollout.conftest import PACKAGE, Workshop
from tests.version.helpers import other_type, type_of, upload

FIRMWARE, APP = b"PK\x03\x04 firmware", b"PK\x03\x04 app"


async def add_firmware(workshop: Workshop, version: str = "1.1.0", **fields: Any) -> int:
    world = workshop.world
    file = await upload(world, name=f"fw-{version}.zip", content=FIRMWARE)
    values = {"name": f"FW {version}", "version": version, "file": file, "enabled": True}
    types = [await type_of(world)]
    return (await world.call("admin", "/version/insertVersionFireware", **values, **({"deviceTypes": types} | fields)))[
        "id"
    ]


async def add_app(workshop: Workshop, name: str = "Pad 1.1", **fields: Any) -> int:
    world = workshop.world
    file = await upload(world, name=f"{name.replace(' ', '-')}.zip", content=APP)
    app = (await world.call("admin", "/version/insertVersionApp", name=name, releaseFile=file, **fields))["id"]
    await world.call("admin", "/version/publishVersionApp", id=app, published=True)
    return app


async def add_whole(workshop: Workshop, **fields: Any) -> int:
    values = {"name": "Autumn", "versionNumber": "20260901", "appVersion": "Pad 1.1"}
    values |= {"firmwareVersion": "1.1.0", "softVersion": "2.0.0"}
    world = workshop.world
    whole = (await world.call("admin", "/wmWholeVersion/add", **(values | fields)))["id"]
    await world.call("admin", "/wmWholeVersion/edit", id=whole, published=True)
    return whole


async def device(workshop: Workshop, sn: str = "SC0001") -> dict[str, str]:
    row = await workshop.world.pool.fetchrow("select * from device where serial_number = $1", sn)
    return {"firmware": row["firmware_version"], "app": row["pad_version"]}


def running(workshop: Workshop, sn: str = "SC0001") -> dict[str, str]:
    return {**workshop.crew.robots[sn].updates.slots.running}


@pytest.mark.parametrize(("kind", "version"), [("firmware", "1.1.0"), ("app", "Pad 1.1")])
async def test_firmware_and_apps_are_installed_beside_the_rest_and_taken_back(
    workshop: Workshop, kind: str, version: str
):
    number = await (add_firmware(workshop) if kind == "firmware" else add_app(workshop))
    await workshop.switch_on()
    await workshop.world.pool.execute("update device set deleted_at = now() where serial_number <> 'SC0001'")
    rollout = await workshop.roll_out(number, versionKind=kind)
    row = await workshop.settled(rollout)
    assert (row["state"], row["versionKind"], row["confirmed"]) == ("finished", kind, 1)
    [robot] = row["list"]
    assert (robot["former"], robot["target"]) == (FACTORY["firmware"], version)
    assert running(workshop) == {**FACTORY, kind: version}
    assert (await device(workshop))[kind] == version
    slots = workshop.crew.robots["SC0001"].updates.slots
    assert (slots.folder / f"b.{kind}").read_bytes() == (FIRMWARE if kind == "firmware" else APP)
    back = (await workshop.world.call("admin", "/version/rollBack", id=rollout))["id"]
    assert (await workshop.settled(back))["confirmed"] == 1
    assert running(workshop) == FACTORY
    assert (await device(workshop))[kind] == FACTORY["firmware"]


async def make_whole(workshop: Workshop) -> int:
    await workshop.publish("2.0.0", PACKAGE, "SC0001")
    await add_firmware(workshop)
    await add_app(workshop)
    await workshop.world.pool.execute("update device set deleted_at = now() where serial_number <> 'SC0001'")
    return await add_whole(workshop)


async def test_a_whole_machine_takes_its_three_parts_together(workshop: Workshop):
    whole = await make_whole(workshop)
    await workshop.switch_on()
    preview = await workshop.world.call("admin", "/version/previewRollout", publicId=whole, versionKind="whole")
    assert preview["size"] == len(PACKAGE) + len(FIRMWARE) + len(APP)
    rollout = await workshop.roll_out(whole, versionKind="whole")
    row = await workshop.settled(rollout)
    assert (row["state"], row["confirmed"]) == ("finished", 1)
    assert running(workshop) == {"software": "2.0.0", "firmware": "1.1.0", "app": "Pad 1.1"}
    assert row["list"][0]["former"] == f"{SOFTWARE} · 1.0.0 · 1.0.0"
    assert await workshop.refused("/version/previewRollout", publicId=whole, versionKind="whole") == ""
    back = (await workshop.world.call("admin", "/version/rollBack", id=rollout))["id"]
    assert (await workshop.settled(back))["confirmed"] == 1
    assert running(workshop) == FACTORY


@pytest.mark.parametrize("state", ["downloading", "verifying", "installing", "restarting"])
async def test_a_power_cut_leaves_a_whole_machine_whole(workshop: Workshop, state: str):
    whole = await make_whole(workshop)
    robot = await workshop.switch_on()
    robot.updates.set_fault(f"power_{state}", on=True)
    rollout = await workshop.roll_out(whole, versionKind="whole")
    await workshop.work(crew=False)
    await workshop.restart()
    after = {"software": "2.0.0", "firmware": "1.1.0", "app": "Pad 1.1"}
    assert running(workshop) in (FACTORY, after)
    await workshop.until_row(rollout, "SC0001", state="confirmed")
    assert running(workshop) == after


async def test_a_whole_machine_that_does_not_start_falls_back_in_all_parts(workshop: Workshop):
    whole = await make_whole(workshop)
    (await workshop.switch_on()).updates.set_fault("update_restarting", on=True)
    rollout = await workshop.roll_out(whole, versionKind="whole")
    await workshop.until_row(rollout, "SC0001", state="fell_back")
    assert running(workshop) == FACTORY


async def test_change_nothing_of_a_machine_for_a_single_bad_package(workshop: Workshop):
    whole = await make_whole(workshop)
    place = await workshop.world.pool.fetchval("select place from version_file where path like 'Pad%'")
    await workshop.world.services.objects.put_bytes(place, APP[:-1] + b"x")
    await workshop.switch_on()
    rollout = await workshop.roll_out(whole, versionKind="whole")
    await workshop.until_row(rollout, "SC0001", state="failed", reason="update_checksum")
    assert running(workshop) == FACTORY


async def test_a_whole_machine_without_a_published_part_is_refused(workshop: Workshop):
    await workshop.publish("2.0.0", PACKAGE, "SC0001")
    whole = await add_whole(workshop)
    message = (await workshop.world.post("admin", "/version/startRollout", publicId=whole, versionKind="whole")).json()[
        "message"
    ]
    assert message["message"].endswith("For no device type are all of its parts published")


@pytest.mark.parametrize(
    ("kind", "black"), [("app", "/version/selectAppBlackRange"), ("whole", "/wmWholeVersion/selectDeviceRange")]
)
async def test_black_and_white_lists_and_test_devices_hold_for_apps_and_whole_machines(
    workshop: Workshop, kind: str, black: str
):
    world = workshop.world
    await workshop.publish("2.0.0", PACKAGE, "SC0001")
    await add_firmware(workshop)
    app = await add_app(workshop)
    number = app if kind == "app" else await add_whole(workshop)

    async def robots() -> set[str]:
        preview = await world.call("admin", "/version/previewRollout", publicId=number, versionKind=kind)
        return {row["deviceSerialNumber"] for row in preview["list"]}

    everyone = await robots()
    assert {"SC0001", "SC0002", "SC0010"} <= everyone
    await set_list(workshop, kind, number, "black", "SC0002")
    assert await robots() == everyone - {"SC0002"}
    await set_list(workshop, kind, number, "white", "SC0001")
    assert await robots() == {"SC0001"}
    await world.pool.execute("update device set test_device = true where serial_number in ('SC0002', 'SC0003')")
    assert await robots() == {"SC0001", "SC0003"}
    question = {"typeName": kind, "deviceSerialNumber": "SC0003"}
    record = await world.call("admin", "/version/selectVersionByTypeName", **question)
    assert (record["versionKind"], record["publicId"]) == (kind, number)
    for sn in ("SC0002", "SC0010"):
        answer = await world.raw("admin", "/version/selectVersionByTypeName", **(question | {"deviceSerialNumber": sn}))
        assert answer[0] == Code.NOT_FOUND


async def set_list(workshop: Workshop, kind: str, number: int, name: str, sn: str) -> None:
    if kind == "app":
        await workshop.world.call("admin", "/version/updateVersionApp", id=number, **{f"{name}List": sn})
    else:
        path = "/wmWholeVersionWhiteBlack/add" + ("" if name == "black" else "White")
        await workshop.world.call("admin", path, wholeVersionId=number, deviceSerialNumbers=[sn])


@pytest.mark.spec("call.version.selectVersionByTypeName")
async def test_a_robot_asks_for_each_kind(workshop: Workshop):
    await make_whole(workshop)
    question = {"deviceSerialNumber": "SC0001"}
    parts: dict[str, list[str]] = {}
    for kind in ("Navigation", "firmware", "app", "whole"):
        record = await workshop.world.call("admin", "/version/selectVersionByTypeName", typeName=kind, **question)
        parts[kind] = [f"{each['part']} {each['version']}" for each in record["packages"]]
    software, firmware, app = "software 2.0.0", "firmware 1.1.0", "app Pad 1.1"
    assert parts == {
        "Navigation": [software],
        "firmware": [firmware],
        "app": [app],
        "whole": [software, firmware, app],
    }


async def test_a_robot_gets_no_whole_machine_of_which_a_part_is_not_there_any_more(workshop: Workshop):
    await make_whole(workshop)
    await add_whole(workshop, name="Winter", appVersion="", versionNumber="20261201", firmwareVersion="1.2.0")
    await add_firmware(workshop, "1.2.0")
    question = {"typeName": "whole", "deviceSerialNumber": "SC0001"}
    record = await workshop.world.call("admin", "/version/selectVersionByTypeName", **question)
    assert [each["part"] for each in record["packages"]] == ["software", "firmware"]  # that one is without an app
    firmware = await workshop.world.pool.fetchval("select id from firmware_version where version = '1.2.0'")
    await workshop.world.call("admin", "/version/updateVersionFireware", id=firmware, enabled=False)
    record = await workshop.world.call("admin", "/version/selectVersionByTypeName", **question)
    assert [each["version"] for each in record["packages"]] == ["2.0.0", "1.1.0", "Pad 1.1"]


async def test_read_a_version_while_somebody_changes_it(workshop: Workshop):
    world, build = workshop.world, await workshop.publish("2.0.0", PACKAGE, "SC0001")
    await add_firmware(workshop)
    look = [
        ("/version/selectVersionByTypeName", {"typeName": "firmware", "deviceSerialNumber": "SC0001"}),
        ("/version/selectVersionByTypeName", {"typeName": "Navigation", "deviceSerialNumber": "SC0001"}),
        ("/version/previewRollout", {"publicId": build}),
    ]
    async with world.pool.acquire() as link, link.transaction():
        await link.execute("select from firmware_version for update")
        await link.execute("select from soft_build for update")
        for path, payload in look:
            async with asyncio.timeout(10):
                assert (await world.raw("admin", path, **payload))[0] == 0


async def test_a_robot_is_in_one_roll_out_whatever_these_bring(workshop: Workshop):
    whole = await make_whole(workshop)
    firmware = await workshop.world.pool.fetchval("select id from firmware_version")
    await workshop.roll_out(firmware, versionKind="firmware")
    refused = await workshop.refused("/version/startRollout", publicId=whole, versionKind="whole")
    assert refused == "rollout_robot_busy"


async def test_refuse_to_withdraw_or_delete_a_rolled_out_version(workshop: Workshop):
    whole = await make_whole(workshop)
    ids = {
        table: await workshop.world.pool.fetchval(f"select id from {table}")
        for table in ("firmware_version", "app_version", "soft_version")
    }
    rollout = await workshop.roll_out(whole, versionKind="whole")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("/wmWholeVersion/edit", {"id": whole, "published": False}),
        ("/version/updateVersionFireware", {"id": ids["firmware_version"], "enabled": False}),
        ("/version/publishVersionApp", {"id": ids["app_version"], "published": False}),
        ("/version/updateVersionTypeAndPublishDel", {"versionId": ids["soft_version"]}),
    ]
    for path, payload in calls:
        assert await workshop.refused(path, **payload) == "version_rolled_out", path
    for path, number in (
        ("/wmWholeVersion/deleteById", whole),
        ("/version/delVersionFireware", ids["firmware_version"]),
        ("/version/deleteVersionApp", ids["app_version"]),
    ):
        assert (await workshop.world.raw("admin", path, id=number))[0] == Code.BAD_INPUT
    await workshop.change(rollout, "cancel")
    for path, payload in calls:
        await workshop.world.call("admin", path, **payload)


@pytest.mark.parametrize("kind", ["firmware", "app"])
async def test_a_package_of_another_part_type_or_age_is_refused(workshop: Workshop, kind: str):
    world = workshop.world
    old = await (add_firmware(workshop, "0.9.0") if kind == "firmware" else add_app(workshop, "Pad 0.9"))
    new = await (add_firmware(workshop) if kind == "firmware" else add_app(workshop))
    foreign = await add_firmware(workshop, "3.0.0", deviceTypes=[await other_type(world)])
    await workshop.sign()
    model = await world.pool.fetchval("select name from device_type where id = $1", await type_of(world))
    await workshop.switch_on(model=model)
    part: Part = "firmware" if kind == "firmware" else "app"
    versions = {old: "0.9.0" if kind == "firmware" else "Pad 0.9", new: "1.1.0" if kind == "firmware" else "Pad 1.1"}

    async def refusal(number: int, package: UpdatePackage) -> str:
        package.url = orders.package_url(world.services, "versions/none")
        metadata = orders.metadata_url(world.services, world.devices["SC0001"])
        order = Update(number=number, attempt=1, action="install", metadata=metadata, packages=[package])
        await world.services.bus.ask("SC0001", "update", order, 5)
        return (await workshop.reached(number, "failed")).reason

    name = target_path(part, model, old)
    assert await refusal(901, UpdatePackage(part=part, version=versions[old], name=name)) == "update_older"
    name = target_path(part, model, new)
    assert await refusal(902, UpdatePackage(part=part, version="9.9", name=name)) == "update_untrusted"
    assert await refusal(903, UpdatePackage(part="software", version=versions[new], name=name)) == "update_untrusted"
    name = target_path("firmware", "Other", foreign)
    assert await refusal(904, UpdatePackage(part="firmware", version="3.0.0", name=name)) == "update_model"
    assert (
        await refusal(905, UpdatePackage(part=part, version="1.2", name=target_path(kind, model, 999)))
        == "update_unlisted"
    )
    assert (
        await refusal(906, UpdatePackage(part=part, version=versions[new], name=target_path(part, model, new)))
        == "update_link"
    )
    assert running(workshop) == FACTORY


async def test_an_order_of_parts_names_nothing_that_a_robot_of_before_would_install(workshop: Workshop):
    """It passes over `packages`, and the metadata has no target without a name."""
    firmware = await add_firmware(workshop)
    received: list[dict[str, Any]] = []

    async def on_message(message: Any) -> None:
        received.append(msgspec.json.decode(message.data))
        await message.respond(b'{"code": 0}')

    link = workshop.world.services.bus.link
    workshop.crew.ears.append(await link.subscribe("robots.SC0001.cmd.update", cb=on_message))
    await workshop.world.online("SC0001")
    await workshop.roll_out(firmware, versionKind="firmware")
    await workshop.work(crew=False)
    [order] = received
    assert (order.get("name", ""), order.get("url", "")) == ("", "")
    assert [each["part"] for each in order["packages"]] == ["firmware"]


async def test_refuse_a_rollout_of_a_kind_without_its_right(workshop: Workshop):
    world = workshop.world
    firmware = await add_firmware(workshop)
    rollout = await workshop.roll_out(firmware, versionKind="firmware")
    await world.pool.execute("update role set keys = array_remove(keys, 'version/fireware/enable')")
    world.services.logins.forget_account(0)
    for path, payload in (
        ("/version/previewRollout", {"publicId": firmware, "versionKind": "firmware"}),
        ("/version/startRollout", {"publicId": firmware, "versionKind": "firmware"}),
        ("/version/changeRollout", {"id": rollout, "action": "cancel"}),
        ("/version/rollBack", {"id": rollout}),
    ):
        assert (await world.raw("admin", path, **payload))[0] == Code.FORBIDDEN
