"""docs/spec holds ids and our own wording, never the specification's text.

    make_spec.py INVENTORY

reads the inventory of the specification (a folder of yaml files, kept outside this project) and writes one file per
kind. Sources, values copied word for word and notes that quote are dropped; what a message or a constant is called
comes from its id or from our glossary. Nothing else in the project needs the inventory.
"""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml
from house import GLOSSARY, ROOT, SPEC

Row = dict[str, Any]
Entry = dict[str, Any]
BANNER_IDS = {"banner.serial_connection_error": "banner-serial-error"}
# Where the inventory still speaks in the specification's words, these are ours.
WORDED = {
    "rule.port.range": "ports lie between 20000 and 30000, both allowed",
    "rule.port.first": "what hangs on the port can be set only after it",
    "rule.file.overwrite": "uploading a file under a name that exists takes its place",
    "rule.file.replace": "replacing a file removes the former one before the new one is kept",
    "rule.file.count": "how many files may be chosen is set by each form",
    "rule.timetask.duplicate": "one schedule holds a task at most once",
    "rule.task.draw_first": "a task has its area or line drawn first, unless the line is removed",
    "rule.task.start_point": "a task needs its start point on the map",
    "rule.map.edge": "walls, zones and erasers stay inside the map with each vertex",
    "rule.pad.images": "no image of the pad may be left out",
    "rule.pad.sizes": "backgrounds, animations 1280 × 800; log-in logo 800 × 326, main logo 600 × 270, tiles 326 × 343",
    "rule.pad.level": "accounts of level 2, and no others, customise the pad",
    "rule.avatar.chosen": "no avatar is saved before a picture was picked",
    "rule.oss.token_ttl": "an upload token lives 6,600,000 ms",
    "rule.page.size": "30 rows a page in the device list; lists without pages ask for 1,000,000",
    "rule.area.unit": "square kilometres from more than 1,000,000 m²",
    "rule.control.duration": "control is taken for 10 or 30 minutes, one or two hours, or until it is given back",
    "rule.report.range": "reports reach back a week, one month, three months or a year",
    "rule.sound.dependent": "no sound while alarms are hidden",
    "rule.confirm.map_change": "loading another map stops what runs, so it is asked first",
    "rule.warning.wet_floor": "whoever starts a run on a wet floor is warned of a poor result",
    "rule.edit.block_task": "no editing during a run; stopping every task is offered",
    "rule.edit.block_elevator": "no editing while a lift is being used",
    "rule.signature.window": "the signature is the time in ms and 20,000, under AES-CBC",
    "rule.tabs.neighbour": "after the open tab closes, the one beside it opens, else index",
    "rule.image.format": "pictures are png, jpg, gif or webp by their first bytes; others are refused",
    "state.device_online.t02": "online → offline: no heartbeat for the time-out of the settings",
    "state.map_edit.t02": "view → blocked by task: edit during a run, stopping every task is offered",
    "state.map_change.t01": "current → changing: load another map, once confirmed",
    "state.control_request.t01": "none → granted: request with one of the durations",
    "state.alarm_sound.t02": "shown silent → shown with sound: sound switched on, after one touch of the page",
    # Readings that changed since: what is built.
    "q.level5": "Accounts of level 5 are made by `lustra admin add` alone; they stand in the tree under their parent.",
    "q.phone_countries": "11 digits, as in China, or + and an international number by E.164.",
    "q.email_pattern": "Mailboxes by RFC 5321, also of other languages, split at commas and trimmed; no empty ones.",
    "q.hash_call": "selectDeviceByHash finds a robot by its label; workInfoResetById takes a hash, the same one once.",
    "q.task_group_types": "Groups of robots have a type; that of tasks is what they share: project, map or building.",
}
# Sentences about the specification itself, or that others of its ids say whole: no test proves them.
REMARKS = {
    "feat.product",
    "feat.doc_links",
    "feat.manage_intro",
    "feat.other_screens",
    "feat.validation_note",
    "feat.payload_note",
}
OURS = re.compile(r" \((?:our reading|guard is ours|ours, from .*?)\)|, ours(?=\))| \(1:\d+\)")


