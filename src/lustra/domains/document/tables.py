"""What an account hands out to those below it: files, and articles of the knowledge base with their attachments."""

from datetime import datetime
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, ForeignKey, Text, func, or_
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Ltree, Owned, Table, now
from lustra.core.scope import Scope


def _seen(row: Any, scope: Scope) -> ColumnElement[bool]:
    """The condition: accounts above the owner see a document, and accounts below."""
    above = row.owner_path.op("@>", is_comparison=True)(func.text2ltree(scope.path))
    return or_(scope.below(row.owner_path), above)


class Document(Table):
    """`kind`: file or knowledge. `detail`: what a file is, or the article in Markdown. `codes`: the fault codes that an
    article explains."""

    __tablename__ = "document"
    root = Owned(seen=_seen, changed=lambda row, scope: scope.below(row.owner_path))
    topics = ("file",)

    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    kind: Mapped[str]
    name: Mapped[str]
    category: Mapped[str]
    detail: Mapped[str] = mapped_column(default="")
    codes: Mapped[list[str]] = mapped_column(ARRAY(Text), default_factory=list[str])
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)


class DocumentFile(Table):
    """A stored file of a document, in the order of `rank`."""

    __tablename__ = "document_file"
    root = Owned()

    document_id: Mapped[int] = mapped_column(ForeignKey("document.id", ondelete="CASCADE"))
    file_id: Mapped[int] = mapped_column(ForeignKey("stored_file.id", ondelete="CASCADE"))
    rank: Mapped[int]
