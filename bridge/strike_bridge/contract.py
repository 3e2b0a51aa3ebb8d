"""The old name of `target_contract`, which will be removed with the next version of the API."""

import warnings

from .target_contract import check_target_kind as check

__all__ = ["check"]
warnings.warn(
    "strike_bridge.contract is target_contract now, and its `check` is `check_target_kind`.",
    DeprecationWarning,
    stacklevel=2,
)
