"""`strike wealth`, `roll wealth` and `odds wealth` as they are typed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.cli import Strike


def add(strike: Strike, *parcels: str) -> None:
    for parcel in parcels:
        strike(f"wealth cash add {parcel}")


def test_a_bare_roll(strike: Strike) -> None:
    """STR-CORE-27: without a campaign."""
    data = strike.json("roll wealth --wealth 2 --price 1 --dice 1")["data"]
    assert [data[key] for key in ("column", "outcome", "costs", "flaws")] == ["cheap", "success", 2, 1]
    data = strike.json("roll wealth --wealth 2 --price 4")["data"]
    assert (data["column"], data["outcome"], data["roll"]) == ("impossible", None, None)


def test_dice_where_none_are_asked(strike: Strike) -> None:
    """STR-CORE-27: two above is no roll; dice for it are a mistake in typing."""
    assert strike.json("roll wealth --wealth 2 --price 4 --dice 3", 2)["error"]["code"] == "usage"


def test_helpers_of_a_bare_roll(strike: Strike) -> None:
    """STR-CORE-28: the roller's dice, then each helper's, two where their tier differs."""
    line = "roll wealth --wealth 2 --price 2 --help-from ann:1 --help-from bob:2 --help-from cy:3"
    data = strike.json(f"{line} --dice 2,5,4,3,1,6")["data"]
    assert [helper["roll"]["faces"] for helper in data["helpers"]] == [[5, 4], [3], [1, 6]]
    assert data["total"] == 5
    strike("roll wealth --wealth 2 --price 2 --help-from ann:0", 1)
    strike("roll wealth --wealth 2 --price 2 --help-from ann", 2)


def test_odds(strike: Strike) -> None:
    """STR-CORE-27."""
    data = strike.json("odds wealth --wealth 2 --price 3")["data"]
    assert data["column"] == "expensive"
    assert data["outcomes"][-1] == {
        "outcome": "twist", "bonus": False, "costs": 1, "flaws": 1, "probability": "1/3", "p": 0.3333,
    }  # fmt: skip
    assert "Same Level" in strike("odds wealth --wealth 2 --price 2").out
    assert strike.json("odds wealth --wealth 0 --price 4")["data"]["outcomes"][0]["outcome"] is None
    for wrong in ("", "--wealth 2", "--price 2", "vex 2 --wealth 2 --price 2"):
        strike(f"odds wealth {wrong}", 2)


def test_odds_of_a_character(in_campaign: Strike, tmp_path: Path) -> None:
    """STR-CORE-29, STR-CORE-12: as they stand, with what lowers their Wealth and their rolls."""
    in_campaign("condition add vex short")
    in_campaign("condition add vex injured")
    data = in_campaign.json("odds wealth vex 1")["data"]
    assert (data["wealth"], data["column"]) == (0, "expensive")
    assert data["modifiers"] == [{"value": -1, "reason": "Injured"}]
    assert in_campaign.json("odds wealth vex 1 --ignore injured")["data"]["modifiers"] == []
    in_campaign(f"odds wealth vex 1 --help-from brann --svg {tmp_path / 'odds.svg'}")
    assert (tmp_path / "odds.svg").read_text().startswith("<svg")


def test_a_pool_decides_for_each(in_campaign: Strike) -> None:
    """STR-CORE-28: with --cost, --choose and `strike choose` together."""
    add(in_campaign, "vesna 1", "vesna 1")
    line = "wealth pool vex brann odo --parcels vesna:1,vesna:1 --price 2 --for 'the mill'"
    in_campaign(f"{line} --dice 4 --cost 'flaw:it creaks' --choose short", 6)
    assert "owes the seller" in in_campaign("choose favor").out
    assert in_campaign.json("wealth show brann")["data"]["effective"] == 0


# --- buying


def test_a_purchase_waits_for_its_cost(in_campaign: Strike) -> None:
    """STR-CORE-27: nothing of the buyer's changes until it is decided; then it is as if said at once."""
    envelope = in_campaign.json("wealth buy vex 1 --for 'the boat' --dice 4", 6)
    assert envelope["pending"]["what"] == "cost"
    assert envelope["pending"]["options"] == ["flaw", "short", "favor", "other"]
    in_campaign("wealth buy vex 1 --dice 6", 1)
    in_campaign("wealth cash add vex 1", 1)
    in_campaign("condition add vex short", 1)
    in_campaign("wealth buy odo 1 --dice 6")
    in_campaign("undo")
    out = in_campaign("choose fav").out
    assert out.splitlines()[0] == "Vex buys the boat: 4, Success with a Cost."
    in_campaign("undo")
    in_campaign("undo")
    assert in_campaign("wealth buy vex 1 --for 'the boat' --dice 4 --choose favor").out == out
    in_campaign("replay --verify")


