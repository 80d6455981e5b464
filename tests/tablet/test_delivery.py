"""What a dealer says of tablets comes to the robots of its customers, whenever they are online, and each says how far
it is."""

import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lustra.app.processes import worker
from lustra.core.errors import Code
from lustra.domains.account.api import PersonErased
from lustra.domains.delivery import sending
from lustra.domains.tablet import delivery, privacy
from lustra.protocol.bus import Event
from tests.map.robots import Crew, Line, crews, lines
from tests.tablet.looks import chosen, drawn, url_of
from tests.world import World, until

OURS = {"SC0001", "SC0002", "SC0003"}  # of the dealer's customers; SC0010 is the rival's
DUE = "select exists (select from procrastinate_jobs where status = 'todo' and task_name = 'tablet.deliver')"


@dataclass
class Salon:
    world: World
    crew: Crew
    line: Line

    async def dress(self, account: str = "dealer", **fields: Any) -> dict[str, Any]:
        look = await chosen(self.world, account, **fields)
        await self.world.call(account, "/user/updatePadConfig", **look)
        return look

    async def work(self) -> None:
        """The jobs that wait, and what robots have said since."""
        await worker.run_worker(self.world.services.settings, until_empty=True)
        await self.crew.listen()

    async def rows(self, account: str = "dealer", **fields: Any) -> dict[str, dict[str, Any]]:
        page = await self.world.call(account, "/user/selectPadDeliveryPageList", **fields)
        return {row["deviceSerialNumber"]: row for row in page["list"]}

    async def until_row(self, sn: str, account: str = "dealer", **values: Any) -> dict[str, Any]:
        async def look() -> dict[str, Any] | None:
            await self.crew.listen()
            row = (await self.rows(account)).get(sn, {})
            return row if all(row.get(name) == value for name, value in values.items()) else None

        return await until(look)

    async def later(self) -> None:
        """Some minutes, and what the worker does each minute."""
        await self.world.pool.execute("update tablet_delivery set tried_at = tried_at - interval '6 minutes'")
        await delivery.deliver_all(self.world.services)


@pytest.fixture
async def salon(world: World, tmp_path: Path) -> AsyncIterator[Salon]:
    async with contextlib.AsyncExitStack() as stack:
        line = await stack.enter_async_context(lines(world))
        yield Salon(world, await stack.enter_async_context(crews(world, tmp_path / "robots")), line)


async def answer_with(salon: Salon, sn: str, say: Callable[[dict[str, Any]], dict[str, Any]]) -> list[dict[str, Any]]:
    """A robot that answers so; the orders that it gets."""
    orders: list[dict[str, Any]] = []

    async def on_message(message: Any) -> None:
        orders.append(msgspec.json.decode(message.data))
        await message.respond(msgspec.json.encode(say(orders[-1])))

    salon.crew.ears.append(await salon.world.services.bus.link.subscribe(f"robots.{sn}.cmd.tablet", cb=on_message))
    await salon.world.online(sn)
    return orders


@pytest.mark.spec("call.user.updatePadConfig", "ent.pad_config")
async def test_robots_of_a_dealers_customers_show_its_look_with_all_of_its_pictures(salon: Salon):
    robot = await salon.crew.switch_on("SC0001")
    await salon.dress(aboutUs="Call us", themeColor="#6B3FA0")
    await salon.work()
    row = await salon.until_row("SC0001", state="shown", reason="")
    assert row["shownTime"]
    shown = robot.look.shown
    assert (shown.about_us, shown.theme_color, len(set(shown.home_tiles))) == ("Call us", "#6B3FA0", 1)
    assert robot.look.picture(shown.main_logo) == drawn("mainLogo")
    assert robot.look.picture(shown.home_tiles[5]) == drawn("homeTile")
    page = await salon.world.call("dealer", "/user/selectPadDeliveryPageList", pageSize=1)
    assert (page["total"], page["counts"]) == (3, {"waiting": 2, "sent": 0, "shown": 1, "failed": 0})
    assert set(await salon.rows(state="waiting")) == {"SC0002", "SC0003"}
    assert await salon.rows("rival") == {}


