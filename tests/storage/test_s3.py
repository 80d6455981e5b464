"""Files in S3: what holds of a folder holds there too, by signed requests alone."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from obstore.exceptions import PermissionDeniedError

from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.files.objects import Objects
from lustra.stack.place import LOOPBACK, free_port
from tests.storage import s3

ZIP = b"PK\x03\x04"
MB = 1 << 20


@pytest.fixture
async def bucket(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[s3.Bucket]:
    port = free_port(LOOPBACK)
    for name, value in {
        "ACCESS_KEY_ID": s3.KEY,
        "SECRET_ACCESS_KEY": s3.SECRET,
        "REGION": s3.REGION,
        "ENDPOINT": f"http://{LOOPBACK}:{port}",
        "ALLOW_HTTP": "true",
    }.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    async with s3.running(port) as running:
        yield running


@pytest.fixture
def objects(bucket: s3.Bucket) -> Objects:
    return Objects(f"s3://{s3.BUCKET}/lustra", "secret")


async def parts(*sizes: int) -> AsyncIterator[bytes]:
    yield ZIP
    for size in sizes:
        yield b"x" * size


async def test_a_file_is_written_read_in_part_listed_and_deleted(objects: Objects, bucket: s3.Bucket):
    stored = await objects.put("maps/hall 机器.zip", parts(6 * MB, 6 * MB), largest=32 * MB, kinds=("application/zip",))
    assert (stored.size, stored.kind) == (12 * MB + 4, "application/zip")
    assert (await objects.about(stored.path)).size == stored.size
    assert b"".join([part async for part in objects.parts(stored.path, 2, 7)]) == b"\x03\x04xxx"
    assert len(await objects.get(stored.path)) == stored.size
    assert list(bucket.files) == ["lustra/maps/hall 机器.zip"]  # nothing under a temporary name
    assert [place async for places in objects.older("maps", now() + timedelta(minutes=1)) for place in places] == [
        stored.path
    ]
    await objects.delete(stored.path)
    assert not await objects.exists(stored.path)


async def test_leave_the_former_file_when_a_new_one_is_refused(objects: Objects, bucket: s3.Bucket):
    await objects.put_bytes("audit/anchors/2026-11-23.json", b"{}")
    for refused, largest, kinds in ((Code.TOO_LARGE, 5, ()), (Code.BAD_INPUT, MB, ("image/png",))):
        with pytest.raises(Refusal) as why:
            await objects.put("audit/anchors/2026-11-23.json", parts(100), largest=largest, kinds=kinds)
        assert why.value.code == refused
    assert await objects.get("audit/anchors/2026-11-23.json") == b"{}"
    assert len(bucket.files) == 1


async def test_answer_that_a_file_does_not_exist_and_allow_to_delete_it(objects: Objects):
    with pytest.raises(Refusal) as why:
        await objects.get("nothing")
    assert why.value.code == Code.NOT_FOUND
    await objects.delete("nothing")


async def test_a_bucket_has_no_disk_that_gets_full(objects: Objects):
    objects.demand_space(1 << 60)
    assert (objects.space(), objects.free_bytes()) == (None, 0)


async def test_without_the_right_secret_nothing_is_read(
    objects: Objects, bucket: s3.Bucket, monkeypatch: pytest.MonkeyPatch
):
    await objects.put_bytes("a", b"a")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another")
    with pytest.raises(PermissionDeniedError):
        await Objects(f"s3://{s3.BUCKET}/lustra", "secret").get("a")
    assert bucket.refused == 1
