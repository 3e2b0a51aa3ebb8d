"""Dice keyed by their purpose: two fights with one number roll the same for the same thing.

So fights differ by what was changed, and hardly by luck.
"""

from __future__ import annotations

from hashlib import blake2b

from ..kernel.procedure import Roll

BYTES = 8
MOST_AT_ONCE = 8
"""Faces that one digest gives."""


class KeyedDice:
    """The dice of one fight.

    The faces of a roll come from the seed, the fight, the roller, the purpose of the roll, and the number of
    such rolls so far.
    """

    def __init__(self, seed: int, fight: str) -> None:
        self.key = f"{seed}/{fight}"
        self.counts: dict[tuple[str, str], int] = {}

    def __call__(self, roll: Roll) -> list[int]:
        what = roll.who, roll.purpose
        count = self.counts.get(what, 0)
        self.counts[what] = count + 1
        faces: list[int] = []
        while len(faces) < roll.n:
            key = f"{self.key}\0{roll.who}\0{roll.purpose}\0{count}\0{len(faces)}"
            digest = blake2b(key.encode(), digest_size=BYTES * MOST_AT_ONCE).digest()
            for at in range(0, len(digest), BYTES):
                # 64 bits: a face is likelier than another by no more than one part in 10^17.
                faces.append(int.from_bytes(digest[at : at + BYTES], "big") % roll.sides + 1)
        return faces[: roll.n]
