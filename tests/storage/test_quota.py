"""An account holds so much of each kind, and uploads leave the disk a reserve."""

import asyncio
import dataclasses
import io
from pathlib import Path
from typing import NamedTuple

import pytest
from httpx import ASGITransport, AsyncClient
from PIL import Image
from starlette.applications import Starlette

from lustra.core import events, quota
from lustra.core.calls import rpc
from lustra.core.errors import Code
from lustra.core.files import disk
from lustra.domains.map import holdings, mirror
from lustra.domains.storage import disk_monitor, service
from lustra.domains.storage.events import DiskMeasured
from lustra.protocol.bus import Event
from lustra.protocol.flaws import Flawed
from tests.map.test_map_server import PGM, YAML
from tests.world import World, drawn, keep_map


class Usage(NamedTuple):
    total: int
    used: int
    free: int


KB = 1 / (1 << 20)  # in GB


def limited(world: World, **kinds: float) -> AsyncClient:
    """The same server with these limits in GB."""
    setting = ",".join(f"{kind}={size}" for kind, size in kinds.items())
    settings = dataclasses.replace(world.services.settings, quota_gb=setting)
    app = Starlette(routes=[rpc.CallRoute(dataclasses.replace(world.services, settings=settings))])
    return AsyncClient(transport=ASGITransport(app), base_url="http://test")


async def upload(world: World, http: AsyncClient, size: int, name: str = "a.bin", account: str = "user"):
    files = {"files": (name, bytes(size))}
    answer = await http.post("/api/oss/upload", files=files, headers={"token": await world.token(account)})
    return answer.json()["message"]


async def held(world: World, kind: str, account: str = "user") -> int:
    return await world.pool.fetchval(
        "select coalesce(sum(size), 0)::bigint from holding h join account a on a.id = h.account_id"
        " where a.account = $1 and kind = $2",
        account,
        kind,
    )


async def test_refuse_a_file_beyond_the_quota_and_say_how_much_is_stored(world: World, tmp_path: Path):
    async with limited(world, files=10 * KB) as http:
        assert (await upload(world, http, 8000))["code"] == 0
        answer = await upload(world, http, 8000, "b.bin")
        assert answer["code"] == Code.QUOTA
        assert "7 kB of 10 kB" in answer["message"]
        assert len(list((tmp_path / "objects" / "files").iterdir())) == 1
        assert (await upload(world, http, 9000))["code"] == 0  # in the place of the first
        assert await held(world, "files") == 9000
        assert (await upload(world, http, 8000, account="rivaluser"))["code"] == 0  # another's room is another's


async def test_two_uploads_at_the_same_time_do_not_pass_the_limit_together(world: World):
    await world.token("user")  # one session for all of them
    async with limited(world, files=10 * KB) as http:
        codes = await asyncio.gather(*(upload(world, http, 6000, f"{n}.bin") for n in range(6)))
    assert sorted(answer["code"] for answer in codes) == [0, *[Code.QUOTA] * 5]
    assert await held(world, "files") == 6000


async def test_the_second_upload_is_judged_when_the_first_is_committed(world: World):
    hold = "select hold_object((select id from account where account = 'user'), 'files', $1, 6000, 10000)"
    waiting = "select count(*) from pg_stat_activity where wait_event = 'advisory' and datname = current_database()"
    async with world.pool.acquire() as first, world.pool.acquire() as second:
        async with first.transaction():
            assert await first.fetchval(hold, "a") == quota.HELD
            other = asyncio.create_task(second.fetchval(hold, "b"))
            while not other.done() and not await world.pool.fetchval(waiting):  # noqa: ASYNC110  PostgreSQL tells nobody
                await asyncio.sleep(0.01)
        assert await other == 6000


async def test_free_the_quota_by_deleted_files(world: World, tmp_path: Path):
    async with limited(world, files=10 * KB) as http:
        assert (await upload(world, http, 8000))["code"] == 0
        await world.call("user", "/oss/delete", savePath="a.bin")
        assert await held(world, "files") == 8000
        assert (await upload(world, http, 9000, "b.bin"))["code"] == 0
    assert await held(world, "files") == 9000
    assert [file.stat().st_size for file in (tmp_path / "objects" / "files").iterdir()] == [9000]


async def test_count_no_purged_file(world: World):
    async with limited(world, files=10 * KB) as http:
        assert (await upload(world, http, 8000))["code"] == 0
    await world.call("user", "/oss/delete", savePath="a.bin")
    await world.pool.execute("update stored_file set deleted_at = now() - interval '31 days'")
    await service.purge(world.services)
    assert await held(world, "files") == 0


