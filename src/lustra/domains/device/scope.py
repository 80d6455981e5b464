"""Whose robots an account sees: the owner's or a bound account's place lies at or below its own. One index condition.

What is stamped with an owner (maps, tasks, reports) is seen by that owner's scope; a bound account sees it while the
robot still belongs to that owner.
"""

from typing import Any, Self

from lustra.core.scope import Scope, Statement
from lustra.domains.device import queries


class Where:
    """Conditions of a plain SQL statement and the values that they speak of; the scope is the first of both."""

    def __init__(self, scope: Scope, condition: str) -> None:
        self.scope = scope
        self.parts: list[str] = []
        self.values: list[Any] = []
        self.parts.append(condition.format(path=f"{self.value(scope.path)}::text::ltree"))
        self.plain = True  # nothing but the scope

    @classmethod
    def of_robots(cls, scope: Scope) -> Self:
        """The conditions of a scope on robots, which the statement calls `d`."""
        return cls(scope, f"d.deleted_at is null and {queries.SEEN}")

    @classmethod
    def of_stamped(cls, scope: Scope, row: str) -> Self:
        """The conditions of a scope on rows that carry their robot's owner."""
        return cls(scope, queries.STAMPED.format(row=row, path="{path}"))

    def value(self, value: Any) -> str:
        self.values.append(value)
        return f"${len(self.values)}"

    def page(self, size: int, number: int) -> dict[str, str]:
        """The holes `limit` and `offset` of a statement that reads one page; the first has number 1."""
        return {"limit": self.value(size), "offset": self.value((number - 1) * size)}

    def add(self, part: str, *values: Any) -> None:
        """Appends SQL; each {} of it becomes the place of one value."""
        self.parts.append(part.format(*(self.value(v) for v in values)))
        self.plain = False

    def sql(self, statement: Statement, **parts: object) -> str:
        return statement.fill(self.scope, {"where": self, **parts})

    def contains(self, column: str, text: str) -> None:
        """By the index of 1- and 2-grams; then that they stand side by side. A single Latin letter or digit is in
        nearly every text: there the index only costs."""
        place = self.value(text.strip())
        self.plain = False
        if len(text.strip()) > 1 or not text.isascii():
            self.parts.append(f"{column}search @> grams({place})")
        self.parts.append(f"strpos({column}words, lower(normalize({place}, nfkc))) > 0")

    def __str__(self) -> str:
        return " and ".join(self.parts)
