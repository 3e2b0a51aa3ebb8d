"""The results of journal entries: what a target is shown of each command.

Left out are secret commands, open decisions, the game master's overrides and hand edits, notes, and every
fact that names somebody hidden. A target that shows the game master's secrets also gets the secret commands
and the facts about hidden people, as separate results that are marked as secret.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.campaign.journal import hash_identifying_entry
from strike_cli.campaign.journal_entry_format import Position, parse_position
from strike_cli.kernel.state_changes import State, cached_in_block
from strike_cli.kernel.statements import Language
from strike_cli.untrusted_input import isolate_right_to_left_words
from strike_cli.visibility.audience_view import AudienceView, make_audience_view
from strike_cli.visibility.audiences import PLAYERS, Audience
from strike_cli.visibility.redaction import redact_each_fact_of_entry

from .animations import WitnessedFact, animation_of, turn_in_shown_scene
from .journal_reader import (
    apply_fact_to_shown_tables,
    apply_facts_to_shown_tables,
    undo_facts_in_shown_tables,
)
from .result_markup import result_html

if TYPE_CHECKING:
    from strike_cli.kernel.journal_types import JournalEntry, StoredFact
    from strike_table.schemas import TurnPayload

    from .payloads import ShownAnimation, ShownImage, ShownResult, ShownRoll


_VERBS = {"undo": ("Undone", "undone", True), "redo": ("Done again", "redone", False)}


PublicNumber = Callable[[int], "int | None"]
"""A function from an entry's number in the journal to its result's public number; None where it was never
sent. The journal also counts entries that players must not know of, which its numbers would reveal."""


def journal_number_as_public(seq: int) -> int | None:
    """Return the number `seq` of a journal entry as its public number.

    This is the default of the parameter `public_number`. It is for audiences from which no entry is secret.
    """
    return seq


ID_SEPARATOR = "+"
"""The separator between the ids of results that were posted as one."""


class Post(NamedTuple):
    """A message with a result, to be posted to a target.

    `id` identifies the post, and is the same for each attempt to deliver it. `event` identifies the post to
    the target. It can't be guessed. Every copy of the campaign gives the post the same `event`, even after a
    loss or a repair. If `mark` is true, the post only marks an earlier result as undone or redone.
    """

    id: str
    result: ShownResult
    mark: bool = False
    event: str = ""


def merge_posts_into_first(posts: Sequence[Post]) -> Post:
    """Return several posts as one, whose texts are below each other; a single post stays unchanged.

    The merged result lists the single results as `parts`.
    """
    if len(posts) == 1:
        return posts[0]
    results = [post.result for post in posts]
    whole: ShownResult = {
        **results[0],
        "text": "\n".join(result["text"] for result in results),
        "html": "".join(result["html"] for result in results),
        "dice": [die for result in results for die in result["dice"]],
        "parts": results,
    }
    for result in results:
        if "board" in result:
            whole["board"] = result["board"]
        if "session" in result:
            whole["session"] = result["session"]
    return Post(ID_SEPARATOR.join(post.id for post in posts), whole, event=posts[0].event)


def with_identities(posts: Sequence[Post], entry: JournalEntry, key: bytes) -> list[Post]:
    """Return an entry's posts, each with its identity as `event`.

    The identity is an HMAC under the journal's `key`. It covers the entry's id, the post's number within the
    entry, and whether the post is secret.
    """
    own, found = hash_identifying_entry(entry), []
    for number, post in enumerate(posts):
        digest = _cached_empty_hmac(key).copy()
        digest.update(f"{own} {number} {post.result['secret']:d}".encode())
        found.append(Post(post.id, post.result, post.mark, digest.hexdigest()[:32]))
    return found


@cache
def _cached_empty_hmac(key: bytes) -> hmac.HMAC:
    """Return an HMAC under `key` that covers nothing yet.

    It is cached, because making it takes twice as long as everything that follows.
    """
    return hmac.new(key, digestmod="sha256")


def posts_of_entry(
    entry: JournalEntry,
    before: State,
    entry_at: Callable[[Position], JournalEntry],
    first_sent_after: int = 0,
    *,
    gm: bool = False,
    players: Audience = PLAYERS,
    public_number: PublicNumber = journal_number_as_public,
    draws_effects: bool = True,
) -> list[Post]:
    """Return the posts for a journal entry, in order. Most entries have one, some have none.

    For an undo or redo, its own result comes first. Then there is a post for each result that it marks as
    undone or redone. If it only affects results that were not sent, it has no post.

    Args:
        entry: The journal entry.
        before: The state before the entry.
        entry_at: Returns the entry at a position, for an undo or redo.
        first_sent_after: The number of the last entry whose result this target never got. Results up to this
            entry are not marked.
        gm: Whether the target shows secret and hidden things.
        players: The target's audience and language.
        public_number: Turns an entry's number in the journal into the number that players see.
        draws_effects: Whether the target draws effects.
    """
    if entry["command"] in _VERBS and "head" in entry:
        again = partial(
            results_of_entry, gm=gm, players=players, public_number=public_number, draws_effects=draws_effects
        )
        return _posts_of_undo_or_redo(
            entry, before, entry_at, first_sent_after, again, public_number, players
        )
    results = results_of_entry(entry, before, gm, players, public_number, draws_effects)
    return [Post(result["id"], result) for result in results]


def results_of_entry(
    entry: JournalEntry,
    before: State,
    gm: bool,
    players: Audience = PLAYERS,
    public_number: PublicNumber = journal_number_as_public,
    draws_effects: bool = True,
) -> list[ShownResult]:
    """Return the results to show for a command, at most two.

    One result is for everybody. With `gm`, there can be another one for the game master alone. A result
    without text is left out. A command that waits for a decision has no result.

    Args:
        entry: The command's journal entry.
        before: The state before the entry.
        gm: Whether the target shows secret and hidden things.
        players: The target's audience and language.
        public_number: Turns an entry's number in the journal into the number that players see.
        draws_effects: Whether the target draws effects.
    """
    if entry.get("pending"):
        return []
    for_all: list[WitnessedFact] = []
    for_gm: list[WitnessedFact] = []
    everybody, state = players._replace(gm=True), before
    was = _cached_view(before, players), _cached_view(before, everybody)
    for fact, told in zip(
        entry["facts"],
        redact_each_fact_of_entry(entry, before, players, apply_fact_to_shown_tables),
        strict=True,
    ):
        now = was
        if fact["changes"]:
            state = apply_fact_to_shown_tables(state, fact)
            now = _cached_view(state, players), _cached_view(state, everybody)
        touches = frozenset(path.partition(".")[0] for path, _, _ in fact["changes"])
        for_all.append(
            WitnessedFact(told.fact, told.banner if draws_effects else None, was[0], now[0], touches)
        )
        if gm:
            for_gm.append(WitnessedFact(fact if told.hides else None, None, was[1], now[1], touches))
        was = now
    number = public_number(entry["seq"])
    found = [
        None if number is None else _result_of_facts(entry, for_all, number, draws_effects),
        _result_of_facts(entry, for_gm, number or 0, draws_effects, secret=True),
    ]
    return [result for result in found if result]


@cached_in_block
def _cached_view(state: State, audience: Audience) -> AudienceView:
    return make_audience_view(state, audience)


def _result_of_facts(
    entry: JournalEntry, facts: Sequence[WitnessedFact], number: int, is_drawn: bool, secret: bool = False
) -> ShownResult | None:
    told = [each.visible_fact for each in facts if each.visible_fact is not None]
    texts = [isolate_right_to_left_words(fact["text"].strip()) for fact in told if fact["text"].strip()]
    if not texts:
        return None
    views = facts[0].before, facts[-1].after
    names = {person: one.name for view in views for person, one in view.people.items()}
    dice = [die for fact in told for die in rolls_of_fact(fact, names, views[0].audience.language)]
    play = animation_of(facts, names) if is_drawn else None
    result = _make_result(entry, texts, dice, number, secret, play)
    image = next((image for fact in told if (image := _image_of(fact))), None)
    return {**result, "image": image} if image else result


def _image_of(fact: Mapping[str, object]) -> ShownImage | None:
    """Return the file and digest of the picture that a fact shows, such as a handout.

    It is None if the fact shows no picture.
    """
    image = fact.get("image")
    if not isinstance(image, Mapping):
        return None
    file, digest = image.get("file"), image.get("sha256")
    if not (isinstance(file, str) and isinstance(digest, str)):
        return None
    return {"file": file, "sha256": digest}


def _make_result(
    entry: JournalEntry,
    texts: list[str],
    dice: list[ShownRoll],
    number: int,
    secret: bool = False,
    play: ShownAnimation | None = None,
) -> ShownResult:
    """Return a result made of its parts.

    The id of a public result is `number`. The id of a secret result comes from the entry's number in the
    journal, which players never see.
    """
    return {
        "id": f"{entry['seq']}-gm" if secret else str(number),
        "seq": number,
        "title": texts[0].splitlines()[0],
        "text": "\n".join(texts),
        "html": result_html(texts, dice),
        "dice": dice,
        "at": entry.get("at"),
        "undone": False,
        "secret": secret,
        "play": play,
    }


def rolls_of_fact(fact: StoredFact, names: Mapping[str, str], language: Language) -> Iterator[ShownRoll]:
    """Yield the dice of a fact: its own roll, the opposing roll, further rolls, and helpers' rolls."""
    rolls = [fact.get("roll"), fact.get("against"), *fact.get("rolls", [])]
    rolls += [helper.get("roll") for helper in fact.get("helpers", [])]
    for roll in rolls:
        if isinstance(roll, Mapping) and "faces" in roll:
            person = str(roll.get("who") or "")
            die: ShownRoll = {
                "who": names.get(person) or fact.get("names", {}).get(person, person),
                "purpose": language.purpose(str(roll.get("purpose") or "")),
                "sides": roll.get("sides", 6),
                "faces": list(roll["faces"]),
                "kept": roll.get("kept"),
                "mode": str(roll.get("mode") or "plain"),
                "modifiers": list(roll.get("modifiers", [])),
                "sources": list(roll.get("sources", [])),
                "total": roll.get("total", roll.get("kept")),
            }
            yield {**die, "each": list(roll["dice"])} if "dice" in roll else die


