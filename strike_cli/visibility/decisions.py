"""Open decisions as an audience may know them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..kernel import statements
from ..kernel.statements import say
from ..registry.scenes import so_far_in_words
from ..tabletop.scene import Asked, Scene
from .audience import PARTY, Audience
from .speaker import PlayersSpeaker, TableNames, Unknown


def asked_for(asked: Asked | None, scenes: Sequence[Scene], audience: Audience) -> Asked | None:
    """An open decision as an audience may know it; `scenes` are all that are on the table.

    None where it is secret, or somebody hidden decides or is what it is about. Options, words and dice that
    name somebody hidden are left out. Where numbers are kept from players, so are the words and dice that led
    to it and what its options would bring: nothing says which of them tell a number.
    """
    if asked is None or audience.gm:
        return asked
    if "names" in asked.item:
        return _asked_as_known(asked, scenes, audience)
    kept = TableNames(scenes).kept
    if asked.secret or kept.told_in(asked.who, asked.what, asked.text):
        return None
    labels = asked.labels or ("",) * len(asked.options)
    pairs = [pair for pair in zip(asked.options, labels, strict=False) if not kept.told_in(pair)]
    others = any(one.meters and one.side != PARTY for scene in scenes for one in scene.people.values())
    silent = others and audience.meters != "exact"
    return asked._replace(
        options=tuple(option for option, _ in pairs),
        labels=() if silent or not asked.labels else tuple(label for _, label in pairs),
        said=() if silent else tuple(words for words in asked.said if not kept.told_in(words)),
        dice=() if silent else tuple(roll for roll in asked.dice if not kept.told_in(roll)),
    )


def _asked_as_known(asked: Asked, scenes: Sequence[Scene], audience: Audience) -> Asked | None:
    """A decision of which the state keeps fields, in words for an audience."""
    table, item = TableNames(scenes), asked.item
    numberless = () if audience.meters == "exact" else {who for who, _ in table.others}
    hidden = {who: name for who, name in table.hidden.items() if who not in table.seen}
    speaker = PlayersSpeaker(item["names"], Unknown(hidden, table.secret_zones, table.kept), numberless)
    text = None if asked.secret or not speaker.knows("person", asked.who) else _question(asked, speaker)
    if text is None:
        return None
    options = list(_known_options(asked, speaker))
    said = (so_far_in_words(fact, speaker) for fact in item.get("said", ()))
    return asked._replace(
        text=text,
        options=tuple(option for option, _ in options),
        labels=tuple(label for _, label in options) if any(label for _, label in options) else (),
        said=tuple(words for words in said if words),
        dice=tuple(roll for roll in asked.dice if speaker.knows("person", roll.who)),
        item={},
    )


def _question(asked: Asked, speaker: PlayersSpeaker) -> str | None:
    """What is to be decided; None where it is about what players don't know of."""
    if "about" in asked.item:
        return say(statements.statement_of(asked.item["about"]["decision"], asked.item["about"]), speaker)
    return asked.text if speaker.may_read(asked.what) and speaker.may_read(asked.text) else None


def _known_options(asked: Asked, speaker: PlayersSpeaker) -> Iterator[tuple[str, str]]:
    """The options that name nobody whom players don't know of, each with what it means, as far as they may
    know."""
    item, labels = asked.item, asked.labels or ("",) * len(asked.options)
    about = statements.statement_of(item["about"]["decision"], item["about"]) if "about" in item else None
    for number, option in enumerate(asked.options):
        if "means" in item:
            means = item["means"][number]
            clause = statements.statement_of(means["clause"], means) if "clause" in means else None
            words = say(clause, speaker) if clause else means["text"]
            if words is not None:
                yield option, words
        elif isinstance(about, statements.Decision):
            words = statements.option_words(about, option, speaker)
            if words is not None or option in about.options:
                yield option, words or ""
        elif speaker.may_read(option) and speaker.may_read(labels[number]):
            yield option, labels[number]
