"""How alembic runs: on the connection that the store gives it."""

from __future__ import annotations

from alembic import context

from upcard.service.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
