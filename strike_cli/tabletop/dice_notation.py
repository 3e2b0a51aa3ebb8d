"""Dice notation (`2d6+1`, `4d6kh3`, `(d8+2)x3`): parsed, thrown, and counted exactly.

Everything that takes dice uses it: `roll`, `odds`, random tables, handouts, dice boxes. Begin with
`parse_dice`. `throw_expression` throws the parsed dice, and `count_ways_to_totals` counts their totals.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, product
from math import comb, prod
from typing import NamedTuple

from ..kernel.procedure import Procedure, Roll
from ..problems import Usage

MOST_DICE, MOST_SIDES, MOST_EXPLOSIONS = 100, 999_999_999, 20
"""How many dice a term can have, how many sides a die, and how many dice explosions can add to a term."""
MOST_CHARACTERS = 200


class DiceFault(ValueError):
    """The error for a text that can't be parsed as dice.

    `reason` is the reason, and `at` the place in the text, counted from 0.
    """

    def __init__(self, text: str, at: int, reason: str) -> None:
        super().__init__(reason)
        self.text, self.at, self.reason = text, at, reason

    @property
    def as_usage(self) -> Usage:
        """The error to show to people, with a caret below the faulty place."""
        shown = self.text[:MOST_CHARACTERS]
        return Usage(
            f"{shown!r} is not dice: {self.reason}.\n  {shown}\n  {' ' * self.at}^",
            "Dice are written like d20, 2d6+1, 4d6kh3, d6!, 5d6>=5, 4dF or (d8+2)x3.",
        )


class Dice(NamedTuple):
    """Dice of one kind: `n` dice with `sides` sides each.

    Attributes:
        fudge: Whether they are fudge dice (dF), with three faces worth -1, 0 and 1.
        reroll: The faces that are rolled again. Each die is rolled again at most once.
        explode: Whether a die that shows its highest face adds another die.
        keep: Which dice count: kh or kl keeps the highest or lowest, dh or dl drops them. The number says how
            many dice are kept or dropped.
        at_least: If given, the result isn't the sum. It is the number of dice that show this value or more.
    """

    n: int
    sides: int
    fudge: bool = False
    reroll: tuple[int, ...] = ()
    explode: bool = False
    keep: tuple[str, int] | None = None
    at_least: int | None = None

    def signed_keep_count(self, rolled: int) -> int:
        """Return the number of dice that count, out of `rolled` rolled dice, with a sign.

        A positive number means the highest dice, a negative one the lowest. 0 means that all count.
        """
        if self.keep is None:
            return 0
        how, count = self.keep
        count = count if how[0] == "k" else rolled - count
        return count if how in ("kh", "dl") else -count

    def face_number(self, face: int) -> int:
        """Return the number of a natural face: the face itself, or -1, 0 or 1 for fudge dice."""
        return face - 2 if self.fudge else face

    def face_contribution(self, face: int) -> int:
        """Return the amount that a face adds to the total.

        It is the number of the face. For dice that count successes, it is 1 or 0.
        """
        return (
            self.face_number(face) if self.at_least is None else int(self.face_number(face) >= self.at_least)
        )

    def faces_that_count(self, faces: Sequence[int]) -> list[int]:
        """Return the faces that count, in the order of `faces`."""
        if self.keep is None:
            return list(faces)
        how, count = self.keep
        kept = len(faces) - count if how[0] == "d" else count
        best_first = sorted(
            range(len(faces)), key=lambda at: -faces[at] if how in ("kh", "dl") else faces[at]
        )
        return [faces[at] for at in sorted(best_first[: max(kept, 0)])]

    @property
    def is_plain_sum_or_kept_sum(self) -> bool:
        """Whether the result is just the sum of the dice, or of the best or worst of them.

        It is False for fudge dice, and for dice that reroll, explode or count successes.
        """
        return not (self.fudge or self.reroll or self.explode or self.at_least is not None)


class Constant(NamedTuple):
    """A number in an expression."""

    value: int


class Operation(NamedTuple):
    """Two parts of an expression and the `sign` that joins them: +, - or *."""

    sign: str
    left: Part
    right: Part


Part = Dice | Constant | Operation
_APPLY: Mapping[str, Callable[[int, int], int]] = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}


class Expression(NamedTuple):
    """A parsed dice expression: its text without blanks, and its parts as a tree."""

    text: str
    tree: Part

    @property
    def dice(self) -> list[Dice]:
        """The parts that are dice, from left to right."""
        return list(_dice_in(self.tree))

    @property
    def simple_dice_and_added_number(self) -> tuple[Dice, int] | None:
        """The dice and the number added to them, if the expression has no other parts.

        It is None for any other expression, and if the dice aren't simple (`Dice.is_plain_sum_or_kept_sum`).
        """
        plus, at = 0, self.tree
        while isinstance(at, Operation) and isinstance(at.right, Constant) and at.sign != "*":
            plus, at = plus + _APPLY[at.sign](0, at.right.value), at.left
        return (at, plus) if isinstance(at, Dice) and at.is_plain_sum_or_kept_sum else None


def _dice_in(part: Part) -> Iterator[Dice]:
    if isinstance(part, Dice):
        yield part
    elif isinstance(part, Operation):
        yield from _dice_in(part.left)
        yield from _dice_in(part.right)


# Reading

_BEGINS = re.compile(
    r"[\s(]*(\d+\s*[-+*x]\s*\(*\s*)*(\d+\s*d\s*(\d|%|f|(?![a-z]))"
    r"|d\s*(\d|%|f(ro\d+)*[!e]?([kd][hl]\d*)?(s\d+)?(?![a-wyz])))",
    re.ASCII | re.IGNORECASE,
)


def begins_like_dice(text: str) -> bool:
    """Return whether a text begins like dice, even like faulty dice. Such a text can't be a name."""
    return _BEGINS.match(text) is not None


