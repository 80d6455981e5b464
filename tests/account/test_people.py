"""Accounts below one's own: who makes whom, rules of their fields, moving, deleting, permissions, roles and groups."""

from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.errors import Code
from tests.clients import Console, LogIn

GOOD = {"account": "Newcomer1", "name": "Ann"}


async def account_of(asks: Any, name: str) -> dict:
    page = await asks("/user/selectUserList", keyword=name, pageSize=100)
    return next(row for row in page["list"] if row["account"] == name)


@pytest.mark.spec("call.user.insertUser", "rule.user.create_level", "perm.button.user.index.add")
@pytest.mark.parametrize(("maker", "level"), [("admin", 2), ("dealer", 3), ("user", 4)])
async def test_each_level_makes_the_next(console: LogIn, maker: str, level: int):
    asks = await console(maker)
    account = await asks("/user/insertUser", **GOOD)
    row = await account_of(asks, "Newcomer1")
    assert (row["userId"], row["levelDepth"], row["parentUser"], row["mustChange"]) == (
        account["userId"],
        level,
        asks.id,
        True,
    )
    assert len(account["password"]) >= 12


@pytest.mark.spec("rule.user.create_level", "level.4", "level.5")
@pytest.mark.parametrize("maker", ["sub", "subsub"])
async def test_levels_four_and_five_make_nobody(console: LogIn, maker: str):
    assert (await (await console(maker)).raw("/user/insertUser", **GOOD))[0] == Code.FORBIDDEN


@pytest.mark.spec("q.initial_password")
async def test_a_first_password_opens_only_its_own_change(console: LogIn, anonymous: Console):
    account = await (await console("dealer"))("/user/insertUser", **GOOD)
    login = await anonymous("/login", account="newcomer1", password=account["password"])
    assert login["mustChange"]
    anonymous.http.headers["token"] = login["token"]
    assert (await anonymous.raw("/device/selectDevicePc"))[0] == Code.PASSWORD_FIRST
    await anonymous("/user/updatePassword", password=account["password"], newPassword="a-better-one-1")
    await anonymous("/device/selectDevicePc")


@pytest.mark.spec(
    "rule.user.login_name",
    "rule.user.name",
    "rule.user.phone",
    "rule.user.email",
    "rule.user.email_empty",
    "const.phone",
)
@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("account", "Robot01", "robot_01"),
        ("name", "Ann", ""),
        ("phone", "13800138000", "1380013800"),
        ("phone", "+493012345678", "+0493012345678"),
        ("phone", "+8613800138000", "+861380013800"),
        ("email", "a@b.com,c@d.org", "a@b.museumx"),
        ("email", "", ","),
        ("email", "o'hara+x@b.com", "a..b@c.com"),
        ("email", "jürgen@müller.de,info@例え.中国", "a@-b.com"),
        ("email", '"front desk"@b.com', "front desk@b.com"),
    ],
)
async def test_fields_keep_their_rules(console: LogIn, field: str, good: str, bad: str):
    asks = await console("dealer")
    code, data = await asks.raw("/user/insertUser", **GOOD | {field: bad})
    assert (code, data["field"]) == (Code.BAD_INPUT, field)
    assert (await asks("/user/insertUser", **GOOD | {field: good}))["userId"]


async def test_a_login_name_is_taken_in_any_case(console: LogIn):
    asks = await console("dealer")
    assert (await asks.raw("/user/insertUser", account="RIVAL", name="x"))[0] == Code.EXISTS


@pytest.mark.spec("rule.user.search_levels")
@pytest.mark.parametrize(
    ("who", "good", "bad"), [("admin", [1, 2, 3, 4], [5]), ("dealer", [3, 4], [2]), ("user", [4], [3])]
)
async def test_a_search_names_only_the_levels_of_the_asker(console: LogIn, who: str, good: list[int], bad: list[int]):
    asks = await console(who)
    page = await asks("/user/selectUserList", levels=good, pageSize=100)
    assert {row["levelDepth"] for row in page["list"]} <= set(good)
    assert page["total"] > 0
    assert (await asks.raw("/user/selectUserList", levels=bad))[0] == Code.FORBIDDEN


