"""The robot's local API, once: relay, virtual robot, server and documents read this table.

`m` is the whole path on the relay: prefix/name. Robots below protocol 3 use api/, from 3 on api1/; map calls and the
update check use api2/. A later command is one line here and one payload model.
"""

from dataclasses import dataclass
from typing import Literal

from lustra.protocol.payloads import base, groups, maps, motion, parts, schedules, sync, tasks

Danger = Literal["none", "moves", "destroys"]

VIEW = "device_control/index"
DRIVE = "device_control/index/drive"
MAPS = "device/maplist"
DELETE_MAPS = "device/maplist/delete"
TASKS = "device/taskList"
PASSWORDS = "device/index/reset_password"

API1_SINCE = 3


@dataclass(frozen=True, slots=True)
class Command:
    """One line of the table.

    needs: the permission key that the grant must carry. danger: what it can do to the world; anything but "none"
    wants the control lock, unless `always`: stop, pause, emergency stop and cancel need no lock and are never refused
    for another's. plan: it shows the floor or what is drawn on it, or changes that: not for support while the customer
    keeps it out. form: the body is multipart and may be large. also: a second prefix under which it is known. flow: it
    comes many times a second while somebody drives. reads: it changes nothing; all others are recorded in the audit.
    """

    name: str
    payload: type[base.Payload] = base.Empty
    needs: str = VIEW
    danger: Danger = "none"
    always: bool = False
    prefix: Literal["api", "api1", "api2"] | None = None
    method: Literal["GET", "POST"] = "POST"
    since: int = 1
    form: bool = False
    plan: bool = False
    also: Literal["api2"] | None = None
    flow: bool = False
    reads: bool = False

    @property
    def locked(self) -> bool:
        return self.danger != "none" and not self.always


