"""What tablets look like: a dealer alone says it, whole or not at all, with pictures of the sizes of their places."""

import io
import os
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lustra.core.errors import Code
from lustra.core.files.pictures import LARGEST
from lustra.domains.account.api import DEMO_PASSWORD, PersonalDataRequested, PersonErased
from lustra.domains.tablet import pictures, privacy, service
from tests.tablet.looks import SIZES, chosen, drawn, upload, url_of
from tests.world import World

ONE_EACH = tuple(service.ONE_EACH.values())


async def read(world: World, account: str = "dealer") -> Any:
    return (await world.call(account, "/user/selectPadConfig"))["padConfig"]


async def refused(world: World, account: str = "dealer", **fields: Any) -> str:
    answer = (await world.post(account, "/user/updatePadConfig", **fields)).json()
    assert answer["message"]["code"] == Code.BAD_INPUT
    return answer["message"]["message"]


@pytest.mark.spec("call.user.updatePadConfig", "ent.pad_config", "const.pad_images", "q.theme_default")
async def test_a_dealer_says_what_tablets_look_like_and_reads_it_again(world: World):
    assert await read(world) is None
    look = await chosen(world)
    await world.call("dealer", "/user/updatePadConfig", **look)
    shown = await read(world)
    assert {name: shown[name] for name in look} == look
    assert shown["userId"] == world.accounts["dealer"]
    del look["themeColor"]
    await world.call("dealer", "/user/updatePadConfig", userId=world.accounts["dealer"], **look)
    assert (await read(world))["themeColor"] == "#017465"


@pytest.mark.spec("rule.pad.level")
@pytest.mark.parametrize("account", ["admin", "user", "sub", "operations"])
async def test_let_only_dealers_set_the_look_of_tablets(world: World, account: str):
    look = await chosen(world)
    for path, fields in (("/user/updatePadConfig", look), ("/user/selectPadConfig", {})):
        assert (await world.raw(account, path, **fields))[0] == Code.FORBIDDEN
    assert (await upload(world, account, "mainLogo", drawn("mainLogo")))[0]["code"] == Code.FORBIDDEN
    for name, brands in ((account, False), ("dealer", True)):
        session = await world.call(name, "/login", account=name, password=DEMO_PASSWORD)
        assert session["brandsTablets"] is brands


@pytest.mark.spec("rule.pad.level")
async def test_a_dealer_says_it_for_itself_alone(world: World):
    look = await chosen(world)
    await world.call("dealer", "/user/updatePadConfig", **look)
    for other in ("rival", "user"):
        code, _ = await world.raw("dealer", "/user/updatePadConfig", userId=world.accounts[other], **look)
        assert code == Code.FORBIDDEN
    assert await read(world, "rival") is None


@pytest.mark.spec("rule.pad.images")
async def test_no_picture_may_be_left_out(world: World):
    look = await chosen(world)
    for name in ONE_EACH:
        for missing in ({k: v for k, v in look.items() if k != name}, look | {name: ""}):
            assert (await refused(world, **missing)).endswith(": Please select a picture")
    assert await refused(world, **look | {"homeTiles": look["homeTiles"][1:]}) == "Home tiles: At least 6 entries"
    assert "select a picture" in await refused(world, **look | {"homeTiles": [*look["homeTiles"][1:], ""]})
    assert await read(world) is None


@pytest.mark.spec("rule.pad.sizes", "q.pad_sizes", "const.pad_images")
@pytest.mark.parametrize("picture", SIZES)
async def test_a_picture_has_the_size_of_its_place(world: World, picture: str):
    width, height = SIZES[picture]
    for wrong in ((width, height - 80), (width * 2, height * 2), (height, width)):
        message, _ = await upload(world, "dealer", picture, drawn(picture, size=wrong))
        assert message["message"] == f"File: The picture must be {width} × {height} pixels"
    for kind in ("PNG", "JPEG", "GIF", "WEBP"):
        await url_of(world, "dealer", picture, drawn(picture, kind))