@lru_cache(maxsize=1024)
def parse_dice(text: str) -> Expression:
    """Return the expression in a text in dice notation.

    Raises:
        DiceFault: The text is not dice; the fault has the place and the reason.
    """
    if len(text) > MOST_CHARACTERS:
        raise DiceFault(text, MOST_CHARACTERS, f"it is longer than {MOST_CHARACTERS} characters")
    reader = _Parser(text)
    tree = reader.read_sum()
    if reader.unread_text_after_blanks:
        raise reader.fault_here(reader.explain_fault_of_unread())
    if next(_dice_in(tree), None) is None:
        raise DiceFault(text, 0, "there are no dice in it")
    return Expression("".join(text.split()).lower().replace("df", "dF"), tree)


def dice_or_none(text: str) -> Expression | None:
    """Return the expression in a text in dice notation, or None if the text isn't dice."""
    try:
        return parse_dice(text)
    except DiceFault:
        return None


class _Parser:
    """The parser of one text in dice notation: the text, and the place of the next character to read.

    Blanks are skipped.
    """

    def __init__(self, text: str) -> None:
        self.text, self.lower, self.at = text, text.lower(), 0
        self.depth = 0

    @property
    def unread_text_after_blanks(self) -> str:
        """The unread text without leading blanks. Getting it skips these blanks."""
        found = self.lower[self.at :].lstrip()
        self.at = len(self.lower) - len(found)
        return found

    def fault_here(self, reason: str) -> DiceFault:
        """Return a fault at the place of the next character to read."""
        return DiceFault(self.text, self.at, reason)

    def take_word(self, *words: str) -> str:
        """Read one of `words` if the unread text begins with it, and return that word; otherwise return "".

        If several of the words fit, the first of them is read.
        """
        found = next((word for word in words if self.unread_text_after_blanks.startswith(word)), "")
        self.at += len(found)
        return found

    def read_number(self, most: int, name: str) -> int | None:
        """Read a number and return it, or None if the unread text doesn't begin with a number.

        Raises DiceFault for a number above `most`; `name` names the number in the message.
        """
        digits = re.match(r"[0-9]*", self.unread_text_after_blanks)
        if not digits or not digits[0]:
            return None
        if len(digits[0]) > 9 or int(digits[0]) > most:
            raise self.fault_here(f"{name} is {most:,} at most")
        self.at += len(digits[0])
        return int(digits[0])

    def explain_fault_of_unread(self) -> str:
        """Return in words what is wrong with the rest of the formula, which couldn't be read."""
        mods = {
            ">": "successes are counted with >=5 or s5",
            "<": "only >=5 (or s5) counts dice",
            "r": "ro1 rolls each 1 again, once",
            "k": "kh keeps the highest, kl the lowest",
            "d": "dh drops the highest, dl the lowest",
            "/": "dice can't be divided",
            ")": "no bracket is open",
        }
        fits = (
            mods.get(self.unread_text_after_blanks[0], "")
            if self.at and self.unread_text_after_blanks
            else ""
        )
        return fits or "a sign (+ - x) or the end should be here"

    def read_sum(self) -> Part:
        """Read an expression of terms that are added or subtracted."""
        part = self.read_product()
        while sign := self.take_word("+", "-"):
            part = Operation(sign, part, self.read_product())
        return part

    def read_product(self) -> Part:
        """Read a term of factors that are multiplied."""
        part = self.read_factor()
        while self.take_word("*", "x"):
            part = Operation("*", part, self.read_factor())
        return part

    def read_factor(self) -> Part:
        """Read a factor: a number, dice, or an expression in brackets."""
        if self.take_word("("):
            self.depth += 1
            if self.depth > 20:
                raise self.fault_here("it has more than 20 nested brackets")
            part = self.read_sum()
            if not self.take_word(")"):
                raise self.fault_here(
                    "a closing bracket is missing"
                    if not self.unread_text_after_blanks
                    else self.explain_fault_of_unread()
                )
            self.depth -= 1
            return part
        began = self.at
        number = self.read_number(999_999, "a number")
        if not self.unread_text_after_blanks.startswith("d"):
            if number is None:
                raise self.fault_here("a number or dice should be here")
            return Constant(number)
        if number is not None and not 1 <= number <= MOST_DICE:
            raise DiceFault(self.text, began, f"one roll has 1 to {MOST_DICE} dice of a kind")
        self.take_word("d")
        return self.read_sides_and_options(1 if number is None else number)

    def read_sides_and_options(self, n: int) -> Dice:
        """Read what follows the d in a text like `4d6kh3`, and return the dice.

        `n` is the number of dice, which was read before.
        """
        fudge = bool(self.take_word("f"))
        percent = not fudge and bool(self.take_word("%"))
        sides = 3 if fudge else 100 if percent else self.read_number(MOST_SIDES, "a die's sides")
        if not sides:
            raise self.fault_here(
                "the number of sides is missing" if sides is None else "a die has at least 1 side"
            )
        reroll: list[int] = []
        while self.take_word("ro"):
            reroll.append(self.read_option_number("ro", fudge=fudge))
        explode = bool(self.take_word("!", "e"))
        keep = None
        if how := self.take_word("kh", "kl", "dh", "dl"):
            count = self.read_number(MOST_DICE, "the number of dice kept or dropped")
            keep = (how, 1 if count is None else count)
            most = n if how[0] == "k" else n - 1
            if not 1 <= keep[1] <= most:
                raise self.fault_here(
                    f"of {n} dice 1 to {most} can be {'kept' if how[0] == 'k' else 'dropped'}"
                    if most
                    else "the only die can't be dropped"
                )
        counts = self.take_word(">=", "s")
        at_least = self.read_option_number(counts, fudge=fudge) if counts else None
        if again := next(
            (
                mod
                for mod in ("ro", "!", "e", "kh", "kl", "dh", "dl")
                if self.unread_text_after_blanks.startswith(mod)
            ),
            "",
        ):
            raise self.fault_here(f"{again} comes too late; the order is ro, !, kh kl dh dl, >=")
        faces = tuple(sorted({face + 2 if fudge else face for face in reroll}))
        return Dice(n, sides, fudge, faces, explode, keep, at_least)

    def read_option_number(self, option: str, *, fudge: bool) -> int:
        """Read the number after the option `option`, such as `ro` or `>=`, and return it.

        With `fudge`, the number may be negative. Raises DiceFault if there is no number.
        """
        sign = -1 if fudge and self.take_word("-") else 1
        number = self.read_number(MOST_SIDES, "a face")
        if number is None:
            raise self.fault_here(f"a number is missing after {option}")
        return sign * number


