"""The two wheels as children."""

import os
import tempfile
from pathlib import Path

import asyncpg
import nats
import pytest

from lustra.stack import place, programs
from tests.conftest import Stack


async def test_postgres_answers_and_finds_chinese(stack: Stack):
    link = await asyncpg.connect(stack.postgres)
    await link.execute("create extension if not exists pg_trgm; create extension if not exists ltree")
    assert await link.fetchval("select cardinality(show_trgm('机器'))") > 0
    await link.close()


async def test_our_own_user_may_use_jetstream(stack: Stack):
    link = await nats.connect(stack.nats)
    assert (await link.jetstream().account_info()).memory == 0
    await link.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts PostgreSQL as another user")
def test_refuse_a_folder_that_the_database_cannot_reach_and_open_its_own():
    _, as_user = place.child_user()
    with tempfile.TemporaryDirectory() as home:  # of mode 0700
        folder = Path(home) / "data"
        folder.mkdir(mode=0o700)
        with pytest.raises(SystemExit, match=f"cannot reach {folder}: choose one outside private homes"):
            programs.find(folder, as_user)
        Path(home).chmod(0o711)
        assert programs.find(folder, as_user).nats.exists()
        assert folder.stat().st_mode & 0o777 == 0o701


def test_a_relay_that_gets_another_address_keeps_its_former_ones(tmp_path: Path):
    """Robots are registered at an address: those of an earlier one must still find their relay."""
    place.make_folder(tmp_path / "data")

    def start(url: str, port: int) -> list[str]:
        saved = place.load_settings(tmp_path / "data")
        return place.remember_relay(tmp_path / "data", saved, url, earlier=[f"http://127.0.0.1:{port}"])

    assert start("http://127.0.0.1:9001", 9001) == []
    assert start("https://robots.example", 9001) == ["http://127.0.0.1:9001"]
    assert start("https://fleet.example", 9002) == [
        "http://127.0.0.1:9001",
        "https://robots.example",
        "http://127.0.0.1:9002",
    ]
    assert start("http://127.0.0.1:9001", 9001) == [
        "https://robots.example",
        "http://127.0.0.1:9002",
        "https://fleet.example",
    ]
