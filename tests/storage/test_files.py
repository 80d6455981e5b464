"""Files: upload by token or at once, names, sizes, contents, links, deletion; nobody else's."""

import io
import os
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import Services
from lustra.core.errors import Code
from lustra.core.files.objects import Objects
from lustra.domains.storage import service
from tests.clients import Console, LogIn


def png(colour: Any = (1, 2, 3), size: int = 8) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (size, size), colour).save(out, "PNG")
    return out.getvalue()


async def put(client: Any, path: Any, content: Any, **more: Any):
    folder, _, name = path.rpartition("/")
    token = await client("/oss/upload", file=name, targetPath=folder, isPrivate=1, **more)
    return (await client.http.put("/api/oss/object", params={"token": token}, content=content)).json()


async def fetch(client: Any, path: Any):
    url = await client("/oss/downloadUrl", savePath=path, isPrivate=1)
    return await client.http.get(url)


def files(tmp_path: Path):
    return [path for path in (tmp_path / "objects").rglob("*") if path.is_file()]


@pytest.mark.spec("call.oss.upload", "call.oss.downloadUrl", "q.oss_upload_file", "q.vendor_services")
async def test_a_token_takes_the_bytes_and_a_link_gives_them_back(console: LogIn):
    me = await console("dealer")
    stored = await put(me, "logos/main.png", png())
    size = len(png())
    assert stored["data"] == {"savePath": "logos/main.png", "size": size, "kind": "image/png", "received": size}
    answer = await fetch(me, "logos/main.png")
    assert (answer.content, answer.headers["content-type"]) == (png(), "image/png")


@pytest.mark.spec("call.oss.upload", "q.oss_upload_file")
async def test_a_form_with_the_file_itself_is_stored_in_one_step(console: LogIn):
    me = await console("dealer")
    form = {"targetPath": "files", "isPrivate": "1"}
    answer = await me.http.post("/api/oss/upload", data=form, files={"file": ("a.zip", b"PK\x03\x04zip")})
    assert answer.json()["message"]["code"] == 0
    fetched = await fetch(me, "files/a.zip")
    assert fetched.content == b"PK\x03\x04zip"
    assert fetched.headers["content-disposition"] == "attachment; filename*=UTF-8''a.zip"


@pytest.mark.spec("rule.oss.token_ttl", "const.upload_token_lifetime")
async def test_an_upload_token_lives_110_minutes_and_cannot_be_made_up(
    console: LogIn, services: Services, monkeypatch: pytest.MonkeyPatch
):
    me = await console("dealer")
    clock = time.time()
    monkeypatch.setattr("time.time", lambda: clock)
    token = await me("/oss/upload", file="a.png")
    monkeypatch.setattr("time.time", lambda: clock + 6599)
    assert (await me.http.put("/api/oss/object", params={"token": token}, content=png())).json()["message"]["code"] == 0
    monkeypatch.setattr("time.time", lambda: clock + 6601)
    for spoiled in (
        token,
        f"{token[:-9]}00000000{token[-1]}",
        Objects("file:///tmp", "other").ticket({"path": "a"}, 10**9),
        "x",
        "é.ü",
    ):
        answer = await me.http.put("/api/oss/object", params={"token": spoiled}, content=png())
        assert answer.json()["message"]["code"] == Code.UPLOAD_EXPIRED


@pytest.mark.spec("rule.image.size", "const.image_upload_limit", "q.mb_definition")
async def test_a_picture_has_two_mebibytes_at_most(console: LogIn, tmp_path: Path):
    me = await console("dealer")
    exact = png() + b"0" * (service.LARGEST_IMAGE - len(png()))
    assert (await put(me, "a.png", exact))["message"]["code"] == 0
    before = files(tmp_path)
    answer = await put(me, "a.png", exact + b"0")
    assert answer["message"] == {"code": Code.TOO_LARGE, "message": "The file is too large (limit 2 MB)"}
    assert files(tmp_path) == before


@pytest.mark.spec("rule.image.format", "q.image_formats")
@pytest.mark.parametrize("content", [b"MZ\x90 a program", b"<svg/>", b"", b"GIF89a"])
async def test_a_picture_is_a_picture_by_its_bytes(console: LogIn, tmp_path: Path, content: bytes):
    answer = await put(await console("dealer"), "a.png", content)
    assert answer["message"] == {"code": Code.BAD_INPUT, "message": "File: File format not supported"}
    assert files(tmp_path) == []


@pytest.mark.spec("rule.image.one", "rule.file.count", "q.file_count")
async def test_upload_a_single_file_at_a_time(console: LogIn):
    me = await console("dealer")
    two = [("file", ("a.png", png())), ("file", ("b.png", png()))]
    answer = await me.http.post("/api/oss/upload", files=two)
    assert answer.json()["message"] == {"code": Code.BAD_INPUT, "message": "File: One file at a time"}


