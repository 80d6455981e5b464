"""A month is all its runs and their exact sums, sealed under the customer's letterhead, and mailed when it is over."""

import base64
import dataclasses
import io
import re
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from email.message import EmailMessage
from typing import Any

import pytest
from PIL import Image

from lustra.app.commands import verify as command
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.domains.proof import keys, letterhead, month_document, month_mails, months, verify
from lustra.domains.proof.tables import ProofKey
from lustra.domains.report import keep as reports
from tests.proof.test_mails import DUE, all_mails, drain
from tests.proof.test_proof import LANGUAGES
from tests.world import World, report

TINY = 0.1  # whose sums as floats are wrong
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
LOGO = "/taskReport/uploadLogo"
LETTERHEAD = "/taskReport/updateLetterhead"


def ms(*at: int) -> int:
    return round(datetime(*at, tzinfo=timezone.utc).timestamp() * 1000)  # type: ignore[misc]  # year, month …


async def keep_runs(world: World, *runs: tuple[str, int, float], end: str = "finished") -> None:
    async with world.as_ingest() as db:
        sent = [
            (sn, report(id=f"{sn}{begin}", started=begin, ended=begin + 600_000, cleaned=area, planned=area, end=end))
            for sn, begin, area in runs
        ]
        await reports.keep(db, sent)


@pytest.fixture
async def october(world: World) -> World:
    """SC0001 is in London, where November begins with the clocks of UTC, and October an hour before it."""
    first = [("SC0001", ms(2025, 9, 30, 23, 30), TINY), ("SC0001", ms(2025, 10, 31, 23, 30), TINY)]
    await keep_runs(world, *first, ("SC0003", ms(2025, 10, 15), TINY), ("SC0010", ms(2025, 10, 15), 5.0))
    await keep_runs(world, ("SC0001", ms(2025, 9, 30, 22, 30), 7.0), ("SC0001", ms(2025, 11, 1, 0, 30), 7.0))
    return world


async def write(world: World, account: str = "user", month: str = "2025-10", **payload: Any) -> bytes:
    answer = await world.post(account, "/taskReport/month", month=month, **payload)
    assert answer.headers["content-type"].startswith("application/"), answer.text
    return answer.content


def png(size: tuple[int, int], colour: Any = (200, 0, 0, 255)) -> bytes:
    out = io.BytesIO()
    Image.new("RGBA", size, colour).save(out, "PNG")
    return out.getvalue()


async def upload(world: World, data: bytes, account: str = "user") -> tuple[int, Any]:
    headers = {"token": await world.token(account)}
    answer = await world.http.post(f"/api{LOGO}", files=[("file", ("a.png", data))], headers=headers)
    return answer.json()["message"]["code"], answer.json()["data"]


async def test_a_month_has_the_runs_of_its_days_at_the_site_and_their_exact_sums(october: World):
    record, _ = verify.read(await write(october, form="json"))
    runs = month_document.list_runs(record)
    assert sorted((run["deviceSerialNumber"], run["day"]) for run in runs) == [
        ("SC0001", "2025-10-01"),
        ("SC0001", "2025-10-31"),
        ("SC0003", "2025-10-15"),
    ]
    listed = await october.call("user", "/taskReport/list", startDate="2025-10-01", endDate="2025-10-31")
    sums = record["sums"]
    assert (sums["cleanedArea"], sums["runs"], sums["robots"]) == (0.3, 3, 2)  # and no 0.30000000000000004
    assert [listed["sums"][name] for name in ("cleanedArea", "plannedArea", "seconds")] == [
        sums[name] for name in ("cleanedArea", "plannedArea", "seconds")
    ]
    assert command.describe(record).endswith("2025-10: 3 runs, 0.3 m²\n")
    assert sum(Decimal(str(run["cleanedArea"])) for run in runs) == Decimal(str(sums["cleanedArea"]))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_seal_and_verify_the_pdf_of_a_month_in_each_language(october: World, language: str):
    await october.pool.execute("update account set language = $1 where account = 'user'", language)
    content = base64.b64encode(await write(october)).decode()
    answer = await october.call("user", "/taskReport/verifyProof", content=content)
    assert (answer["intact"], answer["known"], answer["month"], answer["cleanedArea"]) == (True, True, "2025-10", 0.3)
    assert answer["customerName"]


async def test_a_run_that_goes_on_is_not_in_it_and_a_month_without_one_is_written(october: World):
    await october.pool.execute("update task_report set \"end\" = 'running'")
    record, _ = verify.read(await write(october))
    assert (record["runs"], record["sums"]["cleanedArea"]) == ([], 0.0)


