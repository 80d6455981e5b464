"""`lustra backup FILE` and `lustra restore FILE`.

Of the database and objects that the settings name (LUSTRA_DATABASE_URL, LUSTRA_OBJECTS_URL), else of a data folder:
a backup while `lustra up` runs or not, a restore only while it does not. A passphrase comes from a
file, or is asked for.
"""

import argparse
import asyncio
import contextlib
import getpass
import json
import os
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lustra.core.db import now
from lustra.core.files.private_files import write_private
from lustra.core.settings import Settings
from lustra.stack import archive, orphans, place, programs
from lustra.stack.encryption import is_sealed
from lustra.stack.postgres import Postgres
from lustra.stack.supervise import Supervisor

LEAST_PASSPHRASE = 12  # letters


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
    running = folder / place.RUN
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


def main(arguments: argparse.Namespace) -> None:
    archive, secret = arguments.archive.resolve(), arguments.passphrase_file
    if arguments.command == "backup":
        passphrase = read_passphrase(secret, twice=True) if secret or arguments.encrypt else ""
        asyncio.run(backup(archive, passphrase))
        return
    if not archive.is_file():
        raise SystemExit(f"{archive} is not there")
    asyncio.run(restore(archive, read_passphrase(secret, twice=False) if is_sealed(archive) else ""))


def read_passphrase(file: Path | None, *, twice: bool) -> str:
    """Without it nobody can read the archive ever again, so that a new one is typed twice."""
    if file:
        try:
            passphrase = file.read_text().partition("\n")[0]
        except OSError as why:
            raise SystemExit(f"{file} cannot be read: {why.strerror}") from None
    elif sys.stdin.isatty():
        passphrase = getpass.getpass("Passphrase of the archive: ")
        if twice and getpass.getpass("The same again: ") != passphrase:
            raise SystemExit("The two are not the same")
    else:
        raise SystemExit("The archive has a passphrase: name a file that holds it with --passphrase-file")
    if twice and len(passphrase) < LEAST_PASSPHRASE:
        raise SystemExit(f"A passphrase has at least {LEAST_PASSPHRASE} letters")
    return passphrase


async def backup(to: Path, passphrase: str = "") -> None:
    async with source(alone=False) as data:
        secrets: dict[str, Any] = place.load_settings(data.folder) if data.folder else {}
        await asyncio.to_thread(
            archive.backup, data.programs, data.dsn, data.objects, secrets, to, passphrase=passphrase
        )
        if data.folder:  # for `lustra doctor`
            last = {"at": now().isoformat(), "path": str(to), "encrypted": bool(passphrase)}
            write_private(data.folder / place.LAST_BACKUP, json.dumps(last, indent=1))
    remark = "" if data.objects else " (without the objects: they are not in a folder of this machine)"
    print(f"{to} holds it all{remark}")  # noqa: T201  the command's answer


async def restore(file: Path, passphrase: str = "") -> None:
    async with source(alone=True) as data:
        secrets = await archive.restore(data.programs, data.dsn, data.objects, file, passphrase=passphrase)
        if data.folder:
            saved = place.load_settings(data.folder) | secrets
            saved.pop("schema", None)  # the archive may be of an older version
            write_private(data.folder / place.SETTINGS, json.dumps(saved, indent=1))
    print(f"{file} is restored")  # noqa: T201  the command's answer
