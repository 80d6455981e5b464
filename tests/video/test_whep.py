"""Live pictures by WebRTC: who watches has them by UDP, is seen to watch, and is cut off as everybody is."""

import asyncio
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from aiortc import RTCConfiguration, RTCPeerConnection

from lustra.core import gateways
from lustra.core.settings import Settings
from lustra.domains.video import ice
from lustra.video.channel import Channel
from lustra.video.whep import Pictures
from tests.map.robots import mirrored
from tests.video.browser import HEADERS, make_offer, watching_by_webrtc
from tests.video.test_private_rooms import INSIDE, OUTSIDE, ROOM, say_place, wait_until_private
from tests.video.theatre import SN, START, Theatre, theatre
from tests.world import World, drawn, until


async def start(house: Theatre, account: str = "user") -> str:
    answer = await house.world.call(account, START, deviceSerialNumber=SN, camera="front")
    return answer["whepUrl"]


async def send_offer(house: Theatre, url: str, *, codec: str = "H264") -> httpx.Response:
    """Of a browser that then sends no packet."""
    connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    try:
        offer = await make_offer(connection, codec)
    finally:
        await connection.close()
    return await house.client.post(url, content=offer, headers=HEADERS)


async def count_views(world: World) -> int:
    return await world.pool.fetchval("select count(*) from video_view where kind = 'live' and ended_at is null")


@pytest.mark.spec("call.qiniuQvs.startStream")
async def test_pictures_come_by_webrtc_and_who_watches_is_seen(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        async with watching_by_webrtc(house.client, await start(house)) as viewer:
            frame = await viewer.see(15)  # more than a second: the first key frame and another
            assert (frame.width, frame.height) == (384, 216)
            [row] = await house.live("dealer")
            assert [each["name"] for each in row["watchers"]] == ["Bright Floors"]
            assert (await house.client.get(viewer.place)).text == "open"
            assert (await house.client.delete(viewer.place)).status_code == 204
            await viewer.end()
            await until(lambda: is_over(house, viewer.place))
        assert await count_views(world) == 0
        assert (await house.client.delete(viewer.place)).status_code == 204  # whoever ends what has ended


async def is_over(house: Theatre, place: str) -> bool:
    return (await house.client.get(place)).text == "over"


async def test_end_webrtc_at_the_loss_of_the_right(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        url = await start(house)
        async with watching_by_webrtc(house.client, url) as viewer:
            await viewer.see(1)
            await world.pool.execute("update role set keys = array_remove(keys, 'device/videoHistory/live')")
            await viewer.end()
        assert (await send_offer(house, url)).status_code == 403


async def test_support_and_other_tenants_watch_by_webrtc_as_little_as_by_http(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        url = await start(house, "dealer")
        await world.pool.execute("update account set support_default = 'off', support_until = null")
        assert (await send_offer(house, url)).status_code == 403
        base = url.partition("?")[0]
        assert (await send_offer(house, f"{base}?ticket=x")).status_code == 403
        recording = (await start(house)).replace("/whep?", "/recording?")
        assert (await house.client.get(recording)).status_code == 403
        assert house.hall.connections is None or not house.hall.connections.ending


async def test_a_robots_line_that_breaks_ends_its_viewers_by_webrtc(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house, watching_by_webrtc(house.client, await start(house)) as viewer:
        await viewer.see(1)
        house.robot.cameras.end()
        await viewer.end()


async def test_in_a_marked_room_nothing_comes_by_webrtc_either(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The robot goes on sending: it does not know of the room."""
    content = drawn()
    content.free_areas = [ROOM]
    async with theatre(world, tmp_path) as house:
        await mirrored(world, SN, content)
        await say_place(world, OUTSIDE)
        async with watching_by_webrtc(house.client, await start(house)) as viewer:
            await viewer.see(2)
            came, passed = spy(monkeypatch, Channel, "feed"), spy(monkeypatch, Pictures, "unpack")
            await say_place(world, INSIDE)
            await wait_until_private(house, private=True)
            before, hidden_from = len(came), len(passed)
            await until(lambda: asyncio.sleep(0, len(came) > before + 12))  # a second's
            assert len(passed) == hidden_from
            await say_place(world, OUTSIDE)
            await viewer.see(15)
            assert len(passed) > hidden_from


def spy(monkeypatch: pytest.MonkeyPatch, kind: type, name: str) -> list[object]:
    """What that method is given from now on."""
    given, method = list[object](), getattr(kind, name)

    def call(self: object, value: object) -> object:
        given.append(value)
        return method(self, value)

    monkeypatch.setattr(kind, name, call)
    return given


async def test_an_offer_that_nothing_comes_of_is_refused_with_its_reason(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        url = await start(house)
        post = house.client.post
        assert (await post(url, content="v=0", headers={"content-type": "text/plain"})).status_code == 415
        assert (await post(url, content="v=0" * 400_000, headers=HEADERS)).status_code == 413
        for offer in ("", "v=0", "no description", "v=0\r\nm=video x y z\r\n"):
            answer = await post(url, content=offer, headers=HEADERS)
            assert (answer.status_code, "H264" in answer.text) == (406, True), offer
        assert (await send_offer(house, url, codec="VP8")).status_code == 406
        assert house.hall.connections is not None
        assert not house.hall.connections.ending
        house.hall.connections.most = 0
        assert (await send_offer(house, url)).status_code == 503


async def test_release_a_connection_that_is_not_up_in_time(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with theatre(world, tmp_path) as house:
        url = await start(house)
        monkeypatch.setattr("lustra.video.connections.CONNECTED_IN_S", 0.3)
        refused = await send_offer(house, url)
        assert refused.status_code == 201
        place = str(httpx.URL(url).join(refused.headers["location"]))
        await until(lambda: is_over(house, place))
        assert await world.pool.fetchval("select count(*) from video_view") == 0


async def test_turn_servers_get_a_name_that_is_over_after_an_hour(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        settings = world.services.settings
        world.services.settings = replace(
            settings, video_ice="stun:s.example.org,turn:t.example.org?transport=udp", video_turn_secret="secret"
        )
        answer = await house.world.call("user", START, deviceSerialNumber=SN, camera="front")
        stun, turn = answer["iceServers"]
        assert stun == {"urls": "stun:s.example.org", "username": None, "credential": None}
        assert turn["username"].endswith(f":{world.accounts['user']}")
        assert len(turn["credential"]) == 28  # of SHA-1, as coturn takes it


@pytest.mark.parametrize(
    "settings",
    [
        {"video_ice": "https://t.example.org"},
        {"video_ice": "turn:t.example.org"},
        {"video_ice": "stun:s turn:t"},
        {"video_ice": "stun:s,turn:t"},
    ],
)
def test_servers_of_webrtc_that_cannot_work_refuse_the_start(settings: dict[str, str]):
    with pytest.raises(gateways.Unfit):
        ice.demand_settings(Settings(**settings))


async def test_without_the_extra_the_answer_says_so_and_http_goes_on(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with theatre(world, tmp_path) as house:
        monkeypatch.setattr("lustra.video.offer.find_spec", lambda _: None)
        assert (await send_offer(house, await start(house))).status_code == 501
        async with house.watching(await house.start()) as viewer:
            await viewer.see(1)
