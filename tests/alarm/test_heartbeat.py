"""Another system hears each minute that alarms would arrive; when it hears nothing, Lustra is down."""

import json

import pytest
from aiohttp import web

from lustra.core import gateways
from lustra.domains.alarm import heartbeat
from tests.alarm.test_notifications import SECRET, set_up, stored_mails
from tests.webhook.conftest import Receiver, receiver
from tests.webhook.test_webhooks import verified
from tests.world import World

__all__ = ["receiver"]


async def fail(_: web.Request) -> web.StreamResponse:
    return web.Response(status=500)


def set_up_heartbeat(world: World, receiver: Receiver) -> None:
    url = f"http://127.0.0.1:{receiver.port}/alive"
    set_up(world, heartbeat_url=url, alarm_gateway_secret=SECRET, webhook_networks="127.0.0.0/8")


async def test_a_web_hook_hears_that_all_is_well_signed(world: World, receiver: Receiver):
    await heartbeat.post(world.services)
    assert receiver.requests == []  # nothing is set
    set_up_heartbeat(world, receiver)
    await heartbeat.post(world.services)
    ((headers, body),) = receiver.requests
    assert verified(SECRET, headers, body)
    assert json.loads(body)["kind"] == "heartbeat"


async def test_stop_the_heartbeat_while_no_online_robot_sends_anything(world: World, receiver: Receiver):
    set_up_heartbeat(world, receiver)
    set_up(world, heartbeat_mailbox="watch@example.org", demo=True)
    await world.online("SC0001")
    await world.pool.execute("update presence set heard = now() - interval '4 minutes'")
    await heartbeat.post(world.services)
    await heartbeat.send_mail(world.services)
    assert (receiver.requests, stored_mails(world)) == ([], [])
    await world.online("SC0001")
    await heartbeat.post(world.services)
    assert len(receiver.requests) == 1


async def test_send_a_heartbeat_that_does_not_arrive_only_once(world: World, receiver: Receiver):
    set_up_heartbeat(world, receiver)
    receiver.answer = fail
    await heartbeat.post(world.services)
    assert len(receiver.requests) == 1
    assert await world.pool.fetchval("select count(*) from procrastinate_jobs where status in ('todo', 'doing')") == 0


async def test_a_mailbox_gets_it_each_hour_and_a_broken_mail_server_breaks_nothing(world: World):
    set_up(world, demo=True)
    await heartbeat.send_mail(world.services)
    assert stored_mails(world) == []  # nobody is to have it
    set_up(world, heartbeat_mailbox="watch@example.org")
    await heartbeat.send_mail(world.services)
    (mail,) = stored_mails(world)
    assert mail["To"] == "watch@example.org"
    set_up(world, smtp_url="smtp://127.0.0.1:1", mail_from="Lustra <lustra@example.org>")
    await heartbeat.send_mail(world.services)


@pytest.mark.parametrize("values", [{"heartbeat_url": "ftp://x"}, {"heartbeat_url": "https://x"}])
async def test_settings_that_cannot_work_are_refused_at_the_start(world: World, values: dict[str, str]):
    set_up(world, **values)
    with pytest.raises(gateways.Unfit):
        gateways.check_heartbeat(world.services.settings)
