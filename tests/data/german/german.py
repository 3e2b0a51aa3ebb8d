"""German for chases, as a translator would bring it: templates by kind and telling, and nothing else."""

from strike_cli.plugin import Plugin
from strike_cli.plugin.facts import Language

ACTION = "flee=Flucht|hide=Verstecken|double-back=Haken|set-up=Vorbereiten|risk=Wagnis"
RANGE = "caught=Gefasst|close=Nah|medium=Mittel|far=Weit|escaped=Entkommen"
OF_SIDE = "runners=Fliehenden|chasers=Verfolger"


class German(Language):
    """The words of the renderer, and the tellings of chases."""

    both = "und"
    either = "oder"
    unseen = "jemand Ungesehenes"
    purposes = {"runners": "Fliehende", "chasers": "Verfolger", "shooting": "Schuss"}  # noqa: RUF012
    templates = {  # noqa: RUF012
        "asked": {
            "says": "{about:?{who} entscheidet. {about} ({options})"
            "|{asker:?{asker}|Jemand} entscheidet, {what}: {options}.{about}}"
        },
        "chase-started": {
            "says": "{name} beginnt, Entfernung {range:"
            + RANGE
            + "}, Gefahr {danger}: {runners} vor {chasers}."
        },
        "chase-action-picked": {"says": "Die Fliehenden wählen für Runde {round}."},
        "chase-predicted": {
            "says": "Die Verfolger sagen für Runde {round} {action:" + ACTION + "|etwas} voraus."
        },
        "chase-shooting": {
            "says": "{who} schießt in dieser Runde auf die {at:" + OF_SIDE + "}{driving:? und fährt dabei}."
        },
        "chase-revealed": {
            "headline": "{action:" + ACTION + "}",
            "says": "Die Fliehenden: {action:"
            + ACTION
            + "}. Die Verfolger sagten {prediction:"
            + ACTION
            + "} voraus"
            "{gives:advantage= und haben Vorteil|disadvantage= und haben Nachteil| und haben nichts davon}.",
        },
        "helped-with": {"says": "{name} hilft mit {roll} ({added:0=bringt nichts|+1})"},
        "chase-rolled": {
            "says": "Fliehende [{roll}][{before}][, {help_of_runners}], "
            "Verfolger {against}[, {help_of_chasers}]."
        },
        "chase-shot": {
            "says": "{who} schießt auf die {at:"
            + OF_SIDE
            + "}: {roll}{beats:? und schlägt den Wurf am Steuer}."
        },
        "chase-risked": {"says": "Die Fliehenden würfeln {roll}."},
        "chase-taken-out": {
            "headline": "{who} getroffen",
            "says": "{who} ist getroffen und aus der Verfolgung.",
        },
        "chase-round-over": {
            "headline": "{outcome:crash=Unfall|tie=Gleichstand|won=Die {winner:" + OF_SIDE + "} gewinnen|}",
            "says": "{gave_up:?Die Verfolger geben auf. }"
            "{outcome:both=Alle verunglücken. |crash=Die {crash:" + OF_SIDE + "} verunglücken. "
            "|lost=Gleichstand, und die Fliehenden verlieren. |tie=Gleichstand. "
            "|won=Die {winner:" + OF_SIDE + "} gewinnen. |}"
            "{over:?|{moved:?{range_before:"
            + RANGE
            + "} zu {range_after:"
            + RANGE
            + "}.|Weiter {range_after:"
            + RANGE
            + "}.}{advantage:? Die Fliehenden haben Vorteil beim nächsten Zug.}}",
        },
        "chase-danger-set": {
            "says": "Die {by:" + OF_SIDE + "} {change:up=erhöhen|down=senken|lassen} die Gefahr "
            "{change:keep=bei {danger}|von {before} auf {danger}}."
        },
        "chase-ended": {
            "headline": "{ended:caught=Gefasst|escaped=Entkommen|hidden=Versteckt|pinned=Festgesetzt"
            "|crash=Unfall|Abgebrochen}",
            "says": "{called_off:?{name} wird abgebrochen.|[{name} ist vorbei. ]"
            "{how:both=Beide Seiten sind verunglückt; die Spielleitung sagt, was bleibt."
            "|caught-close=Die Fliehenden sind gefunden, reden aber mit."
            "|hidden-close=Die Fliehenden sind versteckt, aber die Verfolger reden mit."
            "|caught=Die Fliehenden sind gefasst.|escaped=Die Fliehenden entkommen."
            "|hidden=Die Fliehenden sind versteckt: die Verfolger haben sie verloren."
            "|pinned=Die Fliehenden sind versteckt, aber festgesetzt."
            "|crash=Die Fliehenden sind verunglückt: die Verfolgung ist verloren.|Sie wird abgebrochen.}}",
        },
        "chase-put-away": {"says": "{name} ist weggelegt."},
        "shooting-and-driving": {"says": "schießt und fährt zugleich"},
        "predicted": {"says": "{action:" + ACTION + "} vorausgesagt"},
        "after-set-up": {"says": "Vorbereitet"},
        "at-range": {"says": "Entfernung {range:" + RANGE + "}"},
        "shot-at": {"says": "beschossen[ von {by}]"},
        "follow": {
            "asks": "Die Fliehenden wagen es mit {roll}: folgen die Verfolger, oder geben sie auf?",
            "options.follow": "würfeln, und bei {fail} oder weniger sind sie weg",
            "options.give-up": "die Entfernung wächst um zwei",
        },
        "shot-target": {"asks": "{who} hat die {at:" + OF_SIDE + "} getroffen. Wen trifft es?"},
    }

    def best(self, kept: int, faces: object) -> str:
        """`5 aus 5,2`."""
        return super().best(kept, faces).replace(" of ", " aus ")  # type: ignore[arg-type]


GERMAN = German()
plugin = Plugin("german", api=2, languages={"de": "german:GERMAN"})
