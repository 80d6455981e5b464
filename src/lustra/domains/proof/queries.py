"""SQL on letterheads, and the reach of what is sent to whom it concerns."""

from lustra.core.scope import Statement, system

EVERY = system("mails of runs and months, each to whom the robot's owner lets see it; letterheads of who stands above")
# Of an account, or of who stands next above it: whoever has one.
LETTERHEAD = Statement("""
select l.logo, l.colour from letterhead l join account a on a.id = l.account_id, account o
where o.id = :owner and a.path @> o.path and a.deleted_at is null and (l.logo <> '' or l.colour <> '')
order by nlevel(a.path) desc limit 1""")
# Whose document of this month is due; a month is over once it is at every site.
DUE = Statement("""
update letterhead l set mailed_month = :month from account a
where a.id = l.account_id and l.monthly and l.mailed_month < :month and a.deleted_at is null and a.email <> ''
returning a.id, a.email""")
