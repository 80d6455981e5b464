"""What a robot trusts: targets of signed metadata, from the root that it was given when it was set up (TUF).

Rule: metadata that is wrong, older than what the robot has seen, or over is refused, and what the robot has stays as it
is: `tuf` writes to the disk only what it has checked.
"""

from pathlib import Path
from typing import Any

import msgspec
import urllib3.exceptions
from tuf.api.exceptions import (
    DownloadError,
    DownloadHTTPError,
    ExpiredMetadataError,
    LengthOrHashMismatchError,
    RepositoryError,
)
from tuf.ngclient import TargetFile, Updater

from lustra.protocol.refusals import RelayCode, RobotRefusal

CLOSED_LINK = {401, 403, 404, 410}  # statuses of a link that opens nothing any more


class LineBroken(Exception):
    """It may be better next time."""


class Target(msgspec.Struct, kw_only=True):
    """A package as the metadata has it. `type_names`: the only types of robots that it is for; empty: any."""

    size: int
    sha256: str
    version: str
    type_names: list[str]
    part: str = "software"


def refuse(reason: str, text: str) -> RobotRefusal:
    return RobotRefusal(RelayCode.BAD_INPUT, reason, text)


def find_target(folder: Path, root: bytes, metadata: str, name: str) -> Target:
    """Blocks for as long as the line needs."""
    if not root:
        raise refuse("update_no_root", "The robot was given no root of trust")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        target = Updater(str(folder), metadata, bootstrap=root).get_targetinfo(name)
    except ExpiredMetadataError as why:
        raise refuse("update_expired", str(why)) from why
    except DownloadHTTPError as why:
        if why.status_code not in CLOSED_LINK:
            raise LineBroken from why
        raise refuse("update_link", "The link opens nothing any more") from why
    except LengthOrHashMismatchError as why:
        raise refuse("update_untrusted", str(why)) from why
    except DownloadError as why:
        raise LineBroken from why
    except RepositoryError as why:
        raise refuse("update_untrusted", str(why)) from why
    except urllib3.exceptions.HTTPError as why:
        raise LineBroken from why
    if target is None:
        raise refuse("update_unlisted", "The metadata does not list the package")
    return _read_target(target)


def _read_target(target: TargetFile) -> Target:
    about = target.unrecognized_fields.get("custom", {})
    try:
        return Target(
            size=target.length,
            sha256=target.hashes["sha256"],
            version=str(about["version"]),
            type_names=_read_types(about),
            part=str(about.get("part", "software")),
        )
    except (KeyError, AttributeError) as why:
        raise refuse("update_untrusted", "The metadata does not say what the package is") from why


def _read_types(about: dict[str, Any]) -> list[str]:
    """Metadata of software names one type, that of firmware several, that of apps none."""
    types = about.get("types", [about["type"]] if about.get("type") else [])
    return [str(name) for name in types]
