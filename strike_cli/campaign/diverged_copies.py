"""Repair of a journal after two copies of the campaign have diverged.

Copies diverge by git conflicts, by programs that sync folders, and by lines edited by hand. One branch is
kept, and the commands of every other branch are written as a script. Nothing is deleted. Begin with
`keep_branch_and_script_others`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..kernel.procedure import CONFIRM
from ..kernel.state_changes import State, apply_fact, look_up
from ..problems import CampaignProblem, pluralize
from . import file_access
from .journal import FOLDER, Journal, UnreadableLine, hash_identifying_entry, line_hash, relink_line
from .journal_entry_format import (
    Place,
    Position,
    is_journal_file_name,
    open_decision_of,
    parse_position,
    replace_references_to_decisions,
)
from .state_file import STATE_FILE
from .undo_and_repair_facts import Decided, Edited

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry

_JOURNAL_COPY = re.compile(r"\d{4}[^0-9].*\.jsonl", re.DOTALL)
"""The pattern of the names that Dropbox, Syncthing and the like give to copies of a journal's file."""
_STATE_COPY = re.compile(r"state( \(\d+\)|.*conflict.*)\.toml", re.IGNORECASE | re.DOTALL)
_CONFLICT_MARKERS = (b"<<<<<<< ", b"||||||| ", b"=======", b">>>>>>> ")
"""Beginnings of the lines that git writes around two branches."""


def find_conflict_copies(folder: Path) -> list[str]:
    """Return the conflict copies of journal files and of state.toml, as paths in the campaign's folder."""
    journal = [
        name
        for name in _names_in_folder(folder / FOLDER)
        if _JOURNAL_COPY.fullmatch(name) and not is_journal_file_name(name)
    ]
    return [*(f"{FOLDER}/{name}" for name in journal), *find_conflict_copies_of_state(folder)]


def find_conflict_copies_of_state(folder: Path) -> list[str]:
    """Return the names of the conflict copies of state.toml. Copies of other files are left out."""
    return [name for name in _names_in_folder(folder) if _STATE_COPY.fullmatch(name)]


def _names_in_folder(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder)) if file_access.folder_exists_refusing_links(folder) else []
    except OSError:
        return []


def journal_files_with_git_markers(folder: Path) -> list[str]:
    """Return the journal's files in which git has left both sides of a conflict."""
    journal = Journal(folder)
    return [
        name
        for name in journal.file_names()
        if any(map(_is_conflict_marker, file_access.read_whole(journal.folder / name).splitlines()))
    ]


def _is_conflict_marker(line: bytes) -> bool:
    return (
        line.startswith((*_CONFLICT_MARKERS[:2], _CONFLICT_MARKERS[3]))
        or line.rstrip() == _CONFLICT_MARKERS[2]
    )


class BranchNode:
    """An entry in a tree of branches: its line, the name of its journal file, and its parent entry."""

    __slots__ = ("entry", "file", "hash", "parent", "raw", "unlinked")

    def __init__(self, raw: bytes, entry: JournalEntry, file: str) -> None:
        self.raw, self.entry, self.file = raw, entry, file
        self.hash = line_hash(raw)
        self.parent: BranchNode | None = None
        self.unlinked = False
        """Whether the entry comes after its parent in the file but was recorded after another line."""

    @property
    def path_from_root(self) -> list[BranchNode]:
        """The entries from the first one down to this one."""
        found, node = [self], self.parent
        while node is not None:
            found.append(node)
            node = node.parent
        return found[::-1]


