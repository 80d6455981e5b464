"""The audit list: who did what, to whom it is shown, how it is searched and exported, and whether the chain holds."""

import io
from datetime import datetime, timedelta, timezone
from typing import Any

import openpyxl
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import sheet, texts
from lustra.core.audit_trail import audit, chain, chain_check
from lustra.core.calls.registry import CALLS
from lustra.core.context import Services
from lustra.core.errors import Code
from lustra.domains.account import log
from lustra.protocol.commands import COMMANDS
from tests.clients import Console, LogIn

KEYS = ["index", "log", "user/index", "user/index/edit", "user/index/add"]


async def with_log(console: LogIn, db: AsyncSession, name: str):
    """That account, holding the key of the list."""
    await db.execute(text("update account set keys = :keys where account = :name"), {"keys": KEYS, "name": name})
    await db.commit()
    return await console(name)


async def actions(asks: Any, **filters: Any) -> list[str]:
    return [row["action"] for row in (await asks("/log/list", pageSize=100, **filters))["list"]]


@pytest.mark.spec("perm.page.log", "q.log_page", "ent.operation_log")
async def test_the_list_tells_who_did_what_from_where_and_what_was_there_before(console: LogIn):
    admin, dealer = await console("admin"), await console("dealer")
    await dealer("/user/updateUserInfo", name="Harbour", phone="13800138000")
    page = await admin("/log/list", action="user.update")
    [row] = page["list"]
    assert (page["total"], page["pageNum"]) == (1, 1)
    assert (row["userId"], row["account"], row["actingId"], row["address"]) == (
        dealer.id,
        "dealer",
        dealer.id,
        "127.0.0.1",
    )
    assert (row["actionName"], row["result"], row["resultName"]) == ("User · Edit", 0, "Done")
    assert row["before"] == {"name": "Harbour Robotics", "phone": ""}
    assert row["after"] == {"name": "Harbour", "phone": "13800138000"}


async def test_record_a_moved_branch_with_its_former_place(console: LogIn):
    admin, dealer, rival = await console("admin"), await console("dealer"), await console("rival")
    user = (await console("user")).id
    await admin("/user/updateUserInfo", targetUserId=user, parentId=rival.id)
    [row] = (await admin("/log/list", action="user.update"))["list"]
    assert (row["before"], row["after"]) == (
        {"parentId": f"Harbour Robotics (#{dealer.id})"},
        {"parentId": f"Polaris Cleaning Tech (#{rival.id})"},
    )


async def test_record_contents_in_plain_words_and_without_secrets(console: LogIn, services: Services):
    admin = await console("admin")
    async with services.sessions.begin() as db:
        detail = {"targetUserId": (await console("user")).id, "password": "**********", "uuid": "u", "lifeHours": 3}
        audit.write(db, (await services.logins.of(admin.session["token"])).actor, "user.update", detail=detail)
    page = await admin("/log/list", action="user.update")
    [row] = page["list"]
    number = (await console("user")).id
    assert row["detail"] == {"targetUserId": f"Bright Floors (#{number})", "uuid": "u", "lifeHours": 3}
    assert page["fieldNames"] == {"lifeHours": "Service life (h)", "targetUserId": "User"}
    written = (await admin.http.post("/api/log/export", json={"action": "user.update", "form": "csv"})).text
    assert "Service life (h): 3" in written
    assert "*****" not in written


async def test_a_denied_try_is_listed_and_can_be_looked_for(console: LogIn):
    admin, user = await console("admin"), await console("user")
    await user.raw("/log/list")
    await user.raw("/user/role/insert", name="Mine")
    rows = (await admin("/log/list", refused=1))["list"]
    assert [(row["action"], row["resultName"]) for row in rows] == [
        ("role.insert", "Access denied"),
        ("/log/list", "Access denied"),
    ]
    assert rows[1]["actionName"] == "API call: /log/list"
    assert await actions(admin, action="call") == ["/log/list"]


async def test_a_shadow_is_named_beside_the_account_that_it_acts_for(console: LogIn):
    admin, shadow = await console("admin"), await console("shadow")
    await shadow("/user/updateUserInfo", name="Deputy")
    [row] = (await admin("/log/list", action="user.update"))["list"]
    assert (row["account"], row["actingAccount"]) == ("shadow", "user")


async def test_an_account_sees_what_those_at_and_below_its_place_did(console: LogIn, db: AsyncSession):
    for name in ("admin", "rival", "rivaluser", "sub", "user"):
        await (await console(name))("/user/updateUserInfo", name="Renamed")
    dealer = await with_log(console, db, "dealer")
    seen = (await dealer("/log/list", pageSize=100))["list"]
    assert {row["account"] for row in seen} == {"dealer", "user", "sub"}
    assert (await dealer("/log/list", userId=(await console("rival")).id))["total"] == 0
    exported = (await dealer.http.post("/api/log/export", json={})).content
    assert "rival" not in {c.value for c in openpyxl.load_workbook(io.BytesIO(exported)).active["B"]}


async def test_a_deleted_account_stays_in_the_list_of_those_above(console: LogIn):
    admin, rivaluser = await console("admin"), await console("rivaluser")
    await admin("/user/deleteUserInfo", targetUserId=rivaluser.id)
    assert await actions(admin, userId=rivaluser.id) == ["login"]


async def test_refused_log_ins_are_seen_from_the_top_alone(console: LogIn, anonymous: Console, db: AsyncSession):
    await anonymous.raw("/login", account="user", password="guessed-wrong")
    admin, dealer = await console("admin"), await with_log(console, db, "dealer")
    [row] = (await admin("/log/list", refused=1))["list"]
    assert (row["action"], row["userId"], row["detail"]["account"]) == ("login", 0, "user")
    assert (await dealer("/log/list", refused=1))["total"] == 0


