"""Plan the steps that bring a target up to date with the campaign. This module sends nothing.

For the scene, the tokens and the turn order, the present values are compared with the values that the target
has acknowledged. Each difference becomes a step. If a value has changed several times, only its newest state
is sent. For the same reason, an undo needs no special treatment. Results are different: they become steps one
by one, in the order of the journal.
"""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from strike_cli.campaign.journal import key_for_hashing_entry_ids
from strike_cli.kernel.state_changes import State

from .delivery_record import UNCOUNTED, WHOLE_PARTS, Cursor
from .http_conversation import Requests
from .journal_reader import Backlog, JournalReader, LocatedEntry, apply_facts_to_shown_tables
from .journal_results import ID_SEPARATOR, Post, merge_posts_into_first, posts_of_entry, with_identities
from .state_projection import ShownTable, square_payload
from .targets.base import Target

if TYPE_CHECKING:
    from strike_cli.kernel.journal_types import JournalEntry
    from strike_table.schemas import SquarePayload

    from .payloads import ShownResult, ShownToken

NEVER_RETRY = "*"
"""The digest of a step that isn't retried in any form until people say so."""


CLEAR = "clear"
"""The step that clears everything of another scene."""
WHOLE = "scene"
"""The step that sends scene, tokens and order as one."""


class DeliveryStep(NamedTuple):
    """One change to bring about at a target.

    `requests` makes the requests anew for each try. `settle` records that the step succeeded. `digest`
    identifies the step's content, so that a step that the target refused isn't sent again unchanged. If the
    step posts a result, `post` is that result; otherwise it is None.
    """

    id: str
    requests: Callable[[], Requests]
    settle: Callable[[], None]
    summary: str
    digest: str = ""
    post: Post | None = None

    @property
    def subject(self) -> str:
        """The subject of the step at the target: the step's id, or `token:ID` for the removal of a token."""
        return f"token:{self.id.removeprefix('remove:')}" if self.id.startswith("remove:") else self.id


_LONGEST = 1500
"""The maximum number of characters in a message that combines several results."""
EntryWithPosts = tuple[LocatedEntry, list[Post]]
"""A journal entry with its location, and its posts."""