class BranchTree:
    """The tree of all entries in a journal's files and their conflict copies."""

    def __init__(self, folder: Path) -> None:
        self.journal = Journal(folder)
        self.nodes: dict[str, BranchNode] = {}
        own = self.journal.file_names()
        others = [Path(name).name for name in find_conflict_copies(folder) if name.startswith(f"{FOLDER}/")]
        newest: dict[int, BranchNode] = {}
        for name in (*own, *others):
            if name in others:
                newest = {node.entry["seq"]: node for node in self.nodes.values() if node.file < name[:4]}
            for raw in (
                file_access.read_whole(self.journal.folder / name)
                .replace(b"\r\n", b"\n")
                .splitlines(keepends=True)
            ):
                self._add_line(raw, name, newest)

    def _add_line(self, raw: bytes, name: str, newest: dict[int, BranchNode]) -> None:
        if not raw.endswith(b"\n") or _is_conflict_marker(raw):
            return
        try:
            entry = self.journal.decode_line(raw, name)
        except UnreadableLine:
            return
        node = BranchNode(raw, entry, name[:4])
        known = self.nodes.setdefault(node.hash, node)
        if known is node:
            after = entry.get("after")
            node.parent = self.nodes.get(after) if after else None
            if node.parent is None and after != "":
                node.parent = newest.get(entry["seq"] - 1)
                node.unlinked = after is not None
            if node.parent is not None and node.parent.entry["seq"] != entry["seq"] - 1:
                node.parent = None
        newest[entry["seq"]] = known

    @property
    def has_forks(self) -> bool:
        """Whether the tree has more than one branch.

        It is True if two entries have the same parent, or if there are two first entries.
        """
        after = [node.entry.get("after", node.parent and node.parent.hash) for node in self.nodes.values()]
        named = [each for each in after if each is not None]
        return len(set(named)) < len(named)

    def newest_of_branches(self) -> list[BranchNode]:
        """Return the newest entry of every branch, in the order in which the entries were read."""
        parents = {node.parent.hash for node in self.nodes.values() if node.parent}
        return [node for node in self.nodes.values() if node.hash not in parents]

    def branch_to_keep(self, followed_hash: str) -> list[BranchNode]:
        """Return the entries of the branch to keep.

        It is the branch with the entry whose hash is `followed_hash`, the hash that state.toml names. If no
        branch has that entry, it is the longest branch. Raises CampaignProblem if no branch begins with the
        first entry.
        """
        whole = [
            path
            for path in (leaf.path_from_root for leaf in self.newest_of_branches())
            if path[0].entry["seq"] == 1
        ]
        if not whole:
            raise CampaignProblem(
                f"No file of {FOLDER} has the first entry.", "`strike restore` lists backups."
            )
        return max(whole, key=lambda path: (any(each.hash == followed_hash for each in path), len(path)))


def keep_branch_and_script_others(folder: Path, tree: BranchTree, followed_hash: str) -> list[str]:
    """Keep one branch of a journal, and write each other branch as a script.

    Return a line for each thing done. `followed_hash` is the hash of the journal line to which state.toml
    belongs. The caller must hold the lock. If the kept branch contradicts itself, raise CampaignProblem and
    change nothing.
    """
    kept = tree.branch_to_keep(followed_hash)
    edited = [node.parent.entry["seq"] for node in kept if node.unlinked and node.parent]
    lines = [f"Entry {seq} was edited by hand; what follows is linked to it again." for seq in edited]
    contents = _new_contents(kept)
    _check_branch(kept, contents)
    known = {node.hash for node in kept}
    try:
        for leaf in sorted(tree.newest_of_branches(), key=lambda leaf: -leaf.entry["seq"]):
            branch = [node for node in leaf.path_from_root if node.hash not in known]
            if branch:
                known |= {node.hash for node in branch}
                lines.append(_write_script_and_report(folder, tree.journal, branch))
        lines += replace_journal_files_and_report(folder, tree.journal, contents)
    except OSError as error:
        raise file_access.unwritable_problem(folder, error) from None
    return lines


def _new_contents(branch: Iterable[BranchNode]) -> dict[str, bytes]:
    """Return the new contents of the journal's files, by name.

    Entries after an entry that was edited by hand get new hashes. Raises CampaignProblem if new hashes aren't
    possible.
    """
    found: dict[str, list[bytes]] = {}
    after, anew = "", False
    for node in branch:
        anew = anew or node.unlinked
        raw = relink_line(node.raw, after) if anew and "after" in node.entry else node.raw
        if raw is None:
            raise _unrepairable_problem(node.entry["seq"])
        found.setdefault(f"{node.file}.jsonl", []).append(raw)
        after = line_hash(raw)
    return {name: b"".join(lines) for name, lines in found.items()}


