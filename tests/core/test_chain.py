"""Whoever writes into the database, even as its superuser, but does not have the key, is found out."""

import json
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from lustra.core.audit_trail import audit, chain, chain_check
from lustra.core.audit_trail.audit import Audit
from lustra.core.audit_trail.chain import Seal
from lustra.core.context import NOBODY, Services
from lustra.core.db import now

OTHER = b"another key"


async def sealed(services: Services, key: Any = None) -> int:
    async with services.sessions.begin() as db:
        return await chain.seal(db, key or chain.key_of(services.settings))


async def recorded(services: Services, count: int = 5) -> None:
    """So many rows, sealed."""
    async with services.sessions.begin() as db:
        for number in range(count):
            audit.write(db, replace(NOBODY, name=f"name {number}"), "test", detail={"number": number})
    assert await sealed(services) >= count


async def check_chain(services: Services):
    """Where a check of all finds the chain broken, and why."""
    result = await chain_check.check(services, whole=True)
    return result.broken, result.reason


async def spoil(services: Services, *statements: str) -> None:
    """As the superuser can who turns the triggers off."""
    async with services.sessions.begin() as db:
        await db.execute(text("SET LOCAL session_replication_role = replica"))
        for statement in statements:
            await db.execute(text(statement))


THIRD = "(SELECT audit_id FROM audit_seal WHERE position = 3)"


@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE audit SET code = 1 WHERE id = {THIRD}",
        f"UPDATE audit SET detail = '{{}}' WHERE id = {THIRD}",
        f"UPDATE audit SET name = 'somebody' WHERE id = {THIRD}",
        "DELETE FROM audit_seal WHERE position = 3",
        f"DELETE FROM audit WHERE id = {THIRD}",
        "UPDATE audit_seal SET salt = null WHERE position = 3",
        "UPDATE audit_seal SET keyed = false WHERE position = 3",
    ],
)
async def test_a_changed_or_missing_row_breaks_the_chain(services: Services, statement: str):
    await recorded(services)
    assert await check_chain(services) == (None, "")
    await spoil(services, statement)
    position, reason = await check_chain(services)
    assert position in (3, 4)
    assert reason == "row"


async def test_a_feigned_erasure_breaks_the_chain(services: Services):
    await recorded(services)
    async with services.sessions.begin() as db:
        await chain.erase(db, chain.key_of(services.settings), 99, ["nobody's"], "#99")
    await sealed(services)
    assert await check_chain(services) == (None, "")
    eraser = "(SELECT id FROM audit WHERE action = 'audit.erased')"
    await spoil(
        services,
        f"UPDATE audit SET detail = '{{}}' WHERE id = {THIRD}",
        f"UPDATE audit_seal SET salt = null, erased_by = {eraser}, erasure = hash WHERE position = 3",
    )
    assert await check_chain(services) == (3, "row")


async def test_detect_changes_after_an_erasure_as_before_it(services: Services):
    await recorded(services)
    async with services.sessions.begin() as db:
        assert await chain.erase(db, chain.key_of(services.settings), 99, ["name 1", "test"], "#99") == 0
        assert await chain.erase(db, chain.key_of(services.settings), 0, ["name 1"], "#0") >= 5
    await sealed(services)
    assert await check_chain(services) == (None, "")
    await spoil(services, f"UPDATE audit SET name = 'somebody' WHERE id = {THIRD}")
    assert await check_chain(services) == (3, "row")


async def test_a_chain_made_anew_without_the_key_is_not_ours(services: Services):
    await recorded(services)
    assert await check_chain(services) == (None, "")
    await spoil(services, "DELETE FROM audit_seal", "DELETE FROM audit_check")
    await sealed(services, OTHER)
    assert await check_chain(services) == (1, "row")


async def test_detect_that_the_newest_rows_and_seals_were_cut_off(services: Services):
    await recorded(services)
    assert (await chain_check.check(services)).anchored_at
    await spoil(
        services,
        "DELETE FROM audit WHERE id IN (SELECT audit_id FROM audit_seal WHERE position > 3)",
        "DELETE FROM audit_seal WHERE position > 3",
    )
    assert (await chain_check.check(services)).reason == "row"  # it ended further on
    await spoil(services, "DELETE FROM audit_check")
    assert await check_chain(services) == (5, "anchor")
    await recorded(services)  # nor do new rows in their place help
    assert await check_chain(services) == (5, "anchor")