async def test_show_goals_and_savings_by_the_customers_figures(october: World):
    nothing, _ = verify.read(await write(october, form="json"))
    assert set(nothing["target"]["figures"].values()) == {None}
    await october.pool.execute("update device set created_at = '2025-10-30 12:00Z'")
    figures = {"targetArea": 0.1, "manualRate": 10, "manualWater": 2, "careMinutes": None}
    await october.call("user", "/taskReport/updateTarget", **figures)
    record, _ = verify.read(await write(october, form="json"))
    chart = await october.call("user", "/taskReport/chartTarget", startDate="2025-10-01", endDate="2025-10-31")
    assert record["target"] == {"figures": figures, **chart["total"]}
    assert (chart["total"]["savedTime"], chart["total"]["targetShare"]) == (108, 60)  # 0.3 of 5 m²
    assert chart["total"]["robotDays"] == 31 + 17 + 2  # SC0001 and SC0003 ran before they were registered
    lines = dict(month_document.describe(sealed(record), month_document.list_runs(record), "en")["figures"])
    assert lines["Target reached"] == "6.0 % of 5.0 m²"
    assert lines["Extra water used"] == "2.1 l"  # 0.6 l by hand, and 2.7 l used


def sealed(record: dict[str, Any]) -> months.SealedMonth:
    key = ProofKey(certificate=keys.create_key()[0], sealed=None)
    return months.SealedMonth(1, "", record, key, "")


@pytest.mark.parametrize("month", ["2025-13", "October", "2199-01"])
async def test_refuse_an_invalid_month_and_one_that_has_not_begun(world: World, month: str):
    answer = (await world.post("user", "/taskReport/month", month=month)).json()
    assert answer["message"]["code"] == Code.BAD_INPUT
    assert "month" in str(answer)


