"""The key of a table: who has it signs records, everybody else can check the signature.

Ed25519, from the `cryptography` package, which is loaded only where something is signed or checked.
Keys and signatures are written as hexadecimal digits.
"""

from __future__ import annotations

import re
import secrets

KEY_BYTES = 32
SIGNATURE_BYTES = 64


class TableKey:
    """A private key of 32 bytes.

    >>> key = TableKey("11" * 32)
    >>> signature = key.sign("a head")
    >>> is_signed(key.public, "a head", signature), is_signed(key.public, "another", signature)
    (True, False)
    """

    def __init__(self, private: str) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self.private = private
        self._key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))
        self.public = self._key.public_key().public_bytes_raw().hex()

    @classmethod
    def new(cls) -> TableKey:
        return cls(secrets.token_hex(KEY_BYTES))

    def sign(self, text: str) -> str:
        return self._key.sign(text.encode()).hex()


SMALL_ORDER = (
    "0100000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
)
"""Points for which one signature fits every text; the highest bit is a sign and does not matter."""


def is_key(text: str) -> bool:
    return re.fullmatch(f"[0-9a-f]{{{2 * KEY_BYTES}}}", text) is not None


def is_weak(public: str) -> bool:
    """Whether anybody could have signed anything with a key."""
    last = int(public[-2:], 16) & 0x7F
    return f"{public[:-2]}{last:02x}" in SMALL_ORDER


def is_signed(public: str, text: str, signature: str) -> bool:
    """Whether a signature of a text was made with the private key of this public one."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if is_weak(public) or not re.fullmatch(f"[0-9a-f]{{{2 * SIGNATURE_BYTES}}}", signature):
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True
