"""A server that is told byte by byte what to say."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

Speak = Callable[[socket.socket], None]


class Raw:
    """Answers each connection with bytes as they are told, until somebody hangs up."""

    def __init__(self, speak: Speak) -> None:
        self._speak = speak
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.heard = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=[line], daemon=True).start()

    def _answer(self, line: socket.socket) -> None:
        with line:
            try:
                line.settimeout(20)
                line.recv(65536)
                self.heard += 1
                self._speak(line)
            except OSError:
                return

    def close(self) -> None:
        self._socket.close()


def says(data: bytes) -> Speak:
    return lambda line: line.sendall(data)
