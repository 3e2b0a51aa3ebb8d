"""Dice by listing every way they fall: written from the grammar alone, for few dice of few sides."""

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

Chances = dict[int, Fraction]
_TERM = re.compile(r"(\d*)d(\d+|%|f)((?:ro-?\d+)*)([!e]?)(?:(kh|kl|dh|dl)(\d*))?(?:(?:>=|s)(-?\d+))?")


def chances(text: str) -> Chances:
    """Return the exact chance of each total of an expression that is right."""
    found, rest = _sum(text.replace(" ", "").lower())
    assert not rest, rest
    return found


def _sum(text: str) -> tuple[Chances, str]:
    found, text = _product(text)
    while text[:1] in ("+", "-"):
        sign = 1 if text[0] == "+" else -1
        other, text = _product(text[1:])
        found = _both(found, other, lambda one, two, sign=sign: one + sign * two)
    return found, text


def _product(text: str) -> tuple[Chances, str]:
    found, text = _factor(text)
    while text[:1] in ("*", "x"):
        other, text = _factor(text[1:])
        found = _both(found, other, lambda one, two: one * two)
    return found, text


def _factor(text: str) -> tuple[Chances, str]:
    if text.startswith("("):
        found, text = _sum(text[1:])
        return found, text[1:]
    if term := _TERM.match(text):
        return _term(*term.groups()), text[term.end() :]
    number = re.match(r"\d+", text)
    assert number, text
    return {int(number[0]): Fraction(1)}, text[number.end() :]


def _both(one: Chances, two: Chances, apply: Callable[[int, int], int]) -> Chances:
    found: Counter[int] = Counter()
    for (left, chance), (right, other) in product(one.items(), two.items()):
        found[apply(left, right)] += chance * other
    return dict(found)


def _term(
    n: str, sides: str, reroll: str, explode: str, keep: str | None, count: str, least: str | None
) -> Chances:
    fudge = sides == "f"
    faces = [-1, 0, 1] if fudge else list(range(1, (100 if sides == "%" else int(sides)) + 1))
    again = [int(face) for face in re.findall(r"-?\d+", reroll)]
    each = Fraction(1, len(faces))
    die: Counter[int] = Counter()
    for face in faces:
        if face in again:
            die.update(dict.fromkeys(faces, each * each))
        else:
            die[face] += each
    found: Counter[int] = Counter()
    for fall in product(die, repeat=int(n or 1)):
        chance = Fraction(1)
        for face in fall:
            chance *= die[face]
        for pool, share in _exploded(fall, faces) if explode else [(fall, Fraction(1))]:
            found[_total(sorted(pool), keep, int(count or 1), least)] += chance * share
    return dict(found)


def _exploded(fall: tuple[int, ...], faces: list[int]) -> list[tuple[tuple[int, ...], Fraction]]:
    """List the pools that a fall explodes to, wave by wave, twenty dice more at the most."""
    done: Counter[tuple[int, ...]] = Counter()
    waves = {(tuple(sorted(fall)), fall.count(faces[-1]), 20): Fraction(1)}
    while waves:
        later: Counter[tuple[tuple[int, ...], int, int]] = Counter()
        for (pool, exploding, may), chance in waves.items():
            n = min(exploding, may)
            if not n:
                done[pool] += chance
                continue
            for added in product(faces, repeat=n):
                key = (tuple(sorted((*pool, *added))), added.count(faces[-1]), may - n)
                later[key] += chance / len(faces) ** n
        waves = later
    return list(done.items())


def _total(pool: list[int], keep: str | None, count: int, least: str | None) -> int:
    if keep == "kh":
        pool = pool[max(len(pool) - count, 0) :]
    elif keep == "kl":
        pool = pool[:count]
    elif keep == "dh":
        pool = pool[: max(len(pool) - count, 0)]
    elif keep == "dl":
        pool = pool[count:]
    return sum(pool) if least is None else sum(face >= int(least) for face in pool)
