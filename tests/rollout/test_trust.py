"""What robots trust: who may sign, how keys change, and metadata that is old, mixed, or frozen."""

import asyncio
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from tuf.api.metadata import Metadata, Targets

from lustra.app import cli
from lustra.core.db import now
from lustra.core.errors import Code
from lustra.domains.rollout import trust
from lustra.domains.rollout.keys import KeyFault, make_root, open_key, open_keys, read_public, rotate_root
from tests.rollout.conftest import SECRET, Workshop
from tests.world import World

VERSIONS = "select role, max(version) as version from trust_metadata group by role"


async def versions(workshop: Workshop) -> dict[str, int]:
    return {row["role"]: row["version"] for row in await workshop.world.pool.fetch(VERSIONS)}


async def test_only_what_is_due_is_signed_anew(workshop: Workshop):
    await workshop.publish("2.0.0")
    await workshop.sign()
    assert await versions(workshop) == {"root": 1, "targets": 1, "online": 1, "snapshot": 1, "timestamp": 1}
    await workshop.sign()
    assert await versions(workshop) == {"root": 1, "targets": 1, "online": 1, "snapshot": 1, "timestamp": 1}
    await workshop.publish("3.0.0")
    await workshop.sign()
    assert await versions(workshop) == {"root": 1, "targets": 1, "online": 2, "snapshot": 2, "timestamp": 2}


async def test_a_timestamp_is_renewed_before_it_ends(workshop: Workshop, monkeypatch: pytest.MonkeyPatch):
    await workshop.publish("2.0.0")
    await workshop.sign()
    monkeypatch.setattr(trust, "now", lambda: now() + timedelta(days=4))
    await workshop.sign()
    assert await versions(workshop) == {"root": 1, "targets": 1, "online": 1, "snapshot": 1, "timestamp": 2}
    monkeypatch.setattr(trust, "now", lambda: now() + timedelta(days=70))
    await workshop.sign()
    assert await versions(workshop) == {"root": 1, "targets": 1, "online": 2, "snapshot": 2, "timestamp": 3}


async def test_without_keys_nothing_is_signed(workshop: Workshop):
    await workshop.publish("2.0.0")
    workshop.use_secret("")
    await workshop.sign()
    workshop.use_secret("of somebody else")
    await workshop.sign()
    assert await versions(workshop) == {"root": 1, "targets": 1}
    await workshop.world.pool.execute("delete from trust_metadata")
    await workshop.sign()
    assert await versions(workshop) == {}


async def test_robots_follow_a_root_with_other_keys(workshop: Workshop):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    await workshop.switch_on()  # trusts the first root
    await workshop.rotate("another secret", workshop.folder / "new.key")
    await workshop.sign()
    assert await versions(workshop) == {"root": 2, "targets": 2, "online": 2, "snapshot": 2, "timestamp": 2}
    await workshop.order(build, "2.0.0")
    await workshop.reached(build, "confirmed")


async def test_a_root_that_the_former_one_did_not_sign_is_not_made(workshop: Workshop):
    other = workshop.folder / "other.key"
    async with workshop.world.services.sessions.begin() as db:
        await make_root(db, SECRET, [other], 1)  # there is one already: it stays
    open_key(other)
    with pytest.raises(KeyFault, match="1 of its own keys"):
        await workshop.rotate(SECRET, other, by=other)
    assert (await versions(workshop))["root"] == 1


async def test_metadata_that_is_over_is_refused(workshop: Workshop, monkeypatch: pytest.MonkeyPatch):
    """Freeze: somebody goes on serving what was signed once."""
    build = await workshop.publish("2.0.0")
    monkeypatch.setattr(trust, "now", lambda: now() - timedelta(days=8))
    await workshop.sign()
    await workshop.switch_on()
    await workshop.order(build, "2.0.0")
    assert (await workshop.reached(build, "failed")).reason == "update_expired"


async def test_metadata_older_than_what_the_robot_has_seen_is_refused(workshop: Workshop):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    await workshop.publish("3.0.0")
    await workshop.sign()
    robot = await workshop.switch_on()
    await workshop.order(build, "2.0.0")
    await workshop.reached(build, "confirmed")
    seen = (robot.updates.folder / "trusted" / "timestamp.json").read_bytes()
    await workshop.world.pool.execute("delete from trust_metadata where version = 2")
    await workshop.order(build, "2.0.0", number=900)
    assert (await workshop.reached(900, "failed")).reason == "update_untrusted"
    assert (robot.updates.folder / "trusted" / "timestamp.json").read_bytes() == seen


