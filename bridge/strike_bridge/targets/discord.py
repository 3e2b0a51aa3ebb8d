"""The target Discord: results in a channel or thread, by a webhook whose address is itself the secret."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar, NamedTuple
from urllib.parse import quote, urlsplit

from strike_cli.kernel.state_changes import State
from strike_cli.problems import CampaignProblem
from strike_cli.visibility.audience_view import AudienceView, make_audience_view
from strike_look import LIGHT

from ..journal_reader import apply_facts_to_shown_tables
from ..map_picture import can_draw, draw_map
from ..picture_files import PictureFile
from ..result_markup import Markup, format_roll, title_and_remaining_text
from ..settings import safe_address_or_raise
from ..state_projection import find_newest_shown_scene, project_view, scene_id
from .base import (
    HIDDEN_KEY,
    Answer,
    Conversation,
    Finding,
    Option,
    Outcome,
    OutcomeKind,
    Post,
    PreparedRequest,
    Request,
    Supports,
    Target,
    Wire,
)

if TYPE_CHECKING:
    from strike_cli.kernel.journal_types import StoredFact

    from ..payloads import ResultExtras, ShownResult, ShownScene


# In UTF-16 units, as Discord's clients count; one embed's limit is well below that of all embeds together.
MAX_CONTENT, MAX_EMBED = 2000, 4096
LARGEST = 8 * 1024 * 1024
"""The maximum size in bytes of a picture that any Discord server takes."""
_NO_FORUM = "no-forum"
"""The memory key that marks a webhook that can't begin threads."""
_IN_NO_FORUM = 220003
"""Discord's error code for a channel that is no forum."""
_COLORS = {secret: int(LIGHT[name][1:], 16) for secret, name in ((False, "party"), (True, "soft"))}
_SHOWN, _SHOWN_GM = f"/{HIDDEN_KEY}", f"/{HIDDEN_KEY}-gm"
_WORDS = {
    10003: "there is no such thread: check options.thread",
    10015: "the webhook was deleted: make a new one, then `strike bridge login TARGET`",
    220001: "its channel is a forum: set threads = true, or name a thread in options.thread",
    50027: "the webhook's address is wrong: copy it again, then `strike bridge login TARGET`",
}


class Webhook(NamedTuple):
    """The parts of a webhook's address.

    `path` contains `token`: both are secrets, since anybody who knows them may post. `path` also has the API
    version that we use; without one, Discord assumes version 6, whose waiting times are in milliseconds.
    """

    origin: str
    path: str
    token: str


