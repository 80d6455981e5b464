"""Orders on their way to robots, and what their answers mean.

Rules: who is online gets what is due, and each try is recorded; a robot that does not answer is asked again in a
minute; what it took and says nothing more of comes again, with fresh links; a refusal ends the order until a person
sends it again; what a robot has said of the end of its order is not taken back by its answer to the order, which may
come later.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol

import msgspec

from lustra.core.bus import Silent
from lustra.core.context import Services
from lustra.core.db import Connection
from lustra.core.files.addresses import fetch_url
from lustra.domains.delivery.queries import CLAIM, EVERY, STORE_PROGRESS, STORE_STATE

ANSWERS_IN_S = 10.0
LINK_S = 3600.0  # that a link opens a file
RETRY_AFTER = timedelta(seconds=50)
LONGEST_REASON = 64
AT_ONCE = 250  # robots that are asked side by side


class Progress(Protocol):
    """How far a robot is, as it says: `loading` the files, or done with the order of that revision."""

    @property
    def revision(self) -> int: ...
    @property
    def state(self) -> str: ...
    @property
    def reason(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Kind:
    """Of orders: the command by which they go, under whose name the robot answers its progress, the table of how far
    robots are, and after what time an order whose robot is silent goes out again."""

    command: str
    table: str
    progress: type[Progress]
    silent_after: timedelta


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of one try. `field`: of a refused order, what is wrong in it."""

    state: str
    reason: str
    field: str = ""
    progress: Progress | None = None


def link_to(app: Services, place: str) -> str:
    """Under which a robot fetches a stored file."""
    return fetch_url(app.settings, app.objects, place, LINK_S)


async def claim(app: Services, kind: Kind) -> list[Any]:
    """Robots that are online and have something to get; none: all is done for now."""
    return await app.pool.fetch(EVERY.sql(CLAIM, table=kind.table), RETRY_AFTER, kind.silent_after, AT_ONCE)


async def send(app: Services, kind: Kind, robot: Any, order: msgspec.Struct) -> Outcome:
    """One try, recorded; `robot`: a row of `claim`."""
    outcome = await _ask(app, kind, robot["serial_number"], order)
    row = (robot["device_id"], robot["revision"], outcome.state, outcome.reason, _states_before(outcome.state))
    await app.pool.execute(EVERY.sql(STORE_STATE, table=kind.table), *row)
    return outcome


async def _ask(app: Services, kind: Kind, serial_number: str, order: msgspec.Struct) -> Outcome:
    try:
        answer = await app.bus.ask(serial_number, kind.command, order, ANSWERS_IN_S)
    except Silent:
        return Outcome("waiting", "robot_silent")
    if answer.get("code"):
        reason = str(answer.get("reason") or "robot_failed")[:LONGEST_REASON]
        return Outcome("failed", reason, str(answer.get("field") or ""))
    try:
        report = msgspec.convert(answer.get(kind.command), kind.progress)
    except msgspec.ValidationError:
        return Outcome("failed", "robot_failed")
    return Outcome("sent" if report.state == "loading" else report.state, report.reason, progress=report)


def _states_before(state: str) -> list[str]:
    """From which an answer may lead to this state."""
    return ["waiting", "sent"] if state in {"shown", "failed"} else ["waiting"]


async def keep_progress(db: Connection, kind: Kind, serial_number: str, content: Any) -> None:
    """What a robot says of an order once it has ended."""
    progress = msgspec.convert(content, kind.progress)
    if progress.state != "loading":
        row = (serial_number, progress.revision, progress.state, progress.reason)
        await db.execute(EVERY.sql(STORE_PROGRESS, table=kind.table), *row)
