"""Passwords: argon2id, away from the event loop, and the same work for names that nobody has."""

from __future__ import annotations

import asyncio
import secrets

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from upcard.service.specs import HouseError

SHORTEST, LONGEST = 8, 200
AT_ONCE = 2
"""Passwords that are hashed at a time: each takes 64 MiB and most of a core."""


class Passwords:
    """Makes hashes and compares with them."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self.hasher = hasher or PasswordHasher()
        self._nobodys = ""
        self._turn = asyncio.Semaphore(AT_ONCE)

    async def hashed(self, password: str) -> str:
        async with self._turn:
            return await asyncio.to_thread(self.hasher.hash, password)

    async def fits(self, password: str, known: str | None) -> bool:
        """Whether a password is the one; without a hash to compare with, no, after as long."""
        async with self._turn:
            return await asyncio.to_thread(self._fits, password, known)

    def _fits(self, password: str, known: str | None) -> bool:
        if not self._nobodys:
            self._nobodys = self.hasher.hash(secrets.token_hex(16))
        try:
            return self.hasher.verify(known or self._nobodys, password) and known is not None
        except (VerificationError, InvalidHashError):
            return False


def check_password(password: str, name: str) -> str:
    """The password, or one sentence about what is wrong with it."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise HouseError(f"a password has {SHORTEST} to {LONGEST} characters")
    if password.casefold() == name.casefold() or len(set(password)) < 3:
        raise HouseError("this password is too easy to guess: choose another")
    return password
