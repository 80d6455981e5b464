"""What can go wrong, by name: a fault code of the catalogue or a message key. A later fault is one line here."""

from dataclasses import dataclass

from lustra.protocol.bus import Banner


@dataclass(frozen=True, slots=True)
class Fault:
    """help: what the robot says that it cannot solve itself ("" if it only shows a banner). stops: it stands still."""

    help: str = ""
    banner: Banner | None = None
    stops: bool = True
    battery: float | None = None  # % that it falls to
    liquid: float | None = None
    uncertainty: float = 0.0


FAULTS: dict[str, Fault] = {
    "stuck": Fault("stuck"),
    "lost": Fault("lost", "position_unconfirmed", uncertainty=1.5),
    "low_battery": Fault("", "low_battery", stops=False, battery=14.0),
    "low_liquid": Fault("0x0470", "disinfectant_level", stops=False, liquid=4.0),
    "serial": Fault("serial_error", "serial_error"),
    "0x0205": Fault("0x0205"),
    "0x0534": Fault("0x0534"),
    "0x0535": Fault("0x0535", "emergency_stop"),
    "0x0536": Fault("0x0536", "manual_mode"),
    "0x0470": Fault("0x0470", "disinfectant_level", stops=False, liquid=4.0),
    "0x0471": Fault("0x0471", "disinfectant_level", stops=False, liquid=4.0),
    "0x0472": Fault("0x0472", "disinfectant_level", stops=False),
    "0x0473": Fault("0x0473", "disinfectant_level", stops=False),
    "0x0610": Fault("0x0610"),
    "0x0612": Fault("0x0612", "low_battery", battery=9.0),
    "0x0614": Fault("0x0614"),
    "0x0616": Fault("0x0616"),
    "odometer": Fault("odometer"),
    "imu": Fault("imu"),
    "lidar": Fault("lidar", "position_unconfirmed", uncertainty=0.8),
    "depth_camera": Fault("depth_camera"),
    "path_error": Fault("path_error"),
    "path_not_solved": Fault("path_not_solved"),
    "map_load_failed": Fault("map_load_failed", "map_not_selected"),
    "low_positioning_accuracy": Fault("", "position_unconfirmed", stops=False, uncertainty=0.4),
}
