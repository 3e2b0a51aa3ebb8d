"""`strike bridge connect`: set up a new target, and send a first message to its virtual tabletop."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.problems import BridgeProblem, Usage
from strike_cli.refusals import NothingSent
from strike_cli.terminal.argument_completions import FREE
from strike_cli.terminal.command_output import Line, Result, blocks_as_unwrapped_text
from strike_cli.terminal.command_output import write_text_to_stdout as write
from strike_cli.terminal.commands_and_options import Options, command
from strike_cli.validation import can_be_id

from .bridge import app, ask_to_agree, chosen_targets
from .bridge_target_authoring import CAMPAIGN_FILE, append_to_existing_after_empty_line

if TYPE_CHECKING:
    from strike_bridge.settings import Settings


@command(app, "connect", kind="writes")
def connect(
    options: Options,
    url: Annotated[
        str,
        typer.Argument(metavar=FREE.with_text("[URL]"), help="The tabletop's address, or a target's name."),
    ] = "",
    name: Annotated[
        str,
        typer.Option("--name", metavar=FREE.with_text("NAME"), help="Your name for it. Default: its kind."),
    ] = "",
) -> Result:
    """Connect a virtual tabletop, step by step: its address, its kind, its key, and a first message.

    Nothing is sent before you agree. The settings go to the end of campaign.toml, and targets that are there
    already are never changed. To go on later where you stopped, give the target's name.

    Example: `strike bridge connect https://vtt.example/api`
    """
    if not options.interactive:
        raise Usage(
            "`strike bridge connect` asks at a terminal.",
            "In a script, `strike bridge new rest` begins; `strike bridge help` lists the next steps.",
        )
    with options.open_campaign() as campaign:
        folder, targets = campaign.folder, campaign.book.targets
    url = url or _ask_line("Address of the tabletop (https://...): ")
    name = url if url in targets else _identify_and_add_target(folder, url, name, list(targets))
    _, (settings,) = chosen_targets(options, name)
    return _continue_connecting(folder, settings)


def _ask_line(question: str) -> str:
    try:
        return input(question).strip()
    except EOFError:
        return ""


def _identify_and_add_target(folder: Path, url: str, name: str, existing_names: list[str]) -> str:
    """Find out which kind of tabletop is at `url`, add a target for it, and return the target's name.

    The target is written into campaign.toml. Raises Usage if the address or the name can't be used. Raises
    BridgeProblem if the user declines, or if the kind can't be found out.
    """
    from strike_bridge.address import origin_of
    from strike_bridge.first_contact import detect_kind, kind_from_address
    from strike_bridge.targets import target_class_of_kind

    try:
        origin = origin_of(url)
    except ValueError:
        raise Usage("That is not an address.", "It begins with https:// or http://.") from None
    kind = kind_from_address(url)
    if not kind:
        write(f"strike asks {origin} which kind of tabletop it is, without a key.\n")
        write("Nothing else is sent yet.\n")
        if not _confirm("Ask it?"):
            raise BridgeProblem("Nothing was sent, and nothing was written.", "")
        kind, fault = detect_kind(url)
        if fault:
            raise BridgeProblem(f"{origin}: {fault}.", "Is it running? Is the address right?")
    found = "any API over HTTP, described by TOML (rest)" if kind == "rest" else kind
    write(f"It looks like: {found}.\n")
    kind = _ask_line(f"Kind [{kind}]: ") or kind
    target_class_of_kind(kind)
    numbered = (f"{kind}-{number}" for number in count(2))
    free = (
        kind if kind not in existing_names else next(each for each in numbered if each not in existing_names)
    )
    name = name or _ask_line(f"Your name for it [{free}]: ") or free
    if not can_be_id(name) or name in existing_names:
        why = "it exists already" if name in existing_names else "it is not a name for a target"
        raise Usage(f"{name!r}: {why}.", "`--name` gives another: letters, digits, - and _.")
    text = _target_table_without_secret_url(kind, name, url)
    shown = f"[bridge.targets.{name}]: a commented template for your API" if kind == "rest" else text
    write(shown.rstrip() + "\n")
    if not _confirm(f"Write this to the end of {CAMPAIGN_FILE}?"):
        raise BridgeProblem("Nothing was written.", "")
    append_to_existing_after_empty_line(folder / CAMPAIGN_FILE, text)
    return name


def _confirm(question: str) -> bool:
    return _ask_line(f"{question} [y/N] ").lower() in ("y", "yes")


def _target_table_without_secret_url(kind: str, name: str, url: str) -> str:
    """Return a target's table for campaign.toml, without the address if that is a secret."""
    import re

    from strike_bridge.rest.merged_target_table import starter_table_text, with_target_headings
    from strike_bridge.targets import target_class_of_kind

    if kind == "rest":
        start = re.sub(r'(?m)^url = "[^"]*"', f"url = {json.dumps(url)}", starter_table_text(), count=1)
        return with_target_headings(start, name)
    address = "" if target_class_of_kind(kind).key_is_address else f"url = {json.dumps(url)}\n"
    return f'[bridge.targets.{name}]\nkind = "{kind}"\n{address}'


