"""`strike bridge allow`, `login`, `link`, `unlink`, `doctor`: preparing a tabletop for the bridge."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.problems import BridgeProblem, Usage, listed
from strike_cli.refusals import NothingSent
from strike_cli.terminal.argument_completions import FREE, WHO
from strike_cli.terminal.command_output import Line, Result, Table, blocks_as_unwrapped_text
from strike_cli.terminal.commands_and_options import Options, command
from strike_cli.terminal.name_lookup import find_id_by_name
from strike_cli.untrusted_input import replace_unprintable

from . import argument_completions
from .bridge import (
    TargetName,
    TargetOrAll,
    app,
    ask_to_agree,
    chosen_targets,
    finding_sign,
    offer_agreements_and_record_given,
    report_long_waits,
    terms_lines,
)

if TYPE_CHECKING:
    from typing import TypedDict

    from strike_bridge.settings import Settings
    from strike_bridge.token_links import LinkByNameResult

    class _LinkShown(TypedDict):
        target: str
        id: str
        theirs: str | None
        made: bool


TargetOption = Annotated[
    str,
    typer.Option(
        "-t", "--target", metavar=argument_completions.TARGET, help="The target, if several have tokens."
    ),
]


@command(app, "allow", kind="reads", hidden=True)
def allow(
    options: Options,
    target: TargetName,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Agree without a question.")] = False,
) -> Result:
    """Agree that this campaign sends its scenes and results to a target at the address in campaign.toml.

    A stranger's campaign may contain the stranger's targets. So nothing is sent to an address before somebody
    at this machine agrees to it. They agree with this command, or when another command asks at a terminal.
    The agreement is kept on this machine, for this folder and target. If the address changes, you are asked
    again.

    Example: `strike bridge allow foundry`
    """
    from strike_bridge.consent import is_agreed, record_consent
    from strike_bridge.targets import terms_unless_own_table

    folder, (settings,) = chosen_targets(options, target)
    terms = terms_unless_own_table(folder, settings)
    if terms is None:
        data = {"target": settings.name, "agreed": True}
        said = " is this machine's own table; nobody has to agree."
        return Result("bridge allow", data, [[(settings.name, "name"), said]])
    data = {"target": settings.name, **terms.shown(), "agreed": True}
    if is_agreed(folder, settings.name, terms):
        return Result("bridge allow", data, [f"{terms.origin} was agreed to already."])
    if not yes and not options.interactive:
        shown = blocks_as_unwrapped_text(terms_lines(settings.name, terms)).rstrip()
        raise BridgeProblem(shown, f"`strike bridge allow {settings.name} --yes` agrees to it.")
    if not yes and not ask_to_agree(settings.name, terms):
        raise NothingSent(settings.name, "Remove it from campaign.toml, or agree later.")
    record_consent(folder, settings, terms)
    lines: list[Line] = [[(settings.name, "name"), f" is sent this campaign at {terms.origin} from now on."]]
    return Result("bridge allow", data, lines)


@command(app, "login", kind="reads", hidden=True)
def login(options: Options, target: TargetName) -> Result:
    """Enter a target's key or password, or have the target issue one.

    Your typing isn't shown. The key is stored in the desktop's keyring if there is one that works (`pip
    install strike-cli[keyring]`). Otherwise it is stored in a file outside the campaign that nobody else can
    read. A script gives the answers on standard input, one line each.

    Example: `strike bridge login foundry`
    """
    if options.invocation.unattended:
        raise Usage("`strike bridge login TARGET` asks at a terminal.", "Type it in a terminal.")
    from strike_bridge.login import obtain_and_store_key as get_in
    from strike_bridge.targets import target_class

    folder, (settings,) = chosen_targets(options, target)
    offer_agreements_and_record_given(options, folder, [settings])
    where = get_in(folder, settings, ask_or_read_login_answer, print_to_stderr)
    words = target_class(settings).key_words
    text = f"{words[:1].upper()}{words[1:]} of {settings.name}: kept in {where}. "
    lines: list[Line] = [[(text, "good"), (f"`strike bridge doctor {settings.name}` tries it.", "dim")]]
    return Result("bridge login", {"target": settings.name, "kept_in": where}, lines)


def ask_or_read_login_answer(question: str, secret: bool) -> str:
    """Ask a question at a terminal, without echo if `secret`. In a script, read a line of standard input."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip()
    if secret:
        from getpass import getpass

        return getpass(f"{replace_unprintable(question)}: ", sys.stderr)
    sys.stderr.write(f"{replace_unprintable(question)}: ")
    sys.stderr.flush()
    return input()


