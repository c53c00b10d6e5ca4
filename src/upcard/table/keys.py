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


PRIME = 2**255 - 19
SMALL_ORDER = (
    0,
    1,
    PRIME - 1,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
)
"""The heights of all points for which anybody can write signatures."""


def is_key(text: str) -> bool:
    return re.fullmatch(f"[0-9a-f]{{{2 * KEY_BYTES}}}", text) is not None


def is_weak(public: str) -> bool:
    """Whether anybody could have signed with a key, or it is not in the one form of its point.

    A key is the height of a point, lowest byte first, with a sign in the highest bit.
    """
    height = int.from_bytes(bytes.fromhex(public), "little") % 2**255
    return height >= PRIME or height in SMALL_ORDER


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
