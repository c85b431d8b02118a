"""An exception for each code of errors. Written by generate.ts."""
from typing import Dict, Type

from .errors import ReliabilityError


class ActivationNoValidRowsError(ReliabilityError):
    pass


class ActivityActionInvalidError(ReliabilityError):
    pass


class ActivityFormatInvalidError(ReliabilityError):
    pass


class ActivityRangeInvalidError(ReliabilityError):
    pass


class AnalyticsRangeInvalidError(ReliabilityError):
    pass


class AnalyticsWindowConflictError(ReliabilityError):
    pass


class BacktestQueueUnavailableError(ReliabilityError):
    pass


class BadRequestError(ReliabilityError):
    pass


class BookFormatInvalidError(ReliabilityError):
    pass


class BookQueryInvalidError(ReliabilityError):
    pass


class BusinessIdentityNotDeclaredError(ReliabilityError):
    pass


class CareerFormatInvalidError(ReliabilityError):
    pass


class ConfirmationNotPendingError(ReliabilityError):
    pass


class ConfirmationSelfError(ReliabilityError):
    pass


class ConfirmationTokenInvalidError(ReliabilityError):
    pass


class ConflictError(ReliabilityError):
    pass


class DispatchContextInvalidError(ReliabilityError):
    pass


class ExportFormatInvalidError(ReliabilityError):
    pass


class ExportRangeInvalidError(ReliabilityError):
    pass


class ForbiddenError(ReliabilityError):
    pass


class IdempotencyKeyInUseError(ReliabilityError):
    pass


class IdempotencyKeyReusedError(ReliabilityError):
    pass


class ImportCsvInvalidError(ReliabilityError):
    pass


class ImportQueueUnavailableError(ReliabilityError):
    pass


class ImportTooManyRowsError(ReliabilityError):
    pass


class IngestMappingInvalidError(ReliabilityError):
    pass


class InternalError(ReliabilityError):
    pass


class LinkTokenInvalidError(ReliabilityError):
    pass


class MethodNotAllowedError(ReliabilityError):
    pass


class MonitorLimitReachedError(ReliabilityError):
    pass


class NotificationChannelInvalidError(ReliabilityError):
    pass


class NotificationChannelLimitReachedError(ReliabilityError):
    pass


class NotFoundError(ReliabilityError):
    pass


class NotLoggedYetError(ReliabilityError):
    pass


class OperatorNotDeclaredError(ReliabilityError):
    pass


class OverloadedError(ReliabilityError):
    pass


class PayloadNotRetainedError(ReliabilityError):
    pass


class PayloadTooLargeError(ReliabilityError):
    pass


class PlanRequiredError(ReliabilityError):
    pass


class PolicyLimitReachedError(ReliabilityError):
    pass


class QuotaExceededError(ReliabilityError):
    pass


class RateLimitExceededError(ReliabilityError):
    pass


class ReferenceNotPendingError(ReliabilityError):
    pass


class ReferenceSelfError(ReliabilityError):
    pass


class ReferenceTokenInvalidError(ReliabilityError):
    pass


class ReservedExternalIdError(ReliabilityError):
    pass


class ScopeCeilingExceededError(ReliabilityError):
    pass


class ScopeInsufficientError(ReliabilityError):
    pass


class ScreeningNotCompletedError(ReliabilityError):
    pass


class ScreeningQueueUnavailableError(ReliabilityError):
    pass


class ServiceUnavailableError(ReliabilityError):
    pass


class StreamLimitReachedError(ReliabilityError):
    pass


class SubjectErasedError(ReliabilityError):
    pass


class TestModeNotAllowedError(ReliabilityError):
    pass


class TestModeOnlyError(ReliabilityError):
    pass


class UnauthorizedError(ReliabilityError):
    pass


class UnsupportedContentEncodingError(ReliabilityError):
    pass


class UsageFormatInvalidError(ReliabilityError):
    pass


class UsageRangeInvalidError(ReliabilityError):
    pass


class UsageWindowConflictError(ReliabilityError):
    pass


class UserNotFoundError(ReliabilityError):
    pass


class ValidationError(ReliabilityError):
    pass


