"""Robots that ask by hawkBit's device API take what roll-outs say, and nobody else's token opens it."""

import asyncio
import contextlib
import hashlib
import shutil
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.hazmat.primitives.serialization.pkcs7 import PKCS7Options, PKCS7SignatureBuilder
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from sqlalchemy import text

from lustra.core.db import now
from lustra.core.errors import Code
from lustra.domains.rollout import orders
from tests.rollout.conftest import Workshop
from tests.world import until

SN = "SC0001"
PACKAGE = b"PK\x03\x04 an image"
BOARD = "lustra:1.0"
PAYLOAD = b"software of a robot "


class Updater:
    """A robot's own updater, by its token."""

    def __init__(self, workshop: Workshop, token: str) -> None:
        self.workshop, self.token = workshop, token

    async def ask(self, method: str = "GET", path: str = "", sn: str = SN, **body: Any) -> tuple[int, Any]:
        answer = await self.workshop.world.http.request(
            method,
            f"/api/ddi/DEFAULT/controller/v1/{sn}{path}",
            json=body or None,
            headers={"authorization": f"TargetToken {self.token}"},
        )
        return answer.status_code, answer.json()

    async def report(self, action: str, execution: str, finished: str = "none", *details: str) -> int:
        status = {"execution": execution, "result": {"finished": finished}, "details": list(details)}
        path = f"/deploymentBase/{action}/feedback"
        return (await self.ask("POST", path, id=action, status=status))[0]

    async def action(self) -> str | None:
        link = (await self.ask())[1]["_links"].get("deploymentBase")
        return link["href"].rsplit("/", 1)[1] if link else None


async def create_token(workshop: Workshop) -> str:
    device = workshop.world.devices[SN]
    return (await workshop.world.call("admin", "/device/createUpdateToken", deviceId=device))["token"]


@pytest.fixture
async def updater(workshop: Workshop) -> Updater:
    return Updater(workshop, await create_token(workshop))


async def begin(workshop: Workshop, content: bytes = PACKAGE, **plan: Any) -> int:
    rollout = await workshop.roll_out(await workshop.publish("2.0.0", content, SN), **plan)
    await workshop.work(crew=False)
    return rollout


async def row_of(workshop: Workshop, rollout: int) -> dict[str, Any]:
    [row] = (await workshop.rollout(rollout))["list"]
    return row


async def test_a_robot_that_asks_is_given_its_package_and_says_how_it_went(workshop: Workshop, updater: Updater):
    status, base = await updater.ask()
    assert (status, base["config"]["polling"]["sleep"], list(base["_links"])) == (200, "00:05:00", ["configData"])
    assert (await updater.ask("PUT", "/configData", data={"hw": "1.0"}))[0] == 200
    rollout = await begin(workshop)
    assert list((await updater.ask())[1]["_links"]) == ["deploymentBase"]
    action = await updater.action()
    assert action
    status, deployment = await updater.ask(path=f"/deploymentBase/{action}")
    [artifact] = deployment["deployment"]["chunks"][0]["artifacts"]
    assert artifact["hashes"] == {
        "sha1": hashlib.sha1(PACKAGE).hexdigest(),
        "md5": hashlib.md5(PACKAGE).hexdigest(),
        "sha256": hashlib.sha256(PACKAGE).hexdigest(),
    }
    link = artifact["_links"]["download-http"]["href"]
    assert (await workshop.world.http.get(link.split("/", 3)[3].join(["/", ""]))).content == PACKAGE
    for execution, state in (("download", "downloading"), ("downloaded", "verifying"), ("proceeding", "installing")):
        assert await updater.report(action, execution) == 200
        assert (await row_of(workshop, rollout))["state"] == state
    assert await updater.report(action, "closed", "success", "Installed") == 200
    await workshop.work(crew=False)
    assert ((await workshop.rollout(rollout))["state"], await updater.action()) == ("finished", None)
    assert await updater.report(action, "closed", "failure") == 410
    view = await workshop.world.call("admin", "/device/selectUpdateToken", deviceId=workshop.world.devices[SN])
    assert (view["attributes"], view["message"]) == ({"hw": "1.0"}, "Installed")


async def test_two_robots_that_ask_at_once_have_the_file_read_once(workshop: Workshop, updater: Updater):
    await begin(workshop)
    path = f"/deploymentBase/{await updater.action()}"
    world = workshop.world
    async with world.services.sessions.begin() as db:
        await db.execute(text("select from version_file for update"))
        requests = [asyncio.create_task(updater.ask(path=path)) for _ in range(2)]

        async def wait_for_both() -> bool:
            return await world.pool.fetchval("select count(*) = 2 from pg_locks where not granted")

        await until(wait_for_both)
    first, second = await asyncio.gather(*requests)
    hashes = [each[1]["deployment"]["chunks"][0]["artifacts"][0]["hashes"] for each in (first, second)]
    assert hashes[0] == hashes[1]
    assert hashes[0]["sha1"] == hashlib.sha1(PACKAGE).hexdigest()


