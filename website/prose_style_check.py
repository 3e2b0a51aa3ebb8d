"""Measure the prose of the documents, and find breaches of the rules of style.

Run it with `python -m website.prose_style_check`; `make check` runs it, too. With `--catalogue`, it prints
the texts of the program by file instead.

A breach is a place in the documents, or in the program's texts, that breaks a rule of style. The reading ease
of a page is Flesch's, as textstat computes it, and counts only running prose: no code, tables or headings.
The words of a page are all words outside blocks of code.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
TEACHING = (
    "playing",
    "characters",
    "combat",
    "conflict",
    "chase",
    "table",
    "bridge",
    "prep",
    "powers",
    "plugins",
)
"""The pages of docs that teach: short, and the easiest to read."""
REFERENCES = (
    "campaign-file",
    "power-reference",
    "status-reference",
    "bridge-reference",
    "table-reference",
    "targets/python",
    "promises",
    "rulings",
    "grit-reference",
    "karma-reference",
    "momentum-reference",
    "glossary",
    "targets/rest-reference",
    "targets/foundry-reference",
    "versions",
)
"""Reference pages of docs: as long as their subject needs."""
EASE = {"teaches": 60.0, "page": 50.0, "reference": 0.0}
"""The lowest reading ease of each kind of page."""
WORDS = {"teaches": 900, "page": 1200, "reference": 100_000}
"""The most words of each kind of page."""
ALL_WORDS = 30_000
"""The most words of all pages together that are no reference."""
LONGEST = 25
"""The most words of a sentence; what stands in code is not counted."""
QUESTION_WORDS = re.compile(r"(?:Who|What|Whoever|Whose)\b")
SHUNNED = {
    r"whoever": "name the person",
    r"as things stand": "say when",
    r"to be had": "say where it is",
    r"^Mend\b": "fix",
    r"\bslips?\b": "typo",
    r"\bdrift\b": "difference",
    r"what is named": "these",
}
"""Words to avoid, since readers don't know them, with their replacements."""


PROGRAM = ("strike_cli", "bridge/strike_bridge", "bridge/strike_table", "plugins")
"""The files with the program's own words."""
SCREENS = ("/facts", "/phones/", "strike_table/page/")
"""Parts of the paths of files whose words players read: what happened, phones, the page."""
ENGINE = re.compile(
    r"\b(?:facts?|scene kinds?|(?:log|journal) entr(?:y|ies)|seq|pending|payload|combatants?|entit(y|ies))\b"
)
"""The engine's words, which appear on no player's screen."""
CODE = re.compile(r"^\s*(?:#|<|[\w.\[\]]+ = |function |if ! |Register-|(?:[a-z-]+ ){20})|=\"", re.MULTILINE)
"""The pattern of text that is no prose: a script, TOML, a page's markup, a list of verbs."""
ALTERNATIVES = re.compile(r"\{[\w.]*(?:'s)?(?::([^{}\[\]]*))?\}")
"""The pattern of a value in a template, or a choice among `name=words`, without another in it."""


class Breach(NamedTuple):
    """A sentence that breaks a rule."""

    where: str
    rule: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.where}: {self.rule}: {self.sentence}"


class Page(NamedTuple):
    """The measures of a page.

    `ease` is Flesch's reading ease: a higher number is easier. It is None for a page without sentences.
    """

    name: str
    kind: str
    words: int
    ease: float | None
    pictures: int
    breaches: tuple[Breach, ...]

    @property
    def faults(self) -> Iterator[str]:
        """Yield the reasons why the page must be rewritten, a sentence each."""
        if self.words > WORDS[self.kind]:
            yield f"{self.name}: {self.words} words; the most of its kind ({self.kind}) is {WORDS[self.kind]}"
        if self.ease is not None and self.ease < EASE[self.kind]:
            yield f"{self.name}: reading ease {self.ease:.0f}, where {EASE[self.kind]:.0f} is asked for"
        if self.kind == "teaches" and not self.pictures:
            yield f"{self.name}: a page that teaches has a picture"
        yield from map(str, self.breaches)


def written_pages() -> Iterator[Path]:
    """Yield the paths of the pages that people wrote.

    These are README.md, CONTRIBUTING.md, and the Markdown files in `docs`. The generated reference in `docs`
    is left out.
    """
    written = (page for page in sorted((ROOT / "docs").rglob("*.md")) if "reference" not in page.parts)
    yield from (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *written)


