"""Free space, and what of it uploads may take."""

from pathlib import Path

import pytest

from lustra.core.files import disk


@pytest.mark.parametrize(
    ("free", "total", "reserve"),
    [(50 << 30, 100 << 30, 2 << 30), (5 << 30, 10 << 30, (10 << 30) // 20), (1 << 30, 100 << 30, 2 << 30)],
)
def test_the_reserve_is_in_megabytes_and_never_above_a_share_of_the_disk(
    monkeypatch: pytest.MonkeyPatch, free: int, total: int, reserve: int
):
    monkeypatch.setattr(disk.shutil, "disk_usage", lambda _: type("Usage", (), {"free": free, "total": total}))
    space = disk.measure_space(Path("/"), 2048)
    assert (space.free, space.reserve) == (free, reserve)
    assert space.for_uploads == max(0, free - reserve)


def test_files_in_s3_take_no_room_of_this_machine():
    assert disk.folder_of("s3://bucket/prefix") is None
    assert disk.folder_of("file:///var/lib/lustra/objects") == Path("/var/lib/lustra/objects")
