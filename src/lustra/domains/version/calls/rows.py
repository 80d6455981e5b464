"""What answers about several kinds of versions have in common."""

from typing import Annotated

from lustra.core.calls.rpc import Wire
from lustra.core.wire import DeviceId, DeviceName, SerialNumber, doc
from lustra.domains.version.ranges import RangeRow
from lustra.domains.version.tables import VersionFile


class FileOfVersion(Wire):
    id: Annotated[int, doc("Number of the file, by which /version/downloadUrl opens it.")]
    path: Annotated[str, doc("Path by which it was uploaded.")]
    size: Annotated[int, doc("Size in bytes.")]
    sha256: Annotated[str, doc("SHA-256 of its content, 64 hexadecimal digits.")]


class RobotInRange(Wire):
    device_id: DeviceId
    device_serial_number: SerialNumber
    device_code: DeviceName
    selected: Annotated[bool, doc("Whether the robot stands in it.")]
    test_device: Annotated[bool, doc("Whether it is an internal test device.")]


class RobotsInRange(Wire):
    list: Annotated[list[RobotInRange], doc("The robots in scope, by name.")]


def file_view(file: VersionFile) -> FileOfVersion:
    return FileOfVersion(id=file.id, path=file.path, size=file.size, sha256=file.sha256)


def robots_view(rows: list[RangeRow]) -> RobotsInRange:
    return RobotsInRange(
        list=[
            RobotInRange(
                device_id=row.device.id,
                device_serial_number=row.device.serial_number,
                device_code=row.device.name,
                selected=row.selected,
                test_device=row.device.test_device,
            )
            for row in rows
        ]
    )
