"""A person's copy of what is kept about them, and erasure: what goes, what stays, and that the audit's chain holds."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lustra.app import opening
from lustra.core.audit_trail import chain, chain_check
from lustra.core.errors import Code
from lustra.domains.account.api import erase_restored
from lustra.stack import archive, programs
from tests.world import World

PERSONAL = ("Ann Erased", "13800138000", "ann.erased@example.org", "annerased", "ann-at-the-idp", "ann-of-old")


async def create_person(world: World) -> int:
    """Somebody of the customer's, who was here and whom others changed."""
    headers = {"token": await world.token("user")}
    payload = {"account": "annerased", "name": "Ann Erased", "phone": "13800138000", "email": "ann.erased@example.org"}
    answer = await world.http.post("/api/user/insertUser", json=payload, headers=headers)
    account = answer.json()["data"]["userId"]
    world.accounts["annerased"] = account
    await world.pool.execute("update account set must_change = false where id = $1", account)
    await world.call("user", "/user/updateUserInfo", targetUserId=account, name="Ann Erased")
    await world.call("annerased", "/user/apiKey/insert", name="Mine", keys=["index"])
    await world.http.post(
        "/api/oss/upload", files={"file": ("mine.txt", b"hello")}, headers={"token": await world.token("annerased")}
    )
    await world.pool.execute(
        "insert into account_subject (issuer, subject, account_id, began_at) values ('https://idp', $2, $1, now())",
        account,
        PERSONAL[-2],
    )
    await world.pool.execute(  # disconnected since
        "insert into audit (account_id, acting_id, name, session_id, address, action, code, detail)"
        " values ($1, $1, 'annerased', '', '', 'sso.connect', 0, $2)",
        account,
        {"subject": PERSONAL[-1]},
    )
    return account


async def export(world: World, who: str, **whom: Any) -> zipfile.ZipFile:
    answer = await world.post(who, "/user/exportPerson", **whom)
    assert answer.headers["content-type"] == "application/zip", answer.text
    return zipfile.ZipFile(io.BytesIO(answer.content))


async def holds(world: World) -> bool:
    async with world.services.sessions.begin() as db:
        while await chain.seal(db, chain.key_of(world.services.settings)):
            pass
    return (await chain_check.check(world.services, whole=True)).broken is None


async def dumped(world: World) -> str:
    tables = ("account", "audit", "message", "login", "api_key", "account_subject", "control_lock")
    return " ".join([await world.pool.fetchval(f"select json_agg(t)::text from {table} t") or "" for table in tables])


async def test_the_person_and_who_administers_it_get_everything_but_secrets(world: World):
    account = await create_person(world)
    for who, whom in (("annerased", {}), ("user", {"targetUserId": account}), ("dealer", {"targetUserId": account})):
        exported = await export(world, who, **whom)
        parts = {name: exported.read(name).decode() for name in exported.namelist()}
        assert json.loads(parts["profile.json"])["email"] == "ann.erased@example.org"
        assert (len(json.loads(parts["apiKeys.json"])), len(json.loads(parts["sessions.json"]))) == (1, 1)
        assert {"messages.json", "signOn.json", "log.json"} <= set(parts)
        assert parts["files/mine.txt"] == "hello"
        assert '"password"' not in parts["profile.json"]
        assert "token" not in parts["apiKeys.json"] + parts["sessions.json"]


@pytest.mark.parametrize(("who", "code"), [("rival", Code.NOT_FOUND), ("sub", Code.NOT_FOUND)])
async def test_a_foreign_account_gets_and_erases_nothing(world: World, who: str, code: Any):
    account = await create_person(world)
    await world.pool.execute("update role set keys = keys || '{user/index/edit,user/index/delete}'")
    assert (await world.raw(who, "/user/exportPerson", targetUserId=account))[0] == code
    answer = await world.http.post(
        "/api/user/erasePerson",
        json={"targetUserId": account, "account": "annerased"},
        headers={"token": await world.token(who)},
    )
    assert answer.json()["message"]["code"] == code
    left = await dumped(world)
    assert [value for value in PERSONAL if value not in left] == []


async def erase(world: World, who: str, typed: str, **whom: Any) -> int:
    answer = await world.http.post(
        "/api/user/erasePerson", json={"account": typed, **whom}, headers={"token": await world.token(who)}
    )
    return answer.json()["message"]["code"]


async def test_erasing_takes_every_personal_value_and_the_chain_holds(world: World):
    account = await create_person(world)
    assert await holds(world)
    before = await world.pool.fetchval("select count(*) from audit")
    assert await erase(world, "user", "annerased", targetUserId=account) == 0
    left = await dumped(world)
    assert [value for value in PERSONAL if value in left] == []
    assert await holds(world)
    assert await world.pool.fetchval("select count(*) from audit") == before + 2  # the call, and that it was done
    assert (await world.raw("annerased", "/user/me"))[0] == Code.SESSION_INVALID
    assert f"#{account}" in left
    names = {row["account"] for row in (await world.call("admin", "/log/list", pageSize=100))["list"]}
    assert f"Erased person #{account}" in names


async def test_detect_changed_rows_and_feigned_erasures_in_the_chain(world: World):
    account = await create_person(world)
    assert await holds(world)
    await erase(world, "user", "annerased", targetUserId=account)
    assert await holds(world)
    await world.pool.execute(
        "set session_replication_role = replica;"
        "update audit_seal set salt = null, erased_by = audit_id"
        " where position = (select max(position) from audit_seal);"
        "reset session_replication_role"
    )
    assert not await holds(world)


