"""Logging in, and the session after it."""


async def test_a_right_password_begins_a_session(console):
    me = await console("dealer")
    assert me.session["levelDepth"] == 2
    assert (await me("/getLanguage"))["language"] == "en"


async def test_a_wrong_password_is_refused(anonymous):
    code, _ = await anonymous.raw("/login", account="dealer", password="wrong")
    assert code == 40020
