"""One fight is a function of what is frozen, its number and the players; many are what they add up to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support import fights
from support.cases import case
from support.thorough import THOROUGH, few_of

from strike_cli.campaign.create import create_campaign_folder
from strike_cli.content.merged_content import open_book
from strike_cli.kernel.driver import DrivenPlay
from strike_cli.play.legal_options import Option
from strike_cli.problems import Refused, Usage
from strike_cli.registry import load_known_system, load_usable_systems
from strike_cli.sim import sim_plan
from strike_cli.sim.chunk_worker import Task, WorkerAnswer
from strike_cli.sim.confidence_intervals import (
    EXACT,
    STRATIFIED,
    doubt_for_peek_after_share_of_fights,
    exact_chance_interval,
    played_share_of_needed_fights,
    variance,
)
from strike_cli.sim.sim_plan import (
    SimPlan,
    compare_arms,
    correction_by_better_player,
    digest_of_tallies,
    outcome_chances,
)
from strike_cli.sim.sim_request import SimRequest, freeze_campaigns
from strike_cli.sim.simulated_fight import (
    DayResult,
    FrozenCampaign,
    play_day_until_not_won,
    simulation_rules_of,
)
from strike_cli.sim.simulation_hooks import WON, Lineup
from strike_cli.sim.tallies import ChunkResult, DaysTally, PairTally
from strike_cli.sim.task_backends import InProcess, TaskSpreader


@pytest.mark.slow
def test_a_fight_is_the_same_whoever_plays_it_when(frozen: FrozenCampaign) -> None:
    again = FrozenCampaign(frozen.packed)
    assert again.digest == frozen.digest
    first = [play_day_until_not_won(frozen, 1, number, "quick") for number in range(3)]
    second = [play_day_until_not_won(again, 1, number, "quick") for number in (2, 0, 1)]
    assert sorted(day.digest for day in first) == sorted(day.digest for day in second)
    assert len({day.digest for day in first}) == 3
    assert play_day_until_not_won(frozen, 2, 0, "quick") != first[0]


def test_nothing_of_what_is_frozen_changes(frozen: FrozenCampaign) -> None:
    before = dict(frozen.state)
    play_day_until_not_won(frozen, 1, 0, "quick")
    assert frozen.state == before == {}


def test_what_is_told_of_a_fight_is_what_happened_in_it(frozen: FrozenCampaign) -> None:
    """Health that people lost is what others took from them; who has won is up."""
    (fight,) = play_day_until_not_won(frozen, 1, 3, "quick").fights
    ours = [one for one in fight.people.values() if one.side == "party"]
    theirs = [one for one in fight.people.values() if one.side != "party"]
    assert fight.outcome in ("won", "lost", "drawn") and fight.rounds >= 1 and fight.commands > 2
    for side, others in ((ours, theirs), (theirs, ours)):
        assert sum(one.taken for one in side) == sum(one.dealt for one in others)
        assert sum(used.damage for one in others for used in one.uses.values()) <= sum(
            one.taken for one in side
        )
    for one in fight.people.values():
        assert 0 <= one.left <= one.most
        if not (one.out or one.fled or one.healed):
            assert one.left == one.most - one.taken
    assert fight.margin == sum(one.left for one in ours) - sum(one.left for one in theirs)


def test_a_day_goes_on_with_what_the_fight_before_left(grit_folder: Path) -> None:
    book = open_book(grit_folder)
    frozen = FrozenCampaign.freeze(book, {}, "grit", ["bridge", "bridge"], Lineup())
    for number in range(12):
        day = play_day_until_not_won(frozen, 1, number, "quick")
        if day.fights[0].outcome == "won" and any(
            one.taken for one in day.fights[0].people.values() if one.side == "party"
        ):
            break
    first, second = day.fights
    for who, one in first.people.items():
        if one.side == "party" and who in second.people:
            began = second.people[who].left + second.people[who].taken - second.people[who].healed
            assert began <= one.most
    assert any(
        second.people[who].left + second.people[who].taken < one.most
        for who, one in first.people.items()
        if one.side == "party" and who in second.people and one.taken
    )


def test_who_loses_one_meets_no_other(grit_folder: Path) -> None:
    book = open_book(grit_folder)
    lineup = Lineup(party=["wick"])
    frozen = FrozenCampaign.freeze(book, {}, "grit", ["bridge", "bridge"], lineup)
    days = [play_day_until_not_won(frozen, 1, number, "quick") for number in range(6)]
    assert any(day.outcome != "won" for day in days)
    for day in days:
        assert [fight.outcome for fight in day.fights[:-1]] == ["won"] * (len(day.fights) - 1)


def test_every_system_says_how_it_is_played() -> None:
    for name in [one.name for one in load_usable_systems() if one.simulation.rules]:
        with case(name):
            found = simulation_rules_of(load_known_system(name))
            assert found.unit or not found.health
            assert set(found.fells) <= set(found.health)


def test_a_system_that_says_nothing_is_refused_in_words() -> None:
    with pytest.raises(Usage, match="can't be simulated"):
        simulation_rules_of(load_known_system("wealth"))


@pytest.mark.slow
def test_other_games_are_played_to_their_end(tmp_path: Path) -> None:
    book = open_book(create_campaign_folder(tmp_path / "c", system="momentum"))
    day = play_day_until_not_won(
        FrozenCampaign.freeze(book, {}, "momentum", ["gate"], Lineup()), 1, 0, "quick"
    )
    assert day.fights[0].stuck == "" and day.fights[0].rounds > 1
    assert any(one.uses for one in day.fights[0].people.values())


def test_what_the_rules_leave_to_the_table_is_not_simulated(tmp_path: Path) -> None:
    """CIN-09: karma doesn't say what a hit does, so that nobody has a chance to win."""
    folder = create_campaign_folder(tmp_path / "c", system="karma")
    with pytest.raises(Refused, match="leaves the effects of hits to the table"):
        freeze_campaigns(folder, open_book(folder), {}, SimRequest(("wreck",), "karma"))


