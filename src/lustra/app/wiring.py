"""What is connected to what: the calls there are, and who hears which event."""

from collections.abc import Mapping, Sequence
from importlib import import_module

from lustra.app import person as files
from lustra.core import events
from lustra.domains.account.events import (
    BranchMoved,
    FirstPasswordSet,
    OldData,
    PermissionsChanged,
    PersonalDataRequested,
    PersonErased,
    SupportRequested,
)
from lustra.domains.advert import delivery as advert_delivery
from lustra.domains.alarm import privacy as alarm_privacy
from lustra.domains.alarm import service as alarms
from lustra.domains.alarm import snoozes
from lustra.domains.backup import courier as backups
from lustra.domains.backup import owners as backup_owners
from lustra.domains.change.events import ChangesNumbered
from lustra.domains.control import privacy as locks
from lustra.domains.device import in_use
from lustra.domains.device.events import CommonMaps, DeviceDeleted, GroupMembers, OwnerChanged, TypesInUse, WorkReported
from lustra.domains.device_log import owners as logs
from lustra.domains.device_log import upload as log_uploads
from lustra.domains.document import privacy as documents
from lustra.domains.elevator import retention as rides
from lustra.domains.elevator.events import ElevatorsInUse
from lustra.domains.enrolment.events import CommandDone
from lustra.domains.group import service as groups
from lustra.domains.hardware import batches
from lustra.domains.lease import handlers as leases
from lustra.domains.map import handlers as map_answers
from lustra.domains.map import owners as maps
from lustra.domains.map.queries import CURRENT_MAP
from lustra.domains.message import service as messages
from lustra.domains.node.events import NodesInUse
from lustra.domains.ownership import handover
from lustra.domains.proof import letterhead as letterheads
from lustra.domains.repair import privacy as repairs
from lustra.domains.report import handlers as report_answers
from lustra.domains.report import retention as reports
from lustra.domains.rollout import handlers as rollouts
from lustra.domains.spot_check import privacy as spot_checks
from lustra.domains.storage.events import DiskMeasured, RobotFileStored
from lustra.domains.tablet import delivery as tablet_delivery
from lustra.domains.tablet import privacy as tablets
from lustra.domains.task import owners as tasks
from lustra.domains.task.events import OtherRuns, RunsReported
from lustra.domains.telemetry import retention as tracks
from lustra.domains.telemetry import rows as device_rows
from lustra.domains.upkeep import ownership as upkeep
from lustra.domains.upkeep import privacy as upkeep_privacy
from lustra.domains.version import handlers as versions
from lustra.domains.version.api import VersionsInUse
from lustra.domains.video import privacy as video_privacy
from lustra.domains.video import records as videos
from lustra.domains.webhook import deliver as webhooks
from lustra.domains.webhook import privacy as webhook_privacy
from lustra.live.ingest import recordings
from lustra.protocol.message_types import prepare_message_types