class DiscordTarget(Target):
    """Discord: a target that gets results as posts, and no tokens. It may also get a picture of the map.

    Posts can't be read back, so a post whose answer was lost is put up for review.
    """

    supports = Supports(chat=True)
    most_combined = 8
    key_variable = "STRIKE_DISCORD_WEBHOOK"
    key_words = "webhook address"
    key_is_address = True
    OPTIONS: ClassVar = {
        "thread": Option(str, "", "The id of the thread to post to."),
        "threads": Option(bool, False, "Whether each session has a thread of its own, in a forum channel."),
        "map": Option(bool, False, "Whether the map is shown at the end of each round; needs Pillow."),
        "gather": Option(int, 10, "Seconds that a result without dice may wait for the next one."),
        "gm_thread": Option(str, "", "The id of the thread for the game master's webhook."),
    }

    def checked_address(self) -> str:
        """Return Discord's address without the webhook's path, which is added when a request is sent.

        The key must be one webhook's address, or the addresses of two webhooks of the same server. Raises
        CampaignProblem if it isn't, or if campaign.toml has an address.
        """
        if self.settings.url:
            raise CampaignProblem(
                f"{self.settings.where('url')}: anybody who reads a webhook's address can post there.",
                f"Remove it (and make a new one if others saw it), then `strike bridge login {self.name}`.",
            )
        self._hooks = (
            [] if self.key == HIDDEN_KEY else [_parse_webhook(part, self.name) for part in self.key.split()]
        )
        origins = list(dict.fromkeys(hook.origin for hook in self._hooks)) or ["https://discord.com"]
        if len(origins) > 1 or len(self._hooks) > 2:
            raise CampaignProblem(
                f"{self.name} has webhooks that don't match.",
                "Give it one, or two of one server: the players', then the game master's.",
            )
        return safe_address_or_raise(self.settings._replace(url=origins[0]))

    def secrets(self) -> list[str]:
        """Return the texts that must never be shown.

        They include the key and, for each webhook, its path and its token.
        """
        given = [urlsplit(address).path for address in self.key.split() if self._hooks]
        parts = [each for hook in self._hooks for each in (hook.path, hook.token)]
        return [*super().secrets(), *given, *parts]

    def prepare(self, request: Request, now: float) -> PreparedRequest:
        """Return a request that is ready to send, with the secret path of the webhook.

        If there are two webhooks and the request is for the game master, it is the path of the second
        webhook. If requests are only shown, the path stays hidden.
        """
        prepared = super().prepare(request, now)
        if not self._hooks:
            return prepared
        shown, _, query = request.path.partition("?")
        path = self._hooks[-1 if shown == _SHOWN_GM else 0].path
        return prepared._replace(path=f"{path}?{query}" if query else path)

    def extra_fields(self, session: int, before: State, facts: Sequence[StoredFact]) -> ResultExtras:
        """Return the session's number and, at the end of a round, the map as players see it.

        The number is there only if `threads` is set, and the map only if `map` is set and Pillow is
        installed.
        """
        found: ResultExtras = {"session": session} if self.options["threads"] else {}
        if not self.option("map", bool) or not can_draw():
            return found
        after = apply_facts_to_shown_tables(before, facts)
        views = (
            make_audience_view(before, self.settings.players),
            make_audience_view(after, self.settings.players),
        )
        was, now = map(_shown_map_id_and_round, views)
        if was is not None and was != now:
            shown = project_view(views[now is not None and now[0] == was[0]])
            if shown.scene is not None:
                scene: ShownScene = {**shown.scene, "round": was[1]}
                found["board"] = {"scene": scene, "tokens": list(shown.tokens.values())}
        return found

    def send_result(self, post: Post) -> Conversation:
        """Post one message, in the session's thread if there are threads.

        A secret result is sent only to a target whose audience is the game master. If the target has two
        webhooks, the secret result is sent through the second one.
        """
        to_gm = post.result["secret"] and len(self._hooks) != 1
        path = (_SHOWN_GM if to_gm else _SHOWN) + "?wait=true"
        message, pictures = (
            discord_message(post.result),
            [*self._handout_and_round_map_within_limit(post.result)],
        )
        thread = self.option("gm_thread" if to_gm else "thread", str)
        session = post.result.get("session", 0)
        kept = f"thread {'gm ' if to_gm else ''}{session}"
        if session and not thread and _NO_FORUM not in self.memory:
            thread = self.memory.get(kept, "")
            if not thread:
                named = {**message, "thread_name": f"Session {session}"}
                answer = yield _post_request(path, named, pictures)._replace(may_fail=True)
                if answer.value("code", default=0) != _IN_NO_FORUM:
                    self.memory[kept] = str(answer.value("channel_id", default=""))
                    return (
                        None
                        if answer.status < 300
                        else self.outcome(Request("POST", _SHOWN), answer, time.time())
                    )
                self.memory[_NO_FORUM] = "1"
        if thread:
            path += f"&thread_id={quote(thread, safe='')}"
        yield _post_request(path, message, pictures)
        return None

    def _handout_and_round_map_within_limit(self, result: ShownResult) -> Iterator[tuple[str, PictureFile]]:
        """Yield a result's pictures with their file names: a handout, and the map at the end of a round."""
        image = self.read_picture_file(result.get("image"))
        if image is not None and len(image.content) <= LARGEST:
            yield f"picture.{image.media_type.rpartition('/')[2]}", image
        board = result.get("board")
        if board is not None:
            below = self.read_picture_file(board["scene"].get("image"))
            content = draw_map(board["scene"], board["tokens"], None, below)
            if len(content) <= LARGEST:
                drawn = PictureFile(content, "image/png", sha256(content).hexdigest())
                yield f"round-{board['scene']['round']}.png", drawn

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """Return the outcome of a request.

        If Discord's own error code says more than the HTTP status, the reason has advice for that code.
        """
        outcome = super().outcome(request, answer, now)
        code = answer.value("code") if outcome.kind is OutcomeKind.REJECTED else None
        words = _WORDS.get(code) if isinstance(code, int) else None
        return outcome._replace(why=f"{words} (it answered {answer.status})", all=True) if words else outcome

    def probe(self) -> Request:
        """Return the request for the webhook's own data."""
        return Request("GET", _SHOWN)

    def own_findings(self, wire: Wire) -> Iterable[Finding]:
        """Yield findings on the game master's webhook, on threads, and on what the map's picture needs."""
        if self.option("map", bool) and not can_draw():
            remedy = '`pip install "strike-cli[pictures]"`'
            yield Finding("the map can't be drawn: Pillow is not installed", False, remedy)
        if _NO_FORUM in self.memory:
            remedy = "Make the webhook in a forum channel, or remove `threads`."
            yield Finding("its channel is not a forum: sessions have no threads", False, remedy)
        if len(self._hooks) < 2:
            if self.for_gm:
                yield Finding("secret results go to its only channel: players must not see it", tried=False)
            return
        answer = self.send_question(wire, Request("GET", _SHOWN_GM))
        if isinstance(answer, Outcome):
            yield Finding(
                f"the game master's webhook: {answer.why}", False, f"`strike bridge login {self.name}`"
            )
        else:
            yield Finding("the game master's webhook")
        if not self.for_gm:
            remedy = 'Set audience = "gm": the second webhook gets secret results then.'
            yield Finding("secret results go nowhere", False, remedy)


