"""Pictures that a media server beside passes on: who may watch is decided, logged and ended here all the same."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from lustra.core import gateways
from lustra.core.settings import Settings
from lustra.domains.video import ice
from tests.video.browser import watching_by_webrtc
from tests.video.media_server import TOKEN, MediaServer, media_servers
from tests.video.test_whep import is_over, send_offer, start
from tests.video.theatre import Theatre, theatre
from tests.world import World, until


@asynccontextmanager
async def beside(world: World, folder: Path) -> AsyncIterator[tuple[Theatre, MediaServer]]:
    async with media_servers() as media:
        world.services.settings = replace(
            world.services.settings,
            video_whip_url=f"{media.url}/{{stream}}/whip",
            video_whep_url=f"{media.url}/{{stream}}/whep",
            video_media_token=TOKEN.removeprefix("Bearer "),
        )
        async with theatre(world, folder) as house:
            yield house, media


async def test_a_camera_is_handed_over_once_and_taken_back_when_nobody_watches(world: World, tmp_path: Path):
    async with beside(world, tmp_path) as (house, media):
        url = await start(house)
        async with watching_by_webrtc(house.client, url) as first, watching_by_webrtc(house.client, url) as second:
            assert (await first.see(2)).width == 384
            await second.see(2)
            assert (media.count("whip"), media.count("whep")) == (1, 2)
            [row] = await house.live("dealer")
            assert [each["name"] for each in row["watchers"]] == ["Bright Floors"] * 2
            assert (await house.client.delete(first.place)).status_code == 204
            await until(lambda: asyncio.sleep(0, media.count("whep") == 1))
            await second.see(2)
            await house.client.delete(second.place)
            await until(lambda: asyncio.sleep(0, media.connections == {}))
        assert [row["watchers"] for row in await house.live()] == [[]]


async def test_cut_off_at_the_media_server_at_the_loss_of_the_right(world: World, tmp_path: Path):
    async with beside(world, tmp_path) as (house, media):
        url = await start(house)
        async with watching_by_webrtc(house.client, url) as viewer:
            await viewer.see(1)
            assert (await house.client.get(viewer.place)).text == "open"
            await world.pool.execute("update role set keys = array_remove(keys, 'device/videoHistory/live')")
            await until(lambda: asyncio.sleep(0, media.connections == {}))
            await until(lambda: is_over(house, viewer.place))
        assert (await send_offer(house, url)).status_code == 403


async def test_a_camera_that_stops_ends_its_sessions_at_the_media_server(world: World, tmp_path: Path):
    async with beside(world, tmp_path) as (house, media):
        async with watching_by_webrtc(house.client, await start(house)) as viewer:
            await viewer.see(1)
            await house.stop()
            await until(lambda: asyncio.sleep(0, media.connections == {}))

        async def ended() -> bool:
            return await world.pool.fetchval("select count(*) from video_view where ended_at is null") == 0

        await until(ended)


async def test_count_a_silent_browser_as_gone(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with beside(world, tmp_path) as (house, media):
        monkeypatch.setattr("lustra.video.media_server.ALIVE_S", 1)
        async with watching_by_webrtc(house.client, await start(house)) as viewer:
            for _ in range(4):
                await viewer.see(6)  # half a second
                assert (await house.client.get(viewer.place)).text == "open"
            await until(lambda: asyncio.sleep(0, media.connections == {}))
            assert await is_over(house, viewer.place)


async def test_a_media_server_that_refuses_sends_browsers_to_http(world: World, tmp_path: Path):
    async with beside(world, tmp_path) as (house, media):
        media.refusing = True
        assert (await send_offer(house, await start(house))).status_code == 502
        assert house.hall.media_server is not None
        await until(lambda: asyncio.sleep(0, house.hall.media_server.streams == {}))
        async with house.watching(await house.start()) as viewer:
            await viewer.see(1)
        media.refusing = False
        async with watching_by_webrtc(house.client, await start(house)) as viewer:
            await viewer.see(1)


@pytest.mark.parametrize(
    "settings",
    [
        {"video_whip_url": "https://m.example/{stream}/whip"},
        {"video_whip_url": "https://m.example/whip", "video_whep_url": "https://m.example/{stream}/whep"},
        {"video_whip_url": "m.example/{stream}", "video_whep_url": "m.example/{stream}"},
    ],
)
def test_addresses_of_a_media_server_that_cannot_work_refuse_the_start(settings: dict[str, str]):
    with pytest.raises(gateways.Unfit):
        ice.demand_settings(Settings(**settings))
