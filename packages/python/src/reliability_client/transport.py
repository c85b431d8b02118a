"""Sends requests, and tries again where that can help and cannot repeat a write."""
from __future__ import annotations

import json
import random
import ssl
import time
import uuid
from http.client import HTTPException
from typing import Any, Callable, Dict, Iterator, Mapping, NoReturn, Optional, Tuple, Union
from urllib.parse import quote, urlencode

from .connections import Answer, Connections
from .error_codes import BY_CODE
from .errors import ReliabilityConnectionError, ReliabilityError, is_error_body, seconds_of

Part = Union[str, int]
Headers = Optional[Mapping[str, str]]
Key = Union[str, Callable[[], str], None]

_FIRST_DELAY_S = 0.25
_MAX_DELAY_S = 8.0
# A server that asks for a longer pause (a monthly quota) is not retried.
_MAX_RETRY_AFTER_S = 60
# From proxies, which do not send the service's errors.
_UNAVAILABLE = (502, 503, 504)


class Transport:
    def __init__(
        self,
        base_url: str,
        key: Key = None,
        *,
        admin_secret: Optional[str] = None,
        retries: int = 3,
        timeout: float = 30.0,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._connections = Connections(base_url, timeout, ssl_context)
        self._key = key
        self._admin_secret = admin_secret
        self._retries = retries

    def _send(
        self,
        method: str,
        path: str,
        parts: Tuple[Part, ...] = (),
        *,
        body: Any = None,
        query: Any = None,
        key: Optional[str] = None,
        text_type: str = 'text/csv',
        headers: Headers = None,
    ) -> Any:
        target = _filled(path, parts) + _search(query)
        sent = {'accept': 'application/json, text/plain;q=0.9, */*;q=0.5', **self._credentials()}
        if key is not None:
            sent['idempotency-key'] = key
        content: Optional[bytes] = None
        if isinstance(body, (str, bytes)):
            sent['content-type'], content = text_type, body.encode() if isinstance(body, str) else body
        elif body is not None:
            sent['content-type'], content = 'application/json', json.dumps(body).encode()
        sent.update({name.lower(): value for name, value in (headers or {}).items()})
        answer = self._answer(method, target, sent, content)
        if not 200 <= answer.status < 300:
            raise_error(answer)
        if 'json' in answer.headers.get('content-type', ''):
            return json.loads(answer.body)
        return answer.body.decode() or None

    def _each(self, items: str, read: Callable[[Any], Any], query: Any) -> Iterator[Any]:
        for page in self._pages(read, query):
            yield from page[items]

    def _pages(self, read: Callable[[Any], Any], query: Any) -> Iterator[Any]:
        cursor = (query or {}).get('cursor')
        while True:
            page = read({**(query or {}), 'cursor': cursor})
            yield page
            cursor = page.get('nextCursor')
            if cursor is None:
                return

    def _credentials(self) -> Dict[str, str]:
        key = self._key() if callable(self._key) else self._key
        return {
            **({} if key is None else {'authorization': f'Bearer {key}'}),
            **({} if self._admin_secret is None else {'x-admin-secret': self._admin_secret}),
        }

    def _answer(self, method: str, target: str, headers: Dict[str, str], body: Optional[bytes]) -> Answer:
        # Whether a request whose answer was lost may be sent again although it may have been executed.
        is_repeatable = method != 'POST' or 'idempotency-key' in headers
        attempt = 0
        while True:
            may_retry = attempt < self._retries
            pause: Optional[float] = None
            try:
                answer = self._connections.request(method, target, headers, body)
            except (OSError, HTTPException) as cause:
                if not (may_retry and is_repeatable):
                    raise ReliabilityConnectionError(
                        f'No complete answer from {self._connections.origin}: {cause!r}'
                    ) from cause
            else:
                if answer.status < 300 or not may_retry or not _can_retry(answer, is_repeatable):
                    return answer
                retry_after = seconds_of(answer.headers.get('retry-after'))
                if retry_after is not None:
                    if retry_after > _MAX_RETRY_AFTER_S:
                        return answer
                    # Clients that were refused together come back one after the other.
                    pause = retry_after + random.random() * min(1, retry_after)
            time.sleep(jittered(attempt, _FIRST_DELAY_S, _MAX_DELAY_S) if pause is None else pause)
            attempt += 1


def new_key() -> str:
    return str(uuid.uuid4())


def jittered(attempt: int, first: float, longest: float) -> float:
    return min(longest, first * 2.0 ** min(attempt, 30)) * (0.5 + random.random() / 2)


def raise_error(answer: Answer) -> NoReturn:
    body = _json_of(answer)
    error = BY_CODE.get(body['code'], ReliabilityError) if is_error_body(body) else ReliabilityError
    headers = answer.headers
    raise error(answer.status, body, seconds_of(headers.get('retry-after')), headers.get('x-request-id'))


def _can_retry(answer: Answer, is_repeatable: bool) -> bool:
    body = _json_of(answer)
    if is_error_body(body):
        return bool(body.get('retryable'))
    return answer.status in _UNAVAILABLE and is_repeatable


def _json_of(answer: Answer) -> Any:
    try:
        return json.loads(answer.body)
    except ValueError:
        return None


def _filled(path: str, parts: Tuple[Part, ...]) -> str:
    values = iter(parts)
    segments = path.split('/')
    for index, segment in enumerate(segments):
        if '{' not in segment:
            continue
        before, rest = segment.split('{')
        name, after = rest.split('}')
        value = str(next(values))
        # An empty part would address another operation, and servers resolve dots.
        if value in ('', '.', '..'):
            raise ValueError(f'{path}: {name} cannot be {value!r}')
        segments[index] = before + quote(value, safe='') + after
    return '/'.join(segments)


def _search(query: Optional[Mapping[str, Any]]) -> str:
    given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
    return f'?{urlencode(given)}' if given else ''


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
