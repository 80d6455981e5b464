"""Texts read as the product speaks: no phrase that was given up, no jargon, and each language's own typography.

PHRASES are what a text of that language must not say: turns of the former, word-by-word English and a second word for a
thing that has one. TYPOGRAPHY is how signs stand in that language (docs/languages.md). The glossary's own words are
compared by check_locales; this check reads whole sentences of both packs, console and server.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from check_locales import HOLE, packs
from house import LANGUAGES, tell

PHRASES: dict[str, tuple[str, ...]] = {
    "en": (
        r"\btake the wheels\b",
        r"\bby hand\b",
        r"\basks? to pause\b",
        r"\blet it wait\b",
        r"\bstands (there|twice|below|before|on the robot)\b",
        r"\bthrow away\b",
        r"\bby voice\b",
        r"\btold\b",
        r"\bmend\b",
        r"\bheard\b",
        r"\blook round\b",
        r"\b(some|any|no)body\b",
        r"\bthere is no such\b",
        r"\bis asked for\b",
        r"\bask(s|ed)? for control\b",
        r"\bpress where\b",
        r"\banew\b",
        r"\bfor ever\b",
        r"\blifts?\b",
        r"\brevision\b",
        r"\blog-in\b",
        r"\bend pause\b",
        r"\b(stop|cancel) task\b",
        r"\b(FRP|rad/s|costmap|map_server)\b",
        r"\ba bag\b",
        r"^Every (state|robot)$",
        r"\bonly written down\b",
        r"\bwho sees\b",
    ),
    "zh-CN": (
        "[您你]",
        "打开控制",
        "支持访问",
        "账户",
        "地图点",
        "设备类型",
        "与定时",
        "归属",
        "寿命小时",
        "声呐",
        "条带",
        "代价地图",
        "国家(?!/地区|或地区)",
        "建筑",
        "清除此人",
        "清开",
        "看清",
        "实时楼层",
        "会先请求",
        "等电梯位置",
        "自由区域",
        "(没有|无)应答",
        "上部激光",
        "^(谁|能力)$",
    ),
    "de": (
        r"\bKontrolle\b",
        r"\bverlässt alle\b",
        r"\bwird nichts behalten\b",
        r"^Braucht Sie",
        r"\bin die Karte holen\b",
        r"\bsteht doppelt\b",
        r"\bEigentümer",
        r"\bvon Hand\b",
        r"\bRevision\b",
        r"\bKostenkarte\b",
    ),
    "fr": (
        r"\bIls donnent\b",
        r"^Des deux côtés",
        r"\bà la main\b",
        r"\brévision\b",
        r"\bclés? d’API\b",
        r"\bfantômes?\b",
    ),
    "es": (r"^Por lo demás$", r"\ba mano\b", r"\brevisión\b", r"\bclaves? de API\b", r"(?<!ROS )\bbag\b"),
    "nl": (r"\bmet de hand\b", r"(?i)rolgroep", r"\binlognaam\b", r"(?i)schoonm?ge?maak", r"\brevisie\b"),
    "ja": (
        "この人を消去",
        "今後このロボット",
        "ログイン名",
        "ライダー",
        "再測位",
        "カンマ",
        "リビジョン",
        "充電ドック",
        "ソナー",
    ),
    "ko": (
        "일시 정지",
        "(전방|후방|좌측|우측|좌|우) 소나",
        "맑은 물",
        "충전 (독|도크)",
        "개정",
        "로그인 이름",
        "그림자",
        "상부 라이다",
        "끄세요",
        "실시간 층",
    ),
    "ar": ("الوكلاء", "المراجعة", "السونار"),
}

JAPANESE = r"[\u3005-\u30ff\u3400-\u9fff]"
CHINESE = r"[\u3400-\u9fff]"
ARABIC = r"[\u0621-\u064a]"
NARROW = "\u202f"
NO_BREAK = "\u00a0"
TYPOGRAPHY: dict[str, tuple[tuple[str, str], ...]] = {
    "zh-CN": (
        (rf"{CHINESE}[,:;?!]", "a half-width sign after a Chinese letter"),
        (r" [，。：；？！（）、]|[，。：；？！（）、] ", "a space beside a full-width sign"),
        (rf"{CHINESE}[A-Za-z0-9]|[A-Za-z0-9]{CHINESE}", "no space between Chinese and Latin"),
    ),
    "ja": (
        (rf"{JAPANESE}[:?!]", "a half-width sign after a Japanese letter"),
        (rf"{JAPANESE} [A-Za-z0-9]|[A-Za-z0-9] {JAPANESE}", "a space between Japanese and Latin"),
    ),
    "ko": ((r"\d[MG]B", "no space before the unit"), (r"\x00님", "no space before 님")),
    "fr": (
        (rf"(?<!{NARROW})[;!?](?=\s|$)", "no narrow space before ; ! ?"),
        (rf"(?<=\w)(?<!{NO_BREAK}):(?=\s|$)| :(?=\s|$)", "no no-break space before a colon"),
        (rf"«(?!{NO_BREAK})|(?<!{NO_BREAK})»", "no no-break space within the quotes"),
    ),
    "de": (("”|(?<!\\S)“", "quotes other than „ “"),),
    "nl": (("[“”„]", "quotes other than ‘ ’"),),
    "es": (("[“”„]", "quotes other than « »"), (r"^[^¿]*\?|^[^¡]*!", "a question or a call without its opening sign")),
    "ar": (
        ("[\u064b-\u0652\u0670\u0640]", "vowel marks or a drawn-out letter"),
        (rf"{ARABIC}[,;?]", "a Latin sign after an Arabic letter"),
        ("[“”„]", "quotes other than « »"),
    ),
}


def faults(language: str, text: str) -> Iterator[str]:
    """What is wrong with one text; its places to fill in count as one sign."""
    bare = HOLE.sub("\x00", text)
    for phrase in PHRASES.get(language, ()):
        if match := re.search(phrase if phrase.startswith("(?i)") else f"(?i){phrase}", bare):
            yield f"says {match[0]!r}, which was given up"
    yield from (f"has {why}" for sign, why in TYPOGRAPHY.get(language, ()) if re.search(sign, bare))
    if "  " in text or re.search(r"(?<=\w)'(?=\w)", text):
        yield "has two spaces or a straight apostrophe"


def problems(root: Path) -> list[str]:
    return [
        f"{language} {place}: {key} {fault}: {text}"
        for language in LANGUAGES
        for place, pack in packs(root, language).items()
        for key, text in pack.items()
        for fault in faults(language, text)
    ]


if __name__ == "__main__":
    tell(problems)