@pytest.mark.parametrize(
    ("execution", "reason"), [("closed", "ddi_failed"), ("rejected", "ddi_rejected"), ("canceled", "ddi_canceled")]
)
async def test_count_an_update_as_failed_when_the_updater_gives_up(
    workshop: Workshop, updater: Updater, execution: str, reason: str
):
    rollout = await begin(workshop)
    await updater.ask()
    action = await updater.action()
    assert action
    assert await updater.report(action, execution, "failure") == 200
    row = await row_of(workshop, rollout)
    assert (row["state"], row["reason"]) == ("failed", reason)


async def test_only_its_own_token_opens_what_is_a_robots(workshop: Workshop, updater: Updater):
    await begin(workshop)
    action = await updater.action()
    assert action
    own, feedback = f"/deploymentBase/{action}", f"/deploymentBase/{action}/feedback"
    assert (await updater.ask(sn="SC0002"))[0] == 401
    other = Updater(workshop, updater.token + "x")
    for method, path in (("GET", ""), ("GET", own), ("PUT", "/configData"), ("POST", feedback)):
        assert (await other.ask(method, path, data={}))[0] == 401
    bare = await workshop.world.http.get(f"/api/ddi/DEFAULT/controller/v1/{SN}")
    assert (bare.status_code, bare.headers["www-authenticate"]) == (401, "TargetToken")
    device = workshop.world.devices["SC0002"]
    answer = await workshop.world.call("admin", "/device/createUpdateToken", deviceId=device)
    foreign = Updater(workshop, answer["token"])
    assert (await foreign.ask(path=own, sn="SC0002"))[0] == 404
    assert (await foreign.ask("POST", feedback, sn="SC0002", status={"execution": "closed"}))[0] == 404
    assert await updater.report(action, "nonsense") == 400


async def test_a_token_that_was_replaced_deleted_or_handed_over_opens_nothing(workshop: Workshop, updater: Updater):
    device = workshop.world.devices[SN]
    newer = Updater(workshop, await create_token(workshop))
    assert ((await updater.ask())[0], (await newer.ask())[0]) == (401, 200)
    await workshop.world.call("admin", "/device/deleteUpdateToken", deviceId=device)
    assert (await newer.ask())[0] == 401
    last = Updater(workshop, await create_token(workshop))
    await workshop.world.call("admin", "/device/deleteDevice", deviceId=device)
    assert (await last.ask())[0] == 401


async def test_tokens_of_foreign_robots_are_out_of_reach(workshop: Workshop):
    device = workshop.world.devices[SN]
    for path in ("selectUpdateToken", "createUpdateToken", "deleteUpdateToken"):
        assert (await workshop.world.raw("rival", f"/device/{path}", deviceId=device))[0] == Code.NOT_FOUND


async def test_give_no_update_while_paused_or_outside_the_hours(workshop: Workshop, updater: Updater):
    minute = (now() + timedelta(hours=5)).hour * 60
    rollout = await begin(workshop, fromMinute=minute, toMinute=minute + 1)
    for _ in range(2):
        assert await updater.action() is None
        assert (await row_of(workshop, rollout))["reason"] == "outside_hours"
    await workshop.world.pool.execute("update rollout set from_minute = null, to_minute = null")
    action = await updater.action()
    assert action
    await workshop.change(rollout, "pause")
    assert await updater.action() is None
    await workshop.change(rollout, "cancel")
    assert await updater.report(action, "proceeding") == 410
    assert await updater.report(action, "closed", "success") == 200, "that it runs the version is true all the same"
    assert (await row_of(workshop, rollout))["state"] == "confirmed"


async def test_a_roll_back_gives_the_former_version_again(workshop: Workshop, updater: Updater):
    await workshop.publish("1.0.0", b"PK\x03\x04 former", SN)
    await workshop.world.pool.execute("update device set soft_version = '1.0.0' where serial_number = $1", SN)
    rollout = await begin(workshop)
    action = await updater.action()
    assert action
    await updater.report(action, "closed", "success")
    await workshop.world.call("admin", "/version/rollBack", id=rollout)
    action = await updater.action()
    [chunk] = (await updater.ask(path=f"/deploymentBase/{action}"))[1]["deployment"]["chunks"]
    assert chunk["version"] == "1.0.0"
    assert chunk["artifacts"][0]["hashes"]["sha256"] == hashlib.sha256(b"PK\x03\x04 former").hexdigest()


