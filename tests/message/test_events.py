"""What other domains' events make of messages: who is told, what is cleared, what of a person is given and erased."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from lustra.core import events
from lustra.core.context import NOBODY, Actor
from lustra.domains.account.events import (
    BranchMoved,
    OldData,
    PersonalDataRequested,
    PersonErased,
    SupportRequested,
)
from lustra.domains.message import service
from lustra.domains.storage.events import DiskMeasured
from tests.world import World

NOW = datetime.now(timezone.utc)


async def emit(world: World, event: Any) -> None:
    async with world.services.sessions.begin() as db:
        await events.emit(db, event)


async def put_message(world: World, account: str, age_days: int = 0, by: str = "Ann") -> None:
    await world.pool.execute(
        "insert into message (account_id, kind, values, created_at) values ($1, 'permission', $2, $3)",
        world.accounts[account],
        {"by": by},
        NOW - timedelta(days=age_days),
    )


async def recipients(world: World, kind: str) -> list[str]:
    rows = await world.pool.fetch(
        "select a.account from message m join account a on a.id = m.account_id where m.kind = $1 order by m.id", kind
    )
    return [row["account"] for row in rows]


async def test_message_a_moved_account_and_both_above_it_but_not_who_moved_it(world: World):
    ids = world.accounts
    by = Actor(ids["rival"], ids["rival"], "1", 2, frozenset(), "", name="rival")
    await emit(world, BranchMoved(ids["user"], "User", ids["dealer"], ids["rival"], "Rival", by))
    await emit(world, BranchMoved(ids["sub"], "Sub", None, ids["user"], "User", NOBODY))
    assert sorted(await recipients(world, "moved")) == ["dealer", "sub", "user", "user"]


async def test_notify_a_customer_who_asks_for_its_support_access(world: World):
    await emit(world, SupportRequested(world.accounts["user"], NOBODY))
    assert await recipients(world, "support") == ["user"]


async def test_message_administrators_once_of_low_room_and_once_of_enough(world: World):
    for free in (300, 199, 100, 249, 251, 300):  # of a reserve of 100: low below 200, well above 250
        await emit(world, DiskMeasured(free, 100))
    assert (await recipients(world, "disk_low"), await recipients(world, "disk_well")) == (["admin"], ["admin"])


@pytest.mark.parametrize(("remove", "remaining"), [(False, 3), (True, 2)])
async def test_old_messages_of_a_branch_are_counted_and_go_only_when_it_is_confirmed(
    world: World, remove: bool, remaining: int
):
    await put_message(world, "sub", 400)
    await put_message(world, "sub", 300)
    await put_message(world, "rivaluser", 400)
    path = await world.pool.fetchval("select path::text from account where account = 'dealer'")
    old = OldData(path, {"message": NOW - timedelta(days=365)}, remove)
    await emit(world, old)
    assert old.counts["message"] == 1
    assert await world.pool.fetchval("select count(*) from message") == remaining
    of_reports = OldData(path, {"report": NOW}, remove=True)
    await emit(world, of_reports)
    assert "message" not in of_reports.counts


async def test_a_person_gets_its_own_messages_and_no_others(world: World):
    await put_message(world, "sub", by="Ann")
    await put_message(world, "user", by="Bob")
    request = PersonalDataRequested(world.accounts["sub"], {}, [])
    await emit(world, request)
    assert [row["values"] for row in request.rows["messages"]] == [{"by": "Ann"}]


async def test_of_an_erased_person_its_own_messages_go_and_its_name_in_others(world: World):
    await put_message(world, "sub", by="Bob")
    await put_message(world, "user", by="Ann")
    await put_message(world, "user", by="Anna")
    await emit(world, PersonErased(world.accounts["sub"], ["Ann"], "erased person"))
    rows = await world.pool.fetch("select account_id, values from message order by id")
    assert [(row["account_id"], row["values"]) for row in rows] == [
        (world.accounts["user"], {"by": "erased person"}),
        (world.accounts["user"], {"by": "Anna"}),
    ]


def test_of_many_things_five_are_named_and_the_others_counted():
    assert service.name_several(["a", "b"]) == {"names": ["a", "b"], "more": 0}
    assert service.name_several(list("abcdefg")) == {"names": list("abcde"), "more": 2}