@pytest.mark.spec("call.user.selectUserInfo", "call.user.selectUserList", "ent.user")
async def test_the_tree_opens_level_by_level_within_scope(console: LogIn):
    admin, dealer = await console("admin"), await console("dealer")
    top = await admin("/user/selectUserInfo")
    assert {"dealer", "rival"} <= {row["account"] for row in top["list"]}
    below = await admin("/user/selectUserInfo", userId=dealer.id, showChild=1)
    [user] = below["list"]
    assert (user["account"], user["childCount"], [child["account"] for child in user["childs"]]) == ("user", 1, ["sub"])
    assert (await dealer("/user/selectUserInfo", userId=admin.id))["list"] == []
    assert {row["account"] for row in (await dealer("/user/selectUserList"))["list"]} == {"user", "sub", "subsub"}


@pytest.mark.spec("perm.page.user.userShadow", "q.shadow_create", "prule.shadow")
async def test_a_shadow_sees_what_its_maker_sees(console: LogIn, anonymous: Console):
    asks = await console("user")
    shadow_account = await asks("/user/insertUser", **GOOD, isShadow=1)
    [row] = [
        r for r in (await asks("/user/selectUserList", isShadow=1))["list"] if r["userId"] == shadow_account["userId"]
    ]
    assert (row["shadowId"], row["levelDepth"]) == (asks.id, 3)
    assert (await anonymous("/login", account="Newcomer1", password=shadow_account["password"]))["shadowId"] == asks.id


@pytest.mark.spec("call.user.updateUserInfo", "perm.button.user.index.edit", "rule.profile.name", "rule.profile.email")
async def test_own_data_and_those_of_accounts_below_can_be_edited(console: LogIn, db: AsyncSession):
    asks = await console("dealer")
    await asks("/user/updateUserInfo", name="Harbour", email="a@b.com, c@d.org", emailToTask=1)
    for field, bad in (("name", ""), ("email", "a@b.museumx")):
        code, data = await asks.raw("/user/updateUserInfo", **{field: bad})
        assert (code, data["field"]) == (Code.BAD_INPUT, field)
    user = await account_of(asks, "user")
    await asks("/user/updateUserInfo", targetUserId=user["userId"], phone="13800138000")
    changed = await account_of(asks, "user")
    assert (changed["phone"], changed["name"]) == ("13800138000", user["name"])
    own_row = (await db.execute(text("select name, email, email_to_task from account where account = 'dealer'"))).one()
    assert tuple(own_row) == ("Harbour", "a@b.com,c@d.org", True)
    row = (
        await db.execute(text("select detail from audit where action = 'user.update' order by id limit 1"))
    ).scalar_one()
    assert row["before"]["name"] == "Harbour Robotics"


async def test_a_branch_moves_with_all_that_it_owns(console: LogIn, db: AsyncSession):
    admin, dealer, rival = await console("admin"), await console("dealer"), await console("rival")
    user = await account_of(admin, "user")
    await admin("/user/updateUserInfo", targetUserId=user["userId"], parentId=rival.id)
    assert {"user", "sub", "subsub"} <= {row["account"] for row in (await rival("/user/selectUserList"))["list"]}
    assert (await dealer("/user/selectUserList"))["total"] == 0
    paths = dict((await db.execute(text("select account, path::text from account"))).all())
    assert paths["subsub"].startswith(f"{paths['rival']}.{user['userId']}.")


@pytest.mark.parametrize("parent", ["sub", "admin", "user"])
async def test_refuse_to_move_an_account_below_a_wrong_level_or_itself(console: LogIn, parent: str):
    admin = await console("admin")
    target = (await account_of(admin, "user"))["userId"]
    above = admin.id if parent == "admin" else (await account_of(admin, parent))["userId"]
    code, data = await admin.raw("/user/updateUserInfo", targetUserId=target, parentId=above)
    assert (code, data["field"]) == (Code.BAD_INPUT, "parentId")


