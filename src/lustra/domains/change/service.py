"""The feed of changes.

Rules: a change is in the feed once its transaction stands, and gets the next number then, under a lock: so nothing ever
appears behind what somebody has read. A cursor is of one account, and says how far it has read. It is over when changes
behind it are gone: those older than LIFETIME, whether anybody read them or not.
"""

import base64
import binascii
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from cryptography.exceptions import InvalidTag
from sqlalchemy import Select, and_, or_, text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import events
from lustra.core.context import Actor, Ctx, Services
from lustra.core.errors import Code, Refusal
from lustra.core.jobs import job
from lustra.core.scope import system
from lustra.core.security import sealed
from lustra.domains.account.api import Account, support
from lustra.domains.change import queries
from lustra.domains.change.events import ChangesNumbered
from lustra.domains.change.kinds import KINDS
from lustra.domains.change.tables import ChangeEntry

LOCK = 7_104_034  # advisory lock: one at a time gives numbers
AT_ONCE = 500  # changes that get numbers in one transaction
LIFETIME = timedelta(days=30)
NOW = "now"  # in place of a cursor
SEALED_AS = "change cursor"
ID_LENGTH = 8  # letters of a change's id in a cursor: after a restored backup a number may be another's

every = system("changes of all accounts, by the server itself")


@dataclass(frozen=True, slots=True)
class Position:
    """The last change that was read; number 0: none yet."""

    number: int = 0
    id: str = ""


@dataclass(frozen=True, slots=True)
class Feed:
    rows: Sequence[ChangeEntry]
    cursor: str
    has_more: bool


def select_visible(actor: Actor, kinds: Collection[str] = ()) -> Select[ChangeEntry]:
    """What the actor may be sent, by its scope, its keys and support access; `kinds`: of these alone."""
    held = [name for name, kind in KINDS.items() if {*kind.keys} & actor.keys and (not kinds or name in kinds)]
    plain = [name for name in held if not KINDS[name].guarded]
    guarded = [name for name in held if KINDS[name].guarded]
    open_to_actor = support.condition(actor, Account.path)
    return (
        actor.scope.select(ChangeEntry)
        .join(Account, Account.id == ChangeEntry.owner_id)
        .where(or_(ChangeEntry.kind.in_(plain), and_(ChangeEntry.kind.in_(guarded), open_to_actor)))
        .order_by(ChangeEntry.number)
    )


async def read_feed(ctx: Ctx, since: str, kinds: Collection[str], most: int) -> Feed:
    """`since`: a cursor; empty: from the oldest change that is there; `now`: none of what is there already."""
    head = await _find_head(ctx.db)
    if since == NOW:
        return Feed([], _write_cursor(ctx, head), has_more=False)
    position = await _read_cursor(ctx, since, head) if since else Position()
    unread = select_visible(ctx.actor, kinds).where(
        ChangeEntry.number > position.number, ChangeEntry.number <= head.number
    )
    rows = (await ctx.db.scalars(unread.limit(most + 1))).all()
    has_more, rows = len(rows) > most, rows[:most]
    end = _position_of(rows[-1]) if has_more else head
    return Feed(rows, _write_cursor(ctx, end), has_more=has_more)


def _position_of(row: ChangeEntry) -> Position:
    return Position(row.number or 0, str(row.id)[:ID_LENGTH])


async def _find_head(db: AsyncSession) -> Position:
    numbered = every.select(ChangeEntry).where(ChangeEntry.number.is_not(None))
    newest = await db.scalar(numbered.order_by(ChangeEntry.number.desc()).limit(1))
    return _position_of(newest) if newest else Position()


def _write_cursor(ctx: Ctx, position: Position) -> str:
    """Sealed, since numbers count the changes of all accounts."""
    plain = f"{position.number}.{position.id}"
    data = sealed.seal(ctx.app.settings, SEALED_AS, ctx.actor.real_id, plain)
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


async def _read_cursor(ctx: Ctx, cursor: str, head: Position) -> Position:
    try:
        data = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        number, _, change_id = sealed.unseal(ctx.app.settings, SEALED_AS, ctx.actor.real_id, data).partition(".")
    except (InvalidTag, binascii.Error, ValueError):
        raise Refusal(Code.BAD_INPUT, "since", reason="cursor") from None
    position = Position(int(number), change_id)
    await _refuse_if_over(ctx.db, position, head)
    return position


async def _refuse_if_over(db: AsyncSession, position: Position, head: Position) -> None:
    """It holds while the change that it names is there; one from before the first, while the first is."""
    anchor = await db.scalar(every.select(ChangeEntry).where(ChangeEntry.number == max(position.number, 1)))
    if position == Position():
        holds = anchor is not None or head == position
    else:
        holds = anchor is not None and _position_of(anchor) == position
    if not holds:
        raise Refusal(Code.CURSOR_OVER, "since")


async def give_numbers(db: AsyncSession) -> int:
    """To changes whose transactions stand; how many they were. Others wait until this transaction has ended."""
    await db.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    numbers = list(await db.scalars(every.text(queries.GIVE_NUMBERS), {"most": AT_ONCE}))
    if numbers:
        await events.emit(db, ChangesNumbered(min(numbers), max(numbers)))
    return len(numbers)


async def order(app: Services) -> int:
    """Numbers changes that are committed, at most AT_ONCE; how many."""
    async with app.sessions.begin() as db:
        return await give_numbers(db)


@job("change.purge", cron="23 3 * * *")
async def purge(app: Services) -> None:
    async with app.sessions.begin() as db:
        await db.execute(every.text(queries.DROP_OLD), {"age": LIFETIME})
