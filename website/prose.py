"""How strike reads: `python -m website.prose` measures every page of the documents, and names each sentence
there and in the program that breaks a rule of the voice. `make check` runs it.

A page's reading ease is Flesch's, by textstat, of its sentences: no code, no tables, no headings. Its words
are all that stand outside blocks of code.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[1]
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
"""Pages of docs that one looks something up in: as long as what there is to look up."""
EASE = {"teaches": 60.0, "page": 50.0, "reference": 0.0}
"""The lowest reading ease of each kind of page."""
WORDS = {"teaches": 900, "page": 1200, "reference": 100_000}
"""The most words of each kind of page."""
ALL_WORDS = 30_000
"""The most words of all pages together that are no reference."""
LONGEST = 25
"""The most words of a sentence; what stands in code is not counted."""
QUESTIONS = re.compile(r"(?:Who|What|Whoever|Whose)\b")
SHUNNED = {
    r"whoever": "name the person",
    r"as things stand": "say when",
    r"to be had": "say where it is",
    r"\bmend(?:s|ed)?\b": "fix",
    r"\bslips?\b": "typo",
    r"\bdrift\b": "difference",
    r"\bthe board\b": "the map",
}
"""Words that stand for nothing a reader knows, and what to say in their place."""


PROGRAM = ("strike_cli", "bridge/strike_bridge", "bridge/strike_table", "plugins")
"""Where the program's own words stand."""


class Breach(NamedTuple):
    """A sentence that breaks a rule."""

    where: str
    rule: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.where}: {self.rule}: {self.sentence}"


class Page(NamedTuple):
    """The measures of a page. `ease` is Flesch's, higher is easier; None for a page without sentences."""

    name: str
    kind: str
    words: int
    ease: float | None
    breaches: tuple[Breach, ...]

    @property
    def faults(self) -> Iterator[str]:
        """Why the page has to be written anew, a sentence each."""
        if self.words > WORDS[self.kind]:
            yield f"{self.name}: {self.words} words; the most of its kind ({self.kind}) is {WORDS[self.kind]}"
        if self.ease is not None and self.ease < EASE[self.kind]:
            yield f"{self.name}: reading ease {self.ease:.0f}, where {EASE[self.kind]:.0f} is asked for"
        yield from map(str, self.breaches)


def pages() -> Iterator[Path]:
    """Every page that people wrote, but the changelog, which is a list."""
    yield from (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))


def measured(path: Path) -> Page:
    """Read a page and measure it."""
    import textstat

    text = path.read_text(encoding="utf-8")
    name = path.relative_to(ROOT).as_posix()
    said = list(sentences(text))
    prose = " ".join(sentence for _, sentence, is_prose in said if is_prose)
    breaches = [
        Breach(f"{name}:{line}", rule, sentence) for line, sentence, _ in said for rule in broken(sentence)
    ]
    for link in re.finditer(r"\[[^\]\s]+\.md\]\(", text):
        line = text.count("\n", 0, link.start()) + 1
        breaches.append(Breach(f"{name}:{line}", "a link has a title, not a file's name", link[0]))
    return Page(
        name,
        kind_of(name.removeprefix("docs/").removesuffix(".md")),
        len(re.sub(r"```.*?```|<!--.*?-->", "", text, flags=re.DOTALL).split()),
        textstat.flesch_reading_ease(prose) if prose else None,
        tuple(breaches),
    )


def kind_of(page: str) -> str:
    """Which kind of page it is, by its path below docs without `.md`."""
    return "teaches" if page in TEACHING else "reference" if page in REFERENCES else "page"


def broken(sentence: str) -> Iterator[str]:
    """The rules that a sentence breaks.

    >>> list(broken("Who flees leaves by the map's edge."))
    ['begins with Who or What and is no question']
    >>> list(broken("Who can leave?")) + list(broken("A fleeing creature leaves at the map's edge."))
    []
    """
    if QUESTIONS.match(sentence) and not sentence.endswith("?"):
        yield "begins with Who or What and is no question"
    if len([word for word in sentence.split() if not word.startswith("code")]) > LONGEST:
        yield f"over {LONGEST} words"
    for shunned, better in SHUNNED.items():
        found = re.search(shunned, sentence, re.IGNORECASE)
        if found:
            yield f"'{found[0]}' ({better})"


