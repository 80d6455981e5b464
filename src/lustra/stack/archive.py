"""Backup and restore: PostgreSQL, the folder of objects and the secrets that they need, in one tar file.

Rules: an archive appears whole or not at all, readable by its owner alone; a restore fills a new database beside the
old one and changes places only when all is there; nothing of an archive is written outside its folder.
"""

import asyncio
import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg

ANCHORS = "objects/audit/anchors"
ERASED = "privacy/erased"  # of the objects: a list of erased accounts, which only grows
DUMP = "database.dump"
OBJECTS = "objects"
SECRETS = "settings.json"
CARRIED = ("secret", "grant_key", "grant_public", "host_key", "host_public", "gate_seed", "account")


def run(*words: str | Path) -> None:
    done = subprocess.run(words, check=False, stderr=subprocess.PIPE, text=True)  # noqa: S603  PostgreSQL's own tools
    if done.returncode:
        raise SystemExit(f"{Path(words[0]).name} failed:\n{done.stderr}")


def backup(programs: Path, dsn: str, objects: Path | None, secrets: dict[str, Any], archive: Path) -> None:
    """Objects are taken after the database: a row without its file would be worse than a file without its row."""
    new = archive.with_name(archive.name + ".new")
    new.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="lustra-") as folder:
        dump = Path(folder) / DUMP
        run(programs / "pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--file", dump, "--dbname", dsn)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            with tarfile.open(fileobj=file, mode="w|") as tar:
                add(tar, SECRETS, json.dumps({name: secrets[name] for name in CARRIED if name in secrets}).encode())
                tar.add(dump, DUMP)
                if objects is not None and objects.exists():
                    tar.add(objects, OBJECTS, filter=without_anchors)
            file.flush()
            os.fsync(file.fileno())
    new.replace(archive)


def without_anchors(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """The audit's anchors may be newer than the dump, and would call a restored database cut off."""
    return None if member.name == ANCHORS else member


def add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    tar.addfile(info, io.BytesIO(content))


def unpack(archive: Path, folder: Path) -> None:
    """Plain files under plain names only: no links, no way up, no absolute paths."""
    with tarfile.open(archive, "r|") as tar:
        for member in tar:
            name = PurePosixPath(member.name)
            if member.isdir() and ".." not in name.parts and not name.is_absolute():
                continue
            content = tar.extractfile(member) if member.isfile() else None
            if content is None or name.is_absolute() or ".." in name.parts:
                raise SystemExit(f"{archive} holds what no backup of ours holds: {member.name}")
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as out:
                shutil.copyfileobj(content, out)
    if not (folder / DUMP).exists():
        raise SystemExit(f"{archive} is no backup: it has no {DUMP}")


async def restore(programs: Path, dsn: str, objects: Path | None, archive: Path) -> dict[str, Any]:
    """Gives the secrets of the archive. Whoever is connected to the old database is sent away."""
    beside = archive.parent if objects is None else objects.parent
    with tempfile.TemporaryDirectory(prefix="restore-", dir=beside) as name:
        folder = Path(name)
        unpack(archive, folder)
        await fill(programs, dsn, folder / DUMP)
        if objects is not None:
            swap(objects, folder)
        return json.loads((folder / SECRETS).read_text())


def swap(objects: Path, folder: Path) -> None:
    """Who was erased after the backup stays in the list, for the server to erase them again."""
    old, restored = folder / "objects.old", folder / OBJECTS
    restored.mkdir(exist_ok=True)
    if objects.exists():
        objects.rename(old)
        if (old / ERASED).exists():
            shutil.copytree(old / ERASED, restored / ERASED, dirs_exist_ok=True)
    restored.rename(objects)
    objects.chmod(0o700)


async def fill(programs: Path, dsn: str, dump: Path) -> None:
    database = urlsplit(dsn).path.lstrip("/")
    new, old = f"{database}_restored", f"{database}_before"
    link = await asyncpg.connect(at(dsn, "template1"))
    try:
        for name in (new, old):
            await link.execute(f'drop database if exists "{name}" with (force)')
        await link.execute(f'create database "{new}" template template0')
        words = ("--exit-on-error", "--no-owner", "--no-privileges", "--dbname", at(dsn, new), dump)
        await asyncio.to_thread(run, programs / "pg_restore", *words)
        away = "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()"
        await link.execute(away, database)
        await link.execute(f'alter database "{database}" rename to "{old}"')
        await link.execute(f'alter database "{new}" rename to "{database}"')
        await link.execute(f'drop database "{old}" with (force)')
    finally:
        await link.close()


def at(dsn: str, database: str) -> str:
    return urlunsplit(urlsplit(dsn)._replace(path=f"/{database}"))
