"""`strike bridge doctor`: finds faults of a target and suggests remedies. It changes nothing."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from strike_cli.problems import CampaignProblem, Problem, listed, pluralize

from .address import origin_of
from .authenticated_wire import SessionWire
from .delivery_record import load_or_make_cursor, require_same_journal
from .http_conversation import Answer
from .journal_reader import JournalReader
from .request_outcome import SPEAKS_HTTPS, Outcome, OutcomeKind, end_with_full_stop
from .server_clock import parse_http_date
from .settings import Settings, read_targets
from .targets import make_target_checking_consent
from .targets.base import Finding, ListedToken, Target
from .token_links import names_of_tokens_to_send

SKEW = 60.0
"""Seconds that two clocks may differ before signatures and times of results look wrong."""


def settings_faults(folder: Path, excluded: Collection[str] = ()) -> list[Finding]:
    """Return the faults of the targets in campaign.toml that can be found without a request.

    The targets named in `excluded` are left out, because their faults are known already.
    """
    found = []
    try:
        targets = read_targets(folder)
    except Problem:
        return []  # reported by the check of the files
    for settings in targets.values():
        if settings.name in excluded:
            continue
        try:
            make_target_checking_consent(folder, settings, with_key=False)
        except Problem as problem:
            found.append(Finding(problem.message, False, problem.hint))
    return found


def check_target(folder: Path, settings: Settings) -> list[Finding]:
    """Check a target, and return the findings.

    The checks are about settings, agreement, key, address, clock, links and deliveries. The kind of the
    target may add checks. Some checks are left out if an earlier one fails. The requests change nothing at
    the target.
    """
    try:
        target = make_target_checking_consent(folder, settings, with_key=False)
    except Problem as problem:
        return [Finding(problem.message, False, problem.hint)]
    findings = [Finding(f"Settings OK: {settings.kind} at {target.shown_address}.")]
    cursor = load_or_make_cursor(folder, settings.name)
    findings += target.offline_findings(
        JournalReader(folder).read_backlog(cursor.position, cursor.acknowledged).now
    )
    try:
        target = make_target_checking_consent(folder, settings)
        findings += _check_by_requests(folder, target)
    except Problem as problem:
        findings += [Finding(problem.message, False, problem.hint), _NOT_CONTACTED]
    findings += _delivery_findings(folder, settings)
    return [
        each._replace(what=target.redact(each.what), remedy=target.redact(each.remedy)) for each in findings
    ]


_NOT_CONTACTED = Finding("Not contacted.", tried=False)


def _check_by_requests(folder: Path, target: Target) -> list[Finding]:
    """Return the findings of requests that change nothing.

    For a kind of target without a `probe`, no request is sent, and the only finding is "Not contacted".
    """
    if target.probe() is None:
        why = f"{target.name} can't be asked without sending it something"
        return [Finding(f"Not contacted: {why}.", tried=False)]
    load_or_make_cursor(folder, target.name).share_with(target)
    with contextlib.closing(SessionWire(folder, target)) as wire:
        findings = [*_check_answers(target, wire)]
        if all(finding.well for finding in findings):
            looked = wire.ask_catching_plugin_errors(lambda wire: list(target.own_findings(wire)))
            findings += [Finding(looked.why, False)] if isinstance(looked, Outcome) else looked
            findings += _check_links_and_unlinked_tokens(
                folder, target, wire, " ".join(finding.what for finding in findings)
            )
    return findings


def _check_answers(target: Target, wire: SessionWire) -> Iterator[Finding]:
    """Yield findings on whether a target answers, accepts the key, and has the right time."""
    probe = target.probe()
    if probe is None:
        return
    answer = wire.send(probe)
    outcome = answer if isinstance(answer, Outcome) else target.outcome(probe, answer, time.time())
    if (
        isinstance(answer, Outcome)
        and answer.kind is OutcomeKind.UNKNOWN
        and _expects_tls_despite_http(target)
    ):
        yield Finding(f"It hung up: {SPEAKS_HTTPS}.", False)
    elif outcome.unreachable:
        yield Finding(f"Nobody answers: {outcome.why}.", False, target.remedy(outcome))
    elif outcome.status in (401, 403):
        yield Finding(f"It answers, but {outcome.why}.", False, target.remedy(outcome))
    elif outcome.status == 429:
        yield Finding(f"It answers, but wants fewer requests: {outcome.why}.", False, "Wait a while.")
    elif outcome.kind is not OutcomeKind.APPLIED:
        yield Finding(f"It answers, but wrongly: {outcome.why}.", False, target.remedy(outcome))
    else:
        minds = target.requires_key(wire)
        yield Finding(f"It answers{' and accepts the key' if minds else ''}.")
        if target.key_variable and not minds:
            yield Finding("It answers the same without the key, so the key is not tried.", tried=False)
    if isinstance(answer, Answer):
        yield from _compare_clocks(answer)


def _expects_tls_despite_http(target: Target) -> bool:
    """Return whether a target expects TLS although its address begins with http://.

    To find out, only the first message of a TLS connection is sent.
    """
    from .http_transport import speaks_tls

    origin = origin_of(target.address)
    return origin.scheme == "http" and speaks_tls(origin)


def _compare_clocks(answer: Answer) -> Iterator[Finding]:
    there = parse_http_date(answer.headers.get("date", ""))
    if there is None:
        return
    skew = there.timestamp() - time.time()
    if abs(skew) <= SKEW:
        yield Finding("The clocks agree.")
    else:
        way = "ahead of" if skew > 0 else "behind"
        remedy = "Set the clock of one of them: signed requests may be refused."
        yield Finding(f"Its clock is {abs(skew):.0f} seconds {way} this one.", False, remedy)


def _check_links_and_unlinked_tokens(
    folder: Path, target: Target, wire: SessionWire, reported: str
) -> Iterator[Finding]:
    """Yield findings on unlinked tokens, and on links that lead to no token or to another creature's.

    `reported` is the text of all earlier findings. An error that is part of this text isn't repeated.
    """
    if not target.supports.links:
        return
    names = names_of_tokens_to_send(folder, target.settings)
    lacking = [name for id, name in names.items() if id not in target.links]
    if lacking and not target.may_create:
        remedy = "`strike bridge link --auto` links by name."
        if target.supports.create:
            remedy = "`strike bridge link --auto`, or create = true in campaign.toml creates them."
        elif target.settings.create:
            remedy = "Tokens can't be made there from outside: make them in the tabletop, then link."
        yield Finding(f"Not linked: {listed(lacking)}.", False, remedy)
    found = wire.ask_catching_plugin_errors(target.find_tokens) if target.supports.find else []
    if isinstance(found, Outcome):
        if found.why.lower() not in reported.lower():
            yield Finding(f"Its tokens can't be listed: {found.why}.", False, "")
        return
    astray = [*_missing_or_swapped_links(target, names, found)] if target.supports.find else []
    yield from astray
    if names and not astray and (target.may_create or not lacking):
        leads = "" if target.supports.find else "; the links can't be checked"
        yield Finding(f"Every token is linked, or will be made when needed{leads}.")


def _missing_or_swapped_links(
    target: Target, names: Mapping[str, str], tokens: Sequence[ListedToken]
) -> Iterator[Finding]:
    """Yield findings for links that lead to another creature's token, or to no token."""
    theirs, bears = list(target.links.values()), {token.id: token.ours for token in tokens}
    wrong = [
        id
        for id, link in target.links.items()
        if theirs.count(link) > 1 or bears.get(link, "") in {*target.links} - {id}
    ]
    if wrong:
        remedy = "`strike bridge push` moves them to review; then link each to its own."
        yield Finding(f"Links lead to other creatures' tokens: {listed(wrong)}.", False, remedy)
    there = {token.id for token in tokens}
    dead = [id for id in names if id in target.links and target.links[id] not in there]
    if dead:
        remedy = "`strike bridge unlink WHO`, then link the right one. Is the right scene shown?"
        yield Finding(f"Links lead to missing tokens: {listed(dead)}.", False, remedy)


