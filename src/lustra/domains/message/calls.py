"""/message: the message centre."""

from datetime import datetime
from typing import Literal

from lustra.core.query import pages
from lustra.core.rpc import SESSION, Ctx, Nothing, Wire, call
from lustra.core.wire import ById, Id, Page, PageOf
from lustra.domains.message import service
from lustra.domains.message.tables import Message


class MessageRow(Wire):
    """`title` and `content` in the session's language."""

    id: int
    read: bool
    deleted: bool
    title: str
    content: str
    time: datetime
    user_id: int
    kind: str


class MessageFilter(PageOf):
    """`read`: only read (1) or unread (0) ones."""

    user_id: Id | None = None
    read: Literal[0, 1] | None = None


class OfUser(Wire):
    user_id: Id | None = None


class Unread(Wire):
    """`count` may be more than are listed."""

    list: list[MessageRow]
    count: int


def _row(one: Message, language: str) -> MessageRow:
    title, content = service.say(one, language)
    return MessageRow(
        id=one.id, read=one.read_at is not None, deleted=one.deleted_at is not None, title=title, content=content,
        time=one.created_at, user_id=one.account_id, kind=one.kind,
    )  # fmt: skip


@call("/message/findMessageByUnRead", needs=SESSION)
async def find_unread(ctx: Ctx, _: OfUser) -> Unread:
    """The newest unread messages of one's own, and how many there are."""
    found, count = await service.unread(ctx)
    return Unread(list=[_row(one, ctx.language) for one in found], count=count)


@call("/message/findAllMessage", needs="message/index")
async def find_all(ctx: Ctx, wanted: MessageFilter) -> Page[MessageRow]:
    """One's own messages, the newest first."""
    found, total = await service.page(ctx, wanted, wanted.read)
    return Page(list=[_row(one, ctx.language) for one in found], page_num=pages(total, wanted), total=total)


@call("/message/updateMessageRead", needs="message/index", changes=("message",))
async def update_read(ctx: Ctx, told: ById) -> Nothing:
    """Mark one of one's own as read."""
    await service.read(ctx, told.id)
    return Nothing()


@call("/message/readAll", needs="message/index", changes=("message",))
async def read_all(ctx: Ctx, _: Nothing) -> Nothing:
    """Mark all of one's own as read."""
    await service.read_all(ctx)
    return Nothing()


@call("/message/updateMessageDelete", needs="message/index", changes=("message",))
async def update_delete(ctx: Ctx, told: ById) -> Nothing:
    """Delete one of one's own."""
    await service.remove(ctx, told.id)
    return Nothing()
