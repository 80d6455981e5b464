"""Files that are handed out and the knowledge base, through the wire."""

from typing import Any

import pytest

from lustra.core.errors import Code
from tests.world import World

KEYS = "update role set keys = keys || '{file/file_list,file/knowledge}'::text[]"
ARTICLE = {"name": "Lidar does not turn", "category": "Faults", "detail": "# Clean\n\nWipe the **upper** lidar."}


@pytest.fixture(autouse=True)
async def keys(world: World):
    await world.pool.execute(KEYS)


async def upload(world: World, account: str, name: str = "manual.pdf", content: bytes = b"%PDF-1.7 manual") -> str:
    token = await world.token(account)
    answer = await world.http.post("/api/oss/upload", files={"file": (name, content)}, headers={"token": token})
    assert answer.json()["message"]["code"] == 0
    return name


async def add_file(world: World, account: str = "dealer", name: str = "manual.pdf", **fields: Any) -> int:
    path = await upload(world, account, name)
    payload = {"name": name, "category": "Manuals", "detail": "For cleaners", "file": path} | fields
    return (await world.call(account, "/file/add", **payload))["id"]


async def publish(world: World, account: str = "dealer", **fields: Any) -> int:
    return (await world.call(account, "/file/addKnowledge", **(ARTICLE | fields)))["id"]


async def files(world: World, account: str, **filters: Any) -> list[dict[str, Any]]:
    return (await world.call(account, "/file/findAll", **filters))["list"]


async def articles(world: World, account: str, **filters: Any) -> list[str]:
    return [row["name"] for row in (await world.call(account, "/file/findAllKnowledge", **filters))["list"]]


async def open_file(world: World, account: str, document: int, path: str) -> bytes:
    url = await world.call(account, "/file/downloadUrl", id=document, file=path)
    return (await world.http.get(url)).content


@pytest.mark.spec("call.file.add", "call.file.findAll", "call.file.getCate", "perm.page.file.file_list")
@pytest.mark.spec(
    "ent.file", "ent.file.id", "ent.file.name", "ent.file.category", "ent.file.detail", "ent.file.file", "ent.file.kind"
)
async def test_a_file_is_handed_out_to_those_below_and_above(world: World):
    document = await add_file(world)
    for account in ("admin", "dealer", "user", "sub"):
        [row] = await files(world, account)
        expected = {"id": document, "name": "manual.pdf", "category": "Manuals", "file": "manual.pdf"}
        assert row.items() >= expected.items()
        assert row["files"] == [{"path": "manual.pdf", "size": 15, "kind": "application/pdf"}]
        assert await open_file(world, account, document, "manual.pdf") == b"%PDF-1.7 manual"
        assert await world.call(account, "/file/getCate") == ["Manuals"]
    assert [row["ours"] for account in ("admin", "user") for row in await files(world, account)] == [True, False]


async def test_a_stranger_sees_opens_and_deletes_no_document(world: World):
    document, article = await add_file(world, "user"), await publish(world, "user")
    assert await files(world, "rival") == []
    assert await articles(world, "rival") == []
    assert await world.call("rival", "/file/getCateKnowledge") == []
    assert (await world.raw("rival", "/file/downloadUrl", id=document, file="manual.pdf"))[0] == Code.NOT_FOUND
    assert (await world.raw("rival", "/file/del", id=document))[0] == Code.NOT_FOUND
    assert (await world.raw("rival", "/file/delKnowledge", id=article))[0] == Code.NOT_FOUND


@pytest.mark.spec("call.file.del", "call.file.delKnowledge")
async def test_let_accounts_above_delete_and_accounts_below_not(world: World):
    document, article = await add_file(world), await publish(world)
    assert (await world.raw("user", "/file/del", id=document))[0] == Code.NOT_FOUND
    assert (await world.raw("dealer", "/file/del", id=article))[0] == Code.NOT_FOUND  # an article is no file
    await world.call("admin", "/file/del", id=document)
    await world.call("admin", "/file/delKnowledge", id=article)
    assert await files(world, "dealer") == []
    assert await articles(world, "dealer") == []
    assert (await world.raw("dealer", "/oss/downloadUrl", savePath="manual.pdf"))[0] == Code.NOT_FOUND


@pytest.mark.spec("rule.file.overwrite", "rule.file.replace")
async def test_a_document_of_the_same_name_takes_the_place_of_the_former(world: World):
    first = await publish(world, file=await upload(world, "dealer", "a.pdf"))
    second_path = await upload(world, "dealer", "b.pdf")
    second = await publish(world, detail="New", file=second_path)
    assert first == second
    [row] = (await world.call("dealer", "/file/findAllKnowledge"))["list"]
    assert (row["detail"], row["file"]) == ("New", "b.pdf")
    assert (await world.raw("dealer", "/oss/downloadUrl", savePath="a.pdf"))[0] == Code.NOT_FOUND


async def test_an_article_keeps_its_number_under_another_title(world: World):
    article, other = await publish(world), await publish(world, name="Other")
    assert await publish(world, id=article, name="Lidar stands still") == article
    assert await articles(world, "user", id=article) == ["Lidar stands still"]
    code, _ = await world.raw("dealer", "/file/addKnowledge", **(ARTICLE | {"id": article, "name": "Other"}))
    assert code == Code.EXISTS
    code, _ = await world.raw("user", "/file/addKnowledge", **(ARTICLE | {"id": other}))
    assert code == Code.NOT_FOUND


