"""/message: the message centre."""

from datetime import datetime
from typing import Annotated, Literal

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import ById, Id, Page, PageOf, doc
from lustra.domains.message import service
from lustra.domains.message.tables import Message


class MessageRow(Wire):
    """`title` and `content` in the session's language."""

    id: Annotated[int, doc("The message.")]
    read: Annotated[bool, doc("Whether it has been read.")]
    deleted: Annotated[bool, doc("Whether it has been deleted.")]
    title: Annotated[str, doc("Title in the session's language.")]
    content: Annotated[str, doc("Text in the session's language.")]
    time: Annotated[datetime, doc("When it was sent.")]
    user_id: Annotated[int, doc("The account that it was sent to.")]
    kind: Annotated[str, doc("Key of its text.")]


class MessageFilter(PageOf):
    """`read`: only read (1) or unread (0) ones."""

    user_id: Annotated[Id | None, doc("Ignored: an account reads its own messages.")] = None
    read: Annotated[Literal[0, 1] | None, doc("1 only read ones, 0 only unread ones; null: all.")] = None


class UnreadFilter(Wire):
    user_id: Annotated[Id | None, doc("Ignored: an account reads its own messages.")] = None


class UnreadMessages(Wire):
    """`count` may be more than are listed."""

    list: Annotated[list[MessageRow], doc("The newest unread messages, at most 100.")]
    count: Annotated[int, doc("Number of all unread messages.")]


def _row(message: Message, language: str) -> MessageRow:
    title, content = service.render(message, language)
    return MessageRow(
        id=message.id,
        read=message.read_at is not None,
        deleted=message.deleted_at is not None,
        title=title,
        content=content,
        time=message.created_at,
        user_id=message.account_id,
        kind=message.kind,
    )


@call("/message/findMessageByUnRead", needs="message/index")
async def list_unread(ctx: Ctx, _: UnreadFilter) -> UnreadMessages:
    """List the newest unread messages of one's own, and count all of them."""
    messages, count = await service.load_unread(ctx)
    return UnreadMessages(list=[_row(message, ctx.language) for message in messages], count=count)


@call("/message/findAllMessage", needs="message/index")
async def list_messages(ctx: Ctx, filters: MessageFilter) -> Page[MessageRow]:
    """List one's own messages, the newest first."""
    messages, total = await service.load_page(ctx, filters, filters.read)
    return Page(list=[_row(message, ctx.language) for message in messages], page_num=pages(total, filters), total=total)


@call("/message/updateMessageRead", needs="message/index", changes=("message",))
async def mark_read(ctx: Ctx, payload: ById) -> Nothing:
    """Mark one of one's own messages as read."""
    await service.mark_read(ctx, payload.id)
    return Nothing()


@call("/message/readAll", needs="message/index", changes=("message",))
async def mark_all_read(ctx: Ctx, _: Nothing) -> Nothing:
    """Mark all of one's own messages as read."""
    await service.mark_all_read(ctx)
    return Nothing()


@call("/message/updateMessageDelete", needs="message/index", changes=("message",))
async def delete_message(ctx: Ctx, payload: ById) -> Nothing:
    """Delete one of one's own messages."""
    await service.delete_message(ctx, payload.id)
    return Nothing()
