"""What Tab offers: the campaign's own names. One that can't be had is no completion, and never an error."""

# Annotations are left as they are: kept as text, Typer would compile those of every word that Tab completes.

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..problems import Problem

if TYPE_CHECKING:
    from ..campaign import Campaign

Completer = Callable[..., list[str]]
"""What Typer asks for the words that begin as one does."""


def offers(names: "Callable[[Campaign], Iterable[str]]") -> Completer:
    """Tab offers names of the campaign; none where there is no campaign."""

    def complete(incomplete: str, ctx: Any = None) -> list[str]:
        campaign = campaign_of(ctx)
        try:
            return beginning(names(campaign), incomplete) if campaign else []
        except (AttributeError, KeyError, TypeError, ValueError, IndexError):
            return []  # of a state in a wrong form; the command that is being typed will say so

    return complete


def offers_words(words: Callable[[], Iterable[str]]) -> Completer:
    """Tab offers words that are the same everywhere."""

    def complete(incomplete: str) -> list[str]:
        return beginning(words(), incomplete)

    return complete


def content(kind: str) -> Completer:
    """Tab offers things of a kind of content, by the last part of their ids."""
    return offers(lambda campaign: sorted(key.rpartition(":")[2] for key in campaign.book.table(kind)))


def in_scene(key: str) -> Completer:
    """Tab offers whoever is still in the scene of that table."""

    def there(campaign: "Campaign") -> Iterable[str]:
        from ..registry.scenes import scenes_of

        scenes = (scene for scene in scenes_of(campaign.state) if scene.key == key)
        return [who for scene in scenes for who, one in scene.people.items() if not one.out]

    return offers(there)


characters = offers(lambda campaign: campaign.book.characters)
"""The campaign's characters."""
newcomers = offers(lambda campaign: [*campaign.book.characters, *campaign.book.creatures])
"""Characters and creatures of the campaign."""


def campaign_of(context: Any) -> "Campaign | None":
    """The campaign that a line is about: the one that it names with -C, else the one that is near."""
    from ..campaign import Campaign, find_campaign

    root = context.find_root() if context is not None else None
    named = context.params.get("common_campaign") or root.params.get("campaign") if root is not None else None
    try:
        folder = find_campaign(named)
        return Campaign(folder) if folder else None
    except (Problem, OSError):
        return None


def beginning(names: Iterable[str], incomplete: str) -> list[str]:
    """Those that begin as a word does, each once, that a shell may write to a terminal as they are."""
    found = [name for name in dict.fromkeys(names) if name.lower().startswith(incomplete.lower())]
    return [name for name in found if name.isprintable()]
