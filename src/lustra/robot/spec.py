"""How one robot of the fleet file is built and where it stands at first."""

from dataclasses import dataclass


@dataclass
class Spec:
    """One robot of the fleet file."""

    sn: str
    name: str = ""
    protocol: int = 3
    building: str = ""
    floor: str = ""
    battery: float = 80.0
    dock: tuple[float, float, float] | None = None
    factor: float = 1.0
    model: str = ""
    zone: str = "UTC"  # of its clock
    disk: int = 0  # bytes that it may keep; 0: as many as there is room for
    root: str = ""  # of trust, for updates: signed metadata, JSON; empty: it takes none
    webrtc: bool = False  # whether its cameras send by WebRTC, where UDP gets through
