"""What bare numbers come to: the worked examples of the source, digit for digit, and what lies around
them."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

from support.cases import case
from support.cli import Strike
from support.plugins import told_odds

from strike_momentum import sheet_and_formulas
from strike_momentum.damage_reduction import ALL_ARMOR, DamagePart, Defenses, IgnoredArmor, damage_through
from strike_momentum.dice import is_dice_or_number, parse_dice
from strike_momentum.rule_constants import DAMAGE_TYPE_NAMES, DAMAGE_TYPES, DR_SKILLS


def test_the_axe() -> None:
    """WSH-09: Strength and Dexterity of 13 make 3 and half of 3, rounded down: +4."""
    assert sheet_and_formulas.hit_bonus(13, 13) == 4
    assert sheet_and_formulas.hit_bonus(14, 9) == 3  # half of -1 is rounded down, too


def test_a_12_hits_evasion_16_with_the_axe(strike: Strike) -> None:
    """WSH-09, 10, 12: 4 more than 12 is enough, 11 is not; a natural 20 is a critical hit and never
    misses."""
    typed = "momentum hit --primary 13 --secondary 13 --evasion"
    data = strike.json(f"{typed} 16 --die 12")["data"]
    assert (data["bonus"], data["total"], data["hits"], data["critical"]) == (4, 16, True, False)
    assert strike.json(f"{typed} 16 --die 11")["data"]["hits"] is False
    assert strike.json(f"{typed} 40 --dice 20")["data"]["hits"] is True
    assert strike.json("momentum hit --primary 13 --secondary 13 --dice 20")["data"]["critical"] is True


def test_odds_of_a_bare_attack(strike: Strike) -> None:
    """WSH-09, 10: of twenty faces nine hit, one of them critically."""
    typed = "momentum hit --primary 13 --secondary 13 --evasion 16"
    found = {(False, False): 11, (True, False): 8, (True, True): 1}
    assert told_odds(strike, typed, "hits", "critical") == {
        key: Fraction(ways, 20) for key, ways in found.items()
    }


def test_bare_rolls_with_two_dice(strike: Strike) -> None:
    """WSH-09: of 400 ways of two dice, counted; rolled by the same words."""
    for (word, keep), (typed, key, needed) in product(
        (("--adv", max), ("--dis", min)),
        (
            ("momentum hit --primary 13 --secondary 13 --evasion 16", "hits", 12),
            ("momentum dr --stat 12 --skill 2 --power 14", "success", 10),
        ),
    ):
        with case(word, typed):
            line = f"{typed} {word} edge"
            ways = sum(keep(pair) >= needed for pair in product(range(1, 21), repeat=2))
            assert told_odds(strike, line, key)[True] == Fraction(ways, 400)
            for dice, face in (("9,12", keep(9, 12)), ("20,1", keep(20, 1))):
                assert strike.json(f"{line} --dice {dice}")["data"][key] is (face >= needed)
            assert strike(f"{line} --die 9", 1).err.startswith("--die is one face")


def test_evasion(strike: Strike) -> None:
    """WSH-12, 18: Dexterity 13 and an Evasion Stat of 14 make 17; medium armor caps that to 14, and nothing
    else."""
    for options, cap, evasion in (
        ("", None, 17),
        ("--armor medium", 14, 14),
        ("--armor medium --other 3", 14, 17),
        ("--armor clothes", 16, 16),
        ("--armor light --shield light", 16, 17),
        ("--armor heavy --shield heavy", 12, 15),
        ("--armor medium --cover half", 14, 16),
        ("--armor medium --cover half --melee", 14, 14),
    ):
        with case(options):
            data = strike.json(f"momentum evasion --dex 13 --stat 14 {options}")["data"]
            assert data == {"base": 17, "cap": cap, "evasion": evasion}


def test_armor_of_2_against_12() -> None:
    """WSH-13: 10 get through."""
    assert damage_through([DamagePart("physical", 12)], Defenses(armor=2)).total == 10


def test_poison_against_a_constitution_dr_of_3() -> None:
    """WSH-13, 14: Constitution 10 and Endurance 3: of 12 Poison damage 9 get through, whatever is worn."""
    assert sheet_and_formulas.defense_roll_bonus(10, 3) == 3
    assert damage_through([DamagePart("poison", 12)], Defenses(armor=8, con=3)).total == 9
    assert damage_through([DamagePart("psychic", 12)], Defenses(armor=8, wil=5)).total == 7


def test_5_physical_and_5_poison(strike: Strike) -> None:
    """WSH-13: against Armor 4 and a Constitution DR value of 1 it is 9 in all, off the type that the attacker
    chooses."""
    typed = "momentum damage --amount 5:physical,5:poison --armor 4 --con-dr 1"
    for off, by_type in (
        ("", {"physical": 4, "poison": 5}),
        ("--off physical", {"physical": 4, "poison": 5}),
        ("--off poison", {"physical": 5, "poison": 4}),
    ):
        data = strike.json(f"{typed} {off}")["data"]
        assert data == {"taken": 9, "by_type": by_type, "reduced_by": 1}


def test_what_one_type_leaves_of_armor_comes_off_the_next() -> None:
    """WSH-13."""
    for amounts, defenses, off, through, reduced in [
        ((4, 1), Defenses(armor=4), "", 1, 4),
        ((4, 1), Defenses(armor=4), "curse", 1, 4),
        ((2, 1), Defenses(armor=9), "", 0, 3),  # no more comes off than there is
        ((5, 5), Defenses(armor=4, resist=["curse"]), "", 5, 4),
        ((5, 5), Defenses(armor=7, resist=["curse"]), "", 3, 7),
        ((5, 5), Defenses(armor=7, resist=["curse"]), "physical", 1, 7),
        ((3, 5), Defenses(armor=4, immune=["curse"]), "", 3, 4),
        ((3, 5), Defenses(armor=-2), "", 10, -2),  # added once
    ]:
        with case(amounts, defenses, off, through, reduced):
            parts = [DamagePart("physical", amounts[0]), DamagePart("curse", amounts[1])]
            taken = damage_through(parts, defenses, armor_order=[off] if off else ())
            assert (taken.total, taken.reduced_by) == (through, reduced)


def test_unsaid_the_order_lets_most_through() -> None:
    """WSH-13: no order of the types lets more through than the one that is taken."""

    def best(left: int, parts: list[DamagePart], defenses: Defenses) -> int:
        found = 0
        for order in permutations(parts):
            total, rest = 0, left
            for type, amount in order:
                total += defenses.after_multipliers(type, amount - min(rest, amount))
                rest -= min(rest, amount)
            found = max(found, total)
        return found

    meets = Defenses(resist=["physical", "curse"], vulnerable=["heat"])
    for a, b, c, armor in product(range(5), range(5), range(3), range(8)):
        parts = [DamagePart("physical", a), DamagePart("curse", b), DamagePart("heat", c)]
        assert damage_through(parts, meets._replace(armor=armor)).total == best(armor, parts, meets)


def test_the_attacker_orders_all_types(strike: Strike) -> None:
    """WSH-13: what the first leaves of Armor comes off the second that they name, and so on."""
    typed = "momentum damage --amount 2:physical,4:curse,4:heat --armor 5 --vulnerable curse"
    for off, by_type in (
        ("", {"physical": 0, "curse": 8, "heat": 1}),
        ("physical", {"physical": 0, "curse": 8, "heat": 1}),
        ("physical,curse", {"physical": 0, "curse": 2, "heat": 4}),
        ("curse,heat,physical", {"physical": 2, "curse": 0, "heat": 3}),
    ):
        data = strike.json(f"{typed} --off {off}" if off else typed)["data"]
        assert (data["by_type"], data["reduced_by"]) == (by_type, 5)
    assert "names a type twice" in strike(f"{typed} --off heat,heat", 1).err


def test_types_that_ignore_armor_take_no_part(strike: Strike) -> None:
    """WSH-13: neither in which value is the lowest, nor in what it comes off; --ignore-armor N lessens that
    lowest value. Bad Armor adds where everything ignores it, too."""
    typed = "momentum damage --amount 5:physical,5:poison --armor 4 --con-dr 1 --ignore-armor"
    assert strike.json(f"{typed} poison")["data"] == {
        "taken": 6,
        "by_type": {"physical": 1, "poison": 5},
        "reduced_by": 4,
    }
    assert strike.json(f"{typed} 3")["data"]["taken"] == 10
    blow, ignoring = [DamagePart("physical", 5), DamagePart("reality", 5)], IgnoredArmor(0, ["reality"])
    assert damage_through(blow, Defenses(armor=9), ignoring=ignoring, armor_order=["reality"]).total == 5
    assert damage_through(blow[1:], Defenses(armor=9), ignoring=ignoring).total == 5
    assert damage_through(blow[1:], Defenses(armor=-2), ignoring=ignoring).total == 7


def test_negative_and_ignored_armor() -> None:
    """WSH-13: ignoring 4 of 2 leaves 0 and not -2; what is below 0 adds, also where Armor is ignored."""
    blow = [DamagePart("physical", 12)]
    assert damage_through(blow, Defenses(armor=2), ignoring=IgnoredArmor(4)).total == 12
    assert damage_through(blow, Defenses(armor=-2)).total == 14
    assert damage_through(blow, Defenses(armor=-2), ignoring=IgnoredArmor(ALL_ARMOR)).total == 14
    assert (
        damage_through([DamagePart("poison", 12)], Defenses(con=5), ignoring=IgnoredArmor(ALL_ARMOR)).total
        == 12
    )
    assert damage_through([DamagePart("physical", 0)], Defenses(armor=-2)).total == 0


def test_types() -> None:
    """WSH-15: eleven, in three categories; half, nothing, twice, after Armor, rounded down, never below 0."""
    assert len(DAMAGE_TYPE_NAMES) == len(set(DAMAGE_TYPE_NAMES)) == 11
    assert {kind: len(types) for kind, types in DAMAGE_TYPES.items()} == {
        "other": 3,
        "elemental": 5,
        "mystic": 3,
    }
    blow = [DamagePart("heat", 9)]
    assert damage_through(blow, Defenses(armor=2, resist=["heat"])).total == 3
    assert damage_through(blow, Defenses(armor=2, resist=["heat"]), armor_first=False).total == 2
    assert damage_through(blow, Defenses(armor=2, vulnerable=["heat"])).total == 14
    assert damage_through(blow, Defenses(armor=-2, immune=["heat"])).total == 0
    assert damage_through(blow, Defenses(armor=20)).total == 0


def test_the_attacker_takes_armor_off_where_it_costs_least() -> None:
    """WSH-13, 15: off what is halved anyway, or what there is little of."""
    parts = [DamagePart("physical", 6), DamagePart("heat", 6)]
    taken = damage_through(parts, Defenses(armor=4, resist=["heat"]))
    assert (taken.total, taken.order[0]) == (7, "heat")


def test_initiative(strike: Strike) -> None:
    """WSH-03: twice Instinct and five levels."""
    data = strike.json("momentum initiative --instinct 11 --skills 1,1,1,1,0")["data"]
    assert data == {"initiative": 26}


def test_the_union_of_knight_and_horse(strike: Strike) -> None:
    """WSH-05: (26 + 32) / 2 = 29; halves are rounded down."""
    assert strike.json("momentum union 26 32")["data"] == {"initiative": 29}
    assert sheet_and_formulas.union_initiative([26, 31]) == 28


def test_defense_rolls(strike: Strike) -> None:
    """WSH-14: d20, the Stat's bonus and the Skill, against the Primary Stat of whoever does it."""
    data = strike.json("momentum dr --stat 12 --skill 2 --power 14 --die 10")["data"]
    assert (data["value"], data["total"], data["success"]) == (4, 14, True)
    assert strike.json("momentum dr --stat 12 --skill 2 --power 14 --dice 9")["data"]["success"] is False
    assert DR_SKILLS == {
        "str": "raw-force", "dex": "nimbleness", "con": "endurance", "int": "psychology", "cha": "presence",
        "ins": "intuition", "wil": "perseverance",
    }  # fmt: skip


