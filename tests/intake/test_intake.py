"""A file is read in a process of its own: what it does to that process, nobody else notices."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from lustra.core.errors import Code, Refusal
from lustra.core.files.intake import AT_ONCE, Intake, Queue
from tests.intake import readers


@pytest.fixture
async def intake(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Intake]:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    intake = Intake([readers.__name__])
    yield intake
    intake.close()


async def refusal(intake: Intake, work: Any) -> Refusal:
    with pytest.raises(Refusal) as refused:
        await intake.read(1, work, {}, field="files")
    return refused.value


async def test_a_reader_gets_contents_and_open_files_and_answers_plain_data(intake: Intake, tmp_path: Path):
    (tmp_path / "large").write_bytes(b"x" * 100_000)
    with (tmp_path / "large").open("rb") as file:
        file.read(10)  # wherever it was read to
        result = await intake.read(1, readers.count_bytes, {"a": b"abc", "b": file.fileno()}, 2)
    assert result == {"a": 6, "b": 200_000}


async def test_a_readers_refusal_comes_through_with_its_field_and_values(intake: Intake):
    refused = await refusal(intake, readers.refuse)
    assert (refused.code, refused.field, refused.reason) == (Code.MAP_REFUSED, "image", "map_image_missing")
    assert refused.text("en") == "The map was not accepted: The image a.pgm named in the yaml file is missing"


@pytest.mark.parametrize(
    ("work", "reason"),
    [
        (readers.nest, "unreadable"),
        (readers.stumble, "unreadable"),
        (readers.swallow, "too_heavy"),
        (readers.spin, "too_heavy"),
    ],
)
async def test_refuse_a_file_that_ends_its_reader_and_read_the_next(intake: Intake, work: Any, reason: str):
    refused = await refusal(intake, work)
    assert (refused.code, refused.field, refused.reason) == (Code.BAD_INPUT, "files", reason)
    assert await intake.read(2, readers.count_bytes, {"a": b"abc"}, 1) == {"a": 3}


async def test_a_crash_is_not_noticed_by_who_reads_at_the_same_time(intake: Intake):
    crashed, read = await asyncio.gather(
        intake.read(1, readers.nest, {}),
        intake.read(2, readers.count_bytes, {"a": bytes(10 << 20)}, 1),
        return_exceptions=True,
    )
    assert isinstance(crashed, Refusal)
    assert read == {"a": 10 << 20}
    killed = {os.waitstatus_to_exitcode(spent.status) for spent in intake.spent}
    assert killed == {0, -signal.SIGSEGV}


async def test_no_secret_and_no_open_file_of_the_server_reaches_a_reader(
    intake: Intake, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("LUSTRA_SECRET", "s")
    assert await intake.read(1, readers.list_settings, {}) == []
    opened = await intake.read(1, readers.list_descriptors, {"a": b"abc"})
    assert all(name.startswith(("/memfd:", "/proc/", "anon_inode:")) for name in opened), opened


async def test_refuse_files_of_a_killed_reader_and_read_the_next_one(intake: Intake):
    assert (await refusal(intake, readers.kill_parent)).code == Code.UNAVAILABLE
    assert await intake.read(1, readers.count_bytes, {"a": b"abc"}, 1) == {"a": 3}


async def take_seat(queue: Queue, account: str, seated: list[str], leave: asyncio.Event) -> None:
    async with queue.seat(account):
        seated.append(account)
        await leave.wait()


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_two_files_are_read_at_once_and_one_of_an_account():
    queue, seated, leave = Queue(9, 9, None), [], asyncio.Event()
    tasks = [asyncio.create_task(take_seat(queue, account, seated, leave)) for account in ("a", "a", "b", "c")]
    await settle()
    assert seated == ["a", "b"]
    assert len(seated) == AT_ONCE
    leave.set()
    await asyncio.gather(*tasks)
    assert sorted(seated) == ["a", "a", "b", "c"]
    assert not queue.queued
    assert not queue.turns


async def test_a_full_queue_and_an_account_that_waits_with_too_many_are_refused():
    leave = asyncio.Event()
    queue, seated = Queue(2, 1, None), []
    tasks = [asyncio.create_task(take_seat(queue, account, seated, leave)) for account in ("a", "a")]
    await settle()
    with pytest.raises(Refusal) as refused:
        await take_seat(queue, "a", seated, leave)
    assert refused.value.code == Code.BUSY
    tasks += [asyncio.create_task(take_seat(queue, account, seated, leave)) for account in ("b", "c")]
    await settle()
    with pytest.raises(Refusal) as refused:
        await take_seat(queue, "d", seated, leave)
    assert refused.value.code == Code.BUSY
    leave.set()
    await asyncio.gather(*tasks)


async def test_refuse_who_waits_too_long_and_leave_the_queue():
    leave = asyncio.Event()
    queue, seated = Queue(9, 9, 0.05), []
    task = asyncio.create_task(take_seat(queue, "a", seated, leave))
    await settle()
    with pytest.raises(Refusal) as refused:
        await take_seat(queue, "a", seated, leave)
    assert refused.value.code == Code.BUSY
    assert queue.queued == {"a": 1}
    leave.set()
    await task


async def test_a_caller_who_is_gone_keeps_its_seat_until_its_reader_has_ended(intake: Intake):
    reading = asyncio.create_task(intake.read(1, readers.count_bytes, {"a": bytes(20 << 20)}, 1))
    while not intake.pending:  # noqa: ASYNC110  until it is handed over
        await asyncio.sleep(0)
    reading.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await reading
    assert intake.queue.queued == {"1": 1}
    assert await intake.read(1, readers.count_bytes, {"a": b"abc"}, 1) == {"a": 3}
    assert not intake.queue.queued
