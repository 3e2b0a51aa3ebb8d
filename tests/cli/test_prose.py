"""The reader of pages and messages finds what breaks a rule of the voice, and nothing else."""

from __future__ import annotations

import ast

from support.cases import case

from website import prose


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
            assert bool(list(prose.broken(sentence))) == wrong


def test_sentences_of_a_page_stand_outside_code_and_headings() -> None:
    page = "# Who flees\n\nRun `who`. Then stop.\n\n```\nWhat is here\n```\n\n| a |\n|-|\n| What it is |\n"
    assert [(line, said, running) for line, said, running in prose.sentences(page)] == [
        (3, "Run code.", True),
        (3, "Then stop.", True),
        (9, "a", False),
        (11, "What it is", False),
    ]


def test_texts_of_a_module_are_messages_and_helps() -> None:
    module = """
@plays(app, "flee", "combat flee")
def flee():
    'Who flees leaves.'
    raise Refused(f"{who} is gone.", "What now?")


def rule():
    'What a rule says to those who read code.'
    return 1
"""
    assert {text for _, text in prose.texts_of(ast.parse(module))} >= {
        "Who flees leaves.",
        "X is gone.",
        "What now?",
    }
    assert "What a rule says to those who read code." not in {
        text for _, text in prose.texts_of(ast.parse(module))
    }
