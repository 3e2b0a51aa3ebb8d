"""Results as notifications on phones, by https://ntfy.sh or a server of your own: a bridge target."""

from typing import ClassVar

from strike_bridge.targets.base import HIDDEN_KEY, Option, Post, PreparedRequest, Request, Supports, Target

MESSAGE_BYTES = 4096


class NtfyTarget(Target):
    """A target that shows results alone.

    Phones can't be asked what they have shown, so `read_results` is not declared: a notification that may
    have arrived is left for `strike bridge review`, and never sent twice blindly.
    """

    supports = Supports(chat=True)
    default_url = "https://ntfy.sh"
    # Anybody who knows the topic may read and write it, which makes it this target's key.
    key_variable = "STRIKE_NTFY_TOPIC"
    key_words = "topic"
    OPTIONS: ClassVar = {"priority": Option(int, 3, "Their priority, from 1 to 5.", (1, 2, 3, 4, 5))}

    def send_result(self, post: Post) -> list[Request]:
        """Return the request for one notification."""
        result = post.result
        dice = [f"{die['who']}: {', '.join(map(str, die['faces']))}" for die in result["dice"]]
        body = {
            "topic": HIDDEN_KEY,
            "title": "For your eyes" if result["secret"] else "At the table",
            "message": shorten("\n".join([result["text"], *dice])),
            "tags": ["lock" if result["secret"] else "game_die"],
            "priority": self.options["priority"],
        }
        return [Request("POST", "/", body, absolute=False)]

    def prepare(self, request: Request, now: float) -> PreparedRequest:
        """Return the request with the topic, which people are never shown."""
        if request.body is not None:
            request = request._replace(body={**request.body, "topic": self.key})
        return super().prepare(request, now)

    def probe(self) -> Request:
        """Return the request that checks the server's health, for `strike bridge doctor`."""
        return Request("GET", "/v1/health")


def shorten(text: str) -> str:
    """Return as much of a text as fits into a notification."""
    return text.encode()[:MESSAGE_BYTES].decode(errors="ignore")
