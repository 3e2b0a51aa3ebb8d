"""Delivers one step to a target: sends its requests, judges the answers, and settles doubts.

If a request may have arrived, it is sent again only if repeating it does no harm (`absolute`). Otherwise the
target is asked first whether the request has arrived. If a step can't be settled, it is put up for people to
review. Begin with `Delivery.deliver`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Protocol
from zlib import crc32

from strike_cli.problems import Problem, listed

from .authenticated_wire import SessionWire, outcome_of_crash
from .delivery_record import Cursor
from .http_conversation import Answer, Request, Requests, converse
from .reconciliation_plan import CLEAR, NEVER_RETRY, DeliveryStep
from .request_outcome import LOST_ALL, Outcome, OutcomeKind
from .targets.base import ListedToken, Target

MAX_SERVER_FAILURES = 6
"""Server failures in a row after which a step is put aside."""
REMEMBERED_RESULTS = 5
"""Results whose identities are remembered, to judge whether a target's list goes back far enough."""
MAX_ATTEMPTS_WITH_PROGRESS = 4
"""The highest attempt count for a step that makes some progress: the target is there, and answers."""
_NONE = ListedToken("", "")
MAX_PASSED_OVER = 3
"""Steps put aside in a row after which the server is to blame, and the queue waits for it."""
_ABOUT_THE_SERVER = (408, 502, 503, 504)
"""HTTP statuses of a server that is overloaded or down, whatever the request."""


_UNSURE = "its file was lost, and it can't be asked for its results"


class SaveCursor(Protocol):
    """A function that saves the cursor."""

    def __call__(self, *, sync: bool = False) -> None:
        """Save the cursor; with `sync`, so that it survives a power cut. Raises CampaignProblem."""


