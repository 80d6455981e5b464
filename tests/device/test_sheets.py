"""Robots as a spreadsheet and from one: an export is right to the second, an import is all or nothing."""

import csv
import io
import zipfile
from datetime import datetime, timedelta, timezone
from typing import Any

import openpyxl
import pytest

from lustra.core.errors import Code, Refusal
from lustra.domains.device import import_sheet, sheet_rows
from lustra.live.ingest import state as hot
from tests.world import World, state

FOREIGN = "rivaluser"
CODE = {"Serial number": "SC0500", "Device": "Fifth", "Device type": "Scrubber"}


async def store_state(world: World, sn: str, **fields: Any):
    async with world.pool.acquire() as db:
        await hot.store(db, [hot.row(sn, datetime.now(timezone.utc), state(**fields))])


def sheet_of(answer: Any) -> list[dict]:
    sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).active
    titles = [cell.value for cell in sheet[1]]
    return [dict(zip(titles, row, strict=True)) for row in sheet.iter_rows(min_row=2)]


def build_book(*rows: dict, titles: list | None = None) -> bytes:
    workbook = openpyxl.Workbook()
    titles = titles or list(dict.fromkeys(title for row in rows for title in row))
    workbook.active.append(titles)
    for row in rows:
        workbook.active.append([row.get(title) for title in titles])
    out = io.BytesIO()
    workbook.save(out)
    return out.getvalue()


async def send(world: World, path: str, content: bytes, account: str = "dealer"):
    response = await world.http.post(
        f"/api{path}", files=[("file", ("robots.xlsx", content))], headers={"token": await world.token(account)}
    )
    answer = response.json()
    return answer["message"]["code"], answer["data"]


async def check_import(world: World, content: bytes, account: str = "dealer"):
    code, answer = await send(world, "/device/importCheck", content, account)
    assert code == 0, answer
    return [(fault["row"], fault["column"], fault["told"], fault["why"]) for fault in answer["faults"]]


async def serials(world: World) -> set[str]:
    return {row["serial_number"] for row in await world.pool.fetch("select serial_number from device")}


@pytest.mark.spec("rule.export.duration", "rule.export.percent", "const.x.export_name", "conv.export")
async def test_the_export_has_durations_percentages_and_no_formula(world: World):
    await world.pool.execute("update device set name = '=1+1' where serial_number = 'SC0001'")
    await store_state(
        world, "SC0001", run="r1", battery=62.0, liquid=41.0, progress=0.25, remaining_s=3661.0, cleaned=12.5
    )
    await world.pool.execute("update robot_state set mode_since = (extract(epoch from now()) - 90000) * 1000")
    answer = await world.post("user", "/device/export", zone="Asia/Tokyo")
    assert answer.headers["content-disposition"].endswith("export.xlsx")
    first, second, _ = sheet_of(answer)
    assert (first["Device"].value, first["Device"].data_type) == ("=1+1", "s")
    assert (first["Time left"].value, first["Time left"].number_format) == (timedelta(seconds=3661), "[h]:mm:ss")
    assert timedelta(seconds=90000) <= first["In this state for"].value < timedelta(seconds=90060)
    assert (first["Battery level"].value, first["Battery level"].number_format) == (0.62, "0%")
    assert (first["Progress"].value, first["State"].value) == (0.25, "Cleaning")
    assert first["Country or region"].value == "United Kingdom"
    age = first["Last contact"].value - datetime.now(timezone(timedelta(hours=9))).replace(tzinfo=None)
    assert abs(age) < timedelta(minutes=1)
    assert (second["State"].value, second["Battery level"].value) == ("Offline", None)


