"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.enrolment.enrol import server_addresses
from lustra.domains.enrolment.events import CommandDone
from lustra.domains.enrolment.pending_commands import queue as queue_command
from lustra.domains.enrolment.pending_commands import refuse_while_erasing
from lustra.domains.enrolment.vault import renew as renew_password

__all__ = [
    "CommandDone",
    "queue_command",
    "refuse_while_erasing",
    "renew_password",
    "server_addresses",
]