class Reconciler:
    """The plan of what to send to one target.

    `state_then_post_steps` yields the steps to send. When a step is settled, the target's cursor moves past
    it.
    """

    def __init__(self, target: Target, cursor: Cursor, journal: JournalReader) -> None:
        self.target = target
        self.cursor = cursor
        self.journal = journal
        self.may_hold_results = False
        """Whether results may wait a while for the next one (`Target.combine_seconds`)."""
        self.held_until: float | None = None
        """The unix time until which a result waits for the next one."""
        self._seen: dict[str, float] = {}

    def state_then_post_steps(self, backlog: Backlog) -> Iterator[DeliveryStep]:
        """Yield the steps that bring the target up to date with a backlog.

        Each step has to be settled before the next one is taken from the iterator.
        """
        yield from self._state_steps(backlog)
        cursor, state, target = self.cursor, backlog.before, self.target
        if backlog.entries and target.supports.chat:
            self._count_earlier_results()
        self.held_until = None
        left = deque(backlog.entries)
        while left:
            together = self._next_message_entries(left, state)
            if len(together) > 1:
                step = self._merged_step(together)
                if self._waits_for_next_result(step):
                    return
                yield step
            else:
                [(located, posts)] = together
                for post in posts[cursor.posted :]:
                    not_shown = post.mark and not target.supports.marks
                    if not_shown or post.id in cursor.skip or self._was_declared_posted(located.entry, post):
                        self._settle_post(post)
                        continue
                    step = self.step_to_post(post)
                    if self._waits_for_next_result(step):
                        return
                    yield step
                self._acknowledge_and_number(located, posts)
            for (entry, *_), _ in together:
                state = apply_facts_to_shown_tables(state, entry["facts"])
                left.popleft()

    def _was_declared_posted(self, entry: JournalEntry, post: Post) -> bool:
        """Return whether a result counts as sent because the user decided so.

        If the record of what the target was sent is lost, nobody knows which results have arrived there. The
        user then names the result with which sending continues (`go_on`). Every result before it that may
        have arrived counts as sent. If `go_on` is -1, all results that may have arrived count as sent.
        """
        cursor = self.cursor
        doubtful = bool(cursor.go_on) and entry["seq"] <= cursor.unsure
        return doubtful and (cursor.go_on < 0 or post.result["seq"] < cursor.go_on)

    def _acknowledge_and_number(self, located: LocatedEntry, posts: Sequence[Post]) -> None:
        cursor, (entry, end, line) = self.cursor, located
        if any(_is_new_player_result(post) for post in posts):
            cursor.assign_result_number(entry["seq"])
        cursor.acknowledged, cursor.position, cursor.line, cursor.posted = entry["seq"], end, line, 0

    # Results that go together

    def _next_message_entries(self, entries: Iterable[LocatedEntry], state: State) -> list[EntryWithPosts]:
        """Return the journal entries whose results go into the next message, each with its posts.

        The first is the next entry to deliver. Entries after it are included as long as they fit into the
        same message.
        """
        cursor, target = self.cursor, self.target
        found: list[EntryWithPosts] = []
        sizes = [id.count(ID_SEPARATOR) + 1 for id in cursor.under_way if ID_SEPARATOR in id]
        most = (
            sizes[0]
            if sizes
            else 1
            if cursor.under_way or not target.combine_seconds
            else target.most_combined
        )
        if most == 1:
            located = next(iter(entries))
            told = target.supports.chat
            return [(located, self._numbered_posts(located.entry, state, cursor.begin) if told else [])]
        count = length = 0
        for located in entries:
            entry = located.entry
            known = sum(any(map(_is_new_player_result, posts)) for _, posts in found)
            posts = self._numbered_posts(entry, state, cursor.begin, known) if target.supports.chat else []
            plain = all(not post.mark and post.id not in cursor.skip for post in posts)
            secret = {post.result["secret"] for _, posts in found for post in posts}
            fits = (
                plain
                and len(posts) <= 1
                and {post.result["secret"] for post in posts} <= (secret or {False, True})
            )
            length += sum(len(post.result["text"]) for post in posts)
            if found and not (fits and count + len(posts) <= most and (sizes or length <= _LONGEST)):
                break
            found.append((located, posts))
            state = apply_facts_to_shown_tables(state, entry["facts"])
            count += len(posts)
            if not fits or cursor.posted or cursor.acknowledged < cursor.unsure:
                break
        while len(found) > 1 and not found[-1][1]:
            found.pop()  # entries without posts are left to the next message
        return found

    def _merged_step(self, entries: Sequence[EntryWithPosts]) -> DeliveryStep:
        """Return the step that posts the results of several entries as one message."""
        posts = [post for _, posts in entries for post in posts]
        whole = merge_posts_into_first(posts)

        def settle() -> None:
            self.cursor.forget_step_under_way(whole.id)
            for located, posts in entries:
                self._acknowledge_and_number(located, posts)

        send = partial(self.target.send_result, whole)
        return DeliveryStep(whole.id, send, settle, whole.result["title"], post=whole)

    def _waits_for_next_result(self, step: DeliveryStep) -> bool:
        """Return whether a result is held back for a while, so that one message can contain it and the next.

        It is held for at most `combine_seconds`. A result with dice is never held back.
        """
        post, cursor = step.post, self.cursor
        if (
            not self.may_hold_results
            or post is None
            or post.mark
            or post.result["dice"]
            or step.id in cursor.under_way
        ):
            return False
        first = step.id.partition(ID_SEPARATOR)[0]
        since = self._seen.setdefault(first, time.time())
        self._seen = {first: since}
        until = since + self.target.combine_seconds
        if until <= time.time():
            return False
        self.held_until = until
        return True

    def _numbered_posts(
        self, entry: JournalEntry, before: State, first_sent_after: int, unnumbered: int = 0
    ) -> list[Post]:
        """Return the posts for a journal entry, with their numbers and identities.

        Results are numbered in the order in which they are sent.

        Args:
            entry: The journal entry.
            before: The state before the entry.
            first_sent_after: The number of the last entry whose result this target never got.
            unnumbered: The number of results of earlier entries that are sent before these posts and have no
                number yet. The number of the new result is higher by as many.
        """
        cursor, target = self.cursor, self.target

        def public_number(seq: int) -> int | None:
            return (
                cursor.told + unnumbered + 1
                if seq == entry["seq"]
                else cursor.remembered_result_number_of(seq)
            )

        posts = posts_of_entry(
            entry,
            before,
            self.journal.entry_beginning_at,
            first_sent_after,
            gm=target.for_gm,
            players=target.settings.players,
            public_number=public_number,
            draws_effects=target.draws_effects,
        )
        self._add_extra_fields(entry, before, [post.result for post in posts if not post.mark])
        return with_identities(posts, entry, self._get_or_store_identity_key) if posts else []

    @cached_property
    def _get_or_store_identity_key(self) -> bytes:
        """The key from which results' identities are made.

        It is the journal's key; if the journal has none, it is a random key of this target.
        """
        memory = self.cursor.memory
        if "identity" not in memory and (key := key_for_hashing_entry_ids(self.journal.journal)):
            memory["identity"] = key.hex()  # in an older journal it may be far back
        if "identity" in memory:
            return bytes.fromhex(memory["identity"])
        return memory.setdefault("series", os.urandom(6).hex()).encode()

    def _add_extra_fields(self, entry: JournalEntry, before: State, results: Sequence[ShownResult]) -> None:
        """Give an entry's results the extra fields that the target wants.

        A map (`board`) is added only to the first result that isn't secret.
        """
        if not results:
            return
        told = self.target.extra_fields(entry["session"], before, entry["facts"])
        board = told.pop("board", None)
        for result in results:
            result.update(told)  # type: ignore[typeddict-item]  # a target may have keys of its own
        for result in results:
            if board and not result["secret"]:
                result["board"] = board
                break

    def _count_earlier_results(self) -> None:
        """Count the results in the journal up to the last entry that the target has acknowledged.

        The next result gets the number that follows. Results from before the first delivery to the target are
        counted, too. Secret results aren't counted. If the cursor has the count already, nothing is done.
        """
        cursor = self.cursor
        if cursor.told == UNCOUNTED:
            cursor.told = 0
            state: State = {}
            for entry, *_ in self.journal.entries_up_to(cursor.acknowledged):
                if any(_is_new_player_result(post) for post in self._numbered_posts(entry, state, 0)):
                    cursor.assign_result_number(entry["seq"])
                state = apply_facts_to_shown_tables(state, entry["facts"])

    def step_to_post(self, post: Post) -> DeliveryStep:
        """Return the step that posts one result."""
        send, settle = partial(self.target.send_result, post), partial(self._settle_post, post)
        return DeliveryStep(post.id, send, settle, post.result["title"], post=post)

    def _settle_post(self, post: Post) -> None:
        self.cursor.posted += 1
        self.cursor.forget_step_under_way(post.id)
        if post.id in self.cursor.skip:
            self.cursor.skip.remove(post.id)

    def _state_steps(self, backlog: Backlog) -> Iterator[DeliveryStep]:
        """Yield the steps for everything in the state, such as scene, tokens and turn order.

        Only what differs from the state that the target has acknowledged, or is in doubt, gets a step.
        Results of commands are not sent here.
        """
        cursor, target = self.cursor, self.target
        anew = cursor.resync and cursor.acknowledged > 0
        shown = target.project(backlog.now)
        if cursor.pulled and not backlog.now.get("pending"):
            cursor.count_pulled_as_sent()  # while it is asked whether they go or stay, nobody is put back
        target.paths = dict(_walked_paths_if_complete(backlog, cursor.tokens))
        before = cursor.doubt
        doubt = [*before, *self._due_resends_forgetting_gone(shown)]
        yield from self._steps_clearing_target(shown, before)
        of_exhibits = [*doubt, *(["exhibits"] if anew else [])]
        if target.supports.whole:
            yield from self._combined_scene_steps(shown, of_exhibits)
            return
        yield from self._removal_steps(shown, before)
        if shown.scene is not None and (shown.scene != cursor.scene or "scene" in doubt):
            if target.supports.boardless or shown.scene["rows"]:
                yield from self._step_unless_refused(
                    "scene", partial(target.put_scene, shown.scene), shown.scene
                )
            else:
                cursor.scene = shown.scene
        yield from self._token_steps(shown, doubt)
        if shown.order is not None and (shown.order != cursor.order or "order" in doubt):
            yield from self._step_unless_refused("order", partial(target.put_order, shown.order), shown.order)
        for name, put in (("beside", target.put_side_scenes), ("asked", target.put_decisions)):
            whole = list(getattr(shown, name))
            if whole != (getattr(cursor, name) or []) or name in doubt:
                yield from self._step_unless_refused(name, partial(put, whole), whole)
        yield from self._all_exhibits_step(shown, of_exhibits)
        if target.pages_are_outdated:
            yield DeliveryStep("pages", target.update_pages, lambda: None, "open pages are updated")

    def _steps_clearing_target(self, shown: ShownTable, doubt: Sequence[str]) -> Iterator[DeliveryStep]:
        """Yield the step that clears the target, if the target needs clearing.

        It needs clearing if it shows another scene than the current one, or things of a scene that is over.
        It also needs clearing if nobody knows what it shows, with one exception. A target that has links or
        takes a scene as a whole is updated instead, because the game master may have changed its tokens.
        """
        cursor, supports = self.cursor, self.target.supports
        other = cursor.scene is not None and (shown.scene is None or shown.scene["id"] != cursor.scene["id"])
        leftover = (shown.scene is None and bool(cursor.tokens or cursor.order or doubt)) or CLEAR in doubt
        as_a_whole = supports.whole and shown.scene is not None
        if cursor.resync and (supports.links or as_a_whole) and not (other or leftover):
            # Tokens are updated, not made anew: the game master may have changed them.
            cursor.forget_shown_and_end_resync()
        elif cursor.resync or other or leftover:
            yield DeliveryStep(
                CLEAR, self.target.clear_scene, self._settle_scene_clearing, "the scene is cleared"
            )

    def _removal_steps(self, shown: ShownTable, doubt: Sequence[str]) -> Iterator[DeliveryStep]:
        """Yield the steps that remove tokens which should no longer be shown.

        They are the tokens that the target shows or may show, but that aren't in `shown`. Removals that the
        target has refused are left out.
        """
        cursor = self.cursor
        perhaps = [subject.partition(":")[2] for subject in doubt if subject.startswith("token:")]
        shown_by_it = dict.fromkeys([*cursor.tokens, *cursor.made, *perhaps])
        gone = [id for id in shown_by_it if id not in shown.tokens]
        for id in [id for id in gone if f"remove:{id}" not in cursor.refused]:
            remove = partial(self.target.remove_token, id)
            yield DeliveryStep(
                f"remove:{id}", remove, partial(self._settle_removal, id), f"{id} is removed", NEVER_RETRY
            )

    def _token_steps(self, shown: ShownTable, doubt: Sequence[str]) -> Iterator[DeliveryStep]:
        cursor = self.cursor
        for id in [id for id in cursor.unlinked if id not in shown.tokens]:
            cursor.unlinked.remove(id)
        for id, token in shown.tokens.items():
            before = None if f"token:{id}" in doubt else cursor.tokens.get(id)
            if token != before and self._can_send_or_note_unlinked(token):
                put = partial(self.target.put_token, token, before)
                yield from self._step_unless_refused(
                    f"token:{id}", put, token, partial(self._settle_token, token)
                )

    def _all_exhibits_step(self, shown: ShownTable, doubt: Sequence[str]) -> Iterator[DeliveryStep]:
        """Yield the step that sends all exhibits, if the target doesn't show them or might not show them.

        The step is needed if the exhibits have changed since they were last sent. It is also needed if
        `doubt` contains "exhibits": then it isn't known which exhibits the target shows.
        """
        exhibits, target = list(shown.exhibits), self.target
        stale = "exhibits" in doubt and target.supports.exhibits
        if exhibits != (self.cursor.exhibits or []) or stale:
            put_them = partial(target.put_exhibits, exhibits)
            yield from self._step_unless_refused("exhibits", put_them, exhibits)

    def _combined_scene_steps(self, shown: ShownTable, doubt: Sequence[str]) -> Iterator[DeliveryStep]:
        """Yield one step that sends scene, tokens and turn order together, then one step for the exhibits.

        `doubt` names things that may not have arrived. A step is left out if its things are unchanged and
        `doubt` names none of them.
        """
        cursor = self.cursor
        told = ShownTable(cursor.scene, cursor.tokens, cursor.order)
        now = ShownTable(shown.scene, shown.tokens, shown.order)
        if shown.scene is not None and (now != told or any(subject != "exhibits" for subject in doubt)):
            payload = {"scene": now.scene, "tokens": now.tokens, "order": now.order}
            digest = _payload_checksum(payload)
            if cursor.refused.get(WHOLE) not in (digest, NEVER_RETRY):
                put, settle = partial(self.target.put_whole, shown), partial(self._settle_whole, now)
                yield DeliveryStep(
                    WHOLE, put, settle, f"{now.scene['name'] if now.scene else ''} as a whole", digest
                )
        yield from self._all_exhibits_step(shown, doubt)

    def _settle_whole(self, shown: ShownTable) -> None:
        cursor = self.cursor
        cursor.scene, cursor.order = shown.scene, shown.order
        cursor.tokens.clear()
        cursor.tokens.update(shown.tokens)
        cursor.pulled.clear()
        cursor.doubt[:] = [subject for subject in cursor.doubt if subject == "exhibits"]
        self._forget_refusals_and_reviews(WHOLE)

    def _due_resends_forgetting_gone(self, shown: ShownTable) -> list[str]:
        """Return the subjects, such as tokens, whose current value must be sent a second time now.

        The second sending is needed because an older value may have arrived after the newest one. Subjects
        that no longer exist are removed from the record.
        """
        due = self.cursor.due_resends(time.time())
        known = {*WHOLE_PARTS, *(f"token:{id}" for id in shown.tokens)}
        for subject in [subject for subject in due if subject not in known]:
            del self.cursor.again[subject]
        return [subject for subject in due if subject in known]

    def _can_send_or_note_unlinked(self, token: ShownToken) -> bool:
        """Return whether a token can be sent now. If it can't, record it as unlinked.

        On a target without links, every token can be sent. On a target with links, a token can be sent if it
        has a link, or if the bridge may create the missing token. A token that lacks both is recorded, and
        `status` reports it.

        There is one exception: in a scene without a map, a token that lacks a link is neither sent nor
        recorded.
        """
        cursor, id = self.cursor, token["id"]
        if self.target.supports.links and id not in cursor.links and not (token["position"] or token["away"]):
            return False
        if not self.target.supports.links or id in cursor.links or self.target.may_create:
            if id in cursor.unlinked:
                cursor.unlinked.remove(id)
            return True
        if id not in cursor.unlinked:
            cursor.unlinked.append(id)
        return False

    def _step_unless_refused(
        self,
        id: str,
        requests: Callable[[], Requests],
        payload: object,
        settle: Callable[[], None] | None = None,
    ) -> Iterator[DeliveryStep]:
        digest = _payload_checksum(payload)
        if self.cursor.refused.get(id) not in (digest, NEVER_RETRY):
            settle = settle or partial(self._settle_part, id, payload)
            yield DeliveryStep(id, requests, settle, _step_summary(id, payload), digest)

    def _settle_part(self, name: str, payload: object) -> None:
        setattr(self.cursor, name, payload)
        self._forget_refusals_and_reviews(name)

    def _settle_token(self, token: ShownToken) -> None:
        id = token["id"]
        self.cursor.tokens[id] = token
        self.cursor.pulled.pop(id, None)
        self._forget_refusals_and_reviews(f"token:{id}", f"remove:{id}")

    def _settle_scene_clearing(self) -> None:
        cursor = self.cursor
        exhibits = None if cursor.resync else cursor.exhibits
        cursor.forget_shown_and_end_resync()
        cursor.exhibits = exhibits
        for id in cursor.made:
            cursor.links.pop(id, None)
        cursor.made.clear()
        put_aside = [*cursor.refused, *(item["id"] for item in cursor.review)]
        self._forget_refusals_and_reviews(*[id for id in put_aside if id.startswith("remove:")])

    def _settle_removal(self, id: str) -> None:
        self.cursor.tokens.pop(id, None)
        if id in self.cursor.made:
            self.cursor.made.remove(id)
            self.cursor.links.pop(id, None)
        self._forget_refusals_and_reviews(f"remove:{id}")

    def _forget_refusals_and_reviews(self, *ids: str) -> None:
        """Forget that the steps with these ids were refused, and remove them from the review.

        Call this for steps that have succeeded, or that aren't needed any more.
        """
        for id in ids:
            self.cursor.refused.pop(id, None)
            self.cursor.forget_review_item(id)