async def test_more_runs_than_a_document_holds_are_refused_with_their_count(
    october: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(months, "MOST_RUNS", 2)
    answer = (await october.post("user", "/taskReport/month", month="2025-10")).json()
    assert answer["message"]["code"] == Code.BAD_INPUT
    assert "3 runs; one document holds at most 2" in str(answer)


async def test_a_dealer_writes_a_customers_month_and_a_foreign_tenant_none(october: World):
    user = october.accounts["user"]
    assert verify.read(await write(october, "dealer", userId=user, form="json"))[0]["sums"]["runs"] == 3
    assert (await october.raw("rival", "/taskReport/month", month="2025-10", userId=user))[0] == Code.NOT_FOUND
    assert verify.read(await write(october, "rivaluser", form="json"))[0]["sums"]["runs"] == 1


async def test_a_logo_is_drawn_anew_on_white_and_small(world: World):
    code, data = await upload(world, png((4000, 500), (0, 0, 0, 0)))
    assert code == 0
    shown = await world.http.get(data["url"])
    picture = Image.open(io.BytesIO(shown.content))
    assert (shown.headers["content-type"], picture.size, picture.mode) == ("image/png", (960, 120), "RGB")
    assert picture.getpixel((5, 5)) == (255, 255, 255)


@pytest.mark.parametrize("data", [SVG, b"%PDF-1.7", b""])
async def test_a_logo_that_is_a_script_or_no_picture_is_refused(world: World, data: bytes):
    assert (await upload(world, data))[0] == Code.BAD_INPUT


@pytest.mark.parametrize("colour", ["#ffff00", "#9a9a9a", "red", "#12345"])
async def test_a_colour_that_cannot_be_read_on_paper_is_refused(world: World, colour: str):
    assert (await world.raw("user", LETTERHEAD, colour=colour))[0] == Code.BAD_INPUT


async def test_refuse_a_logo_that_is_not_stored(world: World):
    for logo in ("https://example.org/a.png", f"{letterhead.ADDRESS}{'0' * 32}"):
        assert (await world.raw("user", LETTERHEAD, logo=logo))[0] != 0


async def look_of(world: World, account: str) -> letterhead.Look:
    async with world.services.sessions.begin() as db:
        ctx: Any = type("Ctx", (), {"db": db, "app": world.services})
        return await letterhead.load_look(ctx, world.accounts[account])


async def test_documents_look_as_their_owner_says_else_as_who_stands_next_above(world: World):
    assert await look_of(world, "user") == letterhead.Look(letterhead.ACCENT, b"")
    await world.call("dealer", LETTERHEAD, colour="#1d3f94")
    assert [(await look_of(world, account)).colour for account in ("user", "sub", "rivaluser")] == [
        "#1d3f94",
        "#1d3f94",
        letterhead.ACCENT,
    ]
    _, data = await upload(world, png((90, 30)))
    await world.call("user", LETTERHEAD, logo=data["url"], monthly=True)
    look = await look_of(world, "sub")
    assert (look.colour, look.logo[:4]) == (letterhead.ACCENT, b"\x89PNG")
    await letterhead.purge(world.services)
    assert (await look_of(world, "user")).logo == look.logo


async def test_logos_that_nobody_has_go_after_a_day(world: World, monkeypatch: pytest.MonkeyPatch):
    _, used = await upload(world, png((40, 20)))
    _, left = await upload(world, png((20, 40)))
    await world.call("user", LETTERHEAD, logo=used["url"])
    await world.call("user", LETTERHEAD, logo=used["url"], monthly=True)  # the month before now was nobody's wish
    monkeypatch.setattr(letterhead, "now", lambda: now() + 2 * letterhead.UNUSED)
    await letterhead.purge(world.services)
    monkeypatch.undo()
    assert (await look_of(world, "user")).logo
    assert (await world.raw("user", LETTERHEAD, logo=left["url"]))[0] == Code.NOT_FOUND


async def test_two_people_who_change_it_at_once_lose_nothing(world: World):
    await world.call("user", LETTERHEAD, colour="#1d3f94")
    seen = (await world.call("user", "/taskReport/letterhead"))["letterhead"]["updateTime"]
    await world.call("user", LETTERHEAD, colour="#222222", updateTime=seen)
    assert (await world.raw("user", LETTERHEAD, colour="#333333", updateTime=seen))[0] == Code.CONFLICT
    assert (await world.call("user", "/taskReport/letterhead"))["letterhead"]["colour"] == "#222222"
    assert (await world.call("rivaluser", "/taskReport/letterhead"))["letterhead"] is None


async def test_a_pdf_has_the_logo(october: World):
    plain = await write(october)
    _, data = await upload(october, png((90, 30)))
    await october.call("user", LETTERHEAD, logo=data["url"], colour="#1d3f94")
    pictures = [len(re.findall(rb"/Subtype */Image", content)) for content in (plain, await write(october))]
    assert pictures[1] == pictures[0] + 1


LAST = datetime.now(timezone.utc).replace(day=1) - timedelta(days=1)


async def test_the_month_goes_once_to_each_mailbox_of_who_asked_for_it(world: World):
    await keep_runs(world, ("SC0001", round(LAST.timestamp() * 1000), 3.0))
    await world.pool.execute("update account set email = 'a@b.com,c@d.org' where account in ('user', 'rivaluser')")
    await world.call("user", LETTERHEAD, monthly=True)
    await world.call("rivaluser", LETTERHEAD, monthly=True)  # has no run
    await month_mails.enter_mails(world.services)
    await drain(world)
    assert all_mails(world) == []  # the month before the wish is not sent
    await world.pool.execute("update letterhead set mailed_month = '2000-01'")
    for _ in range(2):
        await month_mails.enter_mails(world.services)
        await drain(world)
    sent = all_mails(world)
    assert sorted(mail["To"] for mail in sent) == ["a@b.com", "c@d.org"]
    assert f"{LAST:%Y-%m}" in sent[0]["Subject"]
    [attached] = sent[0].iter_attachments()
    content: Any = attached.get_payload(decode=True)
    assert verify.read(content)[0]["sums"]["cleanedArea"] == 3.0


async def test_mail_a_month_to_whoever_may_see_it_also_without_a_pdf(world: World, monkeypatch: pytest.MonkeyPatch):
    await keep_runs(world, ("SC0001", round(LAST.timestamp() * 1000), 3.0))
    user = world.accounts["user"]

    async def send() -> list[EmailMessage]:
        await month_mails.send_month(world.services, month=f"{LAST:%Y-%m}", account=user, mailbox="a@b.com")
        return all_mails(world)

    async def refuse(*_: object) -> bytes:
        raise Refusal(code, "form", reason="documents_missing" if code is Code.BAD_INPUT else "")

    monkeypatch.setattr(month_document, "write", refuse)
    code = Code.BAD_INPUT
    [mail] = await send()
    assert list(mail.iter_attachments()) == []
    code = Code.SUPPORT_CLOSED
    with pytest.raises(Refusal):
        await send()
    await world.pool.execute("update account set deleted_at = now() where id = $1", user)
    assert len(await send()) == 1
    services = world.services
    services.settings = dataclasses.replace(services.settings, demo=False, smtp_url="")
    await month_mails.enter_mails(services)
    assert not await world.pool.fetchval(DUE)


def test_runs_stand_on_paper_while_they_fit_and_else_in_the_record_alone():
    key = ProofKey(certificate=keys.create_key()[0], sealed=None)
    run = dict.fromkeys(months.COLUMNS, "") | {
        "startTime": "2025-10-01T10:00:00+01:00",
        "day": "2025-10-01",
        "seconds": 1.0,
        "cleanedArea": 1.0,
        "plannedArea": 1.0,
        "coverage": 1000,
        "warnCount": 0,
        "liquidMl": None,
        "end": "finished",
    }
    target = dict.fromkeys(("targetArea", "targetShare", "savedTime", "savedWaterMl"))
    for count, tables in ((month_document.MOST_ON_PAPER, 2), (month_document.MOST_ON_PAPER + 1, 1)):
        runs = [run] * count
        sums = months.sum_runs(runs)
        values = {"month": "2025-10", "customer": "a", "sealed": "", "sums": sums, "target": target, "checks": []}
        sealed = months.SealedMonth(1, "", values, key, "")
        assert len(month_document.describe(sealed, runs, "en")["tables"]) == tables
