"""Recordings leave the console: a part of one as a download, or all of it to the viewer of one configured origin."""

import io
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from mcap.reader import make_reader
from rosbags.rosbag1 import Writer as BagWriter

from lustra.core.errors import Code
from lustra.core.wire import to_moment
from lustra.domains.device_log import addresses
from tests.device_log.test_recordings import NOON, SECOND, STORE, open_recording, store
from tests.world import World

VIEWER = "https://lichtblick.example.org"
MS = 10**6


def write_bag(path: Path) -> bytes:
    """Ten messages of each of two topics, a second apart; a third bears a wrong time."""
    with BagWriter(path) as bag:
        for topic in ("/text", "/other"):
            link = bag.add_connection(topic, "std_msgs/msg/String", typestore=STORE)
            stamps = [NOON + each * SECOND for each in range(10)]
            for stamp in [0, *stamps] if topic == "/other" else stamps:
                message = STORE.types["std_msgs/msg/String"](data=f"{topic} {(stamp - NOON) // SECOND}")
                bag.write(link, stamp, STORE.serialize_ros1(message, "std_msgs/msg/String"))
    return path.read_bytes()


def at(second: float) -> str:
    return to_moment(NOON // MS + round(second * 1000)).isoformat()


async def cut(world: World, number: int, start: float, end: float, account: str = "user", **more: Any) -> Any:
    return await world.raw(account, "/deviceLog/cutUrl", id=number, startTime=at(start), endTime=at(end), **more)


def texts_of(content: bytes) -> list[str]:
    return [message.data[4:].decode() for _, _, message in make_reader(io.BytesIO(content)).iter_messages()]


@pytest.fixture
def viewer(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world.services, "settings", replace(world.services.settings, lichtblick_url=f"{VIEWER}/app/"))


async def test_a_part_of_a_recording_is_a_recording_of_its_own(world: World, tmp_path: Path):
    number = await store(world, write_bag(tmp_path / "new.bag"))
    _, url = await cut(world, number, 2, 3.5)
    answer = await world.http.get(url)
    assert sorted(texts_of(answer.content)) == ["/other 2", "/other 3", "/text 2", "/text 3"]
    assert answer.headers["content-disposition"].endswith("-part.mcap")
    summary = make_reader(io.BytesIO(answer.content)).get_summary()
    assert summary is not None
    assert {channel.topic for channel in summary.channels.values()} == {"/text", "/other"}
    assert {schema.name for schema in summary.schemas.values()} == {"std_msgs/String"}
    _, url = await cut(world, number, -100, 100, topics=["/text"])
    assert texts_of((await world.http.get(url)).content) == [f"/text {each}" for each in range(10)]
    _, url = await cut(world, number, 2.2, 2.8)
    assert texts_of((await world.http.get(url)).content) == []
    detail = await world.pool.fetchval(
        "select detail from audit where action = 'device_log.download' order by id limit 1"
    )
    assert (detail["start"], detail["end"], detail["topics"]) == (at(2), at(3.5), [])


@pytest.mark.parametrize(
    ("span", "topics", "words"),
    [
        ((20, 30), [], "nothing from that time"),
        ((-30, -20), [], "nothing from that time"),
        ((1, 2), ["/nowhere"], "no topic /nowhere"),
        ((2, 1), [], "must not be after the end"),
    ],
)
async def test_a_part_that_the_recording_does_not_have_is_refused(
    world: World, tmp_path: Path, span: tuple[float, float], topics: list[str], words: str
):
    number = await store(world, write_bag(tmp_path / "new.bag"))
    payload = {"id": number, "startTime": at(span[0]), "endTime": at(span[1]), "topics": topics}
    message = (await world.post("user", "/deviceLog/cutUrl", **payload)).json()["message"]
    assert message["code"] == Code.BAD_INPUT
    assert words in message["message"]


async def test_a_recording_goes_to_the_viewer_by_ranges_and_to_pages_of_no_other_origin(
    world: World, tmp_path: Path, viewer: None
):
    number = await store(world, write_bag(tmp_path / "new.bag"))
    assert (await open_recording(world, number))["viewer"] is True
    opened = urlsplit(await world.call("user", "/deviceLog/viewerUrl", id=number))
    assert f"{opened.scheme}://{opened.netloc}{opened.path}" == f"{VIEWER}/app/"
    query = parse_qs(opened.query)
    assert query["ds"] == ["remote-file"]
    source = urlsplit(query["ds.url"][0])
    assert source.path.endswith(".mcap")
    assert f"{source.scheme}://{source.netloc}" == world.services.settings.public_url
    url = f"{source.path}?{source.query}"
    headers = {"origin": VIEWER, "range": "bytes=0-7"}
    answer = await world.http.get(url, headers=headers)
    assert (answer.status_code, answer.content) == (206, b"\x89MCAP0\r\n")
    assert answer.headers["access-control-allow-origin"] == VIEWER
    assert answer.headers["accept-ranges"] == "bytes"
    assert "accept-ranges" in answer.headers["access-control-expose-headers"]
    before = await world.http.options(url, headers=headers)
    assert (before.status_code, before.headers["access-control-allow-origin"]) == (204, VIEWER)
    assert "range" in before.headers["access-control-allow-headers"]
    assert len(texts_of((await world.http.get(url)).content)) == 21
    for other in ("https://evil.example.org", "http://lichtblick.example.org", f"{VIEWER}.evil.org", "null"):
        for send in (world.http.get, world.http.options):
            assert "access-control-allow-origin" not in (await send(url, headers=headers | {"origin": other})).headers
    assert await world.pool.fetchval("select count(*) from audit where action = 'device_log.view'") == 1


async def test_without_a_viewer_there_is_nothing_to_open_and_no_other_origin_reads(world: World, tmp_path: Path):
    number = await store(world, write_bag(tmp_path / "new.bag"))
    assert (await open_recording(world, number))["viewer"] is False
    message = (await world.post("user", "/deviceLog/viewerUrl", id=number)).json()["message"]
    assert "No Lichtblick" in message["message"]
    _, url = await cut(world, number, 0, 1)
    for origin in ("", "null", VIEWER):
        headers = (await world.http.get(url, headers={"origin": origin})).headers
        assert "access-control-allow-origin" not in headers


async def test_give_no_address_of_a_recording_without_the_right(world: World, tmp_path: Path, viewer: None):
    number = await store(world, write_bag(tmp_path / "new.bag"))
    assert (await cut(world, number, 0, 1, "rivaluser"))[0] == Code.NOT_FOUND
    assert (await world.raw("rivaluser", "/deviceLog/viewerUrl", id=number))[0] == Code.NOT_FOUND
    await world.call("user", "/support/close")
    assert (await cut(world, number, 0, 1, "aftersales"))[0] == Code.SUPPORT_CLOSED
    assert (await world.raw("aftersales", "/deviceLog/viewerUrl", id=number))[0] == Code.SUPPORT_CLOSED


async def test_an_address_opens_what_it_says_while_it_is_good(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    number = await store(world, write_bag(tmp_path / "new.bag"))
    _, url = await cut(world, number, 0, 1)
    link = parse_qs(urlsplit(url).query)["link"][0]

    async def code(path: str, link: str) -> int:
        return (await world.http.get(path, params={"link": link})).json()["message"]["code"]

    assert await code("/api/oss/object", link) == Code.LINK_EXPIRED
    assert await code(f"/api{addresses.PATH}", f"{link[:-2]}xx") == Code.LINK_EXPIRED
    whole = parse_qs(urlsplit((await open_recording(world, number))["url"]).query)["link"][0]
    assert await code(f"/api{addresses.PATH}", whole) == Code.LINK_EXPIRED
    monkeypatch.setattr(addresses, "PART_S", -1.0)
    _, url = await cut(world, number, 0, 1)
    assert (await world.http.get(url)).json()["message"]["code"] == Code.LINK_EXPIRED
    _, url = await cut(world, number, 0, 1)
    await world.call("user", "/deviceLog/deleteDeviceLog", id=number)
    monkeypatch.setattr(addresses, "PART_S", 60.0)
    assert (await world.raw("user", "/deviceLog/cutUrl", id=number, startTime=at(0), endTime=at(1)))[0] != 0


async def test_cut_no_recording_without_the_extra(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    number = await store(world, write_bag(tmp_path / "new.bag"))
    _, url = await cut(world, number, 2, 3.5)
    monkeypatch.setitem(sys.modules, "lustra.domains.device_log.cutting", None)
    refusal = (await world.http.get(url)).json()["message"]
    assert refusal["code"] == Code.BAD_INPUT