def measure_page(path: Path) -> Page:
    """Read a page and measure it."""
    import textstat

    text = path.read_text(encoding="utf-8")
    name = path.relative_to(ROOT).as_posix()
    said = [each for each in sentences_in_markdown(text) if path != GLOSSARY or each[2]]
    prose = " ".join(sentence for _, sentence, is_prose in said if is_prose)
    breaches = [
        Breach(f"{name}:{line}", rule, sentence)
        for line, sentence, _ in said
        for rule in rules_broken_by(sentence)
    ]
    for link in re.finditer(r"\[[^\]\s]+\.md\]\(", text):
        line = text.count("\n", 0, link.start()) + 1
        breaches.append(Breach(f"{name}:{line}", "a link has a title, not a file's name", link[0]))
    return Page(
        name,
        kind_of_page(name.removeprefix("docs/").removesuffix(".md")),
        len(re.sub(r"```.*?```|<!--.*?-->", "", text, flags=re.DOTALL).split()),
        textstat.flesch_reading_ease(prose) if prose else None,
        text.count("](pictures/"),
        tuple(breaches),
    )


def kind_of_page(page: str) -> str:
    """Return the kind of a page: "teaches", "reference" or "page".

    `page` is the page's path below the folder docs, without `.md`.
    """
    return "teaches" if page in TEACHING else "reference" if page in REFERENCES else "page"


def rules_broken_by(sentence: str) -> Iterator[str]:
    """Yield the rules that a sentence breaks, on a page or in the program.

    >>> list(rules_broken_by("Who flees leaves by the map's edge."))
    ['begins with Who or What and is no question']
    >>> list(rules_broken_by("Who can leave?"))
    []
    >>> list(rules_broken_by("A fleeing creature leaves at the map's edge."))
    []
    >>> list(rules_broken_by("Give the monster 3 HP."))
    ["'monster' (by the glossary: Creature)"]
    """
    if QUESTION_WORDS.match(sentence) and not sentence.endswith("?"):
        yield "begins with Who or What and is no question"
    if len([word for word in sentence.split() if not word.startswith("code")]) > LONGEST:
        yield f"over {LONGEST} words"
    for shunned, better in SHUNNED.items():
        found = re.search(shunned, sentence, re.IGNORECASE)
        if found:
            yield f"'{found[0]}' ({better})"
    for other, name in words_replaced_by_glossary().items():
        found = re.search(rf"\b{other}s?\b", sentence)
        if found:
            yield f"'{found[0]}' (by the glossary: {name})"


@cache
def words_replaced_by_glossary() -> dict[str, str]:
    """Return the words that the glossary replaces, each with the word that strike uses."""
    rows = re.findall(
        r"^\| \*\*(.+?)\*\* \|.*\| (.*?) ?\|$", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE
    )
    return {other.strip(): name for name, others in rows for other in others.split(",") if other.strip()}


def sentences_in_markdown(markdown: str) -> Iterator[tuple[int, str, bool]]:
    """Yield each sentence of a page: its line, its words, and whether it is in running prose.

    The line is the first line of the sentence's paragraph or table cell. A piece of code counts as the word
    `code`. Sentences in headings are left out. Sentences in tables aren't running prose.
    """
    inside: list[str] = []
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        if token.nesting:
            inside = [*inside, token.type] if token.nesting > 0 else inside[:-1]
        if token.type != "inline" or token.map is None or "heading_open" in inside:
            continue
        is_prose = "table_open" not in inside
        for sentence in split_sentences_and_clauses(text_of_tokens_masking_code(token.children or ())):
            yield token.map[0] + 1, sentence, is_prose


def text_of_tokens_masking_code(tokens: Iterable[Token]) -> str:
    """Return the words of a line of Markdown; code counts as one word, a picture as none."""
    said = {"code_inline": "code", "softbreak": " ", "hardbreak": " ", "image": ""}
    return "".join(said.get(token.type, token.content) for token in tokens)


def split_sentences_and_clauses(text: str) -> Iterator[str]:
    """Yield the sentences of a text. A colon or semicolon can end a sentence, too."""
    for part in re.split(r"(?<=[.!?:;])[\"')]*\s+(?=[\"'(A-Z0-9]|--|(?:code|strike)\b)", text):
        if part.strip():
            yield part.strip()


def breaches_in_program() -> Iterator[Breach]:
    """Yield a Breach for each violation of a writing rule in the program's texts.

    The texts are messages, prompts, helps, templates and the table's page.
    """
    for file, line, text in prose_texts_of_program():
        said = re.sub(r"`[^`]*`", "code", " ".join(longest_wording(text).split()))
        for sentence in split_sentences_and_clauses(said if len(said.split()) > 2 else ""):
            for rule in rules_broken_by(sentence):
                yield Breach(f"{file}:{line}", rule, sentence)
            engine = ENGINE.search(sentence) if any(part in file for part in SCREENS) else None
            if engine:
                yield Breach(f"{file}:{line}", f"'{engine[0]}' on a player's screen", sentence)


