"""What can go wrong, by name: a fault code of the catalogue or a message key. A later fault is one line here."""

from collections.abc import Mapping
from dataclasses import dataclass

from lustra.protocol.telemetry import Banner


@dataclass(frozen=True, slots=True)
class Fault:
    """What follows from it.

    help: what the robot says that it cannot solve itself ("" if it only shows a banner). stops: it stands still, but
    may be driven by hand unless its wheels are dead. pauses: the code under which a run pauses, until somebody resumes
    it. starts: it begins tasks. docks: its charger takes it. blind: its lidar sees nothing. mute: its line is so bad
    that it says little.
    """

    help: str = ""
    banner: Banner | None = None
    stops: bool = True
    pauses: str = ""
    wheels: bool = True
    starts: bool = True
    docks: bool = True
    blind: bool = False
    mute: bool = False
    battery: float | None = None  # % that it falls to
    liquid: float | None = None  # % that its supply falls to, or that of one tank
    tank: str = ""
    uncertainty: float = 0.0


FAULTS: Mapping[str, Fault] = {
    "stuck": Fault("stuck", wheels=False),
    "lost": Fault("lost", "position_unconfirmed", uncertainty=1.5),
    "low_battery": Fault("", "low_battery", stops=False, battery=14.0),
    "low_liquid": Fault("0x0470", "disinfectant_level", stops=False, liquid=4.0),
    "serial": Fault("serial_error", "serial_error", wheels=False),
    "0x0205": Fault("0x0205"),
    "0x0534": Fault("0x0534", pauses="0x0534"),
    "0x0535": Fault("0x0535", "emergency_stop", pauses="0x0535", wheels=False),
    "0x0536": Fault("0x0536", "manual_mode", pauses="0x0536"),
    "0x0470": Fault("0x0470", "disinfectant_level", stops=False, liquid=4.0, tank="left_disinfectant"),
    "0x0471": Fault("0x0471", "disinfectant_level", stops=False, liquid=4.0, tank="right_disinfectant"),
    "0x0472": Fault("0x0472", "disinfectant_level", stops=False, starts=False),
    "0x0473": Fault("0x0473", "disinfectant_level", stops=False, starts=False),
    "0x0610": Fault("0x0610", docks=False),
    "0x0612": Fault("0x0612", "low_battery", docks=False, battery=9.0),
    "0x0614": Fault("0x0614", docks=False),
    "0x0616": Fault("0x0616", docks=False, blind=True),
    "odometer": Fault("odometer", uncertainty=0.3),
    "imu": Fault("imu", uncertainty=0.3),
    "lidar": Fault("lidar", "position_unconfirmed", blind=True, uncertainty=0.8),
    "depth_camera": Fault("depth_camera"),
    "path_error": Fault("path_error"),
    "path_not_solved": Fault("path_not_solved"),
    "p2p_path": Fault("p2p_path"),
    "elevator_task": Fault("elevator_task", pauses="elevator_task"),
    "way_home": Fault("elevator_task", stops=False),
    "door_stuck": Fault("door_stuck", stops=False, pauses="door_stuck"),
    "network_abnormal": Fault("network_abnormal", stops=False, mute=True),
    "map_load_failed": Fault("map_load_failed", "map_not_selected", starts=False),
    "map_beyond_border": Fault("map_beyond_border", stops=False, starts=False),
    "map_building": Fault("map_building", starts=False),
    "low_positioning_accuracy": Fault("", "position_unconfirmed", stops=False, uncertainty=0.4),
}
