"""Reactions as strike had them up to 0.2: a `do` of their own with words of its own, in place of steps."""

from __future__ import annotations

from collections.abc import Mapping

OF_REACTION = ("on", "when", "once", "echoes")
"""Keys that are no step's."""


def as_step(reaction: Mapping[str, object]) -> dict[str, object]:
    """Return the step that has the effect of a reaction with a `do`.

    The reaction was for the holder unless it said `to`, and what it dealt or gave was the giver's doing.
    """
    step = {key: value for key, value in reaction.items() if key not in OF_REACTION}
    step.setdefault("to", "self")
    if step.get("amount") == "value":
        step["amount"] = {"of": "value"}
    match step["do"]:
        case "damage":
            step["by"] = "giver"
        case "apply":
            step |= {"whose": "target", **({"by": "giver"} if step["to"] == "self" else {})}
        case "end" if "status" not in step:
            step["this"] = True
        case "opportunity" if step["to"] != "giver":
            step |= {"to": "enemies", "within": 1}
        case "roll":
            step["do"] = "lose-control"
            if isinstance(faces := step.get("faces"), Mapping):
                step["faces"] = {face: _compelled(steps) for face, steps in faces.items()}
    return step


def _compelled(steps: object) -> object:
    """Return the steps of a face: what it applied was the giver's."""
    if not isinstance(steps, list):
        return steps
    return [
        {**step, "by": "giver", "whose": "target"}
        if isinstance(step, Mapping) and step.get("do") == "apply"
        else {**step, **({"otherwise": _compelled(step["otherwise"])} if "otherwise" in step else {})}
        if isinstance(step, Mapping)
        else step
        for step in steps
    ]