CALLS = (  # every module that declares calls or jobs
    "lustra.app.about",
    "lustra.app.world",
    "lustra.domains.account.calls.session",
    "lustra.domains.account.calls.sso",
    "lustra.domains.account.calls.users",
    "lustra.domains.account.calls.roles",
    "lustra.domains.account.calls.log",
    "lustra.domains.account.calls.mail",
    "lustra.domains.account.calls.recovery",
    "lustra.domains.account.calls.avatars",
    "lustra.domains.account.calls.api_keys",
    "lustra.domains.account.calls.old_data",
    "lustra.domains.account.calls.support",
    "lustra.domains.account.calls.retention",
    "lustra.domains.account.calls.privacy",
    "lustra.domains.storage.calls",
    "lustra.domains.document.calls",
    "lustra.domains.device_log.calls.logs",
    "lustra.domains.device_log.calls.recordings",
    "lustra.domains.version.calls.app",
    "lustra.domains.version.calls.cloud",
    "lustra.domains.version.calls.firmware",
    "lustra.domains.version.calls.parameters",
    "lustra.domains.version.calls.soft",
    "lustra.domains.version.calls.whole",
    "lustra.domains.video.calls.streams",
    "lustra.domains.video.calls.clips",
    "lustra.domains.video.calls.rules",
    "lustra.domains.message.calls",
    "lustra.domains.node.calls",
    "lustra.domains.elevator.calls",
    "lustra.domains.device.calls.edit",
    "lustra.domains.device.calls.sites",
    "lustra.domains.device.calls.spreadsheet",
    "lustra.domains.device.calls.types",
    "lustra.domains.telemetry.calls.devices",
    "lustra.domains.telemetry.calls.export",
    "lustra.domains.telemetry.calls.listing",
    "lustra.domains.telemetry.calls.places",
    "lustra.domains.telemetry.calls.refusals",
    "lustra.domains.enrolment.calls.code_lists",
    "lustra.domains.enrolment.calls.enrol",
    "lustra.domains.enrolment.calls.passwords",
    "lustra.domains.control.calls.control",
    "lustra.domains.control.calls.orders",
    "lustra.domains.ownership.calls.binding",
    "lustra.domains.ownership.calls.history",
    "lustra.domains.ownership.calls.owner",
    "lustra.domains.group.calls",
    "lustra.domains.hardware.calls.catalogue",
    "lustra.domains.hardware.calls.fitted",
    "lustra.domains.hardware.calls.batches",
    "lustra.domains.advert.calls.adverts",
    "lustra.domains.advert.calls.robots",
    "lustra.domains.board.calls.overview",
    "lustra.domains.board.calls.big_screen",
    "lustra.domains.speech.calls",
    "lustra.domains.tablet.calls.branding",
    "lustra.domains.tablet.calls.robots",
    "lustra.domains.console.calls",
    "lustra.domains.alarm.calls.alarms",
    "lustra.domains.alarm.calls.duty",
    "lustra.domains.alarm.calls.measures",
    "lustra.domains.alarm.calls.notifications",
    "lustra.domains.alarm.calls.push",
    "lustra.domains.alarm.calls.rules",
    "lustra.domains.alarm.calls.settings",
    "lustra.domains.alarm.calls.snoozes",
    "lustra.domains.alarm.digest",
    "lustra.domains.alarm.heartbeat",
    "lustra.domains.alarm.notify",
    "lustra.domains.alarm.service",
    "lustra.domains.alarm_rule.calls",
    "lustra.domains.report.calls.by_hand",
    "lustra.domains.report.calls.charts",
    "lustra.domains.report.calls.heat",
    "lustra.domains.report.calls.not_cleaned",
    "lustra.domains.report.calls.replay",
    "lustra.domains.report.calls.runs",
    "lustra.domains.report.calls.targets",
    "lustra.domains.task.calls",
    "lustra.domains.map.calls.floors",
    "lustra.domains.map.calls.editing",
    "lustra.domains.map.calls.rooms",
    "lustra.domains.map.calls.syncing",
    "lustra.domains.upkeep.calls",
    "lustra.domains.proof.calls.letterheads",
    "lustra.domains.proof.calls.months",
    "lustra.domains.proof.calls.proofs",
    "lustra.domains.repair.calls",
    "lustra.domains.spot_check.calls",
    "lustra.domains.backup.calls",
    "lustra.domains.rollout.calls.ddi",
    "lustra.domains.rollout.calls.rollouts",
    "lustra.domains.rollout.calls.tokens",
    "lustra.domains.rollout.calls.trust",
    "lustra.domains.lease.calls",
    "lustra.domains.change.calls",
    "lustra.domains.webhook.calls",
)
HANDLERS: Mapping[type, Sequence[events.Handler]] = {  # event: who hears it, in the order of running
    PermissionsChanged: (messages.on_permissions_changed,),
    FirstPasswordSet: (messages.on_first_password_set,),
    BranchMoved: (messages.on_branch_moved,),
    SupportRequested: (messages.on_support_requested,),
    DiskMeasured: (messages.on_disk_measured,),
    RobotFileStored: (log_uploads.on_file_stored, backups.on_file_stored),
    OldData: (
        reports.purge,
        alarms.on_old_data,
        messages.on_old_data,
        tracks.purge,
        tasks.purge,
        rides.purge,
        logs.purge,
        videos.clear_old,
    ),
    PersonalDataRequested: (
        messages.on_personal_data_requested,
        files.export_files,
        upkeep_privacy.on_personal_data_requested,
        documents.on_personal_data_requested,
        tablets.on_personal_data_requested,
        letterheads.on_personal_data_requested,
        spot_checks.on_personal_data_requested,
        webhook_privacy.on_personal_data_requested,
        alarm_privacy.on_personal_data_requested,
        video_privacy.on_personal_data_requested,
    ),
    PersonErased: (
        messages.on_person_erased,
        files.forget_files,
        locks.on_person_erased,
        upkeep_privacy.on_person_erased,
        repairs.on_person_erased,
        leases.on_person_erased,
        documents.on_person_erased,
        tablets.on_person_erased,
        letterheads.on_person_erased,
        spot_checks.on_person_erased,
        webhook_privacy.on_person_erased,
        alarm_privacy.on_person_erased,
    ),
    NodesInUse: (in_use.count_node_users,),
    ElevatorsInUse: (in_use.count_elevator_users,),
    TypesInUse: (batches.types_in_use, versions.on_types_in_use),
    CommonMaps: (map_answers.on_common_maps,),
    GroupMembers: (groups.on_group_members,),
    WorkReported: (report_answers.on_work_reported,),
    RunsReported: (report_answers.on_runs_reported,),
    OtherRuns: (report_answers.on_other_runs,),
    OwnerChanged: (
        leases.refuse_leased,
        maps.owner_changed,
        tasks.owner_changed,
        recordings.owner_changed,
        logs.owner_changed,
        videos.owner_changed,
        groups.on_owner_changed,
        upkeep.on_owner_changed,
        alarms.on_owner_changed,
        snoozes.on_owner_changed,
        backup_owners.owner_changed,
        rollouts.on_robot_gone,
        tablet_delivery.on_owner_changed,
        advert_delivery.on_owner_changed,
    ),
    DeviceDeleted: (leases.refuse_leased, rollouts.on_robot_gone),
    VersionsInUse: (rollouts.on_versions_in_use,),
    CommandDone: (handover.on_command_done,),
    ChangesNumbered: (webhooks.on_changes_numbered,),
}


def wire() -> None:
    for module in CALLS:
        import_module(module)
    prepare_message_types()
    events.wire(HANDLERS)
    device_rows.join_current_map(CURRENT_MAP)
