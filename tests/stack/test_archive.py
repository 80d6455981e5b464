"""What a backup carries besides rows and files, and what a restore takes from an archive."""

import io
import tarfile
from pathlib import Path

import pytest

from lustra.stack import archive, programs
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


def test_without_these_secrets_what_was_sealed_signed_or_enrolled_before_would_be_lost():
    assert {"secret", "grant_key", "grant_public", "host_key", "host_public", "gate_seed", "account"} == {
        *archive.CARRIED
    }


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