def print_to_stderr(text: str) -> None:
    """Print a line to standard error, apart from the command's result."""
    sys.stderr.write(blocks_as_unwrapped_text([text]))
    sys.stderr.flush()


@command(app, "link", kind="reads")
def link(
    options: Options,
    who: Annotated[str, typer.Argument(metavar=WHO.with_text("[WHO]"), help="One of our tokens.")] = "",
    id: Annotated[
        str, typer.Argument(metavar=FREE.with_text("[ID]"), help="The id of the target's token.")
    ] = "",
    auto: Annotated[
        bool, typer.Option("--auto", help="Link every token with exactly one free namesake.")
    ] = False,
    target: TargetOption = "",
) -> Result:
    """Link one of our tokens to a token on a tabletop. Without WHO, show the links.

    Example: `strike bridge link vex kT3q` or `strike bridge link --auto`
    """
    from strike_bridge.token_links import link_by_our_id_or_name, names_of_tokens_to_send
    from strike_bridge.token_links import link_token as set_link

    folder, chosen = _linkable_targets(options, target)
    if auto:
        names = {settings.name: names_of_tokens_to_send(folder, settings) for settings in chosen}
        if not any(names.values()):
            raise Usage("There is nobody to link: no scene is under way.", "`strike status` shows what is.")
        offer_agreements_and_record_given(options, folder, chosen)
        with report_long_waits():
            came = [(each, link_by_our_id_or_name(folder, each, names[each.name])) for each in chosen]
        return _linked_by_name_result(came, names)
    if not who:
        return _links_result(folder, chosen)
    if not id:
        raise Usage("Link to which token?", "`strike bridge link WHO ID`, or `strike bridge link --auto`.")
    settings = _only_target(chosen)
    with options.open_campaign() as campaign:
        party = {key: str(one["name"]) for key, one in campaign.book.characters.items()}
    ours_id = find_id_by_name(
        who, {**party, **names_of_tokens_to_send(folder, settings)}, "token", " to link"
    )
    offer_agreements_and_record_given(options, folder, [settings])
    with report_long_waits():
        set_link(folder, settings, ours_id, id)
    data = {"target": settings.name, "id": ours_id, "theirs": id}
    return Result("bridge link", data, [[(ours_id, "name"), f" is {id} at {settings.name}."]])


def _links_result(folder: Path, chosen: list[Settings]) -> Result:
    from strike_bridge.delivery_record import load_or_make_cursor

    rows: list[_LinkShown] = []
    for settings in chosen:
        cursor = load_or_make_cursor(folder, settings.name)
        for id in [*cursor.links, *cursor.unlinked]:
            made = id in cursor.made
            theirs = cursor.links.get(id)
            rows.append({"target": settings.name, "id": id, "theirs": theirs, "made": made})
    if not rows:
        return Result("bridge link", {"links": []}, [("Nothing is linked yet.", "dim")])
    table = Table(
        ["Target", "Token", "There", "By"],
        [
            [
                (row["target"], "name"),
                row["id"],
                row["theirs"] or ("not linked", "warn"),
                "the bridge" if row["made"] else "you" if row["theirs"] else "-",
            ]
            for row in rows
        ],
    )
    return Result("bridge link", {"links": rows}, [table])


