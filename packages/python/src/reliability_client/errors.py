"""What is raised when a call fails. `error_codes` has a class for each code."""
from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Union

if TYPE_CHECKING:
    from .types import ValidationDetail


class ReliabilityError(Exception):
    """The service refused a request, or failed."""

    #: HTTP status.
    status: int
    #: Versions of the service that are newer than this client may have further codes.
    code: str
    #: Whether the same request can succeed later. The client has retried already.
    retryable: bool
    #: Seconds to wait before the next try, as the service asked for.
    retry_after: Optional[float]
    #: Quote it when you ask the operator for help.
    request_id: Optional[str]
    #: For `VALIDATION_ERROR`: the invalid fields.
    details: Union[List[ValidationDetail], Dict[str, Any], None]

    def __init__(self, status: int, body: Any, retry_after: Optional[float], request_id: Optional[str]) -> None:
        known = body if is_error_body(body) else {}
        super().__init__(known.get('error', f'The server answered {status} without an error of the service.'))
        self.status = status
        self.code = known.get('code', 'UNKNOWN')
        self.retryable = known.get('retryable', False)
        self.retry_after = retry_after
        self.request_id = known.get('requestId', request_id)
        self.details = known.get('details')


class ReliabilityConnectionError(Exception):
    """No complete answer arrived: the connection failed, or the time was up."""


class WebhookVerificationError(Exception):
    """A webhook whose signature does not hold: answer 400 and do not use it."""


def is_error_body(body: Any) -> bool:
    return isinstance(body, dict) and 'code' in body and 'error' in body


def seconds_of(retry_after: Optional[str]) -> Optional[float]:
    """Of the header, also if it is a date."""
    if not retry_after:
        return None
    if retry_after.isascii() and retry_after.isdigit() and len(retry_after) < 10:
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
