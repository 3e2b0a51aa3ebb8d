"""The old name of the module `facts`. The next version of the API will remove the old name."""

import warnings

from .facts import *  # noqa: F403
from .facts import __all__ as __all__
from .facts import __getattr__ as __getattr__

warnings.warn("strike_cli.plugin.telling is strike_cli.plugin.facts now.", DeprecationWarning, stacklevel=2)