def words(row: Row) -> str:
    """The last part of the id as words: err.op.add_device -> add device."""
    return row["id"].split(".", 2)[-1].rsplit(".", 1)[-1].replace("_", " ")


def own(row: Row, *fields: str) -> Entry:
    return {f: row[f] for f in fields if row.get(f) not in (None, "", [], {})}


def call(row: Row) -> Entry:
    paths = row["path"] if isinstance(row["path"], list) else [row["path"] or f"(no path: {words(row)})"]
    needs = (row.get("permission") or row["proposal"].get("permission") or "").replace("perm.", "")
    plain = {"summary": f"{row['method']} {', '.join(paths)}"} | ({"needs": needs} if needs else {})
    return plain | (shapes(row) if row["server"] == "main" else {})


def shapes(row: Row) -> Entry:
    """What a call takes, by field and type (`?`: may be left out), and which entities it answers: for the tests of the
    contract. Fields that the specification names come first."""
    proposal = row["proposal"]
    read = proposal["payload"] if isinstance(proposal.get("payload"), dict) else {}
    literal = [name.removeprefix("query.") for name in row["payload"]["fields"]]
    takes = {name: str(read.get(name, "str")) for name in literal}
    takes |= {name: str(kind) for name, kind in read.items() if "." not in name}
    answers = re.findall(r"(?:list:\[)?ent\.[a-z_]+", str(proposal.get("answer")))
    return own({"takes": takes, "answers": [name.removeprefix("list:[") for name in answers]}, "takes", "answers")


def route(row: Row) -> Entry:
    return {"summary": row["path"]} | own(row, "permission", "menu_group_proposal")


def key(row: Row) -> Entry:
    return {"summary": f"{row['kind']} key {row['key']}", "roles": row["roles_proposal"]}


def rule(row: Row) -> Entry:
    """`sides`: both, where console and server each keep it."""
    sides = row["enforce"]["proposal"].split("+")
    return {"summary": row["condition"], "sides": sides if len(sides) > 1 else []} | own(row, "good", "bad")


def feature(row: Row) -> Entry:
    return named(row) | ({"remark": True} if row["id"] in REMARKS else {})


def machine(row: Row) -> Entry:
    return {"summary": f"starts as {row['initial']}"}


def transition(row: Row) -> Entry:
    guard = f" if {row['guard']}" if row.get("guard") else ""
    return {"summary": f"{row['from']} → {row['to']}: {row['trigger']}{guard}"}


def named(row: Row) -> Entry:
    return {"summary": words(row)}


def constant(row: Row) -> Entry:
    value = row.get("value_machine_proposal")
    unit = (
        {"unit": re.sub(r"not given \((.*), our reading\)|, our reading", r"\1", row["unit"])}
        if row.get("unit")
        else {}
    )
    return {"summary": words(row)} | ({} if value is None else {"value": value}) | unit


def person(row: Row) -> Entry:
    return {"summary": row["name"]}


def failed(row: Row) -> Entry:
    return {"summary": f"{words(row)} failed"}


def envelope(row: Row) -> Entry:
    return {"summary": f"code {row['code']}: {row['kind']}"}


def reading(row: Row) -> Entry:
    return {"summary": row["proposal"], "weight": row["importance"]}


def entity(row: Row) -> Entry:
    literal = [f["name"] for f in row["fields"] if f["origin"] == "spec"]
    return {"summary": words(row), "fields": [f["name"] for f in row["fields"]], "literal": literal}


def language(row: Row) -> Entry:
    return {"summary": row["name"], "code": row["code"], "direction": row["direction_proposal"]}


