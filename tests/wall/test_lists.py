"""Every call that only reads, asked for all it has, and every file that a call gives: nothing of others stands in it.

Rule: whoever asks without naming a thing gets what lies within the own scope. A new call joins by being registered.
"""

from collections.abc import Callable
from typing import Any

import pytest
from httpx import Response

from lustra.app.wiring import wire
from lustra.core.calls.registry import CALLS
from lustra.core.security.permission import keys_of
from tests.wall import answers, tenants
from tests.wall.tenants import ABOVE, OWNERS, sees_handed_out, sees_robot
from tests.world import World

HANDED_OUT = {
    "/file/findAll",
    "/file/findAllKnowledge",
    "/file/getCate",
    "/file/getCateKnowledge",
}  # for those below too
LISTS = 6  # at least so many show an administrator the things of every owner: else this test looks at nothing


def names_in(answer: Response) -> set[str]:
    """Whose things: all that an owner has bears its name (tenants.furnished)."""
    names = answers.text(answer)
    return {owner for owner in OWNERS if f'"T{owner}"' in names or f'"T{owner}.txt"' in names}


@pytest.mark.spec("prule.server_enforce")
async def test_list_and_export_exactly_what_the_rules_allow(
    world: World, record_property: Callable[[str, object], None]
):
    wire()
    await tenants.furnished(world)
    roles = await tenants.roles(world)
    tried, full, wrong = 0, [], []
    everything: dict[str, Any] = {"pageSize": 1000, "days": 3650} | answers.ANYWAY
    for entry in filter(answers.reads, CALLS.values()):
        for actor in ABOVE:
            needed, token = set(keys_of(entry.needs)), await world.token(actor)
            options = {"params": everything} if entry.method == "GET" else {"json": everything}
            answer = await world.http.request(entry.method, f"/api{entry.path}", **options, headers={"token": token})
            tried += 1
            fields = names_in(answer)
            if needed and not needed & tenants.held(roles, actor):
                wrong += [(entry.path, actor, "no key")] if fields else []
            in_sight = sees_handed_out if entry.path in HANDED_OUT else sees_robot
            wrong += [(entry.path, actor, owner) for owner in fields if not in_sight(actor, owner)]
            full += [entry.path] if actor == "admin" and fields == set(OWNERS) else []
    record_property("tried", f"{tried} combinations of lists, exports and accounts")
    assert wrong == [], wrong[:20]
    assert len(full) >= LISTS, full
