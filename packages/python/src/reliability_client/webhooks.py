"""Verifies the signatures of webhooks that were made with the secret of the endpoint.

The third signature (RFC 9421 with Ed25519) needs a library, since Python's standard library has no
Ed25519.
"""
from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, cast

from .errors import WebhookVerificationError

if TYPE_CHECKING:
    from . import types as t

_PREFIX = 'whsec_'


def verify_webhook(
    raw_body: bytes,
    headers: Mapping[str, Any],
    secret: str,
    *,
    tolerance_seconds: float = 300,
    now: Optional[float] = None,
) -> t.Envelope:
    """The envelope of a webhook, after its signatures were verified.

    At least one of `X-Service-Signature` and `webhook-signature` (Standard Webhooks) must be there, and
    each that is there must hold. `raw_body`: the body as it arrived, since JSON that was parsed and
    written again has another signature. `secret`: as it was returned when the endpoint was created.
    `now`: seconds since 1970. Raises WebhookVerificationError.
    """
    if isinstance(raw_body, str):
        raw_body = raw_body.encode()
    if not isinstance(raw_body, (bytes, bytearray)):
        raise TypeError('raw_body must be the body as it arrived, as bytes. Read it before any JSON parser.')
    if not isinstance(secret, str) or secret == '':
        raise TypeError(f'The secret of the webhook is missing. It starts with {_PREFIX}.')
    given = {name.lower(): str(value) for name, value in headers.items()}
    clock = _Clock(time.time() if now is None else now, tolerance_seconds)
    signed = [_has_own(raw_body, given, secret, clock), _has_standard(raw_body, given, secret, clock)]
    if not any(signed):
        raise WebhookVerificationError('The webhook has no signature.')
    return cast('t.Envelope', json.loads(raw_body))


class _Clock:
    def __init__(self, now: float, tolerance: float) -> None:
        self._now, self._tolerance = now, tolerance

    def fresh(self, headers: Dict[str, str], name: str) -> str:
        value = headers.get(name, '')
        if not (value.isascii() and value.isdigit() and len(value) < 16):
            raise WebhookVerificationError(f'The header {name} is missing.')
        age = abs(self._now - int(value))
        if not age <= self._tolerance:
            raise WebhookVerificationError(
                f'{name} is {age:.0f} s from the clock here, more than {self._tolerance:g} s.'
            )
        return value


def _has_own(body: bytes, headers: Dict[str, str], secret: str, clock: _Clock) -> bool:
    signature = headers.get('x-service-signature')
    if signature is None:
        return False
    timestamp = clock.fresh(headers, 'x-service-timestamp')
    expected = hmac.new(secret.encode(), f'{timestamp}.'.encode() + body, hashlib.sha256).hexdigest()
    _require(expected, [one.strip().lower() for one in signature.split(',')], 'X-Service-Signature')
    return True


def _has_standard(body: bytes, headers: Dict[str, str], secret: str, clock: _Clock) -> bool:
    signature = headers.get('webhook-signature')
    if signature is None:
        return False
    timestamp = clock.fresh(headers, 'webhook-timestamp')
    identifier = headers.get('webhook-id')
    if not identifier:
        raise WebhookVerificationError('The header webhook-id is missing.')
    signed = f'{identifier}.{timestamp}.'.encode() + body
    expected = base64.b64encode(hmac.new(_key_of(secret), signed, hashlib.sha256).digest()).decode()
    given = [one[len('v1,'):] for one in signature.split(' ') if one.startswith('v1,')]
    _require(expected, given, 'webhook-signature')
    return True


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len(_PREFIX):], validate=True) if secret.startswith(_PREFIX) else b''
    except ValueError:
        key = b''
    if not key:
        raise WebhookVerificationError(f'A webhook secret starts with {_PREFIX}.')
    return key


def _require(expected: str, given: List[str], name: str) -> None:
    # As bytes: compare_digest refuses texts that are not ASCII.
    if not any(hmac.compare_digest(expected.encode(), one.encode('utf-8', 'replace')) for one in given):
        raise WebhookVerificationError(f'{name} does not match: wrong secret, or a changed body.')
