"""Webhooks: each change at least once, signed, to those who may know it, and never to an address inside."""

import asyncio
import base64
import hashlib
import hmac
import json
import os
import signal
import socket
import sys
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from aiohttp import web

from lustra.app.processes import worker
from lustra.core.errors import Code
from lustra.core.http import outbound_http, outbound_post
from lustra.core.security import webhook_signature
from lustra.domains.account.events import PersonalDataRequested, PersonErased
from lustra.domains.change.api import order
from lustra.domains.webhook import deliver, privacy
from tests.change.test_feed import change_mode
from tests.webhook.conftest import Receiver
from tests.world import ROBOTS, World, until

NOW_DUE = "update procrastinate_jobs set scheduled_at = null where task_name = 'webhook.deliver'"
NEVER_TRIED = "update webhook set retry_at = null"


async def work(world: World) -> None:
    """What is in the feed goes out, until no job waits."""
    while await order(world.services):
        pass
    await worker.run_worker(world.services.settings, until_empty=True)


async def change(world: World, sn: str = "SC0001") -> None:
    await world.online(*ROBOTS)
    await change_mode(world, sn)


async def deliveries(world: World, hook: dict[str, Any], account: str = "user") -> list[dict[str, Any]]:
    return (await world.call(account, "/webhook/deliveries", webhookId=hook["id"]))["list"]


