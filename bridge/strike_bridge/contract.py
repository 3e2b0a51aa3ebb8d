"""The old name of the module `target_contract`. The next version of the API will remove the old name."""

import warnings

from .target_contract import check_target_kind as check

__all__ = ["check"]
warnings.warn(
    "strike_bridge.contract is target_contract now, and its `check` is `check_target_kind`.",
    DeprecationWarning,
    stacklevel=2,
)
