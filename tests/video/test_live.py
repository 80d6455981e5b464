"""Live pictures: begun, watched, prolonged, stopped, and who may not watch."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from lustra.core.errors import Code
from lustra.protocol.video import LONGEST_S
from lustra.robot.cameras import encoder
from lustra.video.channel import Channel, Watcher
from tests.video.theatre import LIVE, SN, START, STOP, Theatre, theatre
from tests.world import World, until


@pytest.mark.spec(
    "call.qiniuQvs.startStream",
    "call.qiniuQvs.stopStream",
    "state.live_video",
    "state.live_video.stopped",
    "state.live_video.streaming",
    "state.live_video.t01",
    "state.live_video.t02",
)
async def test_a_camera_sends_pictures_until_somebody_stops_the_robots_cameras(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        assert await house.live() == []
        both = {"front": await house.start(), "rear": await house.start(camera="rear")}
        async with house.watching(both["front"]) as front, house.watching(both["rear"]) as rear:
            await front.see(15)  # more than a second: the first key frame and another
            await rear.see(2)
            [first, second] = await house.live("dealer")
            assert (first["camera"], second["camera"], first["recording"]) == ("front", "rear", False)
            assert [each["name"] for each in first["watchers"]] == ["Bright Floors"]
            await house.stop()
            assert house.robot.cameras.filming == {}  # it was told, and does not find out by itself
            await front.end()
            await rear.end()
        assert await house.live() == []
        await until(lambda: silent(house))
        assert front.answer.headers["content-type"].startswith('video/mp4; codecs="avc1.')


async def silent(house: Theatre) -> bool:
    return not house.robot.cameras.filming


@pytest.mark.spec("rule.video.remaining", "const.live_video_remaining_time", "state.live_video.t03")
async def test_pictures_stop_after_300_s_unless_they_are_asked_for_again(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        answer = await world.call("user", START, deviceSerialNumber=SN, camera="front")
        assert answer["remainingSec"] == LONGEST_S == 300
        async with house.watching(answer["url"]) as viewer:
            await viewer.see(1)
            house.late = timedelta(seconds=295)
            await world.pool.execute("update live_video set until_at = until_at - interval '1 second'")
            await house.start()  # renewed: 300 s from now
            [row] = await house.live()
            assert row["remainingSec"] in {299, 300}
            await viewer.see(15)
            house.late = timedelta(seconds=301)
            await viewer.end()
        assert await house.live() == []


async def test_cut_off_a_viewer_at_the_loss_of_the_right(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        async with house.watching(await house.start()) as viewer:
            await viewer.see(1)
            await world.pool.execute("update role set keys = array_remove(keys, 'device/videoHistory/live')")
            await viewer.end()
        world.services.logins.forget_account(0)
        assert (await world.raw("user", START, deviceSerialNumber=SN, camera="front"))[0] == Code.FORBIDDEN


async def test_support_watches_only_while_its_access_is_open(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        async with house.watching(await house.start("dealer")) as dealer, house.watching(await house.start()) as own:
            await dealer.see(1)
            await world.pool.execute("update account set support_default = 'off', support_until = null")
            await dealer.end()
            await own.see(3)
        assert (await world.raw("dealer", START, deviceSerialNumber=SN, camera="front"))[0] == Code.SUPPORT_CLOSED
        assert (await world.raw("dealer", LIVE, deviceSerialNumber=SN))[0] == Code.SUPPORT_CLOSED


async def test_a_session_that_ends_takes_its_pictures_with_it(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        url = await house.start()
        async with house.watching(url) as viewer:
            await viewer.see(1)
            session = await world.pool.fetchval("select id from login where account_id = $1", world.accounts["user"])
            await world.services.bus.put("revoked", str(session), 1)
            await viewer.end()
        assert (await house.client.get(url)).status_code == 403


async def test_neither_watch_nor_stop_a_camera_of_another_tenant(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        await house.start()
        for path in (START, STOP, LIVE, "/qiniuQvs/cameraList", "/qiniuQvs/record"):
            code, _ = await world.raw("rival", path, deviceSerialNumber=SN, camera="front", on=True)
            assert code == Code.NOT_FOUND, path
        assert [row["camera"] for row in await house.live()] == ["front"]


async def test_a_robot_says_its_cameras_and_refuses_others(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with theatre(world, tmp_path) as house:
        cameras = await world.call("user", "/qiniuQvs/cameraList", deviceSerialNumber=SN)
        assert cameras == {"list": ["front", "rear"]}
        code, data = await world.raw("user", START, deviceSerialNumber=SN, camera="roof")
        assert (code, data) == (Code.ROBOT_REFUSED, None)
        monkeypatch.setattr(encoder, "is_installed", lambda: False)
        assert (await world.raw("user", START, deviceSerialNumber=SN, camera="front"))[0] == Code.ROBOT_REFUSED
        assert (await world.raw("user", START, deviceSerialNumber=SN, camera="../x"))[0] == Code.BAD_INPUT
        assert await house.live() == []
        monkeypatch.setattr(type(house.robot.cameras), "names", lambda _: 7)
        assert (await world.raw("user", "/qiniuQvs/cameraList", deviceSerialNumber=SN))[0] == Code.ROBOT_REFUSED


async def test_a_robot_that_is_away_sends_no_pictures(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        async with house.watching(await house.start()) as viewer:
            await viewer.see(1)
            house.robot.cameras.end()  # its line breaks
            await viewer.end()
        await house.crew.switch_off(SN)
        assert (await world.raw("user", START, deviceSerialNumber=SN, camera="front"))[0] == Code.ROBOT_SILENT
        await house.stop()  # it ends by itself
        await world.pool.execute("update presence set online = false")
        assert (await world.raw("user", START, deviceSerialNumber=SN, camera="front"))[0] == Code.OFFLINE


def test_say_that_a_camera_has_just_ended():
    channel, watcher = Channel((1, "front"), 0.0), Watcher(None, 0)
    channel.end()
    assert channel.join(watcher) == []
    assert watcher.queue.get_nowait() is None


async def test_refuse_a_body_without_pictures_or_without_a_ticket(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        base = house.world.services.settings.video_url
        for path in ("/live", "/recording", "/live?ticket=x"):
            assert (await house.client.get(base + path)).status_code == 403
        assert (await house.client.put(f"{base}/camera?ticket=x", content=b"")).status_code == 403
        from lustra.domains.video import passes  # noqa: PLC0415  what the server alone signs

        camera = passes.sign_order(world.services.settings, world.devices[SN], "front").url
        for data in (b"\x00\x00\x00\x08free" * 4 + b"no picture at all", b"\x7f\xff\xff\xffmoov"):
            assert (await house.client.put(camera, content=data)).status_code == 400
        view = await house.start()
        assert (await house.client.get(view.replace("/live?", "/recording?"))).status_code == 403


async def test_a_server_without_the_process_says_so(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        world.services.settings = replace(world.services.settings, video_url="")
        assert (await world.raw("user", START, deviceSerialNumber=SN, camera="front"))[0] == Code.VIDEO_OFF
        assert await house.live() == []
