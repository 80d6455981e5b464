"""The live socket, by every kind of account, for everybody's robots: the frames follow from the rules alone.

Rules: rows and counts of robots within scope; lidar and route of the one in detail, with the key of the control pages;
cells of those asked for; to support none of these three while the customer keeps it out; nothing of any other robot,
whatever is asked. What changes in the tree changes the socket.
"""

import asyncio
import json
from collections.abc import Callable

import pytest

from lustra.domains.account.credentials import sessions
from lustra.live.push import socket as push_socket
from lustra.protocol import bus
from lustra.protocol.commands import VIEW
from tests.live.tabs import Tab, serving, tab
from tests.wall import tenants
from tests.wall.tenants import ABOVE, OWNERS, sees_robot
from tests.world import World, state, until

KINDS = {"robots", "lidar", "path", "cells"}
MARK = -77.0
PATIENCE_S = 20  # what is waited for never comes by itself: the machine may be slow


async def frames(world: World, sn: str) -> None:
    """One of each kind that a robot tells while it is watched."""
    payloads = {
        "lidar": bus.Lidar(at=7, x=1, y=2, yaw=0, first=0, step=0.1, ranges=[1.5]),
        "path": bus.Path(at=7, run="r", ahead=[], driven=[]),
        "cells": bus.Cells(at=7, run="r", seq=1, full=bus.Mask.pack(8, 1, b"\xff")),
    }
    for kind, payload in payloads.items():
        await world.services.bus.publish(bus.live(sn, kind), bus.encode(payload))
    await world.services.bus.publish(bus.state(sn), bus.encode(state()))


async def collect_frames(view: Tab, marked: int, expected: set[tuple[str, int]]) -> set[tuple[str, int]]:
    """Kinds and robots of the frames, until all that is wanted came and the marked row besides."""
    collected: set[tuple[str, int]] = set()
    marked_seen = False
    while not (marked_seen and expected <= collected):
        frame = json.loads(await asyncio.wait_for(view.link.recv(), PATIENCE_S))
        rows = frame["robots"] if frame["kind"] == "robots" else [frame] if "id" in frame else []
        collected |= {(frame["kind"], row["id"]) for row in rows}
        marked_seen |= any(row["id"] == marked and row.get("x") == MARK for row in rows)
    return collected


@pytest.mark.spec("prule.server_enforce", "prule.acting", "prule.shadow")
async def test_push_exactly_what_the_rules_allow(world: World, record_property: Callable[[str, object], None]):
    things = await tenants.furnished(world)
    roles = await tenants.roles(world)
    tried, everyone = 0, [things[owner].device for owner in OWNERS]
    async with serving(world) as url:
        for actor in ABOVE:
            views = VIEW in tenants.held(roles, actor)
            seen = {owner for owner in OWNERS if sees_robot(actor, owner)}
            last = next(owner for owner in OWNERS if owner in seen)
            async with tab(world, url, actor) as view:
                snapshot = await view.show(robots=everyone, counts=True)
                assert {row["id"] for row in snapshot["robots"]} == {things[owner].device for owner in seen}, actor
                assert snapshot["counts"]["total"] == await seen_in_all(world, actor), actor
                collected: set[tuple[str, int]] = set()
                for owner in OWNERS:
                    device, tried = things[owner].device, tried + len(KINDS)
                    await view.show(robots=[things[last].device], cells=[device], detail=device)
                    await frames(world, f"T{owner}")
                    await world.services.bus.publish(bus.state(f"T{last}"), bus.encode(state(x=MARK)))
                    kinds = (KINDS if views else KINDS - {"lidar", "path"}) if owner in seen else set()
                    kinds = kinds & {"robots"} if tenants.shut_out(actor, owner) else kinds
                    collected |= await collect_frames(view, things[last].device, {(kind, device) for kind in kinds})
                assert {robot for _, robot in collected} == {things[owner].device for owner in seen}, actor
                out = {things[owner].device for owner in OWNERS if tenants.shut_out(actor, owner)}
                assert {kind for kind, robot in collected if robot in out} <= {"robots", "support"}, actor
                allowed = KINDS if views else KINDS - {"lidar", "path"}
                assert {kind for kind, _ in collected} - {"support"} <= allowed, actor
    record_property("tried", f"{tried} combinations of {len(ABOVE)} accounts, their sockets, robots and frames")


async def seen_in_all(world: World, actor: str) -> int:
    """With the robots that the world began with."""
    rows = await world.pool.fetch("select a.account from device d join account a on a.id = d.owner_id")
    own = sum(tenants.sees(actor, row["account"]) for row in rows)
    return own + sum(tenants.sees(actor, bound) and not tenants.sees(actor, o) for o, bound in tenants.BOUND.items())


async def test_an_open_socket_obeys_new_rights_and_a_new_place_at_once(world: World, monkeypatch: pytest.MonkeyPatch):
    """Told over the bus: nothing here waits until a look-up has grown old."""
    for module, name in ((push_socket, "CHECK_S"), (sessions, "REMEMBER_S")):
        monkeypatch.setattr(module, name, 3600.0)
    things, account = await tenants.furnished(world), world.accounts["sub"]
    own, lower = things["sub"].device, things["subsub"].device
    await world.online("Tsub", "Tsubsub")
    async with serving(world) as url, tab(world, url, "sub") as view, tab(world, url) as former:

        async def shown(at: Tab, last: str) -> set[tuple[str, int]]:
            for sn in ("Tsubsub", "Tsub"):
                await frames(world, sn)
            marking = asyncio.create_task(marked(last))
            try:
                return await collect_frames(at, world_ids[last], set())
            finally:
                marking.cancel()

        async def marked(last: str) -> None:
            """Again and again, as robots do: a state may fall into the moment in which a socket looks anew."""
            while True:
                await world.services.bus.publish(bus.state(last), bus.encode(state(x=MARK)))
                await asyncio.sleep(0.2)

        async def without(at: Tab, last: str, frame: tuple[str, int]) -> bool:
            return frame not in await shown(at, last)

        world_ids = {"Tsub": own, "Tuser": things["user"].device, "Tsubsub": lower}
        await view.show(robots=[own, lower], detail=own)
        await former.show(robots=[own, world_ids["Tuser"]])
        assert {("lidar", own), ("robots", lower)} <= await shown(view, "Tsub") | await shown(view, "Tsub")
        await world.call("user", "/user/updateUserPermission", targetUserId=account, keys="index,device/index")
        await until(lambda: without(view, "Tsub", ("lidar", own)), PATIENCE_S)
        await world.call("dealer", "/user/updateUserInfo", targetUserId=account, parentId=world.accounts["user2"])
        await until(lambda: without(former, "Tuser", ("robots", own)), PATIENCE_S)
        assert {("robots", own), ("robots", lower)} <= await shown(view, "Tsub") | await shown(view, "Tsub")
        given = {"deviceId": own, "ownerUserId": world.accounts["rival"], "things": "keep"}
        await world.call("admin", "/device/updateDeviceUserInfo", **given)
        await until(lambda: without(view, "Tsubsub", ("robots", own)), PATIENCE_S)
