"""The archive of a data backup: a zip of files and a manifest that says what they are (docs/robot-backup.md).

Rules: nothing of an archive is used before all of it was looked at: sizes before anything is unpacked, then each file
against the manifest's size and SHA-256. An archive of a newer format is refused as such.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping

import msgspec

from lustra.protocol.backups import BackupItem
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.maps.bundle import BROKEN

FORMAT = 1
MANIFEST = "manifest.json"
LARGEST_BYTES = 512 << 20  # unpacked
LARGEST_MANIFEST = 8 << 20
MOST_FILES = 5000


class FileEntry(msgspec.Struct, kw_only=True):
    size: int
    sha256: str


class Manifest(msgspec.Struct, kw_only=True):
    """`packed_at`: ms of the robot's clock. `files`: all others of the archive."""

    format: int
    serial_number: str
    packed_at: int
    versions: dict[str, str]
    items: list[BackupItem]
    files: dict[str, FileEntry]


def refuse(reason: str, text: str) -> RobotRefusal:
    return RobotRefusal(RelayCode.BAD_INPUT, reason, text, "file")


def pack_archive(
    files: Mapping[str, bytes], serial_number: str, packed_at: int, versions: dict[str, str], items: list[BackupItem]
) -> bytes:
    entries = {name: FileEntry(size=len(data), sha256=hashlib.sha256(data).hexdigest()) for name, data in files.items()}
    manifest = Manifest(
        format=FORMAT, serial_number=serial_number, packed_at=packed_at, versions=versions, items=items, files=entries
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, msgspec.json.encode(manifest))
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def read_archive(data: bytes) -> tuple[Manifest, dict[str, bytes]]:
    """The manifest and the files that it names, each as it was packed."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
            if len(sizes) > MOST_FILES or sum(sizes.values()) > LARGEST_BYTES:
                raise refuse("backup_too_large", "The backup is too large")
            if sizes.get(MANIFEST, LARGEST_MANIFEST + 1) > LARGEST_MANIFEST:
                raise refuse("backup_broken", "The backup has no manifest")
            manifest = read_manifest(archive.read(MANIFEST))
            if sizes.keys() != {MANIFEST, *manifest.files}:
                raise refuse("backup_broken", "The backup does not hold what its manifest says")
            files = {name: archive.read(name) for name in manifest.files}
    except BROKEN as why:
        raise refuse("backup_broken", "This file is no backup") from why
    for name, entry in manifest.files.items():
        if (len(files[name]), hashlib.sha256(files[name]).hexdigest()) != (entry.size, entry.sha256):
            raise refuse("backup_broken", "A file of the backup is not as it was packed")
    return manifest, files


def read_manifest(data: bytes) -> Manifest:
    """The format is looked at first: what a newer one has beside it, nobody knows here."""
    head = json.loads(data)
    if not isinstance(head, dict) or not isinstance(head.get("format"), int):
        raise refuse("backup_broken", "The backup's manifest cannot be read")
    if head["format"] > FORMAT:
        raise refuse("backup_newer", "The backup is of a newer format than this robot reads")
    try:
        return msgspec.convert(head, Manifest)
    except msgspec.ValidationError as why:
        raise refuse("backup_broken", "The backup's manifest cannot be read") from why