async def test_a_roll_back_to_what_is_no_package_fails(workshop: Workshop, updater: Updater):
    await workshop.world.pool.execute("update device set soft_version = '0.9' where serial_number = $1", SN)
    rollout = await begin(workshop)
    await updater.report(await updater.action() or "", "closed", "success")
    back = (await workshop.world.call("admin", "/version/rollBack", id=rollout))["id"]
    assert await updater.action() is None
    row = await row_of(workshop, back)
    assert (row["state"], row["reason"]) == ("failed", "update_no_former")


async def test_give_an_update_to_so_many_robots_in_a_minute(workshop: Workshop, updater: Updater):
    rollout = await begin(workshop, perMinute=1)
    await workshop.world.pool.execute(
        "insert into rollout_robot (rollout_id, device_id, step, state, sent_at, target, updated_at)"
        " select $1, id, 0, 'waiting', now(), '2.0.0', now() from device where serial_number = 'SC0002'",
        rollout,
    )
    assert await updater.action() is None
    await workshop.world.pool.execute("update rollout_robot set sent_at = sent_at - interval '2 minutes'")
    assert await updater.action()


async def test_take_back_from_a_robot_that_asks_without_a_message(workshop: Workshop, updater: Updater):
    rollout = await begin(workshop)
    number = await workshop.world.pool.fetchval("select id from rollout_robot where rollout_id = $1", rollout)
    await orders.drop_order(workshop.world.services, number, 1)


def make_image(folder: Path, payload: bytes) -> bytes:
    """A package of SWUpdate's, signed by a maker's key whose certificate is written beside it."""
    key = rsa.generate_private_key(65537, 2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "maker")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now() - timedelta(days=1))
        .not_valid_after(now() + timedelta(days=30))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.EMAIL_PROTECTION]), critical=False)
        .sign(key, SHA256())
    )
    (folder / "maker.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    digest = hashlib.sha256(payload).hexdigest()
    description = f"""software = {{
  version = "2.0.0";
  hardware-compatibility: [ "1.0" ];
  files: ( {{ filename = "payload"; path = "{folder}/installed"; type = "rawfile"; sha256 = "{digest}"; }} );
}}
""".encode()
    builder = PKCS7SignatureBuilder().set_data(description).add_signer(certificate, key, SHA256())
    signature = builder.sign(Encoding.DER, [PKCS7Options.Binary, PKCS7Options.DetachedSignature])
    files = {"sw-description": description, "sw-description.sig": signature, "payload": payload, "TRAILER!!!": b""}
    image = b""
    for place, (file, content) in enumerate(files.items(), 1):
        mode = 0 if file == "TRAILER!!!" else 0o100644
        numbers = (place, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(file) + 1, sum(content) & 0xFFFFFFFF)
        image += b"070702" + b"".join(b"%08X" % number for number in numbers) + file.encode() + b"\0"
        image += b"\0" * (-len(image) % 4) + content
        image += b"\0" * (-len(image) % 4)
    return image + b"\0" * (-len(image) % 512)


@contextlib.asynccontextmanager
async def swupdate(updater: Updater, folder: Path, *more: str) -> AsyncIterator[None]:
    """Debian's, for as long as that lasts; what it says is in its own log."""
    words = ("-t", "DEFAULT", "-u", f"{updater.workshop.line.url}/api/ddi", "-i", SN, "-k", updater.token, *more)
    with (folder / "swupdate.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *("swupdate", "-v", "-k", str(folder / "maker.pem"), "-H", BOARD, "-u", " ".join(words)),
            cwd=folder,
            env={"TMPDIR": str(folder), "PATH": "/usr/sbin:/usr/bin:/bin"},
            stdout=log,
            stderr=log,
        )
        try:
            yield
        finally:
            process.terminate()
            await process.wait()


@pytest.mark.skipif(shutil.which("swupdate") is None, reason="Debian's package swupdate is not installed")
@pytest.mark.parametrize("changed", [False, True], ids=["signed", "changed"])
async def test_debians_swupdate_takes_it_and_reports(
    workshop: Workshop, updater: Updater, tmp_path: Path, changed: bool
):
    """It says that it runs the new software once it has started it (`-c 2`)."""
    image = make_image(tmp_path, PAYLOAD * 1000)
    rollout = await begin(workshop, image.replace(PAYLOAD, PAYLOAD[::-1]) if changed else image)
    installed = tmp_path / "installed"

    async def state() -> str:
        return (await row_of(workshop, rollout))["state"]

    async def ended() -> bool:
        return await state() in {"confirmed", "failed"}

    async def over() -> bool:
        return await ended() or (installed.exists() and await state() == "installing")

    async with swupdate(updater, tmp_path):
        await until(over, 60)
    if not changed:
        async with swupdate(updater, tmp_path, "-c", "2"):
            await until(ended, 60)
    log = (tmp_path / "swupdate.log").read_text("utf-8", "replace")
    assert await state() == ("failed" if changed else "confirmed"), log[-2000:]
    assert installed.exists() is not changed
