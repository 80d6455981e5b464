"""Text to speech: a form that carries its token, read by the local voice or by a vendor's; what no voice can read is
refused."""

import io
import json
import wave
from typing import Any

import pytest
from aiohttp import web

from lustra.core import texts
from lustra.core.errors import Code, Refusal
from lustra.core.gateways import Unfit
from lustra.core.settings import Settings
from lustra.domains.speech import espeak, gateway, service
from tests.webhook.conftest import Receiver, receiver
from tests.world import World

__all__ = ["receiver"]
PATH = "/api/tencent/ttsUrl"
SECRET = "whsec_" + "QUJD" * 8
TEXTS = {
    "zh-CN": "您好，请稍候。",
    "en": "Please wait.",
    "fr": "Veuillez patienter.",
    "ko": "잠시만 기다려 주세요.",
    "de": "Bitte warten.",
    "nl": "Even geduld.",
    "ja": "おまちください。",
    "es": "Espere, por favor.",
    "ar": "انتظر من فضلك",
}
needs_voice = pytest.mark.skipif(not espeak.installed(), reason="espeak-ng is not installed")


async def ask(world: World, account: str = "user", **fields: str) -> Any:
    form = {"content": "Please wait.", "language": "en", "token": await world.token(account)} | fields
    return await world.http.post(PATH, data=form)


async def refusal(world: World, **fields: str) -> tuple[int, str]:
    answer = (await ask(world, **fields)).json()
    return answer["message"]["code"], (answer["data"] or {}).get("field", "")


def seconds(sound: bytes) -> float:
    with wave.open(io.BytesIO(sound)) as file:
        return file.getnframes() / file.getframerate()


@needs_voice
@pytest.mark.spec("call.tencent.ttsUrl", "q.tts_path", "i18n.tts_language")
@pytest.mark.parametrize("language", texts.LANGUAGES)
async def test_a_form_with_its_token_is_answered_with_sound_in_each_language(world: World, language: str):
    answer = await ask(world, language=language, content=TEXTS[language])
    assert answer.headers["content-type"] == "audio/wav"
    assert 0.5 < seconds(answer.content) < 5


@needs_voice
async def test_a_token_in_a_header_counts_as_well_and_chinese_has_its_short_name(world: World):
    answer = await world.post("user", "/tencent/ttsUrl", content="你好", language="zh")
    assert answer.headers["content-type"] == "audio/wav"


async def test_without_a_session_nothing_is_read_aloud(world: World):
    for token in ("", "0" * 43):
        assert await refusal(world, token=token) == (Code.SESSION_INVALID, "")
    token = await world.token("user")
    answer = await world.http.post(PATH, params={"token": token}, data={"content": "Hi", "language": "en"})
    assert answer.json()["message"]["code"] == Code.SESSION_INVALID
    await world.call("user", "/logout")
    assert (await refusal(world))[0] == Code.SESSION_INVALID


async def test_a_form_that_nobody_knows_yet_is_small(world: World):
    answer = await ask(world, content="a" * (17 << 10))
    assert (answer.status_code, answer.json()["message"]["code"]) == (413, Code.BODY_TOO_LARGE)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"content": ""}, "content"),
        ({"content": "  \n "}, "content"),
        ({"content": "a" * 501}, "content"),
        ({"content": "a" * 10_000}, "content"),
        ({"content": "stop\x01here"}, "content"),
        ({"content": "\x1b[31m"}, "content"),
        ({"language": "ru"}, "language"),
        ({"language": ""}, "language"),
        ({"language": "en; rm -rf /"}, "language"),
    ],
)
async def test_refuse_a_text_of_another_language_at_its_field(world: World, fields: dict[str, str], field: str):
    assert await refusal(world, **fields) == (Code.BAD_INPUT, field)


