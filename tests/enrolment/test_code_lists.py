"""Codes for a list of robots: with an end, by program and as a spreadsheet, each for one robot alone."""

import io
from datetime import UTC, datetime, timedelta

import openpyxl
import pytest

from lustra.core.errors import Code
from tests.enrolment.test_life import create_code, enrol
from tests.world import World

LIST = "/device/generateAuthCodes"
CHECK = "/device/checkAuthCodes"
SHEET = "/device/authCodeSheet"
NUMBERS = ["NEW-1", "NEW_2", "NEW.3"]


async def codes(world: World, account: str = "admin", **payload: object) -> dict[str, str]:
    answer = await world.call(account, LIST, deviceSerialNumbers=NUMBERS, **payload)
    return {row["deviceSerialNumber"]: row["code"] for row in answer["list"]}


async def test_each_robot_of_a_list_gets_in_with_its_own_code_alone(world: World):
    by_serial = await codes(world, userId=world.accounts["user"])
    assert list(by_serial) == NUMBERS
    status, _ = await enrol(world, by_serial["NEW-1"], "NEW_2")
    assert status == Code.CODE_INVALID
    for serial, code in by_serial.items():
        assert (await enrol(world, code, serial))[0] == 0
    assert (await enrol(world, by_serial["NEW-1"], "NEW-1"))[0] == Code.CODE_INVALID
    rows = (await world.call("user", "/device/selectDevicePc"))["list"]
    assert {row["deviceSerialNumber"] for row in rows} >= set(NUMBERS)


async def test_a_code_of_a_list_ends_when_its_maker_says(world: World):
    answer = await world.call("admin", LIST, deviceSerialNumbers=NUMBERS, days=30)
    ends = datetime.fromisoformat(answer["expireTime"])
    assert timedelta(days=29) < ends - datetime.now(UTC) < timedelta(days=31)
    await world.pool.execute("update one_time_code set expires_at = now() - interval '1 second'")
    assert (await enrol(world, answer["list"][0]["code"], "NEW-1"))[0] == Code.CODE_INVALID
    for days in (0, 91):
        assert (await world.raw("admin", LIST, deviceSerialNumbers=NUMBERS, days=days))[0] == Code.BAD_INPUT


async def test_a_newer_list_ends_the_codes_of_the_former_and_of_nobody_else(world: World):
    former = await codes(world, userId=world.accounts["user"])
    other = await codes(world, userId=world.accounts["dealer"])
    newer = await codes(world, userId=world.accounts["user"])
    assert (await enrol(world, former["NEW-1"], "NEW-1"))[0] == Code.CODE_INVALID
    assert (await enrol(world, newer["NEW-1"], "NEW-1"))[0] == 0
    assert (await enrol(world, other["NEW_2"], "NEW_2"))[0] == 0


@pytest.mark.parametrize("serials", [[], ["a b"], ["SC1", "SC1"], [f"N{n}" for n in range(501)]], ids=len)
async def test_a_list_that_is_empty_too_long_or_has_a_wrong_or_double_number_is_refused(
    world: World, serials: list[str]
):
    assert (await world.raw("admin", LIST, deviceSerialNumbers=serials))[0] == Code.BAD_INPUT
    assert await world.pool.fetchval("select count(*) from one_time_code") == 0


async def test_refuse_a_list_of_codes_with_a_foreign_robots_number_whole(world: World):
    await enrol(world, await create_code(world, userId=world.accounts["dealer"]), "NEW_2")
    checked = await world.call("rival", CHECK, deviceSerialNumbers=NUMBERS)
    assert [fault["deviceSerialNumber"] for fault in checked["faults"]] == ["NEW_2"]
    assert (checked["rows"], checked["known"]) == (3, 0)
    status, _ = await world.raw("rival", LIST, deviceSerialNumbers=NUMBERS)
    assert status == Code.EXISTS
    assert await world.pool.fetchval("select count(*) from one_time_code") == 0