COMMANDS: dict[str, Command] = {
    c.name: c
    for c in (
        # What it is and sees
        Command("check_update", prefix="api2", method="GET", reads=True),
        Command("robot_pose", reads=True),
        Command("radar_info", plan=True, reads=True),
        Command("radar_info_raw", plan=True, reads=True),
        Command("sensor_info_web", reads=True),
        Command("hardware_state", reads=True),
        Command("account_list", since=3, reads=True),
        # Driving and stopping
        Command("robot_safe", motion.Switch, danger="moves", always=True),
        Command("emergency_off", danger="moves", since=3),
        Command("robot_lock", motion.Lock, danger="moves", always=True),
        Command("hand_mode", motion.HandMode, needs=DRIVE, danger="moves"),
        Command("cmdvel_ctrl", motion.Velocity, needs=DRIVE, danger="moves", flow=True),
        Command("point_moveto", motion.Pose, needs=DRIVE, danger="moves", also="api2"),
        Command("go_home", danger="moves"),
        Command("cancel_go_home", danger="moves", always=True),
        Command("docker_back", danger="moves"),
        # Where it is
        Command("recover_localization", motion.Window, needs=DRIVE, danger="moves"),
        Command("relocation_start", needs=DRIVE, danger="moves"),
        Command("relocation_point", motion.PointName, needs=DRIVE, danger="moves", prefix="api2"),
        Command("docker_relocation", plan=True, needs=MAPS, danger="destroys"),
        # Its parts and settings
        Command("utils_state", method="GET", reads=True),
        Command("utils_list", since=3, reads=True),
        Command("utils_ctrl_default_list", since=3, reads=True),
        Command("utils_ctrl", parts.Utility, danger="moves"),
        Command("disinfect_ctrl", parts.Dose, danger="moves"),
        Command("disinfect_state", reads=True),
        Command("robot_params_get", reads=True),
        Command("robot_params_set", parts.Params, needs=DRIVE, danger="moves"),
        Command("serial_control", parts.Serial, needs=DRIVE, danger="moves"),
        Command("robot_reboot", motion.Reboot, needs=DRIVE, danger="destroys"),
        Command("reset_ubuntu_pd", needs=PASSWORDS, danger="destroys"),
        Command("bag_record_trigger", parts.Record),
        # Maps
        Command("map_list", prefix="api2", method="GET", reads=True),
        Command("map_name", prefix="api2", method="GET", reads=True),
        Command("map_info", base.OfMap, plan=True, prefix="api2", reads=True),
        Command("map_flag_list", base.OfMap, plan=True, prefix="api2", reads=True),
        Command("map_flag_add", maps.MapFlag, plan=True, needs=MAPS, prefix="api2"),
        Command("map_flag_del", maps.MapFlagName, plan=True, needs=MAPS, prefix="api2"),
        Command("virlines_info", base.OfMap, plan=True, prefix="api2", reads=True),
        Command("map/Upload", maps.MapUpload, needs=MAPS, prefix="api2", form=True),
        Command("map_load", maps.MapName, needs=MAPS, danger="destroys", prefix="api2"),
        Command("map_del", base.OfMap, needs=DELETE_MAPS, danger="destroys", prefix="api2"),
        Command("draw_new_map", maps.NewMap, plan=True, needs=MAPS, danger="moves", prefix="api2"),
        Command("map_save", maps.SavedMap, plan=True, needs=MAPS, danger="destroys", prefix="api2"),
        Command("cancel_map_builiding", needs=MAPS, danger="destroys", always=True, prefix="api2"),
        Command("map_clear_noise", base.OfMap, plan=True, needs=MAPS, danger="destroys", since=3),
        Command("map_image", maps.Picture, plan=True, prefix="api2", method="GET", reads=True),
        Command("track_image", maps.Track, plan=True, prefix="api2", method="GET", reads=True),
        Command("door_access_control_list", base.OfMap, plan=True, since=3, reads=True),
        # Map sync and what the server tells about a map
        Command("map/CloudInfoUpdate", sync.CloudInfo, needs=MAPS, prefix="api2"),
        Command("map/map_sync", sync.MapSync, needs=MAPS, prefix="api2"),
        # Tasks
        Command("task_list", base.OfMap, plan=True, reads=True),
        Command("task_info", base.OfMap, plan=True, reads=True),
        Command("taskinfo_query", tasks.TaskName, plan=True, reads=True),
        Command("task_all_map", plan=True, reads=True),
        Command("all_tasksingle_list", plan=True, reads=True),
        Command("cleantask_origin", tasks.TaskName, plan=True, reads=True),
        Command("task_add", tasks.Task, needs=TASKS),
        Command("task_rename", tasks.TaskRename, needs=TASKS),
        Command("task_del", tasks.TaskName, needs=TASKS),
        Command("task_names_png_upload", tasks.TaskPicture, plan=True, needs=TASKS),
        Command("dir_path_list", plan=True, method="GET", reads=True),
        Command("hppath_save", tasks.HpPath, plan=True, needs=TASKS),
        Command("hppath_delete", tasks.HpPathName, plan=True, needs=TASKS),
        Command("clean_area_pre", tasks.Preview, plan=True, reads=True),
        Command("task_start", tasks.TaskStart, danger="moves"),
        Command("task_pause", danger="moves", always=True),
        Command("task_resume", danger="moves"),
        Command("task_cancel", danger="moves", always=True),
        Command("task_cancel_one", tasks.TaskName, danger="moves", always=True),
        Command("task_state", reads=True),
        # Task groups
        Command("taskgroup_list", reads=True),
        Command("taskgroup_add", groups.TaskGroup, needs=TASKS),
        Command("taskgroup_del", groups.GroupName, needs=TASKS),
        Command("taskgroup_rename", groups.GroupRename, needs=TASKS),
        Command("taskgroup_set_top", groups.GroupName, needs=TASKS),
        # Scheduled tasks: who may edit tasks lets the robot drive later, as the one who starts it does now
        Command("timetask_list", base.OfMap, reads=True),
        Command("timetask_info", schedules.ScheduleName, reads=True),
        Command("timetask_save", schedules.TimeTask, needs=TASKS),
        Command("timetask_edit", schedules.TimeTask, needs=TASKS),
        Command("timetask_enable", schedules.ScheduleEnable, needs=TASKS),
        Command("timetask_rename", schedules.ScheduleRename, needs=TASKS),
        Command("timetask_delete", schedules.ScheduleName, needs=TASKS),
        Command("timetask_set_top", schedules.ScheduleName, needs=TASKS),
        Command("timetask_cancel", schedules.ScheduleName, danger="moves", always=True),
        Command("elevator_timetask_list", reads=True),
        Command("elevator_timetask_add", schedules.ElevatorTimeTask, needs=TASKS),
        Command("elevator_timetask_modofied", schedules.ElevatorTimeTask, needs=TASKS),
        Command("elevator_timetask_rename", schedules.ScheduleRename, needs=TASKS),
        Command("elevator_timetask_delete", schedules.ScheduleName, needs=TASKS),
        Command("elevator_point_list", base.OfMap, plan=True, reads=True),
    )
}


def route(command: Command, protocol: int) -> str:
    """The whole `m` of a command for a robot of that protocol version."""
    return f"{command.prefix or ('api1' if protocol >= API1_SINCE else 'api')}/{command.name}"


def routes(protocol: int) -> dict[str, Command]:
    """Everything that a robot of that protocol version answers, by its whole `m`."""
    own = {route(c, protocol): c for c in COMMANDS.values() if protocol >= c.since}
    return own | {f"{c.also}/{c.name}": c for c in own.values() if c.also}
