"""What makes the last rounds of somebody, and a round of long ago, quick to find."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_results_account_ended_round",
        "results",
        ["account", "ended", "table_id", "round"],
        unique=False,
    )
    op.drop_index("ix_results_account_ended", table_name="results")
    # Entries from before have no such rows: their rounds are seen again by reading all of them.
    op.create_table(
        "lights",
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("pk_lights")),
    )
