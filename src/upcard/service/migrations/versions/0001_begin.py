"""The first version of the database."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("created", sa.String(length=32), nullable=False),
        sa.Column("loss_limit", sa.BigInteger(), nullable=True),
        sa.Column("time_limit", sa.Integer(), nullable=True),
        sa.Column("pending", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("key", name=op.f("uq_accounts_key")),
    )
    op.create_table(
        "entries",
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.String(length=32), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("command_id", sa.String(length=64), nullable=False),
        sa.Column("head", sa.String(length=64), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("pk_entries")),
        sa.UniqueConstraint("table_id", "account", "command_id", name="uq_entries_command"),
    )
    with op.batch_alter_table("entries", schema=None) as batch_op:
        batch_op.create_index("ix_entries_account_at", ["account", "at"], unique=False)

    op.create_table(
        "house",
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_house")),
    )
    op.create_table(
        "judged",
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.String(length=32), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account", "table_id", "seq", name=op.f("pk_judged")),
    )
    op.create_table(
        "people",
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("player", sa.String(length=80), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "player", name=op.f("pk_people")),
    )
    with op.batch_alter_table("people", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_people_account"), ["account"], unique=False)
    op.create_table(
        "roles",
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.String(length=32), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("given_by", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("account", "number", name=op.f("pk_roles")),
    )
    op.create_table(
        "players_cards",
        sa.Column("serial", sa.String(length=40), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("lights", sa.Integer(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("spent_table", sa.String(length=40), nullable=True),
        sa.Column("spent_seq", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("serial", name=op.f("pk_players_cards")),
    )
    with op.batch_alter_table("players_cards", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_players_cards_account"), ["account"], unique=False)

    op.create_table(
        "prices",
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("wager", sa.String(length=40), nullable=False),
        sa.Column("ev", sa.Float(), nullable=False),
        sa.Column("sd", sa.Float(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", "wager", name=op.f("pk_prices")),
    )
    op.create_table(
        "purse",
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.String(length=32), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("why", sa.String(length=40), nullable=False),
        sa.Column("table_id", sa.String(length=40), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("account", "number", name=op.f("pk_purse")),
    )
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player", sa.String(length=80), nullable=False),
        sa.Column("wager", sa.String(length=40), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("stake", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.BigInteger(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint(
            "table_id", "round", "position", "player", "wager", name=op.f("pk_results")
        ),
    )
    with op.batch_alter_table("results", schema=None) as batch_op:
        batch_op.create_index("ix_results_account_ended", ["account", "ended"], unique=False)

    op.create_table(
        "rounds",
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("first_seq", sa.Integer(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("began", sa.String(length=32), nullable=False),
        sa.Column("ended", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "round", name=op.f("pk_rounds")),
    )
    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("created", sa.String(length=32), nullable=False),
        sa.Column("expires", sa.String(length=32), nullable=False),
        sa.Column("closed", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_sessions")),
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sessions_account"), ["account"], unique=False)

    op.create_table(
        "snapshots",
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("head", sa.String(length=64), nullable=False),
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("pk_snapshots")),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.Column("title", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("demo", sa.Boolean(), nullable=False),
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("opened", sa.String(length=32), nullable=False),
        sa.Column("bots", sa.Text(), nullable=False),
        sa.Column("driver", sa.String(length=40), nullable=False),
        sa.Column("driver_until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
    )
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tables_status"), ["status"], unique=False)
    _only_added_to("entries")
    _only_added_to("purse")
    _only_added_to("roles")


def _only_added_to(table: str) -> None:
    """Have the database refuse to change or remove a row."""
    words = f"rows of {table} are only ever added"
    if op.get_bind().dialect.name == "sqlite":
        for act in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{words}'); END"
            )
        return
    op.execute(
        f"CREATE FUNCTION {table}_only_added() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{words}'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {table}_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_only_added()"
    )
