"""The robot's local API, once: relay, virtual robot, server and documents read this table.

`m` is the whole path on the relay: prefix/name. Robots below protocol 3 use api/, from 3 on api1/; map calls and the
update check use api2/. A later command is one line here, its payload model and its answer model.
"""

from dataclasses import dataclass
from typing import Literal

from lustra.protocol.answers import base as base_out
from lustra.protocol.answers import maps as maps_out
from lustra.protocol.answers import motion as motion_out
from lustra.protocol.answers import parts as parts_out
from lustra.protocol.answers import plans as plans_out
from lustra.protocol.answers import sensors as sensors_out
from lustra.protocol.answers import tablet as tablet_out
from lustra.protocol.answers import tasks as tasks_out
from lustra.protocol.payloads import base, groups, maps, motion, parts, schedules, speech, sync, tablet, tasks

Danger = Literal["none", "moves", "destroys"]

VIEW = "device_control/index"
DRIVE = "device_control/index/drive"
MAPS = "device/maplist"
DELETE_MAPS = "device/maplist/delete"
TASKS = "device/taskList"
PASSWORDS = "device/index/reset_password"

API1_SINCE = 3
MODELS = (base.Payload, base_out.Row)  # bases of what commands take and answer


@dataclass(frozen=True, slots=True)
class Command:
    """One line of the table.

    answer: what it answers, unless it is refused. needs: the permission key that the grant must carry. danger: what it
    can do to the world; anything but "none" wants the control lock, unless `always`: stop, pause, emergency stop and
    cancel need no lock and are never refused for another's. plan: it shows the floor or what is drawn on it, or changes
    that: not for support while the customer keeps it out. form: the body is multipart and may be large. also: a second
    prefix under which it is known. flow: it comes many times a second while somebody drives. reads: it changes nothing;
    all others are recorded in the audit.
    """

    name: str
    payload: type[base.Payload] = base.Empty
    answer: type[base_out.Done] = base_out.Done
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
        Command("check_update", answer=sensors_out.UpdateCheck, prefix="api2", method="GET", reads=True),
        Command("robot_pose", answer=sensors_out.RobotPose, reads=True),
        Command("radar_info", answer=sensors_out.LidarPoints, plan=True, reads=True),
        Command("radar_info_raw", answer=sensors_out.LidarScan, plan=True, reads=True),
        Command("sensor_info_web", answer=sensors_out.Sensors, reads=True),
        Command("hardware_state", answer=sensors_out.PartStates, reads=True),
        Command("account_list", answer=sensors_out.LocalAccounts, since=3, reads=True),
        # Driving and stopping
        Command("robot_safe", motion.Switch, danger="moves", always=True),
        Command("emergency_off", danger="moves", since=3),
        Command("robot_lock", motion.Lock, danger="moves", always=True),
        Command("hand_mode", motion.HandMode, motion_out.ManualMode, needs=DRIVE, danger="moves"),
        Command("cmdvel_ctrl", motion.Velocity, motion_out.Driving, needs=DRIVE, danger="moves", flow=True),
        Command("point_moveto", motion.Pose, motion_out.Drive, needs=DRIVE, danger="moves", also="api2"),
        Command("go_home", danger="moves"),
        Command("cancel_go_home", danger="moves", always=True),
        Command("docker_back", danger="moves"),
        # Where it is
        Command("recover_localization", motion.Window, motion_out.Relocalization, needs=DRIVE, danger="moves"),
        Command("relocation_start", answer=motion_out.Relocalization, needs=DRIVE, danger="moves"),
        Command(
            "relocation_point", motion.PointName, motion_out.Relocalization, needs=DRIVE, danger="moves", prefix="api2"
        ),
        Command("docker_relocation", answer=motion_out.MovedCharger, plan=True, needs=MAPS, danger="destroys"),
        # Its parts and settings
        Command("utils_state", answer=parts_out.UtilityLevels, method="GET", reads=True),
        Command("utils_list", answer=parts_out.Utilities, since=3, reads=True),
        Command("utils_ctrl_default_list", answer=parts_out.UsualLevels, since=3, reads=True),
        Command("utils_ctrl", parts.Utility, danger="moves"),
        Command("disinfect_ctrl", parts.Dose, danger="moves"),
        Command("disinfect_state", answer=parts_out.Disinfection, reads=True),
        Command("robot_params_get", answer=parts_out.Parameters, reads=True),
        Command("robot_params_set", parts.Params, parts_out.ChangedParameters, needs=DRIVE, danger="moves"),
        Command("serial_control", parts.Serial, needs=DRIVE, danger="moves"),
        Command("robot_reboot", motion.Reboot, needs=DRIVE, danger="destroys"),
        Command("reset_ubuntu_pd", needs=PASSWORDS, danger="destroys"),
        Command("bag_record_trigger", parts.Record, parts_out.Recording),
        # Its tablet and its voice
        Command("robot_speak", speech.Speech, tablet_out.SpeechOutcome, needs=DRIVE, since=3),
        Command("tablet_screen", answer=tablet_out.TabletScreen, since=3, reads=True),
        Command("tablet_picture", tablet.TabletPicture, tablet_out.TabletImage, since=3, reads=True),
        # Maps
        Command("map_list", answer=maps_out.Maps, prefix="api2", method="GET", reads=True),
        Command("map_name", answer=maps_out.LoadedMap, prefix="api2", method="GET", reads=True),
        Command("map_info", base.OfMap, maps_out.MapInfo, plan=True, prefix="api2", reads=True),
        Command("map_flag_list", base.OfMap, maps_out.Flags, plan=True, prefix="api2", reads=True),
        Command("map_flag_add", maps.MapFlag, base_out.Changed, plan=True, needs=MAPS, prefix="api2"),
        Command("map_flag_del", maps.MapFlagName, base_out.Changed, plan=True, needs=MAPS, prefix="api2"),
        Command("virlines_info", base.OfMap, maps_out.Shapes, plan=True, prefix="api2", reads=True),
        Command("map/Upload", maps.MapUpload, maps_out.UploadedMap, needs=MAPS, prefix="api2", form=True),
        Command("map_load", maps.MapLoading, maps_out.LoadedMap, needs=MAPS, danger="destroys", prefix="api2"),
        Command("map_del", base.OfMap, needs=DELETE_MAPS, danger="destroys", prefix="api2"),
        Command("draw_new_map", maps.NewMap, maps_out.DrawnMap, plan=True, needs=MAPS, danger="moves", prefix="api2"),
        Command(
            "map_save", maps.SavedMap, maps_out.SavedDrawing, plan=True, needs=MAPS, danger="destroys", prefix="api2"
        ),
        Command(
            "cancel_map_builiding", answer=maps_out.LoadedMap, needs=MAPS, danger="destroys", always=True, prefix="api2"
        ),
        Command("map_clear_noise", base.OfMap, maps_out.Cleared, plan=True, needs=MAPS, danger="destroys", since=3),
        Command("map_image", maps.Picture, maps_out.MapImage, plan=True, prefix="api2", method="GET", reads=True),
        Command("track_image", maps.Track, maps_out.TrackImage, plan=True, prefix="api2", method="GET", reads=True),
        Command("door_access_control_list", base.OfMap, maps_out.Doors, plan=True, since=3, reads=True),
        # Map sync and what the server tells about a map
        Command("map/CloudInfoUpdate", sync.CloudInfo, maps_out.MapNaming, needs=MAPS, prefix="api2"),
        Command("map/map_sync", sync.MapSync, maps_out.MapSending, needs=MAPS, prefix="api2"),
        # Tasks
        Command("task_list", base.OfMap, tasks_out.TaskList, plan=True, reads=True),
        Command("task_info", base.OfMap, tasks_out.TaskInfo, plan=True, reads=True),
        Command("taskinfo_query", tasks.TaskName, tasks_out.TaskQuery, plan=True, reads=True),
        Command("task_all_map", answer=tasks_out.TasksByMap, plan=True, reads=True),
        Command("all_tasksingle_list", answer=tasks_out.AllTasks, plan=True, reads=True),
        Command("cleantask_origin", tasks.TaskName, tasks_out.TaskOrigin, plan=True, reads=True),
        Command("task_add", tasks.Task, tasks_out.SavedTask, needs=TASKS),
        Command("task_rename", tasks.TaskRename, base_out.Changed, needs=TASKS),
        Command("task_del", tasks.TaskName, needs=TASKS),
        Command("task_names_png_upload", tasks.TaskPicture, tasks_out.SavedPicture, plan=True, needs=TASKS),
        Command("dir_path_list", answer=tasks_out.Paths, plan=True, method="GET", reads=True),
        Command("hppath_save", tasks.HpPath, tasks_out.SavedPath, plan=True, needs=TASKS),
        Command("hppath_delete", tasks.HpPathName, plan=True, needs=TASKS),
        Command("clean_area_pre", tasks.Preview, tasks_out.Forecast, plan=True, reads=True),
        Command("task_start", tasks.TaskStart, tasks_out.Started, danger="moves"),
        Command("task_pause", danger="moves", always=True),
        Command("task_resume", danger="moves"),
        Command("task_cancel", danger="moves", always=True),
        Command("task_cancel_one", tasks.TaskName, danger="moves", always=True),
        Command("task_state", answer=tasks_out.TaskState, reads=True),
        # Task groups
        Command("taskgroup_list", answer=plans_out.Groups, reads=True),
        Command("taskgroup_add", groups.TaskGroup, plans_out.SavedGroup, needs=TASKS),
        Command("taskgroup_del", groups.GroupName, needs=TASKS),
        Command("taskgroup_rename", groups.GroupRename, plans_out.SavedGroup, needs=TASKS),
        Command("taskgroup_set_top", groups.GroupName, plans_out.SavedGroup, needs=TASKS),
        # Scheduled tasks: who may edit tasks lets the robot drive later, as the one who starts it does now
        Command("timetask_list", base.OfMap, plans_out.TimeTasks, reads=True),
        Command("timetask_info", schedules.ScheduleName, plans_out.TimeTaskInfo, reads=True),
        Command("timetask_save", schedules.TimeTask, plans_out.SavedSchedule, needs=TASKS),
        Command("timetask_edit", schedules.TimeTask, plans_out.SavedSchedule, needs=TASKS),
        Command("timetask_enable", schedules.ScheduleEnable, plans_out.SavedSchedule, needs=TASKS),
        Command("timetask_rename", schedules.ScheduleRename, plans_out.SavedSchedule, needs=TASKS),
        Command("timetask_delete", schedules.ScheduleName, needs=TASKS),
        Command("timetask_set_top", schedules.ScheduleName, plans_out.SavedSchedule, needs=TASKS),
        Command("timetask_cancel", schedules.ScheduleName, danger="moves", always=True),
        Command("elevator_timetask_list", answer=plans_out.ElevatorTimeTasks, reads=True),
        Command("elevator_timetask_add", schedules.ElevatorTimeTask, plans_out.SavedSchedule, needs=TASKS),
        Command("elevator_timetask_modofied", schedules.ElevatorTimeTask, plans_out.SavedSchedule, needs=TASKS),
        Command("elevator_timetask_rename", schedules.ScheduleRename, plans_out.SavedSchedule, needs=TASKS),
        Command("elevator_timetask_delete", schedules.ScheduleName, needs=TASKS),
        Command("elevator_point_list", base.OfMap, plans_out.CabinPoints, plan=True, reads=True),
    )
}


def route(command: Command, protocol: int) -> str:
    """The whole `m` of a command for a robot of that protocol version."""
    return f"{command.prefix or ('api1' if protocol >= API1_SINCE else 'api')}/{command.name}"


def routes(protocol: int) -> dict[str, Command]:
    """Everything that a robot of that protocol version answers, by its whole `m`."""
    own = {route(c, protocol): c for c in COMMANDS.values() if protocol >= c.since}
    return own | {f"{c.also}/{c.name}": c for c in own.values() if c.also}