# Throwing


class ThrownTerm(NamedTuple):
    """The throw of the dice of one term.

    `faces` has all natural faces in the order of the throws. `remaining_faces` has the faces after rerolls,
    with those added by explosions.
    """

    dice: Dice
    faces: Sequence[int]
    remaining_faces: Sequence[int]

    @property
    def total_or_successes(self) -> int:
        """The sum of the dice; for dice that count successes, the number of successes."""
        return sum(
            self.dice.face_contribution(face) for face in self.dice.faces_that_count(self.remaining_faces)
        )


class Thrown(NamedTuple):
    """The throw of an expression: its terms, and the total."""

    terms: Sequence[ThrownTerm]
    total: int


def throw_expression(expression: Expression, person: str, purpose: str, id: str = "") -> Procedure[Thrown]:
    """Throw the dice of an expression: first all terms from left to right, then rerolls, then explosions.

    Args:
        expression: The dice.
        person: The id of the roller, "" for nobody.
        purpose: What the dice are for, in words.
        id: The key under which journals store the faces. It is needed if the purpose contains a name.
    """

    def ask_roll(n: int, dice: Dice) -> Procedure[list[int]]:
        return list((yield Roll(n, dice.sides, purpose, person, id=id)))

    faces: list[list[int]] = []
    for dice in expression.dice:
        faces.append((yield from ask_roll(dice.n, dice)))
    left = [list(own) for own in faces]
    for dice, own, now in zip(expression.dice, faces, left, strict=True):
        again = [at for at, face in enumerate(now) if face in dice.reroll]
        if again:
            rerolled = yield from ask_roll(len(again), dice)
            own += rerolled
            for at, face in zip(again, rerolled, strict=True):
                now[at] = face
    for dice, own, now in zip(expression.dice, faces, left, strict=True):
        may = MOST_EXPLOSIONS if dice.explode else 0
        exploding = min(now.count(dice.sides), may)
        while exploding:
            added = yield from ask_roll(exploding, dice)
            own += added
            now += added
            may -= exploding
            exploding = min(added.count(dice.sides), may)
    terms = [ThrownTerm(*each) for each in zip(expression.dice, faces, left, strict=True)]
    totals = iter([term.total_or_successes for term in terms])
    return Thrown(terms, _evaluate(expression.tree, totals))


