"""Commands about what the robot's tablet shows and says."""

import base64

from lustra.protocol.payloads.base import Empty
from lustra.protocol.payloads.speech import Speech
from lustra.protocol.payloads.tablet import TabletPicture
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.clock import now_ms
from lustra.robot.hours import is_quiet
from lustra.robot.local_api.handlers import Answer, handles
from lustra.robot.robot import Robot
from lustra.robot.store import Spoken
from lustra.robot.tablet import screen
from lustra.robot.tablet.look import kind_of

SILENT = "speech_quiet"


@handles("robot_speak")
def robot_speak(robot: Robot, speech: Speech) -> Answer:
    """Whose voice is switched off shows the text and says nothing."""
    now, floor = now_ms(), robot.machine.floor
    if floor and is_quiet(floor, robot.spec.zone, now):
        raise RobotRefusal(RelayCode.CONFLICT, SILENT, "The robot is silent in the quiet hours of its map")
    volume = speech.volume or robot.machine.utilities.set.get("volume", 0)
    robot.store.facts.spoken = Spoken(at=now, text=speech.text, language=speech.language, volume=volume)
    robot.store.save_facts()
    robot.journal.screen.write(now, f"spoken {speech.language} volume={volume}: {' '.join(speech.text.split())}")
    return {"spoken": volume > 0, "volume": volume}


@handles("tablet_screen")
def tablet_screen(robot: Robot, _: Empty) -> Answer:
    """Pictures are named; tablet_picture tells each."""
    return screen.describe(robot, now_ms())


@handles("tablet_picture")
def tablet_picture(robot: Robot, of: TabletPicture) -> Answer:
    data = robot.look.picture(of.name) or robot.adverts.picture(of.name)
    if not data:
        raise RobotRefusal(RelayCode.UNKNOWN, "tablet_picture_unknown", "The tablet shows no such picture", "name")
    return {"url": f"data:{kind_of(data)};base64,{base64.b64encode(data).decode()}"}
