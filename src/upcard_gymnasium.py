"""Tells Gymnasium of Upcard's environments when it is imported: it looks for none by itself.

`upcard_gymnasium.pth`, which is installed beside this file, imports it whenever Python starts. So
it does next to nothing: one finder waits for gymnasium, registers the id, and goes. Neither Upcard
nor Gymnasium is loaded by it.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing takes longer to import than all that is done here

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

ID = "upcard/Round-v0"


def register() -> None:
    """Let `gymnasium.make` know the environments; they are loaded when one is made."""
    from gymnasium.envs import registration

    if ID not in registration.registry:
        registration.register(
            ID,
            entry_point="upcard.envs.single:RoundEnv",
            vector_entry_point="upcard.envs.vector:RoundVectorEnv",
        )


class WhenImported:
    """A finder that finds nothing itself, but is there when gymnasium is found."""

    @classmethod
    def find_spec(cls, name: str, *_: object) -> ModuleSpec | None:
        if name != "gymnasium":
            return None
        from importlib.util import find_spec

        sys.meta_path.remove(cls)
        spec = find_spec(name)
        loader = spec.loader if spec is not None else None
        if loader is not None:
            load = loader.exec_module

            def load_and_register(module: ModuleType) -> None:
                load(module)
                register()

            vars(loader)["exec_module"] = load_and_register
        return spec


def wait_for_gymnasium() -> None:
    if "gymnasium" not in sys.modules and WhenImported not in sys.meta_path:
        sys.meta_path.insert(0, WhenImported)
