"""`strike bridge doctor`: what is the matter with a target, and what to do about it. Changes nothing."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path

from strike_cli.problems import Problem, listed

from .cursor import open_cursor
from .journal_reader import JournalReader
from .linking import ours
from .outcome import Kind, Outcome
from .session import SessionWire
from .settings import Settings, read_targets
from .targets import make_target
from .targets.base import Finding, Target
from .wire import Answer

SKEW = 60.0
"""Seconds that two clocks may differ before signatures and times of results look wrong."""


def set_up_wrongly(folder: Path) -> list[Finding]:
    """What is wrong with `[bridge.targets]` of campaign.toml, as far as it can be told without asking."""
    found = []
    try:
        targets = read_targets(folder)
    except Problem:
        return []  # whoever checks the files says so
    for settings in targets.values():
        try:
            make_target(folder, settings, with_key=False)
        except Problem as problem:
            found.append(Finding(problem.message, False, problem.hint))
    return found


def check(folder: Path, settings: Settings) -> list[Finding]:
    """Settings, key, address, clock, what the kind itself looks at, links, and what waits for people."""
    try:
        target = make_target(folder, settings, with_key=False)
    except Problem as problem:
        return [Finding(problem.message, False, problem.hint)]
    findings = [Finding(f"The settings are well: {settings.kind} at {target.address}.")]
    cursor = open_cursor(folder, settings.name)
    findings += target.trial(JournalReader(folder).read(cursor.position, cursor.acknowledged).now)
    try:
        target = make_target(folder, settings)
    except Problem as problem:
        return [*findings, Finding(problem.message, False, problem.hint)]
    cursor.lend_to(target)
    with contextlib.closing(SessionWire(folder, target)) as wire:
        asked = list(_asked(target, wire))
        findings += asked
        if all(finding.well for finding in asked):
            looked = wire.inquire(lambda wire: list(target.checks(wire)))
            findings += [Finding(looked.why, False)] if isinstance(looked, Outcome) else looked
            findings += _links(folder, target, wire, " ".join(finding.what for finding in findings))
    findings += _waiting(folder, settings)
    return [Finding(target.redacted(each.what), each.well, target.redacted(each.remedy)) for each in findings]


def _asked(target: Target, wire: SessionWire) -> Iterator[Finding]:
    """Whether it answers, takes the key, and has the time of day."""
    probe = target.probe()
    if probe is None:
        return
    answer = wire.send(probe)
    outcome = answer if isinstance(answer, Outcome) else target.outcome(probe, answer, time.time())
    if outcome.unreachable:
        yield Finding(f"Nobody answers: {outcome.why}.", False, target.remedy(outcome))
    elif outcome.status in (401, 403):
        yield Finding(f"It answers, but {outcome.why}.", False, target.remedy(outcome))
    elif outcome.status == 429:
        yield Finding(f"It answers, but wants to be asked less often: {outcome.why}.", False, "Wait a while.")
    elif outcome.kind is not Kind.APPLIED:
        yield Finding(f"It answers, but not as it should: {outcome.why}.", False, target.remedy(outcome))
    else:
        yield Finding(f"It answers{' and takes the key' if target.key_variable else ''}.")
    if isinstance(answer, Answer):
        yield from _clock(answer)


def _clock(answer: Answer) -> Iterator[Finding]:
    try:
        skew = parsedate_to_datetime(answer.headers["date"]).timestamp() - time.time()
    except (KeyError, ValueError, TypeError):
        return
    if abs(skew) <= SKEW:
        yield Finding("The clocks agree.")
    else:
        way = "ahead of" if skew > 0 else "behind"
        remedy = "Set the clock of one of them: what is signed with a time may be refused."
        yield Finding(f"Its clock is {abs(skew):.0f} seconds {way} this one.", False, remedy)


def _links(folder: Path, target: Target, wire: SessionWire, said: str) -> Iterator[Finding]:
    """Whether each of our tokens has one there, and each link leads to one. What was `said` before is not
    said again."""
    if not target.supports.links:
        return
    names = ours(folder, target.settings)
    lacking = [name for id, name in names.items() if id not in target.links]
    if lacking and not target.may_create:
        remedy = "`strike bridge link --auto` links by name."
        if target.supports.create:
            remedy = "`strike bridge link --auto`, or create = true in campaign.toml to have them made."
        elif target.settings.create:
            remedy = "Tokens can't be made there from outside: make them there, then link."
        yield Finding(f"Not linked: {listed(lacking)}.", False, remedy)
    elif names:
        yield Finding("Every token is linked, or made when it is needed.")
    if not target.supports.find:
        return
    found = wire.inquire(target.find_tokens)
    if isinstance(found, Outcome):
        if found.why.lower() not in said.lower():
            yield Finding(f"Its tokens can't be listed: {found.why}.", False, "")
        return
    their_ids = {token.id for token in found}
    dead = [id for id in names if id in target.links and target.links[id] not in their_ids]
    if dead:
        remedy = "`strike bridge unlink WHO`, then link the right one. Is the right scene shown?"
        yield Finding(f"Links lead to tokens that aren't there: {listed(dead)}.", False, remedy)


def _waiting(folder: Path, settings: Settings) -> Iterator[Finding]:
    """What stands in the way of the queue."""
    cursor = open_cursor(folder, settings.name)
    if cursor.off:
        yield Finding("It switched itself off (410).", False, f"`strike bridge push {settings.name}`.")
    if cursor.review:
        count = len(cursor.review)
        yield Finding(f"{count} to review.", False, "`strike bridge review`, then `resend` or `drop`.")
