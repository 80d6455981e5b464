"""What higher domains may want to know of accounts, told in the transaction of the change (app/wiring: who hears)."""

from dataclasses import dataclass, field
from datetime import datetime

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
class SupportAsked:
    """Somebody of support asks this customer to open its support access."""

    account_id: int
    by: Actor


@dataclass(frozen=True, slots=True)
class OldData:
    """Whoever keeps such data counts, by kind, what the actor's scope has from before then, and removes it if told."""

    actor: Actor
    before: datetime
    remove: bool
    counts: dict[str, int] = field(default_factory=dict[str, int])
