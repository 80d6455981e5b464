"""The local voice: Debian's espeak-ng, in a process of its own under the limits of a reader (core/files/intake).

Rules: the text goes in by the standard input, never through a shell; nothing in it is a command to the voice: tags are
not read (no `-m`), and brackets that would mean phonemes are parted. What it cannot read is refused, not spelled.
"""

import contextlib
import re
import shutil
import struct
import subprocess
from typing import IO, cast

from lustra.core.errors import Code, Refusal

PROGRAM = "espeak-ng"
VOICES = {
    "zh-CN": "cmn-latn-pinyin",  # the usual `cmn` of 1.51 spells out syllables that it takes for English
    "en": "en-gb",
    "fr": "fr-fr",
    "ko": "ko",
    "de": "de",
    "nl": "nl",
    "ja": "ja",
    "es": "es",
    "ar": "ar",
}
LARGEST = 16 << 20  # bytes of sound: six minutes
KANJI = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
PHONEMES = re.compile(r"(?<=\[)(?=\[)")
# Of a WAV file, which espeak-ng begins before it knows how long it will be.
HEADER = 44
RIFF_SIZE = 4
DATA_SIZE = 40


def installed() -> bool:
    return shutil.which(PROGRAM) is not None


def demand_readable(text: str, language: str) -> None:
    """Its Japanese knows no kanji: it says "Chinese letter" for each."""
    if language == "ja" and KANJI.search(text):
        raise Refusal(Code.BAD_INPUT, "content", reason="speech_kanji")


def read_aloud(files: dict[str, bytes], language: str) -> bytes:
    """The text, in UTF-8, as a WAV file."""
    text = PHONEMES.sub(" ", files["text"].decode())
    words = [PROGRAM, "-v", VOICES[language], "-b", "1", "--stdin", "--stdout"]
    with subprocess.Popen(  # noqa: S603  our own words; the text is no argument
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as voice:
        into, out = cast("IO[bytes]", voice.stdin), cast("IO[bytes]", voice.stdout)
        with contextlib.suppress(BrokenPipeError):  # it has ended before it read; its code says so
            into.write(text.encode())
            into.close()
        sound = out.read(LARGEST + 1)
        if len(sound) > LARGEST:
            voice.kill()
            raise Refusal(Code.BAD_INPUT, "content", reason="speech_long")
    if voice.returncode or len(sound) <= HEADER:
        raise Refusal(Code.BAD_INPUT, "content", reason="speech_silent")
    return _measured(sound)


def _measured(sound: bytes) -> bytes:
    """The WAV file with its true sizes in the head, which espeak leaves open."""
    whole = bytearray(sound)
    struct.pack_into("<I", whole, RIFF_SIZE, len(sound) - 8)
    struct.pack_into("<I", whole, DATA_SIZE, len(sound) - HEADER)
    return bytes(whole)
