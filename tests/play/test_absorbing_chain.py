"""Chains of rounds: known odds, solved and followed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from support.cases import case

from strike_cli.kernel import absorbing_chain
from strike_cli.kernel.absorbing_chain import EndChances, RoundResults, end_chances

FAIR = Fraction(1, 2)


def ruin(most: int, up: Fraction = FAIR) -> EndChances[bool]:
    """Somebody with a single coin plays until they have none or `most`."""

    def after(coins: str) -> RoundResults:
        have = int(coins)
        won = True if have + 1 == most else str(have + 1)
        lost = False if have == 1 else str(have - 1)
        return {won: up, lost: 1 - up}

    return end_chances(after, "1")


def test_gambler_s_ruin() -> None:
    """A fair game: one in `most` wins, after `most` - 1 rounds on average."""
    for most in (2, 5, 10):
        with case(most):
            found = ruin(most)
            assert (found.gap, found.chances[True]) == (0, Fraction(1, most))
            assert sum(found.chances.values()) == 1
            assert (found.rounds, found.states) == (most - 1, most - 1)


def test_an_unfair_one() -> None:
    """(1 - r) / (1 - r^n), r being the odds against."""
    assert ruin(4, Fraction(1, 3)).chances[True] == Fraction(1 - 2, 1 - 2**4)


def test_too_large_a_loop_is_followed_until_little_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = ruin(8)
    monkeypatch.setattr(absorbing_chain, "LARGEST_LOOP", 3)
    found = ruin(8)
    assert 0 < found.gap <= absorbing_chain.UNDECIDED
    assert sum(found.chances.values()) + found.gap == 1
    for end, chance in found.chances.items():
        assert chance <= exact.chances[end] <= chance + found.gap


def test_too_many_states_leave_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absorbing_chain, "MOST_STATES", 2)
    found = ruin(50)
    assert found.states == 4
    assert found.chances.keys() == {False}
    assert sum(found.chances.values()) + found.gap == 1


def test_what_never_ends_stays_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """One way in two ends; the other goes round and round."""
    monkeypatch.setattr(absorbing_chain, "UNDECIDED", 2 * FAIR)
    ways: dict[str, RoundResults] = {"fork": {"mill": FAIR, True: FAIR}, "mill": {"mill": Fraction(1)}}
    found = end_chances(ways.__getitem__, "fork")
    assert (found.chances, found.gap) == ({True: FAIR}, FAIR)


def test_what_leads_out_of_itself_is_solved_from_its_end() -> None:
    third = Fraction(1, 3)
    ways: dict[str, RoundResults] = {
        "fork": {"ford": FAIR, True: FAIR},
        "ford": {"mill": FAIR, False: FAIR},
        "mill": {True: third, False: 1 - third},
    }
    found = end_chances(ways.__getitem__, "fork")
    assert found.chances == {True: FAIR + FAIR * FAIR * third, False: FAIR * FAIR + FAIR * FAIR * (1 - third)}
    assert (found.gap, found.rounds) == (0, 1 + FAIR * (1 + FAIR))


def test_where_too_much_is_met_the_likeliest_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absorbing_chain, "MOST_STATES", 1)
    rare = Fraction(1, 10)
    ways: dict[str, RoundResults] = {
        "fork": {"ford": rare, "mill": 1 - rare},
        "ford": {False: Fraction(1)},
        "mill": {True: Fraction(1)},
    }
    found = end_chances(ways.__getitem__, "fork")
    assert (found.chances, found.gap) == ({True: 1 - rare}, rare)