@pytest.mark.spec("call.user.deleteUserInfo", "perm.button.user.index.delete", "q.user_delete_children")
async def test_an_account_is_deleted_when_nobody_stands_below_it(console: LogIn, db: AsyncSession):
    dealer, sub = await console("dealer"), await console("sub")
    target = await account_of(dealer, "sub")
    assert (await dealer.raw("/user/deleteUserInfo", targetUserId=target["userId"]))[0] == Code.BAD_INPUT
    await dealer("/user/deleteUserInfo", targetUserId=(await account_of(dealer, "subsub"))["userId"])
    await dealer("/user/deleteUserInfo", targetUserId=target["userId"])
    assert (await sub.raw("/device/selectDevicePc"))[0] == Code.SESSION_INVALID
    assert "sub" not in {row["account"] for row in (await dealer("/user/selectUserList"))["list"]}


async def test_refuse_to_delete_oneself_or_change_ones_own_permissions(console: LogIn):
    for name in ("admin", "dealer"):
        asks = await console(name)
        assert (await asks.raw("/user/deleteUserInfo", targetUserId=asks.id))[0] == Code.BAD_INPUT
        assert (await asks.raw("/user/updateUserPermission", targetUserId=asks.id, keys=["index"]))[0] == Code.BAD_INPUT


@pytest.mark.spec("call.user.updateInitialPassword", "perm.button.user.index.init_password")
async def test_a_first_password_ends_the_sessions_of_the_account(console: LogIn, anonymous: Console):
    dealer, user = await console("dealer"), await console("user")
    answer = await dealer("/user/updateInitialPassword", targetUserId=user.id)
    assert (await user.raw("/device/selectDevicePc"))[0] == Code.SESSION_INVALID
    assert (await anonymous("/login", account="user", password=answer["password"]))["mustChange"]


@pytest.mark.spec("state.session.t04", "call.user.cleanToken", "perm.button.index.clear_token")
async def test_clear_token_ends_the_sessions_of_others(console: LogIn):
    admin, user = await console("admin"), await console("user")
    assert (await admin("/user/cleanToken", targetUserId=user.id))["sessions"] == 1
    assert (await user.raw("/device/selectDevicePc"))[0] == Code.SESSION_INVALID
    await admin("/user/cleanToken")
    await admin("/user/selectUserList")


@pytest.mark.spec(
    "call.user.updateUserPermission", "perm.button.user.index.permission", "prule.server_enforce", "prule.allowed"
)
async def test_permissions_count_from_the_next_call_on(console: LogIn):
    dealer, user = await console("dealer"), await console("user")
    await user("/device/selectDevicePc")
    await dealer("/user/updateUserPermission", targetUserId=user.id, keys=["index", "device/report"])
    assert (await user.raw("/device/selectDevicePc"))[0] == Code.FORBIDDEN
    await dealer("/user/updateUserPermission", targetUserId=user.id, keys=None)
    await user("/device/selectDevicePc")


async def test_refuse_to_grant_more_than_one_holds(console: LogIn):
    dealer, user = await console("dealer"), await console("user")
    for beyond in ({"keys": ["index/clear_data"]}, {"role": "[10]"}, {"role": "[13]"}):
        assert (await dealer.raw("/user/updateUserPermission", targetUserId=user.id, **beyond))[0] == Code.FORBIDDEN
    for unknown in ({"keys": ["no/key"]}, {"role": "[12]"}, {"role": "[4711]"}, {"groupIds": [4711]}):
        assert (await dealer.raw("/user/updateUserPermission", targetUserId=user.id, **unknown))[0] == Code.BAD_INPUT
    assert (await user.raw("/user/role/group/insert", name="x", permissionKeys=["log"]))[0] == Code.FORBIDDEN


