"""Who may sign packages for which robots: what the keys of root give to a maker, nobody else signs, and it no more."""

import asyncio
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tuf.api.metadata import Metadata, MetaFile, Root, Snapshot, TargetFile, Targets, Timestamp

from lustra.app import cli
from lustra.app.doctor import services
from lustra.core.db import now
from lustra.domains.rollout import delegation, trust
from lustra.domains.rollout.delegation import Line
from lustra.domains.rollout.keys import KeyFault, make_key, make_root, open_key
from tests.rollout.conftest import PACKAGE, SECRET, Workshop
from tests.version.helpers import other_type

STORE = "insert into trust_metadata (role, version, content) values ($1, $2, $3)"
NEWEST = "select content from trust_metadata where role = $1 order by version desc limit 1"


class Maker:
    """A role with a key of its own, of which the server knows the public part."""

    def __init__(self, workshop: Workshop, name: str = "maker") -> None:
        self.workshop, self.name, self.key = workshop, name, workshop.folder / f"{name}.key"
        self.public = make_key(self.key)

    async def delegate(self, *types: str, **more: Any) -> None:
        async with self.workshop.world.services.sessions.begin() as db:
            line = Line(self.name, [self.public], 1, types or [await type_name(self.workshop)], **more)
            await delegation.delegate(db, line, [self.workshop.key])

    async def draft(self) -> bytes:
        async with self.workshop.world.services.sessions() as db:
            return await delegation.draft(db, self.name)

    async def take(self, content: bytes) -> int:
        async with self.workshop.world.services.sessions.begin() as db:
            return await delegation.take(db, self.name, content)

    async def sign(self) -> int:
        return await self.take(delegation.sign_draft(await self.draft(), [self.key])[0])

    async def revoke(self) -> None:
        async with self.workshop.world.services.sessions.begin() as db:
            await delegation.revoke(db, self.name, [self.workshop.key])


@pytest.fixture
def maker(workshop: Workshop) -> Maker:
    return Maker(workshop)


async def type_name(workshop: Workshop) -> str:
    statement = "select t.name from device_type t join device d on d.type_id = t.id where d.serial_number = 'SC0001'"
    return await workshop.world.pool.fetchval(statement)


async def newest(workshop: Workshop, role: str) -> Metadata[Any]:
    return Metadata[Any].from_bytes((await workshop.world.pool.fetchval(NEWEST, role)).encode())


async def force(workshop: Workshop, role: str, signed: Metadata[Any], key: Path | None = None) -> None:
    """What whoever has the database and that key could store, in a snapshot and timestamp of the worker's keys."""
    signer = open_key(key) if key else trust.online_key(SECRET, role)
    signed.signed.version += 1
    signed.sign(signer)
    snapshot, timestamp = await newest(workshop, "snapshot"), await newest(workshop, "timestamp")
    assert isinstance(snapshot.signed, Snapshot)
    assert isinstance(timestamp.signed, Timestamp)
    snapshot.signed.version += 1
    snapshot.signed.meta[f"{role}.json"] = MetaFile(signed.signed.version)
    snapshot.sign(trust.online_key(SECRET, "snapshot"))
    timestamp.signed.version += 1
    timestamp.signed.snapshot_meta = MetaFile(snapshot.signed.version)
    timestamp.sign(trust.online_key(SECRET, "timestamp"))
    for name, each in ((role, signed), ("snapshot", snapshot), ("timestamp", timestamp)):
        await workshop.world.pool.execute(STORE, name, each.signed.version, each.to_bytes().decode())


def list_targets(**targets: TargetFile) -> Metadata[Targets]:
    """By their paths."""
    expires = now().replace(microsecond=0) + timedelta(days=80)
    return Metadata(Targets(version=1, expires=expires, targets={each.path: each for each in targets.values()}))


async def refusal(workshop: Workshop, build: int, version: str = "2.0.0", **fields: Any) -> str:
    number = fields.pop("number", build)
    await workshop.order(build, version, number=number, **fields)
    return (await workshop.reached(number, "failed")).reason