def verified(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """As a receiver does it, by the specification alone."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    return f"v1,{expected}" in headers["webhook-signature"].split()


def test_a_signature_is_that_of_the_examples_of_standard_webhooks():
    secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"test": 2432232314}'
    signature = webhook_signature.sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


async def test_a_change_is_sent_signed_with_what_the_feed_tells(world: World, receiver: Receiver, hook: dict[str, Any]):
    cursor = (await world.call("user", "/change/list", since="now"))["cursor"]
    await change(world)
    await work(world)
    feed = (await world.call("user", "/change/list", since=cursor))["list"]
    assert sorted(row["id"] for row in feed) == sorted(headers["webhook-id"] for headers, _ in receiver.requests)
    by_id = {row["id"]: row for row in feed}
    for headers, body in receiver.requests:
        assert verified(hook["secret"], headers, body)
        assert not verified(webhook_signature.create_secret(), headers, body)
        assert json.loads(body) == by_id[headers["webhook-id"]]
    shown = (await deliveries(world, hook))[0]
    assert (shown["state"], shown["status"], shown["answer"], shown["attempts"]) == ("delivered", 200, "thanks", 1)


async def test_only_the_kinds_that_were_chosen_are_sent(world: World, receiver: Receiver, hook: dict[str, Any]):
    await world.call("user", "/webhook/update", id=hook["id"], kinds=["device.mode"])
    await change(world)
    await work(world)
    assert [json.loads(body)["kind"] for _, body in receiver.requests] == ["device.mode"]


async def test_send_no_tenant_the_changes_or_webhooks_of_another(
    world: World, receiver: Receiver, hook: dict[str, Any]
):
    await change(world, "SC0010")  # of rivaluser
    await work(world)
    assert [json.loads(body)["deviceSerialNumber"] for _, body in receiver.requests if b"SC0010" in body] == []
    await world.call("user", "/webhook/test", id=hook["id"])
    for account in ("dealer", "sub", "shadow", "rivaluser", "admin"):
        for path, fields in (
            ("/webhook/update", {"id": hook["id"], "active": False}),
            ("/webhook/delete", {"id": hook["id"]}),
            ("/webhook/rotateSecret", {"id": hook["id"]}),
            ("/webhook/test", {"id": hook["id"]}),
            ("/webhook/deliveries", {"webhookId": hook["id"]}),
            ("/webhook/resend", {"deliveryId": (await deliveries(world, hook))[0]["id"]}),
        ):
            assert (await world.raw(account, path, **fields))[0] == Code.NOT_FOUND, (account, path)
        assert (await world.call(account, "/webhook/list"))["list"] == []


async def test_send_nothing_once_the_account_has_lost_the_right(world: World, receiver: Receiver, hook: dict[str, Any]):
    await world.pool.execute("update account set keys = '{device/index}' where account = 'user'")
    await change(world)
    await work(world)
    assert receiver.requests == []


async def test_a_failed_message_is_sent_again_with_the_same_id_and_bytes(
    world: World, receiver: Receiver, hook: dict[str, Any]
):
    async def fail(_: web.Request) -> web.Response:
        return web.Response(status=500, text="x" * 5000)

    receiver.answer = fail
    await world.call("user", "/webhook/update", id=hook["id"], kinds=["device.mode"])
    await change(world)
    await work(world)
    (row,) = await deliveries(world, hook)
    assert (row["state"], row["status"], row["attempts"], len(row["answer"])) == ("waiting", 500, 1, 1024)
    assert row["nextTime"]
    await world.pool.execute(NEVER_TRIED)
    await world.pool.execute(NOW_DUE)
    receiver.answer = Receiver().answer
    await work(world)
    (first, one_body), (second, other_body) = receiver.requests
    assert (first["webhook-id"], one_body) == (second["webhook-id"], other_body)
    (row,) = await deliveries(world, hook)
    assert (row["state"], row["attempts"]) == ("delivered", 2)


async def test_a_webhook_that_fails_is_not_tried_by_each_message_of_its_own(
    world: World, receiver: Receiver, hook: dict[str, Any]
):
    async def fail(_: web.Request) -> web.Response:
        return web.Response(status=503)

    receiver.answer = fail
    await world.call("user", "/webhook/update", id=hook["id"], kinds=["device.mode"])
    await change(world)
    await work(world)
    count = len(receiver.requests)
    await change(world)
    await work(world)
    assert (count, len(receiver.requests)) == (1, 1)
    assert {row["state"] for row in await deliveries(world, hook)} == {"waiting"}


def test_waits_grow_and_have_some_chance_in_them():
    waits = [[deliver.wait_after(failures) for _ in range(50)] for failures in range(1, 9)]
    assert all(max(before) < min(after) for before, after in pairwise(waits[:6]))
    assert min(map(len, map(set, waits))) > 1
    assert min(waits[-1]) >= timedelta(hours=10)


@pytest.mark.parametrize("age", ["5 days 1 second", "0 seconds"])
async def test_switch_off_a_webhook_that_fails_too_long_and_notify_its_owner(
    world: World, receiver: Receiver, hook: dict[str, Any], age: str
):
    async def fail(_: web.Request) -> web.Response:
        return web.Response(status=500)

    receiver.answer = fail
    await world.pool.execute(f"update webhook set failing_since = now() - interval '{age}'")
    await change(world)
    await work(world)
    (row,) = (await world.call("user", "/webhook/list"))["list"]
    off = age.startswith("5")
    assert (row["active"], row["offReason"]) == ((False, "failing") if off else (True, ""))
    messages = (await world.call("user", "/message/findMessageByUnRead"))["list"]
    assert [receiver.url in message["content"] for message in messages] == ([True] if off else [])
    await world.call("user", "/webhook/update", id=hook["id"], active=True)
    (row,) = (await world.call("user", "/webhook/list"))["list"]
    assert (row["active"], row["offReason"], row["failingTime"]) == (True, "", None)


async def test_switch_off_a_webhook_at_once_when_its_receiver_is_gone(
    world: World, receiver: Receiver, hook: dict[str, Any]
):
    async def end(_: web.Request) -> web.Response:
        return web.Response(status=410)

    receiver.answer = end
    await change(world)
    await work(world)
    (row,) = (await world.call("user", "/webhook/list"))["list"]
    assert (row["active"], row["offReason"]) == (False, "gone")


async def test_switch_off_a_webhook_that_falls_too_far_behind(
    world: World, hook: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(deliver, "MOST_WAITING", 2)
    for _ in range(2):
        await change(world)
        while await order(world.services):
            pass
    (row,) = (await world.call("user", "/webhook/list"))["list"]
    assert (row["active"], row["offReason"]) == (False, "behind")


async def test_export_webhooks_with_a_persons_data_and_erase_them_with_it(
    world: World, receiver: Receiver, hook: dict[str, Any]
):
    account = world.accounts["user"]
    async with world.services.sessions.begin() as db:
        request = PersonalDataRequested(account, {}, [])
        await privacy.on_personal_data_requested(db, request)
        assert [row["url"] for row in request.rows["webhooks"]] == [receiver.url]
        await privacy.on_person_erased(db, PersonErased(account, (), "deleted"))
    assert (await world.call("user", "/webhook/list"))["list"] == []


async def test_give_up_a_delivery_after_three_days(world: World, receiver: Receiver, hook: dict[str, Any]):
    await change(world)
    while await order(world.services):
        pass
    await world.pool.execute("update webhook_delivery set created_at = now() - interval '3 days 1 second'")
    await work(world)
    assert receiver.requests == []
    assert {row["state"] for row in await deliveries(world, hook)} == {"failed"}


async def test_a_secret_is_shown_once_sealed_at_rest_and_changed_with_an_overlap(
    world: World, receiver: Receiver, hook: dict[str, Any]
):
    rows = json.dumps(await world.call("user", "/webhook/list"))
    stored = await world.pool.fetchval("select secret from webhook")
    raw = base64.b64decode(hook["secret"].removeprefix("whsec_"))
    assert hook["secret"] not in rows
    assert raw not in stored
    assert hook["secret"].encode() not in stored
    new = await world.call("user", "/webhook/rotateSecret", id=hook["id"])
    await world.call("user", "/webhook/test", id=hook["id"])
    await work(world)
    headers, body = receiver.requests[-1]
    assert [verified(secret, headers, body) for secret in (hook["secret"], new["secret"])] == [True, True]
    await world.pool.execute("update webhook set former_until = now() - interval '1 second'")
    await world.call("user", "/webhook/test", id=hook["id"])
    await work(world)
    headers, body = receiver.requests[-1]
    assert [verified(secret, headers, body) for secret in (hook["secret"], new["secret"])] == [False, True]


async def test_by_hand_a_test_is_sent_and_a_message_sent_again_ten_times_a_minute(
    world: World, receiver: Receiver, hook: dict[str, Any]
):
    await world.call("user", "/webhook/test", id=hook["id"])
    await work(world)
    (row,) = await deliveries(world, hook)
    await world.call("user", "/webhook/resend", deliveryId=row["id"])
    await work(world)
    (first, _), (second, body) = receiver.requests
    assert first["webhook-id"] == second["webhook-id"]
    assert json.loads(body)["kind"] == "webhook.test"
    for _ in range(8):
        await world.call("user", "/webhook/test", id=hook["id"])
    assert (await world.raw("user", "/webhook/test", id=hook["id"]))[0] == Code.TOO_MANY_TRIES


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://example.org/hook", "Enter an https address"),
        ("https://127.0.0.1/hook", "public server"),
        ("https://[::1]/hook", "public server"),
        ("https://[::ffff:10.0.0.1]/hook", "public server"),
        ("https://169.254.169.254/latest/meta-data", "public server"),
        ("https://localhost/hook", "public server"),
        ("https://2130706433/hook", "public server"),
        ("https://0x7f.1/hook", "public server"),
        ("https://user:secret@example.org/hook", "address"),
        ("ftp://example.org", "address"),
        ("https://", "address"),
        ("example.org", "address"),
    ],
)
async def test_an_address_inside_is_refused_when_it_is_entered(world: World, url: str, reason: str):
    answer = (await world.post("user", "/webhook/insert", url=url)).json()
    assert answer["message"]["code"] == Code.BAD_INPUT
    assert reason in answer["message"]["message"]


async def test_a_name_that_leads_inside_later_is_refused_at_the_connection(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    """As DNS rebinding does: public when it is entered, ours when it is called."""
    loop = asyncio.get_running_loop()
    real = loop.getaddrinfo

    async def rebound(host: Any, port: Any, **options: Any) -> Any:
        return await real("93.184.216.34" if host == "rebind.example" else host, port, **options)

    monkeypatch.setattr(loop, "getaddrinfo", rebound)
    await order(world.services)
    hook = await world.call("user", "/webhook/insert", url=f"https://rebind.example:{receiver.port}/hook")

    async def inside(host: Any, port: Any, **options: Any) -> Any:
        return await real("127.0.0.1" if host == "rebind.example" else host, port, **options)

    monkeypatch.setattr(loop, "getaddrinfo", inside)
    await world.call("user", "/webhook/test", id=hook["id"])
    await work(world)
    (row,) = await deliveries(world, hook)
    assert (row["state"], row["reason"], receiver.requests) == ("failed", "inside", [])


async def test_plain_http_reaches_named_networks_alone(receiver: Receiver):
    named = outbound_http.networks("127.0.0.0/8")
    assert (await outbound_post.send(receiver.url, {}, b"{}", named)).status == 200
    assert (await outbound_post.send(receiver.url, {}, b"{}", [])).reason == "inside"
    assert (await outbound_post.send("http://93.184.216.34:9/hook", {}, b"{}", named)).reason == "inside"


async def test_a_redirect_is_not_followed(receiver: Receiver):
    async def redirect(_: web.Request) -> web.Response:
        return web.Response(status=302, headers={"location": "/elsewhere"})

    receiver.answer = redirect
    outcome = await outbound_post.send(receiver.url, {}, b"{}", outbound_http.networks("127.0.0.0/8"))
    assert (outcome.status, outcome.reason, len(receiver.requests)) == (None, "redirected", 1)


async def test_a_silent_receiver_and_one_that_never_ends_cost_a_bounded_time(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    async def endless(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b"x" * 4096)

    async def silent(request: web.Request) -> web.StreamResponse:
        await asyncio.Event().wait()
        return web.Response()

    monkeypatch.setattr(outbound_post, "LONGEST_S", 1.0)
    named = outbound_http.networks("127.0.0.0/8")
    receiver.answer = endless
    outcome = await outbound_post.send(receiver.url, {}, b"{}", named)
    assert (outcome.status, len(outcome.answer)) == (200, outbound_post.LONGEST_ANSWER)
    receiver.answer = silent
    assert (await outbound_post.send(receiver.url, {}, b"{}", named)).reason == "timeout"


async def test_a_receiver_that_is_not_there_is_unreachable():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/"
        outcome = await outbound_post.send(url, {}, b"{}", outbound_http.networks("127.0.0.0/8"))
    assert (outcome.status, outcome.reason) == (None, "unreachable")


async def test_an_account_has_at_most_ten_webhooks(world: World, receiver: Receiver, hook: dict[str, Any]):
    for _ in range(9):
        await world.call("user", "/webhook/insert", url=receiver.url)
    code, _ = await world.raw("user", "/webhook/insert", url=receiver.url)
    assert code == Code.BAD_INPUT


async def test_a_worker_that_is_killed_while_it_sends_sends_again(
    world: World, receiver: Receiver, hook: dict[str, Any]
):
    """kill -9 between the change and its receipt: another worker takes the job up."""
    hold = asyncio.Event()

    async def wait(_: web.Request) -> web.Response:
        await hold.wait()
        return web.Response()

    receiver.answer = wait
    await world.call("user", "/webhook/test", id=hook["id"])
    settings = world.services.settings
    environment = os.environ | {
        f"LUSTRA_{name.upper()}": str(getattr(settings, name))
        for name in ("database_url", "nats_url", "objects_url", "secret", "data", "webhook_networks")
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "from lustra.app.processes.worker import main; main()",
        env=environment,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await asyncio.wait_for(receiver.came.wait(), 60)
    finally:
        process.send_signal(signal.SIGKILL)
        await process.wait()
    hold.set()
    receiver.answer = Receiver().answer
    await world.pool.execute("update procrastinate_workers set last_heartbeat = now() - interval '31 s'")
    await work(world)
    assert len({headers["webhook-id"] for headers, _ in receiver.requests}) == 1
    assert len(receiver.requests) >= 2
    assert (await deliveries(world, hook))[0]["state"] == "delivered"


async def test_the_worker_sends_by_itself_what_changes(world: World, receiver: Receiver, hook: dict[str, Any]):
    running = asyncio.create_task(worker.run_worker(world.services.settings))
    try:
        await change(world)

        async def came() -> bool:
            return any(b'"device.mode"' in body for _, body in receiver.requests)

        await until(came)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_a_webhook_gets_another_address_and_what_waits_goes_there(
    world: World, receiver: Receiver, hook: dict[str, Any]
):
    other = f"{receiver.url}/other"
    await world.call("user", "/webhook/update", id=hook["id"], url=other)
    assert [row["url"] for row in (await world.call("user", "/webhook/list"))["list"]] == [other]
    code, data = await world.raw("user", "/webhook/update", id=hook["id"], url="http://10.0.0.1/hook")
    assert (code, data["field"]) == (Code.BAD_INPUT, "url")


async def test_send_neither_a_sent_delivery_nor_one_of_a_deleted_webhook(
    world: World, receiver: Receiver, hook: dict[str, Any]
):
    await world.call("user", "/webhook/test", id=hook["id"])
    await work(world)
    delivery = await world.pool.fetchval("select id from webhook_delivery")
    await deliver.deliver(world.services, delivery=delivery)
    assert len(receiver.requests) == 1
    await world.call("user", "/webhook/delete", id=hook["id"])
    await deliver.deliver(world.services, delivery=delivery)
    assert len(receiver.requests) == 1


async def test_a_webhook_that_is_deleted_while_it_is_sent_leaves_nothing(
    world: World, receiver: Receiver, hook: dict[str, Any]
):
    async def delete(_: web.Request) -> web.Response:
        await world.call("user", "/webhook/delete", id=hook["id"])
        return web.Response()

    receiver.answer = delete
    await world.call("user", "/webhook/test", id=hook["id"])
    await work(world)
    assert len(receiver.requests) == 1
    assert await world.pool.fetchval("select count(*) from webhook_delivery") == 0


async def test_deliveries_are_forgotten_after_their_time(world: World, receiver: Receiver, hook: dict[str, Any]):
    for age in (deliver.HISTORY - timedelta(minutes=1), deliver.HISTORY + timedelta(minutes=1)):
        await world.call("user", "/webhook/test", id=hook["id"])
        await world.pool.execute(
            "update webhook_delivery set created_at = now() - $1::interval"
            " where id = (select max(id) from webhook_delivery)",
            age,
        )
    await deliver.purge(world.services)
    assert len(await deliveries(world, hook)) == 1