async def test_count_maps_versions_pictures_and_adverts_by_their_own_limits(world: World):
    headers = {"token": await world.token("user")}
    files = [("files", ("a.yaml", YAML)), ("files", ("floor.pgm", PGM))]
    noise = io.BytesIO()
    Image.effect_noise((300, 300), 90).save(noise, "PNG")
    async with limited(world, maps=KB / 20, pictures=KB, adverts=KB) as http:
        for path, handed in (
            ("/map/importMap", files),
            ("/public/uploadAvatar", {"file": ("a.png", noise.getvalue())}),
        ):
            answer = (await http.post(f"/api{path}", files=handed, headers=headers)).json()["message"]
            assert answer["code"] == Code.QUOTA, (path, answer)
        headers = {"token": await world.token("admin")}
        advert = {"file": ("a.png", noise.getvalue())}
        answer = (await http.post("/api/device/uploadAdvertising", files=advert, headers=headers)).json()["message"]
        assert answer["code"] == Code.QUOTA, answer
    assert await world.pool.fetchval("select count(*) from holding") == 0


async def test_a_robots_map_is_its_owners_and_beyond_the_limit_it_is_not_kept(world: World):
    event = Event(at=5, id="e", kind="map", name="Ground", revision=5, content=drawn("Ground"))
    async with world.pool.acquire() as db:
        await keep_map(db, world.services.objects, "SC0001", event)
        used = await held(world, "maps")
        assert used > 0
        read = await mirror.read(world.services.intake, "SC0001", event)
        event.revision = event.at = 6
        with pytest.raises(Flawed, match="no_room"):
            await mirror.keep(db, world.services.objects, "SC0001", event, read, quota_gb=f"maps={used / quota.GB}")
    assert await world.pool.fetchval("select max(revision) from floor_map") == 5


async def test_tell_owner_and_administrators_once_a_day_of_a_map_not_copied(world: World):
    recipients = (
        "select a.account, m.values from message m join account a on a.id = m.account_id where kind = 'maps_full'"
    )
    async with world.pool.acquire() as db:
        for revision in (5, 6):
            event = Event(at=revision, id="e", kind="map", name="Ground", revision=revision, content=drawn("Ground"))
            read = await mirror.read(world.services.intake, "SC0001", event)
            with pytest.raises(Flawed):
                await mirror.keep(db, world.services.objects, "SC0001", event, read, quota_gb=f"maps={KB / 100}")
        rows = await db.fetch(recipients)
        owner = await db.fetchval(
            "select a.account from device d join account a on a.id = d.owner_id where serial_number = 'SC0001'"
        )
        assert sorted(row["account"] for row in rows) == sorted({"admin", owner})
        await db.execute("update message set created_at = now() - interval '25 hours'")
        with pytest.raises(Flawed):
            await mirror.keep(db, world.services.objects, "SC0001", event, read, quota_gb=f"maps={KB / 100}")
        assert len(await db.fetch(recipients)) == 2 * len(rows)
    unread = await world.call(owner, "/message/findMessageByUnRead")
    assert "the map “Ground” stays on the robot" in str(unread)


async def test_maps_of_before_they_were_counted_count_from_the_next_night_on(world: World):
    event = Event(at=5, id="e", kind="map", name="Ground", revision=5, content=drawn("Ground"))
    async with world.pool.acquire() as db:
        await keep_map(db, world.services.objects, "SC0001", event)
    headers = {"token": await world.token("user")}
    files = [("files", ("a.yaml", YAML)), ("files", ("floor.pgm", PGM))]
    async with limited(world) as http:
        assert (await http.post("/api/map/importMap", files=files, headers=headers)).json()["message"]["code"] == 0
    query = "select account_id, place, kind, size from holding order by 1, 2"
    before = [tuple(row) for row in await world.pool.fetch(query)]
    pictures = [row for row in before if not row[1].startswith("map_version/")]
    await world.pool.execute("delete from holding")
    for _ in range(2):  # the second night finds nothing new
        await holdings.count_uncounted(world.services)
        after = [tuple(row) for row in await world.pool.fetch(query)]
        assert [row[:3] for row in after] == [row[:3] for row in before]
        assert [row for row in after if not row[1].startswith("map_version/")] == pictures
    await world.pool.execute("delete from holding")
    await world.services.objects.delete(pictures[0][1])
    await holdings.count_uncounted(world.services)
    sizes = {row["place"]: row["size"] for row in await world.pool.fetch(query)}
    assert sizes[pictures[0][1]] == 0  # a picture that is missing takes nothing


