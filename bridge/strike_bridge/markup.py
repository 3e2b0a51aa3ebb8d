"""A result as a short piece of HTML: what happened, the dice, and why they count as they do.

Only the tags of TAGS, no attributes, every text escaped: safe to put into a chat as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

TAGS = ("p", "ul", "li", "b", "i", "code")


def html_of(texts: Sequence[str], dice: Iterable[Mapping[str, Any]]) -> str:
    """The texts as paragraphs, the dice as a list below them."""
    told = "".join(f"<p>{escape(line)}</p>" for text in texts for line in text.splitlines() if line.strip())
    rolled = "".join(f"<li>{_die(die)}</li>" for die in dice)
    return told + (f"<ul>{rolled}</ul>" if rolled else "")


def _die(die: Mapping[str, Any]) -> str:
    """`<b>Vex</b>, attack: <code>5, 2</code> 5 kept +1 (Flanking) = 6. <i>Advantage: High ground</i>`."""
    head = ", ".join(part for part in (f"<b>{escape(die['who'])}</b>" if die["who"] else "",
                                       escape(die["purpose"])) if part)  # fmt: skip
    words = [f"{head}:"] if head else []
    words.append(f"<code>{', '.join(escape(str(face)) for face in die['faces'])}</code>")
    if len(die["faces"]) > 1 and die["kept"] is not None:
        words.append(f"{escape(str(die['kept']))} kept")
    words += [f"{each['value']:+d} ({escape(str(each['reason']))})" for each in die["modifiers"]]
    if die["modifiers"]:
        words.append(f"= {escape(str(die['total']))}")
    text = " ".join(words)
    for kind in ("advantage", "disadvantage"):
        reasons = [str(source["reason"]) for source in die["sources"] if source["kind"] == kind]
        if reasons:
            text += f" <i>{kind.capitalize()}: {escape('; '.join(reasons))}</i>"
    return text