@pytest.mark.spec("rule.file.name", "q.filename_chars")
@pytest.mark.parametrize(
    "name", ["map 01.zip", "a*b.zip", ".hidden", "..", "a/../b", "x" * 129, "a\\b", "a\n.zip", "a:b"]
)
async def test_a_file_name_has_no_spaces_or_special_characters(console: LogIn, name: str):
    me = await console("dealer")
    for payload in (
        {"file": name},
        {"file": "good.zip", "targetPath": name if "/" in name or name == ".." else f"a/{name}"},
    ):
        answer = await me.answer("/oss/upload", **payload)
        assert answer["message"]["code"] == Code.BAD_INPUT, payload
        assert answer["data"]["field"] == "file"


@pytest.mark.spec("rule.file.name")
@pytest.mark.parametrize("name", ["map_01.zip", "地图-1.zip", "خريطة.zip", "a", "x" * 128])
async def test_letters_of_any_script_digits_dot_underscore_and_hyphen_are_good(console: LogIn, name: str):
    assert (await (await console("dealer")).raw("/oss/upload", file=name))[0] == 0


@pytest.mark.spec("rule.avatar.chosen")
async def test_without_a_file_nothing_is_uploaded(console: LogIn):
    answer = await (await console("dealer")).answer("/oss/upload", targetPath="a")
    assert answer["message"]["message"] == "File: This field is required"


@pytest.mark.spec("rule.file.overwrite", "rule.file.replace", "q.replace_safety")
async def test_the_same_name_overwrites_and_the_old_content_goes_only_then(
    console: LogIn, db: AsyncSession, tmp_path: Path
):
    me = await console("dealer")
    old, new = png((1, 1, 1)), png((9, 9, 9))
    await put(me, "a.png", old)
    assert (await put(me, "a.png", b"broken"))["message"]["code"] == Code.BAD_INPUT
    assert (await fetch(me, "a.png")).content == old
    await put(me, "a.png", new)
    assert (await fetch(me, "a.png")).content == new
    assert len(files(tmp_path)) == 1
    assert await db.scalar(text("SELECT count(*) FROM stored_file")) == 1


@pytest.mark.spec("err.text.file_not_found")
async def test_a_file_that_is_not_there_is_not_found(console: LogIn, tmp_path: Path):
    me = await console("dealer")
    await put(me, "a.png", png())
    for call in ("/oss/downloadUrl", "/oss/delete"):
        answer = await me.answer(call, savePath="none.png")
        assert answer["message"] == {"code": Code.NOT_FOUND, "message": "File not found"}, call
    url = await me("/oss/downloadUrl", savePath="a.png")
    (stored,) = files(tmp_path)
    (tmp_path / "objects" / stored).unlink()
    assert (await me.http.get(url)).json()["message"]["message"] == "File not found"


@pytest.mark.spec("call.oss.delete", "rule.oss.delete_list")
async def test_delete_a_comma_list_whole_or_not_at_all_and_keep_bytes_30_days(
    console: LogIn, services: Services, db: AsyncSession, tmp_path: Path
):
    me = await console("dealer")
    for name in ("a.png", "b.png"):
        await put(me, name, png())
    assert (await me.raw("/oss/delete", savePath="a.png,none.png"))[0] == Code.NOT_FOUND
    assert (await fetch(me, "a.png")).status_code == 200
    await me("/oss/delete", savePath="a.png,b.png", isPrivate=1)
    assert (await me.raw("/oss/downloadUrl", savePath="a.png"))[0] == Code.NOT_FOUND
    await service.purge(services)
    assert len(files(tmp_path)) == 2
    await db.execute(text("UPDATE stored_file SET deleted_at = now() - interval '30 days' WHERE path = 'a.png'"))
    await db.execute(
        text("UPDATE stored_file SET deleted_at = now() - interval '29 days 23 hours' WHERE path = 'b.png'")
    )
    await db.commit()
    await service.purge(services)
    assert len(files(tmp_path)) == 1


async def test_purge_an_unfinished_upload_after_a_day(console: LogIn, services: Services, tmp_path: Path):
    me = await console("dealer")
    await put(me, "a.png", png())
    (remaining,) = files(tmp_path)
    left = ("new/half", "robots/SC0001/sent", "files/uncommitted")
    for path in left:
        await services.objects.put_bytes(path, b"1")
    folder = tmp_path / "objects"
    await service.purge(services)
    assert all((folder / path).exists() for path in left)  # it may still be under way
    for path in (*left, str(remaining)):
        os.utime(folder / path, (0, 0))
    await service.purge(services)
    assert not any((folder / path).exists() for path in left)
    assert (await fetch(me, "a.png")).content == png()


async def test_a_link_opens_its_file_only_and_for_a_minute_only(
    console: LogIn, anonymous: Console, monkeypatch: pytest.MonkeyPatch
):
    me = await console("dealer")
    await put(me, "a.png", png())
    url = await me("/oss/downloadUrl", savePath="a.png")
    assert (await anonymous.http.get(url)).content == png()
    other = (await anonymous.http.get(url.replace("?link=", "?link=x"))).json()
    assert other["message"]["code"] == Code.LINK_EXPIRED
    clock = time.time()
    monkeypatch.setattr("time.time", lambda: clock + 61)
    assert (await anonymous.http.get(url)).json()["message"]["code"] == Code.LINK_EXPIRED