def _posts_of_undo_or_redo(
    entry: JournalEntry,
    before: State,
    entry_at: Callable[[Position], JournalEntry],
    first_sent_after: int,
    results_of: Callable[[JournalEntry, State], list[ShownResult]],
    public_number: PublicNumber,
    players: Audience,
) -> list[Post]:
    """Return the posts that tell a target of an undo or redo.

    Only results that the target has got are mentioned, so that the undo of a secret reveals nothing.
    """
    verb, word, undone = _VERBS[entry["command"]]
    moved: list[tuple[JournalEntry, list[ShownResult]]] = []
    state = before
    for played in _undone_or_redone_entries(entry, entry_at):
        # Each result is made again as at first, from the state of its time.
        start = undo_facts_in_shown_tables(state, played["facts"]) if undone else state
        state = start if undone else apply_facts_to_shown_tables(state, played["facts"])
        results = results_of(played, start)
        if results and played["seq"] > first_sent_after:
            moved.append((played, results))
    if not moved:
        return []
    posts, own = [], public_number(entry["seq"])
    for secret in (False, True):
        told = [(one, of) for one, of in moved if secret == all(result["secret"] for result in of)]
        named = [played for played, _ in told]
        if named:
            (first, results), more = told[0], len(told) - 1
            number = first["seq"] if secret else public_number(first["seq"])
            words = players.language.and_more(f"#{number} {results[0]['title'].rstrip('.')}", more)
            again = _undo_or_redo_animation(
                undone,
                named,
                moved,
                turn_in_shown_scene(make_audience_view(state, players._replace(gm=secret))),
            )
            result = _make_result(entry, [f"{verb}: {words}."], [], own or 0, secret, again)
            posts.append(Post(result["id"], result))
    for _, results in moved:
        for result in results:
            id = f"{result['id']}-{word}-{own}"
            posts.append(Post(id, {**result, "undone": undone}, mark=True))
    return posts


