"""The entry point: the command `strike`, and `python -m strike_cli`."""

import atexit
import gc

# A command runs for a tenth of a second and makes hardly any reference cycles. Collecting them while some
# 200 modules load would take a tenth of that time. Programs that run all evening still collect them.
gc.set_threshold(100_000, 20, 20)
# All objects end with the process: Python need not search them for cycles first, as it would
# twice, for another tenth of the time.
atexit.register(gc.freeze)

from .cli.app import main  # noqa: E402

__all__ = ["main"]

if __name__ == "__main__":
    main()