@pytest.mark.spec(
    "call.user.role.list",
    "feat.users",
    "feat.area.users_roles",
    "call.unpathed.role",
    "call.user.role.insert",
    "call.user.role.update",
    "call.user.role.delete",
    "perm.page.user.role",
    "ent.role",
)
async def test_roles_are_made_changed_and_deleted_by_the_admin_alone(console: LogIn):
    admin, user = await console("admin"), await console("user")
    dealer = await console("dealer")
    role_id = (await admin("/user/role/insert", name="Viewer", pageKeys=["index", "device/index"]))["id"]
    await dealer.raw("/user/updateUserPermission", targetUserId=user.id, role=f"[{role_id}]")
    assert (await admin.raw("/user/role/delete", id=role_id))[1]["count"] == 1
    await admin("/user/role/update", id=role_id, name="Reader", keys=["index"])
    assert (await user.raw("/device/selectDevicePc"))[0] == Code.FORBIDDEN
    await dealer("/user/updateUserPermission", targetUserId=user.id, role="[11]")
    await admin("/user/role/delete", id=role_id)
    assert (await admin.raw("/user/role/delete", id=11))[0] == Code.BAD_INPUT
    assert (await dealer.raw("/user/role/insert", name="x"))[0] == Code.FORBIDDEN
    assert [role["id"] for role in (await admin("/user/role/list"))["list"]] == [10, 11, 13, 14, 15, 16, 17, 18]
    assert [role["id"] for role in (await dealer("/user/role/list"))["list"]] == [11, 16]


async def test_the_pages_or_buttons_of_a_role_are_changed_alone(console: LogIn):
    admin = await console("admin")
    keys = {"pageKeys": ["index", "device/index"], "buttonKeys": ["device/index/add"]}
    role_id = (await admin("/user/role/insert", name="Viewer", **keys))["id"]

    async def load() -> tuple[str, list[str], list[str]]:
        row = next(role for role in (await admin("/user/role/list"))["list"] if role["id"] == role_id)
        return row["name"], row["pageKeys"], row["buttonKeys"]

    await admin("/user/role/update", id=role_id, pageKeys=["index"])
    assert await load() == ("Viewer", ["index"], ["device/index/add"])
    await admin("/user/role/update", id=role_id, buttonKeys=[])
    assert await load() == ("Viewer", ["index"], [])
    await admin("/user/role/update", id=role_id, name="Reader")
    assert await load() == ("Reader", ["index"], [])
    assert (await admin.raw("/user/role/update", id=999, name="Nobody"))[0] == Code.NOT_FOUND


async def test_the_roles_of_an_account_are_presets_and_those_that_it_or_one_below_made(console: LogIn):
    admin, dealer = await console("admin"), await console("dealer")
    role_id = (await admin("/user/role/insert", name="Viewer", pageKeys=["index"]))["id"]
    every = {role["id"] for role in (await admin("/user/role/list"))["list"]}
    of_dealer = {role["id"] for role in (await admin("/user/role/list", userId=dealer.id))["list"]}
    assert of_dealer == every - {role_id}


async def test_the_admin_cannot_lock_itself_out(console: LogIn):
    admin = await console("admin")
    assert (await admin.raw("/user/role/update", id=10, keys=["index"]))[0] == Code.BAD_INPUT


@pytest.mark.spec(
    "call.user.role.group.list",
    "call.user.role.group.insert",
    "call.user.role.group.update",
    "call.user.role.group.delete",
    "call.user.role_group",
    "perm.page.user.index.role_group",
    "prule.groups_assign",
    "ent.role_group",
)
async def test_a_group_brings_its_roles_and_keys_and_takes_them_along(console: LogIn):
    dealer, user = await console("dealer"), await console("user")
    group = (await dealer("/user/role/group/insert", name="Repairs", roleIds=[11], permissionKeys=["device/repair"]))[
        "id"
    ]
    await dealer("/user/updateUserPermission", targetUserId=user.id, role="[11]", groupIds=[group])
    assert [g["name"] for g in (await dealer("/user/role_group", userId=user.id))["list"]] == ["Repairs"]
    await dealer(
        "/user/role/group/update", id=group, name="Repair desk", permissionKeys=["device/repair", "device/hire"]
    )
    [row] = (await dealer("/user/role/group/list"))["list"]
    assert (row["name"], row["permissionKeys"]) == ("Repair desk", ["device/repair", "device/hire"])
    assert (await user.raw("/user/role/group/update", id=group, name="Mine"))[0] == Code.NOT_FOUND
    await dealer("/user/role/group/delete", id=group)
    assert (await account_of(dealer, "user"))["groups"] == []


