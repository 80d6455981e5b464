"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.device_log.addresses import PATH as RECORDING_PATH
from lustra.domains.device_log.following import record_following
from lustra.domains.device_log.mirror import keep_files, keep_upload
from lustra.domains.device_log.owners import OF_EVENT
from lustra.domains.device_log.rules import PAGE, refuse_start
from lustra.domains.device_log.service import load_todays
from lustra.domains.device_log.upload import ANSWERS_IN_S, EVERY, demand_connection, find_robot

__all__ = [
    "ANSWERS_IN_S",
    "EVERY",
    "OF_EVENT",
    "PAGE",
    "RECORDING_PATH",
    "demand_connection",
    "find_robot",
    "keep_files",
    "keep_upload",
    "load_todays",
    "record_following",
    "refuse_start",
]
