"""Readers of handed-in files for tests. What forks them (core/files/intake_process) loads for a third of a second of
the processor, more than most tests take: the tests of one process use it one after the other."""

import asyncio
import itertools
import socket
import subprocess
from collections.abc import Collection

from lustra.core.files.intake import Intake

IDLE: dict[tuple[str, ...], tuple[socket.socket, subprocess.Popen[bytes]]] = {}  # by the modules that it has loaded
NUMBERS = itertools.count(1)  # of requests of all tests: what one left behind answers no request of the next


class SharedIntake(Intake):
    def __init__(self, preload: Collection[str] = ()) -> None:
        super().__init__(preload)
        self.numbers = NUMBERS

    def start(self) -> socket.socket:
        if self.link is None and self.preload in IDLE:
            self.link, self.process = IDLE.pop(self.preload)
            asyncio.get_running_loop().add_reader(self.link.fileno(), self._receive_spent)
        return super().start()

    def close(self) -> None:
        if self.link and self.process and self.preload not in IDLE:
            asyncio.get_running_loop().remove_reader(self.link.fileno())
            IDLE[self.preload] = self.link, self.process
            self.link = self.process = None
        super().close()

    def _lost(self) -> None:
        super().close()  # nobody shall use it again
        super()._lost()


def end_idle() -> None:
    for link, process in IDLE.values():
        link.close()
        process.wait()
    IDLE.clear()