async def test_a_robot_that_was_away_gets_it_once_it_is_online(salon: Salon):
    await salon.dress()
    await salon.work()
    assert {row["state"] for row in (await salon.rows()).values()} == {"waiting"}
    robot = await salon.crew.switch_on("SC0002")
    await salon.later()
    await salon.until_row("SC0002", state="shown")
    await salon.dress(aboutUs="Newer")
    await salon.work()
    await salon.until_row("SC0002", state="shown")
    assert robot.look.shown.about_us == "Newer"


async def test_send_an_unchanged_look_only_once(salon: Salon):
    orders = await answer_with(salon, "SC0001", lambda order: {"code": 0, "tablet": progress(order, "shown")})
    look = await salon.dress()
    await salon.work()
    await salon.world.call("dealer", "/user/updatePadConfig", **look)
    await salon.work()
    await salon.later()
    assert len(orders) == 1


async def test_a_robot_takes_the_look_of_its_new_dealer(salon: Salon):
    robot = await salon.crew.switch_on("SC0001")
    await salon.dress(aboutUs="First dealer")
    await salon.dress("rival", aboutUs="Second dealer")
    await salon.work()
    await salon.until_row("SC0001", state="shown")
    device, to = salon.world.devices["SC0001"], salon.world.accounts["rivaluser"]
    await salon.world.call("admin", "/device/updateDeviceUserInfo", deviceId=device, ownerUserId=to, things="hand_over")
    await salon.work()
    await salon.until_row("SC0001", "rival", state="shown")
    assert robot.look.shown.about_us == "Second dealer"
    assert set(await salon.rows()) == {"SC0002", "SC0003"}


async def test_robots_look_as_they_come_once_their_dealer_is_erased(salon: Salon):
    robot = await salon.crew.switch_on("SC0001")
    await salon.dress()
    await salon.work()
    await salon.until_row("SC0001", state="shown")
    async with salon.world.services.sessions.begin() as db:
        await privacy.on_person_erased(db, PersonErased(salon.world.accounts["dealer"], ("dealer",), "(erased)"))
    await salon.work()
    await salon.until_row("SC0001", state="shown")
    assert (robot.look.shown.revision, robot.look.shown.about_us) == (0, "")
    assert not list((robot.store.folder / "tablet" / "pictures").iterdir())


def progress(order: dict[str, Any], state: str, reason: str = "") -> dict[str, Any]:
    return {"part": "look", "revision": order["revision"], "state": state, "reason": reason}


async def test_say_why_a_look_failed_and_send_it_again_on_request(salon: Salon):
    refusal = {"code": 404, "reason": "command_unknown", "msg": ""}
    orders = await answer_with(salon, "SC0001", lambda _: refusal)
    await answer_with(salon, "SC0002", lambda _: {"code": 0, "tablet": "?"})
    await salon.dress()
    await salon.work()
    await salon.until_row("SC0001", state="failed", reason="command_unknown")
    await salon.until_row("SC0002", state="failed", reason="robot_failed")
    await salon.later()
    assert len(orders) == 1
    device = salon.world.devices["SC0001"]
    refusal |= {"code": 0, "tablet": progress(orders[0], "failed", "tablet_picture")}
    await salon.world.call("dealer", "/user/sendPadConfig", deviceId=device)
    await salon.work()
    await salon.until_row("SC0001", state="failed", reason="tablet_picture")
    refusal["tablet"] = progress(orders[0], "shown")
    await salon.world.call("dealer", "/user/sendPadConfig")
    await salon.work()
    await salon.until_row("SC0001", state="shown", reason="")
    assert len(orders) == 3


