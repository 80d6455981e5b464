"""One try to give a robot an order whose files it fetches by links, and what its answer means.

Rules: a robot that does not answer is asked again in a minute; a refusal ends the order until a person sends it again;
what a robot has said of the end of its order is not taken back by its answer to the order, which may come later.
"""

from datetime import timedelta
from typing import Protocol

import msgspec

from lustra.core.bus import Silent
from lustra.core.context import Services
from lustra.core.files.addresses import fetch_url

ANSWERS_IN_S = 10.0
LINK_S = 3600.0  # that a link opens a file
RETRY_AFTER = timedelta(seconds=50)
LONGEST_REASON = 64


class Progress(Protocol):
    """How far a robot is, as it says: `loading` the files, or done with the order."""

    @property
    def state(self) -> str: ...
    @property
    def reason(self) -> str: ...


def link_to(app: Services, place: str) -> str:
    """Under which a robot fetches a stored file."""
    return fetch_url(app.settings, app.objects, place, LINK_S)


async def send(
    app: Services, serial_number: str, command: str, order: msgspec.Struct, progress: type[Progress]
) -> tuple[str, str]:
    """State and reason after this try; the robot's answer carries its progress under the command's name."""
    try:
        answer = await app.bus.ask(serial_number, command, order, ANSWERS_IN_S)
    except Silent:
        return "waiting", "robot_silent"
    if answer.get("code"):
        return "failed", str(answer.get("reason") or "robot_failed")[:LONGEST_REASON]
    try:
        report = msgspec.convert(answer.get(command), progress)
    except msgspec.ValidationError:
        return "failed", "robot_failed"
    return ("sent" if report.state == "loading" else report.state), report.reason


def states_before(state: str) -> list[str]:
    """From which an answer may lead to this state."""
    return ["waiting", "sent"] if state in {"shown", "failed"} else ["waiting"]