def _evaluate(part: Part, totals: Iterator[int]) -> int:
    """Return the value of a part of an expression.

    `totals` has the totals of the dice in that part, from left to right.
    """
    if isinstance(part, Dice):
        return next(totals)
    if isinstance(part, Constant):
        return part.value
    left = _evaluate(part.left, totals)
    return _APPLY[part.sign](left, _evaluate(part.right, totals))


# Counting

Ways = Mapping[int, int]
"""In how many ways dice come to each total; all ways are equally likely."""


class TooManyWays(Exception):
    """The error for dice that can fall in too many ways to count."""


MOST_STEPS = 2_000_000
MOST_TOTALS = 2000
"""How many totals of dice are listed, each with its chance, or with its entry of a table."""


class _StepBudget:
    """A budget of MOST_STEPS steps of work; spending more raises TooManyWays."""

    def __init__(self) -> None:
        self.left = MOST_STEPS

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooManyWays


@lru_cache(maxsize=64)
def count_ways_to_totals(tree: Part) -> Ways:
    """Return the number of ways to each total of an expression, sorted by total.

    Raises:
        TooManyWays: Counting would take too long.
    """
    return dict(sorted(_count_ways(tree, _StepBudget()).items()))


def _count_ways(part: Part, steps: _StepBudget) -> Ways:
    if isinstance(part, Constant):
        return {part.value: 1}
    if isinstance(part, Dice):
        return _count_dice_ways(part, steps)
    return _combine_ways(
        _count_ways(part.left, steps), _count_ways(part.right, steps), _APPLY[part.sign], steps
    )