def _delivery_findings(folder: Path, settings: Settings) -> Iterator[Finding]:
    """Yield findings on deliveries: the last error, the next attempt, the queue, and the items to review."""
    cursor = load_or_make_cursor(folder, settings.name)
    journal = JournalReader(folder)
    try:
        require_same_journal(cursor, journal)
    except CampaignProblem as problem:
        yield Finding(problem.message, False, problem.hint)
        return
    waits = journal.count_entries_after(cursor.acknowledged)
    again = f"`strike bridge push {settings.name}`"
    if cursor.off:
        yield Finding("It switched itself off (410).", False, f"{again} switches it on again.")
    elif cursor.last_error:
        later = ""
        if cursor.next_attempt:
            at = datetime.fromtimestamp(cursor.next_attempt).astimezone()
            later = f" Next attempt at {at:%H:%M:%S on %Y-%m-%d}."
        yield Finding(
            f"The last delivery failed: {end_with_full_stop(cursor.last_error)}{later}",
            False,
            f"{again} tries now.",
        )
    if waits:
        yield Finding(f"{pluralize(waits, 'entry waits', 'entries wait')} to be delivered: {again}.")
    elif not cursor.last_error and not cursor.destination:
        yield Finding("It has received nothing yet.")
    elif cursor.doubt or cursor.creating or cursor.under_way:
        yield Finding(
            "A worker ended in the middle of its work, or is still running.", False, f"{again} settles it."
        )
    elif not (cursor.last_error or cursor.review or cursor.unlinked):
        yield Finding("It has received everything.")
    if cursor.review:
        resend, drop = f"`strike bridge resend {settings.name}`", f"`strike bridge drop {settings.name}`"
        yield Finding(
            f"{len(cursor.review)} to review.", False, f"`strike bridge review`, then {resend} or {drop}."
        )


def past_delivery_faults(folder: Path, excluded: Collection[str] = ()) -> Iterator[Finding]:
    """Yield the recorded faults of earlier deliveries to all targets, for `strike doctor`.

    No request is sent. The targets named in `excluded` are left out.
    """
    try:
        targets = read_targets(folder)
    except Problem:
        return  # reported by the check of the files
    for settings in targets.values():
        if settings.name in excluded:
            continue
        try:
            found = [each for each in _delivery_findings(folder, settings) if not each.well]
        except Problem as problem:
            found = [Finding(problem.message, False, problem.hint)]
        for each in found:
            yield Finding(f"bridge {settings.name}: {each.what}", False, each.remedy)
