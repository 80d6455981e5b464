"""/file: files that are handed out, and the knowledge base.

There is no call that edits: a document of the same name takes the place of the former.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import ById, Commas, Id, Page, PageOf, Title, doc
from lustra.domains.device.api import Blank
from lustra.domains.document import service
from lustra.domains.document.service import DocumentQuery, DocumentView, NewDocument
from lustra.domains.storage.api import check_names

FILES = "file/file_list"
KNOWLEDGE = "file/knowledge"
MOST_FILES = 10
MOST_CODES = 30
LONGEST_ARTICLE = 50_000


def _check_paths(paths: list[str]) -> list[str]:
    if len(set(paths)) < len(paths):
        raise PydanticCustomError("file_twice", "The same file is listed twice")
    return paths


Text = Annotated[str, StringConstraints(strip_whitespace=True)]
Path = Annotated[str, StringConstraints(min_length=1, max_length=1024)]
Paths = Annotated[Commas[Path], AfterValidator(_check_paths)]
Code = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64)]


class DocumentFilter(PageOf):
    user_id: Annotated[Annotated[Id | None, Blank], doc("Only documents in sight of this account.")] = None
    category: Annotated[str, doc("Only this category; empty: all.")] = Field("", max_length=100)
    keyword: Annotated[str, doc("Words that name, category or text have, all of them; empty: all documents.")] = Field(
        "", max_length=200
    )


class KnowledgeFilter(DocumentFilter):
    id: Annotated[Annotated[Id | None, Blank], doc("Only this article.")] = None
    code: Annotated[str, doc("A fault code that the article explains, as 0x0534; empty: all.")] = Field(
        "", max_length=64
    )


class CategoryFilter(Wire):
    user_id: Annotated[Annotated[Id | None, Blank], doc("Only of documents in sight of this account.")] = None


class NewFile(Wire):
    name: Annotated[Title, doc("Name, 1 to 100 characters: letters, digits, dots, hyphens and underscores.")]
    category: Annotated[Title, doc("Category, 1 to 100 characters; a new word makes a new category.")]
    detail: Annotated[Text, doc("What it is, at most 2000 characters.")] = Field("", max_length=2000)
    file: Annotated[Path, doc("Path of the caller's own file, as /oss/upload stored it.")]


class NewKnowledge(Wire):
    id: Annotated[
        Annotated[Id | None, Blank],
        doc("The caller's own article that this takes the place of, also by another title."),
    ] = None
    name: Annotated[Title, doc("Title, 1 to 100 characters.")]
    category: Annotated[Title, doc("Category, 1 to 100 characters; a new word makes a new category.")]
    detail: Annotated[Text, doc(f"The article in Markdown, at most {LONGEST_ARTICLE:,} characters.")] = Field(
        "", max_length=LONGEST_ARTICLE
    )
    file: Annotated[
        Paths, doc(f"Paths of the caller's own files, as /oss/upload stored them, at most {MOST_FILES}.")
    ] = Field(default_factory=list, max_length=MOST_FILES)
    codes: Annotated[Commas[Code], doc(f"Fault codes that the article explains, as 0x0534, at most {MOST_CODES}.")] = (
        Field(default_factory=list, max_length=MOST_CODES)
    )


class DocumentFileRef(Wire):
    id: Annotated[Id, doc("The document.")]
    file: Annotated[Path, doc("Path of one of its files.")]


class FileOfDocument(Wire):
    path: Annotated[str, doc("Path of the file.")]
    size: Annotated[int, doc("Size in bytes.")]
    kind: Annotated[str, doc("MIME type, judged by the first bytes.")]


class DocumentRow(Wire):
    id: Annotated[int, doc("The document.")]
    name: Annotated[str, doc("Name or title.")]
    category: Annotated[str, doc("Category.")]
    detail: Annotated[str, doc("What it is, or the article in Markdown.")]
    file: Annotated[str, doc("Paths of its files, separated by commas.")]
    files: Annotated[list[FileOfDocument], doc("Its files. One that was deleted is missing.")]
    codes: Annotated[list[str], doc("Fault codes that it explains.")]
    owner_name: Annotated[str, doc("Who owns it.")]
    ours: Annotated[bool, doc("Whether the asker may delete it.")]
    own: Annotated[bool, doc("Whether the asker may replace it: it is the asker's own.")]
    update_time: Annotated[datetime, doc("When it was added, or took the place of another.")]


def _row(ctx: Ctx, view: DocumentView) -> DocumentRow:
    document = view.document
    return DocumentRow(
        id=document.id,
        name=document.name,
        category=document.category,
        detail=document.detail,
        file=",".join(file.path for file in view.files),
        files=[FileOfDocument(path=file.path, size=file.size, kind=file.kind) for file in view.files],
        codes=document.codes,
        owner_name=view.owner,
        ours=f"{document.owner_path}.".startswith(f"{ctx.actor.path}."),
        own=document.owner_id == ctx.actor.acting_id,
        update_time=document.updated_at,
    )


def _page(ctx: Ctx, views_and_total: tuple[Sequence[DocumentView], int], paging: PageOf) -> Page[DocumentRow]:
    views, total = views_and_total
    return Page(list=[_row(ctx, view) for view in views], page_num=pages(total, paging), total=total)


@call("/file/findAll", needs=FILES)
async def list_files(ctx: Ctx, payload: DocumentFilter) -> Page[DocumentRow]:
    """List the files of those above and below the caller, the newest first; by words, those of that name first."""
    filters = DocumentQuery(payload.user_id, payload.category, payload.keyword)
    return _page(ctx, await service.load_page(ctx, "file", filters, payload), payload)


@call("/file/findAllKnowledge", needs=KNOWLEDGE)
async def list_knowledge(ctx: Ctx, payload: KnowledgeFilter) -> Page[DocumentRow]:
    """List the articles of those above and below the caller, the newest first; by words, those of that title first."""
    filters = DocumentQuery(payload.user_id, payload.category, payload.keyword, payload.code, payload.id)
    return _page(ctx, await service.load_page(ctx, "knowledge", filters, payload), payload)


@call("/file/getCate", needs=FILES)
async def list_file_categories(ctx: Ctx, payload: CategoryFilter) -> list[str]:
    """List the categories that files have."""
    return await service.list_categories(ctx, "file", payload.user_id)


@call("/file/getCateKnowledge", needs=KNOWLEDGE)
async def list_knowledge_categories(ctx: Ctx, payload: CategoryFilter) -> list[str]:
    """List the categories that articles have."""
    return await service.list_categories(ctx, "knowledge", payload.user_id)


@call("/file/add", needs=FILES, changes=("file",), audit="file.add")
async def add_file(ctx: Ctx, payload: NewFile) -> ById:
    """Add a file that those below may download; one of the same name is replaced."""
    check_names([payload.name], "name")
    fields = payload.model_dump(exclude={"file"})
    document = await service.keep_document(ctx, NewDocument("file", files=[payload.file], **fields))
    ctx.note(id=document.id)
    return ById(id=document.id)


@call("/file/addKnowledge", needs=KNOWLEDGE, changes=("file",), audit="file.add_knowledge")
async def add_knowledge(ctx: Ctx, payload: NewKnowledge) -> ById:
    """Add an article that those below may read; one of the same title is replaced."""
    fields = payload.model_dump(exclude={"file", "id"})
    document = await service.keep_document(ctx, NewDocument("knowledge", files=payload.file, **fields), payload.id)
    ctx.note(id=document.id)
    return ById(id=document.id)


@call("/file/del", needs=FILES, changes=("file",), audit="file.delete")
async def delete_file(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a file that the caller or somebody below handed out."""
    await service.delete_document(ctx, payload.id, "file")
    return Nothing()


@call("/file/delKnowledge", needs=KNOWLEDGE, changes=("file",), audit="file.delete_knowledge")
async def delete_knowledge(ctx: Ctx, payload: ById) -> Nothing:
    """Delete an article that the caller or somebody below published, with its files."""
    await service.delete_document(ctx, payload.id, "knowledge")
    return Nothing()


@call("/file/downloadUrl", needs=(FILES, KNOWLEDGE))
async def sign_document_url(ctx: Ctx, payload: DocumentFileRef) -> str:
    """Answer a URL that opens a file of a document for a minute."""
    return await service.find_url(ctx, payload.id, payload.file)
