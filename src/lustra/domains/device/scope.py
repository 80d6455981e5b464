"""Whose robots an account sees: the owner's or a bound account's place lies at or below its own. One index condition.

What is stamped with an owner (maps, tasks, reports) is seen by that owner's scope; a bound account sees it while the
robot still belongs to that owner.
"""

from typing import Any

from sqlalchemy import Select, or_, select

from lustra.core.context import Actor
from lustra.core.security.permission import within
from lustra.domains.device.tables import Device, DeviceAccount

BOUND = "select b.device_id from device_account b where b.account_path <@ {path}"
SEEN = "(d.owner_path <@ {path} or d.id in (" + BOUND + "))"
STAMPED = (
    "({row}.owner_path <@ {path} or {row}.device_id in (" + BOUND + ") and exists"
    " (select from device bd where bd.id = {row}.device_id and bd.owner_id = {row}.owner_id))"
)


def visible(actor: Actor) -> Select[int]:
    """Ids of the robots that the actor sees. Every device-bound query narrows by this."""
    bound = select(DeviceAccount.device_id).where(within(actor, DeviceAccount.account_path))
    return select(Device.id).where(
        Device.deleted_at.is_(None), or_(within(actor, Device.owner_path), Device.id.in_(bound))
    )


class Where:
    """Conditions of a plain SQL query and the values that they speak of."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.values: list[Any] = []
        self.plain = False  # nothing but the scope, which is then the first value

    def value(self, value: Any) -> str:
        self.values.append(value)
        return f"${len(self.values)}"

    def add(self, part: str, *values: Any) -> None:
        """Each {} of the part becomes the place of a value."""
        self.parts.append(part.format(*(self.value(v) for v in values)))
        self.plain = False

    def seen(self, path: str) -> None:
        self.plain = not self.parts
        self.parts += ["d.deleted_at is null", SEEN.format(path=f"{self.value(path)}::text::ltree")]

    def stamped(self, path: str, row: str) -> None:
        self.parts.append(STAMPED.format(path=f"{self.value(path)}::text::ltree", row=row))

    def contains(self, column: str, text: str) -> None:
        """By the index of 1- and 2-grams; then that they stand side by side. A single Latin letter or digit is in
        nearly every text: there the index only costs."""
        place = self.value(text.strip())
        self.plain = False
        if len(text.strip()) > 1 or not text.isascii():
            self.parts.append(f"{column}search @> grams({place})")
        self.parts.append(f"strpos({column}words, lower(normalize({place}, nfkc))) > 0")

    def __str__(self) -> str:
        return " and ".join(self.parts) or "true"
