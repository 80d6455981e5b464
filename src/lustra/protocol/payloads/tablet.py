"""Payloads about what the robot's tablet shows."""

from typing import Annotated

from pydantic import StringConstraints

from lustra.protocol.doc import doc
from lustra.protocol.payloads.base import Payload


class TabletPicture(Payload):
    """tablet_picture {name}: a picture of the tablet's look, or of an advert, by the name in tablet_screen."""

    name: Annotated[
        str, StringConstraints(pattern=r"^[0-9a-f]{64}$"), doc("Name of the picture: SHA-256 of its bytes, 64 letters.")
    ]
