"""Logs of processes turn by size, also while the processes write: no log is ever much longer than its limit.

A process keeps its open file, so what stands in it is copied away and the file is emptied; since it was opened to
append, the process goes on at its beginning. A line that is written in the instant between the two may be lost.
"""

import shutil
from pathlib import Path


def turn(path: Path, limit: int, old: int) -> bool:
    """Where the log at `path` is longer than `limit` bytes, it becomes `<path>.1`, which becomes `.2` and so on.

    `old`: how many of these stay. Answers whether it was turned.
    """
    if not path.exists() or path.stat().st_size <= limit:
        return False
    for number in range(old, 1, -1):
        newer = _old(path, number - 1)
        if newer.exists():
            newer.replace(_old(path, number))
    if old:
        copy = _old(path, 1)
        try:
            _keep_end(path, copy, limit)
        except OSError:  # the disk is full: emptying the log makes room
            copy.unlink(missing_ok=True)
    with path.open("r+b") as log:
        log.truncate()
    return True


def _keep_end(path: Path, copy: Path, limit: int) -> None:
    """The last `limit` bytes, in whole lines: what filled a log between two looks must not fill the disk."""
    with path.open("rb") as log, copy.open("wb") as end:
        copy.chmod(0o600)
        if (size := path.stat().st_size) > limit:
            log.seek(size - limit)
            log.readline()
        shutil.copyfileobj(log, end)


def _old(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.{number}")
