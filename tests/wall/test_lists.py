"""Every call that only reads, asked for all it has, and every file that a call gives: nothing of others stands in it.

Rule: whoever asks without naming a thing gets what lies within the own scope. A new call joins by being registered.
"""

from typing import Any

import pytest
from httpx import Response

from lustra.app.wiring import wire
from lustra.core.permission import PUBLIC, keys_of
from lustra.core.registry import CALLS, Call, types_of
from tests.wall import answers, tenants
from tests.wall.tenants import ABOVE, OWNERS, sees_robot

ANYWAY = {"confirm": False}  # what a call wants before it reads
LISTS = 6  # at least so many show an administrator the things of every owner: else this test looks at nothing


def reads(one: Call) -> bool:
    told, _ = types_of(one)
    needed = {name for name, field in told.model_fields.items() if field.is_required()} if told else set[str]()
    exports = one.raw in answers.FILES
    return one.needs is not PUBLIC and one.upload is None and (exports or not one.audit) and needed <= set(ANYWAY)


def told_of(answer: Response) -> set[str]:
    """Whose things: all that an owner has bears its name (tenants.furnished)."""
    found = answers.text(answer)
    return {owner for owner in OWNERS if f'"T{owner}"' in found or f'"T{owner}.txt"' in found}


@pytest.mark.spec("prule.server_enforce")
async def test_what_lists_and_exports_hold_follows_from_the_rules(world, record_property):
    wire()
    await tenants.furnished(world)
    roles = await tenants.roles(world)
    tried, full, wrong = 0, [], []
    everything: dict[str, Any] = {"pageSize": 1000, "days": 3650} | ANYWAY
    for one in filter(reads, CALLS.values()):
        for actor in ABOVE:
            needed, token = set(keys_of(one.needs)), await world.token(actor)
            asked = {"params": everything} if one.method == "GET" else {"json": everything}
            answer = await world.http.request(one.method, f"/api{one.path}", **asked, headers={"token": token})
            tried += 1
            told = told_of(answer)
            if needed and not needed & tenants.held(roles, actor):
                wrong += [(one.path, actor, "no key")] if told else []
            wrong += [(one.path, actor, owner) for owner in told if not sees_robot(actor, owner)]
            full += [one.path] if actor == "admin" and told == set(OWNERS) else []
    record_property("tried", f"{tried} combinations of lists, exports and accounts")
    assert wrong == [], wrong[:20]
    assert len(full) >= LISTS, full
