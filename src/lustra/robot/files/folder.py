"""Files of one kind in a folder of the robot's disk: which there are, a copy to send, and what is deleted.

Rule: what is being written is listed and sent as it is, and never deleted.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lustra.protocol.files import MOST_FILES, RobotFile
from lustra.protocol.refusals import RelayCode, RobotRefusal

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


class Source(Protocol):
    """Where files of a kind come from."""

    def pack(self, name: str, into: Path) -> None:
        """Writes the file, as it shall be sent. Runs in a thread; raises RobotRefusal."""


@dataclass
class FileFolder:
    folder: Path
    patterns: tuple[str, ...]
    current: Callable[[], str] = str  # name of what is being written; empty: nothing

    def list_files(self) -> list[RobotFile]:
        """The newest first, as many as a message holds."""
        entries = [(path.stat(), path.name) for path in self._paths()]
        rows = [RobotFile(name=name, size=stat.st_size, time=stat.st_mtime_ns // 1_000_000) for stat, name in entries]
        return sorted(rows, key=lambda row: (-row.time, row.name))[:MOST_FILES]

    def pack(self, name: str, into: Path) -> None:
        shutil.copyfile(self._path(name), into)

    def delete(self, names: list[str]) -> list[str]:
        """The names of those that are gone, also before."""
        current = self.current()
        deletable = [name for name in names if NAME.fullmatch(name) and name != current]
        for name in deletable:
            (self.folder / name).unlink(missing_ok=True)
        return deletable

    def _paths(self) -> Iterator[Path]:
        paths = (path for pattern in self.patterns for path in self.folder.glob(pattern))
        return (path for path in paths if NAME.fullmatch(path.name))

    def _path(self, name: str) -> Path:
        path = self.folder / name
        if not NAME.fullmatch(name) or not any(map(path.match, self.patterns)) or not path.is_file():
            raise RobotRefusal(RelayCode.UNKNOWN, "upload_file_unknown", "The robot does not have this file", "name")
        return path
