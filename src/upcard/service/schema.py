"""The tables of the database. What is in `entries` is only ever added to."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

house = Table(
    "house",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What belongs to the whole house: its keys, made at the first start."""

accounts = Table(
    "accounts",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", Text, nullable=False),
    Column("key", Text, nullable=False, unique=True),
    Column("look", Text),
    Column("role", String(16), nullable=False),
    Column("password", Text),
    Column("created", String(32), nullable=False),
    Column("loss_limit", BigInteger),
    Column("time_limit", Integer),
    Column("pending", Text),
    Index("ix_accounts_look", "look", unique=True),
)
"""`key` is the name without regard to case, by which somebody signs in. `look` is how it looks, and
nobody else gets a name that looks so; only of two that did before this was minded the later has
none. `pending` is a raise of limits that waits, as JSON.
"""

sessions = Table(
    "sessions",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("account", String(40), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("label", Text, nullable=False, default=""),
    Column("created", String(32), nullable=False),
    Column("expires", String(32), nullable=False),
    Column("closed", String(32)),
)
"""Cookies and tokens; only the SHA-256 of what opens them is kept."""

purse = Table(
    "purse",
    metadata,
    Column("account", String(40), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", String(32), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("why", String(40), nullable=False),
    Column("table_id", String(40)),
    Column("seq", Integer),
)
"""Movements of play money; the sum is what somebody has."""

roles = Table(
    "roles",
    metadata,
    Column("account", String(40), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", String(32), nullable=False),
    Column("role", String(16), nullable=False),
    Column("given_by", String(40), nullable=False),
)
"""Roles that were given to accounts, and by whom; "" is whoever has the data folder."""

tables = Table(
    "tables",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("spec", Text, nullable=False),
    Column("title", LargeBinary, nullable=False),
    Column("status", String(16), nullable=False, index=True),
    Column("demo", Boolean, nullable=False),
    Column("owner", String(40), nullable=False, default=""),
    Column("opened", String(32), nullable=False),
    Column("bots", Text, nullable=False),
    Column("driver", String(40), nullable=False, default=""),
    Column("driver_until", Float, nullable=False, default=0.0),
)

entries = Table(
    "entries",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", String(32), nullable=False),
    Column("round", Integer, nullable=False),
    Column("account", String(40), nullable=False),
    Column("command_id", String(64), nullable=False),
    Column("head", String(64), nullable=False),
    Column("data", LargeBinary, nullable=False),
    UniqueConstraint("table_id", "account", "command_id", name="uq_entries_command"),
    Index("ix_entries_account_at", "account", "at"),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, nullable=False),
    Column("head", String(64), nullable=False),
    Column("code", String(64), nullable=False),
    Column("state", LargeBinary, nullable=False),
)
"""`code` tells of which version of the state a snapshot is; others are not used."""

lights = Table(
    "lights",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("data", Text, nullable=False),
)
"""Who sat where, and whose lights were lit, at every entry with a snapshot, as JSON. Snapshots go
when the next one comes; these stay, so that a round can be seen again without all before it.
"""

people = Table(
    "people",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("player", String(80), primary_key=True),
    Column("account", String(40), nullable=False, index=True),
)
"""Whose name somebody has at a table: it stays when the account gets another."""

players_cards = Table(
    "players_cards",
    metadata,
    Column("serial", String(40), primary_key=True),
    Column("account", String(40), nullable=False, index=True),
    Column("player", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("lights", Integer, nullable=False),
    Column("token", Text, nullable=False),
    Column("table_id", String(40), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("spent_table", String(40)),
    Column("spent_seq", Integer),
)

rounds = Table(
    "rounds",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("first_seq", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("began", String(32), nullable=False),
    Column("ended", String(32), nullable=False),
)

results = Table(
    "results",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("player", String(80), primary_key=True),
    Column("wager", String(40), primary_key=True),
    Column("account", String(40), nullable=False),
    Column("stake", BigInteger, nullable=False),
    Column("action", BigInteger, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("ended", String(32), nullable=False),
    Index("ix_results_account_ended_round", "account", "ended", "table_id", "round"),
)

prices = Table(
    "prices",
    metadata,
    Column("fingerprint", String(64), primary_key=True),
    Column("wager", String(40), primary_key=True),
    Column("ev", Float, nullable=False),
    Column("sd", Float, nullable=False),
    Column("method", Text, nullable=False),
)
"""What a wager is worth in theory, by the game's fingerprint: worked out once."""

judged = Table(
    "judged",
    metadata,
    Column("account", String(40), primary_key=True),
    Column("table_id", String(40), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", String(32), nullable=False),
    Column("data", Text, nullable=False),
)
"""Decisions that the coach has judged, as JSON."""

APPEND_ONLY = ("entries", "purse", "roles")
