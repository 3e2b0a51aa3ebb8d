"""A connection whose requests httptools parses, with the table's limits.

httptools takes half as long as h11. It is compiled, so strike doesn't require it: import this module only
where it is installed.
"""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .connection_limits import ConnectionLimitsMixin

LONGEST_HEAD = 64 * 1024
"""The maximum size of a request's head in bytes: the same as in h11."""


class HttpToolsConnection(ConnectionLimitsMixin, HttpToolsProtocol):  # type: ignore[misc]  # what both have is of one kind
    """A connection that parses its requests with httptools, and refuses a request whose head is too long.

    `head` counts the bytes of a head that hasn't arrived completely. `begun` is the number of requests that
    begin in the present piece of data. If a piece also contains a part of an earlier request, the bytes of
    the new head are counted only from the next piece on.
    """

    head = begun = 0
    in_head = in_body = False

    def data_received(self, data: bytes) -> None:
        is_between, self.begun = not (self.in_head or self.in_body), 0
        super().data_received(data)
        if self.begun or not self.in_head:
            self.head = 0
        if self.in_head and (self.begun == 0 or (is_between and self.begun == 1)):
            self.head += len(data)
        if self.head > LONGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of this request is too long.")

    def on_message_begin(self) -> None:
        self.in_head = True
        self.begun += 1
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self.in_head, self.in_body = False, True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.in_body = False
        super().on_message_complete()

    @property
    def is_in_head(self) -> bool:
        return self.in_head

    @property
    def awaits_rest_of_body(self) -> bool:
        return self.in_body
