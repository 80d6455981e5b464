"""One socket a tab: what it shows, live, within its scope, until its session ends."""

import asyncio
import json
import time
from datetime import datetime, timezone
from typing import Any

import msgspec
import pytest
import websockets

from lustra.domains.account.credentials import sessions
from lustra.live.ingest import presence
from lustra.live.ingest import state as hot
from lustra.live.push import socket
from lustra.live.push.outbox import MOST_CELLS, ListPace, Outbox
from lustra.protocol import bus
from tests.live.tabs import Tab, serving, tab
from tests.world import World, forget_logins, state, until


async def say(world: World, sn: str, payload: Any) -> None:
    await world.services.bus.publish(bus.state(sn), bus.encode(payload))


async def hear(world: World, sn: str, **fields: Any) -> int:
    newest = state(**fields)
    async with world.as_ingest() as db:
        await hot.store(db, [hot.row(sn, datetime.now(timezone.utc), newest)])
    return newest.at


async def test_a_snapshot_and_then_each_change_in_order(world: World):
    at = await hear(world, "SC0001", x=1)
    robot = world.devices["SC0001"]
    async with serving(world) as url, tab(world, url) as view:
        frame = await view.show(robots=[robot], counts=True)
        assert [(r["id"], r["x"], r["mode"]) for r in frame["robots"]] == [(robot, 1, "cleaning")]
        assert frame["counts"] == {"modes": {"cleaning": 1, "offline": 2}, "total": 3}
        seqs = [frame["seq"]]
        for x in (2, 3):
            await say(world, "SC0001", state(at=at + x, x=x))
            frame = await view.next("robots")
            seqs.append(frame["seq"])
            assert frame["robots"][0]["x"] == x
        assert seqs == [1, 2, 3]


async def test_an_older_state_moves_nothing_back(world: World):
    at = await hear(world, "SC0001")
    robot = world.devices["SC0001"]
    async with serving(world) as url, tab(world, url) as view:
        await view.show(robots=[robot])
        await say(world, "SC0001", state(at=at - 5, x=9))
        await say(world, "SC0001", state(at=at + 5, x=4))
        assert (await view.next("robots"))["robots"][0]["x"] == 4


