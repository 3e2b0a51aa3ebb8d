"""The odds of a whole Team Conflict played by policies, and the value of actions for bots.

The conflict is computed as a chain of rounds. Actions, dice, results and Hits are played by the same
procedures as in a game. Rounds that end in the same situation lead to one state.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar, cast

from strike_cli.kernel.absorbing_chain import EndChances, RoundResults, end_chances
from strike_cli.kernel.driver import play_until_open_decision
from strike_cli.kernel.exact_odds import first_option, outcome_weights
from strike_cli.kernel.procedure import Choose, Procedure, Rulebook, World
from strike_cli.kernel.state_changes import apply_changes
from strike_cli.play.legal_options import Option
from strike_cli.problems import Problem
from strike_cli.tabletop.characters_and_names import action_points, skills_and_connections_of
from strike_cli.tabletop.dice import mode_of

from .conflict_under_way import (
    ACTIONS,
    LIMITS,
    active_members,
    active_traits,
    conflict_in,
    current_or_ended_conflict,
    is_team_of_players,
    other_side,
    people_without_action,
    side_in,
    trait_effects,
)
from .endings import Avert, conflict_aftermath, play_avert
from .hits import STRIKE, has_undecided_hit, hit_options
from .moves_before_dice import ChooseAction, DeclareAction, Scout, play_act, play_oppose, play_scout
from .roll_modifiers import RollsOfConditionsAndFlaws
from .round_consequences import play_rest_of_last_round
from .round_dice import Contest, RoundSide
from .round_play import (
    DecideHit,
    RollConflictRound,
    play_hit,
    report_and_play_round_consequences,
    reveal_and_ready_both_sides,
    roll_add_bonuses_and_compare,
)
from .rule_numbers import ROLLS, SIDES, numbers

if TYPE_CHECKING:
    from .data import BonusToPlace, ConflictInOdds, ConflictSide, ConflictState, PolicyNumbers, RoundBonus

Ran = TypeVar("Ran")

LOWEST_HIGH_FACE = 4
"""The lowest face of a scouted die that counts as high."""
USUAL_POLICY = "balanced"
"""The policy that a bot expects the others to follow."""
RESULT_VALUES = {"win": 5, "lose": -5}
"""The value of each result to our side, in Strikes."""
TRAITS_OF_DICE = frozenset({"ties", "either_when"})
"""The effects of traits that the results of the dice depend on."""

Stocks = dict[str, list[str]]
"""The Stock Up that each side has."""
Contests = dict[Hashable, list[tuple[Fraction, Contest, Stocks]]]
"""The possible results of the dice, by the properties of both sides that they depend on."""


class ConflictEnd(NamedTuple):
    """A possible end of a conflict.

    `concessions` are the Concessions that are owed. `ours` is the severity of the Condition that each member
    of our team gets, "" for none; `theirs` is the same for the other side.
    """

    result: str
    close: bool
    """Whether the losers choose from the list for close conflicts."""
    concessions: tuple[str, ...]
    ours: str
    theirs: str


def policies_by_name() -> Mapping[str, PolicyNumbers]:
    """Return the policies by name."""
    return numbers()["policies"]


def count_losses_our_points_can_avert(world: World) -> int:
    """Return how many losses our side could avert by its members' Action Points (STR-TC-10)."""
    return sum(action_points(world, person) // LIMITS["avert"] for person in active_members(world, "ours"))


def odds_by_policies_from_round_start(
    world: World, ours: str, theirs: str, weigh: str = ROLLS[0], averts: int = 0
) -> EndChances[ConflictEnd]:
    """Return the odds of a conflict from the start of its round; each side plays by a named policy.

    `ours` and `theirs` are the names of the policies. Choices that were already made for the round are
    ignored. Our side averts its first `averts` losses, as long as it has Action Points. Nobody concedes or
    withdraws. `weigh` is the roll that Conditions affect.
    """
    by = {"ours": policies_by_name()[ours], "theirs": policies_by_name()[theirs]}
    game = _PolicyGame(world, by, weigh, min(averts, count_losses_our_points_can_avert(world)))
    return end_chances(game.round_results_of_state, game.store_first_state_and_get_key())


def conflict_value_or_forecast_for_side(world: World, side: str) -> float:
    """Return how much the conflict is worth to a side, in Strikes; 0 if there is no conflict.

    A side's score is the number of its traits minus the number of its Strikes. The side's lead is its score
    minus the other side's score. If the opposition has not chosen its action, the value is the lead now.

    If the opposition has chosen, the value is the average of the lead after this round. If the round ends the
    conflict, a fixed value for a win or a loss takes the place of the lead. For this average, our team is
    assumed to act by the usual policy, whatever its members have chosen.
    """
    sign = 1 if side == "ours" else -1
    scene = conflict_in(world.state)
    if scene is None:
        return 0.0
    if "opposition" not in scene["theirs"]:
        return sign * _trait_and_strike_lead_of_ours(scene)
    game = _PolicyGame(world, dict.fromkeys(SIDES, policies_by_name()[USUAL_POLICY]), ROLLS[0])
    ours: ConflictSide = {**game.scene["ours"], "actions": {}}
    now = game.world_with_conflict({**game.scene, "averts": game.averts, "ours": ours})
    for number, person in enumerate(active_members(now, "ours")):
        game.declare_action_by_policy(now, "ours", person, number)
    return sign * sum(
        float(chance) * game.value_of_round_result_to_us(then)
        for chance, then in game.round_results_once_actions_chosen(now)
    )


class _DiceCache:
    """A cache of the results of the dice, for one book."""

    def __init__(self) -> None:
        self.book: Rulebook | None = None
        self.contests: Contests = {}


_judge_dice_cache = _DiceCache()


class ActionJudge:
    """A judge of the actions that a team can choose.

    For an action, the judge computes the average value of the conflict after the round. The average is exact,
    under one assumption: the other side, and team members who haven't chosen yet, play by the usual policy.
    If the other side has already chosen, its real choice is ignored.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.game = _PolicyGame(world, dict.fromkeys(SIDES, policies_by_name()[USUAL_POLICY]), ROLLS[0])
        if _judge_dice_cache.book is not world.book:
            _judge_dice_cache.book, _judge_dice_cache.contests = world.book, {}
        self.game.contests = _judge_dice_cache.contests

    def best_option(self, side: str, options: Sequence[Option]) -> Option:
        """Return the option with the highest value for a side; of several such options, the first."""
        return max(
            options, key=lambda option: self.value_after_round_with_action(side, option.given(DeclareAction))
        )

    def value_after_round_with_action(self, side: str, act: DeclareAction) -> float:
        """Return how much the conflict is worth to a side, in Strikes, after a round with this action.

        `act` is the action of one of the side's members. The result is minus infinity if
        the action isn't allowed.
        """
        game, other = self.game, other_side(side)
        scene: ConflictInOdds = {**game.scene, "averts": game.averts}
        scene[other] = {**_side_without_chosen_actions(scene[other]), "actions": {}}
        now = game.world_with_conflict(scene)
        if not _play_if_allowed(now, play_act(now, act)):
            return float("-inf")
        for person in people_without_action(now, side):
            game.declare_action_by_policy(now, side, person, active_members(now, side).index(person))
        plans = list(game.worlds_after_policy_actions(now, (other,)))
        total = sum(
            float(chance) * game.value_of_round_result_to_us(then)
            for plan in plans
            for chance, then in game.round_results_once_actions_chosen(plan)
        )
        return (total if side == "ours" else -total) / len(plans)


def _trait_and_strike_lead_of_ours(scene: ConflictState) -> int:
    """Return how far our side leads over the other side.

    Each side's value is the number of its traits minus its Strikes. The lead is the difference between the
    two values.
    """
    ours, theirs = (len(scene[side]["traits"]) - scene[side]["strikes"] for side in SIDES)
    return ours - theirs


def _side_without_chosen_actions(side: ConflictSide) -> ConflictSide:
    """Return a copy of a side without the actions that were chosen for this round."""
    own = side.copy()
    own.pop("actions", None)
    own.pop("opposition", None)
    return own


class _PolicyGame:
    """A conflict in which both sides play by policies, so that its odds can be computed.

    The states between rounds are stored by key (`scenes`).
    """

    def __init__(self, world: World, by: Mapping[str, PolicyNumbers], weigh: str, averts: int = 0) -> None:
        self.book = world.book
        self.state = world.state
        self.scene = current_or_ended_conflict(world)
        self.by = by
        self.averts = averts
        self.weigh = RollsOfConditionsAndFlaws(default=weigh)
        self.scenes: dict[str, ConflictState] = {}
        self.contests: Contests = {}

    def store_first_state_and_get_key(self) -> str:
        now = self.world_with_conflict(self.scene)
        _decide_hits_and_finish_round(now)
        scene: ConflictInOdds = {**current_or_ended_conflict(now), "averts": self.averts}
        for side in SIDES:
            scene[side] = _side_without_chosen_actions(scene[side])
        return self.settle_and_store_state(self.world_with_conflict(scene))

    def world_with_conflict(self, scene: Mapping[str, object]) -> World:
        return World(self.book, {**self.state, "conflict": scene})

    def settle_and_store_state(self, world: World) -> str:
        """Store a conflict's state between two rounds, and return its key.

        Equivalent states have the same key. Hits that wait for a decision are decided first.
        """
        _decide_hits_and_finish_round(world)
        now = current_or_ended_conflict(world)
        scene: ConflictState = {**now, "round": 1}
        for side in SIDES:
            own: ConflictSide = {**now[side], "strikes": self._relevant_strikes(world, side)}
            bonuses = [_renumber_bonus_rounds(bonus, now["round"]) for bonus in own.pop("bonuses", ())]
            if bonuses:
                own["bonuses"] = bonuses
            scene[side] = own
        key = json.dumps(scene, sort_keys=True)
        self.scenes.setdefault(key, scene)
        return key

    def _relevant_strikes(self, world: World, side: str) -> int:
        """Return a side's Strikes, capped at the number above which more Strikes change nothing.

        There is no cap if the side can still remove Strikes.
        """
        own = side_in(world, side)
        traits = [*own["traits"], *own.get("lost_traits", ())]
        removes = any(
            key in trait_effects(world, name) for name in traits for key in ("recover_on", "drains")
        )
        removes |= "recover_from" in self.by[side] or "recover" in self.by[side]["one_of"]
        if removes:
            return own["strikes"]
        table = numbers()["aftermath"]
        most = table["close_loss"]
        if is_team_of_players(world, side):
            most = max(row["from"] for row in (*table["conditions"], *table["concessions"]))
        if side == "theirs":  # each averted loss may remove a Strike
            most += cast("ConflictInOdds", current_or_ended_conflict(world))["averts"]
        return min(own["strikes"], most)

    def round_results_of_state(self, key: str) -> RoundResults[ConflictEnd]:
        """Return the possible results of a round from the state with this key, with the chance of each.

        A result is the key of the next state, or an end of the conflict.
        """
        found: dict[str | ConflictEnd, Fraction] = {}
        for share, scouted in self._worlds_with_dice_scouted(self.world_with_conflict(self.scenes[key])):
            plans = list(self.worlds_after_policy_actions(scouted, SIDES))
            for world in plans:
                for chance, then in self.round_results_once_actions_chosen(world):
                    found[then] = found.get(then, Fraction(0)) + share * chance / len(plans)
        return found

    def _worlds_with_dice_scouted(self, world: World) -> Iterator[tuple[Fraction, World]]:
        """Yield each possible result of scouting: its chance, and a copy of the conflict with it.

        A side scouts if its policy depends on scouted dice, and if it may still scout. If nobody scouts,
        `world` itself is yielded with the chance 1.
        """
        able = [side for side in SIDES if "when_high" in self.by[side] and side_in(world, side).get("scouts")]
        if not able:
            yield Fraction(1), world
            return
        for face in range(1, 7):
            then = World(self.book, world.state)
            _play_with_fixed_dice(then, play_scout(then, Scout(side=able[0])), face_or_0_for_highest=face)
            for chance, scouted in self._worlds_with_dice_scouted(then):
                yield chance / 6, scouted

    def worlds_after_policy_actions(self, world: World, sides: Sequence[str]) -> Iterator[World]:
        """Let the members of `sides` declare their actions by their policies; yield each resulting world.

        If the side "theirs" is a team of players, one world is yielded. If that side is an opposition, one
        world is yielded for each action that its policy and the rules allow.
        """
        for side in sides:
            for number, person in enumerate(active_members(world, side)):
                self.declare_action_by_policy(world, side, person, number)
        if is_team_of_players(world, "theirs"):
            yield world
            return
        taken = []
        for action in self.by["theirs"]["one_of"]:
            plan = World(self.book, world.state)
            if _play_if_allowed(plan, play_oppose(plan, ChooseAction(action=action))):
                taken.append(plan)
        yield from taken

    def value_of_round_result_to_us(self, result: ConflictEnd | str) -> float:
        """Return what the result of a round is worth to our side, in Strikes.

        If the round ended the conflict, `result` is a ConflictEnd. A win and a loss have fixed values, and
        any other end is worth 0. If the conflict continues, `result` is the key of the state after the round.
        The value is then our side's lead in that state.
        """
        return float(
            RESULT_VALUES.get(result.result, 0)
            if isinstance(result, ConflictEnd)
            else _trait_and_strike_lead_of_ours(self.scenes[result])
        )

    def declare_action_by_policy(self, world: World, side: str, person: str, member_index: int) -> None:
        policy = self.by[side]
        each = policy[_policy_action_list_name(world, side) if "when_high" in policy else "each"]
        wanted = [each[member_index % len(each)], policy["or_else"]]
        done = [item["action"] for item in side_in(world, side).get("actions", {}).values()]
        most = policy.get("recover_from")
        if most is not None and side_in(world, side)["strikes"] >= most and "recover" not in done:
            wanted.insert(0, "recover")
        skill = next(iter(skills_and_connections_of(world, person)), "")
        for action in wanted:
            with_skill = "" if ACTIONS[action].get("basic") else skill
            if _play_if_allowed(
                world, play_act(world, DeclareAction(who=person, action=action, skill=with_skill))
            ):
                return
        raise Problem(f"No action of the policy is open to {person}.", "Choose another policy.")

    def round_results_once_actions_chosen(self, world: World) -> Iterator[tuple[Fraction, ConflictEnd | str]]:
        able = (side for side in SIDES if "before" in side_in(world, side).get("stock", ()))
        args = RollConflictRound(weigh=self.weigh, stock={side: self.by[side]["prefers"] for side in able})
        sides = _play_with_fixed_dice(
            world, reveal_and_ready_both_sides(world, args), self._choose_roll_for_bonus
        )
        for chance, contest, scene in self._dice_results(world, sides):
            then = self.world_with_conflict(scene)
            _play_with_fixed_dice(then, report_and_play_round_consequences(then, args.recover, contest))
            _decide_hits_and_finish_round(then)
            # It makes no difference whose Action Point averts the loss.
            left = cast("ConflictInOdds", current_or_ended_conflict(then))["averts"]
            lost = left and current_or_ended_conflict(then).get("ended") == "lose"
            if lost and any(
                _play_if_allowed(then, play_avert(then, Avert(who=one)))
                for one in active_members(then, "ours")
            ):
                then.state = apply_changes(then.state, [("conflict.averts", left, left - 1)])
            yield (
                chance,
                _settle_and_summarize_aftermath(then)
                if current_or_ended_conflict(then).get("ended")
                else self.settle_and_store_state(then),
            )

    def _dice_results(
        self, world: World, sides: Mapping[str, RoundSide]
    ) -> list[tuple[Fraction, Contest, ConflictState]]:
        """Return the possible results of a round's dice.

        Each result has its chance, the outcome of the contest, and the state after the dice, before any
        consequence. Falls of the dice that lead to the same state are one result.
        """
        scene = current_or_ended_conflict(world)
        margins = tuple(
            side
            for side in SIDES
            if any(does.get("next_defense") == "margin" for _, does in active_traits(world, side))
        )
        asked = (_dice_key(sides), *(_stock_and_dice_traits_key(world, side) for side in SIDES), margins)
        if asked not in self.contests:
            seen: dict[Hashable, tuple[Contest, Stocks]] = {}

            def start() -> tuple[Procedure[tuple[Contest, World]], World]:
                own = self.world_with_conflict(scene)
                return _result_with_world(own, roll_add_bonuses_and_compare(own, sides)), own

            def state_key(result: tuple[Contest, World]) -> Hashable:
                contest, own = result
                stock: Stocks = {side: side_in(own, side).get("stock", []) for side in SIDES}
                key = (
                    contest.outcome, contest.hits, tuple(contest.counts_as.values()), json.dumps(stock),
                    *(contest.verdict().margins[side] for side in margins),
                )  # fmt: skip
                seen.setdefault(key, (contest, stock))
                return key

            ways = outcome_weights(start, state_key, self._choose_roll_for_bonus)
            self.contests[asked] = [(Fraction(*ways[key]), *seen[key]) for key in ways]
        found = []
        for chance, contest, stock in self.contests[asked]:
            after = scene.copy()
            for side in SIDES:
                after[side] = own = scene[side].copy()
                own.pop("stock", None)
                if stock[side]:
                    own["stock"] = stock[side]
            found.append((chance, contest, after))
        return found

    def _choose_roll_for_bonus(self, question: Choose) -> str:
        """Return the roll to which a bonus is added.

        If the dice are rolled already, it is the roll with which the bonus leads to the best outcome.
        Otherwise it is the roll that the side's policy prefers.
        """
        asked = cast("BonusToPlace", question.data or {})
        comes_to = asked.get("comes_to")
        if not comes_to:
            return str(self.by[asked["side"]]["prefers"])
        order = OUTCOMES_BEST_FIRST if asked["side"] == "ours" else OUTCOMES_BEST_FIRST[::-1]
        return min(comes_to, key=lambda option: order.index(comes_to[option]))


OUTCOMES_BEST_FIRST = ("win", "push", "draw", "double-tie", "lose")


def _policy_action_list_name(world: World, side: str) -> Literal["each", "when_high", "when_low"]:
    """Return which list of a policy's actions a side uses: "each", "when_high" or "when_low".

    If the Advance die has been scouted, its face decides between "when_high" and "when_low". If not, the
    result is "each".
    """
    face = side_in(world, side).get("scouted", {}).get(ROLLS[0])
    return "each" if face is None else "when_high" if face >= LOWEST_HIGH_FACE else "when_low"


def _result_with_world(world: World, procedure: Procedure[Ran]) -> Procedure[tuple[Ran, World]]:
    return (yield from procedure), world


def _play_with_fixed_dice(
    world: World,
    procedure: Procedure[Ran],
    policy: Callable[[Choose], str] = first_option,
    face_or_0_for_highest: int = 0,
) -> Ran:
    """Play a procedure with every die showing `face_or_0_for_highest`, and return its result.

    If `face_or_0_for_highest` is 0, each die shows its highest face. That is for dice that don't affect the
    rest of the conflict, such as those for the event of a double tie.
    """
    played = play_until_open_decision(
        procedure,  # type: ignore[arg-type]  # whatever it returns
        world,
        lambda roll: [face_or_0_for_highest or roll.sides] * roll.n,
        policy,
    )
    return played.data  # type: ignore[return-value]  # nothing that it asks is left open


def _play_if_allowed(world: World, procedure: Procedure[object]) -> bool:
    """Play a command if the rules allow it, and return whether they did.

    If they don't, the world stays as it was.
    """
    before = world.state
    try:
        _play_with_fixed_dice(world, procedure)
    except Problem:
        world.state = before
        return False
    return True


def _decide_hits_and_finish_round(world: World) -> None:
    """Decide the effects of the Hits that wait, and play the rest of the round.

    If a team of players hits an opposition, the opposition loses a trait, as long as it has one. In all other
    cases, the Hit becomes a Strike.
    """
    while has_undecided_hit(world):
        side = next(side for side in SIDES if side_in(world, side).get("hits_due", 0))
        traits = [one for one in hit_options(world, side) if one in side_in(world, side)["traits"]]
        players = is_team_of_players(world, other_side(side)) and not is_team_of_players(world, side)
        what = traits[0] if players and traits else STRIKE
        _play_with_fixed_dice(world, play_hit(world, DecideHit(side=side, what=what)))
    _play_with_fixed_dice(world, play_rest_of_last_round(world))


def _renumber_bonus_rounds(bonus: RoundBonus, first_round: int) -> RoundBonus:
    """Return a copy of a bonus with new round numbers: round `first_round` becomes round 1.

    If the bonus lasts until a Push, the number of its last round is kept, because it doesn't matter.
    """
    first = max(1, bonus["first"] - first_round + 1)
    last = bonus["last"] if bonus.get("until_push") else bonus["last"] - first_round + 1
    return {**bonus, "first": first, "last": last}


def _dice_key(sides: Mapping[str, RoundSide]) -> Hashable:
    """Return all properties of both sides' rolls that affect the results of the dice."""
    return tuple(
        (
            sum(item.value for item in sides[side].modifiers.get(which, ())),
            mode_of(sides[side].reasons.get(which, ())),
            sides[side].scouted.get(which),
        )
        for side in SIDES
        for which in ROLLS
    )


def _stock_and_dice_traits_key(world: World, side: str) -> Hashable:
    """Return everything about a side, apart from its rolls, that affects the results of the dice.

    This is the side's Stock Up, and those of its traits that affect dice.
    """
    traits = (name for name, does in active_traits(world, side) if does.keys() & TRAITS_OF_DICE)
    return tuple(side_in(world, side).get("stock", ())), tuple(traits)


def _settle_and_summarize_aftermath(world: World) -> ConflictEnd:
    _decide_hits_and_finish_round(world)
    after = conflict_aftermath(world)
    severity = dict.fromkeys(SIDES, "")
    for side in SIDES:
        severity[side] = next(
            (after["conditions"].get(person, "") for person in active_members(world, side)), ""
        )
    close = bool(after["loser_options"])
    return ConflictEnd(
        after["result"], close, tuple(after["concessions"]), severity["ours"], severity["theirs"]
    )
