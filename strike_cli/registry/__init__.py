"""The list of installed game systems and plugins, read at every start and therefore light.

- `system_declaration`: `System` and its moves, as a plugin declares them. Begin here.
- `plugin_declaration`, `plugin_blame`, `installed_plugins`, `plugin_discovery`: plugins, found once and
  cached.
- `scenes_in_state`, `numbered_rules`, `fact_follower`, `gm_override_hooks`: a system's parts, by name.
- `remote_permissions`: commands that may be asked for from outside.

Example: `strike plugin list` prints it.
"""

from .installed_plugins import UnknownFact as UnknownFact
from .installed_plugins import command_groups as command_groups
from .installed_plugins import contained as contained
from .installed_plugins import fact_class as fact_class
from .installed_plugins import fact_kinds_of as fact_kinds_of
from .installed_plugins import grouped_commands as grouped_commands
from .installed_plugins import installed_systems as installed_systems
from .installed_plugins import known_systems as known_systems
from .installed_plugins import load_system as load_system
from .installed_plugins import must_be_in_use as must_be_in_use
from .installed_plugins import path_beside as path_beside
from .installed_plugins import provider_of_system as provider_of_system
from .installed_plugins import registry_of as registry_of
from .installed_plugins import scene_systems as scene_systems
from .installed_plugins import single_object_of as single_object_of
from .installed_plugins import statement_class as statement_class
from .installed_plugins import style_of as style_of
from .installed_plugins import switched_off_problem as switched_off_problem
from .installed_plugins import system_of_move as system_of_move
