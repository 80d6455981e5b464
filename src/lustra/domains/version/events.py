"""What higher domains may want to know of versions, told in the transaction of the change."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class BuildsInUse:
    """Asked before builds are taken back or deleted: names of roll-outs that bring robots to them."""

    build_ids: Sequence[int]
    rollouts: list[str] = field(default_factory=list[str])
