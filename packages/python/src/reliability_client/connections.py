"""Connections to one server, which are used again."""
from __future__ import annotations

import selectors
import ssl
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPMessage, HTTPResponse, HTTPSConnection
from typing import Dict, Iterator, List, NamedTuple, Optional
from urllib.parse import urlsplit


class Answer(NamedTuple):
    status: int
    headers: HTTPMessage
    body: bytes


class Connections:
    """Threads share it: appending to a list and popping from it are atomic."""

    def __init__(self, base_url: str, timeout: float, ssl_context: Optional[ssl.SSLContext]) -> None:
        address = urlsplit(base_url or '')
        if address.scheme not in ('http', 'https') or not address.hostname:
            raise ValueError(
                f'base_url must be the address of the service, such as https://scores.example, not {base_url!r}.'
            )
        self.origin = f'{address.scheme}://{address.netloc}'
        self._is_secure = address.scheme == 'https'
        self._host, self._port = address.hostname, address.port
        self._path = address.path.rstrip('/')
        self._timeout = timeout
        self._ssl_context = ssl_context
        self._idle: List[HTTPConnection] = []

    def request(self, method: str, target: str, headers: Dict[str, str], body: Optional[bytes]) -> Answer:
        connection = self._take()
        try:
            connection.request(method, self._path + target, body, headers)
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._idle.append(connection)
        return answer

    @contextmanager
    def open(self, target: str, headers: Dict[str, str], timeout: float) -> Iterator[HTTPResponse]:
        """A connection of its own, for an answer that does not end."""
        connection = self._new(timeout)
        try:
            connection.request('GET', self._path + target, headers=headers)
            yield connection.getresponse()
        finally:
            connection.close()

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _take(self) -> HTTPConnection:
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return self._new(self._timeout)
            if not _has_ended(connection):
                return connection
            connection.close()

    def _new(self, timeout: float) -> HTTPConnection:
        if self._is_secure:
            return HTTPSConnection(self._host, self._port, timeout=timeout, context=self._ssl_context)
        return HTTPConnection(self._host, self._port, timeout=timeout)


def _has_ended(connection: HTTPConnection) -> bool:
    """An idle connection on which something arrives was closed by the server."""
    if connection.sock is None:
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        return bool(selector.select(0))
