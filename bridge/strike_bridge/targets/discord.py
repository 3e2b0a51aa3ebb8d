"""Discord: results in a channel or a thread, by a webhook whose address is itself the secret."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple
from urllib.parse import quote, urlsplit

from strike_cli.problems import CampaignProblem

from ..markup import Markup, headed, told_die
from ..pictures import Picture
from ..settings import checked_address
from .base import (
    HIDDEN_KEY,
    Answer,
    Finding,
    Kind,
    Option,
    Outcome,
    Payload,
    Post,
    Prepared,
    Request,
    Supports,
    Target,
    Wire,
)

# In UTF-16 units, which is how Discord's clients count; an embed's limit is well under that of all of them.
CONTENT, EMBED = 2000, 4096
LARGEST = 8 * 1024 * 1024
"""Bytes of a picture that any server takes."""
_COLORS = {False: 0x5B7FA6, True: 0x777777}
_SHOWN, _SHOWN_GM = f"/{HIDDEN_KEY}", f"/{HIDDEN_KEY}-gm"
_WORDS = {
    10003: "there is no such thread: check options.thread",
    10015: "the webhook was deleted: make a new one, then `strike bridge login`",
    50027: "the webhook's address is not right: copy it anew, then `strike bridge login`",
}


class Hook(NamedTuple):
    """A webhook's address in parts: who has `token` may post. The path names the version that we speak:
    without one Discord takes it for version 6, whose waiting times are milliseconds."""

    origin: str
    path: str
    token: str


class DiscordTarget(Target):
    """Results alone. What it was sent can't be asked for, so a post whose answer was lost is for review."""

    supports = Supports(chat=True)
    gathers = 8
    key_variable = "STRIKE_DISCORD_WEBHOOK"
    key_words = "webhook address"
    OPTIONS: ClassVar = {
        "thread": Option(str, "", "The id of the thread to post to."),
        "gather": Option(int, 10, "Seconds that a result without dice may wait for what comes next."),
        "gm_thread": Option(str, "", "The same for the game master's webhook."),
    }

    def checked_address(self) -> str:
        """Discord's own; the rest of the webhook's address is put in as a request is sent."""
        if self.settings.url:
            raise CampaignProblem(
                f"{self.settings.where('url')}: whoever reads a webhook's address may post there.",
                f"Take it out (and make a new one if others saw it), then `strike bridge login {self.name}`.",
            )
        self._hooks = [] if self.key == HIDDEN_KEY else [_hook(part, self.name) for part in self.key.split()]
        origins = list(dict.fromkeys(hook.origin for hook in self._hooks)) or ["https://discord.com"]
        if len(origins) > 1 or len(self._hooks) > 2:
            raise CampaignProblem(
                f"{self.name} has webhooks that don't belong together.",
                "Give it one, or two of one server: the players', then the game master's.",
            )
        return checked_address(self.settings._replace(url=origins[0]))

    def secrets(self) -> list[str]:
        """The addresses, and their parts."""
        given = [urlsplit(address).path for address in self.key.split() if self._hooks]
        parts = [each for hook in self._hooks for each in (hook.path, hook.token)]
        return [*super().secrets(), *given, *parts]

    def prepare(self, request: Request, now: float) -> Prepared:
        """Only here the address is whole."""
        prepared = super().prepare(request, now)
        if not self._hooks:
            return prepared
        shown, _, query = request.path.partition("?")
        path = self._hooks[-1 if shown == _SHOWN_GM else 0].path
        return prepared._replace(path=f"{path}?{query}" if query else path)

    def send_result(self, post: Post) -> list[Request]:
        """One message. Secret ones come only where the audience is the game master; with two webhooks they go
        to the second."""
        to_gm = post.result["secret"] and len(self._hooks) != 1
        thread = self.options["gm_thread" if to_gm else "thread"]
        path = (_SHOWN_GM if to_gm else _SHOWN) + "?wait=true"
        if thread:
            path += f"&thread_id={quote(thread, safe='')}"
        message, picture = message_of(post.result), self.picture(post.result.get("image"))
        if picture is None or len(picture.content) > LARGEST:
            return [Request("POST", path, message, absolute=False)]
        headers, content = with_picture(message, picture)
        return [Request("POST", path, headers=headers, content=content, absolute=False)]

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """In words that say what to do, where Discord's own number tells more than HTTP's."""
        outcome = super().outcome(request, answer, now)
        words = _WORDS.get(answer.value("code", default=0)) if outcome.kind is Kind.REJECTED else None
        return outcome._replace(why=f"{words} (it answered {answer.status})", all=True) if words else outcome

    def probe(self) -> Request:
        """What the webhook says of itself."""
        return Request("GET", _SHOWN)

    def checks(self, wire: Wire) -> Iterable[Finding]:
        """The game master's webhook, where there is one."""
        if len(self._hooks) < 2:
            if self.for_gm:
                yield Finding("secret results go to its one channel: players must not see it")
            return
        answer = self.ask(wire, Request("GET", _SHOWN_GM))
        if isinstance(answer, Outcome):
            yield Finding(
                f"the game master's webhook: {answer.why}", False, f"`strike bridge login {self.name}`"
            )
        else:
            yield Finding("the game master's webhook")
        if not self.for_gm:
            remedy = 'Say audience = "gm": the second webhook gets secret results then.'
            yield Finding("secret results go nowhere", False, remedy)