BY_CODE: Dict[str, Type[ReliabilityError]] = {
    'ACTIVATION_NO_VALID_ROWS': ActivationNoValidRowsError,
    'ACTIVITY_ACTION_INVALID': ActivityActionInvalidError,
    'ACTIVITY_FORMAT_INVALID': ActivityFormatInvalidError,
    'ACTIVITY_RANGE_INVALID': ActivityRangeInvalidError,
    'ANALYTICS_RANGE_INVALID': AnalyticsRangeInvalidError,
    'ANALYTICS_WINDOW_CONFLICT': AnalyticsWindowConflictError,
    'BACKTEST_QUEUE_UNAVAILABLE': BacktestQueueUnavailableError,
    'BAD_REQUEST': BadRequestError,
    'BOOK_FORMAT_INVALID': BookFormatInvalidError,
    'BOOK_QUERY_INVALID': BookQueryInvalidError,
    'BUSINESS_IDENTITY_NOT_DECLARED': BusinessIdentityNotDeclaredError,
    'CAREER_FORMAT_INVALID': CareerFormatInvalidError,
    'CONFIRMATION_NOT_PENDING': ConfirmationNotPendingError,
    'CONFIRMATION_SELF': ConfirmationSelfError,
    'CONFIRMATION_TOKEN_INVALID': ConfirmationTokenInvalidError,
    'CONFLICT': ConflictError,
    'DISPATCH_CONTEXT_INVALID': DispatchContextInvalidError,
    'EXPORT_FORMAT_INVALID': ExportFormatInvalidError,
    'EXPORT_RANGE_INVALID': ExportRangeInvalidError,
    'FORBIDDEN': ForbiddenError,
    'IDEMPOTENCY_KEY_IN_USE': IdempotencyKeyInUseError,
    'IDEMPOTENCY_KEY_REUSED': IdempotencyKeyReusedError,
    'IMPORT_CSV_INVALID': ImportCsvInvalidError,
    'IMPORT_QUEUE_UNAVAILABLE': ImportQueueUnavailableError,
    'IMPORT_TOO_MANY_ROWS': ImportTooManyRowsError,
    'INGEST_MAPPING_INVALID': IngestMappingInvalidError,
    'INTERNAL_ERROR': InternalError,
    'LINK_TOKEN_INVALID': LinkTokenInvalidError,
    'METHOD_NOT_ALLOWED': MethodNotAllowedError,
    'MONITOR_LIMIT_REACHED': MonitorLimitReachedError,
    'NOTIFICATION_CHANNEL_INVALID': NotificationChannelInvalidError,
    'NOTIFICATION_CHANNEL_LIMIT_REACHED': NotificationChannelLimitReachedError,
    'NOT_FOUND': NotFoundError,
    'NOT_LOGGED_YET': NotLoggedYetError,
    'OPERATOR_NOT_DECLARED': OperatorNotDeclaredError,
    'OVERLOADED': OverloadedError,
    'PAYLOAD_NOT_RETAINED': PayloadNotRetainedError,
    'PAYLOAD_TOO_LARGE': PayloadTooLargeError,
    'PLAN_REQUIRED': PlanRequiredError,
    'POLICY_LIMIT_REACHED': PolicyLimitReachedError,
    'QUOTA_EXCEEDED': QuotaExceededError,
    'RATE_LIMIT_EXCEEDED': RateLimitExceededError,
    'REFERENCE_NOT_PENDING': ReferenceNotPendingError,
    'REFERENCE_SELF': ReferenceSelfError,
    'REFERENCE_TOKEN_INVALID': ReferenceTokenInvalidError,
    'RESERVED_EXTERNAL_ID': ReservedExternalIdError,
    'SCOPE_CEILING_EXCEEDED': ScopeCeilingExceededError,
    'SCOPE_INSUFFICIENT': ScopeInsufficientError,
    'SCREENING_NOT_COMPLETED': ScreeningNotCompletedError,
    'SCREENING_QUEUE_UNAVAILABLE': ScreeningQueueUnavailableError,
    'SERVICE_UNAVAILABLE': ServiceUnavailableError,
    'STREAM_LIMIT_REACHED': StreamLimitReachedError,
    'SUBJECT_ERASED': SubjectErasedError,
    'TEST_MODE_NOT_ALLOWED': TestModeNotAllowedError,
    'TEST_MODE_ONLY': TestModeOnlyError,
    'UNAUTHORIZED': UnauthorizedError,
    'UNSUPPORTED_CONTENT_ENCODING': UnsupportedContentEncodingError,
    'USAGE_FORMAT_INVALID': UsageFormatInvalidError,
    'USAGE_RANGE_INVALID': UsageRangeInvalidError,
    'USAGE_WINDOW_CONFLICT': UsageWindowConflictError,
    'USER_NOT_FOUND': UserNotFoundError,
    'VALIDATION_ERROR': ValidationError,
}
