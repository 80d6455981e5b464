"""The two wheels as children."""

import asyncpg
import nats


async def test_postgres_answers_and_finds_chinese(stack):
    link = await asyncpg.connect(stack.postgres)
    await link.execute("create extension if not exists pg_trgm; create extension if not exists ltree")
    assert await link.fetchval("select cardinality(show_trgm('机器'))") > 0
    await link.close()


async def test_our_own_user_may_use_jetstream(stack):
    link = await nats.connect(stack.nats)
    assert (await link.jetstream().account_info()).memory == 0
    await link.close()