async def test_metadata_that_does_not_belong_together_is_refused(workshop: Workshop):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    await workshop.switch_on()
    content = await workshop.world.pool.fetchval("select content from trust_metadata where role = 'online'")
    mixed = Metadata[Targets].from_bytes(content.encode())
    mixed.signed.targets["soft/Other/1"] = trust.TargetFile(1, {"sha256": "00" * 32}, "soft/Other/1")
    await workshop.world.pool.execute(
        "update trust_metadata set content = $1 where role = 'online'", mixed.to_bytes().decode()
    )
    await workshop.order(build, "2.0.0")
    assert (await workshop.reached(build, "failed")).reason == "update_untrusted"


async def test_metadata_is_opened_by_its_link_alone(workshop: Workshop):
    await workshop.publish("2.0.0")
    await workshop.sign()
    links, http = workshop.world.services.objects.links, workshop.world.http
    link, other = links.sign({"trust": 1}, 60), links.sign({"path": "x"}, 60)
    for file, status in (
        ("timestamp.json", 200),
        ("1.root.json", 200),
        ("1.targets.json", 200),
        ("2.root.json", 404),
        ("root.json", 404),
        ("1.timestamp.json", 404),
        ("1.2.root.json", 404),
        ("x.root.json", 404),
        ("1.root.txt", 404),
    ):
        assert (await http.get(f"/api/version/metadata/{link}/{file}")).status_code == status
    for refused in (other, "x"):
        assert "signatures" not in (await http.get(f"/api/version/metadata/{refused}/timestamp.json")).text


async def test_keys_are_made_and_rotated_by_command(workshop: Workshop, monkeypatch: pytest.MonkeyPatch):
    dsn = workshop.world.services.settings.database_url
    root = workshop.folder / "root.key"
    monkeypatch.setenv("LUSTRA_DATABASE_URL", dsn)

    def run(*words: str) -> None:
        monkeypatch.setattr(sys, "argv", ["lustra", "keys", *words])
        cli.main()

    with pytest.raises(SystemExit, match="LUSTRA_UPDATE_KEY"):
        await asyncio.to_thread(run, "rotate", "--by", str(root), "--root", str(root))
    monkeypatch.setenv("LUSTRA_UPDATE_KEY", SECRET)
    await asyncio.to_thread(run, "make", "--root", str(root))
    new = [str(workshop.folder / name) for name in ("a.key", "b.key")]
    with pytest.raises(SystemExit, match="is not there"):
        await asyncio.to_thread(run, "rotate", "--by", str(workshop.folder / "lost"), "--root", *new)
    with pytest.raises(SystemExit, match="threshold"):
        await asyncio.to_thread(run, "rotate", "--by", str(root), "--root", *new, "--threshold", "3")
    await asyncio.to_thread(run, "rotate", "--by", str(root), "--root", *new, "--threshold", "2")
    assert (await versions(workshop))["root"] == 2


async def test_answer_that_no_root_of_trust_exists(world: World):
    answer = await world.http.get("/api/version/root")
    assert answer.json()["message"]["code"] == Code.NOT_FOUND


def test_name_the_file_that_is_no_key_of_its_kind(tmp_path: Path):
    other, pem = generate_private_key(SECP256R1()), tmp_path / "other.pem"
    private = form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption()
    pem.write_bytes(other.private_bytes(*private))
    with pytest.raises(KeyFault, match=r"other\.pem is no Ed25519 key"):
        open_key(pem)
    pem.write_bytes(other.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo))
    with pytest.raises(KeyFault, match=r"other\.pem is no Ed25519 key"):
        read_public(pem)
    for read in (read_public, lambda file: open_keys([file])):
        with pytest.raises(KeyFault, match="is not there"):
            read(tmp_path / "absent.pem")


async def test_roles_end_where_there_are_keys_alone(world: World):
    async with world.services.sessions() as db:
        assert await trust.load_ends(db) == []
        with pytest.raises(KeyFault, match="no root yet"):
            await rotate_root(db, SECRET, [], [], 1)


async def test_metadata_is_read_as_what_it_is(workshop: Workshop):
    async with workshop.world.services.sessions() as db:
        newest = await trust.load_newest(db)
    with pytest.raises(TypeError, match="root is no Targets"):
        trust.read(Targets, newest["root"])
