"""The robot's tablet as a page of its local API, /tablet, which asks what it shows and says what was touched.

Rules: what only people beside the robot may do is not offered to the relay, which knows no such command; pausing and
ending always go; what moves the robot does not while somebody has its control from afar.
"""

from collections.abc import Awaitable

from aiohttp import web
from pydantic import ValidationError

from lustra.protocol.payloads.base import Empty
from lustra.protocol.payloads.tasks import TaskStart
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.clock import now_ms
from lustra.robot.local_api.handlers import HANDLERS
from lustra.robot.local_api.map_building import data_url
from lustra.robot.robot import Robot
from lustra.robot.tablet import page, screen
from lustra.robot.tablet.look import kind_of
from lustra.robot.tablet.touch import Touch

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {"content-security-policy": POLICY, "x-content-type-options": "nosniff", "cache-control": "no-store"}
ORDERS = {
    "start": "task_start",
    "pause": "task_pause",
    "resume": "task_resume",
    "end": "task_cancel",
    "charge": "go_home",
}
OF_REMOTE = {"start", "resume", "charge"}  # that whoever has the control decides


def add_routes(app: web.Application, robot: Robot) -> None:
    tablet = TabletPage(robot)
    app.router.add_get("/tablet", tablet.show_page)
    app.router.add_get("/tablet/screen", tablet.show_screen)
    app.router.add_get("/tablet/map", tablet.show_map)
    app.router.add_get("/tablet/picture/{name}", tablet.show_picture)
    app.router.add_get("/tablet/advert/{name}", tablet.show_advert)
    app.router.add_post("/tablet/touch", tablet.touch)
    app.router.add_get("/tablet/{name}", tablet.show_file)


class TabletPage:
    def __init__(self, robot: Robot) -> None:
        self.robot = robot

    async def show_page(self, _: web.Request) -> web.Response:
        return self.answer_file("page.html")

    async def show_file(self, request: web.Request) -> web.Response:
        return self.answer_file(request.match_info["name"])

    def answer_file(self, name: str) -> web.Response:
        if name not in page.KINDS:
            raise web.HTTPNotFound
        return web.Response(body=page.read(name), content_type=page.KINDS[name], charset="utf-8", headers=HEADERS)

    async def show_screen(self, _: web.Request) -> web.Response:
        """With the tasks of the loaded map, which only people here see without a key for plans."""
        floor = self.robot.machine.floor
        tasks = [name for of, name in self.robot.store.tasks if floor and of == floor.name]
        fields = {"tasks": tasks, "map": floor.name if floor else "", "name": self.robot.spec.name}
        return web.json_response(screen.describe(self.robot, now_ms()) | fields, headers=HEADERS)

    async def show_map(self, _: web.Request) -> web.Response:
        """The loaded map, and where on it the robot believes to be: parts of its width and height from above."""
        floor = self.robot.machine.floor
        if floor is None:
            return web.json_response({"url": ""}, headers=HEADERS)
        state = self.robot.machine.state(0)
        (width, height), (column, row) = floor.size, floor.to_vertices([(state.x, state.y)])[0]
        place = {"x": column / width, "y": 1 - row / height, "ratio": width / height}
        return web.json_response({"url": data_url(floor.grid)} | place, headers=HEADERS)

    async def show_picture(self, request: web.Request) -> web.Response:
        data = self.robot.look.picture(request.match_info["name"])
        if not data:
            raise web.HTTPNotFound
        return web.Response(body=data, content_type=kind_of(data), headers=HEADERS)

    async def show_advert(self, request: web.Request) -> web.StreamResponse:
        adverts, name = self.robot.adverts, request.match_info["name"]
        advert = next((each for each in adverts.shown.adverts if each.sha256 == name), None)
        if advert is None:
            raise web.HTTPNotFound
        return web.FileResponse(adverts.file(advert), headers=HEADERS | {"content-type": advert.kind})

    async def touch(self, request: web.Request) -> web.Response:
        try:
            await self.obey(Touch.model_validate_json(await request.read()))
        except ValidationError:
            refusal = RobotRefusal(RelayCode.BAD_INPUT, "input_wrong", "This is no touch")
            return web.json_response(refusal.answer(), headers=HEADERS)
        except RobotRefusal as refusal:
            return web.json_response(refusal.answer(), headers=HEADERS)
        self.robot.woken.set()
        return web.json_response({"code": 0, "msg": ""}, headers=HEADERS)

    async def obey(self, touch: Touch) -> None:
        robot, now = self.robot, now_ms()
        robot.screen.open(touch.page or robot.screen.page, now)
        if touch.language:
            robot.store.facts.language = touch.language
            robot.store.save_facts()
        if not touch.order:
            return
        if touch.order in OF_REMOTE and robot.lock.driver:
            raise RobotRefusal(RelayCode.FENCED, "control_lost", "Somebody has its control from afar")
        robot.journal.screen.write(now, f"touched {touch.order} {touch.task}".rstrip())
        payload = TaskStart(name=touch.task) if touch.order == "start" else Empty()
        outcome = HANDLERS[ORDERS[touch.order]](robot, payload)
        if isinstance(outcome, Awaitable):
            await outcome