async def test_below_the_reserve_of_the_disk_nothing_is_uploaded_and_the_rest_goes_on(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(disk.shutil, "disk_usage", lambda _: Usage(100 << 30, 0, 1 << 30))
    monkeypatch.setattr(world.services.objects, "reserve_mb", 2048)
    async with limited(world) as http:
        answer = await upload(world, http, 10)
        assert answer["code"] == Code.DISK_FULL
        assert "disk space" in answer["message"]
        files = [("files", ("a.yaml", YAML)), ("files", ("floor.pgm", PGM))]
        headers = {"token": await world.token("user")}
        response = await http.post("/api/map/importMap", files=files, headers=headers)
        assert response.json()["message"]["code"] == Code.DISK_FULL
    assert (await world.call("user", "/map/selectMap"))["list"] == []


async def test_an_upload_that_would_touch_the_reserve_is_refused_before_it_is_read(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(disk.shutil, "disk_usage", lambda _: Usage(100 << 30, 0, (2 << 30) + 4000))
    monkeypatch.setattr(world.services.objects, "reserve_mb", 2048)
    async with limited(world) as http:
        assert (await upload(world, http, 10))["code"] == 0
        assert (await upload(world, http, 8000))["code"] == Code.DISK_FULL


async def test_tell_administrators_once_of_low_room_and_once_of_enough(world: World):
    kinds = "select kind from message m join account a on a.id = m.account_id where a.account = 'admin' order by m.id"
    for free, kinds_sent in (
        (50, []),
        (3, ["disk_low"]),
        (3, ["disk_low"]),
        (4.5, ["disk_low"]),
        (9, ["disk_low", "disk_well"]),
        (3, ["disk_low", "disk_well", "disk_low"]),
    ):
        async with world.services.sessions.begin() as db:
            await events.emit(db, DiskMeasured(int(free * quota.GB), 2 * quota.GB))
        assert [row["kind"] for row in await world.pool.fetch(kinds)] == kinds_sent
    assert (
        await world.pool.fetchval(
            "select count(*) from message m join account a on a.id = m.account_id where a.level > 1"
        )
        == 0
    )


@pytest.mark.parametrize("setting", ["file=1", "files=x"])
def test_refuse_to_start_with_unreadable_limits(setting: str):
    with pytest.raises(ValueError, match=r"file|float"):
        quota.read_limits(setting)


async def test_answer_an_accounts_own_usage_and_quota_alone(world: World):
    async with limited(world, files=10 * KB, maps=1) as http:
        assert (await upload(world, http, 8000))["code"] == 0

        async def holdings(account: str) -> dict[str, tuple[int, int]]:
            response = await http.post("/api/oss/holdings", headers={"token": await world.token(account)})
            return {row["kind"]: (row["used"], row["limit"]) for row in response.json()["data"]}

        assert await holdings("user") == {
            "files": (8000, 10240),
            "maps": (0, quota.GB),
            "recordings": (0, 0),
            "adverts": (0, 0),
            "pictures": (0, 0),
        }
        assert (await holdings("rivaluser"))["files"] == (0, 10240)
        assert (await http.post("/api/oss/holdings")).json()["message"]["code"] == Code.SESSION_INVALID


async def test_administrators_alone_see_that_the_disk_is_low(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(world.services.objects, "reserve_mb", 2048)
    for free, low in ((3 << 30, True), (50 << 30, False)):
        monkeypatch.setattr(disk.shutil, "disk_usage", lambda _, free=free: Usage(100 << 30, 0, free))
        space = await world.call("admin", "/oss/diskSpace")
        assert space == {"low": low, "free": free, "reserve": 2 << 30}
    for account in ("dealer", "user", "rivaluser"):
        assert (await world.raw(account, "/oss/diskSpace"))[0] == Code.FORBIDDEN


async def test_a_disk_without_a_reserve_is_not_watched(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(world.services.objects, "reserve_mb", 0)
    await disk_monitor.measure_disk(world.services)
    monkeypatch.setattr(world.services.objects, "reserve_mb", 2048)
    monkeypatch.setattr(disk.shutil, "disk_usage", lambda _: Usage(100 << 30, 0, 3 << 30))
    await disk_monitor.measure_disk(world.services)
    assert [row["kind"] for row in await world.pool.fetch("select kind from message")] == ["disk_low"]