async def test_erase_ones_own_account_where_deleting_is_allowed(world: World):
    account = await create_person(world)
    for keys, code in (("{index}", Code.FORBIDDEN), ("{index,user/index/delete}", None)):
        await world.pool.execute("update account set keys = $2::text::text[] where id = $1", account, keys)
        world.services.logins.forget_account(account)
        if code:
            assert await erase(world, "annerased", "annerased") == code
    assert await erase(world, "annerased", "annerased") == 0
    left = await dumped(world)
    assert [value for value in PERSONAL if value in left] == []
    assert await holds(world)


async def test_erase_only_by_log_in_name_with_none_below_and_another_admin(world: World):
    account = await create_person(world)
    assert await erase(world, "user", "ann", targetUserId=account) == Code.BAD_INPUT
    assert await erase(world, "dealer", "user", targetUserId=world.accounts["user"]) == Code.BAD_INPUT
    assert await erase(world, "admin", "admin") == Code.BAD_INPUT
    left = await dumped(world)
    assert [value for value in PERSONAL if value not in left] == []


async def restore_backup_after_erasure(world: World, folder: Path, account: int) -> None:
    """A backup that knows the person is restored after the person was erased."""
    objects, file = folder / "objects", folder / "all.tar"
    postgres, dsn = programs.installed().postgres, world.services.settings.database_url
    archive.backup(postgres, dsn, objects, {}, file)
    assert await erase(world, "user", "annerased", targetUserId=account) == 0
    await archive.restore(postgres, dsn, objects, file)


async def test_whom_a_restored_backup_brings_back_is_erased_again_at_the_start(world: World, tmp_path: Path):
    account = await create_person(world)
    await restore_backup_after_erasure(world, tmp_path, account)
    async with opening.opened(world.services.settings, "restored") as services:
        restored = World(services, world.accounts, world.devices, world.http)
        brought_back = await dumped(restored)
        assert [value for value in PERSONAL if value not in brought_back] == []
        assert await erase_restored(services) == [account]
        left = await dumped(restored)
        assert [value for value in PERSONAL if value in left] == []
        assert await holds(restored)
        assert await erase_restored(services) == []


async def test_an_erased_account_with_others_below_it_keeps_its_place(world: World, tmp_path: Path):
    account = await create_person(world)
    await world.pool.execute(
        "update account set parent_id = $1, path = (select path from account where id = $1) || id::text"
        " where account = 'subsub'",
        account,
    )
    await world.pool.execute("update account set deleted_at = null where id = $1", account)
    objects, file = tmp_path / "objects", tmp_path / "all.tar"
    postgres, dsn = programs.installed().postgres, world.services.settings.database_url
    archive.backup(postgres, dsn, objects, {}, file)
    await world.pool.execute("update account set deleted_at = now() where account = 'subsub'")
    assert await erase(world, "user", "annerased", targetUserId=account) == 0
    await archive.restore(postgres, dsn, objects, file)
    async with opening.opened(world.services.settings, "restored") as services:
        assert await erase_restored(services) == [account]
        row = await services.pool.fetchrow(
            "select account, name, password, deleted_at from account where id = $1", account
        )
        assert tuple(row) == (f"erased{account}", f"#{account}", "", None)
        assert await services.pool.fetchval("select count(*) from login where account_id = $1", account) == 0


async def test_another_account_of_the_same_number_and_the_only_administrator_stay(world: World):
    account = await create_person(world)
    assert await erase(world, "user", "annerased", targetUserId=account) == 0
    await world.pool.execute(
        "update account set account = 'newcomer', name = 'New', password = 'x', deleted_at = null,"
        " created_at = now() where id = $1",
        account,
    )
    assert await erase_restored(world.services) == []
    admin = await world.pool.fetchrow("select id, created_at from account where account = 'admin'")
    await world.services.objects.put_bytes(f"privacy/erased/{admin['id']}-{admin['created_at']:%Y%m%dT%H%M%S.%f}", b"")
    assert await erase_restored(world.services) == []
    assert await world.pool.fetchval("select name from account where id = $1", admin["id"]) != f"#{admin['id']}"


async def test_an_erasure_that_the_list_missed_is_enlisted_at_the_next_start(world: World, tmp_path: Path):
    account = await create_person(world)
    assert await erase(world, "user", "annerased", targetUserId=account) == 0
    (entry,) = (tmp_path / "objects" / "privacy" / "erased").iterdir()
    assert "annerased" not in entry.name + entry.read_text()
    entry.unlink()
    assert await erase_restored(world.services) == []
    assert entry.exists()


async def test_a_copy_of_what_is_there_of_a_person_has_their_picture(world: World):
    out = io.BytesIO()
    Image.new("RGB", (20, 20)).save(out, "PNG")
    files, headers = {"file": ("me.png", out.getvalue())}, {"token": await world.token("user")}
    answer = await world.http.post("/api/public/uploadAvatar", files=files, headers=headers)
    await world.call("user", "/user/updateHeadPicture", url=answer.json()["data"]["url"])
    with await export(world, "user") as copy:
        assert Image.open(io.BytesIO(copy.read("avatar.png"))).format == "PNG"
