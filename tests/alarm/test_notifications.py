"""Who is notified of an alarm, by which channel: in one transaction with it, again until it is out, and as the same."""

import base64
import email
import email.message
import email.policy
import json
from typing import Any

import msgspec
import pytest
from aiohttp import web

from lustra.app.processes import worker
from lustra.core import gateways, mail
from lustra.core.errors import Code
from lustra.core.settings import Settings
from lustra.domains.account.events import PersonalDataRequested, PersonErased
from lustra.domains.alarm import privacy
from lustra.protocol import bus
from tests.account.test_mail import Post, post
from tests.alarm.test_alarms import alarm_message, say
from tests.flush import flush
from tests.webhook.conftest import Receiver, receiver
from tests.webhook.test_webhooks import verified
from tests.world import World

__all__ = ["post", "receiver"]

SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
NOW_DUE = "update procrastinate_jobs set scheduled_at = null where task_name = 'alarm.send'"
DUE = (
    "select exists (select from procrastinate_jobs where status in ('todo', 'doing')"
    " and coalesce(scheduled_at, now()) <= now() and queue_name = 'alarms')"
)
A_DAY_LATER = "update alarm_notification set created_at = created_at - interval '1 day'"


async def work(world: World) -> None:
    """Until no job is due: some enqueue others."""
    while await world.pool.fetchval(DUE):
        await worker.run_worker(world.services.settings, until_empty=True)


async def switch(world: World, code: str, **channels: int) -> None:
    """Only these channels of a code."""
    rows = (await world.call("admin", "/wmWarnSet/queryByPage", keyword=code))["list"]
    row = next(row for row in rows if row["code"] == code)
    off = dict.fromkeys(("app", "cloud", "email", "officialAccount", "sms", "terminal", "offSitePush"), 0)
    await world.call("admin", "/wmWarnSet/edit", id=row["id"], **(off | channels))


async def raise_alarm(world: World, code: str = "door_stuck", sn: str = "SC0001", **more: Any) -> int:
    await say(world, alarm_message("raised", (f"{sn} {code}", code), **more), sn=sn)
    return await world.pool.fetchval("select max(id) from alarm")


async def notifications(world: World, alarm: int, account: str = "user") -> list[dict[str, Any]]:
    """What went to the account itself, and to the robot."""
    rows = (await world.call(account, "/warn/listNotifications", warnId=alarm))["list"]
    return [row for row in rows if row["userId"] in (None, world.accounts[account])]


def set_up(world: World, **settings: str) -> None:
    for name, value in settings.items():
        object.__setattr__(world.services.settings, name, value)


def set_up_post(world: World, post: Post) -> None:
    set_up(world, smtp_url=f"smtp://127.0.0.1:{post.port}", mail_from="Lustra <lustra@example.org>")


def set_up_gateway(world: World, receiver: Receiver) -> None:
    urls = ",".join(f"{channel}=http://127.0.0.1:{receiver.port}/{channel}" for channel in gateways.CHANNELS)
    set_up(world, alarm_gateways=urls, alarm_gateway_secret=SECRET, webhook_networks="127.0.0.0/8")


async def want_mails(world: World, mailboxes: str, account: str = "user") -> None:
    await world.call(account, "/user/updateUserInfo", email=mailboxes, emailToWarn=1)


def stored_mails(world: World) -> list[email.message.EmailMessage]:
    files = sorted((world.services.settings.folder / mail.FOLDER).glob("*.eml"))
    return [email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in files]


async def test_the_owner_finds_an_alarm_in_the_message_centre_in_the_own_language(world: World):
    await switch(world, "door_stuck", app=1, cloud=1)
    alarm = await raise_alarm(world)
    await work(world)
    (message,) = (await world.call("user", "/message/findMessageByUnRead"))["list"]
    assert (message["title"], message["content"][:36]) == ("Alarm", "A door on its route does not open · ")
    assert [(row["channel"], row["state"], row["userId"]) for row in await notifications(world, alarm)] == [
        ("app", "sent", world.accounts["user"]),
        ("cloud", "sent", world.accounts["user"]),
    ]
    assert (await world.call("rivaluser", "/message/findMessageByUnRead"))["count"] == 0