@needs_voice
async def test_markup_is_no_command_to_the_voice(world: World):
    answer = await ask(world, content='<break time="60s"/> Hi')
    assert seconds(answer.content) < 10
    parted = espeak.read_aloud({"text": b"[ [h@l'oU]]"}, "en")
    assert espeak.read_aloud({"text": b"[[h@l'oU]]"}, "en") == parted


@needs_voice
async def test_kanji_are_refused_by_the_voice_that_cannot_read_them(world: World):
    assert await refusal(world, language="ja", content="清掃中です") == (Code.BAD_INPUT, "content")


@needs_voice
async def test_refuse_speech_that_takes_too_long_or_fails(monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patch:
        patch.setattr(espeak, "LARGEST", 1000)
        with pytest.raises(Refusal, match="speech_long"):
            espeak.read_aloud({"text": b"Please wait."}, "en")
    monkeypatch.setattr(espeak, "PROGRAM", "false")
    with pytest.raises(Refusal, match="speech_silent"):
        espeak.read_aloud({"text": b"Please wait."}, "en")


async def test_refuse_speech_where_no_voice_is_installed(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(espeak, "PROGRAM", "no-such-program")
    assert await refusal(world) == (Code.SPEECH_OFF, "")


@needs_voice
async def test_a_person_has_so_many_texts_a_minute(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(service.LIMIT, "most", 1)
    assert (await ask(world)).headers["content-type"] == "audio/wav"
    assert (await refusal(world))[0] == Code.TOO_MANY_TRIES
    assert (await ask(world, "sub")).headers["content-type"] == "audio/wav"


@needs_voice
async def test_record_who_had_a_text_read_aloud_without_the_token(world: World):
    await ask(world, content="Please leave the hall.")
    row = await world.pool.fetchrow("select account_id, detail from audit where action = 'speech.listen'")
    assert row["account_id"] == world.accounts["user"]
    assert row["detail"] == {"content": "Please leave the hall.", "language": "en"}


def use_gateway(world: World, receiver: Receiver) -> None:
    settings = {
        "speech_gateway": receiver.url,
        "speech_gateway_secret": SECRET,
        "webhook_networks": "127.0.0.0/8",
    }
    for name, value in settings.items():
        object.__setattr__(world.services.settings, name, value)


async def test_a_vendors_voice_is_asked_signed_and_its_sound_passed_on(world: World, receiver: Receiver):
    async def sing(_: web.Request) -> web.Response:
        return web.Response(body=b"ID3sound", content_type="audio/mpeg")

    use_gateway(world, receiver)
    receiver.answer = sing
    answer = await ask(world, language="ja", content="清掃中です")
    assert (answer.headers["content-type"], answer.content) == ("audio/mpeg", b"ID3sound")
    [(headers, body)] = receiver.requests
    assert headers["webhook-signature"].startswith("v1,")
    sent = json.loads(body)
    assert (sent["language"], sent["text"], headers["webhook-id"]) == ("ja", "清掃中です", sent["id"])


@pytest.mark.parametrize(
    "answer",
    [
        web.Response(status=500),
        web.Response(text="no sound"),
        web.Response(body=b"", content_type="audio/mpeg"),
    ],
    ids=["refused", "text", "empty"],
)
async def test_a_vendor_that_gives_no_sound_has_failed(world: World, receiver: Receiver, answer: web.Response):
    async def give(_: web.Request) -> web.Response:
        return answer

    use_gateway(world, receiver)
    receiver.answer = give
    assert await refusal(world) == (Code.SPEECH_FAILED, "")


@pytest.mark.parametrize(("url", "secret"), [("ftp://voice", SECRET), ("https://voice.example", "secret")])
def test_a_gateway_that_cannot_work_refuses_the_start(url: str, secret: str):
    with pytest.raises(Unfit):
        gateway.demand_settings(Settings(speech_gateway=url, speech_gateway_secret=secret))


def test_without_a_gateway_nothing_is_demanded():
    gateway.demand_settings(Settings())
    gateway.demand_settings(Settings(speech_gateway="https://voice.example", speech_gateway_secret=SECRET))
