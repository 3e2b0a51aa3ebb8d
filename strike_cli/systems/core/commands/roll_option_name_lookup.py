"""Look-up of the names after --using (an item with Flaws), --asking (a creditor) and --ignore (a reason).

A word that only resembles a name is never accepted silently.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.problems import Usage, did_you_mean, listed
from strike_cli.terminal.name_lookup import find_id_if_any

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.kernel.procedure import World

SMALL_WORDS = frozenset(["a", "an", "and", "of", "the"])


def resolve_known_names_in_roll_options(
    campaign: Campaign | None, people: Sequence[str], typed: Mapping[str, object], helpers: Sequence[str] = ()
) -> dict[str, object]:
    """Return a roll's typed options, with the names in `using`, `asking` and `ignore` looked up.

    `people` are the rollers. The item in `using` belongs to the first of them. Without a campaign, nothing is
    looked up.

    Raises Usage for a name that means several things, or that only resembles a known name. An unknown name
    stays as it is typed; only in `ignore`, it raises Usage.
    """
    found = dict(typed)
    if campaign is None:
        return found
    from strike_cli.kernel.procedure import World

    world = World(campaign.book, campaign.state)
    if found.get("using") and people:
        found["using"] = find_flawed_item_or_keep_typed(world, people[0], str(found["using"]))
    if found.get("asking"):
        found["asking"] = find_creditor_or_keep_typed(world, str(found["asking"]))
    if found.get("ignore"):
        found["ignore"] = [
            id_
            for word in cast("Sequence[str]", found["ignore"])
            for id_ in _find_reasons_to_ignore(world, people, helpers, word)
        ]
    return found


def find_flawed_item_or_keep_typed(world: World, person: str, typed: str) -> str:
    """Return the item that the typed words mean, if the person has an item with a Flaw and this name.

    The item is spelled as in the Flaw. If the words are the id of a Flaw, return the id. If they mean no item
    with a Flaw, return them as typed. Raises Usage if they only resemble the name of such an item.
    """
    from strike_cli.tabletop.characters_and_names import character_changes_of

    flaws = character_changes_of(world, person).get("flaws", ())
    if typed.lower() in [flaw["id"] for flaw in flaws]:
        return typed.lower()
    how = "Give its full name or the Flaw's id, or leave out --using for another item."
    return _resolve_option_name("--using", typed, _names_by_lower_case(flaw["on"] for flaw in flaws), how)


def find_creditor_or_keep_typed(world: World, typed: str) -> str:
    """Return the name that was typed for the person to whom the party owes a Favor.

    It may also be the name of an associate of this person. A known name is returned in full. Unknown words
    are returned as typed. Raises Usage if the words only resemble a known name.
    """
    from ..roll_circumstances import favors_owed

    owed = [favor for _, favor in favors_owed(world)]
    names = (name for favor in owed for name in (favor["to"], *favor.get("associates", ())))
    how = "Give the full name. If nobody owes them a Favor, leave out --asking."
    return _resolve_option_name("--asking", typed, _names_by_lower_case(names), how)


def _names_by_lower_case(names: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(name.lower(), name)
    return found


def _resolve_option_name(option: str, typed: str, names: Mapping[str, str], hint: str) -> str:
    key = find_id_if_any(typed, names)
    if key is not None:
        return names[key]
    near = [name for name in names.values() if _is_similar_name(typed, name)]
    if near:
        raise Usage(f"{option} {typed!r}: did you mean {listed(map(repr, near))}?", hint)
    return typed


def _is_similar_name(typed: str, name: str) -> bool:
    """Return whether two names are easily confused.

    They are if they are similar, if one contains the other, or if they have a word in common.
    """
    low, other = typed.strip().lower(), name.lower()
    shared = {*low.split()} & {*other.split()} - SMALL_WORDS
    return bool(low) and (low in other or other in low or bool(shared) or bool(did_you_mean(low, [other])))


def _find_reasons_to_ignore(
    world: World, people: Sequence[str], helpers: Sequence[str], word: str
) -> list[str]:
    """Return the ids of the reasons that a word in --ignore means.

    The word can name a Condition, or another reason that may affect a roll of one of `people`. If the word
    begins with the name of one of `helpers`, it is about the helper's roll: `odo:winded`. The returned ids
    then begin with the helper's name, too.
    """
    from ..roll_circumstances import names_of_possible_automatic_reasons

    owner, colon, rest = word.partition(":")
    whose = find_id_if_any(owner, {name: name for name in helpers}) if colon else None
    if whose is not None:
        return [
            f"{whose}:{id_}"
            for id_ in _find_reason_ids(
                word,
                rest,
                _names_of_all_conditions(world) | names_of_possible_automatic_reasons(world, whose),
            )
        ]
    table = _names_of_all_conditions(world)
    for person in people:
        table |= names_of_possible_automatic_reasons(world, person)
    return _find_reason_ids(word, word, table)


def _names_of_all_conditions(world: World) -> dict[str, tuple[str, ...]]:
    """Return the names of all Conditions in the book, by id.

    With them, --ignore may name a Condition that nobody has.
    """
    return {key: (str(item["name"]),) for key, item in world.book.conditions.items()}


def _find_reason_ids(typed: str, word: str, names_by_id: Mapping[str, Collection[str]]) -> list[str]:
    """Return the ids of the reasons that a typed `word` means.

    `names_by_id` has the possible ids, each with its names. The word can be an id, the last part of an id, or
    a name. It can also be the beginning of one of these, if only one id fits.

    Raises Usage if no id fits, or if the word is only the beginning of several. The error message shows
    `typed`, the whole text of which `word` is a part.
    """
    from strike_cli.tabletop.characters_and_names import slug

    low = slug(word)
    words = {
        id_: [slug(name) for name in (id_, id_.rpartition(":")[2], *names)]
        for id_, names in names_by_id.items()
    }
    whole = [id_ for id_, known in words.items() if low in known]
    if whole:
        return whole
    begins = [id_ for id_, known in words.items() if any(one.startswith(low) for one in known if one)]
    shown = [next(iter(names), id_) for id_, names in names_by_id.items()]
    if len(begins) == 1 and low != slug(""):
        return begins
    if begins and low != slug(""):
        raise Usage(f"--ignore {typed!r} could be {listed(begins)}.", "Give more of the name.")
    raise Usage(
        f"--ignore {typed!r}: there is no such condition, flaw, favor or bonus.{did_you_mean(word, shown)}",
        "A roll lists all of its modifiers, and `strike odds` lists them beforehand.",
    )
