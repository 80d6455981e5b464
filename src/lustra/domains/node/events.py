"""What higher domains are asked about nodes."""

from dataclasses import dataclass, field

from lustra.core.context import Actor


@dataclass(slots=True)
class NodesInUse:
    """How many robots come in at each address, and what some of them are called that the actor sees."""

    actor: Actor
    urls: list[str]
    counts: dict[str, int] = field(default_factory=dict[str, int])
    names: list[str] = field(default_factory=list[str])
