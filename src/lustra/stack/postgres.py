"""PostgreSQL 18 of the wheel as our child: its cluster, its command, and whether it answers."""

import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg

from lustra.stack.liveness import NotYet
from lustra.stack.place import LOOPBACK, private_folder
from lustra.stack.supervise import Service


@dataclass(frozen=True)
class Postgres:
    programs: Path
    folder: Path
    port: int
    password: str
    uid: int
    as_user: dict[str, Any]
    wal_mb: int = 1024

    @property
    def dsn(self) -> str:
        """The address of the database for its superuser."""
        return self.url("lustra", self.password)

    def url(self, role: str, password: str) -> str:
        return f"postgresql://{role}:{password}@{LOOPBACK}:{self.port}/postgres"

    def prepare(self) -> bool:
        """Whether a cluster was made. It is made beside its place and moved: a killed initdb leaves nothing half made.

        Locale C.UTF-8 of libc: with locale C or the built-in provider pg_trgm finds nothing in Chinese or Arabic.
        """
        if (self.folder / "pg").exists():
            return False
        new = self.folder / "pg.new"
        shutil.rmtree(new, ignore_errors=True)
        private_folder(new, self.uid)
        read, write = os.pipe()  # the password touches neither the disk nor the command line
        os.write(write, self.password.encode())
        os.close(write)
        os.fchown(read, self.uid, -1)  # initdb opens it by name, as the unprivileged user
        command = [self.programs / "initdb", "-D", new, "-U", "lustra", "-E", "UTF8", "--locale=C.UTF-8"]
        command += ["-A", "scram-sha-256", f"--pwfile=/dev/fd/{read}", "--no-instructions"]
        done = subprocess.run(  # noqa: S603  our own binary
            command, check=False, cwd="/", pass_fds=[read], capture_output=True, text=True, **self.as_user
        )
        os.close(read)
        if done.returncode:
            raise SystemExit(f"PostgreSQL's cluster cannot be made in {new}:\n{done.stderr}")
        new.rename(self.folder / "pg")
        return True

    def service(self) -> Service:
        """No socket file: paths over 107 characters are refused. `random_page_cost`: of no turning disk. Its log
        quotes no values: no erasure of a person reaches it."""
        options = ["shared_preload_libraries=pg_stat_statements", "max_connections=200", "jit=off"]
        options += ["random_page_cost=1.1", f"max_wal_size={self.wal_mb}MB", "log_error_verbosity=terse"]
        command: list[str | Path] = [self.programs / "postgres", "-D", self.folder / "pg", "-p", str(self.port)]
        command += ["-h", LOOPBACK, "-k", "", *(word for option in options for word in ("-c", option))]
        return Service("postgres", command, self.check_ready, as_user=self.as_user, end=signal.SIGINT)

    async def check_ready(self) -> None:
        try:
            await (await asyncpg.connect(self.dsn, timeout=5)).close()
        except TimeoutError:
            raise  # no answer at all
        except (OSError, asyncpg.PostgresError) as why:
            raise NotYet from why
