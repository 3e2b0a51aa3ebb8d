"""The list of installed game systems and plugins, read at every start and therefore light.

- `system_declaration`: `System` and its moves, as a plugin declares them. Begin here.
- `plugin_declaration`, `plugin_failures`, `installed_plugins`, `plugin_discovery`: plugins, found once and
  cached.
- `scenes_and_decisions_in_state`, `numbered_rules`, `fact_follower`, `gm_override_hooks`: a system's parts,
  by name.
- `remote_permissions`: commands that may be asked for from outside.

Example: `strike plugin list` prints it.
"""

from .installed_plugins import UnknownFact as UnknownFact
from .installed_plugins import command_apps_by_group as command_apps_by_group
from .installed_plugins import contain_failures as contain_failures
from .installed_plugins import fact_class as fact_class
from .installed_plugins import fact_classes_by_kind as fact_classes_by_kind
from .installed_plugins import known_systems as known_systems
from .installed_plugins import load_known_system as load_known_system
from .installed_plugins import load_usable_systems as load_usable_systems
from .installed_plugins import must_be_able_to_play_system as must_be_able_to_play_system
from .installed_plugins import off_or_broken_problem as off_or_broken_problem
from .installed_plugins import path_beside as path_beside
from .installed_plugins import plugin_index_of as plugin_index_of
from .installed_plugins import plugin_origin_of_system as plugin_origin_of_system
from .installed_plugins import shared_instance_of_class_or_base as shared_instance_of_class_or_base
from .installed_plugins import statement_class as statement_class
from .installed_plugins import style_of_fact as style_of_fact
from .installed_plugins import system_name_of_move as system_name_of_move
from .installed_plugins import systems_by_scene_key as systems_by_scene_key
from .installed_plugins import top_level_commands_listed_in_groups as top_level_commands_listed_in_groups