async def test_robots_of_a_maker_take_what_it_has_signed_and_nothing_else(workshop: Workshop, maker: Maker):
    await maker.delegate()
    build = await workshop.publish("2.0.0", PACKAGE, "SC0001")
    refused = await workshop.world.post("admin", "/version/startRollout", publicId=build)
    assert "maker has not signed it yet" in refused.json()["message"]["message"]
    assert await maker.sign() == 1
    await workshop.switch_on()
    rollout = await workshop.roll_out(build)
    assert (await workshop.settled(rollout))["confirmed"] == 1
    await maker.revoke()
    later = await workshop.publish("3.0.0", PACKAGE, "SC0001")
    rollout = await workshop.roll_out(later)
    assert (await workshop.settled(rollout))["confirmed"] == 1, "the worker signs for them again"


async def test_the_worker_s_key_signs_nothing_of_a_maker_s_line(workshop: Workshop, maker: Maker):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    path = await workshop.path(build)
    online = await newest(workshop, "online")
    assert path in online.signed.targets
    await maker.delegate()
    await maker.take(delegation.sign_draft(list_targets().to_bytes(), [maker.key])[0])
    await workshop.sign()
    assert path not in (await newest(workshop, "online")).signed.targets
    online.signed.version = (await newest(workshop, "online")).signed.version
    await force(workshop, "online", online)
    await workshop.switch_on()
    assert await refusal(workshop, build) == "update_unlisted"


async def test_a_maker_s_key_signs_nothing_outside_its_line(workshop: Workshop, maker: Maker):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    await other_type(workshop.world)
    await maker.delegate("Other")
    model, path = await type_name(workshop), await workshop.path(build)
    [target] = [each for name, each in (await newest(workshop, "online")).signed.targets.items() if name == path]
    outside = list_targets(target=target)
    with pytest.raises(KeyFault, match="not of the line"):
        await maker.take(delegation.sign_draft(outside.to_bytes(), [maker.key])[0])
    forged = TargetFile(9, {"sha256": "00" * 32}, "soft/Other/9", {"custom": target.unrecognized_fields["custom"]})
    with pytest.raises(KeyFault, match="not what is published"):
        await maker.take(delegation.sign_draft(list_targets(forged=forged).to_bytes(), [maker.key])[0])
    await maker.sign()
    await workshop.sign()
    stolen = TargetFile(9, {"sha256": "00" * 32}, path, {"custom": target.unrecognized_fields["custom"]})
    await force(workshop, "maker", list_targets(stolen=stolen, forged=forged), maker.key)
    await workshop.switch_on(model=model)
    assert await refusal(workshop, build, number=901, name="soft/Other/9") == "update_model", "also with our type in it"
    await workshop.order(build, "2.0.0")
    await workshop.reached(build, "confirmed")


async def test_a_lost_key_is_replaced_and_signs_nothing_any_more(workshop: Workshop, maker: Maker):
    await maker.delegate()
    build = await workshop.publish("2.0.0", PACKAGE, "SC0001")
    await maker.sign()
    former, (maker.key, maker.public) = maker.key, (workshop.folder / "new.key", make_key(workshop.folder / "new.key"))
    await maker.delegate()
    await workshop.sign()
    await workshop.switch_on()
    assert await refusal(workshop, build, number=901) == "update_untrusted", "signed by the key that counts no more"
    with pytest.raises(KeyFault, match="signatures of 1 of maker's keys"):
        await maker.take(delegation.sign_draft(await maker.draft(), [former])[0])
    await maker.sign()
    await workshop.sign()
    await workshop.order(build, "2.0.0")
    await workshop.reached(build, "confirmed")


async def test_refuse_an_outdated_signature_of_the_maker(
    workshop: Workshop, maker: Maker, monkeypatch: pytest.MonkeyPatch
):
    await maker.delegate()
    build = await workshop.publish("2.0.0")
    monkeypatch.setattr(delegation, "now", lambda: now() - timedelta(days=401))
    await maker.sign()
    await workshop.sign()
    await workshop.switch_on()
    assert await refusal(workshop, build) == "update_expired"


