"""Quiet hours hold back, the digest says what they held and what stands; what nobody takes goes to who is above."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.domains.account.events import PersonalDataRequested, PersonErased
from lustra.domains.alarm import privacy
from lustra.domains.alarm.hours import hold_until, next_at
from lustra.domains.alarm.tables import NotificationHours
from tests.account.test_mail import Post, post
from tests.alarm.test_alarms import NOW, alarm_message, say
from tests.alarm.test_notifications import (
    NOW_DUE,
    notifications,
    raise_alarm,
    set_up,
    set_up_post,
    stored_mails,
    switch,
    want_mails,
    work,
)
from tests.world import World

__all__ = ["post"]

ROBOT = {"deviceSerialNumber": "SC0001"}
ENGLISH = "update account set language = 'en'"
ALL_DUE = "update procrastinate_jobs set scheduled_at = null where status = 'todo' and queue_name = 'alarms'"
HOURS_OVER = "update alarm_notification set next_at = now() where state = 'held'"
DIGEST_DUE = "update notification_hours set digest_at = now()"
BEGIN_DIGESTS = (
    "select procrastinate_defer_jobs_v1(array[row('alarms', 'alarm.digests', 0, null, null,"
    " '{}'::jsonb, null)::procrastinate_job_to_defer_v1])"
)


NEVER = {"zone": "UTC", "quietFrom": None, "quietUntil": None, "alarmsPass": True, "digest": None}


def now_and(minutes: int) -> str:
    return f"{datetime.now(UTC) + timedelta(minutes=minutes):%H:%M}"


async def be_quiet(world: World, account: str = "user", **more: Any) -> None:
    """From an hour ago until in three."""
    hours = NEVER | {"quietFrom": now_and(-60), "quietUntil": now_and(180), "alarmsPass": False}
    await world.call(account, "/warn/editNotificationHours", **(hours | more))


async def send_digests(world: World) -> None:
    await world.pool.execute(DIGEST_DUE)
    await world.pool.execute(BEGIN_DIGESTS)
    await work(world)


@pytest.fixture
async def mailed(world: World) -> World:
    set_up(world, demo=True)
    await world.pool.execute(ENGLISH)
    await want_mails(world, "a@b.com,c@d.org")
    await switch(world, "door_stuck", email=1, cloud=1)
    return world


async def states(world: World, alarm: int) -> list[tuple[str, str]]:
    return [(row["channel"], row["state"]) for row in await notifications(world, alarm)]


async def test_quiet_hours_hold_back_mails_and_not_the_message_centre(mailed: World):
    await be_quiet(mailed)
    alarm = await raise_alarm(mailed)
    await work(mailed)
    assert await states(mailed, alarm) == [("cloud", "sent"), ("email", "held"), ("email", "held")]
    assert stored_mails(mailed) == []
    await mailed.pool.execute(ALL_DUE)  # a job that comes too early sends nothing
    await work(mailed)
    assert stored_mails(mailed) == []
    await mailed.pool.execute(HOURS_OVER)
    await mailed.pool.execute(
        "select procrastinate_defer_jobs_v1(array[row('alarms', 'alarm.send', 0, null, null,"
        " jsonb_build_object('notification', id), null)::procrastinate_job_to_defer_v1]) from alarm_notification"
    )
    await work(mailed)
    assert sorted(mail["To"] for mail in stored_mails(mailed)) == ["a@b.com", "c@d.org"]


async def test_an_alarm_passes_quiet_hours_where_the_person_lets_it(mailed: World):
    await be_quiet(mailed, alarmsPass=True)
    alarm = await raise_alarm(mailed)
    await mailed.pool.execute("update alarm set type = 2")
    await work(mailed)
    assert {state for _, state in await states(mailed, alarm)} == {"sent"}


async def test_send_nothing_after_quiet_hours_about_alarms_that_are_over(mailed: World):
    await be_quiet(mailed)
    alarm = await raise_alarm(mailed)
    await work(mailed)
    await mailed.call("user", "/warn/resumeWarn", **ROBOT)
    await mailed.call("user", "/warn/editNotificationHours", **NEVER)  # no hours any more: judged anew
    await work(mailed)
    assert await states(mailed, alarm) == [("cloud", "sent"), ("email", "failed"), ("email", "failed")]
    assert stored_mails(mailed) == []


async def test_without_hours_what_was_held_goes_out_at_once(mailed: World):
    await be_quiet(mailed)
    alarm = await raise_alarm(mailed)
    await work(mailed)
    await mailed.call("user", "/warn/editNotificationHours", **NEVER)
    await work(mailed)
    assert await states(mailed, alarm) == [("cloud", "sent"), ("email", "sent"), ("email", "sent")]


async def test_the_digest_says_once_what_was_held_back_and_what_is_open(mailed: World):
    await be_quiet(mailed, digest="07:00")
    alarm = await raise_alarm(mailed)
    await work(mailed)
    await send_digests(mailed)
    mails = stored_mails(mailed)
    assert sorted(mail["To"] for mail in mails) == ["a@b.com", "c@d.org"]
    assert mails[0]["Subject"] == "Alarms: 1 held back, 1 open"
    assert mails[0].get_content().count("A door on its route does not open · ") == 2
    assert {state for _, state in await states(mailed, alarm)} == {"sent"}
    assert await mailed.pool.fetchval("select digest_at > now() from notification_hours")
    await mailed.call("user", "/warn/resumeWarn", **ROBOT)
    await send_digests(mailed)
    assert len(stored_mails(mailed)) == 2  # nothing held, nothing open


async def test_a_digest_names_what_is_open_where_nothing_was_held_back(mailed: World):
    await mailed.call("user", "/warn/editNotificationHours", **(NEVER | {"zone": "UTC", "digest": "07:00"}))
    await raise_alarm(mailed)
    await work(mailed)
    sent_at_once = len(stored_mails(mailed))
    await send_digests(mailed)
    subjects = [mail["Subject"] for mail in stored_mails(mailed)[sent_at_once:]]
    assert subjects == ["Alarms: 0 held back, 1 open"] * 2


async def test_a_digest_that_fails_is_tried_again_for_a_day_and_then_stands_in_the_next(world: World, post: Post):
    set_up_post(world, post)
    await want_mails(world, "a@b.com")
    await switch(world, "door_stuck", email=1)
    await be_quiet(world, digest="07:00")
    alarm = await raise_alarm(world)
    await work(world)
    post.answers["MAIL"] = "451 later"
    await send_digests(world)
    assert await states(world, alarm) == [("email", "held")]
    del post.answers["MAIL"]
    await world.pool.execute(NOW_DUE.replace("alarm.send", "alarm.digest"))
    await work(world)
    assert await states(world, alarm) == [("email", "sent")]
    alarm = await raise_alarm(world, sn="SC0002")
    await work(world)
    await world.pool.execute("update account set email = '' where account = 'user'")
    await send_digests(world)
    assert await states(world, alarm) == [("email", "held")]  # no mailbox: it waits for one


async def test_a_digest_of_a_person_who_is_gone_goes_nowhere(mailed: World):
    await be_quiet(mailed, digest="07:00")
    await mailed.pool.execute("update account set deleted_at = now() where account = 'user'")
    await send_digests(mailed)
    assert stored_mails(mailed) == []


async def test_a_long_digest_counts_what_it_does_not_name(mailed: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lustra.domains.alarm.digest.LINES", 1)
    await be_quiet(mailed, digest="07:00")
    await raise_alarm(mailed)
    await raise_alarm(mailed, sn="SC0002")
    await work(mailed)
    await send_digests(mailed)
    assert stored_mails(mailed)[0].get_content().count("… +1") == 2


async def test_hours_that_would_notify_nobody_are_refused(world: World):
    same = {"zone": "UTC", "quietFrom": "22:00", "quietUntil": "22:00"}
    for payload in (same, {"zone": "UTC", "quietFrom": "22:00"}, {"zone": "UTC", "digest": "07:00"}, {"zone": "Moon"}):
        code, _ = await world.raw("user", "/warn/editNotificationHours", **(NEVER | payload))
        assert code == Code.BAD_INPUT, payload
    empty = await world.call("user", "/warn/notificationHours")
    assert (empty["zone"], empty["quietFrom"], empty["digest"]) == ("", None, None)
    await be_quiet(world)
    await be_quiet(world, quietFrom="22:00", quietUntil="06:30")
    stored = await world.call("user", "/warn/notificationHours")
    assert (stored["quietFrom"], stored["quietUntil"], stored["alarmsPass"]) == ("22:00", "06:30", False)
    assert (await world.call("rivaluser", "/warn/notificationHours"))["zone"] == ""


def test_hours_are_those_of_the_persons_clock():
    hours = NotificationHours(account_id=1, zone="Asia/Shanghai", quiet_from=time(22), quiet_until=time(7))
    at = datetime(2026, 3, 1, 15, 0, tzinfo=UTC)  # 23:00 there
    assert hold_until(hours, 1, at) == datetime(2026, 3, 1, 23, 0, tzinfo=UTC)
    assert hold_until(hours, 2, at) is None
    assert hold_until(hours, 1, at - timedelta(hours=2)) is None  # 21:00
    assert hold_until(None, 1, at) is None
    berlin = datetime(2026, 3, 28, 23, 30, tzinfo=UTC)  # the night of summer time
    assert next_at(time(7), "Europe/Berlin", berlin) == datetime(2026, 3, 29, 5, 0, tzinfo=UTC)


async def escalate(world: World, minutes: int | None = 15, steps: int = 1) -> None:
    await world.call("user", "/warn/editEscalation", minutes=minutes, steps=steps)


@pytest.fixture
async def raised(world: World) -> int:
    """An alarm that nobody takes, of which the owner knows."""
    await switch(world, "stuck", cloud=1)
    await escalate(world, steps=2)
    alarm = await raise_alarm(world, "stuck")
    await work(world)
    return alarm


async def pass_time(world: World) -> None:
    """Of one step."""
    await world.pool.execute(ALL_DUE)
    await work(world)


async def read_escalated(world: World, account: str) -> int:
    rows = (await world.call(account, "/message/findMessageByUnRead"))["list"]
    return len([row for row in rows if row["kind"] == "escalated"])


async def test_an_alarm_that_nobody_takes_goes_up_step_by_step(world: World, raised: int):
    wait = await world.pool.fetchval(
        "select extract(epoch from scheduled_at - now()) from procrastinate_jobs where task_name = 'alarm.escalate'"
    )
    assert 14 * 60 < wait <= 15 * 60
    assert await read_escalated(world, "dealer") == 0
    await pass_time(world)
    assert (await read_escalated(world, "dealer"), await read_escalated(world, "admin")) == (1, 0)
    await pass_time(world)
    await pass_time(world)
    assert (await read_escalated(world, "dealer"), await read_escalated(world, "admin")) == (1, 1)
    rows = (await world.call("admin", "/warn/listNotifications", warnId=raised))["list"]
    assert [row["step"] for row in rows if row["step"]] == [1, 2]
    assert await read_escalated(world, "rival") == 0


@pytest.mark.parametrize("end", ["take", "heal", "snooze"])
async def test_escalate_no_further_once_an_alarm_is_taken_or_over(world: World, raised: int, end: str):
    if end == "take":
        await world.call("user", "/warn/takeWarn", **ROBOT, warnId=raised, on=True)
    elif end == "heal":
        await say(world, alarm_message("cleared", ("SC0001 stuck", "stuck"), at=NOW + 1000))
    else:
        await world.call("user", "/warn/snoozeWarn", **ROBOT, minutes=60)
    await world.pool.execute(
        "update procrastinate_jobs set scheduled_at = null where task_name = 'alarm.escalate' and status = 'todo'"
    )
    await work(world)
    assert await read_escalated(world, "dealer") == 0


async def test_escalate_an_alarm_again_that_was_given_back(world: World, raised: int):
    await world.call("user", "/warn/takeWarn", **ROBOT, warnId=raised, on=True)
    await pass_time(world)
    await world.call("user", "/warn/takeWarn", **ROBOT, warnId=raised, on=False)
    await pass_time(world)
    assert await read_escalated(world, "dealer") == 1


async def test_an_escalated_mail_says_so_and_is_not_sent_once_somebody_is_on_it(world: World):
    set_up(world, demo=True)
    await world.pool.execute(ENGLISH)
    await want_mails(world, "d@e.org", "dealer")
    await switch(world, "stuck", email=1)
    await escalate(world)
    first = await raise_alarm(world, "stuck")
    await work(world)
    await pass_time(world)
    assert "No one had taken it by" in stored_mails(world)[0].get_content()
    await world.call("user", "/warn/resumeWarn", **ROBOT, warnId=first)
    await be_quiet(world, "dealer")
    second = await raise_alarm(world, "stuck", sn="SC0002")
    await work(world)
    await pass_time(world)
    await world.call("user", "/warn/takeWarn", deviceSerialNumber="SC0002", warnId=second, on=True)
    await world.call("dealer", "/warn/editNotificationHours", **NEVER)
    await work(world)
    assert len(stored_mails(world)) == 1
    (row,) = await notifications(world, second, "dealer")
    assert (row["state"], row["reason"]) == ("failed", "alarm_over")


async def test_reminders_are_not_escalated_nor_what_is_switched_off(world: World):
    await switch(world, "stuck", cloud=1)
    await escalate(world)
    await escalate(world, 30)
    assert (await world.call("user", "/warn/escalation"))["minutes"] == 30
    await escalate(world, None)
    await escalate(world, None)
    assert (await world.call("user", "/warn/escalation"))["minutes"] is None
    await raise_alarm(world, "stuck")
    await work(world)
    await pass_time(world)
    assert await read_escalated(world, "dealer") == 0


async def test_a_step_that_would_notify_nobody_is_refused(world: World):
    code, _ = await world.raw("user", "/warn/editEscalation", minutes=15, steps=3)
    assert code == Code.BAD_INPUT
    assert (await world.raw("admin", "/warn/editEscalation", minutes=15, steps=1))[0] == Code.BAD_INPUT
    assert (await world.call("user", "/warn/escalation"))["minutes"] is None


async def test_erase_quiet_hours_with_the_account(world: World):
    await be_quiet(world)
    async with world.services.sessions.begin() as db:
        request = PersonalDataRequested(world.accounts["user"], {}, [])
        await privacy.on_personal_data_requested(db, request)
        assert request.rows["notificationHours"][0]["zone"] == "UTC"
        await privacy.on_person_erased(db, PersonErased(world.accounts["user"], ("user",), "(erased)"))
    assert await world.pool.fetchval("select count(*) from notification_hours") == 0