async def test_an_anchor_that_is_not_ours_is_none(services: Services):
    await recorded(services)
    await chain_check.check(services)
    place = chain_check.place_of(now().date())
    content = json.loads(await services.objects.get(place))
    await services.objects.put_bytes(place, json.dumps(content | {"position": 2}).encode())
    assert (await check_chain(services))[1] == "anchor"


async def test_a_better_result_than_the_check_found_is_not_believed(services: Services):
    await recorded(services)
    await chain_check.check(services)
    await spoil(services, "UPDATE audit_seal SET hash = '\\x00' WHERE position = 2")
    assert await check_chain(services) == (2, "row")
    assert (await chain_check.check(services)).broken == 2  # it stays until all was checked again
    await spoil(services, "UPDATE audit_check SET result = jsonb_set(result, '{broken}', 'null')")
    async with services.sessions() as db:
        assert await chain_check.last_result(db, chain.key_of(services.settings)) is None


async def test_a_check_goes_on_where_the_last_one_ended(services: Services):
    await recorded(services)
    first = await chain_check.check(services)
    await recorded(services, 3)
    second = await chain_check.check(services)
    assert (first.rows, second.rows, second.position) == (5, 8, 8)
    assert second.whole_at == first.whole_at


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET code = 0",
        "DELETE FROM audit_seal",
        "DELETE FROM audit",
        "TRUNCATE audit_seal",
        "TRUNCATE audit CASCADE",
        "UPDATE audit_seal SET salt = null",
        "SELECT audit_erase((SELECT min(id) FROM audit), '[]')",
    ],
)
async def test_rows_and_seals_are_only_added(services: Services, statement: str):
    await recorded(services)
    async with services.sessions() as db:
        with pytest.raises(DBAPIError, match=r"only added|recorded first"):
            await db.execute(text(statement))


async def unkeyed(services: Services) -> None:
    """A chain as it was made before there was a key, its second row erased."""
    await recorded(services)
    async with services.sessions.begin() as db:
        await db.execute(text("SET LOCAL session_replication_role = replica"))
        before = b""
        for link, row in (
            await db.execute(select(Seal, Audit).join(Audit, Audit.id == Seal.audit_id).order_by(Seal.position))
        ).all():
            link.digest = chain.unkeyed_digest(link.salt, row)
            before = link.hash = chain.unkeyed_hash(before, row, link.digest)
            link.keyed = False
        await db.flush()
        eraser = "(SELECT max(id) FROM audit)"
        await db.execute(text(f"UPDATE audit_seal SET salt = null, erased_by = {eraser} WHERE position = 2"))
        await db.execute(text(f"UPDATE audit SET action = 'audit.erased' WHERE id = {eraser}"))
        last = await db.get(Seal, 5, populate_existing=True)
        before, row = (await db.get(Seal, 4)).hash, await db.get(Audit, last.audit_id, populate_existing=True)
        last.hash = chain.unkeyed_hash(before, row, last.digest)


async def test_a_chain_without_a_key_is_closed_and_holds_and_a_row_says_so(services: Services):
    await unkeyed(services)
    await recorded(services, 1)
    assert await check_chain(services) == (None, "")
    async with services.sessions() as db:
        (row,) = await db.scalars(select(Audit).where(Audit.action == chain.BEGUN))
        assert row.detail["position"] == 5


@pytest.mark.parametrize("position", [1, 2, 5])
async def test_detect_changes_of_closed_rows(services: Services, position: int):
    """Though its hashes can be made anew by anybody, up to the last."""
    await unkeyed(services)
    await recorded(services, 1)
    await spoil(
        services,
        f"UPDATE audit SET name = 'x' WHERE id = (SELECT audit_id FROM audit_seal WHERE position = {position})",
    )
    assert (await check_chain(services))[1] == "row"
    async with services.sessions.begin() as db:
        await db.execute(text("SET LOCAL session_replication_role = replica"))
        before = b""
        links = select(Seal, Audit).join(Audit, Audit.id == Seal.audit_id).where(~Seal.keyed).order_by(Seal.position)
        for link, row in (await db.execute(links)).all():
            if link.salt:
                link.digest = chain.unkeyed_digest(link.salt, row)
            before = link.hash = chain.unkeyed_hash(before, row, link.digest)
    assert (await check_chain(services))[1] == "row"


async def test_seal_in_a_single_process_at_a_time(services: Services):
    async with services.sessions.begin() as db:
        audit.write(db, NOBODY, "test")
    async with services.sessions.begin() as db:
        await db.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": chain.LOCK})
        assert await sealed(services) == 0
    assert await sealed(services) == 1