async def test_serve_files_other_than_pictures_as_downloads(console: LogIn):
    me = await console("dealer")
    await put(me, "a.html", b"<script>alert(1)</script>")
    answer = await fetch(me, "a.html")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["content-security-policy"] == "sandbox"
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_anothers_file_is_neither_found_nor_deleted_nor_overwritten(console: LogIn):
    dealer, user, rival = await console("dealer"), await console("user"), await console("rival")
    await put(dealer, "a.png", png((1, 1, 1)))
    for foreign in (rival, user):
        assert (await foreign.raw("/oss/downloadUrl", savePath="a.png"))[0] == Code.NOT_FOUND
        assert (await foreign.raw("/oss/delete", savePath="a.png"))[0] == Code.NOT_FOUND
    await put(rival, "a.png", png((2, 2, 2)))
    assert (await fetch(dealer, "a.png")).content == png((1, 1, 1))
    assert (await fetch(rival, "a.png")).content == png((2, 2, 2))
    await rival("/oss/delete", savePath="a.png")
    assert (await fetch(dealer, "a.png")).status_code == 200


async def test_a_file_that_is_not_private_is_seen_by_those_below_its_owner(console: LogIn):
    dealer, user, rival = await console("dealer"), await console("user"), await console("rival")
    token = await dealer("/oss/upload", file="a.png", isPrivate=0)
    await dealer.http.put("/api/oss/object", params={"token": token}, content=png())
    assert (await fetch(user, "a.png")).content == png()
    assert (await user.raw("/oss/delete", savePath="a.png"))[0] == Code.NOT_FOUND
    assert (await rival.raw("/oss/downloadUrl", savePath="a.png"))[0] == Code.NOT_FOUND


async def test_a_robots_delivery_fills_the_place_that_its_ticket_names(console: LogIn, services: Services):
    me = await console("dealer")
    ticket = services.objects.ticket({"place": "events/SC1/e1", "largest": 100}, 60_000)
    answer = await me.http.put("/api/oss/object", params={"token": ticket}, content=b"{}")
    assert answer.json()["data"]["savePath"] == "events/SC1/e1"
    assert await services.objects.get("events/SC1/e1") == b"{}"
    large = await me.http.put("/api/oss/object", params={"token": ticket}, content=b"0" * 101)
    assert large.json()["message"]["code"] == Code.TOO_LARGE


BODY = bytes(range(256)) * 4096


@pytest.mark.parametrize(
    ("range_header", "status", "start", "end"),
    [
        ("bytes=0-9", 206, 0, 10),
        ("bytes=1000000-", 206, 1_000_000, len(BODY)),
        ("bytes=-16", 206, len(BODY) - 16, len(BODY)),
        ("bytes=10-99999999", 206, 10, len(BODY)),
        ("bytes=0-1,5-6", 200, 0, len(BODY)),
        ("bytes=9-3", 200, 0, len(BODY)),
        ("bytes=-", 200, 0, len(BODY)),
        ("cells=0-9", 200, 0, len(BODY)),
    ],
)
async def test_a_part_of_a_file_is_given_as_http_says(
    console: LogIn, range_header: str, status: int, start: Any, end: Any
):
    me = await console("dealer")
    await put(me, "a.bin", BODY)
    answer = await me.http.get(await me("/oss/downloadUrl", savePath="a.bin"), headers={"range": range_header})
    assert (answer.status_code, answer.headers["accept-ranges"]) == (status, "bytes")
    assert answer.content == BODY[start:end]
    assert answer.headers["content-length"] == str(end - start)
    content_range = f"bytes {start}-{end - 1}/{len(BODY)}" if status == 206 else None
    assert answer.headers.get("content-range") == content_range


@pytest.mark.parametrize("range_header", [f"bytes={len(BODY)}-", "bytes=-0"])
async def test_a_part_that_a_file_does_not_have_is_refused_with_its_size(console: LogIn, range_header: str):
    me = await console("dealer")
    await put(me, "a.bin", BODY)
    answer = await me.http.get(await me("/oss/downloadUrl", savePath="a.bin"), headers={"range": range_header})
    assert (answer.status_code, answer.headers["content-range"]) == (416, f"bytes */{len(BODY)}")
    assert answer.content == b""


async def test_the_rest_is_given_only_of_the_content_that_was_begun(console: LogIn):
    me = await console("dealer")
    await put(me, "a.bin", BODY)
    url = await me("/oss/downloadUrl", savePath="a.bin")
    etag = (await me.http.get(url)).headers["etag"]
    rest = {"range": "bytes=100-", "if-range": etag}
    assert (await me.http.get(url, headers=rest)).content == BODY[100:]
    whole = await me.http.get(url, headers=rest | {"if-range": '"another"'})
    assert (whole.status_code, whole.content) == (200, BODY)
