"""The accounts that stand before anybody logs in: preset roles, the first admin, and the demo's accounts."""

from sqlalchemy import func, text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import texts
from lustra.core.audit_trail import audit
from lustra.core.context import NOBODY, Actor
from lustra.core.errors import Code, Refusal
from lustra.core.scope import Scope, shared, system
from lustra.core.security.random_code import random_code
from lustra.domains.account import keys
from lustra.domains.account.credentials import passwords
from lustra.domains.account.rules import DEFAULT_ROLE, LOGIN_NAME
from lustra.domains.account.tables import Account, Role

LOCK = 7_104_002  # advisory lock: one process seeds, the others find it done
PASSWORD_LENGTH = 16
LOWEST = 5  # level
ADDED = "admin.add"  # in the audit; nobody is logged in where the machine is run
DEMO_PASSWORD = "Lustra-demo-1"  # noqa: S105  # shown on the login page of the demo, which binds loopback alone

# account, name, level, role, parent, shadow of
DEMO: tuple[tuple[str, str, int, int, str, str], ...] = (
    ("admin", "Lustra HQ", 1, keys.ADMIN, "", ""),
    ("dealer", "Harbour Robotics", 2, keys.DEALER, "admin", ""),
    ("user", "Bright Floors", 3, keys.ORDINARY, "dealer", ""),
    ("sub", "Bright Floors East", 4, keys.ORDINARY, "user", ""),
    ("subsub", "Night shift", 5, keys.ORDINARY, "sub", ""),
    ("rival", "Polaris Cleaning Tech", 2, keys.DEALER, "admin", ""),
    ("rivaluser", "Polaris Retail", 3, keys.ORDINARY, "rival", ""),
    ("shadow", "Bright Floors deputy", 3, keys.ORDINARY, "user", "user"),
    ("software", "Software desk", 2, keys.SOFTWARE, "admin", ""),
    ("hardware", "Hardware desk", 2, keys.HARDWARE, "admin", ""),
    ("making", "Factory", 2, keys.MAKING, "admin", ""),
    ("aftersales", "After-sales desk", 2, keys.AFTER_SALES, "admin", ""),
    ("operations", "Operations desk", 2, keys.OPERATIONS, "admin", ""),
)
OPEN = "user"  # the customer whose support access is open, so that both ways can be seen


async def insert_presets(db: AsyncSession) -> None:
    """Roles of the specification's numbers. What somebody changed since stays."""
    rows = [
        {"id": role, "name": texts.say("en", f"role.{role}"), "keys": keys.preset_keys(role)} for role in keys.PRESETS
    ]
    await db.execute(shared.insert(Role).values(rows).on_conflict_do_nothing(index_elements=["id"]))


every = system("at the start, or by whoever runs the installation")


async def _insert_account(
    db: AsyncSession,
    name: str,
    shown: str,
    *,
    level: int,
    role: int,
    password: str,
    parent: Account | None = None,
    shadow_of: int | None = None,
    must_change: bool = False,
    support: str = "off",
) -> Account:
    account = Account(
        account=name,
        name=shown,
        level=level,
        roles=[role],
        password=password,
        parent_id=parent.id if parent else None,
        path=parent.path if parent else "new",
        shadow_of=shadow_of,
        must_change=must_change,
        support_default=support,
    )
    db.add(account)
    await db.flush()
    account.path = f"{parent.path}.{account.id}" if parent else str(account.id)
    await db.flush()
    return account


async def create_first_admin(db: AsyncSession) -> str | None:
    """Where no admin is yet, makes one; answers its random password, which is shown this once and must be changed."""
    await db.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    await insert_presets(db)
    if await db.scalar(every.select(func.count(Account.id)).where(Account.level == 1)):
        return None
    password = random_code(PASSWORD_LENGTH)
    password_hash = await passwords.hash_password(password)
    await _insert_account(
        db, "admin", "Administrator", level=1, role=keys.ADMIN, password=password_hash, must_change=True
    )
    return password


async def create_account_below(db: AsyncSession, above: str, name: str, shown: str) -> str:
    """An account of the next level, down to the fifth, which nobody makes in the console; answers its first password,
    which is shown this once. Raises `Refusal`."""
    if not LOGIN_NAME.fullmatch(name):
        raise Refusal(Code.BAD_INPUT, "account", reason="login_name")
    standing = every.select(Account).where(Account.deleted_at.is_(None))
    parent = await db.scalar(standing.where(func.lower(Account.account) == above.lower()).with_for_update())
    if parent is None:
        raise Refusal(Code.NOT_FOUND, "parent")
    if parent.shadow_of or parent.level >= LOWEST or set(parent.roles) & set(keys.STAFF):
        raise Refusal(Code.BAD_INPUT, "parent", reason="parent_level", level="1-4")
    if await db.scalar(standing.where(func.lower(Account.account) == name.lower())):
        raise Refusal(Code.EXISTS, "account")
    password, level = random_code(PASSWORD_LENGTH), parent.level + 1
    password_hash = await passwords.hash_password(password)
    role = DEFAULT_ROLE[level]
    account = await _insert_account(
        db, name, shown, level=level, role=role, password=password_hash, parent=parent, must_change=True
    )
    detail = {"userId": account.id, "account": name, "name": shown, "levelDepth": level, "parentUser": parent.id}
    audit.write(db, NOBODY, ADDED, detail=detail)
    return password


async def load_scope(db: AsyncSession, name: str) -> Scope:
    """What an account sees, for whoever runs the installation. Raises `Refusal`."""
    standing = every.select(Account).where(Account.deleted_at.is_(None))
    account = await db.scalar(standing.where(func.lower(Account.account) == name.lower()))
    if account is None:
        raise Refusal(Code.NOT_FOUND, "account")
    return Actor(account.id, account.id, account.path, account.level, frozenset(), "", account.account).scope


async def demo_passwords(db: AsyncSession) -> list[str]:
    """Accounts of the demo that still have its password, by name."""
    names = [name for name, *_ in DEMO]
    named = every.select(Account).where(Account.account.in_(names), Account.deleted_at.is_(None))
    rows = list(await db.scalars(named))
    known = {hash_: await passwords.password_matches(hash_, DEMO_PASSWORD) for hash_ in {row.password for row in rows}}
    return sorted(row.account for row in rows if known[row.password])


async def seed_accounts(db: AsyncSession) -> dict[str, int]:
    """The demo's accounts; those that stand already stay as they are. Name to id."""
    await db.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    await insert_presets(db)
    accounts = {row.account: row for row in await db.scalars(every.select(Account))}
    password = ""
    for name, shown, level, role, parent, shadow_of in DEMO:
        if name not in accounts:
            password = password or await passwords.hash_password(DEMO_PASSWORD)
            acted = accounts[shadow_of].id if shadow_of else None
            accounts[name] = await _insert_account(
                db,
                name,
                shown,
                level=level,
                role=role,
                password=password,
                parent=accounts.get(parent),
                shadow_of=acted,
                support="always" if name == OPEN else "off",
            )
    return {name: accounts[name].id for name, *_ in DEMO}
