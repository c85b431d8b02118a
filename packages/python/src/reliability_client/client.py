from __future__ import annotations

import json
import time
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Iterable, Iterator, NamedTuple, Optional, Sequence, Union

from .connections import Answer
from .errors import ReliabilityError
from .operations import Operations
from .transport import _search, jittered, raise_error

if TYPE_CHECKING:
    from . import types as t

_RETRY_S = 2.0
_MAX_RETRY_S = 30.0
# The service sends a comment every 15 s.
_SILENCE_S = 45.0


class Client(Operations):
    """A client of one installation with one key. Threads can share it.

    `base_url`: the address of the service. `key`: an API key, or a function that returns the present
    one. `admin_secret`: for the operations of the operator, `admin_…`. `retries`: tries after the
    first one. `timeout`: seconds to wait for a connection, and for the next bytes on it.

    Methods raise ReliabilityError if the service refuses, and ReliabilityConnectionError if it cannot
    be reached.
    """

    def stream_events(
        self, types: Optional[Sequence[str]] = None, *, last_event_id: Optional[str] = None
    ) -> Iterator[Union[t.Envelope, t.Reset]]:
        """Envelopes as they are written.

        Connects again by itself and resumes after the last envelope. Raises ReliabilityError if the
        service refuses, for example because the key was revoked.
        """
        target = '/api/v1/events/stream' + _search({'types': ','.join(types)} if types else None)
        retry, failures = _RETRY_S, 0
        while True:
            headers = {'accept': 'text/event-stream', **self._credentials()}
            if last_event_id is not None:
                headers['last-event-id'] = last_event_id
            try:
                with self._connections.open(target, headers, _SILENCE_S) as response:
                    if response.status != 200:
                        raise_error(Answer(response.status, response.headers, response.read()))
                    failures = 0
                    for message in _messages(response):
                        last_event_id = message.id or last_event_id
                        retry = message.retry or retry
                        if message.data:
                            yield _envelope_of(message)
            except ReliabilityError as error:
                if not error.retryable:
                    raise
            except (OSError, HTTPException):
                pass  # the network failed, or nothing was heard for too long
            time.sleep(jittered(failures, retry, _MAX_RETRY_S))
            failures += 1

    def close(self) -> None:
        """Closes the idle connections."""
        self._connections.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Message(NamedTuple):
    event: str
    data: str
    id: Optional[str]
    retry: Optional[float]


def _messages(lines: Iterable[bytes]) -> Iterator[_Message]:
    """Blocks that only have an id count too: the service sends its position in them."""
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.decode().rstrip('\r\n').partition(':')
        if name:
            value = value[1:] if value.startswith(' ') else value
            fields[name] = f'{fields[name]}\n{value}' if name == 'data' and name in fields else value
            continue
        if not line.startswith(b':'):
            retry = fields.get('retry', '')
            seconds = int(retry) / 1000 if retry.isascii() and retry.isdigit() else None
            yield _Message(fields.get('event', ''), fields.get('data', ''), fields.get('id'), seconds)
            fields = {}


def _envelope_of(message: _Message) -> Any:
    content = json.loads(message.data)
    return {**content, 'type': 'reset'} if message.event == 'reset' else content
