"""A notification is tried again until it is out, nobody gets it twice, and what is gone meanwhile notifies nobody."""

import asyncio
import email
import email.policy
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from aiohttp import web
from sqlalchemy import text

from lustra.core import mail
from lustra.domains.alarm import channels, notify
from tests.account.test_mail import Post, post
from tests.alarm.test_alarms import NOW, alarm_message, say
from tests.alarm.test_notifications import (
    A_DAY_LATER,
    NOW_DUE,
    notifications,
    raise_alarm,
    set_up,
    set_up_gateway,
    set_up_post,
    switch,
    want_mails,
    work,
)
from tests.webhook.conftest import Receiver, receiver
from tests.world import World

__all__ = ["post", "receiver"]


async def test_retry_a_mail_until_its_server_is_back(world: World, post: Post):
    set_up_post(world, post)
    await want_mails(world, "a@b.com")
    await switch(world, "door_stuck", email=1)
    post.answers["MAIL"] = "451 later"
    alarm = await raise_alarm(world)
    for attempts in range(1, 12):
        await work(world)
        (row,) = await notifications(world, alarm)
        assert (row["state"], row["attempts"], row["reason"]) == ("waiting", attempts, "mail_refused")
        assert row["reasonText"] == "the mail server rejected it"
        assert row["nextTime"] is not None
        await world.pool.execute(NOW_DUE)
    del post.answers["MAIL"]
    await work(world)
    (row,) = await notifications(world, alarm)
    assert (row["state"], row["attempts"], row["reason"], row["nextTime"]) == ("sent", 12, "", None)
    key = await world.pool.fetchval("select key::text from alarm_notification")
    assert f"Message-ID: <{key}@example.org>".encode() in post.sent


async def test_retry_a_notification_that_failed_by_a_fault_of_the_server(world: World, monkeypatch: pytest.MonkeyPatch):
    set_up(world, demo=True)
    await want_mails(world, "a@b.com")
    await switch(world, "door_stuck", email=1)

    async def fail(*_: Any, **__: Any) -> None:
        raise KeyError("none of what mail is known to raise")

    with monkeypatch.context() as broken:
        broken.setattr(mail, "send", fail)
        alarm = await raise_alarm(world)
        await work(world)
    (row,) = await notifications(world, alarm)
    assert (row["state"], row["attempts"], row["reason"]) == ("waiting", 1, "channel_fault")
    await world.pool.execute(NOW_DUE)
    await work(world)
    assert [row["state"] for row in await notifications(world, alarm)] == ["sent"]


async def test_a_mail_that_goes_late_says_that_the_alarm_is_over(world: World, post: Post):
    set_up_post(world, post)
    await want_mails(world, "a@b.com")
    await switch(world, "door_stuck", email=1)
    await world.pool.execute("update account set language = 'en'")
    post.answers["MAIL"] = "451 later"
    await raise_alarm(world)
    await work(world)
    await say(world, alarm_message("cleared", ("SC0001 door_stuck", "door_stuck"), at=NOW + 60_000))
    del post.answers["MAIL"]
    await world.pool.execute(NOW_DUE)
    await work(world)
    mailed = email.message_from_bytes(post.taken[-1], policy=email.policy.default)
    assert "Resolved" in mailed.get_content()


async def test_a_job_that_is_done_again_notifies_nobody_twice(world: World):
    await switch(world, "door_stuck", cloud=1)
    alarm = await raise_alarm(world)
    await work(world)
    await notify.notify_people(world.services, alarms=[alarm])
    assert (await world.call("user", "/message/findMessageByUnRead"))["count"] == 1


async def test_an_alarm_that_goes_while_its_people_are_looked_for_notifies_nobody(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    await switch(world, "door_stuck", cloud=1)
    choose = notify._choose

    async def choose_and_remove(db: Any, numbers: Sequence[int]) -> list[int]:
        chosen = await choose(db, numbers)
        await db.execute(text("delete from alarm"))
        return chosen

    monkeypatch.setattr(notify, "_choose", choose_and_remove)
    await raise_alarm(world)
    await work(world)
    assert (await world.call("user", "/message/findMessageByUnRead"))["count"] == 0


async def test_a_notification_that_goes_while_it_is_sent_is_not_brought_back(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    await want_mails(world, "a@b.com")
    await switch(world, "door_stuck", email=1)

    async def send_and_remove(*_: Any) -> None:
        await world.pool.execute("delete from alarm")

    monkeypatch.setattr(channels, "send", send_and_remove)
    await raise_alarm(world)
    await work(world)
    assert await world.pool.fetchval("select count(*) from alarm_notification") == 0


async def test_give_up_a_notification_after_a_day_and_say_why(world: World, post: Post):
    set_up_post(world, post)
    await want_mails(world, "a@b.com")
    await switch(world, "door_stuck", email=1)
    post.answers["MAIL"] = "451 later"
    alarm = await raise_alarm(world)
    await work(world)
    await world.pool.execute(A_DAY_LATER)
    await world.pool.execute(NOW_DUE)
    await work(world)
    (row,) = await notifications(world, alarm)
    assert (row["state"], row["attempts"], row["nextTime"]) == ("failed", 2, None)


async def test_a_worker_that_is_killed_between_alarm_and_notification_loses_none(world: World, receiver: Receiver):
    """kill -9 while it sends: another worker sends it again, as the same."""
    set_up_gateway(world, receiver)
    await world.pool.execute("update account set deleted_at = now() where account = 'shadow'")
    await switch(world, "door_stuck", offSitePush=1)
    hold = asyncio.Event()

    async def wait(_: web.Request) -> web.Response:
        await hold.wait()
        return web.Response()

    accept, receiver.answer = receiver.answer, wait
    alarm = await raise_alarm(world)
    names = ("database_url", "nats_url", "objects_url", "secret", "data", "webhook_networks")
    names = (*names, "alarm_gateways", "alarm_gateway_secret")
    environment = {f"LUSTRA_{name.upper()}": str(getattr(world.services.settings, name)) for name in names}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "from lustra.app.processes.worker import main; main()",
        env=os.environ | environment,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await asyncio.wait_for(receiver.came.wait(), 60)
    finally:
        process.send_signal(signal.SIGKILL)
        await process.wait()
    hold.set()
    receiver.answer = accept
    await world.pool.execute("update procrastinate_workers set last_heartbeat = now() - interval '31 s'")
    await work(world)
    assert len({headers["webhook-id"] for headers, _ in receiver.requests}) == 1
    assert len(receiver.requests) >= 2
    assert [row["state"] for row in await notifications(world, alarm)] == ["sent"]
