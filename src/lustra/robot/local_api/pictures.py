"""Pictures of tasks: PNG by their content, beside the tasks on the robot's disk."""

import base64
import binascii
import hashlib
import struct

import cv2
import numpy as np

from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.robot import Robot
from lustra.robot.store import write

LARGEST = 2048  # pixels a side
HEAD = 24  # bytes until behind its width and height
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def keep(robot: Robot, text: str) -> str:
    """The name by which the picture is read; what is no PNG is refused."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    sizes = struct.unpack(">II", data[16:24]) if data.startswith(SIGNATURE) and len(data) > HEAD else (0, 0)
    fits = all(0 < size <= LARGEST for size in sizes)
    if not fits or cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE) is None:
        raise RobotRefusal(RelayCode.BAD_INPUT, "task_picture_broken", "This is no PNG picture", "png")
    name = hashlib.sha256(data).hexdigest()
    folder = robot.store.folder / "pictures"
    folder.mkdir(exist_ok=True)
    write(folder / f"{name}.png", data)
    return name


def read(robot: Robot, name: str) -> str:
    file = robot.store.folder / "pictures" / f"{name}.png"
    return base64.b64encode(file.read_bytes()).decode() if name and file.exists() else ""


def forget(robot: Robot, name: str) -> None:
    """Deletes a picture that no other task shows."""
    if name and not any(stored.picture == name for stored in robot.store.tasks.values()):
        (robot.store.folder / "pictures" / f"{name}.png").unlink(missing_ok=True)