def spelling(row: Row) -> Entry:
    return {"summary": row["name"]}


def labelled(prefix: str) -> Callable[[Row], Entry]:
    """Messages that our glossary words in nine languages: the English label is the summary."""
    labels = {e["id"]: e["t"]["en"] for e in yaml.safe_load(GLOSSARY.read_text("utf-8"))["entries"]}

    def describe(row: Row) -> Entry:
        last = row["id"].rsplit(".", 1)[-1]
        entry = BANNER_IDS.get(row["id"], prefix + last.removeprefix("0x").replace("_", "-"))
        return {"summary": labels.get(entry, words(row))}

    return describe


def states(machines: list[Row]) -> Iterator[tuple[Row, Entry]]:
    for row in machines:
        yield row, machine(row)
        yield from ((s, {"summary": s["name"]}) for s in row["states"])
        yield from ((t, transition(t)) for t in row["transitions"])


def every(rows: list[Row], tell: Callable[[Row], Entry]) -> Iterator[tuple[Row, Entry]]:
    return ((row, tell(row)) for row in rows)


def kinds(of: Callable[[str], Any]) -> dict[str, list[tuple[Row, Entry]]]:
    calls, routes, errors, keys = of("calls"), of("routes"), of("errors"), of("permissions")
    return {
        "calls": [*every(calls["calls"], call)],
        "conventions": [*every(calls["conventions"], named), *every(calls["odd_spellings"], spelling)],
        "routes": [*every(routes["routes"], route)],
        "dialogs": [*every(routes["dialogs"], named)],
        "keys": [*every(keys["keys"], key)],
        "people": [
            *every(keys["levels"] + keys["roles"], lambda r: {"summary": r["name"]}),
            *every(keys["rules"], named),
        ],
        "rules": [*every(of("rules")["rules"], rule)],
        "states": [*states(of("states")["machines"])],
        "errors": [
            *every(errors["envelope"], envelope),
            *every(errors["relay"], lambda _: {"summary": "answers of a relay are flat"}),
            *every(errors["http"], labelled("http-")),
            *every(errors["robot_codes"], labelled("alarm-")),
            *every(errors["robot_messages_without_code"], labelled("alarm-")),
            *every(errors["banners"], labelled("banner-")),
            *every(errors["operation_failed"], failed),
            *every(errors["messages"], named),
        ],
        "constants": [*every(of("constants")["constants"], constant)],
        "entities": [*every(of("entities")["entities"], entity)],
        "languages": [*every(of("i18n")["languages"], language), *every(of("i18n")["settings"], named)],
        "features": [*every(of("features")["features"], feature)],
        "readings": [*every(of("questions")["questions"], reading)],
    }


def entry(identity: str, fields: Entry) -> Entry:
    plain = {"id": identity} | {k.removesuffix("_proposal"): v for k, v in fields.items()}
    if not plain.get("sides"):
        plain.pop("sides", None)
    plain["summary"] = WORDED.get(identity, OURS.sub("", plain["summary"] or words(plain)))
    return plain


def main(inventory: Path) -> None:
    def of(name: str) -> Any:
        return yaml.safe_load((inventory / f"{name}.yaml").read_text("utf-8"))

    SPEC.mkdir(exist_ok=True)
    for kind, rows in kinds(of).items():
        entries = [entry(row["id"], tell) for row, tell in rows]
        text = yaml.safe_dump(entries, allow_unicode=True, sort_keys=False, width=120)
        (SPEC / f"{kind}.yaml").write_text(re.sub(r"(?m)^- ", "\n- ", text).lstrip(), "utf-8")
        print(f"{SPEC.relative_to(ROOT)}/{kind}.yaml  {len(entries)} ids")


if __name__ == "__main__":
    if len(sys.argv) != 2:  # noqa: PLR2004 - the script and its one argument
        raise SystemExit("make_spec.py INVENTORY")
    main(Path(sys.argv[1]))
