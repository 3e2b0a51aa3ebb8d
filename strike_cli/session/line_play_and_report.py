"""Plays a line, and shows its result or the reason why it is refused."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

import typer

from ..problems import INTERRUPTED_EXIT_CODE, CampaignProblem, Problem, Usage
from ..registry.installed_plugins import failure_messages
from ..terminal.command_output import discard_output_to, is_reader_gone, print_problem, print_to_stderr
from ..terminal.commands_and_options import find_campaign_folder, with_campaign_folder
from ..terminal.invocation import Invocation
from .command_catalogue import expand_short_line, find_command_and_name_in_line


def play_line(words: list[str], invocation: Invocation) -> int:
    """Play a line, show its result, and return its exit code."""
    from .command_dispatch import full_command_of, run_full_command_or_raise

    def play_words_here() -> int:
        line, here = words, invocation
        if line[:1] in (["-C"], ["--campaign"]) and len(line) > 2:  # as one types it in bash
            here, line = with_campaign_folder(here, line[1]), line[2:]
        try:
            return run_full_command_or_raise(full_command_of(line, here), here)
        except KeyboardInterrupt:
            return INTERRUPTED_EXIT_CODE

    return run_and_report(words, invocation, play_words_here)


def run_and_report(words: Sequence[str], invocation: Invocation, play: Callable[[], object]) -> int:
    """Call `play`, which prints the result of a line, and return the exit code.

    If `play` raises an error that people can do something about, its message is shown: as text on stderr, or
    as JSON on stdout. Other errors are raised: they are bugs of strike. Plugins that were switched off
    meanwhile are reported, too.
    """
    known, told = failure_messages(), ""
    try:
        code = play()
        if code == INTERRUPTED_EXIT_CODE:
            print_to_stderr("\nInterrupted; `strike log --last 1` shows the last recorded command.")
    except Exception as error:
        problem = _problem_to_report(error, words, invocation)
        if isinstance(error, OSError):
            discard_output_to(sys.stdout)
        if problem is None and not isinstance(error, OSError):
            raise
        code = 0
        if problem is not None:
            code, told = problem.exit_code, problem.message
            as_json = invocation.json or "--json" in words
            print_problem(problem, full_command_name(words, invocation), as_json, invocation.command_form)
    for reason in failure_messages():
        if reason not in (*known, told):
            print_to_stderr(f"Note: {reason} Everything else goes on.")
    return code if isinstance(code, int) else 0


def _problem_to_report(error: Exception, words: Sequence[str], invocation: Invocation) -> Problem | None:
    """Return the problem to report for an error.

    Return None if the error is a bug in strike itself, or if nobody reads the output any more.
    """
    if isinstance(error, OSError):
        from ..campaign.file_access import error_reason

        where = f"{error.filename or 'stdout'}: {error_reason(error)}."
        return None if is_reader_gone(error) else CampaignProblem(where, "Fix that and try again.")
    if isinstance(error, Problem):
        return error
    if isinstance(error, typer.TyperException):
        from .command_dispatch import usage_problem_of

        return usage_problem_of(error, words)
    if isinstance(error, UnicodeEncodeError) and (explained := _unencodable_name_problem(error)):
        return explained
    from ..terminal.plugin_error_report import DEBUG, plugin_error_problem

    name, debug = full_command_name(words, invocation), DEBUG in words
    if problem := plugin_error_problem(error, name, lambda: None, debug=debug):
        return problem
    known = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
    return _find_stored_fault_behind_error(words, invocation) if isinstance(error, known) else None


def _unencodable_name_problem(error: UnicodeEncodeError) -> Problem | None:
    """Return the problem of a file name with characters that the system's encoding lacks.

    Return None if the error has another cause.
    """
    from ..terminal.stream_encoding import is_unicode_encoding

    if is_unicode_encoding(sys.getfilesystemencoding()) or error.encoding not in (
        "ascii",
        "latin-1",
        "charmap",
    ):
        return None
    return CampaignProblem(
        f"{str(error.object)[:200]!a} can't be a file's name here: this system's encoding is "
        f"{sys.getfilesystemencoding()}.",
        "Set a UTF-8 locale (LC_ALL=C.UTF-8), or PYTHONUTF8=1, and try again. Nothing was changed.",
    )


def _find_stored_fault_behind_error(words: Sequence[str], invocation: Invocation) -> Problem | None:
    """Return a problem that explains an unexpected error, or None if no explanation is found.

    The function looks for a zero character in the command, and for faults in the campaign's files.
    """
    from ..campaign.doctor import find_stored_data_problem

    if any("\0" in word for word in words):
        return Usage("A word of the command contains a zero character.", "Remove it.")
    try:
        folder = find_campaign_folder(invocation.folder)
        return find_stored_data_problem(folder) if folder else None
    except Problem as problem:
        return problem


def full_command_name(words: Sequence[str], invocation: Invocation) -> str:
    """Return the full name of a command, such as `combat status add`, from its words.

    Options and arguments are left out.
    """
    name = [
        word for before, word in zip(["", *words], words, strict=False) if before not in ("-C", "--campaign")
    ]
    name = [word for word in name if not word.startswith("-")]
    with suppress(Problem):
        name = expand_short_line(name, invocation) if name else name
    with suppress(Problem):  # no command is known where strike's own parts are broken
        name = find_command_and_name_in_line(name)[1]
    return " ".join(name)
