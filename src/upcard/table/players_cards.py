"""Players' cards: lights that a leaving player takes along, signed and good for one use."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

import msgspec

from upcard.errors import UpcardError


class PlayersCard(msgspec.Struct, frozen=True):
    """What is punched into a card, and what is printed on it about its form."""

    casino: str
    game: str
    player: str
    serial: str
    lights: int
    form: str = ""


class Casino(msgspec.Struct, frozen=True):
    """Who punches and accepts cards; the key signs them and never enters a log.

    Without the key nothing can be signed, and signatures are taken as they are.
    """

    name: str
    key: str | None

    def punch(self, card: PlayersCard) -> str:
        """The token that the player takes away.

        >>> casino = Casino("Club", "k")
        >>> card = PlayersCard("Club", "ten-sticks-21", "Ann", "a1", 7)
        >>> casino.read(casino.punch(card)) == card
        True
        """
        body = base64.urlsafe_b64encode(msgspec.json.encode(card)).decode().rstrip("=")
        return f"{body}.{self._signature(body)}"

    def read(self, token: str) -> PlayersCard:
        """The card behind a token, or a refusal of what this casino did not punch."""
        body, _, signature = token.strip().rpartition(".")
        if not body:
            raise UpcardError("this is not a player's card: it has no signature")
        try:
            data = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
            card = msgspec.json.decode(data, type=PlayersCard)
        except (binascii.Error, msgspec.MsgspecError, ValueError) as error:
            raise UpcardError("this is not a player's card: it cannot be read") from error
        if card.casino != self.name:
            raise UpcardError(
                f'this player\'s card is of the casino "{card.casino}", not of "{self.name}"'
            )
        if not self.signed(body, signature):
            raise UpcardError("this player's card was altered: its signature does not fit")
        return card

    def signed(self, body: str, signature: str) -> bool:
        """Whether a signature is this casino's, as far as can be told."""
        if self.key is None:
            return True
        return hmac.compare_digest(signature.encode(), self._signature(body).encode())

    def _signature(self, body: str) -> str:
        return self._mac(f"card\n{body}")

    def _mac(self, message: str) -> str:
        assert self.key is not None, "only a casino's key signs"
        return hmac.new(self.key.encode(), message.encode(), hashlib.sha256).hexdigest()


def serial(table: str, secret: str, number: int) -> str:
    """A serial that no other card has, as no other table has the same secret."""
    text = f"upcard/1/players-card/{table}/{number}/{secret}"
    return hashlib.sha256(text.encode()).hexdigest()[:24]