async def test_the_same_alarm_again_notifies_nobody_again(world: World):
    await switch(world, "stuck", cloud=1)
    for n in range(5):
        await say(world, alarm_message("raised", (f"a{n}", "stuck")), alarm_message("cleared", (f"a{n}", "stuck")))
    await work(world)
    await world.pool.execute(
        "select procrastinate_defer_jobs_v1(array[row('alarms', 'alarm.notify', 0, null, null,"
        " jsonb_build_object('alarm', id), null)::procrastinate_job_to_defer_v1]) from alarm"
    )
    await work(world)
    assert (await world.call("user", "/message/findMessageByUnRead"))["count"] == 1


@pytest.mark.spec("ent.user.emailToWarn")
async def test_a_mail_goes_to_each_mailbox_of_those_who_want_mails(world: World):
    set_up(world, demo=True)
    await switch(world, "door_stuck", email=1)
    alarm = await raise_alarm(world)
    await work(world)
    assert await notifications(world, alarm) == []  # nobody wants any
    await want_mails(world, "a@b.com,c@d.org")
    alarm = await raise_alarm(world, "lidar", detail="third try")
    await switch(world, "lidar", email=1)
    await work(world)
    mails = stored_mails(world)
    assert sorted(sent["To"] for sent in mails) == ["a@b.com", "c@d.org"]
    assert "third try" in mails[0].get_content()
    assert f"/index/realWarn/{alarm}\n" in mails[0].get_content()
    assert {row["target"] for row in await notifications(world, alarm)} == {"a@b.com", "c@d.org"}


async def test_a_broken_mailbox_keeps_no_other_from_its_mail(world: World, post: Post):
    set_up_post(world, post)
    await want_mails(world, "a@b.com,gone@d.org")
    await switch(world, "door_stuck", email=1)
    post.answers["rcpt TO:<gone@d.org>"] = "550 no such person"
    alarm = await raise_alarm(world)
    await work(world)
    rows = {row["target"]: row for row in await notifications(world, alarm)}
    assert rows["a@b.com"]["state"] == "sent"
    assert rows["gone@d.org"]["reasonText"] == "the mail server does not accept gone@d.org"


async def test_a_code_of_several_lines_is_one_line_of_the_mails_head(world: World, post: Post):
    set_up_post(world, post)
    await want_mails(world, "a@b.com")
    code = "0x1\nBcc: thief@d.org"
    await world.pool.execute("insert into alarm_setting (code, known, email) values ($1, true, true)", code)
    alarm = await raise_alarm(world, code)
    await work(world)
    assert {row["state"] for row in await notifications(world, alarm)} == {"sent"}
    sent = email.message_from_bytes(post.sent, policy=email.policy.default)
    assert sent["Subject"].startswith("0x1 Bcc: thief@d.org · ")
    assert sent["Bcc"] is None


async def test_an_account_without_an_address_and_a_channel_that_is_not_set_up_say_so(world: World):
    await world.pool.execute("update account set email_to_warn = true, email = '' where account = 'user'")
    await switch(world, "door_stuck", email=1, sms=1, officialAccount=1)
    alarm = await raise_alarm(world)
    await work(world)
    rows = {row["channel"]: row for row in await notifications(world, alarm)}
    assert {channel: (row["state"], row["reason"]) for channel, row in rows.items()} == {
        "email": ("failed", "no_mailbox"),
        "sms": ("failed", "channel_unset"),
        "officialAccount": ("failed", "channel_unset"),
    }
    assert rows["sms"]["reasonText"] == "this channel is not set up on the server"


async def test_a_mail_without_a_mail_server_is_given_up_with_its_reason(world: World):
    set_up(world, smtp_url="")
    object.__setattr__(world.services.settings, "demo", False)
    await want_mails(world, "a@b.com")
    await switch(world, "door_stuck", email=1)
    alarm = await raise_alarm(world)
    await work(world)
    assert [row["reason"] for row in await notifications(world, alarm)] == ["channel_unset"]


