"""A token's meters and turn as text, for tabletops that have no other place for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.tabletop.turn_order import ACTED, ACTING, DELAYED, HELD

if TYPE_CHECKING:
    from ..payloads import ShownMeter, ShownOrder, ShownToken


_BAR: ShownMeter = {
    "id": "",
    "name": "",
    "one": "",
    "sign": "",
    "value": None,
    "max": None,
    "shown": "none",
    "wounds": None,
    "gm": None,
}
"""An empty stand-in for the first meter."""
_TURNS = {ACTING: "Acting", HELD: "Holding", ACTED: "Has acted", DELAYED: "Has acted"}
"""Words for a creature's place in a round in which turns go in any order. A creature that may still act has
none."""


def meter_words_or_out(token: ShownToken) -> list[str]:
    """Return a token's meters as text, as exactly as they may be shown.

    Examples are `7/10 HP`, `▮▮▯▯`, `bloodied` and `1 Strike`. Counters at zero are left out. For a defeated
    creature there is only `out`.
    """
    if token["state"] == "out":
        return ["out"]
    words = []
    for number, meter in enumerate(token["meters"]):
        name = "" if number == 0 else meter["name"]
        value, most = meter["value"], meter["max"]
        if value is None:
            words.append(f"{name} {meter['wounds']}".strip() if meter["wounds"] else "")
        elif meter["shown"] == "bar":
            words.append(f"{name} {'▮' * value}{'▯' * ((most or value) - value)}".strip())
        elif most is not None and not (meter["sign"] and most == value):
            words.append(f"{_value_with_sign(value, meter)}/{_value_with_sign(most, meter)} {meter['name']}")
        elif value or not meter["one"]:
            name = meter["one"] if meter["one"] and value == 1 else meter["name"]
            words.append(f"{_value_with_sign(value, meter)} {name}")
    return [word for word in words if word]


def _value_with_sign(value: int, meter: ShownMeter) -> str:
    """Return a meter's value in words: with the sign `d`, 8 is `d8`, and 0 is `0`."""
    return f"{meter['sign']}{value}" if value else "0"


def meters_after_first_or_out(token: ShownToken) -> str:
    """Return all meters but the first as one text, for a tabletop that shows the first meter as a bar.

    Meters at zero without a maximum are left out. For a defeated creature the text is `out`.
    """
    meters = [meter for meter in token["meters"][1:] if meter["value"] != 0 or meter["max"] is not None]
    return ", ".join(meter_words_or_out({**token, "meters": [_BAR, *meters]}))


def turn_words_unless_by_initiative(order: ShownOrder | None) -> dict[str, str]:
    """Return words such as `Has acted` for the people in a round, by id.

    There are such words only if people act in any order or by sides. If they act by initiative, the tracker
    shows whose turn it is, and the result is empty.
    """
    if order is None or order["kind"] == "list":
        return {}
    return {entry["id"]: _TURNS[entry["state"]] for entry in order["entries"] if entry["state"] in _TURNS}