class Delivery:
    """Delivers steps to one target, and records their progress in its cursor.

    `save` stores the cursor; with `sync=True` it survives a power cut.
    """

    def __init__(self, target: Target, cursor: Cursor, wire: SessionWire, save: SaveCursor) -> None:
        self.target = target
        self.cursor = cursor
        self.wire = wire
        self.save = save
        self.sent = 0
        """The number of changing requests that were sent, or found to be done already."""
        self._goes_on = False
        """Whether the current step has an answer to a request that must not be repeated, and continues from
        there."""
        self._links_looked_at = self._sent_one = False
        self._asked = Request("GET", "")
        """The last request of the current step."""

    def deliver(self, step: DeliveryStep) -> Outcome | None:
        """Carry out one step of a delivery.

        Return None if the caller may go on: the step is settled, or people have to review it. Otherwise
        return the outcome that makes the caller wait.
        """
        if self._is_in_doubt(step):
            known = self._settle_or_review_started_step(step)
            if known is True:
                return None
            wait = known or self._outcome_to_await_late_request(step.id)
            if wait is not None:
                return wait
        elif step.post is None:
            stopped = self._unlink_wrong_links_and_stop()
            if stopped is not None:
                return stopped
            self._record_doubt_before_sending(step.subject)
        if (
            step.post is not None
            and step.id not in self.cursor.under_way
            and not self._results_are_resent_unchecked()
        ):
            self._record_start(step.id)
        return self._handle_outcome(step, self.send_step(step))

    def _is_in_doubt(self, step: DeliveryStep) -> bool:
        """Return whether a step may have been sent already. If so, ask the target before sending it.

        This can have several causes:

        - An earlier worker began the step and died.
        - The record of deliveries was lost.
        - The target has `looks_up_first`, and another copy of the campaign may have sent the result.

        The last cause ends when a result has been looked up and had not arrived.
        """
        if step.id in self.cursor.under_way or step.post is None:
            return step.id in self.cursor.under_way
        return self.cursor.acknowledged < self.cursor.unsure or (
            self.target.looks_up_first and not self._sent_one
        )

    def _handle_outcome(self, step: DeliveryStep, outcome: Outcome) -> Outcome | None:
        """Settle a step by the outcome of its requests, or put the step up for review.

        Return None if the step is done with. Otherwise return an outcome that tells the caller why it must
        wait.
        """
        if outcome.kind is OutcomeKind.APPLIED:
            self._settle_step(step)
            return None
        if outcome.kind is not OutcomeKind.REJECTED or outcome.gone:
            self._links_looked_at = False  # the target may have restarted
        stopped = self._unlink_wrong_links_and_stop() if outcome.gone else None
        if stopped is not None:
            return stopped
        if outcome.gone and self._forget_token_if_recreatable(step):
            return Outcome(
                OutcomeKind.NOT_SENT, "somebody deleted one of our tokens there; strike makes it again"
            )
        if outcome.kind is OutcomeKind.REJECTED and not outcome.all:
            self.put_up_for_review_until_changed(step, outcome.why)
            if outcome.final and step.digest:
                self.cursor.refused[step.id] = NEVER_RETRY
                self.save()
            return None
        if outcome.kind is not OutcomeKind.UNKNOWN:
            looked_up = outcome.page and step.post and self.target.supports.read_results
            if not looked_up and self._outcome_to_await_late_request(step.id) is None:
                self.cursor.forget_step_under_way(step.id)
        elif self._count_failure_and_blame_step(step, outcome):
            self.put_up_for_review_until_changed(step, f"{outcome.why}, {MAX_SERVER_FAILURES} times")
            return None
        return outcome

    def _forget_token_if_recreatable(self, step: DeliveryStep) -> bool:
        """Return whether a step's token, which no longer exists, will be created again.

        If so, forget the old token. This requires that the bridge created the token, and that the settings
        allow the bridge to create tokens.
        """
        id = step.id.removeprefix("token:")
        if id == step.id or id not in self.cursor.made or not self.target.may_create:
            return False
        self.cursor.forget_lost_token(id)
        self.save()
        return True

    def send_step(self, step: DeliveryStep) -> Outcome:
        """Send a step's requests, and return the outcome.

        If a request fails, the requests after it aren't sent, and the outcome is that of the failed request.
        """
        self._goes_on = False
        try:
            return converse(step.requests(), partial(self._send_request, step))
        except (Problem, OSError):
            raise
        except Exception as error:  # a plugin may fail in any way; the queue must go on
            return outcome_of_crash(self.target, error)

    def send_extra_requests(self, requests: Callable[[], Requests]) -> Outcome:
        """Send requests that belong to no step, and whose failure doesn't matter; return the outcome."""

        def send(request: Request) -> Answer | Outcome:
            answer = self.wire.send(request)
            if isinstance(answer, Outcome):
                return answer
            outcome = self.target.outcome(request, answer, time.time())
            return answer if request.goes_on(outcome) else outcome

        try:
            return converse(requests(), send)
        except (Problem, OSError):
            raise
        except Exception as error:  # as in `send_step`
            return outcome_of_crash(self.target, error)

    def probe_if_in_doubt(self) -> Outcome | None:
        """After an unknown outcome, test with a harmless request whether the target answers.

        Returns None if the target answers, if this kind of target has no such request, or if no outcome is
        unknown. Otherwise returns the outcome of the request.
        """
        if not self.cursor.doubtful:
            return None
        probe = self.target.probe()
        came = (
            None if probe is None else self.wire.ask_catching_plugin_errors(self.target.send_question, probe)
        )
        if isinstance(came, Outcome):
            return came
        self.cursor.doubtful = False
        return None

    def settle_doubtful_creations(self) -> Outcome | None:
        """Find out whether tokens exist whose creation is in doubt, and link those that exist.

        If the target has no way to look tokens up, each of these tokens is put up for review.

        Return None if the doubts are settled. Return an outcome if the caller must wait: a request may still
        be on its way, or the target can't be asked now.
        """
        cursor, can_find = self.cursor, self.target.recognizes_own
        if not cursor.creating:
            return None
        found = self.wire.ask_catching_plugin_errors(self.target.find_tokens) if can_find else []
        if isinstance(found, Outcome):
            return found
        wait: Outcome | None = None
        for id in list(cursor.creating):
            theirs = next((token.id for token in found if token.ours == id), "")
            late = None if theirs else self._outcome_to_await_late_request(f"token:{id}")
            if late is not None:
                wait = late
                continue
            if theirs:
                self._link(id, theirs, made_by_bridge=True)
            elif not can_find:
                why = "it may or may not have been created, and can't be looked up"
                cursor.add_or_replace_review_item(f"token:{id}", id, why, seq=cursor.acknowledged)
                cursor.refused[f"token:{id}"] = NEVER_RETRY
            cursor.creating.remove(id)
            cursor.asked_at.pop(f"token:{id}", None)
        self.save()
        return wait

    def link_recognized_tokens(self, hidden_ids: Collection[str] = ()) -> Outcome | None:
        """Find the target's tokens that carry strike's ids, and link them.

        A linked token isn't created a second time, even if its link had been forgotten. `hidden_ids` are ids
        of tokens that the target must not know of; these tokens aren't linked. Return None. If the target's
        tokens can't be read, return the outcome instead: the caller must wait.
        """
        if not (self.target.supports.links and self.target.supports.find):
            return None
        found = self.wire.ask_catching_plugin_errors(self.target.find_tokens)
        if isinstance(found, Outcome):
            return found
        if self.cursor.fresh:
            self._forget_dead_links_and_all_memory({token.id: token for token in found})
        for token in found:
            if token.ours and token.ours not in self.cursor.links and token.ours not in hidden_ids:
                self._link(token.ours, token.id, made_by_bridge=token.made)
        return None

    def _unlink_wrong_links_and_stop(self) -> Outcome | None:
        """Remove wrong links between our tokens and the target's tokens, and put them up for review.

        A link is wrong if two of our tokens share it, or if it leads to another creature's token. If delivery
        can continue, return None. Otherwise return the outcome because of which nothing can be sent now.
        """
        cursor, target = self.cursor, self.target
        if self._links_looked_at or not cursor.links or not target.checks_links_first:
            return None
        found = self.wire.ask_catching_plugin_errors(target.find_tokens)
        if isinstance(found, Outcome):
            return found if found.kind is not OutcomeKind.REJECTED or found.status in (401, 403) else None
        self._links_looked_at = True
        there = {token.id: token for token in found}
        if len(cursor.links) > 1 and not any(
            _link_may_be_right(there, *link) for link in cursor.links.items()
        ):
            return Outcome(OutcomeKind.REJECTED, LOST_ALL, all=True, empty=True)
        theirs = list(cursor.links.values())
        wrong = [
            id
            for id, link in cursor.links.items()
            if theirs.count(link) > 1
            or (
                link in there
                and not _link_may_be_right(there, id, link)
                and self._carried_id_proves_wrong_link(there[link].ours, id)
            )
        ]
        if not wrong:
            return None
        self._unlink_and_put_up_for_review(wrong, "its link leads to another creature's token")
        return Outcome(
            OutcomeKind.NOT_SENT, f"links of {listed(wrong)} led to other creatures' tokens: see review"
        )

    def _forget_dead_links_and_all_memory(self, tokens: Mapping[str, ListedToken]) -> None:
        """Forget the links that lead to no token of ours, and clear the target's memory.

        The memory has the values that the target wanted to find again after a restart. The method is called
        once for a target that has lost its tokens: the cursor then has the mark `fresh`, which is removed.
        `tokens` has the tokens at the target, by the target's own ids.
        """
        cursor = self.cursor
        for id, theirs in list(cursor.links.items()):
            is_ours = (
                id not in cursor.made or not self.target.recognizes_own or tokens.get(theirs, _NONE).ours
            )
            if not (is_ours and _link_may_be_right(tokens, id, theirs)):
                cursor.forget_lost_token(id)
        cursor.memory.clear()
        cursor.fresh = False

    def _carried_id_proves_wrong_link(self, carried_id: str, id: str) -> bool:
        """Return whether a link certainly leads to the token of the wrong creature.

        The link belongs to the creature `id`, but the token at the target carries the id of another creature,
        `carried_id`. The token certainly belongs to the other creature in three cases:
        - The bridge created the token of `id`.
        - The other creature has a link of its own.
        - The target has acknowledged a token of the other creature.
        """
        return (
            id in self.cursor.made
            or carried_id in self.cursor.links
            or carried_id in self.target.acknowledged
        )

    def _unlink_and_put_up_for_review(self, ids: Iterable[str], why: str) -> None:
        """Remove the wrong links of our tokens, and add each token to the review.

        `ids` are our ids of the tokens, and `why` is the reason to show. The tokens are created again only
        when people settle the review.
        """
        for id in ids:
            self.cursor.forget_lost_token(id)
            self.cursor.refused[f"token:{id}"] = NEVER_RETRY
            self.cursor.add_or_replace_review_item(f"token:{id}", id, why, seq=self.cursor.acknowledged)
        self.save()

    def put_up_for_review_until_changed(self, step: DeliveryStep, why: str) -> None:
        """Put a step up for people to review, and stop trying it.

        `why` is the reason to show. If the step has a digest of its content, it is tried again only after its
        content has changed. A step without a digest is settled, as if it had succeeded.
        """
        cursor, post, why = self.cursor, step.post, self.target.redact(why)
        event = post.event if post else ""
        result = post.result if post else None
        cursor.add_or_replace_review_item(
            step.id, step.summary, why, seq=cursor.acknowledged, result=result, event=event
        )
        cursor.forget_step_under_way(step.id)
        if step.digest:
            cursor.refused[step.id] = step.digest
        else:
            step.settle()
            self._clear_doubt_unsaved(step)
        self.save()

    # One request

    def _send_request(self, step: DeliveryStep, request: Request) -> Answer | Outcome:
        """Send a request of a delivery step, and return the target's answer.

        If the step can't continue after this request, return the outcome that ends the step instead.
        """
        cursor = self.cursor
        wait = self._outcome_to_await_late_request(step.id) if request.once and not self._goes_on else None
        if wait is not None:
            return wait
        began, self._asked = time.time(), request
        self._store_before_sending(step, request, began)
        self.sent += not request.asks
        answer = self.wire.send(request)
        outcome = answer if isinstance(answer, Outcome) else self.target.outcome(request, answer, time.time())
        if request.creates:
            outcome = self._link_created(request, answer, outcome)
        if not request.asks and self.target.recheck_delays:
            outcome = self._track_late_request(step, request, outcome, began)
        if isinstance(answer, Outcome):
            return outcome
        if outcome.kind is OutcomeKind.APPLIED:
            self._goes_on = self._goes_on or request.once
            if not request.asks:
                cursor.attempts = min(cursor.attempts, MAX_ATTEMPTS_WITH_PROGRESS)
            # In a step of many requests each may fail now and then: only failures in a row count.
            if cursor.failing and cursor.failing == _request_digest(step, request):
                cursor.failing, cursor.failures = "", 0
            return answer
        return answer if request.goes_on(outcome) else outcome

    def _store_before_sending(self, step: DeliveryStep, request: Request, began: float) -> None:
        """Store that a request is about to be sent, if a later worker must know it.

        The later worker needs this if the present process dies before the answer arrives.
        """
        waits = request.once and self.target.recheck_delays
        if waits:
            self.cursor.asked_at[step.id] = began
        if request.creates:
            self.cursor.creating.append(request.creates)
            self.save(sync=True)
        elif not request.absolute and step.post is None:
            self._record_start(step.id)
        elif request.keep or waits:
            self.save(sync=True)

    def _outcome_to_await_late_request(self, id: str) -> Outcome | None:
        """Return an outcome that makes the worker wait, if an earlier request of step `id` may still arrive.

        Return None if no earlier request can still arrive.
        """
        asked_at = self.cursor.asked_at.get(id)
        if asked_at is None:
            return None
        passed = max(0.0, time.time() - asked_at)
        following = next((after for after in self.target.recheck_delays if after > passed), None)
        if following is None:
            return None
        why = "an unanswered request may still arrive; strike looks for it before sending it again"
        return Outcome(OutcomeKind.NOT_SENT, why, following - passed)

    def _track_late_request(
        self, step: DeliveryStep, request: Request, outcome: Outcome, began: float
    ) -> Outcome:
        """Return a request's outcome, and plan what to do if the request may still arrive later.

        If the outcome is UNKNOWN, the request may still arrive later. There are two cases:

        - The request must not be repeated (`once`). Then the returned outcome says how long to wait
          (`retry_after`).
        - The request can be repeated. Then its value will be sent once more, at a time when the first request
          can't arrive any more. This is not planned for a request that posts a result.
        """
        cursor, late = self.cursor, self.target.recheck_delays
        if outcome.kind is not OutcomeKind.UNKNOWN:
            if request.once and not (request.only_taken and outcome.kind is OutcomeKind.APPLIED):
                cursor.asked_at.pop(step.id, None)
            return outcome
        if not request.once:
            if step.post is None:
                cursor.again[step.subject] = began + late[-1]
            return outcome
        wait = max(late[0] - (time.time() - began), outcome.retry_after or 0.0)
        return outcome._replace(retry_after=wait)

    def _link_created(self, request: Request, answer: Answer | Outcome, outcome: Outcome) -> Outcome:
        """Store the link to the token that a request created, and return the request's outcome.

        If the answer doesn't say which token was created, look the token up once, provided that the target
        allows look-ups.
        """
        if outcome.kind is OutcomeKind.APPLIED and isinstance(answer, Answer):
            theirs = self.target.token_id(request, answer)
            if not theirs:
                return self._look_up_and_link_unnamed_token(request.creates)
            self.cursor.creating.remove(request.creates)
            other = next((id for id, link in self.cursor.links.items() if link == theirs), None)
            if other is not None:
                why = f"it gave the new token of {request.creates} the id that {other} has there ({theirs})"
                self._unlink_and_put_up_for_review([other], why)
                return Outcome(OutcomeKind.REJECTED, why, final=True)
            self._link(request.creates, theirs, made_by_bridge=True)
        elif outcome.kind is not OutcomeKind.UNKNOWN:
            self.cursor.creating.remove(request.creates)
        return outcome

    def _look_up_and_link_unnamed_token(self, id: str) -> Outcome:
        """Try to find and link a new token that the target's answer didn't name.

        The target is asked for its tokens, if it allows that. If the token is found, it is linked. In no case
        is the token created a second time.

        Returns the outcome of the step that created the token.
        """
        why = "it did not name the new token"
        if self.target.recheck_delays:
            return Outcome(OutcomeKind.UNKNOWN, why)
        found = (
            self.wire.ask_catching_plugin_errors(self.target.find_tokens)
            if self.target.recognizes_own
            else []
        )
        if isinstance(found, Outcome):
            return Outcome(OutcomeKind.UNKNOWN, why)
        self.cursor.creating.remove(id)
        theirs = next((token.id for token in found if token.ours == id), "")
        if not theirs:
            return Outcome(OutcomeKind.REJECTED, why, final=True)
        self._link(id, theirs, made_by_bridge=True)
        return Outcome(
            OutcomeKind.NOT_SENT, "it did not name the new token; strike looked for it and found it"
        )

    def _record_start(self, id: str) -> None:
        """Record that a step is about to be taken.

        If the worker crashes, the next worker knows from this record that the step may have arrived. If
        repeating the step would be wrong, the record is synced to disk, so that it also survives a power cut.
        """
        if id not in self.cursor.under_way:
            self.cursor.under_way.append(id)
        self.save(sync=not self.target.supports.idempotent)

    def _link(self, id: str, theirs: str, *, made_by_bridge: bool) -> None:
        self.cursor.links[id] = theirs
        if made_by_bridge and id not in self.cursor.made:
            self.cursor.made.append(id)
        self.save()

    # Settled and doubtful steps

    def _settle_step(self, step: DeliveryStep) -> None:
        step.settle()
        self._clear_doubt_unsaved(step)
        cursor = self.cursor
        cursor.attempts, cursor.next_attempt, cursor.asked_to_wait = 0, None, False
        cursor.failing, cursor.failures, cursor.passed_over = "", 0, 0
        cursor.forget_step_under_way(step.id)
        if step.post is not None and step.post.event:
            cursor.recent[:] = [*cursor.recent, step.post.event][-REMEMBERED_RESULTS:]
        supports = self.target.supports
        # A result that can be looked up, or may come twice, is saved together with the next step.
        if step.post is None or not (supports.read_results or supports.idempotent):
            self.save()

    def _record_doubt_before_sending(self, subject: str) -> None:
        """Record a doubt about `subject`: the target may show its old value or its new one.

        The doubt is saved with the cursor, for a worker that starts after a crash. But if such a worker would
        have this doubt in any case, the cursor isn't saved.
        """
        cursor = self.cursor
        guessed = cursor.at_work and cursor.has_any_acknowledged_value(subject)
        if subject not in cursor.doubt:
            cursor.doubt.append(subject)
            if not guessed:
                cursor.at_work = True
                self.save(sync=True)

    def _clear_doubt_unsaved(self, step: DeliveryStep) -> None:
        if step.id == CLEAR:
            self.cursor.doubt.clear()
        elif step.subject in self.cursor.doubt:
            self.cursor.doubt.remove(step.subject)
        if self.cursor.again.get(step.subject, math.inf) <= time.time():
            del self.cursor.again[step.subject]

    def _results_are_resent_unchecked(self) -> bool:
        supports = self.target.supports
        return supports.idempotent and not supports.read_results

    def _settle_or_review_started_step(self, step: DeliveryStep) -> bool | Outcome:
        """Find out whether a step that was started before has arrived.

        Return True if the step is settled, because it arrived or is up for review, and False if it may be
        sent. Otherwise return the outcome because of which the caller must wait.
        """
        supports, post = self.target.supports, step.post
        why = "it may or may not have arrived, and can't be looked up"
        if post is not None and supports.read_results:
            found = self.wire.ask_catching_plugin_errors(self.target.has_result, post)
            if found is True:
                self.sent += 1
                self._settle_step(step)
            self._sent_one = found is not True
            if (
                self._was_surely_not_sent(step)
                and isinstance(found, Outcome)
                and found.kind is OutcomeKind.REJECTED
            ):
                return False
            if not isinstance(found, Outcome) or found.kind is not OutcomeKind.REJECTED or found.all:
                return found
            why = f"it may or may not have arrived: {found.why}"
        if post is not None and supports.idempotent:
            return False
        if post is not None and step.id not in self.cursor.under_way:
            return not self.cursor.go_on and Outcome(OutcomeKind.REJECTED, _UNSURE, all=True, unsure=True)
        self.put_up_for_review_until_changed(step, why)
        return True

    def _was_surely_not_sent(self, step: DeliveryStep) -> bool:
        """Return whether it is certain that this copy of the campaign has never sent the result of a step."""
        return step.id not in self.cursor.under_way and self.cursor.acknowledged >= self.cursor.unsure

    def _count_failure_and_blame_step(self, step: DeliveryStep, outcome: Outcome) -> bool:
        """Count a failure of the server, and return whether this step is to blame for it.

        The step is to blame if it fails MAX_SERVER_FAILURES times in a row. The caller then sets the step
        aside, so that it doesn't block the queue for ever.

        If the answer is about the whole server, or if several steps were already set aside, the server itself
        is at fault, and not this step. The step CLEAR is never to blame, since it must not be skipped.
        """
        cursor = self.cursor
        if outcome.status < 500 or outcome.status in _ABOUT_THE_SERVER:
            return False
        if step.id == CLEAR:
            return False  # skipping it would leave unknown tokens at the target
        failing = _request_digest(step, self._asked)
        cursor.failures = cursor.failures + 1 if cursor.failing == failing else 1
        cursor.failing = failing
        if cursor.failures < MAX_SERVER_FAILURES or cursor.passed_over >= MAX_PASSED_OVER:
            return False  # too few failures, or a fault of the whole server
        cursor.passed_over += 1
        cursor.failing, cursor.failures = "", 0
        cursor.attempts, cursor.next_attempt = 0, None
        return True


def _link_may_be_right(tokens: Mapping[str, ListedToken], id: str, theirs: str) -> bool:
    """Return whether a link can be right.

    It can be if its token exists at the target and doesn't carry another of our ids.

    Args:
        tokens: The target's tokens, by the target's ids.
        id: Our id of the linked token.
        theirs: The target's id that the link leads to.
    """
    return theirs in tokens and tokens[theirs].ours in ("", id)


def _request_digest(step: DeliveryStep, request: Request) -> str:
    return f"{crc32(f'{step.id} {request.words()} {request.body}'.encode()):08x}"