async def test_post_to_gateways_signed_and_with_the_same_id_each_time(world: World, receiver: Receiver):
    set_up_gateway(world, receiver)
    await world.pool.execute("update account set phone = '+49 170 1' where account = 'user'")
    await world.pool.execute("update account set deleted_at = now() where account = 'shadow'")
    await switch(world, "door_stuck", sms=1)

    async def fail(_: web.Request) -> web.Response:
        return web.Response(status=503)

    accept, receiver.answer = receiver.answer, fail
    alarm = await raise_alarm(world)
    await work(world)
    assert [row["reason"] for row in await notifications(world, alarm)] == ["gateway_status"]
    receiver.answer = accept
    await world.pool.execute(NOW_DUE)
    await work(world)
    assert [row["state"] for row in await notifications(world, alarm)] == ["sent"]
    (first, _), (second, body) = receiver.requests
    assert first["webhook-id"] == second["webhook-id"] == json.loads(body)["id"]
    assert verified(SECRET, second, body)
    assert {name: json.loads(body)[name] for name in ("channel", "target", "code", "deviceSerialNumber", "warnId")} == {
        "channel": "sms",
        "target": "+49 170 1",
        "code": "door_stuck",
        "deviceSerialNumber": "SC0001",
        "warnId": alarm,
    }


async def test_an_sms_to_an_account_without_a_number_says_so(world: World, receiver: Receiver):
    set_up_gateway(world, receiver)
    await world.pool.execute("update account set phone = '' where account = 'user'")
    await world.pool.execute("update account set deleted_at = now() where account = 'shadow'")
    await switch(world, "door_stuck", sms=1)
    alarm = await raise_alarm(world)
    await work(world)
    assert [row["reason"] for row in await notifications(world, alarm)] == ["no_phone"]
    assert receiver.requests == []


@pytest.mark.parametrize(
    ("urls", "secret"),
    [("pigeon=https://a.example", SECRET), ("sms=ftp://a.example", SECRET), ("sms=https://a.example", "whsec_short")],
)
def test_gateways_that_cannot_work_refuse_the_start(urls: str, secret: str):
    with pytest.raises(gateways.Unfit):
        gateways.read_urls(Settings(alarm_gateways=urls, alarm_gateway_secret=secret))


async def listening(world: World, sn: str, *answers: dict[str, Any]) -> list[bus.Notification]:
    """A robot that answers thus, the last again and again."""
    shown: list[bus.Notification] = []

    async def receive(message: Any) -> None:
        shown.append(msgspec.json.decode(message.data, type=bus.Notification))
        await message.respond(json.dumps(answers[min(len(shown), len(answers)) - 1]).encode())

    await world.services.bus.link.subscribe(bus.cmd(sn, "notify"), cb=receive)
    await flush(world.services.bus.link)
    return shown


async def test_a_robot_shows_its_alarm_once_it_answers(world: World):
    await switch(world, "door_stuck", terminal=1)
    alarm = await raise_alarm(world)
    await work(world)
    (row,) = await notifications(world, alarm)
    assert (row["state"], row["reason"], row["name"], row["target"]) == ("waiting", "robot_silent", "", "SC0001")
    shown = await listening(world, "SC0001", {"code": 0, "msg": "", "spoken": True})
    await world.pool.execute(NOW_DUE)
    await work(world)
    assert [row["state"] for row in await notifications(world, alarm)] == ["sent"]
    assert [(each.code, each.level) for each in shown] == [("door_stuck", 3)]
    assert "SC0001" not in shown[0].text


async def test_a_robot_is_not_bothered_with_what_is_over_or_what_it_cannot_show(world: World):
    await switch(world, "door_stuck", terminal=1)
    await switch(world, "lidar", terminal=1)
    over = await raise_alarm(world)
    await world.call("user", "/warn/resumeWarn", deviceSerialNumber="SC0001")
    await listening(world, "SC0001", {"code": 40004, "msg": "unknown"})
    unknown = await raise_alarm(world, "lidar")
    await work(world)
    assert [row["reason"] for row in await notifications(world, over)] == ["alarm_over"]
    assert [(row["state"], row["reason"]) for row in await notifications(world, unknown)] == [
        ("failed", "robot_without_screen")
    ]