@pytest.mark.slow
def test_conflicts_are_decided(tmp_path: Path) -> None:
    """STR-TC-09: by Strikes alone, with a Concession where it was close."""
    book = open_book(create_campaign_folder(tmp_path / "c"))
    frozen = FrozenCampaign.freeze(book, {}, "conflict", ["lamp-council"], Lineup())
    fights = [play_day_until_not_won(frozen, 1, number, "quick").fights[0] for number in range(4)]
    assert {fight.stuck for fight in fights} == {""}
    assert sum(fight.outcome in ("won", "lost") for fight in fights) >= 3
    assert any(fight.came_of_it.get("concession", "none") != "none" for fight in fights)


def test_what_cannot_begin_is_refused_before_anything_is_played(grit_folder: Path) -> None:
    book = open_book(grit_folder)
    request = SimRequest(("bridge",), "grit", Lineup(difficulty="hard"))
    with pytest.raises(Refused, match="doesn't rate difficulty"):
        freeze_campaigns(grit_folder, book, {}, request)


def test_a_record_of_a_fight_is_all_that_was_played(frozen: FrozenCampaign) -> None:
    script: list[tuple[Option, DrivenPlay]] = []
    day = play_day_until_not_won(
        frozen, 1, 1, "quick", lambda option, played: script.append((option, played))
    )
    assert len(script) == day.fights[0].commands
    assert script[0][0].command == "grit start" and script[-1][0].command == "grit end"


# What many come to


def _made_up(numbers: range, seed: int = 1) -> DaysTally:
    tally = DaysTally()
    for number in numbers:
        tally.add_day(fights.made_up(seed, number))
    return tally