def _combine_ways(left: Ways, right: Ways, apply: Callable[[int, int], int], steps: _StepBudget) -> Ways:
    steps.spend(len(left) * len(right))
    found: dict[int, int] = defaultdict(int)
    for (one, ways), (other, more) in product(left.items(), right.items()):
        found[apply(one, other)] += ways * more
    return found


def _count_dice_ways(dice: Dice, steps: _StepBudget) -> Ways:
    steps.spend(dice.n * dice.sides)
    faces = range(1, dice.sides + 1)
    again = len([face for face in dice.reroll if face <= dice.sides])
    first = (
        {face: again + (0 if face in dice.reroll else dice.sides) for face in faces}
        if again
        else dict.fromkeys(faces, 1)
    )
    if not dice.explode:
        return _count_kept_ways(dice, [(dice.n, first)], dice.signed_keep_count(dice.n), steps)
    # Explosions depend only on the number of highest faces, among the dice and among those added.
    top, found = first.pop(dice.sides), defaultdict[int, int](int)
    lower = dict.fromkeys(range(1, dice.sides), 1)
    below = lru_cache(maxsize=None)(
        partial(_count_kept_ways_without_top_faces, dice, first if again else lower, lower, steps)
    )
    for own in range(dice.n + 1):
        for added, extra, ways in _explosion_dice_tops_and_orders(own):
            scale = comb(dice.n, own) * top**own * ways * dice.sides ** (MOST_EXPLOSIONS - added)
            tops, left, keep = (
                own + extra,
                (dice.n - own, added - extra),
                dice.signed_keep_count(dice.n + added),
            )
            kept_tops = tops if not keep else min(tops, keep) if keep > 0 else max(-keep - sum(left), 0)
            pool = left if again else (sum(left), 0)
            keep_left = (keep - kept_tops or None) if keep > 0 else keep
            steps.spend(1)
            for total, each in below(pool, keep_left).items():
                found[total + kept_tops * dice.face_contribution(dice.sides)] += scale * each
    return found


def _count_kept_ways_without_top_faces(
    dice: Dice, first: Weights, lower: Weights, steps: _StepBudget, counts: tuple[int, int], keep: int | None
) -> Ways:
    """Return in how many ways dice can give each total if no die shows its highest face.

    There are two sorts of dice. `first` and `lower` have the weights of their faces, without the highest
    face. `counts` has the number of dice of each sort.

    `keep` says which dice count, as in `_count_kept_ways`. If it is None, no die counts, and the only total
    is 0.
    """
    pool = [(n, weights) for n, weights in zip(counts, (first, lower), strict=True) if n]
    if keep is None:
        return {0: prod(sum(weights.values()) ** n for n, weights in pool)}
    return _count_kept_ways(dice, pool, keep, steps)


def _explosion_dice_tops_and_orders(top_faces: int) -> Iterator[tuple[int, int, int]]:
    """Yield the outcomes of explosions, if `top_faces` of the first dice show the highest face.

    Every die that shows the highest face adds another die. Each outcome has three numbers: how many dice are
    added, how many of the added dice show the highest face, and in how many orders that can happen.
    """
    top_faces = min(top_faces, MOST_EXPLOSIONS)
    may = MOST_EXPLOSIONS - top_faces
    if not top_faces:
        yield 0, 0, 1
        return
    for top in range(may + 1):  # it ends with the die that makes the number of lower faces that began it full
        yield top_faces + top, top, comb(top_faces + top - 1, top)
    for top in range(may + 1, MOST_EXPLOSIONS + 1):
        yield MOST_EXPLOSIONS, top, comb(MOST_EXPLOSIONS, top)