def _check_branch(nodes: Sequence[BranchNode], contents: Mapping[str, bytes]) -> None:
    """Raise CampaignProblem for a branch that contradicts itself.

    A branch contradicts itself in two cases:

    - A fact names a wrong previous value.
    - An entry refers to a position where no entry begins.
    """
    places: dict[Position, JournalEntry] = {}
    offset, file = 0, ""
    state: State = {}
    for node in nodes:
        offset, file = (offset if file == node.file else 0), node.file
        places[f"{file}.jsonl", offset] = node.entry
        offset += len(node.raw)
        replace_references_to_decisions(
            node.entry, lambda place, scene: _open_decision_or_given_position(places, place, scene)
        )
        for fact in node.entry["facts"]:
            for path, before, _ in fact["changes"][:1]:
                if look_up(state, path) != before:
                    raise _unrepairable_problem(node.entry["seq"])
            state = apply_fact(state, fact)
        head = node.entry.get("head", {})
        named = [node.entry.get("prev"), head.get("last"), *head.get("redo", ())]
        if any(parse_position(place) not in places for place in named if place):
            raise _unrepairable_problem(node.entry["seq"])


def _open_decision_or_given_position(
    places: Mapping[Position, JournalEntry], place: Place, scene: str
) -> object:
    try:
        return open_decision_of(places[parse_position(place)], scene) or place
    except (LookupError, ValueError):
        return place


def _unrepairable_problem(seq: int) -> CampaignProblem:
    return CampaignProblem(
        f"Entry {seq} of the journal doesn't follow from the entries before it, and no other entry does.",
        "Somebody edited the journal. Nothing was changed: `strike restore` lists backups.",
    )


def replace_journal_files_and_report(
    folder: Path, journal: Journal, contents: Mapping[str, bytes]
) -> list[str]:
    """Replace the content of the journal by the files in `contents`, which has each file's bytes by name.

    Old files that change or disappear are first copied to new names. Old files that aren't in `contents` are
    deleted. Conflict copies are moved away at the end. Return a line for each file that was copied or moved.
    """
    lines = []
    own = {name: file_access.read_whole(journal.folder / name) for name in journal.file_names()}
    for name, raw in own.items():
        if raw != contents.get(name):
            aside = _free_path(journal.folder, f"{name[:4]}.branch-{{}}")
            file_access.write_new_synced_file(aside, raw)
            lines.append(f"{FOLDER}/{name} as it was is in {FOLDER}/{aside.name}.")
    file_access.sync_folder(journal.folder)
    for name, raw in contents.items():
        if own.get(name) != raw:
            file_access.replace_file_without_sync(
                file_access.write_scratch(journal.folder / name, raw), journal.folder / name
            )
    for name in own.keys() - contents.keys():
        file_access.remove_if_possible(journal.folder / name)
    return [*lines, *move_conflict_copies_aside(folder)]


def move_conflict_copies_aside(folder: Path) -> list[str]:
    """Rename conflict copies to names in the journal's folder that strike doesn't read.

    Return a line for each renamed file.
    """
    lines = []
    for copy in find_conflict_copies(folder):
        aside = _free_path(folder / FOLDER, f"{Path(copy).name.partition('.')[0][:5].strip()}.branch-{{}}")
        file_access.replace_file_without_sync(folder / copy, aside)
        lines.append(f"{copy} is {FOLDER}/{aside.name} now.")
    if lines:
        file_access.sync_folder(folder / FOLDER)
    return lines


def set_state_aside_and_report(folder: Path) -> str:
    """Move state.toml away, because it belongs to another journal; return a line that reports this.

    The next command makes a new state.toml.
    """
    aside = _free_path(folder / FOLDER, "state.branch-{}")
    try:
        file_access.replace_file_without_sync(folder / STATE_FILE, aside)
    except OSError as error:
        raise file_access.unwritable_problem(folder, error) from None
    return (
        f"{STATE_FILE} belonged to another journal: it is now {FOLDER}/{aside.name}, and a new one is made."
    )


def _free_path(folder: Path, pattern: str) -> Path:
    number = 1
    while os.path.lexists(place := folder / pattern.format(number)):
        number += 1
    return place


# Scripts: the commands of a branch, as `strike batch` plays them.


