"""The list of installed game systems and plugins, read at every start and therefore light.

- `declaration`: `System` and its moves, as a plugin declares them. Begin here.
- `plugin`, `code_origin`, `installed`, `discovery`: plugins, found once and cached.
- `scenes`, `rules`, `fact_follower`, `gm_override`: a system's parts, by name.
- `remote_access`: commands that may be asked for from outside.

Example: `strike plugin list` prints it.
"""

from .installed import UnknownFact as UnknownFact
from .installed import command_groups as command_groups
from .installed import contained as contained
from .installed import fact_class as fact_class
from .installed import fact_kinds_of as fact_kinds_of
from .installed import grouped_commands as grouped_commands
from .installed import installed_systems as installed_systems
from .installed import known_systems as known_systems
from .installed import load_system as load_system
from .installed import must_be_in_use as must_be_in_use
from .installed import path_beside as path_beside
from .installed import provider_of_system as provider_of_system
from .installed import registry_of as registry_of
from .installed import scene_systems as scene_systems
from .installed import single_object_of as single_object_of
from .installed import statement_class as statement_class
from .installed import style_of as style_of
from .installed import switched_off_problem as switched_off_problem
from .installed import system_of_move as system_of_move