Weights = Mapping[int, int]
"""In how many ways a die shows each face."""
Pool = Sequence[tuple[int, Weights]]
"""Dice of several sorts: how many of each, and their faces."""


def _count_kept_ways(dice: Dice, pool: Pool, keep: int, steps: _StepBudget) -> Ways:
    """Return in how many ways dice can give each total.

    `pool` has the dice: for each sort, their number and the weights of their faces. `keep` says which of the
    dice count:
    - 3 means the three highest dice.
    - -3 means the three lowest dice.
    - 0 means all dice.
    """
    whole = sum(n for n, _ in pool)
    if not keep or abs(keep) >= whole:
        found: Ways = {0: 1}
        for n, weights in pool:
            found = _combine_ways(
                found,
                _count_ways_to_sums(n, _weights_of_amounts_of_die(dice, weights), steps),
                int.__add__,
                steps,
            )
        return found
    # From the best face to the worst: how many of each sort show it. Once enough are kept the rest is free.
    faces = sorted({face for _, weights in pool for face in weights}, reverse=keep > 0)
    tails = [
        [sum(weights.get(face, 0) for face in faces[at + 1 :]) for at in range(len(faces))]
        for _, weights in pool
    ]
    done: dict[int, int] = defaultdict(int)
    states: dict[tuple[tuple[int, ...], int], int] = {(tuple(n for n, _ in pool), 0): 1}
    for at, face in enumerate(faces):
        later: dict[tuple[tuple[int, ...], int], int] = defaultdict(int)
        for (left, total), ways in states.items():
            wanted = abs(keep) - (whole - sum(left))
            for showing in product(*(range(n + 1) for n in left)):
                steps.spend(1)
                weight = ways * prod(
                    comb(n, shown) * weights.get(face, 0) ** shown
                    for n, shown, (_, weights) in zip(left, showing, pool, strict=True)
                )
                now = total + min(sum(showing), wanted) * dice.face_contribution(face)
                rest = tuple(n - shown for n, shown in zip(left, showing, strict=True))
                if sum(showing) >= wanted:
                    done[now] += weight * prod(tail[at] ** n for tail, n in zip(tails, rest, strict=True))
                else:
                    later[rest, now] += weight
        states = later
    return {total: ways for total, ways in done.items() if ways}


def _weights_of_amounts_of_die(dice: Dice, weights: Weights) -> Ways:
    """Return the weight of each amount that one die can add to the total."""
    found: dict[int, int] = defaultdict(int)
    for face, weight in weights.items():
        found[dice.face_contribution(face)] += weight
    return found


def _count_ways_to_sums(n: int, ways: Ways, steps: _StepBudget) -> Ways:
    """Return the ways to each sum of `n` equal dice. `ways` has the ways for one die."""
    low, high = min(ways, default=0), max(ways, default=0)
    if len(set(ways.values())) == 1 and len(ways) == high - low + 1:
        return _count_ways_to_plain_sums(n, low, high, ways[low], steps)
    found: Ways = {0: 1}
    while n:  # all powers of two of them that n is made of, put together
        if n % 2:
            found = _combine_ways(found, ways, int.__add__, steps)
        n //= 2
        if n:
            ways = _combine_ways(ways, ways, int.__add__, steps)
    return found


def _count_ways_to_plain_sums(n: int, low: int, high: int, weight: int, steps: _StepBudget) -> Ways:
    """Return the number of ways to roll each sum of `n` dice with the faces from `low` to `high`.

    Each face of a die counts as `weight` ways.
    """
    sides, ways = high - low + 1, [1]
    for _ in range(n):
        steps.spend(len(ways) + sides)
        sums = [0, *accumulate(ways)]
        last = len(ways)
        ways = [sums[min(at + 1, last)] - sums[max(at + 1 - sides, 0)] for at in range(last + sides - 1)]
    return {n * low + at: found * weight**n for at, found in enumerate(ways)}
