"""What a backup carries besides rows and files, and what a restore takes from an archive."""

import io
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lustra.stack import archive, encryption, programs
from tests.conftest import Stack
from tests.databases import statement

SECRETS = {name: f"{name} of then" for name in archive.CARRIED}
PROGRAMS = programs.installed().postgres


async def test_secrets_come_back_with_a_backup_and_nothing_that_is_the_machines_own(
    stack: Stack, database: str, tmp_path: Path
):
    await statement(database, "update account set name = 'Then' where account = 'dealer'")
    file = tmp_path / "all.tar"
    archive.backup(PROGRAMS, database, None, SECRETS | {"postgres_password": "own", "http_port": 8080}, file)
    await statement(database, "update account set name = 'Now' where account = 'dealer'")
    assert await archive.restore(PROGRAMS, database, None, file) == SECRETS
    await statement(database, "do $$ begin assert (select name from account where account = 'dealer') = 'Then'; end $$")


def test_back_up_the_secrets_that_sealed_signed_or_enrolled_data_needs():
    carried = {"secret", "grant_key", "grant_public", "host_key", "host_public", "gate_seed", "account", "update_key"}
    assert carried == {*archive.CARRIED}


PASSPHRASE = "correct horse battery"


@pytest.fixture
def packed(tmp_path: Path) -> Callable[[str], Path]:
    """Gives an archive of a dump and a file, sealed where there is a passphrase."""

    def pack(passphrase: str) -> Path:
        objects, dump, file = tmp_path / "objects", tmp_path / "dump", tmp_path / "all.tar"
        (objects / "device").mkdir(parents=True)
        (objects / "device" / "map").write_bytes(b"map" * archive_frame)
        dump.write_bytes(b"dump")
        with file.open("wb") as out:
            sealer = encryption.Sealer(out, passphrase) if passphrase else None
            stream: Any = sealer or out
            with tarfile.open(fileobj=stream, mode="w|") as tar:
                archive.pack(tar, b"{}", dump, objects)
            if sealer:
                sealer.finish()
        return file

    return pack


archive_frame = encryption.FRAME // 2  # so that three of it lie in two frames


def test_restore_an_encrypted_archive_only_with_its_passphrase(packed: Callable[[str], Path], tmp_path: Path):
    file, folder = packed(PASSPHRASE), tmp_path / "inside"
    assert b"settings.json" not in file.read_bytes()
    archive.unpack(file, folder, PASSPHRASE)
    assert (folder / "objects" / "device" / "map").read_bytes() == b"map" * archive_frame
    with pytest.raises(SystemExit, match="another passphrase"):
        archive.unpack(file, tmp_path / "again", PASSPHRASE[:-1])


@pytest.mark.parametrize("place", [0, 20, 40, 5000, -1])
@pytest.mark.parametrize("passphrase", ["", PASSPHRASE])
def test_an_archive_of_which_a_byte_was_changed_is_refused(
    packed: Callable[[str], Path], tmp_path: Path, passphrase: str, place: int
):
    file = packed(passphrase)
    content = bytearray(file.read_bytes())
    if not passphrase:
        place = content.index(b"dump" if place == 0 else b"mapmap")
    content[place] ^= 1
    file.write_bytes(content)
    with pytest.raises(SystemExit, match="changed"):
        archive.unpack(file, tmp_path / "inside", passphrase)


@pytest.mark.parametrize("passphrase", ["", PASSPHRASE])
def test_an_archive_that_was_cut_is_refused(packed: Callable[[str], Path], tmp_path: Path, passphrase: str):
    file = packed(passphrase)
    content = file.read_bytes()
    whole = len(content) - 1 if passphrase else content.index(archive.CHECKSUMS.encode())  # a tar ends in zeros
    for number, size in enumerate((whole, len(content) - encryption.FRAME, 100)):
        file.write_bytes(content[:size])
        with pytest.raises(SystemExit, match="cut"):
            archive.unpack(file, tmp_path / f"inside{number}", passphrase)


def test_an_archive_of_a_newer_format_is_refused(
    packed: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(archive, "NEWEST_FORMAT", archive.NEWEST_FORMAT + 1)
    file = packed("")
    monkeypatch.undo()
    with pytest.raises(SystemExit, match="newer Lustra"):
        archive.unpack(file, tmp_path / "inside")


def test_an_older_archive_without_checksums_is_restored(tmp_path: Path):
    file, folder = tmp_path / "all.tar", tmp_path / "inside"
    with tarfile.open(file, "w") as tar:
        archive.add(tar, archive.SECRETS, b"{}")
        archive.add(tar, archive.DUMP, b"dump")
    archive.unpack(file, folder)
    assert (folder / archive.DUMP).read_bytes() == b"dump"


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "objects/../../evil"])
def test_an_archive_that_leads_out_of_its_folder_is_refused(tmp_path: Path, name: str):
    file, folder = tmp_path / "all.tar", tmp_path / "inside"
    with tarfile.open(file, "w") as tar:
        for entry in (archive.DUMP, name):
            info = tarfile.TarInfo(entry)
            info.size = 1
            tar.addfile(info, io.BytesIO(b"x"))
    with pytest.raises(SystemExit, match="holds what no backup of ours holds"):
        archive.unpack(file, folder)
    assert not (tmp_path / "evil").exists()