async def test_the_export_comes_as_csv_with_its_zone_and_no_formula(world: World):
    await world.pool.execute("update device set name = '=1+1' where serial_number = 'SC0001'")
    await store_state(world, "SC0001", run="r1", battery=62.0, progress=0.25, remaining_s=3661.0, cleaned=12.5)
    answer = await world.post("user", "/device/export", zone="Asia/Tokyo", form="csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.headers["content-disposition"].endswith("export.csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    [row] = [row for row in rows if row["Serial number"] == "SC0001"]
    assert (row["Device"], row["Time left"], row["Battery level"]) == ("'=1+1", "1:01:01", "0.62")
    book = {key: cell.value for key, cell in sheet_of(await world.post("user", "/device/export"))[0].items()}
    assert (row["Time zone"], book["Time zone"]) == ("Asia/Tokyo", "UTC")
    assert list(row) == list(book)
    assert (await world.raw("user", "/device/export", form="pdf"))[0] == Code.BAD_INPUT
    for path in ("/taskReport/export", "/log/export"):
        lines = (await world.post("admin", path, form="csv")).text.splitlines()
        assert lines[0].endswith("Time zone"), path


async def test_the_export_keeps_to_scope_filter_and_order(world: World):
    await store_state(world, "SC0002", mode="charging")

    async def exported(account: str, **filters: Any):
        return [row["Serial number"].value for row in sheet_of(await world.post(account, "/device/export", **filters))]

    assert await exported("user") == ["SC0002", "SC0001", "SC0003"]
    assert await exported("user", mode="offline") == ["SC0001", "SC0003"]
    assert await exported("user", deviceCode="03") == ["SC0003"]
    assert await exported(FOREIGN) == ["SC0010"]
    await world.pool.execute(
        "insert into device_account select $1, id, path from account where account = 'rivaluser'",
        world.devices["SC0001"],
    )
    rows = sheet_of(await world.post(FOREIGN, "/device/export"))
    owners = {row["Serial number"].value: row["Owner"].value for row in rows}
    assert owners["SC0001"] is None  # an account out of its scope
    assert owners["SC0010"]


async def test_a_filled_in_template_becomes_robots(world: World):
    titles = [
        cell.value
        for cell in openpyxl.load_workbook(
            io.BytesIO((await world.post("dealer", "/device/importTemplate")).content)
        ).active[1]
    ]
    assert len(titles) == len(sheet_rows.FIELDS)
    rows = [
        CODE | {"Owner (Login name)": "USER", "Latitude": 51.5, "Tunnel port": 25_000, "Building": "Ward 机器"},
        {"Serial number": 600, "Device": "Sixth", "Device type": "scrubber"},
    ]
    content = build_book(*rows, titles=titles)
    assert await check_import(world, content) == []
    assert "SC0500" not in await serials(world)
    code, answer = await send(world, "/device/import", content)
    assert (code, answer) == (0, {"rows": 2, "faults": [], "serials": ["SC0500", "600"]})
    imported = {
        row["deviceSerialNumber"]: row for row in (await world.call("dealer", "/device/selectDevicePc"))["list"]
    }
    assert (imported["SC0500"]["ownerUserId"], imported["SC0500"]["frpPort"]) == (world.accounts["user"], 25_000)
    assert (imported["600"]["ownerUserId"], imported["600"]["latitude"]) == (world.accounts["dealer"], None)
    log = (await world.call("admin", "/log/list", action="device.import"))["list"]
    assert [row["detail"]["rows"] for row in log] == [2]


async def test_name_every_bad_row_of_an_import_and_store_none(world: World):
    await world.pool.execute("update device set frp_port = 20001 where serial_number = 'SC0001'")
    content = build_book(
        CODE,
        CODE | {"Device": "Twice"},
        CODE | {"Serial number": "SC0001"},
        {"Serial number": "No way", "Device": "", "Device type": "Kettle"},
        CODE
        | {"Serial number": "SC0501", "Latitude": 99, "Country or region (two letters)": "Britain", "SIM card": "12"},
        {},
        CODE | {"Serial number": "SC0502", "Owner (Login name)": FOREIGN},
        CODE | {"Serial number": "SC0503", "Tunnel port": 20_001},
        CODE | {"Serial number": "SC0504", "SSH port": 20_002},
        CODE | {"Serial number": "SC0505", "Tunnel port": "=1+1"},
    )
    before = await serials(world)
    faults = await check_import(world, content)
    assert [(row, column) for row, column, *_ in faults] == [
        (3, "Serial number"),
        (4, "Serial number"),
        (5, "Device type"),
        (5, "Serial number"),
        (5, "Device"),
        (6, "SIM card"),
        (6, "Country or region (two letters)"),
        (6, "Latitude"),
        (8, "Owner (Login name)"),
        (9, "Tunnel port"),
        (10, "SSH port"),
    ]
    assert faults[0][2:] == ("SC0500", "Another robot has this serial number")
    code, answer = await send(world, "/device/import", content)
    assert (code, len(answer["faults"])) == (0, len(faults))
    assert await serials(world) == before


async def test_refuse_a_file_that_is_no_list_of_robots(world: World):
    content = build_book({"Serial number": "A1", "Colour": "red"})
    code, answer = await send(world, "/device/importCheck", content)
    assert (code, answer["field"]) == (Code.BAD_INPUT, "file")
    answer = await world.http.post(
        "/api/device/importCheck", files=[("file", ("a.xlsx", content))], headers={"token": await world.token("dealer")}
    )
    assert "Colour" in answer.json()["message"]["message"]


def packed(parts: dict[str, bytes]) -> bytes:
    """A sheet with these parts besides."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(build_book(CODE))) as whole, zipfile.ZipFile(out, "w") as larger:
        for part in whole.namelist():
            larger.writestr(part, whole.read(part))
        for part, content in parts.items():
            larger.writestr(part, content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"PK no", "readable .xlsx"),
        (b"", "readable .xlsx"),
        (build_book(), "no rows"),
        (build_book({"Serial number": None}), "no rows"),
        (build_book({"Serial number": "A1", "Colour": "red"}), "Colour"),
        (build_book({"Serial number": "A1", "deviceSerialNumber": "A1"}), "same field"),
        (build_book(*({"Serial number": f"A{n}"} for n in range(2001))), "2000"),
        (packed({f"xl/{number}.xml": b"" for number in range(sheet_rows.MOST_PARTS)}), "too large"),
        (packed({"xl/other/": b"", "xl/other/styles.xml": b"<x/>" * (sheet_rows.MOST_STYLE_MARKS + 1)}), "too large"),
        (b"P" * (sheet_rows.LARGEST + 1), "4 MB"),
    ],
)
def test_say_what_is_wrong_with_a_file(content: bytes, why: str):
    with pytest.raises(Refusal) as refusal:
        sheet_rows.read_rows({"file": content})
    assert why in refusal.value.text("en")


def test_read_cells_as_the_form_would_have_them():
    content = build_book(
        {
            "Serial number": 1e16,
            "Tunnel port": 20_001,
            "Latitude": 31.25,
            "Time zone": datetime.fromisoformat("2026-03-01"),
            "Floor": " 3 ",
        }
    )
    sheet = sheet_rows.read_rows({"file": content})
    assert sheet.lines == [
        sheet_rows.Line(
            2,
            {
                "deviceSerialNumber": "10000000000000000",
                "frpPort": "20001",
                "latitude": "31.25",
                "zone": "2026-03-01T00:00:00",
                "address1": "3",
            },
        )
    ]


async def test_a_packed_bomb_is_not_unpacked(world: World):
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(build_book(CODE))) as whole,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bomb,
    ):
        for part in whole.namelist():
            bomb.writestr(part, whole.read(part))
        bomb.writestr("xl/bomb.xml", b" " * (sheet_rows.UNPACKED + 1))
    assert len(out.getvalue()) < sheet_rows.LARGEST
    code, answer = await send(world, "/device/importCheck", out.getvalue())
    assert (code, answer["field"]) == (Code.BAD_INPUT, "file")


async def test_a_sheet_that_says_it_is_vast_is_read_as_far_as_it_may_be(world: World):
    workbook = openpyxl.Workbook()
    workbook.active.append(list(CODE))
    workbook.active.append(list(CODE.values()))
    workbook.active.cell(1_048_576, 16_384, "far")
    out = io.BytesIO()
    workbook.save(out)
    code, answer = await send(world, "/device/importCheck", out.getvalue())
    assert (code, answer["field"]) == (Code.BAD_INPUT, "file")


async def test_only_who_may_add_robots_imports_them(world: World):
    for path in ("/device/importCheck", "/device/import"):
        assert (await send(world, path, build_book(CODE), "sub"))[0] == Code.FORBIDDEN
    assert (await world.raw("sub", "/device/importTemplate"))[0] == Code.FORBIDDEN


async def test_several_robots_go_to_another_owner_or_none_does(world: World):
    devices = [world.devices[sn] for sn in ("SC0001", "SC0002")]
    to = world.accounts["sub"]
    for wrong in (
        {"deviceIds": [*devices, world.devices["SC0010"]], "ownerUserId": to},
        {"deviceIds": devices, "ownerUserId": world.accounts[FOREIGN]},
    ):
        assert (await world.raw("dealer", "/device/updateDevicesOwner", **wrong))[0] == Code.NOT_FOUND
    assert await world.pool.fetchval("select count(*) from former_owner") == 0
    await world.call("dealer", "/device/updateDevicesOwner", deviceIds=devices, ownerUserId=to, things="hand_over")
    rows = await world.pool.fetch("select device_id, owner_id, to_id, things from former_owner order by 1")
    assert [tuple(row) for row in rows] == [
        (device, world.accounts["user"], to, "hand_over") for device in sorted(devices)
    ]
    for account, code in (("dealer", Code.BAD_INPUT), ("user", Code.FORBIDDEN)):
        assert (await world.raw(account, "/device/updateDevicesOwner", deviceIds=[], ownerUserId=to))[0] == code


async def test_a_sheet_that_is_too_large_and_no_sheet_are_refused(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(import_sheet, "LARGEST", 100)
    for content in (build_book(CODE), None):
        files = [("file", ("a.xlsx", content))] if content else None
        headers = {"token": await world.token("dealer")}
        answer = await world.http.post("/api/device/importCheck", files=files, data={}, headers=headers)
        assert answer.json()["message"]["code"] == Code.BAD_INPUT
