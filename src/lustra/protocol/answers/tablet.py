"""Answers about what the robot's tablet shows and says."""

from typing import Annotated

from lustra.protocol.answers.base import Done
from lustra.protocol.doc import doc


class SpeechOutcome(Done):
    spoken: Annotated[bool, doc("It says the text; false: its voice is off, so it only shows it.")]
    volume: Annotated[int, doc("How loud it says it, 0 to 10.")]