def prose_texts_of_program() -> Iterator[tuple[str, int, str]]:
    """Yield the prose in the program's texts: the file, the line and the text, package by package.

    Texts of a single word, and texts that are code, are left out.
    """
    for package in PROGRAM:
        for path in sorted((ROOT / package).rglob("*")):
            file = path.relative_to(ROOT).as_posix()
            if path.suffix == ".py":
                found = texts_of_module(ast.parse(path.read_text(encoding="utf-8")))
            elif path.suffix in (".js", ".html") and "strike_table/page/" in file:
                found = texts_of_web_page(path.read_text(encoding="utf-8"))
            else:
                continue
            for line, text in sorted(found):
                if re.search(r"[A-Za-z]{2,} +\S", text) and not CODE.search(text):
                    yield file, line, text


def longest_wording(template: str) -> str:
    """Return the longest wording of a template.

    It has all optional parts and the longest of each choice, with `X` for each value.

    >>> longest_wording("{who} falls[ to {cause}]{how:here=.|far= a long way.}")
    'X falls to X a long way.'
    """

    def chosen(match: re.Match[str]) -> str:
        choices = re.split(r"\|", match[1] or "X")
        return max((re.sub(r"^(?:[\w-]+=|\?)", "", choice) for choice in choices), key=len)

    while (shorter := re.sub(r"\[([^\[\]{}]*)\]", r"\1", ALTERNATIVES.sub(chosen, template))) != template:
        template = shorter
    return template


def texts_of_web_page(source: str) -> Iterator[tuple[int, str]]:
    """Yield each text in the source of a web page or browser script, with its line number.

    A value that a script puts into a text (`${...}`) is replaced by `X`.
    """
    bare = re.sub(
        r"/\*.*?\*/|<!--.*?-->|^\s*//.*?$", _as_many_empty_lines, source, flags=re.DOTALL | re.MULTILINE
    )
    for found in re.finditer(r'"([^"\n]*)"|`([^`]*)`|>([^<>={}]+)<', bare):
        text = re.sub(r"\$\{[^{}]*\}", "X", found[1] or found[2] or found[3] or "")
        yield bare.count("\n", 0, found.start()) + 1, text


def _as_many_empty_lines(match: re.Match[str]) -> str:
    """Return as many empty lines as the match has."""
    return "\n" * match[0].count("\n")


def texts_of_module(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the texts in a module's code, each with its line number.

    In a text with inserted values, `X` replaces each value. Some texts are left out: docstrings that aren't
    help texts of commands, patterns of `re` calls, and texts on which `split` is called.
    """
    inside: set[int] = set()
    for node in ast.walk(module):
        for statement in getattr(node, "body", ()) if not isinstance(node, ast.Lambda | ast.IfExp) else ():
            if isinstance(statement, ast.Expr) and not _is_help(node, statement):
                inside.add(id(statement.value))
        if isinstance(node, ast.JoinedStr):
            inside.update(map(id, node.values))
            said = (str(each.value) if isinstance(each, ast.Constant) else "X" for each in node.values)
            if id(node) not in inside:
                yield node.lineno, "".join(said)
        if isinstance(node, ast.Attribute) and node.attr == "split":
            inside.add(id(node.value))
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re."):
            inside.update(map(id, node.args[:1]))
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.lineno, node.value


def _is_help(holder: ast.AST, statement: ast.stmt) -> bool:
    """Return whether a statement is the docstring of a command."""
    if not isinstance(holder, ast.FunctionDef) or holder.body[0] is not statement:
        return False
    decorators = [ast.unparse(each) for each in holder.decorator_list]
    return any(name in each for each in decorators for name in ("plays", "command"))


def main() -> None:
    """Print every page's measures and every fault, and exit with 1 if there is a fault.

    With --catalogue, print every text of the program instead.
    """
    if "--catalogue" in sys.argv:
        for file, texts in groupby(prose_texts_of_program(), key=itemgetter(0)):
            sys.stdout.write(f"\n{file}\n")
            sys.stdout.writelines(f"{line:6}  {' '.join(text.split())}\n" for _, line, text in texts)
        return
    found = [measure_page(path) for path in written_pages()]
    for page in found:
        ease = "  -" if page.ease is None else f"{page.ease:3.0f}"
        sys.stdout.write(
            f"{page.words:6} words, ease {ease}, {len(page.breaches)} breaches, {page.kind:9} {page.name}\n"
        )
    faults = [fault for page in found for fault in page.faults]
    faults += map(str, breaches_in_program())
    total = sum(page.words for page in found if page.kind != "reference")
    if total > ALL_WORDS:
        faults.append(f"All pages together: {total} words; the most is {ALL_WORDS}")
    sys.stdout.write("".join(f"{fault}\n" for fault in faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
