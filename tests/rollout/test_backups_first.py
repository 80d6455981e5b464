"""Robots are backed up before they are updated, where their plan of backups says so."""

from lustra.app.processes import worker
from lustra.domains.rollout import orders
from tests.rollout.conftest import Workshop
from tests.rollout.test_ddi import Updater, updater
from tests.rollout.test_rollouts import ALL, SMALL
from tests.world import until

__all__ = ["updater"]


async def plan_backups(workshop: Workshop, *serials: str) -> None:
    await workshop.world.pool.execute("update role set keys = keys || '{device/dataBackup}'::text[]")
    for sn in serials:
        plan = {"deviceId": workshop.world.devices[sn], "everyDays": None, "beforeUpdates": True, "keep": 1}
        await workshop.world.call("user", "/device/updateDataBackupPlan", **plan)


async def work_backups(workshop: Workshop) -> None:
    """Until the robots have said all of their backups."""

    async def look() -> bool:
        await worker.run_worker(workshop.world.services.settings, until_empty=True)
        await workshop.crew.listen()
        return not await workshop.world.pool.fetchval(
            "select exists (select from data_backup where status in ('packing', 'uploading'))"
        )

    await until(look, 30)


async def test_a_robot_whose_plan_says_so_is_backed_up_before_its_update(workshop: Workshop):
    build = await workshop.publish("2.0.0", SMALL, *ALL)
    for sn in ALL[:2]:
        await workshop.switch_on(sn)
    await plan_backups(workshop, "SC0001")
    pool, services = workshop.world.pool, workshop.world.services
    rollout = await workshop.roll_out(build, steps=[100])
    await orders.advance_all(services)
    sent = (
        "select sent_at is not null from rollout_robot b join device d on d.id = b.device_id where serial_number = $1"
    )
    assert [await pool.fetchval(sent, sn) for sn in ALL[:2]] == [False, True]
    await workshop.until_row(rollout, "SC0001", state="waiting", reason="backup_first")
    await work_backups(workshop)
    assert [dict(row) for row in await pool.fetch("select status, planned from data_backup")] == [
        {"status": "finished", "planned": True}
    ]
    await workshop.until_row(rollout, "SC0001", state="confirmed")
    assert await pool.fetchval("select count(*) from data_backup") == 1


async def test_an_update_waits_for_a_backup_that_fails_and_is_begun_anew(workshop: Workshop):
    build = await workshop.publish("2.0.0", SMALL, *ALL)
    robot = await workshop.switch_on()
    await plan_backups(workshop, "SC0001")
    pool, services = workshop.world.pool, workshop.world.services
    await workshop.roll_out(build, steps=[100])
    await orders.advance_all(services)
    fail = "update data_backup set status = 'failed', created_at = created_at - $1 * interval '1 minute'"
    await pool.execute(fail, 0)
    await orders.advance_all(services)
    assert await pool.fetchval("select count(*) from data_backup") == 1
    await pool.execute(fail, 31)
    await orders.advance_all(services)
    assert await pool.fetchval("select count(*) from data_backup") == 2
    assert not robot.updates.orders


async def test_a_backup_of_before_the_roll_out_or_of_a_former_owner_does_not_count(workshop: Workshop):
    build = await workshop.publish("2.0.0", SMALL, *ALL)
    await workshop.switch_on()
    await plan_backups(workshop, "SC0001")
    pool, services = workshop.world.pool, workshop.world.services
    for more in ("now() - interval '1 hour', d.owner_id", "now() + interval '1 hour', (select min(id) from account)"):
        await pool.execute(
            "insert into data_backup (device_id, file_name, status, owner_path, created_at, owner_id)"
            f" select d.id, 'a.zip', 'finished', d.owner_path, {more} from device d where serial_number = 'SC0001'"
        )
    rollout = await workshop.roll_out(build, steps=[100])
    await orders.advance_all(services)
    await workshop.until_row(rollout, "SC0001", state="waiting", reason="backup_first")
    assert await pool.fetchval("select count(*) from data_backup") == 3


async def test_a_robot_that_asks_for_updates_itself_is_given_none_before_its_backup(
    workshop: Workshop, updater: Updater
):
    build = await workshop.publish("2.0.0", SMALL, *ALL)
    await plan_backups(workshop, "SC0001")
    await workshop.roll_out(build, steps=[100])
    assert await updater.action() is None
    reason = "select reason from rollout_robot where device_id = $1"
    assert await workshop.world.pool.fetchval(reason, workshop.world.devices["SC0001"]) == "backup_first"
    await workshop.world.pool.execute("update backup_plan set before_updates = false")
    assert await updater.action()
