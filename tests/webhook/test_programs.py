"""Webhooks of programs: each has those of its own API key, which end with it and are sent no more than it may know."""

import json
from typing import Any

import pytest

from lustra.core.errors import Code
from tests.webhook.conftest import Receiver
from tests.webhook.test_webhooks import change, deliveries, work
from tests.world import World


class Program:
    """Calls with an API key of the account `user`."""

    def __init__(self, world: World, api_key: dict[str, Any]) -> None:
        self.world, self.id = world, api_key["id"]
        self.headers = {"authorization": f"Bearer {api_key['secret']}"}

    async def raw(self, path: str, **payload: Any) -> tuple[int, Any]:
        answer = (await self.world.http.post("/api" + path, json=payload, headers=self.headers)).json()
        return answer["message"]["code"], answer.get("data")

    async def __call__(self, path: str, **payload: Any) -> Any:
        code, data = await self.raw(path, **payload)
        assert code == 0, (path, code, data)
        return data


@pytest.fixture
async def program(world: World) -> Program:
    keys = ["index/changes", "device/index"]
    return Program(world, await world.call("user", "/user/apiKey/insert", name="Tower", keys=keys, days=1))


async def test_a_program_has_webhooks_of_its_api_key(world: World, receiver: Receiver, allowed: None, program: Program):
    own = await program("/webhook/insert", url=receiver.url, kinds=["device.mode"])
    await program("/webhook/update", id=own["id"], description="Tower hall")
    await program("/webhook/test", id=own["id"])
    await change(world)
    await work(world)
    kinds = sorted(json.loads(body)["kind"] for _, body in receiver.requests)  # a worker sends several at a time
    assert kinds == ["device.mode", "webhook.test"]
    delivery = (await program("/webhook/deliveries", webhookId=own["id"]))["list"][0]
    await program("/webhook/resend", deliveryId=delivery["id"])
    assert (await program("/webhook/rotateSecret", id=own["id"]))["secret"] != own["secret"]
    [row] = (await world.call("user", "/webhook/list"))["list"]
    assert (row["id"], row["apiKey"], row["description"]) == (own["id"], "Tower", "Tower hall")
    await program("/webhook/delete", id=own["id"])
    assert (await program("/webhook/list"))["list"] == []


async def test_a_program_does_not_reach_the_webhooks_of_its_account(
    world: World, hook: dict[str, Any], program: Program
):
    await world.call("user", "/webhook/test", id=hook["id"])
    for path, fields in (
        ("/webhook/update", {"id": hook["id"], "url": "https://other.example/hook"}),
        ("/webhook/delete", {"id": hook["id"]}),
        ("/webhook/rotateSecret", {"id": hook["id"]}),
        ("/webhook/test", {"id": hook["id"]}),
        ("/webhook/deliveries", {"webhookId": hook["id"]}),
        ("/webhook/resend", {"deliveryId": (await deliveries(world, hook))[0]["id"]}),
    ):
        assert (await program.raw(path, **fields))[0] == Code.NOT_FOUND, path
    assert (await program("/webhook/list"))["list"] == []


async def test_a_webhook_is_sent_no_more_than_its_api_key_may_know(
    world: World, receiver: Receiver, allowed: None, program: Program
):
    await program("/webhook/insert", url=receiver.url)
    statement = "update api_key set keys = array_remove(keys, 'device/index')"
    await world.pool.execute(statement)
    await change(world)
    await work(world)
    assert [json.loads(body)["kind"] for _, body in receiver.requests if b"device.mode" in body] == []


@pytest.mark.parametrize("end", ["it expires", "it is deleted"])
async def test_a_webhook_ends_with_its_api_key(
    world: World, receiver: Receiver, allowed: None, program: Program, end: str
):
    await program("/webhook/insert", url=receiver.url)
    if end == "it expires":
        await world.pool.execute("update api_key set expires_at = now() - interval '1 s'")
    else:
        await world.call("user", "/user/apiKey/delete", keyId=program.id)
        assert (await world.call("user", "/webhook/list"))["list"] == []
    await change(world)
    await work(world)
    assert receiver.requests == []
