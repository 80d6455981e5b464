"""Recordings of sensors, made fit to be looked at: a copy as indexed, chunked MCAP, and what is in it.

Rules: a recording that was sent up is converted by a job, in a process of its own (conversion.py); the original stays
as it came whatever becomes of that. The copy goes with the original, and counts with nobody's files. Opening it is
recorded as reading is; its address is good for some minutes.
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs, query
from lustra.core.context import Ctx, Services
from lustra.core.errors import Code, Refusal
from lustra.core.files.intake import plain_environment
from lustra.core.scope import rows_of
from lustra.domains.device.api import Device
from lustra.domains.device_log import queries
from lustra.domains.device_log.contents import Contents, Outcome
from lustra.domains.device_log.mirror import AS_ROBOTS
from lustra.domains.device_log.reading import find_copy
from lustra.domains.device_log.tables import DeviceLog
from lustra.domains.storage.api import sign_place

FOLDER = "recordings/"
CONVERT = "deviceLog.convert"
QUEUE = "recordings"
MODULE = "lustra.domains.device_log.conversion"
LARGEST = 1 << 30  # bytes of a copy
PART = 1 << 20
WAITS_S = 1200.0  # longer than the process may take by its own limits
LINK_S = 600.0  # of the address: a player asks anew


@dataclass(frozen=True, slots=True)
class Ready:
    """A recording that can be looked at."""

    log: DeviceLog
    contents: Contents


@dataclass(frozen=True, slots=True)
class Opened(Ready):
    """`url`: where ranges of the copy are read."""

    robot: Device
    url: str


async def convert_later(db: AsyncSession, row: DeviceLog) -> None:
    """In the transaction that enters the original."""
    row.recording_state, row.recording_reason, row.recording = "converting", "", None
    await jobs.later(db, CONVERT, log_id=row.id, place=row.place)


async def convert(app: Services, log_id: int, place: str) -> None:
    size = await app.pool.fetchval(AS_ROBOTS.sql(queries.SIZE_TO_CONVERT), log_id, place)
    if size is None:  # deleted meanwhile, or replaced
        return
    with tempfile.TemporaryDirectory(prefix="lustra-recording-") as name:
        original, copy = Path(name) / "original", Path(name) / "copy"
        await _fetch(app, place, size, original)
        outcome = await run_conversion(original, copy)
        new, contents = "", None
        if outcome.contents is not None:
            contents = msgspec.to_builtins(outcome.contents)
            stored = await app.objects.put(f"{FOLDER}{uuid4().hex}", _parts(copy), largest=LARGEST)
            new = stored.path
    state = "ready" if new else "failed"
    values = (log_id, place, state, outcome.reason, new, contents)
    former = await app.pool.fetchval(AS_ROBOTS.sql(queries.ENTER_RECORDING), *values)
    if unused := new if former is None else former:
        await app.objects.delete(unused)


async def _fetch(app: Services, place: str, size: int, to: Path) -> None:
    with to.open("wb") as file:
        async for part in app.objects.parts(place, 0, size):
            await asyncio.to_thread(file.write, part)


async def _parts(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while part := await asyncio.to_thread(file.read, PART):
            yield part


async def run_conversion(original: Path, copy: Path) -> Outcome:
    """What ends the process from outside is a file that asks for too much."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        MODULE,
        str(original),
        str(copy),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=plain_environment(),
        cwd="/",
    )
    try:
        async with asyncio.timeout(WAITS_S):
            output, trace = await process.communicate()
    except TimeoutError:
        return Outcome(reason="recording_heavy")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode == 1 and b"ModuleNotFoundError" in trace:
        return Outcome(reason="recording_libraries")
    return msgspec.json.decode(output, type=Outcome) if process.returncode == 0 else Outcome(reason="recording_heavy")


async def find_recording(ctx: Ctx, log_id: int) -> Ready:
    """Refused to support where it is closed."""
    row = await find_copy(ctx, log_id)
    if row.recording_state != "ready":
        raise Refusal(Code.BAD_INPUT, "id", reason=row.recording_reason or "recording_not_ready")
    return Ready(row, msgspec.convert(row.recording, Contents))


async def open_recording(ctx: Ctx, log_id: int) -> Opened:
    ready = await find_recording(ctx, log_id)
    row = ready.log
    robot = await query.fetch_one(ctx.db, rows_of(row).select(Device))
    url = sign_place(ctx.app.objects, row.recording_place, row.name, life_s=LINK_S)
    return Opened(row, ready.contents, robot, url)
