"""The robot's tablet: what it shows and in which order, what a touch does, and who may ask for it."""

import json
import struct
from typing import Any

import msgspec
import pytest

from lustra.protocol import bus
from lustra.protocol.refusals import RelayCode
from lustra.protocol.tablet import AdvertPlan, PlannedAdvert, TabletLook
from lustra.robot.clock import now_ms
from lustra.robot.connection.server_commands import run_command
from lustra.robot.robot import Robot
from lustra.robot.tablet import page, screen
from lustra.robot.tablet.adverts import Adverts
from tests.robot.conftest import TASK, Local, png

NAME = "a" * 64


def dress(robot: Robot, **fields: Any) -> None:
    robot.look.shown = TabletLook(revision=3, theme_color="#6B3FA0", about_us="We clean.", main_logo=NAME, **fields)
    folder = robot.store.folder / "tablet" / "pictures"
    folder.mkdir(parents=True)
    (folder / NAME).write_bytes(png(6, 4))


def later(local: Local, monkeypatch: pytest.MonkeyPatch, ms: int) -> None:
    at = now_ms() + ms
    monkeypatch.setattr("lustra.robot.local_api.tablet.now_ms", lambda: at)


async def touch(local: Local, **fields: Any) -> dict[str, Any]:
    async with local.session.post(f"http://127.0.0.1:{local.port}/tablet/touch", json=fields) as answer:
        return await answer.json()


async def test_show_the_look_and_list_its_pictures_by_name(local: Local):
    dress(local.robot)
    shown = await local.good("tablet_screen")
    assert (shown["shows"], shown["theme_color"], shown["about_us"]) == ("home", "#6B3FA0", "We clean.")
    assert (await local.good("tablet_picture", {"name": shown["main_logo"]}))["url"].startswith(
        "data:image/png;base64,"
    )
    assert (await local("tablet_picture", {"name": "b" * 64}))["reason"] == "tablet_picture_unknown"
    assert (await local("tablet_picture", {"name": "../facts.json"}))["code"] == RelayCode.BAD_INPUT


async def test_a_speech_lies_over_all_until_it_was_read(local: Local, monkeypatch: pytest.MonkeyPatch):
    await local.good("robot_speak", {"text": "Bitte warten.", "language": "de"})
    shown = await local.good("tablet_screen")
    assert (shown["shows"], shown["text"]["text"], shown["text"]["language"]) == ("speech", "Bitte warten.", "de")
    later(local, monkeypatch, screen.SPEECH + screen.LETTER * 13)
    assert (await local.good("tablet_screen"))["shows"] == "home"


async def test_a_touch_closes_a_notification(local: Local):
    note = bus.Notification(id="1", code="0x0470", level=2, title="Low", text="Fill it up", language="en")
    run_command(local.robot, "notify", msgspec.json.encode(note))
    shown = await local.good("tablet_screen")
    assert (shown["shows"], shown["text"]["title"]) == ("notification", "Low")
    assert (await touch(local, page="home"))["code"] == 0
    assert (await local.good("tablet_screen"))["shows"] == "home"


async def test_a_page_gives_way_to_the_dealers_animation_once_nobody_touches_it(
    local: Local, monkeypatch: pytest.MonkeyPatch
):
    dress(local.robot, idle_animation=NAME, boot_animation=NAME)
    assert (await local.good("tablet_screen"))["shows"] == "boot"
    local.robot.screen.since = 0
    await touch(local, page="about")
    assert (await local.good("tablet_screen"))["shows"] == "about"
    later(local, monkeypatch, screen.TOUCHED)
    assert (await local.good("tablet_screen"))["shows"] == "rest"


async def test_a_task_is_started_paused_and_ended_on_the_tablet(local: Local):
    await local.good("task_add", TASK)
    assert (await touch(local, order="start", task="Hall"))["code"] == 0
    assert (await local.good("tablet_screen"))["task"] == "Hall"
    await touch(local, order="pause")
    assert local.robot.machine.paused
    await touch(local, order="resume")
    assert not local.robot.machine.paused
    await touch(local, order="end")
    shown = await local.good("tablet_screen")
    assert (shown["task"], shown["report"]["end"]) == ("", "cancelled")


@pytest.mark.parametrize("order", ["start", "resume", "charge"])
async def test_refuse_movements_at_the_tablet_while_somebody_controls_the_robot(local: Local, order: str):
    await local.good("task_add", TASK)
    local.robot.lock.follow(4, "operator", 0)
    assert (await touch(local, order=order, task="Hall"))["reason"] == "control_lost"
    assert (await touch(local, order="pause"))["reason"] != "control_lost"


@pytest.mark.parametrize(
    "fields", [{"page": "shop"}, {"order": "fly"}, {"language": "tlh"}, {"order": "start"}, {"x": 1}]
)
async def test_refuse_an_invalid_touch(local: Local, fields: dict[str, Any]):
    assert (await touch(local, **fields))["reason"] == "input_wrong"


async def test_the_language_chosen_on_the_tablet_is_kept(local: Local):
    await touch(local, language="ar")
    assert (await local.good("tablet_screen"))["language"] == "ar"
    assert b'"language":"ar"' in (local.robot.store.folder / "facts.json").read_bytes()


FOREIGN: dict[str, dict[str, str]] = {
    "a name that leads here": {"host": "evil.example:80"},
    "no host": {"host": "["},
    "a page of elsewhere": {"origin": "https://evil.example"},
    "a page without an address": {"origin": "null"},
}