def _linked_by_name_result(
    links: list[tuple[Settings, LinkByNameResult]], ours: dict[str, dict[str, str]]
) -> Result:
    lines: list[Line] = []
    data: list[dict[str, object]] = []
    for settings, result in links:
        for id, found in result.linked.items():
            lines.append([(settings.name, "name"), f": {id} is {found.name} ({found.id})."])
        for id, several in result.several.items():
            ids = listed([found.id for found in several])
            lines.append([(settings.name, "name"), (f": {id} could be {ids}; link it by id.", "warn")])
        if result.missing:
            names = listed([ours[settings.name][id] for id in result.missing])
            lines.append([(settings.name, "name"), (f": nothing is named like {names}.", "warn")])
        data.append(
            {
                "target": settings.name,
                "linked": {id: found.id for id, found in result.linked.items()},
                "several": {id: [found.id for found in each] for id, each in result.several.items()},
                "missing": result.missing,
            }
        )
    return Result("bridge link", {"targets": data}, lines or [("Every token is linked already.", "good")])


@command(app, "unlink", kind="reads", hidden=True)
def unlink(
    options: Options,
    who: Annotated[str, typer.Argument(metavar=WHO, help="One of our tokens.")],
    target: TargetOption = "",
) -> Result:
    """Remove the link between a target's token and one of ours. The token itself stays.

    Example: `strike bridge unlink vex`
    """
    from strike_bridge.delivery_record import load_or_make_cursor
    from strike_bridge.token_links import unlink_token as forget

    folder, chosen = _linkable_targets(options, target)
    settings = _only_target(chosen)
    links = load_or_make_cursor(folder, settings.name).links
    id = find_id_by_name(who, {key: key for key in links}, "link", f" at {settings.name}")
    was = forget(folder, settings, id)
    data = {"target": settings.name, "id": id, "theirs": was}
    return Result("bridge unlink", data, [[(id, "name"), f" is no longer {was} at {settings.name}."]])


def _linkable_targets(options: Options, name: str) -> tuple[Path, list[Settings]]:
    """Return the campaign's folder, and the chosen targets whose tokens must be linked to strike's.

    Tokens at the other targets have strike's own ids, so they need no links. Raises Usage if no chosen target
    needs links.
    """
    from strike_bridge.targets import target_class

    folder, chosen = chosen_targets(options, name)
    found = [settings for settings in chosen if target_class(settings).supports.links]
    if not found:
        raise Usage(
            f"There is nothing to link at {listed([settings.name for settings in chosen])}.",
            "Its tokens have our ids.",
        )
    return folder, found


def _only_target(chosen: list[Settings]) -> Settings:
    if len(chosen) > 1:
        names = listed([settings.name for settings in chosen])
        raise Usage(f"At which target: {names}?", "Name it with --target.")
    return chosen[0]


@command(app, "doctor", kind="reads", hidden=True)
def doctor(options: Options, target: TargetOrAll = "") -> Result:
    """Check a target, or all targets: settings, key, address, clock, scene and links.

    Faults are shown with advice on how to fix them. Nothing is changed.

    Example: `strike bridge doctor foundry`
    """
    from strike_bridge.doctor import check_target

    folder, chosen = chosen_targets(options, target)
    lines: list[Line] = []
    rows: list[dict[str, object]] = []
    for settings in chosen:
        lines.append((settings.name, "title"))
        with report_long_waits():
            findings = check_target(folder, settings)
        for finding in findings:
            lines.append([finding_sign(finding), finding.what])
            if finding.remedy:
                lines.append((f"   {finding.remedy}", "dim"))
            rows.append({"target": settings.name, "ok": finding.well, "tried": finding.tried,
                         "what": finding.what, "hint": finding.remedy or None})  # fmt: skip
    bad = sum(not row["ok"] for row in rows)
    found = f"{bad} finding{'s' if bad > 1 else ''}."
    problem = BridgeProblem(found, "Each says how to fix it.") if bad else None
    return Result("bridge doctor", {"findings": rows}, lines, problem=problem)