def _parse_webhook(address: str, name: str) -> Webhook:
    try:
        parts = urlsplit(address)
        match = re.fullmatch(r"/api(?:/v\d+)?/webhooks/(\d+)/([\w-]+)", parts.path, re.ASCII)
    except ValueError:
        match = None
    if match is None or parts.scheme not in ("http", "https"):
        # The address isn't shown, since it may be nearly right.
        raise CampaignProblem(
            f"The webhook address of {name} is not an address.",
            "It looks like https://discord.com/api/webhooks/NUMBER/TOKEN: channel settings, Integrations, "
            f"Webhooks, Copy URL; then `strike bridge login {name}`.",
        )
    return Webhook(f"{parts.scheme}://{parts.netloc}", f"/api/v10/webhooks/{match[1]}/{match[2]}", match[2])


# The form of a message


def _post_request(
    path: str, message: Mapping[str, object], pictures: Sequence[tuple[str, PictureFile]]
) -> Request:
    if not pictures:
        return Request("POST", path, message, absolute=False)
    headers, content = multipart_message(message, pictures)
    return Request("POST", path, headers=headers, content=content, absolute=False)


def multipart_message(
    message: Mapping[str, object], pictures: Sequence[tuple[str, PictureFile]]
) -> tuple[dict[str, str], bytes]:
    """Return the headers and the body of a message with pictures, as multipart form data.

    The boundary is made from the pictures' digests, so that no part contains it.
    """
    parts = [('name="payload_json"', "application/json", json.dumps(message).encode())]
    parts += [
        (f'name="files[{number}]"; filename="{name}"', picture.media_type, picture.content)
        for number, (name, picture) in enumerate(pictures)
    ]
    boundary = sha256("".join(picture.sha256 for _, picture in pictures).encode()).hexdigest()
    content = b"".join(
        f"--{boundary}\r\nContent-Disposition: form-data; {name}\r\n".encode()
        + f"Content-Type: {kind}\r\n\r\n".encode() + part + b"\r\n" for name, kind, part in parts
    )  # fmt: skip
    headers = {"content-type": f"multipart/form-data; boundary={boundary}"}
    return headers, content + f"--{boundary}--\r\n".encode()


def _shown_map_id_and_round(view: AudienceView) -> tuple[str, int] | None:
    """Return the id of the shown scene and its round.

    It is None without a map or round, and for a scene that is over.
    """
    scene = find_newest_shown_scene(view.scenes)
    if scene is None or scene.board is None or not scene.board.rows:
        return None
    round = (scene.order.round if scene.order else None) or scene.round or 0
    return (scene_id(scene), round) if round and not scene.over else None


def discord_message(result: ShownResult) -> dict[str, object]:
    """Return a result as a message.

    Its text is the message's content; the dice, and the rest of a long text, are an embed. The message pings
    nobody and contains no link, and no name or text can add markup to it.
    """
    title, rest = title_and_remaining_text(result)
    head = ["**", *_escaped_pieces(title), "**"] if title else []
    words = [*(["🔒 "] if result["secret"] else []), *head, *_escaped_pieces(rest)]
    content, overflow = _fit_pieces(words, MAX_CONTENT)
    dice = [part for die in result["dice"] for part in ("\n", format_roll(die, MARKDOWN))]
    below, _ = _fit_pieces([*overflow, *dice], MAX_EMBED)
    message: dict[str, object] = {"content": content, "allowed_mentions": {"parse": []}}
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


def escape_for_discord(text: str) -> str:
    """Return a text escaped for Discord: no markup, no mention, no link."""
    return "".join(_escaped_pieces(text))


def _escaped_pieces(text: str) -> Iterator[str]:
    """Yield the text with its special characters escaped, in pieces.

    A text that is too long can be cut between any two pieces, but not within one.
    """
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
    escape_for_discord,
    "**{}**".format,
    lambda text: f"`{text.replace('`', '')}`" if text else "",
    "*{}*".format,
)


def _fit_pieces(pieces: Iterable[str], most: int) -> tuple[str, list[str]]:
    """Join the first pieces, as many as fit into `most` UTF-16 units; return the text and the rest.

    The rest is the list of the pieces that are left over. If it isn't empty, the text ends with an ellipsis.
    """
    rest = list(pieces)
    if _utf16_length("".join(rest)) <= most:
        return "".join(rest), []
    kept, length = [], 1
    while length + _utf16_length(rest[0]) <= most:
        length += _utf16_length(rest[0])
        kept.append(rest.pop(0))
    return "".join(kept) + "…", rest


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
