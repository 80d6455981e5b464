"""What higher domains may want to know of accounts, called in the transaction of the change (app/wiring: by whom)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import and_, func, not_

from lustra.core.context import Actor


@dataclass(frozen=True, slots=True)
class PermissionsChanged:
    """`by`: who did it, as with all of these."""

    account_id: int
    by: Actor


@dataclass(frozen=True, slots=True)
class FirstPasswordSet:
    account_id: int
    by: Actor


@dataclass(frozen=True, slots=True)
class BranchMoved:
    """The account at the branch's root, and those that it stood and stands below."""

    account_id: int
    name: str
    parent_before: int | None
    parent: int
    parent_name: str
    by: Actor


@dataclass(frozen=True, slots=True)
class SupportRequested:
    """Somebody of support asks this customer to open its support access."""

    account_id: int
    by: Actor


@dataclass(frozen=True, slots=True)
class OldData:
    """Whoever keeps such data counts, by kind, what accounts at or below `path` have from before then, and removes it
    if given; a kind that `before` does not name is left alone, and so is what lies below `but`."""

    path: str
    before: Mapping[str, datetime]
    remove: bool
    excluded: Sequence[str] = ()
    counts: dict[str, int] = field(default_factory=dict[str, int])

    def within(self, path: Any) -> Any:
        """The condition on a column with an owner's path that the row lies in the branch."""
        below = path.op("<@", is_comparison=True)(func.text2ltree(self.path))
        return and_(
            below, *(not_(path.op("<@", is_comparison=True)(func.text2ltree(branch))) for branch in self.excluded)
        )


@dataclass(frozen=True, slots=True)
class PersonalDataRequested:
    """Whoever keeps something about this person adds it: rows by what they are, and files as name and place."""

    account_id: int
    rows: dict[str, Any]
    files: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PersonErased:
    """Whoever keeps something about this person removes it; where others' data stay, the label stands for it."""

    account_id: int
    values: Sequence[str]
    label: str