def _is_new_player_result(post: Post) -> bool:
    """Return whether a post is a new result that players may see.

    It is False for a secret result, and for a post that only marks an earlier result.
    """
    return not post.mark and not post.result["secret"]


def _payload_checksum(payload: object) -> str:
    return f"{crc32(json.dumps(payload, sort_keys=True).encode()):08x}"


def _walked_paths_if_complete(
    backlog: Backlog, sent_tokens: Mapping[str, ShownToken]
) -> Iterator[tuple[str, list[SquarePayload]]]:
    """Yield creatures' ids with the squares that they walked since they were last sent.

    The squares come from the facts. A path is yielded only if it is complete: if it leads square by square
    from the sent position to the current one.
    """
    steps: dict[str, list[SquarePayload | None]] = {}
    for entry, *_ in backlog.entries:
        for fact in entry["facts"]:
            for path, _, after in fact["changes"]:
                person, _, key = path.rpartition(".")
                if key == "at":
                    square = after if isinstance(after, str) else None
                    steps.setdefault(person.rpartition(".")[2], []).append(square_payload(square))
    for person, way in steps.items():
        start = sent_tokens[person]["position"] if person in sent_tokens else None
        if start in way:
            way = way[len(way) - way[::-1].index(start) :]
        squares = [square for square in way if square]
        if (
            start
            and len(squares) == len(way) > 1
            and all(map(_are_same_or_beside, [start, *squares], squares))
        ):
            yield person, squares


def _are_same_or_beside(one: SquarePayload, other: SquarePayload) -> bool:
    return bool(max(abs(one["x"] - other["x"]), abs(one["y"] - other["y"])) <= 1)


_WORDS = {"beside": "the other scenes", "asked": "the open decisions", "exhibits": "clocks and handouts"}


def _step_summary(id: str, payload: object) -> str:
    """Return words that describe a step in the review, such as the name in its payload."""
    name = payload.get("name") if isinstance(payload, dict) else ""
    return str(name or _WORDS.get(id) or f"the {id.partition(':')[0]}")
