"""Alarms reach a person's browsers, encrypted for each of them alone, and are taken from there with a ticket."""

import json
import time
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from joserfc import jwt
from joserfc.jwk import ECKey

from lustra.core.errors import Code
from lustra.core.files.tickets import Tickets
from lustra.core.security import web_push
from lustra.domains.account.events import PersonalDataRequested, PersonErased
from lustra.domains.alarm import privacy
from lustra.domains.alarm.push import delivery, devices
from tests.alarm.test_notifications import NOW_DUE, notifications, raise_alarm, set_up_gateway, switch, work
from tests.webhook.conftest import Receiver, allowed, receiver
from tests.world import World, forget_logins

__all__ = ["allowed", "receiver"]

AUTH = web_push.encode(b"a" * 16)


@dataclass
class Browser:
    """As far as a push service and its messages go."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(web_push.CURVE))

    @property
    def public(self) -> str:
        return web_push.encode(web_push.point_of(self.key.public_key()))

    def read(self, body: bytes) -> dict[str, Any]:
        """By the letter of RFC 8291, from the other end."""
        salt, ours = body[:16], body[21 : 21 + body[20]]
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(web_push.CURVE, ours)
        info = b"WebPush: info\0" + web_push.decode(self.public) + ours
        shared = HKDF(hashes.SHA256(), 32, b"a" * 16, info).derive(self.key.exchange(ec.ECDH(), theirs))
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(shared)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(shared)
        message = AESGCM(key).decrypt(nonce, body[21 + body[20] :], None)
        assert message[-1:] == b"\x02"
        return json.loads(message[:-1])

    def reads(self, body: bytes) -> bool:
        try:
            return bool(self.read(body))
        except InvalidTag:
            return False


async def subscribe(world: World, browser: Browser, endpoint: str, account: str = "user", **more: Any) -> int:
    usual = {"endpoint": endpoint, "public": browser.public, "auth": AUTH, "label": "Chrome · Android"}
    return (await world.call(account, "/webPush/subscribe", **(usual | more)))["id"]


async def public(world: World, path: str, **payload: Any) -> tuple[int, Any]:
    """As nobody who is logged in."""
    answer = (await world.http.post(f"/api/webPush/{path}", json=payload)).json()
    return answer["message"]["code"], answer["data"]


@pytest.fixture
async def pushed(world: World, receiver: Receiver, allowed: None) -> tuple[World, Receiver, Browser]:
    browser = Browser()
    await subscribe(world, browser, receiver.url)
    await switch(world, "door_stuck", offSitePush=1)
    await world.pool.execute("update account set language = 'en'")
    return world, receiver, browser


Pushed = tuple[World, Receiver, Browser]


async def push_alarm(pushed: Pushed) -> tuple[int, dict[str, Any]]:
    world, receiver, browser = pushed
    alarm = await raise_alarm(world)
    await work(world)
    return alarm, browser.read(receiver.requests[-1][1])


def test_a_message_is_encrypted_as_the_example_of_its_standard():
    """RFC 8291, section 5."""
    own = ec.derive_private_key(
        int.from_bytes(web_push.decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"), web_push.CURVE
    )
    body = web_push.encrypt(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
        salt=web_push.decode("DGv6ra1nlYgDCS1FRnbzlw"),
        own=own,
    )
    assert web_push.encode(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
        "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


async def test_an_alarm_is_pushed_without_a_word_of_what_it_is(pushed: Pushed):
    world, receiver, _ = pushed
    alarm, message = await push_alarm(pushed)
    assert message.keys() == {"id", "level", "ticket"}
    assert (message["id"], message["level"]) == (alarm, 3)
    ((headers, _),) = receiver.requests
    assert (headers["content-encoding"], headers["ttl"], headers["urgency"]) == ("aes128gcm", "86400", "high")
    scheme, proof, key = headers["authorization"].replace(",", "").split()
    assert (scheme, key) == ("vapid", f"k={web_push.public_key(world.services.settings.secret)}")
    own = web_push.installation_key(world.services.settings.secret).public_key()
    numbers = own.public_numbers()
    point = {"x": web_push.encode(numbers.x.to_bytes(32, "big")), "y": web_push.encode(numbers.y.to_bytes(32, "big"))}
    claims = jwt.decode(proof[2:], ECKey.import_key({"kty": "EC", "crv": "P-256", **point}), ["ES256"]).claims
    assert claims["aud"] == f"http://127.0.0.1:{receiver.port}"
    assert time.time() < claims["exp"] <= time.time() + 24 * 3600
    (row,) = await notifications(world, alarm)
    assert (row["channel"], row["target"], row["state"]) == ("offSitePush", "Chrome · Android", "sent")


async def test_answer_the_text_of_a_push_in_the_language_of_its_person(pushed: Pushed):
    alarm, message = await push_alarm(pushed)
    code, text = await public(pushed[0], "read", ticket=message["ticket"])
    assert code == 0
    assert (text["title"], text["path"]) == ("A door on its route does not open", f"/index/realWarn/{alarm}")
    assert "Kestrel Quay Hotel" in text["text"]
    assert (text["acts"], text["take"], text["snooze"]) == (True, "I am on it", "Snooze 15 min")


async def test_the_alarm_is_taken_and_put_off_from_the_phone(pushed: Pushed):
    world = pushed[0]
    _, message = await push_alarm(pushed)
    assert (await public(world, "act", ticket=message["ticket"], action="take"))[0] == 0
    (row,) = (await world.call("user", "/warn/list"))["list"]
    assert row["takenUserId"] == world.accounts["user"]
    assert (await public(world, "act", ticket=message["ticket"], action="snooze"))[0] == 0
    (snooze,) = (await world.call("user", "/warn/listSnoozes"))["list"]
    assert snooze["code"] == "door_stuck"
    assert await world.pool.fetchval("select max(until) < now() + interval '16 minutes' from alarm_snooze")
    assert (await public(world, "act", ticket=message["ticket"], action="delete"))[0] == Code.BAD_INPUT
    await world.call("user", "/warn/resumeWarn", deviceSerialNumber="SC0001")
    assert (await public(world, "read", ticket=message["ticket"]))[1]["acts"] is False


@pytest.mark.parametrize("spoiled", ["forged", "late", "other purpose", "browser gone", "account gone", "alarm gone"])
async def test_a_ticket_is_good_for_its_alarm_its_browser_and_a_day(pushed: Pushed, spoiled: str):
    world = pushed[0]
    alarm, message = await push_alarm(pushed)
    ticket, claims = message["ticket"], {"alarm": alarm, "device": 1}
    if spoiled == "forged":
        ticket = ticket[:-3] + "AAA"
    elif spoiled == "late":
        ticket = Tickets(world.services.settings.secret, "push").sign(claims, -1)
    elif spoiled == "other purpose":
        ticket = Tickets(world.services.settings.secret, "link").sign(claims, 60)
    elif spoiled == "browser gone":
        await world.call("user", "/webPush/unsubscribe", id=1)
    elif spoiled == "account gone":
        await world.pool.execute("update account set deleted_at = now() where account = 'user'")
    else:
        rival = world.accounts["rivaluser"]
        await world.pool.execute(
            "update alarm set owner_id = $1, owner_path = (select path from account where id = $1)", rival
        )
    assert (await public(world, "read", ticket=ticket))[0] == Code.NOT_FOUND
    assert (await public(world, "act", ticket=ticket, action="take"))[0] == Code.NOT_FOUND
    assert await world.pool.fetchval("select taken_by from alarm") is None


async def test_a_browser_that_is_gone_is_removed_and_the_history_says_so(pushed: Pushed):
    world, receiver, _ = pushed

    async def end(_: web.Request) -> web.Response:
        return web.Response(status=410)

    receiver.answer = end
    alarm = await raise_alarm(world)
    await work(world)
    (row,) = await notifications(world, alarm)
    assert (row["state"], row["reason"]) == ("failed", "push_gone")
    assert (await world.call("user", "/webPush/list"))["list"] == []
    again = await raise_alarm(world, sn="SC0002")
    await work(world)
    assert [row["reason"] for row in await notifications(world, again)] == ["channel_unset"]


async def test_a_service_that_is_down_is_tried_again_and_one_that_refuses_is_not(pushed: Pushed):
    world, receiver, browser = pushed
    statuses = [503, 201, 403]

    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=statuses.pop(0))

    receiver.answer = answer
    alarm = await raise_alarm(world)
    await work(world)
    assert [row["state"] for row in await notifications(world, alarm)] == ["waiting"]
    assert (await world.call("user", "/webPush/list"))["list"][0]["reason"] == "gateway_status"
    await world.pool.execute(NOW_DUE)
    await work(world)
    assert [(row["state"], row["attempts"]) for row in await notifications(world, alarm)] == [("sent", 2)]
    assert {browser.read(body)["id"] for _, body in receiver.requests} == {alarm}
    refused = await raise_alarm(world, sn="SC0002")
    await work(world)
    assert [(row["state"], row["reason"]) for row in await notifications(world, refused)] == [
        ("failed", "push_refused")
    ]


async def test_each_browser_is_tried_and_says_what_came_of_it(pushed: Pushed):
    world, receiver, browser = pushed
    second = Browser()
    number = await subscribe(world, second, f"{receiver.url}/2")
    rows = (await world.call("user", "/webPush/list"))["list"]
    assert [row["label"] for row in rows] == ["Chrome · Android", "Chrome · Android 2"]
    assert [row["sentTime"] for row in rows] == [None, None]
    await world.call("user", "/webPush/test", id=number)
    message = second.read(receiver.requests[-1][1])
    code, text = await public(world, "read", ticket=message["ticket"])
    assert (code, text["text"], text["acts"]) == (0, "Alarms arrive on this device.", False)
    assert (await public(world, "act", ticket=message["ticket"], action="take"))[0] == Code.NOT_FOUND
    assert (await world.call("user", "/webPush/list"))["list"][1]["sentTime"]
    await raise_alarm(world)
    await work(world)
    last = [body for _, body in receiver.requests[-2:]]  # in whichever order they went out
    assert {each.reads(body) for each in (browser, second) for body in last} == {True, False}
    assert all(any(each.reads(body) for body in last) for each in (browser, second))

    async def end(_: web.Request) -> web.Response:
        return web.Response(status=404)

    receiver.answer = end
    assert (await world.raw("user", "/webPush/test", id=number))[0] == Code.CHANNEL_FAILED
    assert len((await world.call("user", "/webPush/list"))["list"]) == 1


async def test_without_a_browser_the_operators_gateway_is_posted_to(world: World, receiver: Receiver):
    set_up_gateway(world, receiver)
    await switch(world, "door_stuck", offSitePush=1)
    await raise_alarm(world)
    await work(world)
    assert receiver.requests
    assert {json.loads(body)["channel"] for _, body in receiver.requests} == {"off_site_push"}


@pytest.mark.parametrize(
    "values",
    [
        {"endpoint": "https://127.0.0.1/push"},
        {"endpoint": "https://10.0.0.8/push"},
        {"endpoint": "https://[::ffff:169.254.169.254]/push"},
        {"endpoint": "http://93.184.216.34/push"},
        {"endpoint": "file:///etc/passwd"},
        {"endpoint": "http://[::1"},
        {"endpoint": "https://93.184.216.34:99999/push"},
        {"endpoint": "https://me:secret@93.184.216.34/push"},
        {"endpoint": "https://93.184.216.34/push\n"},
        {"endpoint": ""},
        {"public": "AAAA"},
        {"public": "no base64 ☂"},
        {"auth": "AAAA"},
        {"label": ""},
    ],
)
async def test_an_address_inside_and_keys_that_are_none_are_refused(world: World, values: dict[str, str]):
    usual = {"endpoint": "https://93.184.216.34/push", "public": Browser().public, "auth": AUTH, "label": "Chrome"}
    assert (await world.raw("user", "/webPush/subscribe", **(usual | values)))[0] == Code.BAD_INPUT
    assert await world.pool.fetchval("select count(*) from push_device") == 0


async def test_an_address_that_leads_inside_later_is_not_reached(pushed: Pushed):
    world, receiver, _ = pushed
    object.__setattr__(world.services.settings, "webhook_networks", "")
    alarm = await raise_alarm(world)
    await work(world)
    assert receiver.requests == []
    (row,) = await notifications(world, alarm)
    assert (row["state"], row["reason"]) == ("waiting", "gateway_inside")


async def test_a_browser_is_of_one_account_and_there_are_not_too_many(
    world: World, receiver: Receiver, allowed: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(devices, "MOST", 2)
    browser = Browser()
    number = await subscribe(world, browser, receiver.url)
    assert (await world.raw("rivaluser", "/webPush/unsubscribe", id=number))[0] == Code.NOT_FOUND
    assert (await world.raw("rivaluser", "/webPush/test", id=number))[0] == Code.NOT_FOUND
    assert (await world.call("rivaluser", "/webPush/list"))["list"] == []
    await subscribe(world, browser, f"{receiver.url}/2")
    third = {"endpoint": f"{receiver.url}/3", "public": browser.public, "auth": AUTH, "label": "Chrome"}
    assert (await world.raw("user", "/webPush/subscribe", **third))[0] == Code.BAD_INPUT
    await subscribe(world, browser, receiver.url, "rivaluser")  # somebody else logs in there
    assert len((await world.call("user", "/webPush/list"))["list"]) == 1


async def test_erase_the_browsers_of_an_account_with_it(pushed: Pushed):
    world = pushed[0]
    async with world.services.sessions.begin() as db:
        request = PersonalDataRequested(world.accounts["user"], {}, [])
        await privacy.on_personal_data_requested(db, request)
        assert [row["label"] for row in request.rows["pushDevices"]] == ["Chrome · Android"]
        await privacy.on_person_erased(db, PersonErased(world.accounts["user"], ("user",), "(erased)"))
    assert await world.pool.fetchval("select count(*) from push_device") == 0


async def test_a_push_to_a_browser_that_is_unknown_is_over(world: World):
    assert await delivery.send(world.services, world.accounts["user"], "Chrome", 0, 1) == delivery.PUSH_GONE


async def test_take_nothing_by_phone_without_the_right_to_end_alarms(pushed: Pushed):
    world = pushed[0]
    _, message = await push_alarm(pushed)
    await world.pool.execute("update account set keys = '{warn/index/warn}' where account = 'user'")
    forget_logins(world.services)
    code, text = await public(world, "read", ticket=message["ticket"])
    assert (code, text["acts"]) == (0, False)
    assert (await public(world, "act", ticket=message["ticket"], action="take"))[0] == Code.FORBIDDEN
