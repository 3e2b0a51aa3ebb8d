from .api import Campaign as Campaign
from .api import CampaignView as CampaignView
from .api import Command as Command
from .api import Pending as Pending
from .api import Played as Played
from .api import Preview as Preview
from .problems import CampaignProblem as CampaignProblem
from .problems import Finding as Finding
from .problems import Problem as Problem
from .problems import Refused as Refused
from .problems import Unsound as Unsound
from .problems import Usage as Usage

__version__: str

def import_on_first_use(package: str, names: dict[str, tuple[str, ...]], name: str) -> object: ...