def _undo_or_redo_animation(
    undone: bool,
    concerned: Sequence[JournalEntry],
    entries_with_results: Sequence[tuple[JournalEntry, list[ShownResult]]],
    turn: TurnPayload | None,
) -> ShownAnimation:
    """Return what screens draw when commands are undone or redone: one line for each command.

    Args:
        undone: True for an undo, False for a redo.
        concerned: The entries of the commands that are undone or redone.
        entries_with_results: Entries, each with its results. An entry gets a line if it is in `concerned`.
            The line has the title of the entry's first result.
        turn: The turn under way.
    """
    verb = "Undone" if undone else "Done again"
    titles = [results[0]["title"] for played, results in entries_with_results if played in concerned]
    return {
        "turn": turn,
        "head": None,
        "lines": [{"text": f"{verb}: {title}", "style": "dim"} for title in titles],
        "banners": [],
        "outcome": False,
        "effects": [],
    }


def _undone_or_redone_entries(
    entry: JournalEntry, entry_at: Callable[[Position], JournalEntry]
) -> list[JournalEntry]:
    """Return the entries that an undo took back or a redo restored, oldest first.

    `entry` is the journal entry of the undo or redo itself. `entry_at` returns the entry at a position.
    """
    count = sum(len(fact.get("of", [])) for fact in entry["facts"])
    head = entry["head"]
    if entry["command"] == "undo":
        return [entry_at((name, offset)) for name, offset in head["redo"][len(head["redo"]) - count :]]
    found: list[JournalEntry] = []
    at = head["last"]
    while at and len(found) < count:
        found.append(entry_at(at))
        before = found[-1].get("prev")
        at = parse_position(before) if before else None
    return found[::-1]
