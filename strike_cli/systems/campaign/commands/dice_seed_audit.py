"""`strike dice audit`: check that the dice in the journal come from the campaign's seed."""

from __future__ import annotations

from collections import Counter

from strike_cli.problems import CampaignProblem, pluralize
from strike_cli.terminal.command_output import Line, Result
from strike_cli.terminal.commands_and_options import Options, command, new_app

app = new_app("""The dice of the journal.

    Example: `strike dice audit`
    """)


@command(app, "audit", kind="reads")
def audit(options: Options) -> Result:
    """Check that the journal's dice come from the seed, in order.

    Every entry with dice is replayed, even if it was undone. Dice that were seen and undone, typed by hand or
    rolled again are marked. --json lists the dice of all entries.

    Example: `strike dice audit`
    """
    from strike_cli.play.dice_seed_audit import SEED, SOUND_SOURCES, audit_dice

    with options.open_campaign() as campaign:
        rolls = audit_dice(campaign)
        seed = campaign.head.seed
    sources = Counter(roll.source for roll in rolls)
    wrong = [roll for roll in rolls if roll.source not in SOUND_SOURCES]
    lines: list[Line] = [f"{pluralize(len(rolls), 'entry', 'entries')} with dice, seed {seed}."]
    lines += [f"  {count} {source}" for source, count in sources.most_common()]
    for roll in rolls:
        notes = [
            *([roll.source] if roll.source != SEED else []),
            *([roll.why] if roll.why else []),
            *([f"seen before in #{roll.seen}"] if roll.seen else []),
            *(["seen and undone"] if roll.undone else []),
        ]
        if notes:
            faces = " ".join(",".join(map(str, each)) for each in roll.faces)
            style = "bad" if roll in wrong else "dim"
            lines.append([f"#{roll.seq} {roll.command}: {faces} ", (f"({', '.join(notes)})", style)])
    problem = None
    if wrong:
        problem = CampaignProblem(
            f"{pluralize(len(wrong), 'entry has', 'entries have')} dice that may not be from the seed.",
            "Somebody has changed the journal, or the rules or campaign.toml have changed since.",
        )
    elif rolls:
        lines.append(("The dice come from the seed, in order.", "good"))
    data = {"seed": seed, "sources": dict(sources), "rolls": [roll._asdict() for roll in rolls]}
    return Result("dice audit", data, lines, notices=campaign.notices, problem=problem)
