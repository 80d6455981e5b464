"""Who stands in a rota is notified on duty alone, a gap loses no alarm, and who comes on duty is told so."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.domains.account.events import PersonalDataRequested, PersonErased
from lustra.domains.alarm import privacy
from lustra.domains.alarm.duty.shifts import Shift, Stretch, find_next, find_on_duty, list_stretches
from tests.alarm.test_notifications import raise_alarm, switch, work
from tests.world import World

WEEK = range(1, 8)
HAND_OVER = (
    "select procrastinate_defer_jobs_v1(array[row('alarms', 'alarm.hand_over', 0, null, null,"
    " '{}'::jsonb, null)::procrastinate_job_to_defer_v1])"
)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("shift", "moment", "until"),
    [
        (Shift(1, 1, time(8), time(16)), "2026-03-02T08:00", "2026-03-02T16:00"),
        (Shift(1, 1, time(8), time(16)), "2026-03-02T07:59", None),
        (Shift(1, 1, time(8), time(16)), "2026-03-02T16:00", None),
        (Shift(1, 7, time(22), time(6)), "2026-03-02T05:59", "2026-03-02T06:00"),  # over midnight, and over the week
        (Shift(1, 3, time(0), time(0)), "2026-03-04T23:59", "2026-03-05T00:00"),
        (Shift(1, 2, time(8), time(16)), "2026-03-02T09:00", None),
    ],
)
def test_a_shift_holds_from_its_beginning_until_its_end(shift: Shift, moment: str, until: str | None):
    stretches = find_on_duty(list_stretches([shift], "UTC", at(moment)), at(moment))
    assert [stretch.end for stretch in stretches] == ([at(until)] if until else [])


def test_shifts_are_by_the_clocks_of_their_zone_in_summer_too():
    shift = Shift(1, 7, time(1), time(5))
    (night,) = (
        stretch
        for stretch in list_stretches([shift], "Europe/Berlin", at("2026-03-29T01:30"))
        if stretch.start <= at("2026-03-29T01:30") < stretch.end
    )
    assert (night.start, night.end) == (at("2026-03-29T00:00"), at("2026-03-29T03:00"))  # an hour shorter


def test_shifts_of_one_person_that_touch_are_one_stretch_of_duty():
    shifts = [Shift(1, 1, time(8), time(12)), Shift(1, 1, time(12), time(16)), Shift(2, 1, time(15), time(20))]
    stretches = list_stretches(shifts, "UTC", at("2026-03-02T09:00"))
    assert find_on_duty(stretches, at("2026-03-02T09:00")) == [
        Stretch(1, at("2026-03-02T08:00"), at("2026-03-02T16:00"))
    ]
    assert len(find_on_duty(stretches, at("2026-03-02T15:30"))) == 2
    coming = find_next(stretches, at("2026-03-02T09:00"))
    assert coming is not None
    assert (coming.person_id, coming.start) == (2, at("2026-03-02T15:00"))
    assert find_next([], at("2026-03-02T09:00")) is None


def clocks(begin: int, end: int) -> dict[str, str]:
    """Hours from now, by the clocks of UTC."""
    now = datetime.now(UTC)
    return {"starts": f"{now + timedelta(hours=begin):%H:%M}", "ends": f"{now + timedelta(hours=end):%H:%M}"}


async def set_rota(world: World, *shifts: tuple[str, dict[str, str]]) -> None:
    """Every day."""
    rows = [{"userId": world.accounts[person], "day": day, **times} for person, times in shifts for day in WEEK]
    await world.call("user", "/warn/editRota", zone="UTC", list=rows)


async def count_unread(world: World, account: str, kind: str) -> int:
    rows = (await world.call(account, "/message/findMessageByUnRead"))["list"]
    return len([row for row in rows if row["kind"] == kind])


@pytest.fixture
async def staffed(world: World) -> World:
    await switch(world, "stuck", cloud=1)
    return world


async def test_of_a_rota_who_is_on_duty_is_notified_alone(staffed: World):
    await set_rota(staffed, ("user", clocks(2, 4)), ("sub", clocks(-2, 2)))
    await raise_alarm(staffed, "stuck")
    await work(staffed)
    assert await count_unread(staffed, "sub", "alarm") == 1
    assert await count_unread(staffed, "user", "alarm") == 0
    view = await staffed.call("user", "/warn/rota")
    assert [row["userId"] for row in view["now"]] == [staffed.accounts["sub"]]
    assert view["next"]["userId"] == staffed.accounts["user"]
    assert len(view["list"]) == 14
    assert {row["userId"] for row in view["people"]} >= {staffed.accounts["user"], staffed.accounts["sub"]}


async def test_while_nobody_is_on_duty_all_of_the_rota_are_notified(staffed: World):
    await set_rota(staffed, ("user", clocks(2, 4)), ("sub", clocks(4, 6)))
    await raise_alarm(staffed, "stuck")
    await work(staffed)
    assert [await count_unread(staffed, name, "alarm") for name in ("user", "sub")] == [1, 1]


async def test_notify_the_next_when_the_one_on_duty_has_lost_the_right(staffed: World):
    await set_rota(staffed, ("user", clocks(2, 4)), ("sub", clocks(-2, 2)))
    await staffed.pool.execute("update account set deleted_at = now() where account = 'sub'")
    await raise_alarm(staffed, "stuck")
    await work(staffed)
    assert await count_unread(staffed, "user", "alarm") == 1


async def test_notify_accounts_outside_of_the_rota_as_without_one(staffed: World):
    await set_rota(staffed, ("sub", clocks(-2, 2)))
    await raise_alarm(staffed, "stuck")
    await work(staffed)
    assert [await count_unread(staffed, name, "alarm") for name in ("user", "sub")] == [1, 1]
    await staffed.call("user", "/warn/editRota", zone="UTC", list=[])
    assert (await staffed.call("user", "/warn/rota"))["zone"] == ""
    await raise_alarm(staffed, "stuck", sn="SC0002")
    await work(staffed)
    assert [await count_unread(staffed, name, "alarm") for name in ("user", "sub")] == [2, 1]


async def test_notify_the_next_on_duty_once_with_the_former_and_open_alarms(staffed: World):
    await raise_alarm(staffed, "stuck")
    await set_rota(staffed, ("sub", clocks(-1, 2)), ("user", clocks(-4, -1)))
    await staffed.pool.execute(HAND_OVER)
    await work(staffed)
    assert await count_unread(staffed, "sub", "duty_begins") == 0  # it began before there was a rota
    await staffed.pool.execute("update alarm_rota set notified_until = now() - interval '2 hours'")
    for _ in range(2):
        await staffed.pool.execute(HAND_OVER)
        await work(staffed)
    rows = (await staffed.call("sub", "/message/findMessageByUnRead"))["list"]
    (message,) = [row for row in rows if row["kind"] == "duty_begins"]
    name = await staffed.pool.fetchval("select name from account where account = 'user'")
    assert name in message["content"]
    assert "1" in message["content"].split(name)[1]
    assert await count_unread(staffed, "user", "duty_begins") == 0


@pytest.mark.parametrize(
    "shift",
    [
        {"userId": "rivaluser"},
        {"userId": "dealer"},
        {"day": 8},
        {"starts": "24:00"},
        {"ends": ""},
    ],
)
async def test_a_rota_that_would_notify_nobody_or_is_no_time_is_refused(world: World, shift: dict[str, Any]):
    usual = {"userId": world.accounts["user"], "day": 1, "starts": "08:00", "ends": "16:00"}
    named = {key: world.accounts.get(value, value) if key == "userId" else value for key, value in shift.items()}
    code, _ = await world.raw("user", "/warn/editRota", zone="UTC", list=[usual | named])
    assert code == Code.BAD_INPUT
    assert (await world.raw("user", "/warn/editRota", zone="Moon", list=[usual]))[0] == Code.BAD_INPUT
    assert await world.pool.fetchval("select count(*) from alarm_shift") == 0


async def test_a_foreign_account_sees_a_rota_of_its_own(world: World):
    await set_rota(world, ("user", clocks(-2, 2)))
    view = await world.call("rivaluser", "/warn/rota")
    assert (view["zone"], view["list"], view["now"], view["next"]) == ("", [], [], None)
    assert world.accounts["user"] not in {row["userId"] for row in view["people"]}
    await world.call("rivaluser", "/warn/editRota", zone="UTC", list=[])
    assert await world.pool.fetchval("select count(*) from alarm_shift") == 7


async def test_erase_an_account_from_its_rotas(world: World):
    await set_rota(world, ("sub", clocks(-2, 2)), ("user", clocks(2, 4)))
    async with world.services.sessions.begin() as db:
        request = PersonalDataRequested(world.accounts["sub"], {}, [])
        await privacy.on_personal_data_requested(db, request)
        assert len(request.rows["alarmShifts"]) == 7
        await privacy.on_person_erased(db, PersonErased(world.accounts["sub"], ("sub",), "(erased)"))
    assert await world.pool.fetchval("select count(*) from alarm_shift") == 7
