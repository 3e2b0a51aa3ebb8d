"""Playing a command for somebody: asking at the terminal, answering what is pending, finding who is meant."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from strike_cli.refusals import TakenBack

from ..problems import Usage, printable
from ..reading import is_number
from .lookup import find_character, find_one, find_word
from .narrate import played
from .options import Options, in_a_script
from .result import Result, complain

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..kernel.procedure import Choose
    from ..play.execute import How, Performed
    from ..play.moves import Given


__all__ = ["find_character", "find_one", "find_word"]


def with_dice(
    options: Options, campaign: Campaign | None, how: How, played: Callable[[], Performed]
) -> Performed:
    """Play, asking for the faces of what is rolled with dice on the table, where there are any."""
    if not options.asks_dice and (campaign is None or not campaign.book.dice):
        return played()
    from .physical_dice import asking_for_faces

    return asking_for_faces(options, campaign, how, played)


Decide = Callable[["Performed"], "str | None"]
"""Who answers before anybody is asked, told how far the command came: an option, or None for what people must
decide."""


def play(
    options: Options,
    campaign: Campaign | None,
    name: str,
    args: Given,
    *,
    more_dice: str | None = None,
    decide: Decide | None = None,
) -> Performed:
    """Play a command. At a terminal whoever must decide is asked at once; else the decision stays pending."""
    from ..play.execute import perform

    if campaign is None or not (options.interactive or decide):
        how = options.how(more_dice=more_dice)
        performed = with_dice(options, campaign, how, lambda: perform(campaign, name, args, how))
    else:
        performed = _play_asking(options, campaign, name, args, more_dice, decide)
    if campaign is not None and performed.seq:
        leave_drain(campaign)
    return performed


def go_on_from(campaign: Campaign, performed: Performed) -> None:
    """Let what comes after a command that was only tried be tried from there. The campaign in memory is not
    the one on the disk from then on: nothing may be recorded in it."""
    from ..kernel.facts import apply_fact

    for fact in performed.facts:
        campaign.state = apply_fact(campaign.state, fact)
    campaign.head.commands += 1


def leave_drain(campaign: Campaign) -> None:
    """After a command was recorded: targets with `auto = true` get a drain of their own, which nobody
    waits for."""
    targets = {name: target for name, target in campaign.book.targets.items() if target["auto"]}
    if targets and not in_a_script():
        from strike_bridge.drain import leave_drain as leave

        for name in leave(campaign.folder, targets):
            # Every time: whoever plays believes that the table sees it.
            complain(f"{name} is told nothing yet: `strike bridge allow {name}` shows its address, and asks.")


def _play_asking(
    options: Options,
    campaign: Campaign,
    name: str,
    args: Given,
    more_dice: str | None,
    decide: Decide | None,
) -> Performed:
    from ..play.execute import perform

    performed = None
    choices = list(options.choices)
    shown = 0
    while True:
        how = options.how(choices=choices, more_dice=more_dice)
        how.keep_pending, how.asking = False, True
        before = performed
        performed = with_dice(options, campaign, how, partial(perform, campaign, name, args, how, before))
        performed.shown = shown
        if performed.pending is None:
            return performed
        answer = decide(performed) if decide else None
        if answer is None and options.interactive:
            # Others may write while somebody thinks; the command is played on from what was answered.
            with contextlib.suppress(OSError):  # it is told when the script ends
                campaign.sync()
            campaign.close()
            answer = ask(performed)
            campaign.reopen()
            shown = len(performed.facts)
        if answer is None:
            answer = performed.pending.default
        if answer is None:
            return perform(campaign, name, args, options.how(choices=[], more_dice=more_dice), performed)
        choices = [answer]


def ask(came: Performed) -> str | None:
    """Put a decision to whoever sits at the terminal; None where they leave it open (an empty line, `later`).

    Raises Refused where they take the command back (`undo`): nothing of it was recorded.
    """
    from .encoding import as_typed
    from .narrate import question_lines, told_lines
    from .result import as_text, say

    assert came.pending is not None
    say(as_text([*told_lines(came), *question_lines(came.pending, prompting=True)]))
    while True:
        try:
            word = as_typed(input("? ")).strip()
        except EOFError:
            return None
        if not word or word == LATER:
            return None
        if word == "undo":
            raise TakenBack()
        if word in ("?", "help"):
            say(as_text(question_lines(came.pending, prompting=True)))
            continue
        try:
            return _with_own_words(came.pending, option_typed(came.pending, word))
        except Usage as problem:
            say(printable(problem.message) + "\n")


def _with_own_words(question: Choose, option: str) -> str:
    """An answer with the words that it takes, where there are none yet: they are asked for. An empty line
    adds none."""
    from .encoding import as_typed

    asks = question.about.worded.get(option, "") if question.about else ""
    if not asks:
        return option
    try:
        words = as_typed(input(f"{asks} ")).strip()
    except EOFError:
        words = ""
    return f"{option}: {words}" if words else option


LATER = "later"
"""What leaves a decision open."""


def option_typed(question: Choose, word: str) -> str:
    """The option that a word means: its number, itself, or a unique beginning. Raises Usage."""
    from ..kernel.drive import match_option

    options = question.options
    if is_number(word) and word not in options and 1 <= int(word[:9]) <= len(options):
        return options[int(word) - 1]
    return match_option(question, word)


def _as_one(item: Mapping[str, object], answers: list[str]) -> list[str]:
    """Answers of several words that are one in one's own words: `choose the guard hears`. Where the second is
    an option, too, each is an answer."""
    from .narrate import question_of

    asked = question_of(item)
    worded = asked.about.worded if asked.about else {}
    if len(answers) < 2 or not worded or answers[1].lower() in asked.options:
        return answers
    known = any(option.startswith(answers[0].lower()) for option in asked.options if option not in worded)
    return answers if known else [" ".join(answers)]


def answer_pending(
    options: Options,
    answers: list[str],
    scene: str = "",
    check: Callable[[Campaign], None] = lambda campaign: None,
) -> Result:
    """Answer a pending decision: the one of `scene`, else the one that the first answer fits. `check` may
    refuse it, with the campaign as it is under the lock."""
    from ..play.execute import choose as answer
    from ..play.execute import pending_scene

    with options.campaign(writing=True) as campaign:
        check(campaign)
        which = pending_scene(campaign, scene, answers[0])
        answers = _as_one(campaign.state["pending"][which], answers)
        how = options.how(choices=[*answers, *options.choices])
        how.asking = how.asking or options.interactive
        performed = with_dice(options, campaign, how, lambda: answer(campaign, which, how))
        if performed.seq:
            leave_drain(campaign)
        return played(performed, campaign, explain=options.explain)
