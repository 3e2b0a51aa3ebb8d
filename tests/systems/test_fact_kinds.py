"""What systems tell are values of declared classes, and each class is sound (systems.md: facts are typed).

`tests/data/tellings.txt` pins every template once: whoever rewords them reads one diff
(`pytest tests/systems/test_fact_kinds.py --regenerate-golden`)."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA
from support.cases import case
from support.random_statements import statement_classes

import strike_cli
from strike_cli.kernel.sentence_templates import compile_template
from strike_cli.kernel.statements import EVENTS, Decision, Fact, FieldType, NamedId, Statement
from strike_cli.registry import load_usable_systems
from strike_cli.tabletop.characters_and_names import SORTS_NAMED_BY_ID, SORTS_NAMED_IN_SCENES
from strike_cli.terminal.command_output import STYLES

HERE = Path(strike_cli.__file__).parent
CATALOGUE = DATA / "tellings.txt"


def modules() -> Iterator[Path]:
    """Every module of strike's, and of the plugins that come with it."""
    yield from HERE.rglob("*.py")
    yield from HERE.parent.glob("plugins/strike_*/**/*.py")


CLASSES = statement_classes()
OURS = [cls for cls in CLASSES if cls.__module__.startswith("strike_cli.")]
"""Those of strike itself."""


def test_no_rule_tells_a_plain_sentence() -> None:
    """Plain ones are for handlers of plugins that bring no system."""
    telling = [file for file in modules() if "world.happen(" in file.read_text("utf-8")]
    assert telling == []


def test_no_two_classes_have_one_key() -> None:
    """A journal finds the class of what it keeps by its key, whichever system declares it."""
    seen: dict[str, set[type[Statement]]] = {}
    for cls in CLASSES:
        seen.setdefault(cls.key, set()).add(cls)
    assert {key: classes for key, classes in seen.items() if len(classes) > 1} == {}


def test_a_system_names_every_module_of_its_facts() -> None:
    """What is told of by a module that nobody names is found by no journal."""
    files = [file for file in modules() if "facts" in (file.stem, file.parent.name)]
    declaring = [
        file
        for file in files
        if re.search(r"^class \w+\(.*(Fact|Clause|Decision)", file.read_text(), re.MULTILINE)
    ]
    named = {sys.modules[cls.__module__].__file__ for cls in CLASSES}
    assert [file for file in declaring if str(file) not in named] == []


def test_a_class_says_what_it_has() -> None:
    """Each field has a sort, each slot of a template is a field or derived from some, each event is known."""
    for cls in CLASSES:
        with case(cls):
            assert cls.template_types() is not None
            templates = [*dict(cls.own_templates()).values(), *getattr(cls, "options", {}).values()]
            for template in templates:
                compile_template(template, cls.template_types())
            assert {*cls.unseen, *cls.needs} <= set(cls.field_types())
            if issubclass(cls, Decision):
                assert cls.answers in ("", "person", "square")
            if issubclass(cls, Fact):
                assert cls.event in ("", *EVENTS)
                assert cls.tone in ("", "good", "bad")
                assert cls.style in ("", *STYLES)
                assert cls.closes_scene or not cls.names_scene, (
                    "a report leaves the name out where a scene ends"
                )


def catalogue() -> Iterator[str]:
    for cls in CLASSES:
        yield f"{cls.__module__} {cls.key}"
        yield from (f"  {name}: {template}" for name, template in cls.own_templates())
        if issubclass(cls, Decision):
            yield from (f"  {option} = {template}" for option, template in cls.options.items())
            yield from (f"  {option}: {asked}" for option, asked in cls.worded.items())


def test_every_telling_stands_in_the_catalogue(request: pytest.FixtureRequest) -> None:
    said = "\n".join(catalogue()) + "\n"
    if request.config.getoption("--regenerate-golden"):
        CATALOGUE.write_text(said, encoding="utf-8")
    assert said.splitlines() == CATALOGUE.read_text(encoding="utf-8").splitlines()


def sorts_of_names(sort: FieldType[Any]) -> Iterator[str]:
    if isinstance(sort, NamedId):
        yield sort.sort
    for inner in vars(sort).values():
        yield from sorts_of_names(inner) if isinstance(inner, FieldType) else ()


def test_what_is_named_has_its_name_in_a_scene_or_in_the_book_or_is_one() -> None:
    named = {
        *SORTS_NAMED_IN_SCENES,
        *SORTS_NAMED_BY_ID,
        *(kind for system in load_usable_systems() for kind in system.content),
    }
    for cls in CLASSES:
        with case(cls):
            assert {name for sort in cls.template_types().values() for name in sorts_of_names(sort)} <= named


LEFT_OUT = {
    "ConditionGained": {"count": 1},
    "CostToPay": {"number": 1, "many": 1},
    "ComplicationUsed": {"sort": "complication"},
    "FightEnded": {"concession": "none"},
    "Moved": {"how": "move"},
    "Measured": {"dice": 1, "times": 1, "share": 1},
    "StepIs": {"whom": "target"},
}
"""Fields whose absence means something, by class; what it means is in every journal, and stays."""


def test_a_field_that_is_left_out_means_that_there_is_nothing_of_it() -> None:
    """A journal has no field at its default: with another default, old ones would tell something else."""
    meaning = {
        cls.__name__: something
        for cls in OURS
        if (something := {name: one for name, one in cls.declaration().defaults.items() if one})
    }
    assert meaning == LEFT_OUT


MARKED = {
    "is_roll": {"DiceRolled"},
    "in_short": {"DiceRolled"},
    "names_rollers": {"DiceRolled", "ChaseRolled", "ChaseShot", "ChaseRisked"},
    "highlight": {"TakenOut"},
    "begins_turn": {"TurnStarted"},
    "closes_scene": {
        "FightEnded", "FightAbandoned", "ConflictConceded", "ConflictEnded", "ConflictAbandoned",
        "ChaseEnded",
    },
    "names_scene": {"FightEnded", "FightAbandoned", "ConflictEnded", "ConflictAbandoned", "ChaseEnded"},
    "gm_only": {
        "Edited", "EntriesLost", "MadeUp", "SceneLost", "FogSet", "PictureMoved", "SceneUsed", "Overridden",
        "Decided", "StateVersion", "StateMigrated", "ClockMovedInSecret", "SceneBegunInSecret",
        "SceneEndedInSecret", "DeadlineToldInSecret",
    },
    "discreet": {"ConflictActed", "ConflictOpposed", "ChaseActionPicked", "ChasePredicted"},
    "in_story": {"TokenGained", "TurnEnded"},
}  # fmt: skip
"""Whom each mark of a class is for, of strike's own, and so for those made of them; `in_story` is for all
others."""


def test_each_mark_is_for_the_classes_that_it_is_meant_for() -> None:
    facts = [cls for cls in OURS if issubclass(cls, Fact)]
    for mark, meant in MARKED.items():
        with case(mark):
            others = getattr(Fact, mark)
            marked = {cls for cls in facts if getattr(cls, mark) != others}
            assert {cls.__name__ for cls in marked if marked.isdisjoint(cls.__mro__[1:])} == meant
            assert others == (mark == "in_story")
    marks = {name for name, value in vars(Fact).items() if isinstance(value, bool)}
    assert marks - {"has_variants"} == MARKED.keys()


@pytest.mark.slow
def test_every_class_is_told_somewhere() -> None:
    """By itself or by its variants: its name stands elsewhere than where it is declared."""
    words = Counter(word for file in modules() for word in re.findall(r"\w+", file.read_text("utf-8")))
    assert [cls.__name__ for cls in CLASSES if words[cls.__name__] < 2] == []