def test_tallies_of_parts_add_up_to_that_of_the_whole() -> None:
    whole, parts = _made_up(range(90)), DaysTally()
    for numbers in (range(60, 90), range(17), range(17, 60)):
        parts.merge(_made_up(numbers))
    assert digest_of_tallies([parts]) == digest_of_tallies([whole])
    assert parts.days_by_outcome() == whole.days_by_outcome() and parts.days == 90
    mine, theirs = parts.legs[0], whole.legs[0]
    assert (
        mine.worst_median_best_longest_fight() == theirs.worst_median_best_longest_fight()
        and mine.rounds == theirs.rounds
    )
    assert vars(mine.people["vex"]) == vars(theirs.people["vex"])
    assert mine.came_of_it == theirs.came_of_it


def test_picks_are_fights_of_that_kind() -> None:
    tally = _made_up(range(101))
    days: dict[int, DayResult] = {number: fights.made_up(1, number) for number in range(101)}
    margins = {number: day.fights[0].margin for number, day in days.items()}
    picks = tally.legs[0].worst_median_best_longest_fight()
    assert margins[picks["worst"]] == min(margins.values())
    assert margins[picks["best"]] == max(margins.values())
    assert margins[picks["median"]] == sorted(margins.values())[50]
    assert days[picks["longest"]].fights[0].rounds == max(day.fights[0].rounds for day in days.values())
    assert picks["worst"] == min(
        number for number, margin in margins.items() if margin == min(margins.values())
    )


def _run(
    monkeypatch: pytest.MonkeyPatch, plan: SimPlan, play: Callable[[Task], WorkerAnswer] = fights.play
) -> sim_plan.PlayedPlan:
    monkeypatch.setattr(sim_plan, "TaskSpreader", lambda backend, packed: TaskSpreader(backend, packed, play))
    return sim_plan.play_plan(plan, InProcess())


@pytest.mark.parametrize("size", few_of([1, 7, 50, 64], 4))
def test_until_stops_after_the_same_fight_with_any_chunks(
    monkeypatch: pytest.MonkeyPatch, frozen: FrozenCampaign, size: int
) -> None:
    plan = SimPlan([(frozen, "quick")], 5, 0, 0.09, size)
    played = _run(monkeypatch, plan)
    assert played.stopped_by == sim_plan.KNOWN
    outcomes = [fights.made_up(5, number).outcome == "won" for number in range(1000)]

    def known(n: int) -> float:
        share = played_share_of_needed_fights(exact_chance_interval(sum(outcomes[:n]), n), 0.09)
        return exact_chance_interval(
            sum(outcomes[:n]), n, doubt_for_peek_after_share_of_fights(share)
        ).half_width

    looks = range(sim_plan.FIGHTS_PER_LOOK, 1000, sim_plan.FIGHTS_PER_LOOK)
    assert played.tally_of_first_arm.days == next(n for n in looks if known(n) <= 0.09)
    found = outcome_chances(plan, played.results)[WON]
    assert found.method == EXACT and found.half_width <= 0.09


def test_an_interrupt_leaves_what_is_known(monkeypatch: pytest.MonkeyPatch, frozen: FrozenCampaign) -> None:
    def falls(task: Task) -> WorkerAnswer:
        if task.chunk.number == 3:
            raise KeyboardInterrupt
        return fights.play(task)

    played = _run(monkeypatch, SimPlan([(frozen, "quick")], 1, 100, None, 10), falls)
    assert played.stopped_by == sim_plan.INTERRUPTED and played.tally_of_first_arm.days == 30
    assert digest_of_tallies(played.results.arms) == digest_of_tallies([_made_up(range(30))])


# Pairs


def _pairs(numbers: range, other_seed: int = 1) -> PairTally:
    pairs = PairTally()
    for number in numbers:
        pairs.add_pair(fights.made_up(1, number), fights.made_up(other_seed, number, 2))
    return pairs


def test_the_same_dice_need_fewer_fights() -> None:
    """What the second side's edge brings is known from far fewer fights with the dice of the first."""
    same, own = _pairs(range(400)), _pairs(range(400), 2)
    found, other = compare_arms(same), compare_arms(own)
    assert found.wins.value > 0 and found.wins.low > 0, "a tenth more wins are sure by the same dice"
    assert other.wins.low < 0 < other.wins.high, "and not by dice of their own"
    assert found.worth is not None and found.worth > 5
    assert other.worth is not None and 0.8 < other.worth < 1.25
    assert found.luck < 1e-6 < other.luck
    assert same.pairs_won_by_first_only == 0


