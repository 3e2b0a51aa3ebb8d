"""Completion by Tab in bash, zsh, fish and PowerShell: a script for each shell, and its installation.

The completions themselves come from `session.tab_completion`.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..problems import Usage
from ..session.tab_completion import find_completions

WORDS_VARIABLE = "_STRIKE_WORDS"
"""The environment variable with the words of the line up to the cursor, as typed, a line each; the last one
is unfinished.
"""
LINE_VARIABLE = "_STRIKE_LINE"
"""The environment variable with the line up to the cursor."""

BASH = """
_strike_completion() {
    local IFS=$'\\n' line="${COMP_LINE:0:COMP_POINT}" answer
    COMPREPLY=()
    for answer in $(_STRIKE_LINE="$line" _STRIKE_BREAKS="$COMP_WORDBREAKS" \\
                    _STRIKE_COMPLETE=bash "$1" 2>/dev/null); do
        case "$answer" in
            :files) compopt -o filenames; COMPREPLY=($(compgen -f -- "$2")) ;;
            :folders) compopt -o filenames; COMPREPLY=($(compgen -d -- "$2")) ;;
            *) COMPREPLY+=("$answer") ;;
        esac
    done
}

complete -o nosort -F _strike_completion strike
"""

BASH_ALIAS = """
if ! type s >/dev/null 2>&1; then
    alias s={alias}
    _strike_as_typed() {{ {program} "$@"; }}
    _strike_alias_completion() {{ _strike_completion _strike_as_typed "${{@:2}}"; }}
    complete -o nosort -F _strike_alias_completion s
fi
"""

ZSH = """
#compdef strike

_strike_completion() {
  local -a answers
  answers=("${(@f)$(_STRIKE_WORDS="${(F)words[1,CURRENT-1]}"$'\\n'"${QIPREFIX}${PREFIX}" \\
                    _STRIKE_COMPLETE=zsh ${(Q)~words[1]} 2>/dev/null)}")
  case "${answers[1]}" in
    '') return 1 ;;
    :files) _files ;;
    :folders) _files -/ ;;
    *) compadd -V strike -M 'm:{[:lower:]}={[:upper:]}' -a answers ;;
  esac
}

if [[ $funcstack[1] = _strike ]]; then _strike_completion "$@"; else compdef _strike_completion strike; fi
"""

FISH = """
function _strike_completion
    set -l current (commandline -ct)
    set -lx _STRIKE_COMPLETE fish
    set -lx _STRIKE_LINE (commandline -cp)
    set -l program (commandline -opc)[1]
    set -l answers ($program 2>/dev/null)
    switch "$answers[1]"
        case :files
            __fish_complete_path "$current"
        case :folders
            __fish_complete_directories "$current"
        case '*'
            string join \\n -- $answers
    end
end

