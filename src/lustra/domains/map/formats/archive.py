"""Zips that people hand in: one that climbs out of its folder or unpacks to more than it may is refused whole."""

import io
import stat
import zipfile
import zlib

from lustra.domains.map.formats.limits import refused

MOST_ENTRIES = 200
LARGEST_ENTRY = 128 << 20
LARGEST_ARCHIVE = 160 << 20


def file_name(path: str) -> str:
    """A file's own name, however its path is written."""
    return path.replace("\\", "/").rsplit("/", 1)[-1].lower()


def unpack(archive: bytes) -> dict[str, bytes]:
    """The archive's files. Every name and size is checked before the first is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            entries = [e for e in opened.infolist() if not e.is_dir()]
            for entry in opened.infolist():
                _refuse_outside(entry)
            total = sum(e.file_size for e in entries)
            if (
                len(entries) > MOST_ENTRIES
                or total > LARGEST_ARCHIVE
                or any(e.file_size > LARGEST_ENTRY for e in entries)
            ):
                raise refused("map_archive_large")
            # zipfile stops at the size that the entry declares, so a lie about it ends as a wrong checksum
            return {e.filename: opened.read(e) for e in entries if not file_name(e.filename).startswith(("._", "."))}
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError):  # broken, encrypted, exotic
        raise refused("map_archive") from None


def _refuse_outside(entry: zipfile.ZipInfo) -> None:
    name = entry.filename.replace("\\", "/")
    drive = len(name) > 1 and name[1] == ":"
    link = stat.S_ISLNK(entry.external_attr >> 16)
    if name.startswith("/") or drive or link or ".." in name.split("/"):
        raise refused("map_archive_outside", name=entry.filename[:200])