def test_several_decisions_in_one_purchase(in_campaign: Strike) -> None:
    """STR-CORE-20, STR-CORE-27, STR-CORE-28: --choose a,b and `strike choose a b` come to the same."""
    line = "wealth buy vex 1 --for soup --help-from brann --dice 1,1"
    first = in_campaign.json(f"{line} --choose break-the-bank,short")["facts"]
    in_campaign("undo")
    in_campaign(line, 6)
    second = in_campaign.json("choose break short")["facts"]
    assert [fact["text"] for fact in first] == [fact["text"] for fact in second if fact["text"]]
    show = in_campaign.json("wealth show brann")["data"]
    assert show["reasons"] == [{"value": -1, "reason": "Short"}]
    in_campaign("replay --verify")


def test_show(in_campaign: Strike) -> None:
    """STR-CORE-26, STR-CORE-29: Wealth, what it counts as and why, parcels, and each price."""
    add(in_campaign, "vex 2", "vex 3")
    for condition in ("short", "short", "broke"):
        in_campaign(f"condition add vex {condition}")
    data = in_campaign.json("wealth show vex")["data"]
    assert (data["rank"], data["effective"], data["effective_rank"]) == ("Poor", 0, "Penniless")
    assert [item["reason"] for item in data["reasons"]] == ["Short", "Broke"]
    assert data["cash"] == [3, 2]
    assert data["columns"] == {
        "0": "same", "1": "expensive", "2": "impossible", "3": "impossible", "4": "impossible",
    }  # fmt: skip
    assert "Counts as 0 (Penniless) for now" in in_campaign("wealth show vex").out


def test_cash_and_recovery(in_campaign: Strike) -> None:
    """STR-CORE-29, STR-CORE-30."""
    add(in_campaign, "vex 1", "vex 2", "vex 3")
    in_campaign("wealth cash spend vex 1 --for soup --price 0")
    in_campaign("wealth cash spend vex 1 --for soup", 1)
    in_campaign("condition add vex short")
    in_campaign("wealth recover vex short --parcel", 1)  # a parcel of rank 1 would do
    in_campaign("wealth recover vex short")
    in_campaign("condition add vex broke")
    assert in_campaign.json("wealth recover vex broke --parcel")["data"]["parcel"] == 2
    in_campaign("wealth invest vex 2", 1)
    in_campaign("wealth invest vex 3")
    data = in_campaign.json("wealth show vex")["data"]
    assert (data["wealth"], data["cash"]) == (2, [])
    in_campaign("undo 2")
    assert in_campaign.json("wealth show vex")["data"]["cash"] == [3, 2]
    in_campaign("doctor")


def test_a_report_has_wealth_that_grew(in_campaign: Strike) -> None:
    """STR-CORE-30: an investment stands with the rest of Wealth."""
    in_campaign("session start")
    in_campaign("wealth cash add vex 3")
    in_campaign("wealth invest vex 3")
    sections = in_campaign.json("session report 1")["data"]["sections"]
    assert [told["text"] for told in sections["Wealth"]][-1].startswith("Vex invests")
    assert "Also" not in sections


def test_wrong_input_changes_nothing(in_campaign: Strike) -> None:
    """STR-CORE-27 to 30: refused or mistyped, with nothing recorded."""
    for line, code in (
        ("wealth buy vex 3", 1),
        ("wealth buy vex 5", 2),
        ("wealth buy nobody 1", 2),
        ("wealth buy vex", 2),
        ("wealth buy vex 1 --help-from vex", 2),
        ("wealth buy vex 1 --cost gold", 2),
        ("wealth buy vex 1 --dice 4 --choose gold", 2),
        ("wealth pool vex brann odo --price 2", 1),
        ("wealth pool vex vex brann --price 2", 2),
        ("wealth pool vex brann odo --price 2 --parcels x", 2),
        ("wealth pool vex brann odo --price 2 --parcels 1,1", 1),
        ("wealth recover vex rich", 2),
        ("wealth recover vex short", 1),
        ("wealth cash add vex 7", 2),
        ("wealth cash spend vex 1 --for soup", 1),
        ("wealth invest vex 3", 1),
        ("wealth", 2),
    ):
        with case(line):
            in_campaign(line, code)
            assert not Path("state.toml").exists()


def test_the_groups_list_it(strike: Strike) -> None:
    """STR-CORE-27: `strike roll` and `strike odds` have it, among their own."""
    for group in ("roll", "odds"):
        out = strike(f"{group} --help").out
        assert "wealth" in out
        assert "opposed" in out


def imported(*line: str) -> set[str]:
    script = "import sys; from strike_cli.cli.app import run_command_line_or_complete\n"
    script += f"run_command_line_or_complete({list(line)!r}); print(*sys.modules)"
    done: Any = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.slow
def test_other_rolls_do_not_pay_for_it() -> None:
    """`strike roll skill` imports nothing of Wealth, `strike roll wealth` nothing of the other rolls."""
    rolls = imported("roll", "skill", "--dice", "4")
    assert (
        not {
            "strike_cli.systems.wealth.commands.wealth",
            "strike_cli.systems.wealth.effective_wealth_and_purchase_roll",
        }
        & rolls
    )
    wealth = imported("roll", "wealth", "--wealth", "2", "--price", "2", "--dice", "4")
    assert "strike_cli.systems.wealth.effective_wealth_and_purchase_roll" in wealth
    assert "strike_cli.systems.core.commands.roll" not in wealth
