"""How many random evenings a system is played for by the contract kit."""

from __future__ import annotations

import os

EVENINGS = 1000 if os.environ.get("STRIKE_THOROUGH") else 4
