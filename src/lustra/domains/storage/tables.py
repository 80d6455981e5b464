from datetime import datetime

from sqlalchemy import ForeignKey, and_
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Ltree, Owned, Table


class StoredFile(Table):
    """A file that an account uploaded. `path` is what callers name, `place` where its bytes lie."""

    __tablename__ = "stored_file"
    root = Owned(lambda row, scope: and_(scope.below(row.owner_path), row.deleted_at.is_(None)))
    topics = ("oss",)

    path: Mapped[str]
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    private: Mapped[bool]
    kind: Mapped[str]
    size: Mapped[int]
    sha256: Mapped[str]
    place: Mapped[str]
    updated_at: Mapped[datetime]
    deleted_at: Mapped[datetime | None] = mapped_column(default=None)
