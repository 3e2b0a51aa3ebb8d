"""A dry run of a REST target's requests, for samples and for the current scene. Nothing is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.refusals import NotTomlTarget

from .. import sample_payloads
from ..delivery_record import load_or_make_cursor, new_cursor_at_newest_session
from ..http_conversation import PLANNED, Answer, Request, Requests, converse
from ..journal_reader import JournalReader
from ..journal_results import Post
from ..reconciliation_plan import Reconciler
from ..request_outcome import APPLIED, Outcome
from ..settings import Settings
from ..state_projection import ShownTable
from ..targets import make_target_checking_consent
from ..targets.base import Target
from ..targets.rest_connection import RestConnection
from .template_engine import Placeholder

if TYPE_CHECKING:
    from ..payloads import ShownExhibit, ShownToken
    from ..targets.rest import RestTarget

_MOST = 50
"""The maximum number of requests of one attempt."""


class PlannedChange(NamedTuple):
    """The requests that would be sent for one change.

    `what` names the change. `fault` is the error that stopped the planning of its requests, or "".
    """

    what: str
    requests: Sequence[Request]
    fault: str = ""


def plan_requests_using_up_target(
    target: RestTarget, shown: ShownTable, posts: Iterable[Post] = (), exhibits: Sequence[ShownExhibit] = ()
) -> Iterator[PlannedChange]:
    """Yield the requests for a new scene, its tokens, exhibits, results and removals. Nothing is sent.

    `target` is changed, and can't be used for anything else afterwards.
    """
    told = target.filter_sent_and_remember(shown)
    target.links, target.created_ids, target.memory = {}, [], {}
    target.acknowledged = told.tokens
    if target.supports.whole:
        yield _plan_unredacted_change(target, "the scene", partial(target.put_whole, told))
    elif told.scene is not None:
        if told.scene["rows"]:
            yield _plan_unredacted_change(target, "the scene", partial(target.put_scene, told.scene))
        for id, token in told.tokens.items():
            on_map = token["position"] or token["away"]
            if target.supports.links and not (target.supports.create and on_map):
                target.links[id] = Placeholder("<id>")
            yield _plan_unredacted_change(target, token["name"], partial(target.put_token, token, None))
        if told.order is not None:
            yield _plan_unredacted_change(target, "the turn order", partial(target.put_order, told.order))
    if exhibits:
        yield _plan_unredacted_change(
            target, "clocks and handouts", partial(target.put_exhibits, list(exhibits))
        )
    for post in posts:
        yield _plan_unredacted_change(target, post.result["title"], partial(target.send_result, post))
    if not target.supports.whole:
        yield from _plan_sample_removals(target, told.tokens)
    yield _plan_unredacted_change(target, "the scene's end", target.clear_scene)


def _plan_sample_removals(target: RestTarget, tokens: Mapping[str, ShownToken]) -> Iterator[PlannedChange]:
    for made in (True, False):
        for id, token in list(tokens.items())[:1]:
            target.links.setdefault(id, Placeholder("<id>"))
            target.created_ids = [id] if made else []
            yield _plan_unredacted_change(target, f"{token['name']} leaves", partial(target.remove_token, id))
    target.created_ids = list(tokens)


def _plan_unredacted_change(
    target: RestTarget, label: str, requests: Callable[[], Requests]
) -> PlannedChange:
    made: list[Request] = []

    def record_request(request: Request) -> Answer | Outcome:
        made.append(request)
        if request.creates:
            target.links[request.creates] = target.token_id(request, PLANNED)
        return PLANNED if len(made) < _MOST else APPLIED

    outcome = converse(requests(), record_request)
    return PlannedChange(label, made, outcome.why)


def newest_result_post_in_list(folder: Path, target: RestTarget) -> list[Post]:
    """Return the newest result of the current evening that the target would be sent.

    The result is the only item of the list. Without such a result, the list is empty.
    """
    cursor, journal = new_cursor_at_newest_session(folder, target.name), JournalReader(folder)
    backlog = journal.read_backlog(cursor.position, cursor.acknowledged)
    found: list[Post] = []
    for step in Reconciler(target, cursor, journal).state_then_post_steps(backlog):
        found = [step.post] if step.post and not step.post.mark else found
        step.settle()
    return found


def plan_current_or_sample_scene(
    folder: Path, settings: Settings
) -> tuple[list[PlannedChange], RestTarget, bool]:
    """Return the requests for the current scene, the target, and whether a sample scene was used.

    The requests are those for a target that has received nothing of the scene yet. If no scene is under way,
    a sample scene is used. The requests for the newest results, and for clocks and handouts, are included.

    Raises NotTomlTarget if the target isn't of kind rest.
    """
    target = make_target_checking_consent(folder, settings, with_key=False)
    if not isinstance(target, RestConnection):
        raise NotTomlTarget(settings.name, f"`strike bridge push {settings.name} --dry-run`.")
    tried = cast("RestTarget", target)
    cursor = load_or_make_cursor(folder, settings.name)
    now = JournalReader(folder).read_backlog(cursor.position, cursor.acknowledged).now
    shown = Target.project(tried, now)
    posts = newest_result_post_in_list(folder, tried)
    sample = shown.scene is None
    if sample:
        shown = sample_payloads.sample_scenes(gm=tried.for_gm, hp=settings.hp)[0].shown
    told = posts or [post for _, post in sample_payloads.sample_results(gm=False)[:1]]
    exhibits = shown.exhibits or sample_payloads.EXHIBITS
    return list(plan_requests_using_up_target(tried, shown, told, exhibits)), tried, sample


def samples_by_template_fault(target: Callable[[], RestTarget]) -> dict[str, str]:
    """Return the faults that templates show when samples are filled in.

    The keys are the faults' texts, and each value is the first sample that shows the fault. `target` is
    called once for each sample, to make a new target.
    """
    found: dict[str, str] = {}
    settings = target().settings
    gm = target().for_gm
    for sample in sample_payloads.sample_scenes(gm=gm, hp=settings.hp):
        for attempt in plan_requests_using_up_target(target(), sample.shown, (), sample_payloads.EXHIBITS):
            if attempt.fault:
                found.setdefault(attempt.fault, sample.name)
    for name, post in sample_payloads.sample_results(gm=gm):
        for attempt in plan_requests_using_up_target(target(), ShownTable(None, {}, None), [post]):
            if attempt.fault:
                found.setdefault(attempt.fault, name)
    return found