def sentences(markdown: str) -> Iterator[tuple[int, str, bool]]:
    """Each sentence of a page: its line, its words with `code` for anything in code, and whether it stands in
    running prose, not in a table or heading."""
    inside: list[str] = []
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        if token.nesting:
            inside = [*inside, token.type] if token.nesting > 0 else inside[:-1]
        if token.type != "inline" or token.map is None or "heading_open" in inside:
            continue
        is_prose = "table_open" not in inside
        for sentence in split(words_of(token.children or ())):
            yield token.map[0] + 1, sentence, is_prose


def words_of(tokens: Iterable[Token]) -> str:
    """The words of a line of Markdown; code counts as one word, a picture as none."""
    said = {"code_inline": "code", "softbreak": " ", "hardbreak": " ", "image": ""}
    return "".join(said.get(token.type, token.content) for token in tokens)


def split(text: str) -> Iterator[str]:
    """The sentences of a text."""
    for part in re.split(r"(?<=[.!?:;])[\"')]*\s+(?=[\"'(A-Z0-9]|(?:code|strike)\b)", text):
        if part.strip():
            yield part.strip()


def of_the_program() -> Iterator[Breach]:
    """Sentences of messages, prompts, helps and templates that begin with Who or What and are no question,
    lean on `whoever`, or say `Mend`. How long they are is not looked at: many are put together of parts."""
    for package in PROGRAM:
        for file in sorted((ROOT / package).rglob("*.py")):
            for line, text in texts_of(ast.parse(file.read_text(encoding="utf-8"))):
                said = re.sub(r"`[^`]*`", "code", " ".join(text.split()))
                for sentence in split(said if len(said.split()) > 2 else ""):
                    where = f"{file.relative_to(ROOT).as_posix()}:{line}"
                    if (QUESTIONS.match(sentence) and not sentence.endswith("?")) or "hoever" in sentence:
                        yield Breach(where, "name the person or the thing", sentence)
                    if sentence.startswith("Mend "):
                        yield Breach(where, "'Mend' (fix)", sentence)


def texts_of(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Each text of a module with its line; `X` stands in place of a value. Docstrings are left out, but those
    of commands, which are helps."""
    inside: set[int] = set()
    for node in ast.walk(module):
        for statement in getattr(node, "body", ()) if not isinstance(node, ast.Lambda | ast.IfExp) else ():
            if isinstance(statement, ast.Expr) and not _is_help(node, statement):
                inside.add(id(statement.value))
        if isinstance(node, ast.JoinedStr):
            inside.update(map(id, node.values))
            yield (
                node.lineno,
                "".join(
                    str(getattr(each, "value", "")) if isinstance(each, ast.Constant) else "X"
                    for each in node.values
                ),
            )
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.lineno, node.value


def _is_help(holder: ast.AST, statement: ast.stmt) -> bool:
    """Whether a statement is the docstring of a command."""
    if not isinstance(holder, ast.FunctionDef) or holder.body[0] is not statement:
        return False
    decorators = [ast.unparse(each) for each in holder.decorator_list]
    return any(name in each for each in decorators for name in ("plays", "command"))


def main() -> None:
    """Print every page's measure and every fault; end with 1 where there is one."""
    found = [measured(path) for path in pages()]
    for page in found:
        ease = "  -" if page.ease is None else f"{page.ease:3.0f}"
        sys.stdout.write(
            f"{page.words:6} words, ease {ease}, {len(page.breaches)} breaches, {page.kind:9} {page.name}\n"
        )
    faults = [fault for page in found for fault in page.faults]
    faults += map(str, of_the_program())
    total = sum(page.words for page in found if page.kind != "reference")
    if total > ALL_WORDS:
        faults.append(f"All pages together: {total} words; the most is {ALL_WORDS}")
    sys.stdout.write("".join(f"{fault}\n" for fault in faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