def _write_script_and_report(folder: Path, journal: Journal, branch: Sequence[BranchNode]) -> str:
    """Write the script of a branch; return the line that reports it."""
    from ..command_line_splitting import quote_word_if_needed

    place = _free_path(journal.folder, "branch-{}.strike")
    played = list(_entries_to_replay([node.entry for node in branch]))
    first, last = branch[0].entry, branch[-1].entry
    head = [
        f"# #{first['seq']} to #{last['seq']} of another branch, with the dice that fell.",
        f"# `strike batch {quote_word_if_needed(place.name)}` plays them after what the journal has now. "
        "Take out what "
        "you don't want.",
    ]
    beyond = sum(max(0, count) for count in _counts_of_older_commands_undone(branch))
    if beyond:
        head.append(
            f"# It took back {beyond} of the commands that both branches have: `strike undo` does so."
        )
    lines = [line for entry in played for line in _script_lines(entry)]
    file_access.write_new_synced_file(place, "".join(f"{line}\n" for line in [*head, *lines]).encode())
    file_access.sync_folder(journal.folder)
    typed = quote_word_if_needed(str(folder / FOLDER / place.name))
    entries = pluralize(len(branch), "entry", "entries")
    return (
        f"Another branch has {entries} from #{first['seq']} on, {pluralize(len(played), 'command')}. "
        f"`strike batch {typed}` plays them after this branch."
    )


def _counts_of_older_commands_undone(branch: Sequence[BranchNode]) -> Iterator[int]:
    """Yield a number for each undo in a branch: how many commands from before the branch it took back.

    The number is 0 or less if the undo took back only commands of the branch itself.
    """
    own = 0
    for node in branch:
        count = _undo_or_redo_count(node.entry)
        if "head" not in node.entry:
            own += 1
        elif node.entry["command"] == "undo":
            yield count - own
            own = max(0, own - count)
        else:
            own += count


def _undo_or_redo_count(entry: JournalEntry) -> int:
    count = entry["args"].get("count")
    return count if isinstance(count, int) else 0


def _entries_to_replay(entries: Iterable[JournalEntry]) -> Iterator[JournalEntry]:
    """Yield the commands of a branch that were not undone.

    A command that had to wait for a decision has two entries: one before the decision, and one with the
    outcome. If the branch has both, only the entry with the outcome is yielded.
    """
    done: list[JournalEntry] = []
    undone: list[JournalEntry] = []
    for entry in entries:
        if "head" not in entry:
            done.append(entry)
            undone = []
            continue
        source, goal = (done, undone) if entry["command"] == "undo" else (undone, done)
        for _ in range(min(len(source), _undo_or_redo_count(entry))):
            goal.append(source.pop())
    for number, entry in enumerate(done):
        same = (later for later in done[number + 1 :] if later["command"] == entry["command"])
        if not entry.get("pending") or not any(
            later["args"] == entry["args"] and any(fact["kind"] == Decided.kind for fact in later["facts"])
            for later in same
        ):
            yield entry


def _script_lines(entry: JournalEntry) -> Iterator[str]:
    told = " ".join(" ".join(fact["text"] for fact in entry["facts"]).split())
    yield f"# #{entry['seq']} {entry['command']}: {told}"[:200]
    if any(fact["kind"] == Edited.kind for fact in entry["facts"]):
        for fact in entry["facts"]:
            for path, _, after in fact["changes"]:
                args = {"path": path, "value": after, "why": "edited by hand"}
                yield _replay_line_as_json_words({"command": "override", "args": args})
        return
    answers = [answer for _, answer in entry["answers"]]
    more: dict[str, object] = {
        "dice": [face for answer in answers if isinstance(answer, list) for face in answer],
        "choices": [answer for answer in answers if isinstance(answer, str)],
        "confirms": any(asked == CONFIRM for asked, _ in entry["answers"]),
        **{key: entry[key] for key in ("secret", "open", "note", "player") if key in entry},
    }
    kept = {key: value for key, value in more.items() if value}
    yield _replay_line_as_json_words(
        {"command": entry["command"], "args": entry["args"], **kept, "was": hash_identifying_entry(entry)}
    )


def _replay_line_as_json_words(entry: Mapping[str, object]) -> str:
    words = ["again", json.dumps(entry, ensure_ascii=False)]
    return json.dumps([word.replace("$", "$$") for word in words], ensure_ascii=False)
