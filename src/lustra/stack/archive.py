"""Backup and restore: PostgreSQL, the folder of objects and the secrets that they need, in one tar file, under a
passphrase on wish (stack/encryption).

Rules: an archive appears whole or not at all, readable by its owner alone; a restore fills a new database beside the
old one and changes places only when all is there, byte for byte as its checksums say; nothing of an archive is written
outside its folder.
"""

import asyncio
import contextlib
import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path, PurePosixPath
from typing import IO, Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from lustra.stack.encryption import Opener, Sealer, Unsealable, is_sealed

ANCHORS = "objects/audit/anchors"
ERASED = "privacy/erased"  # of the objects: a list of erased accounts, which only grows
DUMP = "database.dump"
OBJECTS = "objects"
SECRETS = "settings.json"
FORMAT = "format.json"  # the first of an archive; older ones lack it
CHECKSUMS = "checksums.json"  # SHA-256 of every file before it; the last of an archive that has a format
NEWEST_FORMAT = 2
MOST_JOBS = 4  # tables filled and indexes built at once, each over a connection
CARRIED = ("secret", "grant_key", "grant_public", "update_key", "host_key", "host_public", "gate_seed", "account")


def run(*words: str | Path) -> None:
    done = subprocess.run(words, check=False, stderr=subprocess.PIPE, text=True)  # noqa: S603  PostgreSQL's own tools
    if done.returncode:
        raise SystemExit(f"{Path(words[0]).name} failed:\n{done.stderr}")


def backup(
    programs: Path, dsn: str, objects: Path | None, secrets: dict[str, Any], archive: Path, *, passphrase: str = ""
) -> None:
    """Objects are taken after the database: a row without its file would be worse than a file without its row."""
    new = archive.with_name(archive.name + ".new")
    new.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="lustra-") as folder:
        dump = Path(folder) / DUMP
        run(programs / "pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--file", dump, "--dbname", dsn)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            sealer = Sealer(file, passphrase) if passphrase else None
            out: Any = sealer or file  # of a stream tarfile uses `write` alone
            with tarfile.open(fileobj=out, mode="w|", dereference=True) as tar:
                carried = {name: secrets[name] for name in CARRIED if name in secrets}
                pack(tar, json.dumps(carried).encode(), dump, objects)
            if sealer:
                sealer.finish()
            file.flush()
            os.fsync(file.fileno())
    new.replace(archive)


def pack(tar: tarfile.TarFile, secrets: bytes, dump: Path, objects: Path | None) -> None:
    checksums = {FORMAT: add(tar, FORMAT, json.dumps({"format": NEWEST_FORMAT}).encode())}
    checksums |= {SECRETS: add(tar, SECRETS, secrets), DUMP: add_file(tar, DUMP, dump)}
    if objects is not None:
        checksums |= add_objects(tar, objects)
    add(tar, CHECKSUMS, json.dumps(checksums).encode())


def add_objects(tar: tarfile.TarFile, objects: Path) -> dict[str, str]:
    """Packs the files of the store; their SHA-256 by name."""
    checksums: dict[str, str] = {}
    for path in sorted(objects.rglob("*")):
        name = f"{OBJECTS}/{path.relative_to(objects)}"
        # The audit's anchors may be newer than the dump, and would call a restored database cut off.
        if path.is_file() and name != ANCHORS:
            with contextlib.suppress(FileNotFoundError):  # deleted meanwhile, by somebody who uses the product
                checksums[name] = add_file(tar, name, path)
    return checksums


def add(tar: tarfile.TarFile, name: str, content: bytes) -> str:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    return add_stream(tar, info, io.BytesIO(content))


def add_file(tar: tarfile.TarFile, name: str, path: Path) -> str:
    with path.open("rb") as file:
        return add_stream(tar, tar.gettarinfo(arcname=name, fileobj=file), file)


def add_stream(tar: tarfile.TarFile, info: tarfile.TarInfo, file: IO[bytes]) -> str:
    """Its checksum: of what went into the archive, also where a file changes meanwhile."""
    reader = Summed(file)
    tar.addfile(info, reader)
    return reader.digest.hexdigest()


class Summed:
    """A file that is read once, with the checksum of what was read."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.digest = file, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        content = self.file.read(size)
        self.digest.update(content)
        return content


def unpack(archive: Path, folder: Path, passphrase: str = "") -> None:
    """Refuses what is not, byte for byte, what was packed."""
    with archive.open("rb") as file:
        try:
            checksums = extract(Opener(file, passphrase) if is_sealed(archive) else file, archive, folder)
        except Unsealable:
            raise SystemExit(f"{archive} cannot be opened: another passphrase, or it was changed or cut") from None
        except (tarfile.TarError, EOFError) as why:
            raise SystemExit(f"{archive} is no backup, or it was changed or cut: {why}") from None
    if not (folder / DUMP).exists():
        raise SystemExit(f"{archive} is no backup: it has no {DUMP}")
    if (folder / FORMAT).exists():
        demand_whole(archive, folder, checksums)


def demand_whole(archive: Path, folder: Path, checksums: dict[str, str]) -> None:
    if not (folder / CHECKSUMS).exists():
        raise SystemExit(f"{archive} was cut: its end is missing")
    packed = json.loads((folder / CHECKSUMS).read_text())
    for name in packed.keys() | (checksums.keys() - {CHECKSUMS}):
        if packed.get(name) != checksums.get(name):
            raise SystemExit(f"{archive} was changed: {name} is not as it was packed")
    if json.loads((folder / FORMAT).read_text())["format"] > NEWEST_FORMAT:
        raise SystemExit(f"{archive} is of a newer Lustra: restore it by that version")


def extract(source: Any, archive: Path, folder: Path) -> dict[str, str]:
    """Plain files under plain names only: no links, no way up, no absolute paths. Gives their checksums. `source`:
    a file, or an Opener, of which tarfile uses `read` alone."""
    checksums: dict[str, str] = {}
    with tarfile.open(fileobj=source, mode="r|") as tar:
        for member in tar:
            name = PurePosixPath(member.name)
            if member.isdir() and ".." not in name.parts and not name.is_absolute():
                continue
            content = tar.extractfile(member) if member.isfile() else None
            if content is None or name.is_absolute() or ".." in name.parts:
                raise SystemExit(f"{archive} holds what no backup of ours holds: {member.name}")
            path, reader = folder / name, Summed(content)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as out:
                shutil.copyfileobj(reader, out)
            checksums[str(name)] = reader.digest.hexdigest()
    return checksums


async def restore(
    programs: Path, dsn: str, objects: Path | None, archive: Path, *, passphrase: str = ""
) -> dict[str, Any]:
    """Gives the secrets of the archive. Whoever is connected to the old database is sent away."""
    beside = archive.parent if objects is None else objects.parent
    with tempfile.TemporaryDirectory(prefix="restore-", dir=beside) as name:
        folder = Path(name)
        unpack(archive, folder, passphrase)
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
        jobs = f"--jobs={min(MOST_JOBS, os.cpu_count() or 1)}"
        words = ("--exit-on-error", "--no-owner", "--no-privileges", jobs, "--dbname", at(dsn, new), dump)
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
