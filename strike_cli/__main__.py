"""The way in: `strike`, and `python -m strike_cli`."""

import atexit
import gc

# A command lives for a tenth of a second and makes next to nothing in circles: to look for them while some
# 200 modules load would be a tenth of its time. What goes on for an evening still has them found.
gc.set_threshold(100_000, 20, 20)
# What is left when a command ends goes with the process: Python need not look through all of it for circles
# first, as it would twice, for another tenth of the time.
atexit.register(gc.freeze)

from .cli.app import main  # noqa: E402

__all__ = ["main"]

if __name__ == "__main__":
    main()
