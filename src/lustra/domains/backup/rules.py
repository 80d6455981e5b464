"""States of a data backup, and what leads from one to the next. An archive that is packed stays on the robot: after a
failure it is uploaded again, or packed anew."""

from typing import Literal

from lustra.core.errors import Code, Refusal

Status = Literal["packing", "uploading", "finished", "failed", "cancelled"]
Step = Literal["packed", "stored", "error", "upload", "restart", "cancel"]
OPEN: tuple[Status, ...] = ("packing", "uploading")
STEPS: dict[tuple[Status, Step], Status] = {
    ("packing", "packed"): "uploading",
    ("uploading", "stored"): "finished",
    ("packing", "error"): "failed",
    ("uploading", "error"): "failed",
    ("failed", "upload"): "uploading",
    ("failed", "restart"): "packing",
    ("packing", "cancel"): "cancelled",
    ("uploading", "cancel"): "cancelled",
}


def next_status(status: Status, step: Step) -> Status:
    if (status, step) not in STEPS:
        raise Refusal(Code.BAD_INPUT, "action", reason="backup_step")
    return STEPS[status, step]


def before(step: Step) -> list[Status]:
    """From where a step leads anywhere."""
    return [status for status, leads in STEPS if leads == step]