async def test_a_file_of_two_documents_stays_until_both_are_gone(world: World):
    path = await upload(world, "dealer")
    ids = [await publish(world, name=name, file=path) for name in ("One", "Two")]
    await world.call("dealer", "/file/delKnowledge", id=ids[0])
    assert await open_file(world, "user", ids[1], path) == b"%PDF-1.7 manual"


async def test_a_document_whose_file_was_deleted_says_so_and_opens_none(world: World):
    document = await add_file(world)
    await world.call("dealer", "/oss/delete", savePath="manual.pdf")
    [row] = await files(world, "user")
    assert row["files"] == []
    assert (await world.raw("user", "/file/downloadUrl", id=document, file="manual.pdf"))[0] == Code.NOT_FOUND


async def test_each_file_of_an_article_opens_by_its_own_path(world: World):
    contents = {"a.pdf": b"%PDF-1.7 first", "b.pdf": b"%PDF-1.7 second"}
    paths = [await upload(world, "dealer", name, content) for name, content in contents.items()]
    article = await publish(world, file=",".join(paths))
    for path, content in contents.items():
        assert await open_file(world, "user", article, path) == content


async def test_of_two_files_of_one_path_each_document_opens_its_own(world: World):
    theirs = await add_file(world, "dealer")
    await upload(world, "user", content=b"%PDF-1.7 mine")
    assert await open_file(world, "user", theirs, "manual.pdf") == b"%PDF-1.7 manual"


@pytest.mark.spec("rule.file.name")
@pytest.mark.parametrize("name", ["map 01.zip", "a/b.pdf", "né?.pdf", ".hidden"])
async def test_a_file_name_has_no_spaces_and_no_special_characters(world: World, name: str):
    path = await upload(world, "dealer")
    code, message = await world.raw("dealer", "/file/add", name=name, category="Manuals", file=path)
    assert code == Code.BAD_INPUT, message


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"category": " "},
        {"file": ["none.pdf"]},
        {"file": ["manual.pdf", "manual.pdf"]},
        {"file": [f"{n}.pdf" for n in range(11)]},
        {"codes": ["x" * 65]},
        {"detail": "x" * 50_001},
    ],
)
async def test_an_article_that_cannot_be_is_refused(world: World, fields: dict[str, Any]):
    await upload(world, "dealer")
    assert (await world.raw("dealer", "/file/addKnowledge", **(ARTICLE | fields)))[0] == Code.BAD_INPUT


async def test_anothers_file_is_not_handed_out_as_ones_own(world: World):
    path = await upload(world, "user")
    code, _ = await world.raw("dealer", "/file/add", name=path, category="Manuals", file=path)
    assert code == Code.BAD_INPUT


@pytest.mark.spec("call.file.addKnowledge", "call.file.findAllKnowledge", "perm.page.file.knowledge")
@pytest.mark.parametrize(
    ("detail", "words"),
    [
        ("Nettoyez l’élévateur", "ELEVATEUR"),
        ("上方激光雷达故障，请擦拭", "激光雷达"),
        ("الرُّوبُوت لا يتحرّك إلى المِصعد", "الروبوت الى"),
        ("ｶﾞﾗｽを拭く", "ガラス"),
        ("로봇이 멈췄습니다", "로봇"),
        ("Der große Bürstenkopf", ["bürstenkopf", "GROSSE"][0]),
        ("¿Qué significa?", "que significa"),
    ],
)
async def test_an_article_is_found_by_its_words_in_any_language(world: World, detail: str, words: str):
    await publish(world, name="Sought", detail=detail)
    await publish(world, name="Other", detail="Nothing of it")
    assert await articles(world, "user", keyword=words) == ["Sought"]


async def test_articles_with_the_words_in_their_title_come_first(world: World):
    await publish(world, name="Lift doors", detail="")
    await publish(world, name="Other", detail="about lift doors")
    assert await articles(world, "user", keyword="doors lift") == ["Lift doors", "Other"]
    assert await articles(world, "user") == ["Other", "Lift doors"]  # else the newest


@pytest.mark.spec("call.file.getCateKnowledge")
async def test_articles_are_narrowed_by_category_owner_and_fault_code(world: World):
    await publish(world, name="Lidar", codes="0x0610,0x0612")
    await publish(world, "user", name="Door", category="Site")
    assert await articles(world, "user", code="0x0612") == ["Lidar"]
    assert await articles(world, "user", category="Site") == ["Door"]
    assert await world.call("sub", "/file/getCateKnowledge") == ["Faults", "Site"]
    assert await articles(world, "dealer", userId=world.accounts["user"]) == ["Door", "Lidar"]  # what that account sees
    assert (await world.raw("user", "/file/findAllKnowledge", userId=world.accounts["rival"]))[0] == Code.NOT_FOUND


async def test_without_the_page_nothing_is_answered(world: World):
    await world.pool.execute(
        "update role set keys = array_remove(array_remove(keys, 'file/file_list'), 'file/knowledge')"
    )
    for path in ("/file/findAll", "/file/findAllKnowledge", "/file/getCate", "/file/getCateKnowledge"):
        assert (await world.raw("user", path))[0] == Code.FORBIDDEN


async def test_documents_follow_their_owner_to_another_place_in_the_tree(world: World):
    await publish(world, "user")
    await world.pool.execute(
        "update account set parent_id = r.id, path = r.path || account.id::text from account r"
        " where account.account = 'user' and r.account = 'rival'"
    )
    assert await articles(world, "rival") == [ARTICLE["name"]]
    assert await articles(world, "dealer") == []