async def test_older_signatures_of_a_maker_are_refused(workshop: Workshop, maker: Maker):
    await maker.delegate()
    build = await workshop.publish("2.0.0", PACKAGE, "SC0001")
    older = delegation.sign_draft(await maker.draft(), [maker.key])[0]
    await maker.sign()
    with pytest.raises(KeyFault, match="newer was signed"):
        await maker.take(older)
    await workshop.publish("3.0.0", PACKAGE, "SC0001")
    await maker.sign()
    await workshop.sign()
    await workshop.world.pool.execute(
        "update trust_metadata set content = $1 where role = 'maker' and version = 2", older.decode()
    )
    await workshop.switch_on()
    assert await refusal(workshop, build) == "update_untrusted", "not what the snapshot says"


async def test_only_the_root_s_keys_delegate(workshop: Workshop, maker: Maker):
    other = Maker(workshop, "other")
    for name, types, by, message in (
        ("maker", ["Nowhere"], workshop.key, "no type of robots Nowhere"),
        ("targets", [await type_name(workshop)], workshop.key, "A name has"),
        ("maker", [await type_name(workshop)], other.key, "1 of the root's keys"),
        ("maker", [await type_name(workshop)], workshop.folder / "none", "is not there"),
    ):
        with pytest.raises(KeyFault, match=message):
            async with workshop.world.services.sessions.begin() as db:
                await delegation.delegate(db, Line(name, [maker.public], 1, types), [by])
    with pytest.raises(KeyFault, match="threshold"):
        async with workshop.world.services.sessions.begin() as db:
            await delegation.delegate(db, Line("maker", [maker.public], 2, ["Other"]), [workshop.key])
    await maker.delegate()
    with pytest.raises(KeyFault, match="is maker's already"):
        await other.delegate()
    await other_type(workshop.world)
    third = Maker(workshop, "third")
    await third.delegate("Other")
    with pytest.raises(KeyFault, match="is third's already"):
        await other.delegate("Other")
    for act in (other.draft(), other.revoke(), other.take(b"{}")):
        with pytest.raises(KeyFault, match="no role other"):
            await act


async def test_sign_a_line_at_once_where_its_keys_are_at_hand(workshop: Workshop, maker: Maker):
    build = await workshop.publish("2.0.0")
    maker.public = maker.key
    await maker.delegate()
    assert await workshop.path(build) in (await newest(workshop, "maker")).signed.targets
    with pytest.raises(KeyFault, match="no draft"):
        delegation.sign_draft(b"{}", [maker.key])


async def test_delegate_nothing_before_there_is_a_root(workshop: Workshop, maker: Maker):
    await workshop.world.pool.execute("delete from trust_metadata")
    with pytest.raises(KeyFault, match="no root yet"):
        await maker.delegate()


async def lay_former_repository(workshop: Workshop) -> int:
    """As it was before there were delegations: the worker's keys sign all, under names without types; a published
    build."""
    build = await workshop.publish("2.0.0", PACKAGE, "SC0001")
    pool = workshop.world.pool
    await pool.execute("delete from trust_metadata")
    root = Root(version=1, expires=now().replace(microsecond=0) + timedelta(days=900), consistent_snapshot=True)
    root.add_key(open_key(workshop.key).public_key, "root")
    for role in ("targets", "snapshot", "timestamp"):
        root.add_key(trust.online_key(SECRET, role).public_key, role)
    signed_root = Metadata(root)
    signed_root.sign(open_key(workshop.key))
    async with workshop.world.services.sessions() as db:
        targets = trust.of_before(await trust.list_packages(db))
    listing = list_targets()
    listing.signed.targets = targets
    listing.sign(trust.online_key(SECRET, "targets"))
    await pool.execute(STORE, "root", 1, signed_root.to_bytes().decode())
    await pool.execute(STORE, "targets", 1, listing.to_bytes().decode())
    workshop.root = signed_root.to_bytes().decode()
    return build


