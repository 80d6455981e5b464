"""A camera that sends by WebRTC (WHIP): watched, recorded and stopped as one that sends by HTTP."""

import asyncio
from pathlib import Path

import av
import httpx
import pytest

from lustra.domains.video import passes
from tests.video.browser import HEADERS, watching_by_webrtc
from tests.video.test_whep import send_offer, start
from tests.video.theatre import SN, Theatre, theatre
from tests.world import World, until


async def comes_by_webrtc(house: Theatre) -> bool:
    return house.hall.connections is not None and bool(house.hall.connections.ending)


async def is_by_http(house: Theatre) -> bool:
    return not await comes_by_webrtc(house)


async def is_silent(house: Theatre) -> bool:
    return not house.robot.cameras.filming and not house.hall.channels and not await comes_by_webrtc(house)


async def test_pictures_that_come_by_webrtc_are_watched_by_http_and_by_webrtc(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        house.robot.cameras.webrtc = True
        async with house.watching(await house.start()) as viewer:
            assert await comes_by_webrtc(house)
            await viewer.see(15)
            keys = [fragment.time for fragment in viewer.fragments if fragment.key]
            assert len(keys) >= 2  # one a second
            async with watching_by_webrtc(house.client, await start(house)) as other:
                assert (await other.see(2)).width == 384
                await house.stop()
                await other.end()
            await viewer.end()
        await until(lambda: is_silent(house))


async def test_record_what_comes_by_webrtc(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        house.robot.cameras.webrtc = True
        recording = await house.record_for(30)
        path = tmp_path / "whole.mp4"
        path.write_bytes((await house.client.get(recording["downloadUrl"])).content)
        with av.open(path) as container:
            assert (container.streams.video[0].width, container.streams.video[0].height) == (384, 216)
            assert sum(1 for _ in container.decode(video=0)) >= 12


async def test_fall_back_to_http_where_udp_is_blocked(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with theatre(world, tmp_path) as house:
        house.robot.cameras.webrtc = True
        monkeypatch.setattr("lustra.robot.cameras.webrtc.CONNECTED_IN_S", 0)
        async with house.watching(await house.start()) as viewer:
            await viewer.see(2)
            await until(lambda: is_by_http(house))
            await viewer.see(2)


async def test_a_connection_that_breaks_is_no_end_of_the_order(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        house.robot.cameras.webrtc = True
        async with house.watching(await house.start()) as viewer:
            await viewer.see(1)
            assert house.hall.connections is not None
            await house.hall.connections.close()
            await viewer.end()
        async with house.watching(await house.start()) as viewer:
            await viewer.see(2)
            assert not await comes_by_webrtc(house)  # by HTTP from now on


async def test_a_camera_that_sends_nothing_is_let_go_when_it_is_stopped(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It stands in a room without pictures, so no picture brings the end to light."""
    async with theatre(world, tmp_path) as house:
        house.robot.cameras.webrtc = True
        async with house.watching(await house.start()) as viewer:
            await viewer.see(1)
            monkeypatch.setattr("lustra.robot.cameras.video.is_private", lambda *_: True)
            monkeypatch.setattr(house.robot.cameras, "end", lambda *_: None)  # nor does the robot hear of it
            await house.stop()
            await viewer.end()
            await until(lambda: is_by_http(house))


async def test_only_a_robots_ticket_opens_a_place_for_pictures(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        base = world.services.settings.video_url
        watching = (await house.start()).partition("?")[2]
        for query in ("ticket=x", watching):
            answer = await house.client.post(f"{base}/whip?{query}", content="v=0", headers=HEADERS)
            assert answer.status_code == 403, query
        order = passes.sign_order(world.services.settings, world.devices[SN], "rear")
        answer = await house.client.post(order.whip, content="v=0", headers=HEADERS)
        assert (answer.status_code, (world.devices[SN], "rear") in house.hall.channels) == (406, False)


async def test_leave_no_camera_of_an_offer_without_pictures(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with theatre(world, tmp_path) as house:
        monkeypatch.setattr("lustra.video.connections.CONNECTED_IN_S", 0.3)
        order = passes.sign_order(world.services.settings, world.devices[SN], "rear")
        answer = await send_offer(house, order.whip)
        assert answer.status_code == 201
        place = str(httpx.URL(order.whip).join(answer.headers["location"]))
        await until(lambda: asyncio.sleep(0, not house.hall.channels))
        assert (await house.client.delete(place)).status_code == 204