async def test_the_owner_sees_all_notifications_and_others_those_of_their_people(world: World):
    await world.pool.execute(
        "insert into device_account select $1, id, path from account where account = 'rivaluser'",
        world.devices["SC0001"],
    )
    set_up(world, demo=True)
    await want_mails(world, "a@b.com")
    await want_mails(world, "r@b.com", "rivaluser")
    await switch(world, "door_stuck", email=1)
    alarm = await raise_alarm(world)
    await work(world)
    rows = (await world.call("user", "/warn/listNotifications", warnId=alarm))["list"]
    assert {(row["userId"], row["target"]) for row in rows} == {
        (world.accounts["user"], "a@b.com"),
        (world.accounts["rivaluser"], ""),
    }
    assert [row["target"] for row in await notifications(world, alarm, "rivaluser")] == ["r@b.com"]
    await world.pool.execute("delete from device_account")
    assert (await world.raw("rivaluser", "/warn/listNotifications", warnId=alarm))[0] == Code.NOT_FOUND


async def test_notify_no_account_that_may_not_see_alarms(world: World):
    await world.pool.execute("update account set keys = '{device/index}' where account in ('user', 'shadow')")
    await raise_alarm(world)
    await work(world)
    assert await world.pool.fetchval("select count(*) from alarm_notification") == 0


async def test_an_alarm_that_is_gone_notifies_nobody(world: World):
    await raise_alarm(world)
    await world.pool.execute("delete from alarm")
    await work(world)
    assert await world.pool.fetchval("select count(*) from alarm_notification") == 0


async def test_a_channel_is_tried_by_a_notification_to_oneself(world: World, receiver: Receiver):
    set_up_gateway(world, receiver)
    set_up(world, demo=True)
    await world.call("admin", "/user/updateUserInfo", email="boss@b.com")
    await world.call("admin", "/wmWarnSet/test", channel="cloud")
    (message,) = (await world.call("admin", "/message/findMessageByUnRead"))["list"]
    assert message["title"] == "Test notification"
    await world.call("admin", "/wmWarnSet/test", channel="email")
    assert [sent["To"] for sent in stored_mails(world)] == ["boss@b.com"]
    await world.call("admin", "/wmWarnSet/test", channel="offSitePush")
    assert json.loads(receiver.requests[0][1])["title"] == "Lustra: test notification"
    await world.online("SC0001")
    shown = await listening(world, "SC0001", {"code": 0, "msg": ""})
    await world.call("admin", "/wmWarnSet/test", channel="terminal", deviceId=world.devices["SC0001"])
    assert [each.code for each in shown] == ["test"]


async def test_a_test_that_fails_says_why(world: World):
    async def refusal(**fields: Any) -> tuple[int, str]:
        answer = (await world.post("admin", "/wmWarnSet/test", **fields)).json()["message"]
        return answer["code"], answer["message"]

    await world.pool.execute("update account set email = '' where account = 'admin'")
    failed = "The notification was not sent: "
    assert (await refusal(channel="sms"))[1] == f"{failed}this channel is not set up on the server"
    assert (await refusal(channel="email"))[1] == f"{failed}the account has no email address"
    assert (await refusal(channel="terminal"))[0] == Code.BAD_INPUT
    assert (await refusal(channel="terminal", deviceId=world.devices["SC0001"]))[0] == Code.OFFLINE
    await world.online("SC0001")
    assert (await refusal(channel="terminal", deviceId=world.devices["SC0001"]))[1].endswith("is not responding")
    for _ in range(5):
        await refusal(channel="sms")
    assert (await refusal(channel="sms"))[0] == Code.TOO_MANY_TRIES


async def test_export_a_persons_alarm_history_and_erase_the_name_from_it(world: World):
    await switch(world, "door_stuck", cloud=1)
    await raise_alarm(world)
    await work(world)
    async with world.services.sessions.begin() as db:
        request = PersonalDataRequested(world.accounts["user"], {}, [])
        await privacy.on_personal_data_requested(db, request)
        assert [row["channel"] for row in request.rows["alarmNotifications"]] == ["cloud"]
        await privacy.on_person_erased(db, PersonErased(world.accounts["user"], ("user",), "(erased)"))
        left = "select count(*) from alarm_notification where account_id = $1"
    assert await world.pool.fetchval(left, world.accounts["user"]) == 0