def _continue_connecting(folder: Path, settings: Settings) -> Result:
    """Ask for what is still missing to connect a target, and send it a first message if the user agrees.

    The user is asked to agree to the target's address, and to give its key. The request with the message is
    shown before it is sent. Raises NothingSent if the user doesn't agree to the address.
    """
    from strike_bridge.first_contact import TEST_MESSAGE, preview_test_message
    from strike_bridge.login import obtain_and_store_key
    from strike_bridge.targets import target_class

    from .bridge_setup import ask_or_read_login_answer, print_to_stderr

    name, kind = settings.name, target_class(settings)
    again = f"`strike bridge connect {name}` goes on here."
    if settings.kind == "rest":
        again = f"Change [bridge.targets.{name}] in {CAMPAIGN_FILE} to your API; {again}"
    if not kind.key_is_address and not _ask_for_agreement_if_missing(folder, settings):
        raise NothingSent(name, again)
    if kind.key_variable and _confirm(f"Put in the {kind.key_words} of {name} now?"):
        write(
            f"Kept in {obtain_and_store_key(folder, settings, ask_or_read_login_answer, print_to_stderr)}.\n"
        )
    requests = preview_test_message(folder, settings)
    data: dict[str, object] = {"target": name, "kind": settings.kind, "said": False, "requests": requests}
    if not requests:
        return Result("bridge connect", data, [_connected_line(name)])
    for request in requests:
        write(blocks_as_unwrapped_text([[(f"{request['method']} {request['url']}", "command")]]))
        if request["body"] is not None:
            write(f"  {json.dumps(request['body'], ensure_ascii=False)}\n")
    if not _confirm(f"Send {TEST_MESSAGE!r} there with this request?"):
        return Result("bridge connect", data, [(again, "dim")])
    return _send_first_message(folder, settings, data)


def _ask_for_agreement_if_missing(folder: Path, settings: Settings) -> bool:
    from strike_bridge.consent import is_agreed, record_consent
    from strike_bridge.targets import terms_unless_own_table

    terms = terms_unless_own_table(folder, settings)
    if terms is None or is_agreed(folder, settings.name, terms):
        return True
    if ask_to_agree(settings.name, terms):
        record_consent(folder, settings, terms)
        return True
    return False


def _connected_line(name: str) -> Line:
    push = f"`strike bridge push {name}` sends it the scene."
    return [(f"{name} is connected. ", "good"), (push, "dim")]


def _send_first_message(folder: Path, settings: Settings, data: dict[str, object]) -> Result:
    """Send the first message. The result has the answer, and a problem if the tabletop did not accept it."""
    from strike_bridge.first_contact import send_test_message, suggest_settings

    name, came = settings.name, send_test_message(folder, settings)
    why = came.target.redact(came.outcome.why)
    status = came.answer.status if came.answer else None
    said = (
        f"It answered {status}: {came.printable_body_start}".rstrip(": ") if status else f"Not sent: {why}."
    )
    shown: list[Line] = [said]
    if settings.kind == "rest":
        shown += [(f"  perhaps {line}", "dim") for line in suggest_settings(came.answer)]
    data |= {"said": came.outcome.kind.value == "applied", "status": status}
    if data["said"]:
        return Result("bridge connect", data, [*shown, _connected_line(name)])
    hint = came.target.remedy(came.outcome) or f"Change its table, then `strike bridge connect {name}`."
    problem = BridgeProblem(f"{name} did not accept the line: {why}.", hint)
    return Result("bridge connect", data, [*shown, [(hint, "dim")]], problem=problem)
