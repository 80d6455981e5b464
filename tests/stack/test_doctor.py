"""`lustra doctor` on installations with one thing broken each: what it says, and how it ends."""

import asyncio
import json
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from lustra.app.commands import doctor
from lustra.app.doctor import machine, network, services
from lustra.app.doctor.finding import Installation, Look
from lustra.core.bus import PAST, Bus
from lustra.core.db import now
from lustra.core.settings import Settings
from lustra.protocol import bus as protocol
from lustra.stack import place
from tests.conftest import Stack
from tests.databases import statement
from tests.flush import flush
from tests.stack.certificates import certify


class Usage(NamedTuple):
    total: int
    used: int
    free: int


async def levels(look: Look, at: Installation) -> dict[str, str]:
    """The worst level of each part that it looks at."""
    findings = sorted(await doctor.collect(look, at), key=lambda each: ("ok", "warning", "fault").index(each.level))
    return {finding.part: finding.level for finding in findings}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a `lustra up` that does not run."""
    folder = tmp_path / "data"
    place.make_folder(folder)
    place.save_settings(folder, {"demo": False, "ports": {}})
    return folder


def times(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def stopped(folder: Path, **saved: object) -> Installation:
    return Installation(Settings(), folder, {"demo": False, **saved}, {})


def of_settings(**values: str) -> Installation:
    return Installation(Settings(**values), None, {}, {})


def test_exit_with_1_and_say_what_to_do_without_an_installation(tmp_path: Path):
    words = [sys.executable, "-m", "lustra.app.cli", "doctor", "--json", "--data", str(tmp_path / "none")]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    (finding,) = json.loads(ended.stdout)
    assert (ended.returncode, finding["part"], finding["level"]) == (1, "folder", "fault")
    assert "lustra up" in finding["advice"]


async def test_a_variable_that_is_no_setting_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LUSTRA_DATABSE_URL", "postgresql://elsewhere")
    (finding,) = await doctor.examine()
    assert (finding.part, finding.level) == ("settings", "fault")
    assert "did you mean LUSTRA_DATABASE_URL" in finding.text


async def test_a_folder_that_is_right_has_no_faults_and_is_looked_at_without_a_change(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("LUSTRA_DATA", str(folder))
    before = times(folder)
    findings = await doctor.examine()
    assert not [finding for finding in findings if finding.level == "fault"]
    assert all(finding.advice for finding in findings if finding.level != "ok")
    assert times(folder) == before


async def test_warn_of_readable_files_and_of_an_offline_key_beside_the_others(folder: Path):
    assert await levels(machine.look_at_folder, stopped(folder)) == {"folder": "ok"}
    (folder / place.SETTINGS).chmod(0o644)
    assert await levels(machine.look_at_folder, stopped(folder)) == {"folder": "warning"}
    (folder / place.SETTINGS).chmod(0o600)
    (folder / "root.key").touch(mode=0o600)
    assert await levels(machine.look_at_folder, stopped(folder)) == {"folder": "warning"}


async def test_a_database_of_another_postgresql_is_a_fault(folder: Path):
    (folder / "pg").mkdir(mode=0o700)
    (folder / "pg" / "PG_VERSION").write_text("16\n")
    assert await levels(machine.look_at_folder, stopped(folder)) == {"folder": "fault"}


async def test_settings_that_are_no_json_are_a_fault(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LUSTRA_DATA", str(folder))
    (folder / place.SETTINGS).write_text("{")
    (finding,) = await doctor.examine()
    assert (finding.part, finding.level) == ("folder", "fault")


async def test_a_port_that_another_program_has_is_a_fault_while_lustra_is_stopped(folder: Path):
    with socket.create_server((place.LOOPBACK, 0)) as other:
        at = stopped(folder, ports={"relay": other.getsockname()[1]})
        assert (await levels(machine.look_at_ports, at))["ports"] == "fault"


async def test_a_disk_without_room_for_uploads_is_a_fault(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(total=100 << 30, used=100 << 30, free=0))
    assert await levels(machine.look_at_disk, stopped(folder)) == {"disk": "fault"}


async def test_no_backup_and_an_old_one_are_warned_of(folder: Path):
    assert await levels(machine.look_at_backup, stopped(folder)) == {"backup": "warning"}
    for days, level in ((1, "ok"), (30, "warning")):
        last = {"at": (now() - timedelta(days=days)).isoformat(), "path": "/backups/all.tar", "encrypted": True}
        (folder / place.LAST_BACKUP).write_text(json.dumps(last))
        assert await levels(machine.look_at_backup, stopped(folder)) == {"backup": level}


async def test_a_database_that_does_not_answer_is_a_fault():
    at = of_settings(database_url=f"postgresql://lustra@{place.LOOPBACK}:{place.free_port(place.LOOPBACK)}/lustra")
    assert await levels(services.look_at_database, at) == {"database": "fault"}


async def test_a_database_without_keys_for_updates_is_warned_of(database: str):
    at = of_settings(database_url=database)
    assert await levels(services.look_at_database, at) == {"database": "ok", "update keys": "warning"}


@pytest.mark.parametrize("revision", ["0040", "9999"])
async def test_a_schema_of_another_version_is_a_fault(database: str, revision: str):
    await statement(database, f"update alembic_version set version_num = '{revision}'")
    assert await levels(services.look_at_database, of_settings(database_url=database)) == {"database": "fault"}


async def test_a_database_without_tables_is_a_fault(stack: Stack):
    assert await levels(services.look_at_database, of_settings(database_url=stack.postgres)) == {"database": "fault"}


async def test_a_bus_is_right_with_its_streams_and_a_fault_where_it_does_not_answer(stack: Stack, bus: Bus):
    assert await levels(services.look_at_bus, of_settings(nats_url=stack.nats)) == {"bus": "ok"}
    silent = of_settings(nats_url=f"nats://{place.LOOPBACK}:{place.free_port(place.LOOPBACK)}")
    assert await levels(services.look_at_bus, silent) == {"bus": "fault"}


async def test_warn_of_what_is_read_again_for_a_database_that_may_lack_it(stack: Stack, bus: Bus):
    await bus.js.add_consumer(PAST["ALARM"], durable_name="ingest")
    assert await levels(services.look_at_bus, of_settings(nats_url=stack.nats)) == {"bus": "warning"}


async def test_warn_of_a_mirror_that_stands_still(stack: Stack, bus: Bus):
    name = PAST["ALARM"]
    mirror = (await bus.js.stream_info(name)).config
    await bus.js.delete_stream(name)
    await bus.js.add_stream(name=name)
    try:
        assert await levels(services.look_at_bus, of_settings(nats_url=stack.nats)) == {"bus": "ok"}  # it lacks nothing
        await bus.publish(protocol.alarm("SC0001"), b"{}")
        await flush(bus.link)
        assert await levels(services.look_at_bus, of_settings(nats_url=stack.nats)) == {"bus": "warning"}
    finally:
        await bus.js.delete_stream(name)
        await bus.js.add_stream(mirror)


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    """Of a web server whose authority nobody knows."""
    files = certify(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(files.chain, files.key)
    server = await asyncio.start_server(lambda _, write: write.close(), place.LOOPBACK, 0, ssl=context)
    yield f"https://localhost:{server.sockets[0].getsockname()[1]}"
    server.close()


@pytest.mark.parametrize(
    ("content", "level"),
    [
        ('<html data-base="/clean"><div id="root">', "ok"),
        ('<html><div id="root">', "fault"),  # it was started with another public URL
        ("<h1>It works!</h1>", "fault"),
    ],
)
async def test_a_public_address_that_leads_elsewhere_is_a_fault(content: str, level: str):
    async def answer(_: web.Request) -> web.Response:
        return web.Response(text=content)

    served = web.Application()
    served.router.add_get("/clean/login", answer)
    async with TestServer(served) as server:
        at = of_settings(public_url=f"http://127.0.0.1:{server.port}/clean")
        assert await levels(network.look_at_public_address, at) == {"public address": level}
        elsewhere = of_settings(public_url=f"http://127.0.0.1:{server.port}/other")
        assert await levels(network.look_at_public_address, elsewhere) == {"public address": "fault"}
    assert await levels(network.look_at_public_address, at) == {"public address": "warning"}
    assert await levels(network.look_at_public_address, of_settings()) == {}


async def test_a_refused_certificate_is_a_fault_and_one_that_ends_soon_a_warning(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    at = of_settings(public_url=address, relay_url=address)
    assert await levels(network.look_at_certificates, at) == {"certificate": "fault"}
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    assert await levels(network.look_at_certificates, at) == {"certificate": "warning"}


@pytest.mark.parametrize(
    ("url", "sender"),
    [
        ("http://mail.example.org", "Lustra <lustra@example.org>"),
        ("smtps://mail.example.org", "nobody"),
        (f"smtp://{place.LOOPBACK}:1", "Lustra <lustra@example.org>"),
    ],
)
async def test_a_mail_server_that_cannot_be_used_is_a_fault(url: str, sender: str):
    at = of_settings(smtp_url=url, mail_from=sender)
    assert await levels(network.look_at_mail, at) == {"mail": "fault"}
