"""`lustra backup FILE` and `lustra restore FILE`.

Of the database and objects that the settings name (LUSTRA_DATABASE_URL, LUSTRA_OBJECTS_URL), else of a data folder:
a backup while `lustra up` runs or not, a restore only while it does not.
"""

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lustra.core.files.private_files import write_private
from lustra.core.settings import Settings
from lustra.stack import archive, orphans, place, programs
from lustra.stack.postgres import Postgres
from lustra.stack.supervise import Supervisor


@dataclass(frozen=True)
class Source:
    dsn: str
    objects: Path | None  # None: not in a folder of this machine
    programs: Path
    folder: Path | None  # of `lustra up`


def data_folder() -> Path:
    return Path(os.environ.get("LUSTRA_DATA") or place.default_folder(demo=False)).resolve()


@contextlib.asynccontextmanager
async def source(*, alone: bool) -> AsyncGenerator[Source, None]:
    """Where the data are. `alone`: nobody else may use them meanwhile."""
    settings = Settings.read()
    if settings.database_url:
        kind, _, path = settings.objects_url.partition("://")
        yield Source(settings.database_url, Path(path) if kind == "file" else None, programs.installed().postgres, None)
        return
    folder = data_folder()
    if not (folder / place.SETTINGS).exists():
        raise SystemExit(f"{folder} is no data folder: name one with --data, or set LUSTRA_DATABASE_URL")
    running = folder / "run.json"
    if not alone and running.exists():
        dsn = json.loads(running.read_text())["postgres"]
        yield Source(dsn, folder / "objects", programs.installed().postgres, folder)
        return
    with place.take(folder):
        orphans.end(orphans.find(folder, lambda words: Path(words[0]).name == "postgres"))
        saved, (uid, as_user) = place.load_settings(folder), place.child_user()
        binaries, port = programs.find(folder, as_user), place.free_port(place.LOOPBACK)
        postgres = Postgres(binaries.postgres, folder, port, saved["postgres_password"], uid, as_user)
        supervisor = Supervisor(folder / "log", print)
        try:
            await supervisor.start(postgres.service())
            yield Source(postgres.dsn, folder / "objects", binaries.postgres, folder)
        finally:
            await supervisor.stop()


async def backup(to: Path) -> None:
    async with source(alone=False) as data:
        secrets: dict[str, Any] = place.load_settings(data.folder) if data.folder else {}
        await asyncio.to_thread(archive.backup, data.programs, data.dsn, data.objects, secrets, to)
    remark = "" if data.objects else " (without the objects: they are not in a folder of this machine)"
    print(f"{to} holds it all{remark}")  # noqa: T201  the command's answer


async def restore(file: Path) -> None:
    async with source(alone=True) as data:
        secrets = await archive.restore(data.programs, data.dsn, data.objects, file)
        if data.folder:
            saved = place.load_settings(data.folder) | secrets
            saved.pop("schema", None)  # the archive may be of an older version
            write_private(data.folder / place.SETTINGS, json.dumps(saved, indent=1))
    print(f"{file} is restored")  # noqa: T201  the command's answer