@pytest.mark.slow
def test_the_same_dice_need_fewer_fights_of_a_game(grit_folder: Path) -> None:
    """Somebody with a little more Grit: the difference of the margins varies less than the margins do."""
    book = open_book(grit_folder)
    request = SimRequest(("bridge",), "grit", compare="characters.wick.grit.grit=6")
    arms = freeze_campaigns(grit_folder, book, {}, request)
    found = ChunkResult(2)
    for number in range(24 if not THOROUGH else 200):
        found.add_day([play_day_until_not_won(frozen, 1, number, "quick") for frozen in arms])
    pairs = found.pairs
    apart = sum(variance(total, squares, pairs.pair_count) for total, squares in pairs.own)
    assert variance(pairs.difference, pairs.squares, pairs.pair_count) < apart / 1.5


def _corrected(quick: int, pairs: int) -> ChunkResult:
    """Fights of a player, of which a better one that wins a tenth more has played the first again."""
    found = ChunkResult(2)
    for number in range(quick):
        days = [fights.made_up(1, number), fights.made_up(1, number, 2)]
        found.add_day(days) if number < pairs else found.arms[0].add_day(days[0])
    return found


def test_the_headline_is_the_better_players(frozen: FrozenCampaign) -> None:
    """And it is one: what is told on the way, at the end, and with each other outcome, is of that player."""
    plan = SimPlan([(frozen, "quick"), (frozen, "full")], 1, 400, corrected=True)
    found = _corrected(400, plan.fights_shared_by_all_arms)
    told = outcome_chances(plan, found, is_over=True)
    own = found.arms[1].days_won / plan.fights_shared_by_all_arms
    assert plan.fights_shared_by_all_arms == 80 and told[WON].method == STRATIFIED
    assert (
        abs(told[WON].value - own) < 0.05 < found.arms[1].days_won / 80 - found.arms[0].days_won / 400 + 0.1
    )
    assert sum(known.value for known in told.values()) == pytest.approx(1)
    assert told[WON].half_width < exact_chance_interval(found.arms[1].days_won, 80).half_width
    assert outcome_chances(plan, found)[WON].half_width > told[WON].half_width
    known = correction_by_better_player(found)
    assert (known.by, known.pairs, known.as_played) == (
        "full",
        80,
        exact_chance_interval(found.arms[0].days_won, 400),
    )
    assert known.shift.value == found.pairs.pairs_won_by_second_only / 80 and known.shift.value >= 0


def test_until_watches_what_is_told(monkeypatch: pytest.MonkeyPatch, frozen: FrozenCampaign) -> None:
    """Not how well the other player's chance is known: that of the better one's."""
    plan = SimPlan([(frozen, "quick"), (frozen, "full")], 1, 400, 0.1, corrected=True)
    played = _run(monkeypatch, plan)
    found = played.results
    assert played.stopped_by == sim_plan.KNOWN and outcome_chances(plan, found)[WON].half_width <= 0.1
    assert found.arms[0].days == found.arms[1].days == found.pairs.pair_count
    alone = exact_chance_interval(found.arms[1].days_won, found.arms[1].days, 0.025)
    assert outcome_chances(plan, found)[WON].value == alone.value


@pytest.mark.parametrize(("fights", "again"), [(4, 4), (40, 40), (100, 40), (400, 80), (4000, 800)])
def test_some_of_quicks_fights_are_played_again(frozen: FrozenCampaign, fights: int, again: int) -> None:
    plan = SimPlan([(frozen, "quick"), (frozen, "full")], 1, fights, corrected=True)
    assert plan.fights_shared_by_all_arms == again
    tasks = list(sim_plan._make_tasks(plan))
    assert sum(task.chunk.fights for task in tasks) == fights
    assert sum(task.chunk.fights for task in tasks if len(task.arms) == 2) == again