@pytest.mark.spec("rule.pad.sizes")
async def test_refuse_a_picture_of_another_place_a_foreign_address_or_nothing(world: World):
    look = await chosen(world)
    logo = await refused(world, **look | {"mainLogo": look["loginLogo"]})
    assert logo == "Main logo: The picture must be 600 × 270 pixels"
    assert "1280 × 800" in await refused(world, **look | {"idleAnimation": look["mainLogo"]})
    assert "select a picture" in await refused(world, **look | {"mainLogo": "https://example.org/logo.png"})
    shape = f"{pictures.ADDRESS}{'0' * 32}-600x270/x"
    assert "select a picture" in await refused(world, **look | {"mainLogo": shape})
    missing = f"{pictures.ADDRESS}{'0' * 32}-600x270"
    assert (await world.raw("dealer", "/user/updatePadConfig", **look | {"mainLogo": missing}))[0] == Code.NOT_FOUND


@pytest.mark.spec("q.image_formats", "q.mb_definition")
async def test_refuse_a_file_that_is_no_picture_or_too_large(world: World):
    async def words(*contents: bytes) -> str:
        return (await upload(world, "dealer", "mainLogo", *contents))[0]["message"]

    logo = drawn("mainLogo")
    assert await words() == "File: Please select a picture"
    assert await words(b"") == "File: Please select a picture"
    assert await words(b"<svg/>") == "File: File format not supported"
    assert await words(drawn("mainLogo", "BMP")) == "File: File format not supported"
    assert await words(logo, logo) == "File: One file at a time"
    assert await words(logo + bytes(LARGEST - len(logo) + 1)) == "The file is too large (limit 2 MB)"
    await url_of(world, "dealer", "mainLogo", logo + bytes(LARGEST - len(logo)))


async def test_an_animation_keeps_its_frames_and_whoever_knows_its_address_sees_it(world: World):
    frames = [Image.new("RGB", (1280, 800), colour) for colour in ((200, 0, 0), (0, 200, 0))]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
    url = await url_of(world, "dealer", "bootAnimation", out.getvalue())
    answer = await world.http.get(url)
    assert (answer.headers["content-type"], answer.content) == ("image/gif", out.getvalue())
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.spec("rule.pad.about", "const.about_us_min")
async def test_the_text_about_the_dealer_has_two_characters_at_least(world: World):
    look = await chosen(world)
    for short in ("H", " H ", "我", ""):
        assert await refused(world, **look | {"aboutUs": short}) == "About us: At least 2 characters"
    assert await refused(world, **look | {"aboutUs": "x" * 2001}) == "About us: At most 2000 characters"
    for good in ("Hi", "我们", "x" * 2000):
        await world.call("dealer", "/user/updatePadConfig", **look | {"aboutUs": good})
    assert await refused(world, **look | {"themeColor": "#123456"}) == "Theme colour: Choose one of the options"


async def test_refuse_a_late_edit_and_name_the_changed_fields(world: World):
    look = await chosen(world)
    await world.call("dealer", "/user/updatePadConfig", **look)
    seen = (await read(world))["updateTime"]
    await world.call("dealer", "/user/updatePadConfig", **look | {"aboutUs": "New"}, updateTime=seen)
    code, data = await world.raw("dealer", "/user/updatePadConfig", **look | {"aboutUs": "Newer"}, updateTime=seen)
    assert (code, data) == (Code.CONFLICT, {"fields": ["aboutUs"]})


async def test_export_the_look_of_tablets_with_a_dealers_data_and_erase_it(world: World):
    await world.call("dealer", "/user/updatePadConfig", **await chosen(world))
    account = world.accounts["dealer"]
    async with world.services.sessions.begin() as db:
        request = PersonalDataRequested(account, {}, [])
        await privacy.on_personal_data_requested(db, request)
        assert [row["about"] for row in request.rows["tabletBranding"]] == ["We clean."]
        await privacy.on_person_erased(db, PersonErased(account, ("dealer",), "(erased)"))
    assert await read(world) is None


async def test_pictures_that_no_dealer_has_are_cleared_away_after_a_day(world: World, tmp_path: Path):
    look = await chosen(world)
    await world.call("dealer", "/user/updatePadConfig", **look)
    unused = [await url_of(world, "dealer", "mainLogo") for _ in range(2)]
    before = time.time() - pictures.UNUSED.total_seconds() - 60
    for file in (tmp_path / "objects" / "tablet").iterdir():
        if file.name != unused[1].rsplit("/", 1)[-1]:
            os.utime(file, (before, before))
    await pictures.purge(world.services)
    left = {file.name for file in (tmp_path / "objects" / "tablet").iterdir()}
    used = {look[name] for name in ONE_EACH} | {look["homeTiles"][0]}
    assert left == {url.rsplit("/", 1)[-1] for url in (*used, unused[1])}