def _hook(address: str, name: str) -> Hook:
    try:
        parts = urlsplit(address)
        match = re.fullmatch(r"/api(?:/v\d+)?/webhooks/(\d+)/([\w-]+)", parts.path, re.ASCII)
    except ValueError:
        match = None
    if match is None or parts.scheme not in ("http", "https"):
        # Not shown, since it may be nearly right.
        raise CampaignProblem(
            f"The webhook address of {name} is none.",
            "It looks like https://discord.com/api/webhooks/NUMBER/TOKEN: channel settings, Integrations, "
            f"Webhooks, Copy URL; then `strike bridge login {name}`.",
        )
    return Hook(f"{parts.scheme}://{parts.netloc}", f"/api/v10/webhooks/{match[1]}/{match[2]}", match[2])


# What a message looks like


def with_picture(message: Mapping[str, Any], picture: Picture) -> tuple[dict[str, str], bytes]:
    """Headers and body of a message with a picture below it: a form of two parts. Their boundary is the
    picture's digest, which can't stand in the picture itself."""
    ending = picture.media_type.rpartition("/")[2]
    parts = [
        ('name="payload_json"', "application/json", json.dumps(message).encode()),
        (f'name="files[0]"; filename="picture.{ending}"', picture.media_type, picture.content),
    ]
    content = b"".join(
        f"--{picture.sha256}\r\nContent-Disposition: form-data; {name}\r\n".encode()
        + f"Content-Type: {kind}\r\n\r\n".encode() + part + b"\r\n" for name, kind, part in parts
    )  # fmt: skip
    headers = {"content-type": f"multipart/form-data; boundary={picture.sha256}"}
    return headers, content + f"--{picture.sha256}--\r\n".encode()


def message_of(result: Payload) -> dict[str, Any]:
    """A result as a message: its words as content, what is too long for that and the dice as an embed.
    Nothing in it pings anybody, is markup of somebody else's, or is a link."""
    title, rest = headed(result)
    head = ["**", *_escaped(title), "**"] if title else []
    words = [*(["🔒 "] if result["secret"] else []), *head, *_escaped(rest)]
    content, overflow = _fitting(words, CONTENT)
    dice = [part for die in result["dice"] for part in ("\n", told_die(die, MARKDOWN))]
    below, _ = _fitting([*overflow, *dice], EMBED)
    message: dict[str, Any] = {"content": content, "allowed_mentions": {"parse": []}}
    if below.strip():
        message["embeds"] = [{"description": below.strip(), "color": _COLORS[result["secret"]]}]
    return message


_ACTIVE = re.compile(
    r"(?P<mark>[\\*_~`|<\[\]])"
    r"|(?P<start>^[ \t]*(?:#{1,3}|-#|[-+]|>+|\d+[.)])(?=\s))"
    r"|(?P<ping>@)"
    r"|(?P<link>(?<=:)//)",
    re.MULTILINE,
)
_NOTHING = "\N{ZERO WIDTH SPACE}"


def escaped(text: str) -> str:
    """A text that Discord shows as it stands: no markup, no mention, no link."""
    return "".join(_escaped(text))


def _escaped(text: str) -> Iterator[str]:
    """The same in pieces that may be cut apart."""
    place = 0
    for match in _ACTIVE.finditer(text):
        yield from text[place : match.start()]
        place = match.end()
        if match["mark"]:
            yield "\\" + match["mark"]
        elif match["start"]:
            # The backslash goes before the last sign: `1\.`, `\-`.
            yield match["start"][:-1] + "\\" + match["start"][-1]
        else:
            yield f"@{_NOTHING}" if match["ping"] else f"{_NOTHING}//"
    yield from text[place:]


MARKDOWN = Markup(
    escaped, "**{}**".format, lambda text: f"`{text.replace('`', '')}`" if text else "", "*{}*".format
)


def _fitting(pieces: Iterable[str], most: int) -> tuple[str, list[str]]:
    """As many pieces as fit, with an ellipsis where some don't; and those that didn't."""
    rest = list(pieces)
    if _units("".join(rest)) <= most:
        return "".join(rest), []
    kept, length = [], 1
    while length + _units(rest[0]) <= most:
        length += _units(rest[0])
        kept.append(rest.pop(0))
    return "".join(kept) + "…", rest


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
