"""Readers that do what a hostile file might make one do. They run in processes of their own."""

import os
import signal
from pathlib import Path

import yaml

from lustra.core.errors import Code, Refusal


def count_bytes(files: dict[str, bytes], factor: int) -> dict[str, int]:
    return {name: len(content) * factor for name, content in files.items()}


def refuse(files: dict[str, bytes]) -> None:
    raise Refusal(Code.MAP_REFUSED, "image", reason="map_image_missing", image="a.pgm")


def nest(files: dict[str, bytes]) -> None:
    """libyaml builds what is nested by calling itself: the kernel ends the process with SIGSEGV."""
    yaml.load("[" * 50_000, yaml.CSafeLoader)


def spin(files: dict[str, bytes]) -> None:
    while True:
        pass


def swallow(files: dict[str, bytes]) -> int:
    return len(bytes(600 << 20))


def stumble(files: dict[str, bytes]) -> int:
    return 1 // len(files)


def list_settings(files: dict[str, bytes]) -> list[str]:
    return [name for name in os.environ if name.startswith("LUSTRA_")]


def list_descriptors(files: dict[str, bytes]) -> list[str]:
    """What is open beside the standard ones."""
    return [str(fd.readlink()) for fd in Path("/proc/self/fd").iterdir() if int(fd.name) > 2 and fd.is_symlink()]


def kill_parent(files: dict[str, bytes]) -> None:
    os.kill(os.getppid(), signal.SIGKILL)
    signal.pause()
