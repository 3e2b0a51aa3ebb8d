"""A bridge target that sends results to phones as notifications, by https://ntfy.sh or another server."""

from typing import ClassVar

from strike_bridge.targets.base import HIDDEN_KEY, Option, Post, PreparedRequest, Request, Supports, Target

MESSAGE_BYTES = 4096


class NtfyTarget(Target):
    """A target that gets results only, as notifications; it shows no map and no creatures.

    It doesn't declare `read_results`, since nobody can ask a phone what it has shown. So if it is unknown
    whether a notification has arrived, `strike bridge review` asks people. The notification isn't sent again
    until they have decided.
    """

    supports = Supports(chat=True)
    default_url = "https://ntfy.sh"
    # Anybody who knows the topic may read and write it, which makes it this target's key.
    key_variable = "STRIKE_NTFY_TOPIC"
    key_words = "topic"
    OPTIONS: ClassVar = {"priority": Option(int, 3, "Their priority, from 1 to 5.", (1, 2, 3, 4, 5))}

    def send_result(self, post: Post) -> list[Request]:
        """Return the request that sends one result, with its dice, as a notification."""
        result = post.result
        dice = [f"{die['who']}: {', '.join(map(str, die['faces']))}" for die in result["dice"]]
        body = {
            "topic": HIDDEN_KEY,
            "title": "For your eyes" if result["secret"] else "At the table",
            "message": cut_to_message_bytes("\n".join([result["text"], *dice])),
            "tags": ["lock" if result["secret"] else "game_die"],
            "priority": self.options["priority"],
        }
        return [Request("POST", "/", body, absolute=False)]

    def prepare(self, request: Request, now: float) -> PreparedRequest:
        """Return the request with the topic put into its body.

        The topic is secret. It is added only here, so that it isn't in requests that are shown to people.
        """
        if request.body is not None:
            request = request._replace(body={**request.body, "topic": self.key})
        return super().prepare(request, now)

    def probe(self) -> Request:
        """Return the request that checks the server's health, for `strike bridge doctor`."""
        return Request("GET", "/v1/health")


def cut_to_message_bytes(text: str) -> str:
    """Cut a text to MESSAGE_BYTES bytes of UTF-8, the most that a notification may have."""
    return text.encode()[:MESSAGE_BYTES].decode(errors="ignore")
