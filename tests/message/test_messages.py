"""The message centre: what makes a message, whose it is, reading and deleting it, in whatever language it is read."""

from typing import Any

import pytest

from lustra.core import texts
from lustra.core.errors import Code
from lustra.domains.message import service
from lustra.domains.message.tables import Message
from tests.world import World


async def bind(world: World, account: str, *sns: str, by: str = "dealer") -> None:
    ids = [world.devices[sn] for sn in sns]
    await world.call(by, "/user/updateDeviceList", targetUserId=world.accounts[account], deviceIds=ids)


async def messages(world: World, account: str, **filters: Any) -> list[dict]:
    return (await world.call(account, "/message/findAllMessage", **filters))["list"]


@pytest.mark.spec("call.message.findAllMessage", "call.message.findMessageByUnRead", "ent.message")
async def test_notify_an_account_which_robots_it_got_and_lost(world: World):
    await bind(world, "sub", "SC0001", "SC0002")
    await bind(world, "sub", "SC0002")
    await bind(world, "sub", "SC0002")
    lost, got = await messages(world, "sub")
    assert (got["kind"], got["title"]) == ("bound", "Robots shared with you")
    assert got["content"] == "dealer shared with you: Robot 01 机器 · Robot 02 机器"
    assert lost["content"] == "dealer stopped sharing with you: Robot 01 机器"
    assert (got["read"], got["deleted"], got["userId"]) == (False, False, world.accounts["sub"])
    unread = await world.call("sub", "/message/findMessageByUnRead")
    assert (unread["count"], [entry["id"] for entry in unread["list"]]) == (2, [lost["id"], got["id"]])


async def test_all_are_read_at_once_and_nobody_elses(world: World):
    for account in ("sub", "subsub"):
        await bind(world, account, "SC0001")
        await bind(world, account, "SC0002")
    await world.call("sub", "/message/readAll")
    assert [entry["read"] for entry in await messages(world, "sub")] == [True] * 3
    assert [entry["read"] for entry in await messages(world, "subsub")] == [False] * 3


async def test_of_many_robots_some_are_named_and_the_others_counted():
    values = service.name_several([f"R{n}" for n in range(8)])
    message = Message(account_id=1, kind="bound", values={"by": "dealer", **values})
    assert service.render(message, "en")[1] == "dealer shared with you: R0 · R1 · R2 · R3 · R4 … +3"


async def test_a_message_names_a_consumable_in_the_language_of_who_reads_it():
    values = {"consumable": "filter", "robot": "SC0001", "used": 50, "hours": 40}
    message = Message(account_id=1, kind="consumable_due", values=values)
    named = {language: texts.say(language, "consumable.filter") for language in ("en", "ja")}
    for language, name in named.items():
        assert name in service.render(message, language)[1]
    assert named["en"] != named["ja"]


async def test_notify_an_account_of_new_permissions_and_a_new_first_password(world: World):
    await world.call("dealer", "/user/updateUserPermission", targetUserId=world.accounts["user"], keys=None)
    assert [entry["kind"] for entry in await messages(world, "user")] == ["permission"]
    await world.call("dealer", "/user/updateInitialPassword", targetUserId=world.accounts["subsub"])
    rows = await world.pool.fetch("select kind, values from message where account_id = $1", world.accounts["subsub"])
    assert [dict(row) for row in rows] == [{"kind": "password", "values": {"by": "dealer"}}]


async def test_tell_a_moved_branch_and_both_parents_but_not_who_moved_it(world: World):
    ids = world.accounts
    await world.call("admin", "/user/updateUserInfo", targetUserId=ids["user"], parentId=ids["rival"])
    for account in ("user", "dealer", "rival"):
        [message] = await messages(world, account)
        assert message["content"] == "admin moved user and its sub-users to rival."
    assert await messages(world, "admin") == await messages(world, "sub") == []


async def test_a_refused_change_tells_nobody(world: World):
    code, _ = await world.raw(
        "dealer", "/user/updateUserPermission", targetUserId=world.accounts["user"], keys=["index/clear_data"]
    )
    assert code == Code.FORBIDDEN
    assert await messages(world, "user") == []


@pytest.mark.spec(
    "call.message.updateMessageRead",
    "call.message.updateMessageDelete",
    "state.user_message",
    "state.user_message.unread",
    "state.user_message.read",
    "state.user_message.deleted",
    "state.user_message.t01",
    "state.user_message.t02",
    "state.user_message.t03",
)
async def test_a_message_is_unread_then_read_and_gone_when_deleted(world: World):
    await bind(world, "sub", "SC0001")
    await bind(world, "sub")
    lost, got = await messages(world, "sub")
    await world.call("sub", "/message/updateMessageRead", id=got["id"])
    assert [entry["id"] for entry in await messages(world, "sub", read=1)] == [got["id"]]
    assert [entry["id"] for entry in await messages(world, "sub", read=0)] == [lost["id"]]
    assert (await world.call("sub", "/message/findMessageByUnRead"))["count"] == 1
    await world.call("sub", "/message/updateMessageDelete", id=got["id"])
    await world.call("sub", "/message/updateMessageDelete", id=lost["id"])
    assert await messages(world, "sub") == []
    assert (await world.raw("sub", "/message/updateMessageRead", id=got["id"]))[0] == Code.NOT_FOUND


@pytest.mark.parametrize("other", ["user", "dealer", "admin", "rivaluser"])
@pytest.mark.parametrize("path", ["/message/updateMessageRead", "/message/updateMessageDelete"])
async def test_a_message_is_its_accounts_alone(world: World, path: str, other: str):
    await bind(world, "sub", "SC0001")
    [message] = await messages(world, "sub")
    assert (await world.raw(other, path, id=message["id"]))[0] == Code.NOT_FOUND
    assert await messages(world, other, userId=world.accounts["sub"]) == []
    assert [entry["read"] for entry in await messages(world, "sub")] == [False]


async def test_a_shadow_has_messages_of_its_own(world: World):
    await bind(world, "user", "SC0001")
    assert len(await messages(world, "user")) == 1
    assert await messages(world, "shadow") == []


@pytest.mark.parametrize("language", texts.LANGUAGES)
async def test_show_a_message_in_the_language_of_its_reader(world: World, language: Any):
    await bind(world, "sub", "SC0001")
    await world.call("sub", "/setLanguage", language=language)
    [message] = await messages(world, "sub")
    assert message["title"] == texts.say(language, "message.bound")
    assert "dealer" in message["content"]
