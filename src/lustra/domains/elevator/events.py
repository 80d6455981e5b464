"""What higher domains are asked about elevators."""

from dataclasses import dataclass, field

from lustra.core.context import Actor


@dataclass(slots=True)
class ElevatorsInUse:
    """How many robots ride each, and what some of them are called that the actor sees."""

    actor: Actor
    ids: list[int]
    counts: dict[int, int] = field(default_factory=dict[int, int])
    names: list[str] = field(default_factory=list[str])
