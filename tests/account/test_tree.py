"""Share what: levels, staff, shadows, presets."""

from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import Ctx, Services
from lustra.core.errors import Code, Refusal
from lustra.domains.account import keys, seed, service
from lustra.domains.account.tables import Account, Role
from tests.clients import Console, LogIn
from tests.world import forget_logins

EVERYBODY = {name for name, *_ in seed.DEMO}
USERS = {"user", "sub", "subsub", "shadow"}
SEES = {
    "admin": EVERYBODY,
    "dealer": {"dealer"} | USERS,
    "user": USERS,
    "sub": {"sub", "subsub"},
    "subsub": {"subsub"},
    "rival": {"rival", "rivaluser"},
    "rivaluser": {"rivaluser"},
    "shadow": USERS,
    **dict.fromkeys(("software", "hardware", "making", "aftersales", "operations"), EVERYBODY),
}


async def actor(services: Services, client: Any):
    session = await services.logins.of(client.session["token"])
    return session.actor


@pytest.mark.spec("level.1", "level.2", "level.3", "level.4", "level.5", "conv.acting_user")
@pytest.mark.parametrize("account", sorted(EVERYBODY))
async def test_an_account_sees_its_own_subtree_and_staff_that_of_their_admin(
    console: LogIn, services: Services, db: AsyncSession, account: Any
):
    me = await actor(services, await console(account))
    seen = await db.scalars(me.scope.select(Account.account))
    assert set(seen) == SEES[account]


@pytest.mark.spec("rule.user.acting_id", "prule.acting", "prule.shadow", "q.shadow_acting")
async def test_a_shadow_sees_as_its_account_and_acts_with_its_own_keys(
    console: LogIn, services: Services, db: AsyncSession
):
    await db.execute(text("INSERT INTO role (id, name, keys) VALUES (500, 'reader', '{device/index}')"))
    await db.execute(text("UPDATE account SET roles = '{500}' WHERE account = 'shadow'"))
    await db.commit()
    client, user = await console("shadow"), await console("user")
    me = await actor(services, client)
    assert (me.acting_id, me.real_id) == (user.id, client.id)
    assert client.session["shadowId"] == user.id
    assert me.path == (await actor(services, user)).path
    assert me.keys == {"device/index", "index"}
    assert {bean["key"] for bean in client.session["permissionBeans"]} == {"device/index", "index"}


async def test_a_shadow_of_a_deleted_account_is_no_longer_let_in(console: LogIn, services: Services, db: AsyncSession):
    client = await console("shadow")
    await db.execute(text("UPDATE account SET deleted_at = now() WHERE account = 'user'"))
    await db.commit()
    forget_logins(services)
    assert (await client.raw("/getLanguage"))[0] == Code.SESSION_INVALID


async def test_a_userid_may_only_narrow_the_scope(console: LogIn, services: Services, db: AsyncSession):
    me = await actor(services, await console("dealer"))
    ids = {row.account: row.id for row in await db.execute(select(Account.account, Account.id))}
    ctx = Ctx(db, me, services, "", "en", {})
    assert await service.narrow_scope(ctx, None) == me.scope
    assert (await service.narrow_scope(ctx, ids["sub"])).path == f"{me.path}.{ids['user']}.{ids['sub']}"
    for foreign in ("rival", "rivaluser", "admin"):
        with pytest.raises(Refusal) as why:
            await service.narrow_scope(ctx, ids[foreign])
        assert why.value.code == Code.NOT_FOUND


@pytest.mark.spec(
    "role.10",
    "role.11",
    "role.13",
    "role.14",
    "role.15",
    "role.16",
    "role.17",
    "role.18",
    "role.12",
    "q.matrix",
    "prule.matrix_open",
    "ent.role",
)
async def test_preset_roles_hold_the_keys_of_the_matrix_and_the_admins_role_all(db: AsyncSession):
    roles = {role.id: role for role in await db.scalars(select(Role))}
    assert set(roles) == {10, 11, 13, 14, 15, 16, 17, 18}
    assert set(roles[keys.ADMIN].keys) == set(keys.catalogue())
    for number, role in roles.items():
        assert role.keys == [key.key for key in keys.catalogue().values() if number in key.roles]
        assert "index" in role.keys
    assert len(keys.catalogue()) == 80


async def test_a_changed_preset_stays_changed_over_the_next_start(db: AsyncSession):
    await db.execute(text("UPDATE role SET keys = '{index}' WHERE id = 11"))
    before = await seed.seed_accounts(db)
    assert before == await seed.seed_accounts(db)
    assert await db.scalar(select(Role.keys).where(Role.id == 11)) == ["index"]
    assert await db.scalar(text("SELECT count(*) FROM account")) == len(seed.DEMO)


@pytest.mark.spec("q.initial_password")
async def test_the_first_start_makes_one_admin_with_a_random_password_to_be_changed(
    db: AsyncSession, anonymous: Console
):
    assert await seed.create_first_admin(db) is None  # there is one
    await db.execute(text("TRUNCATE account CASCADE"))
    await db.commit()
    password = await seed.create_first_admin(db)
    assert await seed.create_first_admin(db) is None
    await db.commit()
    assert len(password) == 16
    login = await anonymous("/login", account="admin", password=password)
    assert (login["mustChange"], login["levelDepth"]) == (True, 1)


@pytest.mark.spec("q.level5")
async def test_let_the_operator_create_an_account_of_the_fifth_level(db: AsyncSession, anonymous: Console):
    password = await seed.create_account_below(db, "SUB", "night2", "Second night shift")
    await db.commit()
    login = await anonymous("/login", account="night2", password=password)
    assert (login["mustChange"], login["levelDepth"]) == (True, 5)
    recorded = await db.scalars(text("SELECT detail ->> 'account' FROM audit WHERE action = 'admin.add'"))
    assert recorded.all() == ["night2"]
    for parent, name, code in (
        ("night2", "below5", Code.BAD_INPUT),
        ("shadow", "below6", Code.BAD_INPUT),
        ("software", "below7", Code.BAD_INPUT),
        ("nobody", "below8", Code.NOT_FOUND),
        ("user", "Night2", Code.EXISTS),
        ("user", "night_3", Code.BAD_INPUT),
    ):
        with pytest.raises(Refusal) as refused:
            await seed.create_account_below(db, parent, name, "Name")
        assert refused.value.code == code, parent


async def test_a_login_name_is_unique_whatever_its_case(db: AsyncSession):
    clash = "INSERT INTO account (account, name, password, level, roles, path) VALUES ('ADMIN', 'a', '', 1, '{}', '1')"
    with pytest.raises(IntegrityError, match="account_account"):
        await db.execute(text(clash))


async def test_the_operator_acts_within_the_branch_of_an_account(db: AsyncSession):
    scope = await seed.load_scope(db, "USER")
    path = await db.scalar(text("select path::text from account where account = 'user'"))
    assert scope.path == path
    with pytest.raises(Refusal) as refused:
        await seed.load_scope(db, "nobody")
    assert refused.value.code == Code.NOT_FOUND