async def test_send_a_look_again_with_fresh_links_when_its_robot_stays_silent(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
):
    orders = await answer_with(salon, "SC0001", lambda order: {"code": 0, "tablet": progress(order, "loading")})
    await salon.dress()
    await salon.work()
    await salon.until_row("SC0001", state="sent")
    monkeypatch.setattr(sending, "LINK_S", 2 * sending.LINK_S)  # of the same second a link would be the same
    await salon.later()
    assert [order["revision"] for order in orders] == [orders[0]["revision"]] * 2
    assert orders[0]["main_logo"] != orders[1]["main_logo"]


async def test_a_robot_that_does_not_answer_waits(salon: Salon, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sending, "ANSWERS_IN_S", 0.1)
    await salon.world.online("SC0001")
    await salon.dress()
    await salon.work()
    await salon.until_row("SC0001", state="waiting", reason="robot_silent")


async def test_a_revision_that_was_superseded_is_not_sent(salon: Salon):
    orders = await answer_with(salon, "SC0001", lambda order: {"code": 0, "tablet": progress(order, "shown")})
    await salon.dress()
    await salon.world.pool.execute("update tablet_delivery set revision = 12345")
    await delivery.deliver(salon.world.services)
    assert orders == []


async def test_ignore_a_robots_answer_about_another_revision(salon: Salon):
    await salon.dress()
    async with salon.world.as_ingest() as db:
        for state, revision in (("shown", 12345), ("loading", await current(salon))):
            content = progress({"revision": revision}, state)
            event = Event(at=1, id="a", kind="tablet", name="look", content=content)
            await delivery.keep_tablet(db, "SC0001", event)
    assert (await salon.rows())["SC0001"]["state"] == "waiting"


async def current(salon: Salon) -> int:
    return await salon.world.pool.fetchval("select max(revision) from tablet_branding")


@pytest.mark.spec("rule.pad.level")
async def test_only_a_dealer_sees_and_sends_and_only_for_its_own_robots(salon: Salon):
    await salon.dress()
    foreign = salon.world.devices["SC0010"]
    assert (await salon.world.raw("dealer", "/user/sendPadConfig", deviceId=foreign))[0] == Code.NOT_FOUND
    for account in ("admin", "user", "operations"):
        for path in ("/user/sendPadConfig", "/user/selectPadDeliveryPageList"):
            assert (await salon.world.raw(account, path))[0] == Code.FORBIDDEN


async def test_a_link_that_opens_no_picture_leaves_the_former_look(salon: Salon):
    robot = await salon.crew.switch_on("SC0001")
    await salon.dress(aboutUs="Former")
    await salon.work()
    await salon.until_row("SC0001", state="shown")
    look = await chosen(salon.world, aboutUs="Broken", mainLogo=await url_of(salon.world, "dealer", "mainLogo"))
    await salon.world.call("dealer", "/user/updatePadConfig", **look)
    place = "tablet/" + look["mainLogo"].rsplit("/", 1)[-1]
    await salon.world.services.objects.put_bytes(place, b"no picture")
    await salon.work()
    await salon.until_row("SC0001", state="failed", reason="tablet_picture")
    assert robot.look.shown.about_us == "Former"
    await salon.world.services.objects.delete(place)
    await salon.world.call("dealer", "/user/sendPadConfig")
    await salon.work()
    await salon.until_row("SC0001", state="failed", reason="tablet_link")


async def test_a_robot_goes_on_with_its_order_where_the_line_or_the_power_broke(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("lustra.robot.tablet.orders.AGAIN_S", 0.05)
    robot = await salon.crew.switch_on("SC0001")
    salon.line.cut_after = 1
    await salon.dress()
    await salon.work()

    async def is_cut() -> bool:
        return salon.line.cuts > 0

    await until(is_cut)
    await salon.until_row("SC0001", state="sent")
    assert robot.look.shown.revision == 0
    await salon.crew.switch_off("SC0001")
    salon.line.cut_after = 0
    again = await salon.crew.switch_on("SC0001")
    await salon.until_row("SC0001", state="shown")
    assert again.look.shown.about_us == "We clean."
