"""How names look: nobody gets one that looks like somebody else's."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from upcard.service.names import look_of

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("look", sa.Text(), nullable=True))
    _fill()
    op.create_index("ix_accounts_look", "accounts", ["look"], unique=True)


def _fill() -> None:
    """Whoever was there first has the look; later ones keep their names and sign in as before."""
    accounts = sa.table("accounts", *map(sa.column, ("id", "name", "look", "created")))
    connection = op.get_bind()
    found = sa.select(accounts.c.id, accounts.c.name).order_by(accounts.c.created, accounts.c.id)
    first: dict[str, str] = {}
    for account, name in connection.execute(found):
        first.setdefault(look_of(name), account)
    if first:
        connection.execute(
            accounts.update()
            .where(accounts.c.id == sa.bindparam("account"))
            .values(look=sa.bindparam("looks")),
            [{"account": account, "looks": look} for look, account in first.items()],
        )