async def test_a_robot_that_is_here_gets_in_anew_and_stays_with_its_owner(world: World):
    await enrol(world, await create_code(world, userId=world.accounts["sub"]), "NEW-1")
    assert (await world.call("admin", CHECK, deviceSerialNumbers=NUMBERS)) == {"rows": 3, "known": 1, "faults": []}
    by_serial = await codes(world, userId=world.accounts["user"])
    status, answer = await enrol(world, by_serial["NEW-1"], "NEW-1")
    assert status == 0
    row = await world.call("sub", "/device/selectDeviceByDeviceId", deviceId=answer["deviceId"])
    assert row["ownerUserId"] == world.accounts["sub"]


async def test_a_program_makes_codes_with_a_key_of_that_right_and_with_no_other(world: World):
    bearer = {}
    for key in ("device/index/authCodes", "device/index/authCode"):
        api_key = await world.call("admin", "/user/apiKey/insert", name=key, keys=[key], days=1)
        bearer[key] = {"authorization": f"Bearer {api_key['secret']}"}
    answers = {
        key: (await world.http.post(f"/api{LIST}", json={"deviceSerialNumbers": NUMBERS}, headers=headers)).json()
        for key, headers in bearer.items()
    }
    assert answers["device/index/authCodes"]["message"]["code"] == 0
    assert answers["device/index/authCode"]["message"]["code"] == Code.FORBIDDEN


async def test_the_sheet_has_the_codes_by_number_and_they_let_in(world: World):
    answer = await world.post("admin", SHEET, deviceSerialNumbers=NUMBERS, zone="Asia/Tokyo")
    head, *rows = openpyxl.load_workbook(io.BytesIO(answer.content)).worksheets[0].iter_rows(values_only=True)
    assert head[:2] == ("Serial number", "Authorisation code")
    assert [row[0] for row in rows] == NUMBERS
    assert (await enrol(world, rows[0][1], "NEW-1"))[0] == 0


async def test_neither_audit_nor_database_knows_a_code(world: World):
    by_serial = await codes(world)
    audit = await world.pool.fetchval("select detail::text from audit where action = 'device.auth_codes'")
    stored = await world.pool.fetchval("select string_agg(told::text, '') from one_time_code")
    assert not [code for code in by_serial.values() if code in audit or code in stored]


async def read_sheet(world: World, titles: list[str], *rows: list[object], account: str = "admin"):
    book = openpyxl.Workbook()
    for row in (titles, *rows):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    headers = {"token": await world.token(account)}
    files = {"file": ("robots.xlsx", out.getvalue())}
    return (await world.http.post("/api/device/readAuthCodeSheet", files=files, headers=headers)).json()


async def test_serial_numbers_come_from_a_sheet_each_once_and_nothing_is_stored(world: World):
    answer = await read_sheet(world, ["Device", "序列号"], ["A", "NEW-1"], ["B", 20001], ["C", None], ["D", "NEW-1"])
    assert answer["data"]["list"] == ["NEW-1", "20001"]
    assert await world.pool.fetchval("select count(*) from one_time_code") == 0


async def test_a_sheet_without_serial_numbers_and_who_may_make_no_codes_are_refused(world: World):
    for titles in (["Device"], ["Nonsense"]):
        refused = await read_sheet(world, titles, ["A"])
        assert (refused["message"]["code"], refused["data"]["field"]) == (Code.BAD_INPUT, "file")
    assert (await read_sheet(world, ["Serial number"], ["A"], account="user"))["message"]["code"] == Code.FORBIDDEN
    nothing = await world.post("admin", "/device/readAuthCodeSheet")
    assert nothing.json()["message"]["code"] == Code.BAD_INPUT


async def test_codes_for_a_type_that_is_not_there_are_refused(world: World):
    for path, payload in ((LIST, {"deviceSerialNumbers": NUMBERS}), ("/device/deviceGenerateAuthCode", {})):
        code, data = await world.raw("admin", path, deviceType=999, **payload)
        assert (code, data["field"]) == (Code.BAD_INPUT, "deviceType")
    assert await world.pool.fetchval("select count(*) from one_time_code") == 0
