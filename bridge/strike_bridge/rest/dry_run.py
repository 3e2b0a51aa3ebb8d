"""A dry run of a REST target's requests, for samples and for the current scene. Nothing is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.refusals import NoTomlTarget

from .. import samples
from ..delivery_record import new_cursor, open_cursor
from ..http_request import PLANNED, Answer, Request, Requests, converse
from ..journal_reader import JournalReader
from ..journal_results import Post
from ..reconciliation_plan import Reconciler
from ..request_outcome import APPLIED, Outcome
from ..settings import Settings
from ..state_projection import ShownTable
from ..targets import make_target
from ..targets.base import Target
from ..targets.rest_connection import RestConnection
from .template_engine import Placeholder

if TYPE_CHECKING:
    from ..payloads import ShownExhibit, ShownToken
    from ..targets.rest import RestTarget

_MOST = 50
"""The maximum number of requests of one attempt."""


class TriedRequest(NamedTuple):
    """The requests for one change, which `what` names, and the `fault` that ended them, if any."""

    what: str
    requests: Sequence[Request]
    fault: str = ""


def try_requests(
    target: RestTarget, shown: ShownTable, posts: Iterable[Post] = (), exhibits: Sequence[ShownExhibit] = ()
) -> Iterator[TriedRequest]:
    """Yield the requests for a new scene with its tokens, for exhibits, results and removals.

    This changes `target`, which can't be used for anything else afterwards.
    """
    told = target.filter_sent(shown)
    target.links, target.created_ids, target.memory = {}, [], {}
    target.acknowledged = told.tokens
    if target.supports.whole:
        yield _try_step(target, "the scene", partial(target.put_whole, told))
    elif told.scene is not None:
        if told.scene["rows"]:
            yield _try_step(target, "the scene", partial(target.put_scene, told.scene))
        for id, token in told.tokens.items():
            on_map = token["position"] or token["away"]
            if target.supports.links and not (target.supports.create and on_map):
                target.links[id] = Placeholder("<id>")
            yield _try_step(target, token["name"], partial(target.put_token, token, None))
        if told.order is not None:
            yield _try_step(target, "the turn order", partial(target.put_order, told.order))
    if exhibits:
        yield _try_step(target, "clocks and handouts", partial(target.put_exhibits, list(exhibits)))
    for post in posts:
        yield _try_step(target, post.result["title"], partial(target.send_result, post))
    if not target.supports.whole:
        yield from _try_removals(target, told.tokens)
    yield _try_step(target, "the scene's end", target.clear_scene)


def _try_removals(target: RestTarget, tokens: Mapping[str, ShownToken]) -> Iterator[TriedRequest]:
    for made in (True, False):
        for id, token in list(tokens.items())[:1]:
            target.links.setdefault(id, Placeholder("<id>"))
            target.created_ids = [id] if made else []
            yield _try_step(target, f"{token['name']} leaves", partial(target.remove_token, id))
    target.created_ids = list(tokens)


def _try_step(target: RestTarget, what: str, requests: Callable[[], Requests]) -> TriedRequest:
    made: list[Request] = []

    def record_request(request: Request) -> Answer | Outcome:
        made.append(request)
        if request.creates:
            target.links[request.creates] = target.token_id(request, PLANNED)
        return PLANNED if len(made) < _MOST else APPLIED

    outcome = converse(requests(), record_request)
    return TriedRequest(what, made, outcome.why)


def newest_result_posts(folder: Path, target: RestTarget) -> list[Post]:
    """Return the newest result of the current evening that the target would be sent, as a list.

    The list is empty if there is none.
    """
    cursor, journal = new_cursor(folder, target.name), JournalReader(folder)
    backlog = journal.read_backlog(cursor.position, cursor.acknowledged)
    found: list[Post] = []
    for step in Reconciler(target, cursor, journal).steps(backlog):
        found = [step.post] if step.post and not step.post.mark else found
        step.settle()
    return found


def try_current_scene(folder: Path, settings: Settings) -> tuple[list[TriedRequest], RestTarget, bool]:
    """Return the requests for the current scene, the target, and whether a sample was used.

    The requests are those that would be made if the target had nothing of the scene yet. If no scene is under
    way, a sample is used.
    """
    target = make_target(folder, settings, with_key=False)
    if not isinstance(target, RestConnection):
        raise NoTomlTarget(settings.name, f"`strike bridge push {settings.name} --dry-run`.")
    tried = cast("RestTarget", target)
    cursor = open_cursor(folder, settings.name)
    now = JournalReader(folder).read_backlog(cursor.position, cursor.acknowledged).now
    shown = Target.project(tried, now)
    posts = newest_result_posts(folder, tried)
    sample = shown.scene is None
    if sample:
        shown = samples.sample_scenes(gm=tried.for_gm, hp=settings.hp)[0].shown
    told = posts or [post for _, post in samples.sample_results(gm=False)[:1]]
    exhibits = shown.exhibits or samples.EXHIBITS
    return list(try_requests(tried, shown, told, exhibits)), tried, sample


def template_faults(target: Callable[[], RestTarget]) -> dict[str, str]:
    """Return the faults that templates show when samples are filled in.

    The keys are the faults' texts, and each value is the first sample that shows the fault. `target` is
    called once for each sample, to make a new target.
    """
    found: dict[str, str] = {}
    settings = target().settings
    gm = target().for_gm
    for sample in samples.sample_scenes(gm=gm, hp=settings.hp):
        for attempt in try_requests(target(), sample.shown, (), samples.EXHIBITS):
            if attempt.fault:
                found.setdefault(attempt.fault, sample.name)
    for name, post in samples.sample_results(gm=gm):
        for attempt in try_requests(target(), ShownTable(None, {}, None), [post]):
            if attempt.fault:
                found.setdefault(attempt.fault, name)
    return found