complete --command strike --no-files --keep-order --arguments '(_strike_completion)'
"""

POWERSHELL = """
Register-ArgumentCompleter -Native -CommandName strike, s -ScriptBlock {
    param($word, $command, $cursor)
    $Env:_STRIKE_COMPLETE = "powershell"
    $Env:_STRIKE_LINE = $command.ToString().PadRight($cursor).Substring(0, $cursor)
    strike 2>$null | Where-Object { $_ -notmatch "^:" } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, "ParameterValue", $_)
    }
    Remove-Item Env:_STRIKE_COMPLETE, Env:_STRIKE_LINE
}
"""

ZSH_ALIAS = 'type s >/dev/null || {{ s() {{ {program} "$@" }}; compdef _strike s }}'
FISH_ALIAS = "function s; {program} $argv; end\n"
POWERSHELL_ALIAS = """
if (-not (Get-Command s -ErrorAction SilentlyContinue)) { Set-Alias -Scope Global s strike }
"""
ALIAS = "s"
"""The letter that stands for strike in a shell, if the user wants it."""


def print_completions(shell_name: str) -> None:
    """Print the completions at the cursor, one on each line, for the script of the shell `shell_name`.

    Nothing is printed for an unknown shell.
    """
    from .app import root_command

    shell = shell_name.removeprefix("complete_")  # as scripts ask that were installed with Typer's help
    if shell not in SHELLS:
        return
    words, under_way = SHELLS[shell].parse_words()
    own = [name for each in root_command().params for name in each.opts if name.startswith("--")]
    offer = find_completions(words[1:], _unquote(under_way), options=[*own, "--help"])
    quote = _escape_and_cut_for_bash if shell == "bash" else lambda word, _: word
    for word in [offer.place] if offer.place else offer.words:
        print(word if offer.place else quote(word, under_way))


def completion_script(shell: str) -> str:
    """Return the script that makes a shell complete `strike`. Raises Usage for a shell without one."""
    if shell not in SHELLS:
        raise Usage(
            f"strike has no script for {shell or 'this shell'}.", f"It has scripts for {', '.join(SHELLS)}."
        )
    return SHELLS[shell].script.strip()


def install_completion_and_alias(program: str) -> str:
    """Install the completion script of the shell from which strike runs; return a message about it.

    If the user wants it, the alias `s` for `program` is added too. Raises Usage for an unknown shell.
    """
    import shellingham

    try:
        shell = str(shellingham.detect_shell()[0])
    except shellingham.ShellDetectionFailure:
        shell = Path(os.environ.get("SHELL", "")).name
    shell = "powershell" if shell == "pwsh" else shell
    text = completion_script(shell)
    alias = program if _ask_whether_alias_is_wanted() else ""
    file = SHELLS[shell].install(f"{text}\n", alias)
    also = f" `{ALIAS}` runs strike there, with completion." if alias else ""
    return f"Completion works in {shell} from its next start.{also} Written: {file}"


def _ask_whether_alias_is_wanted() -> bool:
    """Ask the user about the alias `s`; return whether it is wanted.

    Without a terminal, or if there is a program called `s`, nothing is asked, and the result is False.
    """
    import shutil

    if shutil.which(ALIAS) or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return input(f"Shall `{ALIAS}` be short for strike in this shell, with completion? [y/N] ").lower() in (
        "y",
        "yes",
    )


def _fill_in_program(text: str, program: str) -> str:
    """Return a line for a shell, with `program` filled in; "" if `program` is "".

    In `text`, `{program}` stands for the program as it is. `{alias}` stands for the program quoted for the
    shell.
    """
    return text.format(program=program, alias=shlex.quote(program)) if program else ""


def _install_in_bash(text: str, alias_program: str) -> Path:
    text += _fill_in_program(BASH_ALIAS, alias_program)
    file = _write_file(Path.home() / ".bash_completions" / "strike.sh", text)
    _add_missing_line(Path.home() / ".bashrc", f"source '{file}'")
    return file


def _install_in_zsh(text: str, program_of_alias: str) -> Path:
    _add_missing_line(Path.home() / ".zshrc", "fpath+=~/.zfunc; autoload -Uz compinit; compinit")
    if program_of_alias:
        _add_missing_line(Path.home() / ".zshrc", _fill_in_program(ZSH_ALIAS, program_of_alias))
    return _write_file(Path.home() / ".zfunc" / "_strike", text)


def _install_in_fish(text: str, program_of_alias: str) -> Path:
    settings = Path.home() / ".config" / "fish"
    if program_of_alias and not (settings / "functions" / f"{ALIAS}.fish").exists():
        _write_file(settings / "functions" / f"{ALIAS}.fish", _fill_in_program(FISH_ALIAS, program_of_alias))
        # fish completes no program outside the path; a function is completed under its own name.
        of_alias = text.replace("--command strike", f"--command {ALIAS}")
        _write_file(settings / "completions" / f"{ALIAS}.fish", of_alias)
    return _write_file(settings / "completions" / "strike.fish", text)


def _install_in_powershell(text: str, program_of_alias: str) -> Path:
    text += POWERSHELL_ALIAS if program_of_alias else ""
    ask = ["powershell" if os.name == "nt" else "pwsh", "-NoProfile", "-Command", "Write-Output $PROFILE"]
    profile = Path(subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip())
    file = _write_file(profile.with_name("strike-completion.ps1"), text)
    _add_missing_line(profile, f". '{file}'")
    return file


def _write_file(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def _add_missing_line(file: Path, line: str) -> None:
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    if line not in text.splitlines():
        _write_file(file, f"{text.rstrip()}\n{line}\n".lstrip())


def _words_from_words_variable() -> tuple[list[str], str]:
    *before, last = (os.environ.get(WORDS_VARIABLE, "") or "strike\n").split("\n")
    return [_unquote(word) for word in before], last


def _words_from_line_variable() -> tuple[list[str], str]:
    """Return the words before the cursor, unquoted, and the unfinished word exactly as it was typed."""
    line = os.environ.get(LINE_VARIABLE, "strike ")
    for begin in range(len(line), 0, -1):
        before = line[:begin]
        if before[-1].isspace() and not before.endswith("\\ "):
            with suppress(ValueError):  # within quotes
                return shlex.split(before), line[begin:]
    return ["strike"], ""


class Shell(NamedTuple):
    """A shell: its completion script, the script's installer, and a reader of the typed words."""

    script: str
    install: Callable[[str, str], Path]
    """The function that writes the script, with an alias for the named program, if any; returns its path."""
    parse_words: Callable[[], tuple[list[str], str]] = _words_from_line_variable
    """The function that returns the words before the unfinished one, unquoted, and that one as typed."""


SHELLS = {
    "bash": Shell(BASH, _install_in_bash),
    "zsh": Shell(ZSH, _install_in_zsh, _words_from_words_variable),
    "fish": Shell(FISH, _install_in_fish),
    "powershell": Shell(POWERSHELL, _install_in_powershell),
}


def _escape_and_cut_for_bash(word: str, typed: str) -> str:
    """Return a completion in the form that Bash expects.

    Bash also splits a line at `:` and `=`. It keeps the text before such a sign, and inserts the completion
    after it unchanged.
    """
    if typed[:1] in ('"', "'"):
        return word  # it closes the quotes itself
    breaks = [sign for sign in ":=" if sign in os.environ.get("_STRIKE_BREAKS", "")]
    cut = max((typed.rfind(sign) + 1 for sign in breaks), default=0)
    quoted = re.sub(r"""([\s"'\\$`&|;<>()*?\[\]!#~{}])""", r"\\\1", word)
    return quoted[cut:] if quoted.lower().startswith(typed[:cut].lower()) else quoted


def _unquote(word: str) -> str:
    """Return a word without the shell's quotes, even if they aren't closed yet."""
    for closing in ("", '"', "'"):
        with suppress(ValueError):
            parts = shlex.split(word + closing)
            return parts[0] if len(parts) == 1 else word if parts else ""
    return word