@pytest.mark.parametrize("headers", FOREIGN.values(), ids=FOREIGN)
@pytest.mark.parametrize("path", ["/tablet", "/tablet/touch", "/api1/task_cancel"])
async def test_pages_of_elsewhere_get_nothing_of_the_local_api(local: Local, path: str, headers: dict[str, str]):
    method = "GET" if path == "/tablet" else "POST"
    url = f"http://127.0.0.1:{local.port}{path}"
    async with local.session.request(method, url, headers=headers, json={}) as answer:
        assert (answer.status, (await answer.json())["reason"]) == (403, "host_foreign")


async def test_the_page_has_all_of_its_files_and_they_load_nothing_from_elsewhere(local: Local):
    for name in ("", *(f"/{name}" for name in page.KINDS)):
        async with local.session.get(f"http://127.0.0.1:{local.port}/tablet{name}") as answer:
            assert answer.status == 200
            assert "default-src 'none'" in answer.headers["content-security-policy"]
    for path in ("/tablet/facts.json", "/tablet/picture/none"):
        async with local.session.get(f"http://127.0.0.1:{local.port}{path}") as answer:
            assert answer.status == 404
    async with local.session.get(f"http://127.0.0.1:{local.port}/tablet/map") as answer:
        place = await answer.json()
    assert place["url"].startswith("data:image/png")
    assert 0 < place["x"] < 1
    assert 0 < place["y"] < 1


def test_the_page_speaks_nine_languages():
    texts: dict[str, dict[str, str]] = json.loads(page.read("texts.json"))
    assert len(texts) == 9
    assert len({frozenset(each) for each in texts.values()}) == 1
    assert all(text for each in texts.values() for text in each.values())


def advert(id_: int, **fields: Any) -> PlannedAdvert:
    usual = {"name": f"Advert {id_}", "url": "http://x", "kind": "image/png", "size": 1, "seconds": 10}
    return PlannedAdvert(**usual | {"id": id_, "sha256": f"{id_:064x}"} | fields)


def plan(robot: Robot, *adverts: PlannedAdvert) -> None:
    robot.adverts.folder.mkdir(parents=True, exist_ok=True)
    for each in adverts:
        robot.adverts.file(each).write_bytes(png(2, 2))
    robot.adverts.shown = AdvertPlan(revision=5, adverts=list(adverts))


def shown_over(robot: Robot, seconds: int) -> list[int]:
    """The ids that are on, second by second."""
    began, seen = now_ms(), list[int]()
    for second in range(seconds):
        robot.adverts.step(began + 1000 * second, free=screen.is_free(robot, began + 1000 * second))
        seen.append(robot.adverts.playing.id if robot.adverts.playing else 0)
    return seen


async def test_adverts_stand_in_their_order_each_as_long_as_it_shall(local: Local):
    robot = local.robot
    plan(robot, advert(1, seconds=2), advert(2, seconds=3), advert(3, end_date="2020-01-01"))
    assert shown_over(robot, 9) == [1, 1, 2, 2, 2, 1, 1, 2, 2]
    assert sorted(robot.adverts.counts.days.popitem()[1].items()) == [("1", 2), ("2", 1)]
    shown = await local.good("tablet_screen")
    assert (shown["shows"], shown["advert"]["id"]) == ("advert", 2)
    assert (await local.good("tablet_picture", {"name": shown["advert"]["file"]}))["url"].startswith("data:image/png")
    async with local.session.get(f"http://127.0.0.1:{local.port}/tablet/advert/{shown['advert']['file']}") as answer:
        assert (answer.status, answer.content_type, await answer.read()) == (200, "image/png", png(2, 2))
    async with local.session.get(f"http://127.0.0.1:{local.port}/tablet/advert/shown.json") as answer:
        assert answer.status == 404


async def test_an_advert_that_is_cut_short_does_not_count(local: Local):
    robot = local.robot
    plan(robot, advert(1))
    assert shown_over(robot, 9) == [1] * 9
    await local.good("robot_speak", {"text": "Bitte warten.", "language": "de"})
    assert shown_over(robot, 2) == [0, 0]
    assert (await local.good("tablet_screen"))["shows"] == "speech"
    await touch(local, page="home")
    assert shown_over(robot, 2) == [0, 0]
    assert robot.adverts.counts.days == {}


def video(kind: str, seconds: float) -> bytes:
    if kind == "mp4":
        return b"\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x6cmvhd" + struct.pack(">IIIII", 0, 0, 0, 1000, round(seconds * 1000))
    return b"\x1aE\xdf\xa3" + b"\x2a\xd7\xb1\x83\x0f\x42\x40" + b"\x44\x89\x88" + struct.pack(">d", seconds * 1000)


@pytest.mark.parametrize("data", [video("mp4", 4.0), video("webm", 4.0)])
def test_a_video_runs_as_long_as_its_head_says(robot: Robot, data: bytes):
    plan(robot, advert(1, kind="video/mp4"), advert(2))
    robot.adverts.file(robot.adverts.shown.adverts[0]).write_bytes(data)
    assert shown_over(robot, 6) == [1, 1, 1, 1, 2, 2]


def test_a_video_that_does_not_say_stands_as_long_as_a_picture(robot: Robot):
    plan(robot, advert(1, kind="video/webm", seconds=2), advert(2))
    assert shown_over(robot, 4) == [1, 1, 2, 2]


def test_keep_view_counts_over_a_restart_and_report_them_every_five_minutes(robot: Robot):
    plan(robot, advert(1, seconds=100))
    robot.adverts.counts.at = now_ms()
    shown_over(robot, 402)
    letters = [message.data for message in robot.outbox.unconfirmed() if b'"name":"shown"' in message.data]
    assert len(letters) == 1
    assert Adverts(robot, robot.adverts.folder).counts.days == robot.adverts.counts.days != {}