async def test_a_group_is_changed_in_part_and_never_by_whoever_has_it(console: LogIn, db: AsyncSession):
    dealer, user = await console("dealer"), await console("user")
    group = (await dealer("/user/role/group/insert", name="Repairs", roleIds=[11], permissionKeys=["device/repair"]))[
        "id"
    ]
    await dealer("/user/role/group/update", id=group, roleIds=[])
    [row] = (await dealer("/user/role/group/list"))["list"]
    assert (row["name"], row["roleIds"], row["permissionKeys"]) == ("Repairs", [], ["device/repair"])
    assert await dealer("/user/role/group/list", userId=user.id) == {"list": []}
    await dealer("/user/role/group/update", id=group, name="Workshop")
    [row] = (await dealer("/user/role/group/list", userId=dealer.id))["list"]
    assert (row["name"], row["permissionKeys"]) == ("Workshop", ["device/repair"])
    await db.execute(
        text("update account set groups = array[cast(:id as bigint)] where account = 'dealer'"), {"id": group}
    )
    await db.commit()
    for path in ("/user/role/group/update", "/user/role/group/delete"):
        code, data = await dealer.raw(path, id=group, name="Everything")
        assert (code, data["field"]) == (Code.BAD_INPUT, "id"), path


async def test_nobody_below_the_administrator_grants_a_role_of_staff(console: LogIn, db: AsyncSession):
    every = "(select array_agg(distinct k) from role, unnest(keys) k)"
    await db.execute(text(f"update account set keys = {every} where account = 'dealer'"))
    await db.commit()
    dealer, user = await console("dealer"), await console("user")
    refused = await dealer.answer("/user/updateUserPermission", targetUserId=user.id, role="[13]")
    assert refused["message"]["code"] == Code.FORBIDDEN
    await dealer("/user/updateUserPermission", targetUserId=user.id, role="[11]")


async def test_refuse_to_move_ones_own_account(console: LogIn):
    dealer, admin = await console("dealer"), await console("admin")
    code, data = await dealer.raw("/user/updateUserInfo", name="Harbour", parentId=dealer.id)
    assert (code, data["field"]) == (Code.BAD_INPUT, "parentId")
    await dealer("/user/updateUserInfo", name="Harbour", parentId=admin.id)  # where it stands


@pytest.mark.parametrize(
    ("path", "payload"),
    [
        ("/user/updateUserInfo", {"name": "x"}),
        ("/user/updateUserPermission", {"keys": ["index"]}),
        ("/user/deleteUserInfo", {}),
        ("/user/updateInitialPassword", {}),
    ],
)
@pytest.mark.parametrize("whom", ["rivaluser", "rival", "dealer", "admin"])
async def test_accounts_elsewhere_and_above_are_not_there(
    console: LogIn, db: AsyncSession, path: str, payload: dict[str, Any], whom: str
):
    asks = await console("dealer" if whom != "dealer" else "user")
    target = (await db.execute(text("select id from account where account = :a"), {"a": whom})).scalar_one()
    before = (await db.execute(text("select * from account order by id"))).all()
    code, _ = await asks.raw(path, targetUserId=target, **payload)
    assert code in (Code.NOT_FOUND, Code.FORBIDDEN)
    await db.rollback()
    assert (await db.execute(text("select * from account order by id"))).all() == before


async def test_everyone_reads_their_own_data(console: LogIn):
    shadow, user = await console("shadow"), await console("user")
    await user("/user/updateUserInfo", phone="13800138000")
    own_row = await user("/user/me")
    assert (own_row["account"], own_row["phone"], own_row["levelDepth"], own_row["childCount"]) == (
        "user",
        "13800138000",
        3,
        1,
    )
    assert (await shadow("/user/me"))["account"] == "shadow"