def test_critical_hits(strike: Strike) -> None:
    """WSH-10: 6 with a weapon, 6 and 3 a Tier with an Ability, both with a Maneuver."""
    for options, extra in (("--weapon", 6), ("--ability 0", 6), ("--ability 3", 15), ("--maneuver 2", 12)):
        with case(options):
            assert strike.json(f"momentum critical {options}")["data"] == {"extra": extra}


def test_collisions_and_teleports(strike: Strike) -> None:
    """WSH-19, 20: the whole way, or half of it, rounded down; teleporting does 100 at most."""
    assert strike.json("momentum collide --meters 5")["data"] == {"damage": 5}
    assert strike.json("momentum collide --meters 5 --success")["data"] == {"damage": 2}
    assert strike.json("momentum collide --meters 250 --teleport")["data"] == {"damage": 100}


def test_dice_in_words() -> None:
    assert str(parse_dice("2d6 + 1")) == "2d6+1"
    assert str(parse_dice("d8")) == "1d8"
    assert parse_dice("2d6-1").plus == -1
    assert str(parse_dice("4")) == "4"
    for text in ("4+1", "4-1", "1+d6", "2d6+", "d", "2d1", "21d6", "-4", ""):
        assert not is_dice_or_number(text), text


def test_what_is_refused(strike: Strike) -> None:
    for typed, said in (
        ("hit --primary 13 --secondary 13 --die 21", "not a face of a d20"),
        ("evasion --dex 13 --stat 14 --armor plate", "One of: clothes, light, medium, heavy"),
        ("damage --amount 5:fire", "'fire'"),
        ("damage --amount five", "is not damage"),
        ("critical", "What hits?"),
        ("critical --weapon --ability 2", "What hits?"),
        ("union 26", "two or more"),
        ("initiative --instinct 11 --skills 1,2", "five"),
    ):
        with case(typed):
            ran = strike(f"momentum {typed}", None)
            assert ran.code in (1, 2)
            assert said in ran.err
