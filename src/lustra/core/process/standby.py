"""Several processes of a kind, of which one works while the others wait with everything loaded.

Rule: who holds the lock of the file works, and writes its process id into it. The kernel frees the lock with the death
of its holder, however it died; and a lock of this kind (POSIX) is not handed on to what the holder has forked.
"""

import asyncio
import fcntl
import os
import socket
from pathlib import Path
from typing import IO

LOOK_S = 0.05  # between two tries: waiting for the lock itself would block a thread that nothing can end


class Turn:
    """Open while it is held. An empty path: there is nobody to share with."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.file: IO[str] | None = None

    def take(self) -> bool:
        """Tries to become the one that works; whether it is now."""
        if not self.path:
            return True
        file = Path(self.path).open("a", encoding="ascii")  # noqa: SIM115  its lock lives as long as it is open
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return False
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        self.file = file
        return True

    async def wait(self) -> None:
        while not self.take():  # noqa: ASYNC110  another process ends the waiting
            await asyncio.sleep(LOOK_S)

    def give_back(self) -> None:
        if self.file is not None:
            self.file.close()
            self.file = None


def holder(path: Path) -> int:
    """The process that works, or the last one that did; 0: none yet."""
    text = path.read_text() if path.exists() else ""
    return int(text) if text.isdigit() else 0


def inherited(descriptor: int) -> socket.socket | None:
    """The listening socket that whoever started us has opened and keeps open; None for descriptor 0."""
    if not descriptor:
        return None
    os.set_inheritable(descriptor, False)  # noqa: FBT003  the standard library's own signature
    return socket.socket(fileno=descriptor)
