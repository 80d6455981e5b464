"""Files that nobody but their owner may read."""

import os
from pathlib import Path


def write_private(path: Path, text: str, uid: int | None = None) -> None:
    """Replaces the file in one step; nobody else can read it, at no moment."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    if uid is not None:
        os.chown(new, uid, -1)
    new.replace(path)
