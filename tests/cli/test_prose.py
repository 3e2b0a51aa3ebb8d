"""The reader of pages and messages finds what breaks a rule of the voice, and nothing else."""

from __future__ import annotations

import ast

import pytest
from support.cases import case

from website import prose_style_check


def test_a_sentence_is_told_by_what_is_wrong_with_it() -> None:
    for sentence, wrong in (
        ("Who flees leaves by the map's edge.", True),
        ("Who can leave?", False),
        ("A fleeing creature leaves at the map's edge.", False),
        ("It damages whoever comes in.", True),
        ("word " * 26 + "end.", True),
        ("code " * 26 + "end.", False),
    ):
        with case(sentence):
            assert bool(list(prose_style_check.rules_broken_by(sentence))) == wrong


def test_sentences_of_a_page_stand_outside_code_and_headings() -> None:
    page = "# Who flees\n\nRun `who`. Then stop.\n\n```\nWhat is here\n```\n\n| a |\n|-|\n| What it is |\n"
    assert [
        (line, said, running) for line, said, running in prose_style_check.sentences_in_markdown(page)
    ] == [(3, "Run code.", True), (3, "Then stop.", True), (9, "a", False), (11, "What it is", False)]


def test_texts_of_a_module_are_messages_and_helps() -> None:
    module = """
@plays(app, "flee", "combat flee")
def flee():
    'Who flees leaves.'
    raise Refused(f"{who} is gone.", "What now?")


GONE = re.compile("Who (is|was) gone")
SAID = re.compile(f"{GONE} now")


def rule():
    'What a rule says to those who read code.'
    return 1
"""
    assert {text for _, text in prose_style_check.texts_of_module(ast.parse(module)) if " " in text} == {
        "Who flees leaves.",
        "X is gone.",
        "What now?",
        "combat flee",
    }


def test_a_page_of_the_browser_has_texts_and_comments_have_none() -> None:
    script = '// "Who flees leaves."\nconst said = "Answer first.";\nset(`Round ${round} begins.`);\n'
    assert list(prose_style_check.texts_of_web_page(script)) == [(2, "Answer first."), (3, "Round X begins.")]


def test_words_that_the_glossary_replaces_are_found() -> None:
    other = prose_style_check.words_replaced_by_glossary()
    assert other["monster"] == "Creature"
    assert [
        list(prose_style_check.rules_broken_by(f"There is a {word} here."))
        for word in ("monster", "creature")
    ] == [["'monster' (by the glossary: Creature)"], []]


def test_the_longest_telling_of_a_template_is_measured() -> None:
    assert prose_style_check.longest_wording(
        "{who} {doubts:?has|is} {condition}{count:1=|2=, twice now}[ ({why})]."
    ) == ("X has X, twice now (X).")


@pytest.mark.slow  # it reads the whole program
def test_the_catalogue_has_messages_helps_and_the_page() -> None:
    files = {file for file, _, _ in prose_style_check.prose_texts_of_program()}
    assert {
        "strike_cli/kernel/driver.py",
        "strike_cli/systems/combat/facts/attacks.py",
        "bridge/strike_table/page/player/player.js",
        "plugins/strike_grit/commands.py",
    } <= files