async def test_filters_narrow_by_account_time_robot_and_words(console: LogIn, services: Services):
    admin, dealer = await console("admin"), await console("dealer")
    await dealer("/user/updateUserInfo", name="Harbour & Sons")
    async with services.sessions.begin() as db:
        audit.write(db, (await services.logins.of(admin.session["token"])).actor, "relay.api1/task_start", device_id=7)
    now = datetime.now(timezone.utc)
    assert await actions(admin, userId=dealer.id) == ["user.update", "login"]
    assert await actions(admin, deviceId=7) == ["relay.api1/task_start"]
    assert await actions(admin, action="relay") == ["relay.api1/task_start"]
    [row] = (await admin("/log/list", deviceId=7))["list"]
    assert row["actionName"] == "Robot command: Start task"
    assert await actions(admin, words="start TASK") == ["relay.api1/task_start"]
    assert await actions(admin, words="harbour & s") == ["user.update"]
    assert await actions(admin, words="User · edit") == ["user.update"]
    assert await actions(admin, startTime=(now + timedelta(hours=1)).isoformat()) == []
    assert len(await actions(admin, endTime=(now + timedelta(hours=1)).isoformat())) == 4
    code, data = await admin.raw("/log/list", startTime="2026-01-01T00:00:00")
    assert (code, data["field"]) == (Code.BAD_INPUT, "startTime")


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_every_command_that_is_recorded_is_called_as_people_say(language: str):
    recorded = [name for name, command in COMMANDS.items() if not command.reads]
    assert len(recorded) > 50
    for name in recorded:
        title = log.action_title(f"relay.api1/{name}", language)
        assert title.endswith(texts.say(language, f"command.{name}")), name
        assert name not in title
    assert log.action_title("relay.api/a_makers_own", language).endswith(": a_makers_own")


@pytest.mark.spec("const.x.export_name")
async def test_export_all_rows_in_pieces_in_the_readers_zone_without_formulas(
    console: LogIn, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(log, "AT_ONCE", 2)
    written: list[int] = []
    add = sheet.Sheet.add
    monkeypatch.setattr(sheet.Sheet, "add", lambda self, rows: (written.append(len(rows)), add(self, rows))[1])
    admin = await console("admin")
    for name in ("=1+1", "Second", "Third"):
        await admin("/user/updateUserInfo", name=name)
    answer = await admin.http.post("/api/log/export", json={"zone": "Asia/Tokyo"})
    assert answer.headers["content-disposition"].endswith("export.xlsx")
    rows = list(openpyxl.load_workbook(io.BytesIO(answer.content)).active.iter_rows())
    assert [cell.value for cell in rows[0]][:4] == ["Time", "Login name", "Acting as", "Action"]
    assert [row[3].value for row in rows[1:]] == ["User · Edit"] * 3 + ["Log in"]
    assert written == [2, 2]
    assert {cell.data_type for row in rows for cell in row} <= {"s", "d", "n"}
    at: Any = rows[1][0].value
    shown = at.replace(tzinfo=timezone(timedelta(hours=9)))
    assert abs(datetime.now(timezone.utc) - shown) < timedelta(minutes=5)
    assert (await admin.raw("/log/export", zone="Mars/Olympus"))[0] == Code.BAD_INPUT


async def test_show_admins_the_last_check_of_the_chain_and_start_another(
    console: LogIn, services: Services, db: AsyncSession
):
    admin, dealer = await console("admin"), await with_log(console, db, "dealer")
    assert (await admin("/log/intact"))["checkTime"] is None
    assert (await admin("/log/intact"))["waiting"] == 2  # nobody waits for the check that was started
    queued = "select count(*) from procrastinate_jobs where task_name = 'audit.check'"
    assert await db.scalar(text(queued)) == 1
    async with services.sessions.begin() as sealing:
        await chain.seal(sealing, chain.key_of(services.settings))
    await chain_check.check(services)
    shown = await admin("/log/intact")
    assert (shown["position"], shown["reason"], shown["sealed"], shown["waiting"]) == (None, "", 2, 0)
    assert shown["checkTime"] == shown["wholeTime"] == shown["anchorTime"]
    await db.execute(text("set local session_replication_role = replica"))
    await db.execute(text("update audit set address = 'elsewhere' where id = (select min(id) from audit)"))
    await db.commit()
    await chain_check.check(services, whole=True)
    shown = await admin("/log/intact")
    assert (shown["position"], shown["reason"]) == (1, "row")
    assert (await dealer.raw("/log/intact"))[0] == Code.FORBIDDEN


@pytest.mark.parametrize("language", texts.LANGUAGES)
async def test_every_recorded_action_has_a_name_in_every_language(services: Services, language: Any):
    assert [name for name in log.actions() if not texts.known(f"action.{name}")] == []
    assert all(
        log.action_title(registered.audit, language) != registered.audit
        for registered in CALLS.values()
        if registered.audit
    )


async def test_list_the_actions_in_the_readers_language(console: LogIn):
    actions = (await (await console("admin", language="de"))("/log/actions"))["list"]
    assert {"action": "user.insert", "actionName": "Benutzer · Hinzufügen"} in actions


@pytest.mark.parametrize("path", ["/log/list", "/log/export", "/log/actions", "/log/intact"])
async def test_refuse_the_audit_without_its_right(console: LogIn, path: str):
    assert (await (await console("dealer")).raw(path))[0] == Code.FORBIDDEN


def test_a_code_of_a_relay_is_written_as_its_number():
    assert "12345" in log.result_text(12345, "en")
    assert log.result_text(0, "en") == "Done"
    assert "40011" in log.result_text(Code.LOCKED, "en")  # its text names who has the robot
