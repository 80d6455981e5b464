"""Files that are handed out and articles of the knowledge base.

Rules: who lies below the owner reads them, and who lies above reads, replaces and deletes them. A name stands once with
its owner and kind: adding it again replaces what stood there, and that is gone only when the new stands. Files of a
document are the owner's own uploads, and may be read by those below, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, SQLColumnExpression, and_, any_, func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.core.wire import PageOf
from lustra.domains.account.api import Account, narrow_scope
from lustra.domains.document.tables import Document, DocumentFile
from lustra.domains.storage.api import StoredFile, mark_deleted, share_file, sign_url

Kind = Literal["file", "knowledge"]


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """`words`: each must stand in name, category, text or codes. `code`: a fault code that the article explains."""

    user_id: int | None = None
    category: str = ""
    words: str = ""
    code: str = ""
    document_id: int | None = None


@dataclass(frozen=True, slots=True)
class DocumentView:
    document: Document
    owner: str
    files: Sequence[StoredFile]


@dataclass(frozen=True, slots=True)
class NewDocument:
    kind: Kind
    name: str
    category: str
    detail: str
    files: Sequence[str]
    codes: Sequence[str] = ()


def _holds(text: SQLColumnExpression[str], words: Sequence[str]) -> ColumnElement[bool]:
    return and_(*(func.strpos(func.search_words(text), func.search_words(word)) > 0 for word in words))


async def load_page(ctx: Ctx, kind: Kind, filters: DocumentQuery, paging: PageOf) -> tuple[Sequence[DocumentView], int]:
    """Those whose name has all words first, then the newest."""
    scope = await narrow_scope(ctx, filters.user_id)
    rows = scope.select(Document).where(Document.kind == kind)
    if filters.document_id is not None:
        rows = rows.where(Document.id == filters.document_id)
    if filters.category:
        rows = rows.where(Document.category == filters.category)
    if filters.code:
        rows = rows.where(any_(Document.codes) == filters.code)
    if words := filters.words.split():
        parts = (Document.name, Document.category, func.array_to_string(Document.codes, " "), Document.detail)
        rows = rows.where(_holds(func.concat_ws(" ", *parts), words))
        rows = rows.order_by(_holds(Document.name, words).desc())
    documents, total = await query.paginate(ctx.db, rows.order_by(Document.updated_at.desc(), Document.id), paging)
    return await _with_files(ctx.db, documents), total


async def _with_files(db: AsyncSession, documents: Sequence[Document]) -> list[DocumentView]:
    if not documents:
        return []
    owners = {owner.id: owner for owner in await db.scalars(rows_of(*documents).select(Account))}
    links = (await db.scalars(rows_of(*documents).select(DocumentFile).order_by(DocumentFile.rank))).all()
    stored = await db.scalars(rows_of(*links).select(StoredFile).where(StoredFile.deleted_at.is_(None)))
    files = {file.id: file for file in stored}
    views: list[DocumentView] = []
    for document in documents:
        of_it = [files[link.file_id] for link in links if link.document_id == document.id and link.file_id in files]
        owner = owners[document.owner_id]
        views.append(DocumentView(document, owner.name or owner.account, of_it))
    return views


async def list_categories(ctx: Ctx, kind: Kind, user_id: int | None) -> list[str]:
    """Categories of the documents that the actor sees, each once."""
    scope = await narrow_scope(ctx, user_id)
    rows = scope.select(Document.category).where(Document.kind == kind).distinct()
    return list(await ctx.db.scalars(rows.order_by(Document.category)))


async def keep_document(ctx: Ctx, new: NewDocument, replaces: int | None = None) -> Document:
    """The actor's own. One of that name is replaced, or the one that is named; files that only the former had are
    deleted."""
    files = [await share_file(ctx.db, ctx.actor, path) for path in new.files]
    own = ctx.scope.changeable.select(Document).where(
        Document.owner_id == ctx.actor.acting_id, Document.kind == new.kind
    )
    document = await ctx.db.scalar(own.where(Document.name == new.name).with_for_update())
    if replaces is not None:
        if document is not None and document.id != replaces:
            raise Refusal(Code.EXISTS, "name")
        document = await query.fetch_one(ctx.db, own.where(Document.id == replaces).with_for_update())
    former: list[StoredFile] = []
    if document is None:
        document = Document(
            owner_id=ctx.actor.acting_id,
            owner_path=ctx.actor.path,
            kind=new.kind,
            name=new.name,
            category=new.category,
            detail=new.detail,
            codes=list(new.codes),
        )
        ctx.db.add(document)
        await ctx.db.flush()
    else:
        former = list((await _with_files(ctx.db, [document]))[0].files)
        document.name, document.category, document.detail = new.name, new.category, new.detail
        document.codes, document.updated_at = list(new.codes), now()
        await ctx.db.execute(rows_of(document).delete(DocumentFile))
    ctx.db.add_all(DocumentFile(document_id=document.id, file_id=file.id, rank=rank) for rank, file in enumerate(files))
    await ctx.db.flush()
    await _delete_unused(ctx, former)
    return document


async def find_url(ctx: Ctx, document_id: int, path: str) -> str:
    """Of a file of a document in sight, whoever owns it: a path alone may name a file of several owners."""
    document = await query.fetch_one(ctx.db, ctx.scope.select(Document).where(Document.id == document_id))
    for file in (await _with_files(ctx.db, [document]))[0].files:
        if file.path == path:
            return sign_url(ctx.app.objects, file)
    raise Refusal(Code.NOT_FOUND, "file", reason="file_unknown")


async def delete_document(ctx: Ctx, document_id: int, kind: Kind) -> None:
    rows = ctx.scope.changeable.select(Document).where(Document.id == document_id, Document.kind == kind)
    document = await query.fetch_one(ctx.db, rows.with_for_update())
    ctx.note(name=document.name, category=document.category)
    files = (await _with_files(ctx.db, [document]))[0].files
    await ctx.db.delete(document)
    await ctx.db.flush()
    await _delete_unused(ctx, files)


async def _delete_unused(ctx: Ctx, files: Sequence[StoredFile]) -> None:
    """Deletes files that no document has any more."""
    if not files:
        return
    used = set(await ctx.db.scalars(rows_of(*files).select(DocumentFile.file_id)))
    mark_deleted([file for file in files if file.id not in used])