async def test_send_beats_to_an_idle_tab(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(socket, "BEAT_S", 0.1)
    async with serving(world) as url, tab(world, url) as view:
        for _ in range(2):
            assert await view.next("beat") == {"kind": "beat"}


@pytest.mark.spec("err.env.10003")
async def test_within_a_stream_the_counter_and_not_the_clock_says_what_is_new(world: World):
    robot, first = world.devices["SC0001"], state(stream="a", seq=7, x=7)
    async with world.as_ingest() as db:
        await hot.store(db, [hot.row("SC0001", datetime.now(timezone.utc), first)])
    async with serving(world) as url, tab(world, url) as view:
        await view.show(robots=[robot])
        for seq, later in ((6, 5000), (8, -5000)):  # said again under another clock; said by a clock that was set back
            message = state(first.at + later, stream="a", seq=seq, x=seq)
            await world.services.bus.publish(bus.state("SC0001"), bus.encode(message))
        (row,) = (await view.next("robots"))["robots"]
        assert (row["x"], row["at"]) == (8, first.at + 1)


async def test_push_the_rest_of_a_state_with_an_unknown_word_and_a_wrong_field(world: World):
    robot, first = world.devices["SC0001"], state(battery=61, x=1)
    async with world.as_ingest() as db:
        await hot.store(db, [hot.row("SC0001", datetime.now(timezone.utc), first)])
    async with serving(world) as url, tab(world, url) as view:
        await view.show(robots=[robot])
        message = {"at": first.at + 1, "mode": "polishing", "x": 2, "y": 2, "yaw": 0, "battery": 4000, "map": 7}
        await world.services.bus.publish(bus.state("SC0001"), json.dumps(message).encode())
        (row,) = (await view.next("robots"))["robots"]
        assert (row["mode"], row["modeName"], row["x"], row["battery"], row["liquid"]) == (
            "idle",
            "polishing",
            2,
            61,
            None,
        )


async def test_without_a_valid_token_the_socket_closes(world: World):
    async with serving(world) as url:
        for first in ('{"token": "wrong"}', "[]", "nonsense"):
            async with websockets.connect(url) as link:
                await link.send(first)
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await asyncio.wait_for(link.recv(), 20)
                assert closed.value.rcvd.code == 4401


async def test_with_a_first_password_that_is_not_changed_the_socket_closes(world: World):
    await world.pool.execute("update account set must_change = true where account = 'user'")
    async with serving(world) as url, websockets.connect(url) as link:
        await link.send(json.dumps({"token": await world.token("user")}))
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await asyncio.wait_for(link.recv(), 20)
        assert closed.value.rcvd.code == 4401


async def test_a_foreign_tenant_sees_nothing(world: World):
    at = await hear(world, "SC0001")
    robot, own = world.devices["SC0001"], world.devices["SC0010"]
    async with serving(world) as url, tab(world, url, "rivaluser") as view, tab(world, url) as other:
        frame = await view.show(robots=[robot, own], cells=[robot], detail=robot, counts=True)
        assert [r["id"] for r in frame["robots"]] == [own]
        assert frame["counts"]["total"] == 1
        await other.show(robots=[robot], detail=robot)
        await say(world, "SC0001", state(at=at + 1, x=7))
        await world.services.bus.publish(
            bus.live("SC0001", "path"), bus.encode(bus.Path(at=1, run="r", ahead=[], driven=[]))
        )
        await other.next("path")  # it went to whom it may
        await say(world, "SC0010", state(at=at + 1))
        frame = json.loads(await asyncio.wait_for(view.link.recv(), 20))
        assert (frame["kind"], [r["id"] for r in frame["robots"]]) == ("robots", [own])


@pytest.mark.spec("route.device.deviceAmap")
async def test_a_world_map_gets_what_all_robots_of_its_scope_do_and_what_changes(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(socket, "FLEET_S", 0.0)
    await world.pool.execute("update role set keys = keys || '{device/deviceAmap}'::text[]")
    first, second, third = (world.devices[sn] for sn in ("SC0001", "SC0002", "SC0003"))
    at = await hear(world, "SC0001")
    async with serving(world) as url, tab(world, url, "dealer") as view, tab(world, url, "rivaluser") as foreign:
        fleet = (await view.show(fleet=True))["fleet"]
        assert {mode: sorted(ids) for mode, ids in fleet.items()} == {"cleaning": [first], "offline": [second, third]}
        assert (await foreign.show(fleet=True))["fleet"] == {"offline": [world.devices["SC0010"]]}
        await hear(world, "SC0001", at=at + 1, mode="paused")
        assert await view.next("fleet") == {"kind": "fleet", "seq": 2, "modes": {"paused": [first]}, "removed": []}
        rival = world.accounts["rivaluser"]
        await world.call("admin", "/device/updateDeviceUserInfo", deviceId=first, ownerUserId=rival)
        assert (await view.next("fleet"))["removed"] == [first]
        assert (await foreign.next("fleet"))["modes"] == {"paused": [first]}


async def test_without_the_key_of_the_map_of_the_world_a_tab_gets_no_fleet(world: World):
    await world.pool.execute("update role set keys = array_remove(keys, 'device/deviceAmap')")
    async with serving(world) as url, tab(world, url) as view:
        assert (await view.show(fleet=True, counts=True)).items() >= {"fleet": {}}.items()
        assert "fleet" not in await view.show(counts=True)


async def test_an_api_key_opens_a_socket_until_it_ends(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sessions, "REMEMBER_S", 0.0)  # the database is asked at every beat
    key = await world.call("user", "/user/apiKey/insert", name="Wall", keys=["index"])
    world.tokens["user"] = key["secret"]
    async with serving(world) as url, tab(world, url) as view:
        assert (await view.show(robots=[world.devices["SC0001"]]))["robots"]
        await world.pool.execute("update api_key set expires_at = now()")
        await view.next("ended")


async def test_a_revoked_session_ends_within_a_second(world: World):
    async with serving(world) as url, tab(world, url) as view:
        await view.show(robots=[world.devices["SC0001"]])
        began = time.monotonic()
        await world.call("user", "/logout")
        await view.next("ended")
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await view.link.recv()
        assert closed.value.rcvd.code == 4401
        assert time.monotonic() - began < 1


async def test_the_watched_robot_is_asked_for_more_and_its_frames_arrive_as_they_came(world: World):
    watches: list[dict] = []

    async def robot(message: Any):
        watches.append(json.loads(message.data))

    await world.services.bus.subscribe(bus.cmd("SC0001", "watch"), robot)
    device = world.devices["SC0001"]
    async with serving(world) as url, tab(world, url) as view:
        await view.show(robots=[device])
        assert not watches
        await view.show(robots=[device], detail=device)
        scan = bus.Lidar(at=7, x=1, y=2, yaw=0, first=0, step=0.1, ranges=[1.5, 2.5])
        await world.services.bus.publish(bus.live("SC0001", "lidar"), bus.encode(scan))
        frame = await view.next("lidar")
        assert (frame["id"], frame["at"], frame["data"]) == (device, 7, msgspec.to_builtins(scan))
        full = bus.Cells(at=8, run="r", seq=4, full=bus.Mask.pack(8, 1, b"\xff"))
        await world.services.bus.publish(bus.live("SC0001", "cells"), bus.encode(full))
        assert (await view.next("cells"))["data"]["seq"] == 4

        async def renewed():
            return len(watches) >= 2

        await until(renewed)
        before = len(watches)
        await world.services.bus.publish(
            bus.live("SC0001", "cells"), bus.encode(bus.Cells(at=9, run="r", seq=9, spans=[1, 2, 3]))
        )

        async def anew():
            return [a for a in watches[before:] if a["full"]]

        await until(anew)  # five were missed: the whole picture, please
    assert watches[0] == {"seconds": watches[0]["seconds"], "detail": True, "full": True}


async def test_cells_without_detail_bring_no_lidar(world: World):
    watches: list[dict] = []

    async def robot(message: Any):
        watches.append(json.loads(message.data))

    await world.services.bus.subscribe(bus.cmd("SC0001", "watch"), robot)
    device = world.devices["SC0001"]
    async with serving(world) as url, tab(world, url) as view:
        await view.show(cells=[device])
        scan = bus.Lidar(at=7, x=1, y=2, yaw=0, first=0, step=0.1, ranges=[1.5])
        await world.services.bus.publish(bus.live("SC0001", "lidar"), bus.encode(scan))
        full = bus.Cells(at=8, run="r", seq=1, full=bus.Mask.pack(8, 1, b"\xff"))
        await world.services.bus.publish(bus.live("SC0001", "cells"), bus.encode(full))
        frame = json.loads(await asyncio.wait_for(view.link.recv(), 20))
        assert frame["kind"] == "cells"
    assert watches[0]["detail"] is False


async def test_push_offline_and_control(world: World):
    await hear(world, "SC0001")
    device = world.devices["SC0001"]
    async with serving(world) as url, tab(world, url) as view:
        await view.show(robots=[device])
        offline = presence.Presence(online=False, since=5, reason="no_heartbeat")
        await world.services.bus.publish(presence.subject("SC0001"), msgspec.json.encode(offline))
        row = (await view.next("robots"))["robots"][0]
        assert (row["mode"], row["online"], row["offlineSince"], row["offlineReason"]) == (
            "offline",
            0,
            5,
            "no_heartbeat",
        )
        await world.call("dealer", "/device/takeControl", deviceId=device, minutes=30)
        frame = await view.next("control")
        assert (frame["id"], frame["owner"], frame["number"]) == (device, "Harbour Robotics", 1)


async def test_a_socket_that_only_stays_open_does_not_keep_its_session_alive(world: World):
    logins = world.services.logins
    assert isinstance(logins, sessions.Logins)
    async with serving(world) as url, tab(world, url) as view:
        await view.show(robots=[world.devices["SC0001"]])
        await world.pool.execute("update login set seen_at = now() - interval '1 hour'")
        forget_logins(world.services)

        async def looked_up():
            return len(logins.cache) == 1

        await until(looked_up)
        assert await world.pool.fetchval("select bool_and(seen_at < now() - interval '59 minutes') from login")
        await world.call("user", "/message/findMessageByUnRead")  # of a call it is remembered now, so:
        forget_logins(world.services)
        await world.call("user", "/message/findMessageByUnRead")
        assert await world.pool.fetchval("select bool_and(seen_at > now() - interval '1 minute') from login")


async def test_a_tab_that_stops_reading_delays_nobody_and_gets_the_newest(world: World):
    """Its sending stands still once its line is full; what waits is one row and one scan, however many come."""
    at = await hear(world, "SC0001")
    device = world.devices["SC0001"]
    scan = bus.Lidar(at=0, x=0, y=0, yaw=0, first=0, step=0.001, ranges=[1.2345] * 6000)
    async with serving(world) as url, tab(world, url) as other, websockets.connect(url, max_queue=1) as link:
        await link.send(json.dumps({"token": await world.token("user")}))
        still = Tab(link)
        await still.next("hello")
        await still.show(robots=[device], detail=device)
        await other.show(robots=[device])
        link.transport.pause_reading()
        last, slowest = 0, 0.0
        for n in range(1, 1200):  # 50 MB of scans: far more than any line holds
            last = at + n
            scan.at = last
            await world.services.bus.publish(bus.live("SC0001", "lidar"), bus.encode(scan))
            if n % 60 == 0:
                began = time.monotonic()
                await say(world, "SC0001", state(at=last, x=n))
                while (await other.next("robots"))["robots"][0]["x"] != n:
                    pass
                slowest = max(slowest, time.monotonic() - began)
        assert slowest < 1
        link.transport.resume_reading()
        seen = 0
        async with asyncio.timeout(20):
            while True:
                frame = await still.next("lidar")
                seen += 1
                if frame["at"] == last:
                    break
        assert seen < 600


def test_a_slow_socket_skips_poses_and_never_holds_more_than_so_many_cells():
    box = Outbox(detail=1)
    for n in range(1000):
        box.row(1)
        box.row(2)
        box.frame("lidar", 1, {"n": n})
    rows, frames = box.take(time.monotonic())
    assert (sorted(rows), frames) == ([1, 2], [("lidar", 1, {"n": 999})])
    fitted = [box.cell(1, {"n": n}, full=False) for n in range(MOST_CELLS + 1)]
    assert (fitted[:-1], fitted[-1]) == ([True] * MOST_CELLS, False)
    assert box.cells[1] == []


def test_rows_of_a_list_are_gathered_and_those_in_detail_go_at_once():
    box = Outbox(detail=1)
    box.row(1)
    box.row(2)
    assert sorted(box.take(1000.0)[0]) == [1, 2]
    box.row(1)
    box.row(2)
    assert box.take(1000.025)[0] == [1]
    assert box.due(1000.026) == 1000.04
    assert box.take(1000.055)[0] == [2]
    assert box.due(1000.06) is None


def test_gather_rows_longer_when_many_sockets_are_open():
    pace = ListPace(sockets=500)
    box = Outbox(pace)
    box.row(1)
    assert box.take(1000.0)[0] == [1]
    box.row(1)
    assert box.take(1000.09)[0] == []
    pace.sockets = 100  # the others are closed
    assert box.take(1000.09)[0] == [1]