async def test_an_installation_of_before_goes_on_and_its_robots_follow(workshop: Workshop):
    build = await lay_former_repository(workshop)
    with pytest.raises(KeyFault, match="signs all packages as yet"):
        await Maker(workshop, "early").delegate()
    async with workshop.world.services.sessions() as db:
        assert await delegation.find_unsigned(db, {f"soft/{build}": [await type_name(workshop)]}) == ""
        await make_root(db, SECRET, [Maker(workshop, "stranger").key], 1)  # not its keys: it stays
    await workshop.sign()
    listed = (await newest(workshop, "targets")).signed.targets
    assert {f"soft/{build}", await workshop.path(build)} <= listed.keys(), "both names, by the worker's own key"
    await workshop.switch_on()
    await workshop.order(build, "2.0.0", number=901, name=f"soft/{build}")
    await workshop.reached(901, "confirmed")
    async with workshop.world.services.sessions.begin() as db:
        await make_root(db, SECRET, [workshop.key], 1)  # as `lustra up` does while the key is there
    await workshop.sign()
    assert (await newest(workshop, "targets")).signed.targets == {}
    await workshop.order(build, "2.0.0", number=902, name=f"soft/{build}")
    await workshop.reached(902, "confirmed")
    later = await workshop.publish("3.0.0", PACKAGE, "SC0001")
    rollout = await workshop.roll_out(later)
    assert (await workshop.settled(rollout))["confirmed"] == 1
    assert f"soft/{later}" not in (await newest(workshop, "online")).signed.targets
    maker = Maker(workshop)
    await maker.delegate()
    await maker.sign()
    await workshop.sign()
    assert (await newest(workshop, "online")).signed.targets == {}, "names of before are no way around the maker"


async def test_the_doctor_says_whose_signatures_end(workshop: Workshop, maker: Maker, monkeypatch: pytest.MonkeyPatch):
    async def findings() -> list[str]:
        url = workshop.world.services.settings.database_url
        return [each.text async for each in services._look_at_keys(url) if each.level != "ok"]

    await lay_former_repository(workshop)
    await workshop.sign()
    assert await findings() == ["the worker's key alone says which packages robots take"]
    async with workshop.world.services.sessions.begin() as db:
        await make_root(db, SECRET, [workshop.key], 1)
    monkeypatch.setattr(delegation, "now", lambda: now() - timedelta(days=390))
    await maker.delegate()
    await maker.sign()
    await workshop.sign()
    [finding] = await findings()
    assert finding.startswith("what maker has signed ends on")


async def test_a_maker_signs_by_command_where_its_key_lies(workshop: Workshop, monkeypatch: pytest.MonkeyPatch):
    folder, model = workshop.folder, await type_name(workshop)
    await workshop.publish("2.0.0", PACKAGE, "SC0001")

    def run(*words: str) -> None:
        monkeypatch.setattr(sys, "argv", ["lustra", "keys", *words])
        cli.main()

    key, draft = str(folder / "maker.key"), str(folder / "draft.json")
    with monkeypatch.context() as bare:
        bare.delenv("LUSTRA_DATABASE_URL", raising=False)
        await asyncio.to_thread(run, "new", key)
        with pytest.raises(SystemExit, match="is there already"):
            await asyncio.to_thread(run, "new", key)
    monkeypatch.setenv("LUSTRA_DATABASE_URL", workshop.world.services.settings.database_url)
    by = ("--by", str(workshop.key))
    await asyncio.to_thread(run, "delegate", "maker", "--key", f"{key}.pub", "--types", model, "--kinds", "soft", *by)
    await asyncio.to_thread(run, "draft", "maker", draft)
    with pytest.raises(SystemExit, match="signatures of 1"):
        await asyncio.to_thread(run, "take", "maker", draft)
    await asyncio.to_thread(run, "sign", draft, "--by", key)
    await asyncio.to_thread(run, "take", "maker", draft)
    assert len((await newest(workshop, "maker")).signed.targets) == 1
    await asyncio.to_thread(run, "revoke", "maker", *by)
    with pytest.raises(SystemExit, match="no role maker"):
        await asyncio.to_thread(run, "draft", "maker", draft)
