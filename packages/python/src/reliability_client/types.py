"""What operations take and return, with members as in the API. Written by generate.ts."""
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired
elif sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    NotRequired = Optional

EventType = Literal['TRANSACTION_COMPLETED', 'TRANSACTION_DISPUTED', 'TRANSACTION_CANCELLED', 'REVIEW_VERIFIED', 'CONTRACT_FULFILLED', 'CONTRACT_CANCELLED', 'CONTRACT_BREACHED', 'DISPUTE_FILED', 'DISPUTE_RESOLVED_FOR_USER', 'DISPUTE_RESOLVED_AGAINST_USER', 'EDUCATION_VERIFIED', 'SKILL_VERIFIED', 'CERTIFICATION_VERIFIED', 'EMPLOYMENT_VERIFIED', 'PROJECT_LOGGED']
StakeLevel = Literal['HIGH', 'MEDIUM', 'LOW']
ScoreBand = Literal['Excellent', 'Good', 'Fair', 'Building', 'Unproven', 'High Risk']
MappingTransform = Literal['cents_to_units', 'decimal_comma', 'iso_date', 'day_month_year', 'month_day_year', 'lowercase', 'trim', 'boolean']
ImportStatus = Literal['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED']
ConfidenceLabel = Literal['high', 'medium', 'low']
Factor = Literal['completion', 'timeliness', 'disputes', 'verification', 'gate']
SubjectType = Literal['PERSON', 'AGENT', 'ORGANIZATION']
ReferenceKind = Literal['employment', 'education', 'certification', 'skill']
QualificationStatus = Literal['current', 'expired']
PlatformTier = Literal['ENTERPRISE', 'GROWTH', 'STARTER', 'SELF_REPORTED']
DisputeOutcome = Literal['FOR_USER', 'AGAINST_USER']
WitnessType = Literal['independent_authority', 'customer_or_client', 'supervisor_or_reviewer', 'payment_or_marketplace']
RiskLevel = Literal['none', 'low', 'elevated', 'high']
RiskSignalValue = Literal['VELOCITY_BURST', 'SINGLE_WITNESS', 'RECIPROCAL_CONFIRMATION', 'SHARED_WITNESS_RING', 'SELF_ATTESTED_SHARE', 'IDENTICAL_OUTCOMES', 'BULK_SAME_INSTANT', 'DORMANT_THEN_ACTIVE', 'ANSWERED_BY_ASKER', 'BACKDATED_ADVERSE', 'LOW_BEFORE_HIGH', 'POSITIVES_WITHIN_MINUTES', 'DUE_DATE_AT_COMPLETION']
BenchmarkDimensionValue = Literal['all', 'subjectType', 'verificationDepthBand', 'activityVolumeBand', 'tenureBand']
DisputeStatus = Literal['OPEN', 'RESOLVED_FOR_USER', 'RESOLVED_AGAINST_USER']
ReviewStatus = Literal['OPEN', 'ANSWERED', 'WITHDRAWN']
ReviewOutcome = Literal['UPHELD', 'CORRECTED', 'PARTLY']
ConfirmationRequestStatus = Literal['PENDING', 'CONFIRMED', 'DECLINED', 'EXPIRED', 'CANCELLED']
AnswerChannel = Literal['page', 'api']
BrowserFamily = Literal['chrome', 'safari', 'firefox', 'edge', 'other']
RequestDecision = Literal['confirm', 'decline']
PlanTier = Literal['starter', 'growth', 'enterprise']
Scope = Literal['read', 'write', '*', 'events:read', 'events:write', 'events:*', 'events', 'scores:read', 'scores:write', 'scores:*', 'scores', 'usage:read', 'usage:write', 'usage:*', 'usage', 'webhooks:read', 'webhooks:write', 'webhooks:*', 'webhooks', 'admin:read', 'admin:write', 'admin:*', 'admin']
KeyMode = Literal['live', 'test']
ActivityAction = Literal['EVENT_CREATED', 'VELOCITY_FLAG_SET', 'VELOCITY_FLAG_CLEARED', 'PLATFORM_CREATED', 'PLATFORM_UPDATED', 'API_KEY_GENERATED', 'API_KEY_ROTATED', 'API_KEY_REVOKED', 'API_KEY_SCOPES_UPDATED', 'SHARE_TOKEN_MINTED', 'SHARE_TOKEN_REVOKED', 'RECORD_LINK_CREATED', 'RECORD_LINK_WITHDRAWN', 'CREDENTIAL_OFFER_CREATED', 'WEBHOOK_CREATED', 'WEBHOOK_UPDATED', 'WEBHOOK_DELETED', 'WEBHOOK_DISABLED', 'MONITOR_CREATED', 'MONITOR_UPDATED', 'MONITOR_DELETED', 'POLICY_CREATED', 'POLICY_UPDATED', 'POLICY_DELETED', 'NOTIFICATION_CHANNEL_CREATED', 'NOTIFICATION_CHANNEL_DELETED', 'CONFIRMATION_REQUEST_CREATED', 'CONFIRMATION_REQUEST_CONFIRMED', 'CONFIRMATION_REQUEST_DECLINED', 'CONFIRMATION_REQUEST_CANCELLED', 'REVIEW_REQUESTED', 'REVIEW_WITHDRAWN', 'REVIEW_ANSWERED', 'SUBJECT_DECLARED', 'DECLARATION_CHANGED', 'SUBJECT_NAMED', 'SUBJECT_LINKED', 'SUBJECT_UNLINKED', 'SUBJECT_ERASED', 'TEST_DATA_RESET', 'TEST_DATA_SEEDED', 'CONSOLE_SIGNED_IN', 'CONSOLE_SIGNED_OUT', 'CONSOLE_USER_ADDED', 'CONSOLE_USER_CHANGED', 'CONSOLE_USER_REMOVED', 'CONSOLE_VIEWED_AS_PLATFORM']
UserRole = Literal['viewer', 'support', 'admin']
WebhookEventType = Literal['score.updated', 'score.band_changed', 'dispute.resolved', 'monitor.triggered', 'policy.threshold_crossed', 'usage.quota_warning', 'import.completed', 'screening.completed', 'confirmation.awaiting_response', 'confirmation.expiring_soon', 'review.requested', 'review.answered', 'review.overdue', 'key.created', 'key.expiring']
DisabledReason = Literal['gone', 'failing']
DeliveryStatus = Literal['succeeded', 'failed']
PolicyMetric = Literal['score', 'component', 'verified_events', 'band', 'largest_attester_share', 'distinct_attesters']
PolicyDirection = Literal['below', 'above', 'enter', 'leave']
Component = Literal['reliability', 'timeliness', 'trustworthiness', 'verification', 'consistency', 'momentum']
NotificationChannelType = Literal['slack', 'email']
WarningCode = Literal['VERIFICATION_DOWNGRADED', 'STAKE_CAPPED', 'UNKNOWN_FIELD', 'IDEMPOTENCY_KEY_REUSED', 'KEY_EXPIRY_CLAMPED', 'KEY_OPENS_CONFIRMATIONS', 'RECEIPT_PENDING', 'TEST_MODE_NOT_ALLOWED']
ItemStatus = Literal['created', 'skipped', 'duplicate', 'failed']
ReminderStage = Literal['awaiting_response', 'expiring_soon']
MonitorCondition = Literal['below_score', 'above_score', 'band_change']


class EventRecorded(TypedDict):
    eventId: str
    event: EventRecord
    warnings: List[EventRecordedWarning]
    receipt: NotRequired[LogReceipt]
    dryRun: NotRequired[Literal[True]]
    projected: NotRequired[ProjectedScore]



class EventRecord(TypedDict):
    id: str
    userId: str
    eventType: EventType
    stakeLevel: StakeLevel
    isVerified: bool
    transactionValue: Optional[float]
    dueDate: Optional[str]
    completedAt: Optional[str]
    metadata: Optional[Dict[str, Any]]
    autoImported: bool
    livemode: bool
    createdAt: str
    attester: Optional[str]
    reportedBy: Optional[str]



class EventRecordedWarning(TypedDict):
    code: str
    message: str



class LogReceipt(TypedDict):
    eventId: str
    leafIndex: int
    salt: str
    fact: Dict[str, Optional[Union[str, float, bool]]]
    proof: List[str]
    checkpoint: str



class ProjectedScore(TypedDict):
    userId: str
    finalScore: float
    scoreBand: ScoreBand
    delta: float
    frozen: bool



class OutcomeEvent(TypedDict):
    userId: str
    eventType: Literal['TRANSACTION_COMPLETED', 'TRANSACTION_DISPUTED', 'TRANSACTION_CANCELLED', 'REVIEW_VERIFIED', 'CONTRACT_FULFILLED', 'CONTRACT_CANCELLED', 'CONTRACT_BREACHED', 'DISPUTE_RESOLVED_FOR_USER']
    stakeLevel: NotRequired[Optional[StakeLevel]]
    isVerified: NotRequired[Optional[bool]]
    transactionValue: NotRequired[Optional[float]]
    dueDate: NotRequired[Optional[str]]
    completedAt: NotRequired[Optional[str]]
    metadata: NotRequired[Optional[Dict[str, Any]]]
    idempotencyKey: NotRequired[Optional[str]]



class RecordEventQuery(TypedDict):
    receipt: NotRequired[Literal['0', '1']]
    dryRun: NotRequired[Literal['0', '1']]



class EventBatchRecorded(TypedDict):
    results: List[EventBatchRecordedResult]
    createdCount: int
    skippedCount: int
    failedCount: int
    dryRun: NotRequired[Literal[True]]
    projected: NotRequired[List[ProjectedScore]]



class EventBatchRecordedResult(TypedDict):
    index: int
    status: Literal['created', 'skipped', 'failed']
    eventId: NotRequired[str]
    error: NotRequired[EventBatchRecordedResultError]
    warnings: NotRequired[List[EventRecordedWarning]]



class EventBatchRecordedResultError(TypedDict):
    code: str
    message: str
    details: NotRequired[Any]



class EventBatch(TypedDict):
    events: List[OutcomeEvent]



class RecordEventsQuery(TypedDict):
    dryRun: NotRequired[Literal['0', '1']]



class EventExportPage(TypedDict):
    events: List[EventRecord]
    nextCursor: Optional[str]


ExportEventsQuery = TypedDict('ExportEventsQuery', {
    'from': "NotRequired[str]",
    'to': "NotRequired[str]",
    'format': "NotRequired[Literal['json', 'csv']]",
    'cursor': "NotRequired[str]",
    'limit': "NotRequired[int]",
})


class Ingested(TypedDict):
    results: List[EventBatchRecordedResult]
    createdCount: int
    skippedCount: int
    failedCount: int
    dryRun: NotRequired[Literal[True]]
    projected: NotRequired[List[ProjectedScore]]
    warnings: NotRequired[List[EventRecordedWarning]]



class IngestRequest(TypedDict):
    records: List[Dict[str, Any]]
    mapping: NotRequired[Optional[Mapping]]
    mappingId: NotRequired[Optional[str]]



class Mapping(TypedDict):
    userId: MappingRule
    eventType: MappingRule
    stakeLevel: NotRequired[MappingRule]
    isVerified: NotRequired[MappingRule]
    transactionValue: NotRequired[MappingRule]
    dueDate: NotRequired[MappingRule]
    completedAt: NotRequired[MappingRule]
    idempotencyKey: NotRequired[MappingRule]
    verifiedBy: NotRequired[MappingRule]
    metadata: NotRequired[Dict[str, MappingRule]]



class MappingRule(TypedDict):
    path: NotRequired[str]
    constant: NotRequired[Union[str, float, bool]]
    transform: NotRequired[MappingTransform]
    table: NotRequired[Dict[str, Union[str, float, bool]]]
    default: NotRequired[Union[str, float, bool]]



class SavedMappingPage(TypedDict):
    mappings: List[SavedMapping]
    nextCursor: Optional[str]



class SavedMapping(TypedDict):
    id: str
    name: str
    mapping: Mapping
    createdAt: str



class ListMappingsQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]



class NewMapping(TypedDict):
    name: str
    mapping: Mapping



class Imports(TypedDict):
    imports: List[Import]
    nextCursor: Optional[str]



class Import(TypedDict):
    id: str
    status: ImportStatus
    totalRows: int
    createdCount: int
    skippedCount: int
    failedCount: int
    warningCount: int
    error: Optional[str]
    createdAt: str
    startedAt: Optional[str]
    completedAt: Optional[str]



class ListImportsQuery(TypedDict):
    status: NotRequired[ImportStatus]
    cursor: NotRequired[str]
    limit: NotRequired[int]



class NewImport(TypedDict):
    csv: str
    mapping: NotRequired[Optional[Mapping]]
    mappingId: NotRequired[Optional[str]]



class CreateImportQuery(TypedDict):
    mappingId: NotRequired[str]
    separator: NotRequired[Literal['comma', 'semicolon', 'tab']]
    encoding: NotRequired[Literal['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']]
    dryRun: NotRequired[str]



class ImportDryRun(TypedDict):
    columns: List[str]
    totalRows: int
    validCount: int
    skippedCount: int
    failedCount: int
    warningCount: int
    errors: List[ImportDryRunError]
    problems: List[ColumnProblem]
    warnings: List[ImportDryRunError]
    sample: List[ImportDryRunSampleItem]



class ImportDryRunError(TypedDict):
    code: str
    reason: str
    example: str
    count: int
    rows: List[int]



class ColumnProblem(TypedDict):
    column: Optional[str]
    code: str
    rows: int
    first: int
    example: Optional[str]
    expected: str



class ImportDryRunSampleItem(TypedDict):
    row: int
    event: Optional[SampledEvent]
    error: Optional[ImportDryRunSampleItemError]
    warnings: List[EventRecordedWarning]



class SampledEvent(TypedDict):
    userId: str
    eventType: EventType
    stakeLevel: StakeLevel
    isVerified: bool
    transactionValue: Optional[float]
    dueDate: Optional[str]
    completedAt: Optional[str]
    metadata: Optional[Dict[str, Any]]
    attester: Optional[str]
    idempotencyKey: Optional[str]



class ImportDryRunSampleItemError(TypedDict):
    code: str
    reason: str



class DryRunImportQuery(TypedDict):
    mappingId: NotRequired[str]
    separator: NotRequired[Literal['comma', 'semicolon', 'tab']]
    encoding: NotRequired[Literal['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']]
    sample: NotRequired[int]



class ImportFormats(TypedDict):
    encoding: ImportFormatsEncoding
    separator: ImportFormatsSeparator
    totalRows: int
    columns: List[ColumnFormat]



class ImportFormatsEncoding(TypedDict):
    proposed: Literal['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']
    decidedBy: Optional[ImportFormatsEncodingDecidedBy]
    alternatives: List[Literal['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']]



class ImportFormatsEncodingDecidedBy(TypedDict):
    line: int
    value: str



class ImportFormatsSeparator(TypedDict):
    proposed: Literal['comma', 'semicolon', 'tab']
    decidedBy: ImportFormatsEncodingDecidedBy
    alternatives: List[Literal['comma', 'semicolon', 'tab']]



class ColumnFormat(TypedDict):
    column: str
    kind: Literal['date', 'number']
    values: int
    proposed: Optional[Literal['iso_date', 'day_month_year', 'month_day_year', 'decimal_point', 'decimal_comma']]
    decidedBy: Optional[ColumnFormatDecidedBy]
    alternatives: List[ColumnFormatAlternative]



class ColumnFormatDecidedBy(TypedDict):
    row: int
    value: str



class ColumnFormatAlternative(TypedDict):
    format: Literal['iso_date', 'day_month_year', 'month_day_year', 'decimal_point', 'decimal_comma']
    reads: int
    example: ColumnFormatAlternativeExample


ColumnFormatAlternativeExample = TypedDict('ColumnFormatAlternativeExample', {
    'value': "str",
    'as': "Union[str, float]",
})


class UnknownFile(TypedDict):
    csv: str



class DetectImportQuery(TypedDict):
    separator: NotRequired[Literal['comma', 'semicolon', 'tab']]
    encoding: NotRequired[Literal['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']]



class ImportIssues(TypedDict):
    columns: List[Union[str, ColumnProblem]]
    mapping: Optional[Mapping]
    errors: List[ImportIssuesError]
    warnings: List[ImportIssuesWarning]
    failedCount: int
    truncated: bool
    limit: int
    offset: int



class ImportIssuesError(TypedDict):
    row: int
    code: str
    reason: str
    cells: Optional[List[str]]



class ImportIssuesWarning(TypedDict):
    row: int
    code: str
    reason: str



class ListImportErrorsQuery(TypedDict):
    limit: NotRequired[int]
    offset: NotRequired[int]
    groupBy: NotRequired[Literal['row', 'column']]



class Score(TypedDict):
    userId: str
    finalScore: float
    scoreBand: ScoreBand
    confidence: float
    confidenceLabel: ConfidenceLabel
    behavioralQuality: float
    totalEvents: int
    verifiedEvents: int
    frozen: bool
    formulaVersion: str
    computedAt: str



class ScoreExplanation(TypedDict):
    userId: str
    asOf: NotRequired[str]
    finalScore: float
    scoreBand: ScoreBand
    factors: List[ScoreExplanationFactor]
    reasonCodes: ScoreExplanationReasonCodes
    reasonCodesVersion: str
    keyFactorLimit: int
    formulaVersion: str



class ScoreExplanationFactor(TypedDict):
    name: Factor
    contribution: float
    description: str



class ScoreExplanationReasonCodes(TypedDict):
    adverseActionReasons: List[ScoreReason]
    supportingFactors: List[ScoreReason]
    disclosures: List[str]



class ScoreReason(TypedDict):
    code: str
    factor: str
    title: str
    description: str
    evidence: Dict[str, Optional[Union[float, str]]]



class ExplainScoreQuery(TypedDict):
    asOf: NotRequired[str]
    by: NotRequired[Literal['outcome', 'recorded']]



class ScoreComponents(TypedDict):
    userId: str
    components: ScoreComponentsComponents
    formulaVersion: str
    computedAt: str



class ScoreComponentsComponents(TypedDict):
    reliability: Optional[float]
    timeliness: Optional[float]
    trustworthiness: Optional[float]
    verification: Optional[float]
    consistency: Optional[float]
    momentum: Optional[float]



class ScoreHistory(TypedDict):
    history: List[ScoreHistoryHistoryItem]
    nextCursor: Optional[str]



class ScoreHistoryHistoryItem(TypedDict):
    finalScore: float
    scoreBand: ScoreBand
    confidence: float
    behavioralQuality: float
    totalEvents: int
    verifiedEvents: int
    previousScore: Optional[float]
    reason: Optional[str]
    formulaVersion: str
    computedAt: str



class ListScoreHistoryQuery(TypedDict):
    cursor: NotRequired[str]
    limit: NotRequired[int]



class ScoreCourse(TypedDict):
    userId: str
    by: Literal['outcome', 'recorded']
    step: Literal['day', 'week', 'month']
    points: List[ScoreCoursePoint]
    nextCursor: Optional[str]



class ScoreCoursePoint(TypedDict):
    day: str
    finalScore: float
    scoreBand: ScoreBand
    confidence: float
    outcomes: int


ReadScoreCourseQuery = TypedDict('ReadScoreCourseQuery', {
    'by': "NotRequired[Literal['outcome', 'recorded']]",
    'from': "NotRequired[str]",
    'to': "NotRequired[str]",
    'step': "NotRequired[Literal['day', 'week', 'month']]",
    'limit': "NotRequired[int]",
    'cursor': "NotRequired[str]",
})

ScoreMove = TypedDict('ScoreMove', {
    'userId': "str",
    'baseline': "Literal['record', 'blank']",
    'from': "ScoreMoveFrom",
    'to': "ScoreMoveFrom",
    'delta': "float",
    'parts': "List[ScoreMovePart]",
    'sentence': "str",
})


class ScoreMoveFrom(TypedDict):
    day: str
    finalScore: float
    scoreBand: ScoreBand



class ScoreMovePart(TypedDict):
    kind: Literal['outcomes', 'ageing', 'rules']
    eventType: NotRequired[EventType]
    only: NotRequired[Literal['late', 'unconfirmed']]
    count: int
    points: float
    outcomes: List[ScoreMovePartOutcome]



class ScoreMovePartOutcome(TypedDict):
    eventId: Optional[str]
    at: Optional[str]
    confirmedBy: Optional[str]
    points: float


ExplainScoreMoveQuery = TypedDict('ExplainScoreMoveQuery', {
    'from': "NotRequired[str]",
    'to': "NotRequired[str]",
})


class ScoreSuggestions(TypedDict):
    userId: str
    asOf: str
    current: ScoreSuggestionsCurrent
    next: Optional[ScoreSuggestionsNext]
    suggestions: List[ScoreSuggestionsSuggestion]



class ScoreSuggestionsCurrent(TypedDict):
    finalScore: float
    scoreBand: ScoreBand



class ScoreSuggestionsNext(TypedDict):
    scoreBand: ScoreBand
    scoreMin: float



class ScoreSuggestionsSuggestion(TypedDict):
    kind: Literal['outcomes', 'confirm', 'dispute', 'wait']
    count: int
    eventType: NotRequired[EventType]
    isVerified: NotRequired[bool]
    finalScore: float
    scoreBand: ScoreBand
    delta: float



class ScoreChange(TypedDict):
    userId: str
    previous: ScoreChangePrevious
    current: ScoreChangePrevious
    delta: float
    reason: Optional[str]
    factors: List[ScoreChangeFactor]
    topDriver: Optional[ScoreChangeTopDriver]
    events: List[str]



class ScoreChangePrevious(TypedDict):
    score: float
    band: ScoreBand
    computedAt: str



class ScoreChangeFactor(TypedDict):
    factor: Factor
    before: float
    after: float
    delta: float



class ScoreChangeTopDriver(TypedDict):
    factor: Factor
    delta: float



class Scores(TypedDict):
    scores: List[ScoresScore]



class ScoresScore(TypedDict):
    userId: str
    found: bool
    finalScore: Optional[float]
    scoreBand: Optional[ScoreBand]
    confidence: Optional[float]
    frozen: Optional[bool]
    computedAt: Optional[str]
    erased: NotRequired[Literal[True]]



class ScoresRequest(TypedDict):
    userIds: List[str]



class BookPage(TypedDict):
    users: List[BookRow]
    nextCursor: Optional[str]



class BookRow(TypedDict):
    externalId: str
    displayName: Optional[str]
    finalScore: Optional[float]
    scoreBand: Optional[ScoreBand]
    confidence: Optional[float]
    verificationDepth: Optional[float]
    eventCount: int
    verifiedEventCount: int
    lastActivityAt: Optional[str]
    subjectType: SubjectType
    scoreFrozen: bool
    registeredAt: str



class ListUsersQuery(TypedDict):
    q: NotRequired[str]
    scoreMin: NotRequired[float]
    scoreMax: NotRequired[float]
    band: NotRequired[ScoreBand]
    hasScore: NotRequired[bool]
    scoreFrozen: NotRequired[bool]
    subjectType: NotRequired[SubjectType]
    activeSince: NotRequired[str]
    registeredSince: NotRequired[str]
    registeredBefore: NotRequired[str]
    hasVerifiedEvents: NotRequired[bool]
    minVerifiedEvents: NotRequired[int]
    sort: NotRequired[Literal['score', 'lastActivity', 'registered', 'externalId']]
    order: NotRequired[Literal['asc', 'desc']]
    format: NotRequired[Literal['json', 'csv']]
    cursor: NotRequired[str]
    limit: NotRequired[int]



class BookSummary(TypedDict):
    matched: int
    scored: int
    bands: Optional[BookSummaryBands]
    histogram: Optional[List[int]]
    histogramAsOf: Optional[str]
    central: BookSummaryCentral
    aggregationSkipped: Optional[Literal['population_too_large']]


BookSummaryBands = TypedDict('BookSummaryBands', {
    'Excellent': "int",
    'Good': "int",
    'Fair': "int",
    'Building': "int",
    'Unproven': "int",
    'High Risk': "int",
})


class BookSummaryCentral(TypedDict):
    median: Optional[float]
    mean: Optional[float]



class SummarizeUsersQuery(TypedDict):
    q: NotRequired[str]
    scoreMin: NotRequired[float]
    scoreMax: NotRequired[float]
    band: NotRequired[ScoreBand]
    hasScore: NotRequired[bool]
    scoreFrozen: NotRequired[bool]
    subjectType: NotRequired[SubjectType]
    activeSince: NotRequired[str]
    registeredSince: NotRequired[str]
    registeredBefore: NotRequired[str]
    hasVerifiedEvents: NotRequired[bool]
    minVerifiedEvents: NotRequired[int]
    sort: NotRequired[Any]
    order: NotRequired[Any]
    format: NotRequired[Any]
    cursor: NotRequired[Any]
    limit: NotRequired[Any]



class FrozenScores(TypedDict):
    frozenScores: List[FrozenScoresFrozenScore]
    truncated: bool



class FrozenScoresFrozenScore(TypedDict):
    platformId: str
    platformName: str
    userId: str
    frozenAt: str
    finalScore: float
    scoreBand: ScoreBand
    totalEvents: int



class VelocityResolved(TypedDict):
    userId: str
    subjectId: str
    platformId: str
    cleared: bool
    frozenSince: Optional[str]



class AdminResolveVelocityFlagQuery(TypedDict):
    platformId: NotRequired[str]



class User(TypedDict):
    userId: str
    displayName: Optional[str]
    subjectType: SubjectType
    registeredAt: str



class UserChanges(TypedDict):
    displayName: NotRequired[Optional[str]]



class AgentRegistered(TypedDict):
    userId: str
    subjectType: Literal['AGENT']
    name: Optional[str]
    description: Optional[str]
    platformIsOperator: bool
    operator: AgentRegisteredOperator
    createdAt: str
    updatedAt: str
    declarationChangedAt: Optional[str]



class AgentRegisteredOperator(TypedDict):
    name: Optional[str]
    homepage: Optional[str]
    did: Optional[str]



class AgentDeclaration(TypedDict):
    userId: str
    name: NotRequired[Optional[str]]
    description: NotRequired[Optional[str]]
    platformIsOperator: NotRequired[Optional[bool]]
    operator: NotRequired[Optional[AgentDeclarationOperator]]



class AgentDeclarationOperator(TypedDict):
    name: NotRequired[Optional[str]]
    homepage: NotRequired[Optional[str]]
    did: NotRequired[Optional[str]]



class Agent(TypedDict):
    userId: str
    subjectType: Literal['AGENT']
    name: Optional[str]
    description: Optional[str]
    platformIsOperator: bool
    operator: AgentRegisteredOperator
    createdAt: str
    updatedAt: str
    declarationChangedAt: Optional[str]
    score: Optional[AgentScore]
    deliveryRecord: AgentDeliveryRecord



class AgentScore(TypedDict):
    finalScore: float
    scoreBand: ScoreBand
    confidence: float
    confidenceLabel: str
    totalEvents: int
    verifiedEvents: int
    frozen: bool
    formulaVersion: str
    computedAt: str



class AgentDeliveryRecord(TypedDict):
    deliveriesRecorded: int
    confirmedDeliveries: int
    operatorVouched: int
    selfAttested: int
    failures: int
    disputes: int
    onTimeRate: Optional[float]
    declarationChangedAt: Optional[str]



class BusinessRegistered(TypedDict):
    userId: str
    subjectType: Literal['ORGANIZATION']
    business: BusinessRegisteredBusiness
    platformIsController: bool
    createdAt: str
    updatedAt: str
    declarationChangedAt: Optional[str]



class BusinessRegisteredBusiness(TypedDict):
    legalName: Optional[str]
    tradingName: Optional[str]
    homepage: Optional[str]
    did: Optional[str]



class BusinessDeclaration(TypedDict):
    userId: str
    business: NotRequired[Optional[BusinessDeclarationBusiness]]
    platformIsController: NotRequired[Optional[bool]]



class BusinessDeclarationBusiness(TypedDict):
    legalName: NotRequired[Optional[str]]
    tradingName: NotRequired[Optional[str]]
    homepage: NotRequired[Optional[str]]
    did: NotRequired[Optional[str]]



class Business(TypedDict):
    userId: str
    subjectType: Literal['ORGANIZATION']
    business: BusinessRegisteredBusiness
    platformIsController: bool
    createdAt: str
    updatedAt: str
    declarationChangedAt: Optional[str]
    score: Optional[AgentScore]



class BusinessRecord(TypedDict):
    userId: str
    outcomesRecorded: int
    confirmedOutcomes: int
    selfAttested: int
    failures: int
    disputes: int
    onTimeRate: Optional[float]
    verificationDepth: Optional[float]
    distinctConfirmingCounterparties: int
    declarationChangedAt: Optional[str]
    asOf: str



class LinkToken(TypedDict):
    linkToken: str
    expiresAt: str



class Linked(TypedDict):
    linked: Literal[True]
    platforms: int



class LinkRequest(TypedDict):
    linkToken: str



class Unlinked(TypedDict):
    unlinked: Literal[True]


CareerResume = TypedDict('CareerResume', {
    '$schema': "str",
    'basics': "CareerResumeBasics",
    'work': "List[CareerResumeWorkItem]",
    'education': "List[CareerResumeEducationItem]",
    'certificates': "List[CareerResumeCertificate]",
    'skills': "List[CareerResumeSkill]",
    'projects': "List[CareerResumeProject]",
    'meta': "CareerResumeMeta",
})


class CareerResumeBasics(TypedDict):
    name: str
    location: CareerResumeBasicsLocation
    profiles: List[CareerResumeBasicsProfile]



class CareerResumeBasicsLocation(TypedDict):
    pass



class CareerResumeBasicsProfile(TypedDict):
    network: str
    url: str


CareerResumeWorkItem = TypedDict('CareerResumeWorkItem', {
    'name': "NotRequired[str]",
    'position': "str",
    'startDate': "NotRequired[str]",
    'endDate': "NotRequired[str]",
    'summary': "NotRequired[str]",
    'url': "NotRequired[str]",
    'x-verification': "CareerResumeWorkItemXVerification",
})


class CareerResumeWorkItemXVerification(TypedDict):
    verified: bool
    confirmedThrough: Optional[Literal['reference', 'platform']]
    expiresAt: Optional[str]
    expired: bool
    recordedAt: str


CareerResumeEducationItem = TypedDict('CareerResumeEducationItem', {
    'institution': "NotRequired[str]",
    'area': "str",
    'startDate': "NotRequired[str]",
    'endDate': "NotRequired[str]",
    'x-description': "NotRequired[str]",
    'url': "NotRequired[str]",
    'x-verification': "CareerResumeWorkItemXVerification",
})

CareerResumeCertificate = TypedDict('CareerResumeCertificate', {
    'name': "str",
    'date': "NotRequired[str]",
    'issuer': "NotRequired[str]",
    'x-description': "NotRequired[str]",
    'url': "NotRequired[str]",
    'x-verification': "CareerResumeWorkItemXVerification",
})

CareerResumeSkill = TypedDict('CareerResumeSkill', {
    'name': "str",
    'x-issuer': "NotRequired[str]",
    'x-description': "NotRequired[str]",
    'url': "NotRequired[str]",
    'x-verification': "CareerResumeWorkItemXVerification",
})


class CareerResumeProject(TypedDict):
    name: str
    description: NotRequired[str]
    url: NotRequired[str]
    startDate: NotRequired[str]
    endDate: NotRequired[str]


CareerResumeMeta = TypedDict('CareerResumeMeta', {
    'version': "str",
    'lastModified': "NotRequired[str]",
    'x-reliability': "CareerResumeMetaXReliability",
})


class CareerResumeMetaXReliability(TypedDict):
    userId: str
    issuer: str
    verifyUrl: Optional[str]
    complete: bool
    score: Optional[CareerResumeMetaXReliabilityScore]
    disclosures: List[str]



class CareerResumeMetaXReliabilityScore(TypedDict):
    finalScore: float
    scoreBand: ScoreBand
    confidence: float
    totalEvents: int
    verifiedEvents: int
    frozen: bool
    formulaVersion: str
    computedAt: str



class ExportCareerQuery(TypedDict):
    format: NotRequired[Literal['jsonresume', 'jsonld']]



class CareerImported(TypedDict):
    userId: str
    file: CareerImportedFile
    verified: bool
    signer: Literal['own', 'known', 'stated', 'none']
    origin: Optional[str]
    steps: List[CareerImportedStep]
    score: Optional[CareerImportedScore]
    outcomes: CareerImportedOutcomes
    qualifications: CareerImportedQualifications



class CareerImportedFile(TypedDict):
    generatedAt: str
    service: str
    platform: CareerImportedFilePlatform
    userId: str



class CareerImportedFilePlatform(TypedDict):
    id: str
    name: str



class CareerImportedStep(TypedDict):
    name: str
    ok: Optional[bool]
    code: str
    text: str



class CareerImportedScore(TypedDict):
    finalScore: float
    scoreBand: str
    confidence: float
    formulaVersion: str
    asOf: str



class CareerImportedOutcomes(TypedDict):
    stated: int
    proven: int



class CareerImportedQualifications(TypedDict):
    written: int
    known: int
    refused: List[CareerImportedQualificationsRefusedItem]



class CareerImportedQualificationsRefusedItem(TypedDict):
    index: int
    reason: str



class QualificationPage(TypedDict):
    qualifications: List[Qualification]
    nextCursor: Optional[str]



class Qualification(TypedDict):
    id: str
    kind: ReferenceKind
    eventType: Literal['EDUCATION_VERIFIED', 'SKILL_VERIFIED', 'CERTIFICATION_VERIFIED', 'EMPLOYMENT_VERIFIED']
    title: str
    issuer: Optional[str]
    startDate: Optional[str]
    endDate: Optional[str]
    issuedAt: Optional[str]
    expiresAt: Optional[str]
    url: Optional[str]
    verifiedBy: Optional[str]
    userId: str
    description: Optional[str]
    isVerified: bool
    referenceId: Optional[str]
    createdAt: str



class QualificationRecorded(TypedDict):
    id: str
    kind: ReferenceKind
    eventType: Literal['EDUCATION_VERIFIED', 'SKILL_VERIFIED', 'CERTIFICATION_VERIFIED', 'EMPLOYMENT_VERIFIED']
    title: str
    issuer: Optional[str]
    startDate: Optional[str]
    endDate: Optional[str]
    issuedAt: Optional[str]
    expiresAt: Optional[str]
    url: Optional[str]
    verifiedBy: Optional[str]
    userId: str
    description: Optional[str]
    isVerified: bool
    referenceId: Optional[str]
    createdAt: str
    warnings: List[EventRecordedWarning]



class NewQualification(TypedDict):
    eventType: Literal['EDUCATION_VERIFIED', 'SKILL_VERIFIED', 'CERTIFICATION_VERIFIED', 'EMPLOYMENT_VERIFIED']
    title: str
    issuer: NotRequired[Optional[str]]
    issuedAt: NotRequired[Optional[str]]
    expiresAt: NotRequired[Optional[str]]
    url: NotRequired[Optional[str]]
    isVerified: NotRequired[Optional[bool]]
    verifiedBy: NotRequired[Optional[str]]



class ProjectPage(TypedDict):
    projects: List[Project]
    nextCursor: Optional[str]



class Project(TypedDict):
    id: str
    userId: str
    title: str
    url: str
    description: Optional[str]
    startedAt: Optional[str]
    completedAt: Optional[str]
    createdAt: str



class NewProject(TypedDict):
    title: str
    url: str
    description: NotRequired[Optional[str]]
    startedAt: NotRequired[Optional[str]]
    completedAt: NotRequired[Optional[str]]



class VerifiedProfile(TypedDict):
    userId: str
    verifiedProfileVersion: str
    asOf: str
    total: VerifiedProfileTotal
    kinds: VerifiedProfileKinds
    qualifications: List[VerifiedProfileQualification]
    truncated: bool
    projects: int
    disclosures: List[str]



class VerifiedProfileTotal(TypedDict):
    verified: int
    expired: int
    selfReported: int



class VerifiedProfileKinds(TypedDict):
    employment: VerifiedProfileTotal
    education: VerifiedProfileTotal
    certification: VerifiedProfileTotal
    skill: VerifiedProfileTotal



class VerifiedProfileQualification(TypedDict):
    id: str
    kind: ReferenceKind
    eventType: Literal['EDUCATION_VERIFIED', 'SKILL_VERIFIED', 'CERTIFICATION_VERIFIED', 'EMPLOYMENT_VERIFIED']
    title: str
    issuer: Optional[str]
    startDate: Optional[str]
    endDate: Optional[str]
    issuedAt: Optional[str]
    expiresAt: Optional[str]
    url: Optional[str]
    verifiedBy: Optional[str]
    status: QualificationStatus
    recordedAt: str



class Erasure(TypedDict):
    userId: str
    erased: Literal[True]
    at: str



class TrustSummary(TypedDict):
    userId: str
    finalScore: float
    scoreBand: ScoreBand
    confidence: float
    summary: str
    trend: Optional[TrustSummaryTrend]
    strengths: List[TrustSummaryStrength]
    risks: List[TrustSummaryStrength]
    narrative: Optional[TrustSummaryNarrative]



class TrustSummaryTrend(TypedDict):
    day: str
    finalScore: float
    change: float
    text: str



class TrustSummaryStrength(TypedDict):
    code: str
    text: str



class TrustSummaryNarrative(TypedDict):
    text: str
    model: str
    advisory: Literal[True]



class ReadTrustSummaryQuery(TypedDict):
    narrative: NotRequired[Literal['0', '1']]



class DispatchRead(TypedDict):
    userId: str
    finalScore: Optional[float]
    scoreBand: Optional[ScoreBand]
    confidence: Optional[float]
    frozen: bool
    verifiedEvents: Optional[int]
    totalEvents: Optional[int]
    noShowRate: Optional[float]
    onTime: Optional[float]
    daysSinceLastEvent: Optional[int]
    topDrivers: List[DispatchReadTopDriver]



class DispatchReadTopDriver(TypedDict):
    factor: Factor
    contribution: float



class ReadReliabilityQuery(TypedDict):
    context: NotRequired[Literal['dispatch']]



class Timeline(TypedDict):
    items: List[TimelineItem]
    nextCursor: Optional[str]



class TimelineItem(TypedDict):
    kind: Literal['event', 'score']
    at: str
    event: NotRequired[EventRecord]
    score: NotRequired[ScoreHistoryHistoryItem]



class ContributingPlatforms(TypedDict):
    platforms: List[ContributingPlatformsPlatform]
    erasedEvents: int
    blendedMultiplier: Optional[float]



class ContributingPlatformsPlatform(TypedDict):
    self: bool
    name: Optional[str]
    trustTier: PlatformTier
    trustMultiplier: float
    eventCount: int
    verifiedEventCount: int
    firstEventAt: Optional[str]
    lastEventAt: Optional[str]



class ScoreProjection(TypedDict):
    userId: str
    baseline: Literal['record', 'blank']
    frozen: bool
    current: ScoreProjectionCurrent
    projected: ScoreProjectionCurrent
    delta: ScoreProjectionDelta



class ScoreProjectionCurrent(TypedDict):
    score: float
    band: ScoreBand



class ScoreProjectionDelta(TypedDict):
    score: float
    band: Optional[ScoreProjectionDeltaBand]


ScoreProjectionDeltaBand = TypedDict('ScoreProjectionDeltaBand', {
    'from': "ScoreBand",
    'to': "ScoreBand",
})


class ProjectionRequest(TypedDict):
    events: List[ProjectionRequestEvent]



class ProjectionRequestEvent(TypedDict):
    eventType: EventType
    isVerified: NotRequired[Optional[bool]]
    stakeLevel: NotRequired[Optional[StakeLevel]]
    platformTier: NotRequired[Optional[PlatformTier]]
    dueDate: NotRequired[Optional[str]]
    completedAt: NotRequired[Optional[str]]
    verifiedBy: NotRequired[Optional[str]]



class DisputeProjection(TypedDict):
    disputeId: str
    userId: str
    ends: List[DisputeProjectionEnd]



class DisputeProjectionEnd(TypedDict):
    by: Literal['resolution', 'lapse']
    outcome: DisputeOutcome
    baseline: Literal['record', 'blank']
    frozen: bool
    current: ScoreProjectionCurrent
    projected: ScoreProjectionCurrent
    delta: ScoreProjectionDelta



class DocumentAnalysis(TypedDict):
    claims: List[DocumentAnalysisClaim]
    projection: DocumentAnalysisProjection
    witnessGuide: DocumentAnalysisWitnessGuide



class DocumentAnalysisClaim(TypedDict):
    index: int
    witness: DocumentAnalysisClaimWitness
    verifiedAsSubmitted: bool
    advice: str



class DocumentAnalysisClaimWitness(TypedDict):
    who: str
    witnessType: WitnessType
    hint: str



class DocumentAnalysisProjection(TypedDict):
    asSubmitted: DocumentAnalysisProjectionAsSubmitted
    ifConfirmed: DocumentAnalysisProjectionAsSubmitted



class DocumentAnalysisProjectionAsSubmitted(TypedDict):
    baseline: Literal['record', 'blank']
    frozen: bool
    current: ScoreProjectionCurrent
    projected: ScoreProjectionCurrent
    delta: ScoreProjectionDelta



class DocumentAnalysisWitnessGuide(TypedDict):
    note: str
    witnessTypes: List[DocumentAnalysisWitnessGuideWitnessType]
    steps: List[str]



class DocumentAnalysisWitnessGuideWitnessType(TypedDict):
    value: str
    label: str
    description: str



class DocumentClaims(TypedDict):
    claims: List[DocumentClaimsClaim]



class DocumentClaimsClaim(TypedDict):
    title: str
    eventType: EventType
    stakeLevel: NotRequired[Optional[StakeLevel]]
    issuedBy: NotRequired[Optional[str]]
    counterpartyRef: NotRequired[Optional[str]]
    completedAt: NotRequired[Optional[str]]
    dueDate: NotRequired[Optional[str]]
    isVerified: NotRequired[Optional[bool]]



class Risk(TypedDict):
    userId: str
    level: RiskLevel
    advisory: Literal[True]
    signals: List[RiskSignal]
    registeredAt: str
    tenureDays: int
    concentration: Optional[Concentration]



class RiskSignal(TypedDict):
    code: RiskSignalValue
    severity: Literal['low', 'elevated', 'high']
    title: str
    description: str
    evidence: Dict[str, Optional[Union[float, str]]]



class Concentration(TypedDict):
    verifiedOutcomes: int
    onPlatformWord: int
    distinctAttesters: int
    largestAttesterOutcomes: int
    largestAttesterIsPlatform: bool
    largestAttesterShare: Optional[float]
    herfindahlIndex: Optional[float]
    cappedScore: float
    cappedScoreBand: ScoreBand



class Benchmark(TypedDict):
    userId: str
    benchmarksVersion: str
    dimensions: List[BenchmarkDimension]
    disclosures: List[str]



class BenchmarkDimension(TypedDict):
    dimension: BenchmarkDimensionValue
    available: bool
    reason: Optional[Literal['insufficient_data', 'no_score']]
    cohort: Optional[BenchmarkDimensionCohort]
    percentile: Optional[int]
    statistics: Optional[BenchmarkDimensionStatistics]
    asOf: Optional[str]



class BenchmarkDimensionCohort(TypedDict):
    key: str
    label: str
    size: Optional[int]



class BenchmarkDimensionStatistics(TypedDict):
    p25: int
    median: int
    p75: int
    mean: int



class ReadBenchmarkQuery(TypedDict):
    dimension: NotRequired[BenchmarkDimensionValue]



class BenchmarkCatalogue(TypedDict):
    benchmarksVersion: str
    dimensions: List[BenchmarkCatalogueDimension]
    statistics: List[BenchmarkCatalogueStatistic]
    kAnonymity: BenchmarkCatalogueKAnonymity
    disclosures: List[str]



class BenchmarkCatalogueDimension(TypedDict):
    key: BenchmarkDimensionValue
    description: str
    cohorts: List[BenchmarkCatalogueDimensionCohort]



class BenchmarkCatalogueDimensionCohort(TypedDict):
    key: str
    label: str



class BenchmarkCatalogueStatistic(TypedDict):
    key: str
    description: str



class BenchmarkCatalogueKAnonymity(TypedDict):
    minimumCohortSize: int
    description: str



class EventAnalytics(TypedDict):
    by: Literal['outcome', 'recorded']
    window: EventAnalyticsWindow
    total: int
    verified: int
    byType: EventAnalyticsByType
    byStake: EventAnalyticsByStake
    daily: List[EventAnalyticsDailyItem]


EventAnalyticsWindow = TypedDict('EventAnalyticsWindow', {
    'from': "str",
    'to': "str",
    'days': "int",
    'clamped': "bool",
})


class EventAnalyticsByType(TypedDict):
    TRANSACTION_COMPLETED: int
    TRANSACTION_DISPUTED: int
    TRANSACTION_CANCELLED: int
    REVIEW_VERIFIED: int
    CONTRACT_FULFILLED: int
    CONTRACT_CANCELLED: int
    CONTRACT_BREACHED: int
    DISPUTE_FILED: int
    DISPUTE_RESOLVED_FOR_USER: int
    DISPUTE_RESOLVED_AGAINST_USER: int
    EDUCATION_VERIFIED: int
    SKILL_VERIFIED: int
    CERTIFICATION_VERIFIED: int
    EMPLOYMENT_VERIFIED: int
    PROJECT_LOGGED: int



class EventAnalyticsByStake(TypedDict):
    HIGH: int
    MEDIUM: int
    LOW: int



class EventAnalyticsDailyItem(TypedDict):
    date: str
    total: int
    verified: int


ReadEventAnalyticsQuery = TypedDict('ReadEventAnalyticsQuery', {
    'by': "NotRequired[Literal['outcome', 'recorded']]",
    'days': "NotRequired[int]",
    'from': "NotRequired[str]",
    'to': "NotRequired[str]",
})


class ScoreAnalytics(TypedDict):
    by: Literal['outcome', 'recorded']
    window: EventAnalyticsWindow
    subjects: int
    scored: int
    bands: Optional[BookSummaryBands]
    bandsLastCounted: Optional[ScoreAnalyticsBandsLastCounted]
    central: BookSummaryCentral
    aggregationSkipped: Optional[Literal['population_too_large']]
    bandNet: ScoreAnalyticsBandNet
    daily: List[ScoreAnalyticsDailyItem]



class ScoreAnalyticsBandsLastCounted(TypedDict):
    at: str
    bands: BookSummaryBands


ScoreAnalyticsBandNet = TypedDict('ScoreAnalyticsBandNet', {
    'Excellent': "int",
    'Good': "int",
    'Fair': "int",
    'Building': "int",
    'Unproven': "int",
    'High Risk': "int",
})


class ScoreAnalyticsDailyItem(TypedDict):
    date: str
    meanScore: Optional[float]
    bandChanges: int
    recomputes: int



class Movers(TypedDict):
    by: Literal['outcome', 'recorded']
    window: EventAnalyticsWindow
    since: str
    truncated: bool
    up: List[MoversUpItem]
    down: List[MoversUpItem]


MoversUpItem = TypedDict('MoversUpItem', {
    'userId': "str",
    'from': "float",
    'to': "float",
    'delta': "float",
    'scoreBand': "ScoreBand",
})


class ReadMoversQuery(TypedDict):
    by: NotRequired[Literal['outcome', 'recorded']]
    days: NotRequired[int]
    limit: NotRequired[int]



class Backtests(TypedDict):
    backtests: List[BacktestsBacktest]


BacktestsBacktest = TypedDict('BacktestsBacktest', {
    'id': "str",
    'status': "ImportStatus",
    'by': "Literal['outcome', 'recorded']",
    'everyDays': "int",
    'horizonDays': "int",
    'from': "Optional[str]",
    'to': "Optional[str]",
    'progress': "int",
    'error': "Optional[str]",
    'createdAt': "str",
    'completedAt': "Optional[str]",
})


class BacktestCreated(TypedDict):
    backtest: BacktestCreatedBacktest


BacktestCreatedBacktest = TypedDict('BacktestCreatedBacktest', {
    'id': "str",
    'status': "ImportStatus",
    'by': "Literal['outcome', 'recorded']",
    'everyDays': "int",
    'horizonDays': "int",
    'from': "Optional[str]",
    'to': "Optional[str]",
    'progress': "int",
    'error': "Optional[str]",
    'createdAt': "str",
    'completedAt': "Optional[str]",
    'report': "Optional[BacktestReport]",
})


class BacktestReport(TypedDict):
    formulaVersion: str
    by: Literal['outcome', 'recorded']
    asOf: List[str]
    everyDays: int
    horizonDays: int
    pairs: int
    subjects: int
    unscoredPairs: int
    baseRate: Optional[float]
    discrimination: BacktestReportDiscrimination
    calibration: BacktestReportCalibration
    bands: List[BacktestReportBand]
    bandsMonotone: Optional[bool]
    groups: BacktestReportGroups
    caveats: List[str]



class BacktestReportDiscrimination(TypedDict):
    auc: Optional[float]
    ci95: Optional[List[float]]
    rivals: BacktestReportDiscriminationRivals



class BacktestReportDiscriminationRivals(TypedDict):
    completionRate: Optional[float]
    betaRate: Optional[float]
    behavioralQuality: Optional[float]
    lastOutcome: Optional[float]



class BacktestReportCalibration(TypedDict):
    brier: Optional[float]
    brierOfBaseRate: Optional[float]
    skill: Optional[float]
    curve: List[BacktestReportCalibrationCurveItem]


BacktestReportCalibrationCurveItem = TypedDict('BacktestReportCalibrationCurveItem', {
    'from': "float",
    'to': "float",
    'predicted': "Optional[float]",
    'n': "int",
    'kept': "Optional[float]",
    'ci95': "Optional[List[float]]",
})


class BacktestReportBand(TypedDict):
    band: ScoreBand
    n: int
    kept: Optional[float]
    ci95: Optional[List[float]]



class BacktestReportGroups(TypedDict):
    tenure: List[BacktestReportGroupsTenureItem]
    tier: List[BacktestReportGroupsTierItem]
    subjectType: List[BacktestReportGroupsSubjectTypeItem]
    confidence: List[BacktestReportGroupsConfidenceItem]



class BacktestReportGroupsTenureItem(TypedDict):
    group: Literal['0-29', '30-89', '90-364', '365+']
    n: int
    kept: Optional[float]
    ci95: Optional[List[float]]
    auc: Optional[float]



class BacktestReportGroupsTierItem(TypedDict):
    group: PlatformTier
    n: int
    kept: Optional[float]
    ci95: Optional[List[float]]
    auc: Optional[float]



class BacktestReportGroupsSubjectTypeItem(TypedDict):
    group: SubjectType
    n: int
    kept: Optional[float]
    ci95: Optional[List[float]]
    auc: Optional[float]



class BacktestReportGroupsConfidenceItem(TypedDict):
    group: ConfidenceLabel
    n: int
    kept: Optional[float]
    ci95: Optional[List[float]]
    auc: Optional[float]


NewBacktest = TypedDict('NewBacktest', {
    'horizonDays': "NotRequired[int]",
    'everyDays': "NotRequired[int]",
    'from': "NotRequired[str]",
    'to': "NotRequired[str]",
    'by': "NotRequired[Literal['outcome', 'recorded']]",
})


class Backtest(TypedDict):
    backtest: BacktestCreatedBacktest



class ReadBacktestQuery(TypedDict):
    format: NotRequired[Literal['json', 'html']]



class ScreeningPage(TypedDict):
    screenings: List[Screening]
    nextCursor: Optional[str]



class Screening(TypedDict):
    id: str
    status: ImportStatus
    label: Optional[str]
    total: int
    foundCount: int
    error: Optional[str]
    createdAt: str
    completedAt: Optional[str]



class NewScreening(TypedDict):
    userIds: List[str]
    label: NotRequired[Optional[str]]



class ScreeningResults(TypedDict):
    results: List[ScreeningResultsResult]
    nextCursor: Optional[str]



class ScreeningResultsResult(TypedDict):
    userId: str
    found: bool
    finalScore: Optional[float]
    scoreBand: Optional[ScoreBand]
    confidence: Optional[float]
    verifiedEvents: Optional[int]
    computedAt: Optional[str]
    frozen: Optional[bool]



class ListScreeningResultsQuery(TypedDict):
    format: NotRequired[Literal['json', 'csv']]
    cursor: NotRequired[str]
    limit: NotRequired[int]



class DisputePage(TypedDict):
    disputes: List[Dispute]
    nextCursor: Optional[str]



class Dispute(TypedDict):
    id: str
    eventId: str
    userId: str
    status: DisputeStatus
    outcome: Optional[DisputeOutcome]
    lapsed: bool
    openedAt: str
    respondBy: str
    overdue: bool
    resolvedAt: Optional[str]
    outcomeEventId: Optional[str]
    reason: Optional[str]
    event: EventRecord



class ListDisputesQuery(TypedDict):
    status: NotRequired[DisputeStatus]
    userId: NotRequired[str]
    eventId: NotRequired[str]
    sort: NotRequired[Literal['newest', 'deadline']]
    limit: NotRequired[int]
    cursor: NotRequired[str]



class NewDispute(TypedDict):
    eventId: str
    reason: NotRequired[Optional[str]]



class ReviewPage(TypedDict):
    reviews: List[Review]
    nextCursor: Optional[str]



class Review(TypedDict):
    id: str
    userId: str
    eventId: Optional[str]
    status: ReviewStatus
    text: Optional[str]
    outcome: Optional[ReviewOutcome]
    answer: Optional[str]
    reviewer: Optional[str]
    openedAt: str
    respondBy: str
    overdue: bool
    answeredAt: Optional[str]



class ListReviewsQuery(TypedDict):
    status: NotRequired[ReviewStatus]
    userId: NotRequired[str]
    eventId: NotRequired[str]
    sort: NotRequired[Literal['newest', 'deadline']]
    limit: NotRequired[int]
    cursor: NotRequired[str]



class ReviewAnswer(TypedDict):
    outcome: ReviewOutcome
    text: str
    reviewer: str



class ConfirmationPage(TypedDict):
    confirmations: List[Confirmation]
    nextCursor: Optional[str]



class Confirmation(TypedDict):
    id: str
    status: ConfirmationRequestStatus
    userId: str
    eventType: Literal['TRANSACTION_COMPLETED', 'TRANSACTION_DISPUTED', 'TRANSACTION_CANCELLED', 'REVIEW_VERIFIED', 'CONTRACT_FULFILLED', 'CONTRACT_CANCELLED', 'CONTRACT_BREACHED']
    stakeLevel: StakeLevel
    transactionValue: Optional[float]
    dueDate: Optional[str]
    completedAt: Optional[str]
    counterpartyRef: str
    counterpartyName: Optional[str]
    description: str
    subjectName: NotRequired[str]
    returnUrl: Optional[str]
    campaignId: Optional[str]
    eventId: Optional[str]
    createdAt: str
    expiresAt: str
    respondedAt: Optional[str]
    answer: Optional[ConfirmationAnswerData]



class ConfirmationAnswerData(TypedDict):
    channel: AnswerChannel
    answeredAt: str
    answeredByAsker: bool
    network: Optional[str]
    browserFamily: Optional[BrowserFamily]



class ListConfirmationsQuery(TypedDict):
    status: NotRequired[ConfirmationRequestStatus]
    userId: NotRequired[str]
    eventType: NotRequired[Literal['TRANSACTION_COMPLETED', 'TRANSACTION_DISPUTED', 'TRANSACTION_CANCELLED', 'REVIEW_VERIFIED', 'CONTRACT_FULFILLED', 'CONTRACT_CANCELLED', 'CONTRACT_BREACHED']]
    campaignId: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]



class ConfirmationCreated(TypedDict):
    confirmation: Confirmation
    confirmationToken: str
    confirmUrl: str
    previewUrl: str
    respondUrl: str



class ConfirmationRequest(TypedDict):
    userId: str
    eventType: Literal['TRANSACTION_COMPLETED', 'TRANSACTION_DISPUTED', 'TRANSACTION_CANCELLED', 'REVIEW_VERIFIED', 'CONTRACT_FULFILLED', 'CONTRACT_CANCELLED', 'CONTRACT_BREACHED']
    stakeLevel: NotRequired[Optional[StakeLevel]]
    transactionValue: NotRequired[Optional[float]]
    dueDate: NotRequired[Optional[str]]
    completedAt: NotRequired[Optional[str]]
    metadata: NotRequired[Optional[Dict[str, Any]]]
    description: str
    subjectName: NotRequired[Optional[str]]
    counterpartyRef: str
    counterpartyName: NotRequired[Optional[str]]
    returnUrl: NotRequired[Optional[str]]
    expiresInHours: NotRequired[Optional[float]]



class ConfirmationBatchCreated(TypedDict):
    results: List[ConfirmationBatchCreatedResult]
    createdCount: int
    skippedCount: int
    failedCount: int



class ConfirmationBatchCreatedResult(TypedDict):
    index: int
    status: Literal['created', 'skipped', 'failed']
    confirmation: NotRequired[Confirmation]
    confirmationToken: NotRequired[str]
    confirmUrl: NotRequired[str]
    previewUrl: NotRequired[str]
    respondUrl: NotRequired[str]
    error: NotRequired[EventBatchRecordedResultError]



class ConfirmationBatch(TypedDict):
    confirmations: List[ConfirmationRequest]



class ConfirmationPreview(TypedDict):
    id: str
    status: ConfirmationRequestStatus
    platformName: str
    userId: str
    eventType: Literal['TRANSACTION_COMPLETED', 'TRANSACTION_DISPUTED', 'TRANSACTION_CANCELLED', 'REVIEW_VERIFIED', 'CONTRACT_FULFILLED', 'CONTRACT_CANCELLED', 'CONTRACT_BREACHED']
    description: str
    subjectName: NotRequired[str]
    transactionValue: Optional[float]
    dueDate: Optional[str]
    completedAt: Optional[str]
    expiresAt: str



class PreviewConfirmationQuery(TypedDict):
    token: str



class ConfirmationResponse(TypedDict):
    status: Literal['CONFIRMED', 'DECLINED']
    eventId: NotRequired[str]



class ConfirmationAnswer(TypedDict):
    token: str
    decision: RequestDecision



class RespondToConfirmationQuery(TypedDict):
    token: NotRequired[str]



class CampaignPage(TypedDict):
    campaigns: List[CampaignPageCampaign]
    nextCursor: Optional[str]



class CampaignPageCampaign(TypedDict):
    id: str
    name: str
    createdAt: str
    funnel: CampaignPageCampaignFunnel



class CampaignPageCampaignFunnel(TypedDict):
    submitted: int
    confirmed: int
    declined: int
    expired: int
    cancelled: int
    pending: int



class CampaignStarted(TypedDict):
    campaign: CampaignStartedCampaign
    results: List[CampaignStartedResult]
    duplicates: int



class CampaignStartedCampaign(TypedDict):
    id: str
    name: str



class CampaignStartedResult(TypedDict):
    index: int
    rowKey: Optional[str]
    status: Literal['created', 'duplicate', 'failed']
    confirmationId: NotRequired[str]
    confirmationToken: NotRequired[str]
    confirmUrl: NotRequired[str]
    previewUrl: NotRequired[str]
    respondUrl: NotRequired[str]
    error: NotRequired[EventBatchRecordedResultError]



class NewCampaign(TypedDict):
    name: str
    rows: List[CampaignRow]



class CampaignRow(TypedDict):
    userId: str
    eventType: Literal['TRANSACTION_COMPLETED', 'TRANSACTION_DISPUTED', 'TRANSACTION_CANCELLED', 'REVIEW_VERIFIED', 'CONTRACT_FULFILLED', 'CONTRACT_CANCELLED', 'CONTRACT_BREACHED']
    stakeLevel: NotRequired[Optional[StakeLevel]]
    transactionValue: NotRequired[Optional[float]]
    dueDate: NotRequired[Optional[str]]
    completedAt: NotRequired[Optional[str]]
    metadata: NotRequired[Optional[Dict[str, Any]]]
    description: str
    subjectName: NotRequired[Optional[str]]
    counterpartyRef: str
    counterpartyName: NotRequired[Optional[str]]
    returnUrl: NotRequired[Optional[str]]
    expiresInHours: NotRequired[Optional[float]]
    rowKey: str



class CampaignFunnel(TypedDict):
    campaign: CampaignStartedCampaign
    funnel: CampaignPageCampaignFunnel



class ReferencePage(TypedDict):
    references: List[Reference]
    nextCursor: Optional[str]



class Reference(TypedDict):
    id: str
    status: ConfirmationRequestStatus
    userId: str
    claim: ReferenceClaim
    counterpartyRef: str
    counterpartyName: Optional[str]
    returnUrl: Optional[str]
    qualificationId: Optional[str]
    createdAt: str
    expiresAt: str
    respondedAt: Optional[str]
    answer: Optional[ConfirmationAnswerData]



class ReferenceClaim(TypedDict):
    kind: ReferenceKind
    title: str
    organization: Optional[str]
    startDate: Optional[str]
    endDate: Optional[str]
    description: Optional[str]



class ListReferencesQuery(TypedDict):
    status: NotRequired[ConfirmationRequestStatus]
    userId: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]



class ReferenceCreated(TypedDict):
    reference: Reference
    referenceToken: str
    referenceUrl: str
    previewUrl: str
    respondUrl: str



class NewReference(TypedDict):
    userId: str
    claim: NewReferenceClaim
    counterpartyRef: str
    counterpartyName: NotRequired[Optional[str]]
    returnUrl: NotRequired[Optional[str]]
    expiresInHours: NotRequired[Optional[float]]



class NewReferenceClaim(TypedDict):
    kind: ReferenceKind
    title: str
    organization: NotRequired[Optional[str]]
    startDate: NotRequired[Optional[str]]
    endDate: NotRequired[Optional[str]]
    description: NotRequired[Optional[str]]



class ReferencePreview(TypedDict):
    id: str
    status: ConfirmationRequestStatus
    platformName: str
    userId: str
    claim: ReferenceClaim
    expiresAt: str



class ReferenceAnswered(TypedDict):
    status: Literal['CONFIRMED', 'DECLINED']
    qualificationId: NotRequired[str]



class ReferenceAnswer(TypedDict):
    token: str
    decision: RequestDecision



class ShareToken(TypedDict):
    shareToken: str
    verifyUrl: str
    badgeUrl: str
    includeProfile: bool
    createdAt: str



class ShareTokenRequest(TypedDict):
    includeProfile: NotRequired[bool]



class ShareTokenWithdrawn(TypedDict):
    revoked: Literal[True]
    alreadyRevoked: bool



class RecordLink(TypedDict):
    recordLinkId: str
    url: str
    expiresAt: str



class RecordLinkRequest(TypedDict):
    expiresInHours: NotRequired[int]
    language: NotRequired[Literal['en', 'de']]



class SharedRecord(TypedDict):
    token: str
    finalScore: Optional[float]
    scoreBand: Optional[ScoreBand]
    confidence: Optional[float]
    verifiedPlatforms: Optional[int]
    totalEvents: Optional[int]
    verifiedEvents: Optional[int]
    frozen: bool
    formulaVersion: Optional[str]
    computedAt: Optional[str]
    registeredAt: str
    tenureDays: int
    concentration: Optional[Concentration]
    log: Optional[LogInclusion]
    profile: NotRequired[Optional[SharedRecordProfile]]



class LogInclusion(TypedDict):
    origin: str
    leafIndex: int
    d: str
    proof: List[str]
    checkpoint: str
    since: str



class SharedRecordProfile(TypedDict):
    finalScore: Optional[float]
    scoreBand: Optional[ScoreBand]
    confidence: Optional[float]
    frozen: bool
    verifiedOutcomes: Optional[int]
    verifiedByClass: Optional[SharedRecordProfileVerifiedByClass]
    totalOutcomes: Optional[int]
    verificationDepth: Optional[float]
    verifiedPlatforms: Optional[int]
    tenure: Optional[SharedRecordProfileTenure]
    registeredAt: str
    formulaVersion: Optional[str]
    computedAt: Optional[str]
    professionalRecordVersion: str



class SharedRecordProfileVerifiedByClass(TypedDict):
    positive: int
    breach: int
    contested: int



class SharedRecordProfileTenure(TypedDict):
    firstOutcomeOn: str
    lastOutcomeOn: str
    days: int



class VerifyShareTokenQuery(TypedDict):
    profile: NotRequired[Literal['0', '1']]



class DeliveryReceipts(TypedDict):
    token: str
    subjectType: SubjectType
    record: AgentDeliveryRecord
    asOf: str
    credential: str
    type: str
    expiresAt: str
    verifyUrl: str



class VerifyDeliveryReceiptsQuery(TypedDict):
    ttl: NotRequired[int]
    format: NotRequired[Literal['vc2', 'vc1']]



class SharedBusinessRecord(TypedDict):
    token: str
    subjectType: SubjectType
    record: SharedBusinessRecordRecord
    asOf: str
    credential: str
    type: str
    expiresAt: str
    verifyUrl: str



class SharedBusinessRecordRecord(TypedDict):
    outcomesRecorded: int
    confirmedOutcomes: int
    selfAttested: int
    failures: int
    disputes: int
    onTimeRate: Optional[float]
    verificationDepth: Optional[float]
    distinctConfirmingCounterparties: int
    declarationChangedAt: Optional[str]


DidDocument = TypedDict('DidDocument', {
    '@context': "List[str]",
    'id': "str",
    'verificationMethod': "List[DidDocumentVerificationMethodItem]",
    'assertionMethod': "List[str]",
    'service': "List[DidDocumentServiceItem]",
})


class DidDocumentVerificationMethodItemJsonWebKey(TypedDict):
    id: str
    type: Literal['JsonWebKey']
    controller: str
    publicKeyJwk: DidDocumentVerificationMethodItemJsonWebKeyPublicKeyJwk



class DidDocumentVerificationMethodItemJsonWebKeyPublicKeyJwk(TypedDict):
    kty: Literal['OKP']
    crv: Literal['Ed25519']
    x: str



class DidDocumentVerificationMethodItemMultikey(TypedDict):
    id: str
    type: Literal['Multikey']
    controller: str
    publicKeyMultibase: str


DidDocumentVerificationMethodItem = Union['DidDocumentVerificationMethodItemJsonWebKey', 'DidDocumentVerificationMethodItemMultikey']


class DidDocumentServiceItem(TypedDict):
    id: str
    type: str
    serviceEndpoint: str
    vkey: str



class Earnings(TypedDict):
    userId: str
    window: EarningsWindow
    currency: None
    attested: EarningsAttested
    months: List[EarningsMonth]
    platforms: List[EarningsPlatform]
    stability: EarningsStability
    unverifiedReported: EarningsAttested
    excluded: EarningsAttested
    coverage: EarningsCoverage
    earningsVersion: str
    disclosures: List[str]


EarningsWindow = TypedDict('EarningsWindow', {
    'from': "str",
    'to': "str",
    'months': "int",
})


class EarningsAttested(TypedDict):
    gross: float
    eventCount: int



class EarningsMonth(TypedDict):
    month: str
    attestedGross: float
    eventCount: int
    platforms: List[EarningsMonthPlatform]



class EarningsMonthPlatform(TypedDict):
    platform: int
    self: bool
    attestedGross: float
    eventCount: int



class EarningsPlatform(TypedDict):
    platform: int
    self: bool
    name: Optional[str]
    trustTier: PlatformTier
    attestedGross: float
    eventCount: int



class EarningsStability(TypedDict):
    monthsWithEarnings: int
    medianMonthly: Optional[float]
    meanMonthly: Optional[float]
    coefficientOfVariation: Optional[float]
    longestConsecutiveMonths: int
    trailing12mTotal: float



class EarningsCoverage(TypedDict):
    selfReportedShare: Optional[float]
    verifiedWithoutValue: int


ReadEarningsQuery = TypedDict('ReadEarningsQuery', {
    'months': "NotRequired[int]",
    'from': "NotRequired[str]",
    'to': "NotRequired[str]",
})


class EarningsSummary(TypedDict):
    userId: str
    window: EarningsWindow
    currency: None
    trailing12mVerifiedTotal: float
    medianMonthly: Optional[float]
    verifiedShare: Optional[float]
    volatility: Optional[float]
    earningsVersion: str
    disclosures: List[str]



class EarningsCredential(TypedDict):
    credential: str
    type: Literal['ServiceEarningsCredential']
    expiresAt: str
    shareToken: str
    verifyUrl: str


IssueEarningsCredentialQuery = TypedDict('IssueEarningsCredentialQuery', {
    'ttl': "NotRequired[int]",
    'format': "NotRequired[Literal['vc2', 'vc1']]",
    'months': "NotRequired[int]",
    'from': "NotRequired[str]",
    'to': "NotRequired[str]",
})


class ProfessionalRecord(TypedDict):
    userId: str
    finalScore: Optional[float]
    scoreBand: Optional[ScoreBand]
    confidence: Optional[float]
    frozen: bool
    verifiedOutcomes: Optional[int]
    verifiedByClass: Optional[SharedRecordProfileVerifiedByClass]
    totalOutcomes: Optional[int]
    verificationDepth: Optional[float]
    verifiedPlatforms: Optional[int]
    tenure: Optional[SharedRecordProfileTenure]
    registeredAt: str
    formulaVersion: Optional[str]
    computedAt: Optional[str]
    professionalRecordVersion: str



class ProfessionalRecordCredential(TypedDict):
    credential: str
    type: Literal['ServiceProfessionalRecordCredential']
    expiresAt: str
    shareToken: str
    verifyUrl: str
    linkedin: ProfessionalRecordCredentialLinkedin



class ProfessionalRecordCredentialLinkedin(TypedDict):
    addToProfileUrl: str
    name: str
    organizationName: str
    issueYear: int
    issueMonth: int
    certUrl: str
    certId: str



class ReliabilityReport(TypedDict):
    userId: str
    platformName: str
    generatedAt: str
    finalScore: float
    scoreBand: ScoreBand
    confidence: float
    confidenceLabel: ConfidenceLabel
    behavioralQuality: float
    totalEvents: int
    verifiedEvents: int
    frozen: bool
    formulaVersion: str
    computedAt: str
    summary: str
    startingScore: float
    factors: List[ScoreExplanationFactor]
    supportingFactors: List[ReliabilityReportSupportingFactor]
    adverseActionReasons: List[ReliabilityReportSupportingFactor]
    reasonCodesVersion: str
    restsOn: ReliabilityReportRestsOn
    courseStep: Literal['day', 'week', 'month']
    course: List[ScoreCoursePoint]
    history: List[ReliabilityReportHistoryItem]
    historyThinned: bool
    disclosures: List[str]



class ReliabilityReportSupportingFactor(TypedDict):
    code: str
    title: str
    text: str



class ReliabilityReportRestsOn(TypedDict):
    verifiedOutcomes: Optional[int]
    verifiedByClass: Optional[ReliabilityReportRestsOnVerifiedByClass]
    totalOutcomes: Optional[int]
    verificationDepth: Optional[float]
    verifiedPlatforms: Optional[int]
    tenure: Optional[SharedRecordProfileTenure]
    registeredAt: str



class ReliabilityReportRestsOnVerifiedByClass(TypedDict):
    positive: Optional[int]
    breach: Optional[int]
    contested: Optional[int]



class ReliabilityReportHistoryItem(TypedDict):
    finalScore: float
    scoreBand: ScoreBand
    totalEvents: int
    verifiedEvents: int
    reason: Optional[str]
    computedAt: str



class ReadReliabilityReportQuery(TypedDict):
    format: NotRequired[Literal['json', 'html']]
    lang: NotRequired[Literal['en', 'de']]



class OpenBadge(TypedDict):
    credential: str
    type: Literal['OpenBadgeCredential']
    expiresAt: str
    shareToken: str
    verifyUrl: str



class IssueOpenBadgeQuery(TypedDict):
    ttl: NotRequired[int]


LogConsistency = TypedDict('LogConsistency', {
    'from': "int",
    'to': "int",
    'proof': "List[str]",
})

ReadLogConsistencyQuery = TypedDict('ReadLogConsistencyQuery', {
    'from': "int",
    'to': "int",
})


class LogIdentity(TypedDict):
    origin: str
    vkey: str
    announcedKeys: List[str]
    retiredKeys: List[str]
    witnesses: List[str]
    asWitness: Optional[LogIdentityAsWitness]
    otherLogs: List[LogIdentityOtherLog]



class LogIdentityAsWitness(TypedDict):
    vkey: str
    announcedKeys: List[str]
    url: str
    logs: List[str]



class LogIdentityOtherLog(TypedDict):
    origin: str
    vkey: str
    announcedKeys: List[str]
    retiredKeys: List[str]
    witnesses: List[str]



class ReadReceiptQuery(TypedDict):
    format: NotRequired[Literal['json', 'tlog-proof']]



class ScoreProof(TypedDict):
    userId: str
    snapshot: ScoreProofSnapshot
    reasons: ScoreProofReasons
    members: List[ScoreProofMember]
    eventProofs: List[List[str]]
    checkpoint: str
    cosignatures: List[str]
    otherLogs: NotRequired[List[ScoreProofOtherLog]]



class ScoreProofSnapshot(TypedDict):
    leafIndex: int
    salt: str
    fact: ScoreProofSnapshotFact
    proof: List[str]



class ScoreProofSnapshotFact(TypedDict):
    members: List[ScoreProofSnapshotFactMember]



class ScoreProofSnapshotFactMember(TypedDict):
    chain: str
    position: int



class ScoreProofReasons(TypedDict):
    factors: ScoreProofReasonsFactors
    adverse: List[str]
    supporting: List[str]



class ScoreProofReasonsFactors(TypedDict):
    completion: float
    timeliness: float
    disputes: float
    verification: float
    gate: float



class ScoreProofMember(TypedDict):
    subject: NotRequired[str]
    log: NotRequired[int]
    events: List[ScoreProofMemberEvent]



class ScoreProofMemberEvent1(TypedDict):
    leafIndex: int
    salt: str
    fact: Dict[str, Optional[Union[str, float, bool]]]



class ScoreProofMemberEvent2(TypedDict):
    leafIndex: int
    d: str


ScoreProofMemberEvent = Union['ScoreProofMemberEvent1', 'ScoreProofMemberEvent2']


class ScoreProofOtherLog(TypedDict):
    checkpoint: str
    cosignatures: List[str]



class CredentialOffer(TypedDict):
    offerId: str
    pageUrl: str
    credentialOfferUri: str
    qrSvg: str
    txCode: NotRequired[str]
    expiresAt: str



class CredentialOfferRequest(TypedDict):
    credentialType: Literal['ServiceProfessionalRecordCredential', 'ServiceEarningsCredential', 'ServiceDeliveryReceiptCredential', 'ServiceAgentDeliveryCredential', 'ServiceBusinessRecordCredential']
    txCode: NotRequired[bool]



class WalletIssuerMetadata(TypedDict):
    credential_issuer: str
    credential_endpoint: str
    nonce_endpoint: str
    credential_configurations_supported: Dict[str, WalletIssuerMetadataCredentialConfigurationsSupportedItem]



class WalletIssuerMetadataCredentialConfigurationsSupportedItem(TypedDict):
    format: str


WalletAuthorizationServer = TypedDict('WalletAuthorizationServer', {
    'issuer': "str",
    'token_endpoint': "str",
    'grant_types_supported': "List[str]",
    'pre-authorized_grant_anonymous_access_supported': "Literal[True]",
})


class PlatformPage(TypedDict):
    platforms: List[PlatformRecord]
    nextCursor: Optional[str]



class PlatformRecord(TypedDict):
    id: str
    name: str
    trustTier: PlatformTier
    plan: PlanTier
    isActive: bool
    velocityExempt: bool
    rateLimitPerMinute: Optional[int]
    monthlyQuota: Optional[int]
    maxKeyLifetimeDays: Optional[int]
    confirmationsRequireWrite: bool
    contact: Optional[str]
    privacyUrl: Optional[str]
    createdAt: str
    updatedAt: str



class PlatformCreated(TypedDict):
    platform: PlatformRecord
    keys: PlatformCreatedKeys



class PlatformCreatedKeys(TypedDict):
    live: PlatformCreatedKeysLive
    test: PlatformCreatedKeysLive



class PlatformCreatedKeysLive(TypedDict):
    id: str
    key: str



class NewPlatform(TypedDict):
    name: str
    trustTier: NotRequired[PlatformTier]
    plan: NotRequired[PlanTier]
    group: NotRequired[int]



class PlatformChanges(TypedDict):
    name: NotRequired[str]
    trustTier: NotRequired[PlatformTier]
    plan: NotRequired[PlanTier]
    isActive: NotRequired[bool]
    velocityExempt: NotRequired[bool]
    rateLimitPerMinute: NotRequired[Optional[int]]
    monthlyQuota: NotRequired[Optional[int]]
    maxKeyLifetimeDays: NotRequired[Optional[int]]
    confirmationsRequireWrite: NotRequired[bool]



class KeyList(TypedDict):
    keys: List[KeyRecord]



class KeyRecord(TypedDict):
    id: str
    label: Optional[str]
    scopes: List[str]
    isTest: bool
    isActive: bool
    expiresAt: Optional[str]
    lastUsedAt: Optional[str]
    createdAt: str
    createdBy: Optional[str]
    replacedBy: Optional[str]
    allowedCidrs: List[str]



class KeyMinted(TypedDict):
    id: str
    label: Optional[str]
    scopes: List[str]
    isTest: bool
    isActive: bool
    expiresAt: Optional[str]
    lastUsedAt: Optional[str]
    createdAt: str
    createdBy: Optional[str]
    replacedBy: Optional[str]
    allowedCidrs: List[str]
    key: str
    warnings: List[EventRecordedWarning]



class NewKey(TypedDict):
    label: NotRequired[Optional[str]]
    scopes: NotRequired[List[Scope]]
    isTest: NotRequired[bool]
    expiresInDays: NotRequired[Optional[int]]
    allowedCidrs: NotRequired[List[str]]



class KeyScopes(TypedDict):
    scopes: List[Scope]



class KeyRotated(TypedDict):
    id: str
    label: Optional[str]
    scopes: List[str]
    isTest: bool
    isActive: bool
    expiresAt: Optional[str]
    lastUsedAt: Optional[str]
    createdAt: str
    createdBy: Optional[str]
    replacedBy: Optional[str]
    allowedCidrs: List[str]
    key: str
    warnings: List[EventRecordedWarning]
    rotatedFrom: str
    previousExpiresAt: str



class KeyRotation(TypedDict):
    graceHours: NotRequired[float]



class OwnPlatform(TypedDict):
    id: str
    name: str
    tier: PlanTier
    trustTier: PlatformTier
    rateLimitPerMinute: int
    overLimits: List[OwnPlatformOverLimit]
    maxKeyLifetimeDays: Optional[int]
    confirmationsRequireWrite: bool
    contact: Optional[str]
    privacyUrl: Optional[str]
    mode: KeyMode
    scopes: List[str]
    keyId: str
    scopeCatalogue: List[str]



class OwnPlatformOverLimit(TypedDict):
    limit: Literal['monitors', 'policies', 'notificationChannels', 'streams', 'webhookEndpoints']
    cap: int
    used: int



class OwnPlatformChanges(TypedDict):
    maxKeyLifetimeDays: NotRequired[Optional[int]]
    confirmationsRequireWrite: NotRequired[bool]
    contact: NotRequired[Optional[str]]
    privacyUrl: NotRequired[Optional[str]]



class NewOwnKey(TypedDict):
    label: NotRequired[Optional[str]]
    scopes: NotRequired[List[Scope]]
    isTest: NotRequired[bool]
    expiresInDays: NotRequired[Optional[int]]
    allowedCidrs: NotRequired[List[str]]



class KeyRevoked(TypedDict):
    id: str
    revoked: Literal[True]
    alreadyRevoked: bool
    descendantsRevoked: int



class RevokeKeyQuery(TypedDict):
    cascade: NotRequired[bool]



class Usage(TypedDict):
    window: UsageWindow
    truncated: bool
    rateLimitPerMinute: int
    days: List[UsageDay]
    total: int
    endpoints: List[UsageEndpoint]


UsageWindow = TypedDict('UsageWindow', {
    'from': "str",
    'to': "str",
    'days': "int",
})


class UsageDay(TypedDict):
    date: str
    ok: int
    clientError: int
    serverError: int
    total: int



class UsageEndpoint(TypedDict):
    route: str
    count: int


ReadUsageQuery = TypedDict('ReadUsageQuery', {
    'days': "NotRequired[int]",
    'from': "NotRequired[str]",
    'to': "NotRequired[str]",
    'format': "NotRequired[Literal['json', 'csv']]",
})


class Quota(TypedDict):
    unlimited: bool
    cap: Optional[int]
    used: int
    remaining: Optional[int]
    periodEnd: str
    secondsUntilReset: int



class UsageMeters(TypedDict):
    window: UsageWindow
    truncated: bool
    meters: List[UsageMetersMeter]



class UsageMetersMeter(TypedDict):
    dimension: Literal['total', 'status_class', 'endpoint']
    value: str
    count: int


AdminReadUsageQuery = TypedDict('AdminReadUsageQuery', {
    'days': "NotRequired[int]",
    'from': "NotRequired[str]",
    'to': "NotRequired[str]",
    'format': "NotRequired[Literal['json', 'csv']]",
    'mode': "NotRequired[KeyMode]",
})


class ActivityPage(TypedDict):
    activity: List[ActivityEntry]
    nextCursor: Optional[str]



class ActivityEntry(TypedDict):
    id: str
    action: ActivityAction
    at: str
    actor: str
    target: Optional[str]
    livemode: bool
    details: Optional[Dict[str, Any]]


ListActivityQuery = TypedDict('ListActivityQuery', {
    'limit': "NotRequired[int]",
    'cursor': "NotRequired[str]",
    'action': "NotRequired[ActivityAction]",
    'from': "NotRequired[str]",
    'to': "NotRequired[str]",
    'format': "NotRequired[Literal['json', 'csv']]",
})

AdminListActivityQuery = TypedDict('AdminListActivityQuery', {
    'limit': "NotRequired[int]",
    'cursor': "NotRequired[str]",
    'action': "NotRequired[ActivityAction]",
    'from': "NotRequired[str]",
    'to': "NotRequired[str]",
    'format': "NotRequired[Literal['json', 'csv']]",
    'livemode': "NotRequired[bool]",
})


class AdminReadAuditLogQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]
    platformId: NotRequired[str]
    livemode: NotRequired[bool]



class Audits(TypedDict):
    audits: List[AuditsAudit]



class AuditsAudit(TypedDict):
    id: str
    startedAt: str
    endedAt: str
    differences: int
    groups: List[AuditsAuditGroup]



class AuditsAuditGroup(TypedDict):
    group: int
    ledger: AuditsAuditGroupLedger
    log: AuditsAuditGroupLog



class AuditsAuditGroupLedger(TypedDict):
    subjects: int
    events: int
    snapshots: int
    differences: int



class AuditsAuditGroupLog(TypedDict):
    leaves: int
    checkpoints: int
    facts: int
    thinned: int
    erased: int
    waiting: int
    differences: int



class SweepDone(TypedDict):
    name: Literal['reminders', 'expiry', 'disputes', 'decay', 'benchmarks', 'retention']
    affected: int



class ConsoleUsers(TypedDict):
    users: List[ConsoleUser]
    nextCursor: Optional[str]



class ConsoleUser(TypedDict):
    id: str
    email: str
    role: UserRole
    createdAt: str
    createdBy: str
    lastSignedInAt: Optional[str]



class NewConsoleUser(TypedDict):
    email: str
    role: UserRole



class ConsoleUserRole(TypedDict):
    role: UserRole



class StreamEventsQuery(TypedDict):
    types: NotRequired[str]
    backfill: NotRequired[bool]



class WebhookEventCatalogue(TypedDict):
    events: List[WebhookEventCatalogueEvent]



class WebhookEventCatalogueEvent(TypedDict):
    type: WebhookEventType
    description: str
    schema: Dict[str, Any]
    example: Dict[str, Any]



class WebhookPage(TypedDict):
    webhooks: List[Webhook]
    nextCursor: Optional[str]



class Webhook(TypedDict):
    id: str
    url: str
    events: List[WebhookEventType]
    description: Optional[str]
    isActive: bool
    disabledReason: Optional[DisabledReason]
    failingSince: Optional[str]
    createdAt: str
    updatedAt: str



class WebhookCreated(TypedDict):
    id: str
    url: str
    events: List[WebhookEventType]
    description: Optional[str]
    isActive: bool
    disabledReason: Optional[DisabledReason]
    failingSince: Optional[str]
    createdAt: str
    updatedAt: str
    secret: str



class NewWebhook(TypedDict):
    url: str
    events: List[WebhookEventType]
    description: NotRequired[Optional[str]]
    isActive: NotRequired[bool]



class WebhookChanges(TypedDict):
    url: NotRequired[str]
    events: NotRequired[List[WebhookEventType]]
    description: NotRequired[Optional[str]]
    isActive: NotRequired[bool]



class WebhookSecretRotated(TypedDict):
    id: str
    url: str
    events: List[WebhookEventType]
    description: Optional[str]
    isActive: bool
    disabledReason: Optional[DisabledReason]
    failingSince: Optional[str]
    createdAt: str
    updatedAt: str
    secret: str
    previousSecretExpiresAt: str



class WebhookDelivery(TypedDict):
    id: str
    webhookId: str
    envelopeId: str
    type: WebhookEventType
    userId: Optional[str]
    status: DeliveryStatus
    attempt: int
    responseStatus: Optional[int]
    latencyMs: int
    responseBody: Optional[str]
    error: Optional[str]
    createdAt: str
    nextAttemptAt: Optional[str]



class WebhookTest(TypedDict):
    type: NotRequired[WebhookEventType]



class WebhookRecovered(TypedDict):
    recovered: int
    hasMore: bool
    nextSince: Optional[str]



class WebhookRecovery(TypedDict):
    since: str



class WebhookDeliveryPage(TypedDict):
    deliveries: List[WebhookDelivery]
    nextCursor: Optional[str]



class ListDeliveriesQuery(TypedDict):
    status: NotRequired[DeliveryStatus]
    type: NotRequired[WebhookEventType]
    q: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]


WebhookAttemptHours = TypedDict('WebhookAttemptHours', {
    'from': "str",
    'to': "str",
    'endpoints': "List[WebhookAttemptHoursEndpoint]",
})


class WebhookAttemptHoursEndpoint(TypedDict):
    webhookId: str
    succeeded: List[int]
    failed: List[int]



class CountAttemptsQuery(TypedDict):
    hours: NotRequired[int]



class WebhookDeliveryRequest(TypedDict):
    method: Literal['POST']
    url: str
    headers: Dict[str, str]
    body: str



class MonitorPage(TypedDict):
    monitors: List[Monitor]
    nextCursor: Optional[str]



class Monitor(TypedDict):
    id: str
    userId: str
    belowScore: Optional[float]
    aboveScore: Optional[float]
    onBandChange: bool
    isActive: bool
    lastTriggeredAt: Optional[str]
    createdAt: str
    updatedAt: str



class ListMonitorsQuery(TypedDict):
    userId: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]



class NewMonitor(TypedDict):
    userId: str
    belowScore: NotRequired[Optional[float]]
    aboveScore: NotRequired[Optional[float]]
    onBandChange: NotRequired[Optional[bool]]
    isActive: NotRequired[bool]



class MonitorChanges(TypedDict):
    belowScore: NotRequired[Optional[float]]
    aboveScore: NotRequired[Optional[float]]
    onBandChange: NotRequired[Optional[bool]]
    isActive: NotRequired[bool]



class PolicyPage(TypedDict):
    policies: List[Policy]
    nextCursor: Optional[str]



class Policy(TypedDict):
    id: str
    name: str
    condition: PolicyCondition
    userId: Optional[str]
    isActive: bool
    createdAt: str
    updatedAt: str



class PolicyCondition(TypedDict):
    metric: PolicyMetric
    direction: PolicyDirection
    threshold: Optional[float]
    component: Optional[Component]
    band: Optional[ScoreBand]



class NewPolicy(TypedDict):
    name: str
    condition: NewPolicyCondition
    userId: NotRequired[Optional[str]]
    isActive: NotRequired[bool]



class NewPolicyConditionScore(TypedDict):
    metric: Literal['score']
    direction: Literal['below', 'above']
    threshold: float
    component: NotRequired[None]
    band: NotRequired[None]



class NewPolicyConditionComponent(TypedDict):
    metric: Literal['component']
    direction: Literal['below', 'above']
    component: Component
    threshold: float
    band: NotRequired[None]



class NewPolicyConditionVerifiedEvents(TypedDict):
    metric: Literal['verified_events']
    direction: Literal['below', 'above']
    threshold: int
    component: NotRequired[None]
    band: NotRequired[None]



class NewPolicyConditionLargestAttesterShare(TypedDict):
    metric: Literal['largest_attester_share']
    direction: Literal['below', 'above']
    threshold: float
    component: NotRequired[None]
    band: NotRequired[None]



class NewPolicyConditionDistinctAttesters(TypedDict):
    metric: Literal['distinct_attesters']
    direction: Literal['below', 'above']
    threshold: int
    component: NotRequired[None]
    band: NotRequired[None]



class NewPolicyConditionBand(TypedDict):
    metric: Literal['band']
    direction: Literal['enter', 'leave']
    band: ScoreBand
    threshold: NotRequired[None]
    component: NotRequired[None]


NewPolicyCondition = Union['NewPolicyConditionScore', 'NewPolicyConditionComponent', 'NewPolicyConditionVerifiedEvents', 'NewPolicyConditionLargestAttesterShare', 'NewPolicyConditionDistinctAttesters', 'NewPolicyConditionBand']


class PolicyChanges(TypedDict):
    name: NotRequired[str]
    condition: NotRequired[PolicyChangesCondition]
    userId: NotRequired[Optional[str]]
    isActive: NotRequired[bool]


PolicyChangesCondition = Union['NewPolicyConditionScore', 'NewPolicyConditionComponent', 'NewPolicyConditionVerifiedEvents', 'NewPolicyConditionLargestAttesterShare', 'NewPolicyConditionDistinctAttesters', 'NewPolicyConditionBand']


class PolicyPreview(TypedDict):
    condition: PolicyCondition
    userId: Optional[str]
    window: PolicyPreviewWindow
    counts: Optional[PolicyPreviewCounts]
    aggregationSkipped: Optional[Literal['population_too_large']]
    subjects: List[PolicyPreviewSubject]
    nextCursor: Optional[str]


PolicyPreviewWindow = TypedDict('PolicyPreviewWindow', {
    'from': "str",
    'to': "str",
    'days': "int",
})


class PolicyPreviewCounts(TypedDict):
    scored: int
    past: int
    crossed: int
    crossings: int



class PolicyPreviewSubject(TypedDict):
    userId: str
    isPast: bool
    observed: Optional[Union[ScoreBand, float]]
    finalScore: float
    scoreBand: ScoreBand
    crossings: int
    lastCrossedAt: Optional[str]



class PolicyPreviewRequest(TypedDict):
    condition: PolicyPreviewRequestCondition
    userId: NotRequired[Optional[str]]
    cursor: NotRequired[Optional[str]]
    limit: NotRequired[int]


PolicyPreviewRequestCondition = Union['NewPolicyConditionScore', 'NewPolicyConditionComponent', 'NewPolicyConditionVerifiedEvents', 'NewPolicyConditionLargestAttesterShare', 'NewPolicyConditionDistinctAttesters', 'NewPolicyConditionBand']


class NotificationChannels(TypedDict):
    notificationChannels: List[NotificationChannel]
    nextCursor: Optional[str]



class NotificationChannel(TypedDict):
    id: str
    type: NotificationChannelType
    target: str
    isActive: bool
    createdAt: str
    lastSentAt: Optional[str]
    lastError: Optional[str]



class NewNotificationChannel(TypedDict):
    type: NotificationChannelType
    target: str



class KeyDirectory(TypedDict):
    keys: List[KeyDirectoryKey]



class KeyDirectoryKey(TypedDict):
    kty: Literal['OKP']
    crv: Literal['Ed25519']
    x: str
    kid: str
    use: Literal['sig']
    nbf: int
    exp: int



class SandboxSeeded(TypedDict):
    subjects: List[SandboxSeededSubject]



class SandboxSeededSubject(TypedDict):
    userId: str
    about: str



class SandboxReset(TypedDict):
    deleted: SandboxResetDeleted



class SandboxResetDeleted(TypedDict):
    subjects: int
    events: int



class ScoringModel(TypedDict):
    formulaVersion: str
    reasonCodesVersion: str
    keyFactorLimit: int
    scoreMinimum: float
    scoreMaximum: float
    anchor: float
    halfLifeDays: float
    breachSeverity: float
    timelinessPrior: float
    disputeMultiplier: float
    disputeOffset: float
    evidenceHalf: float
    unverifiedGateMax: float
    unverifiedHalf: float
    confidenceHalf: float
    unprovenCeiling: float
    fairCeiling: float
    factors: List[Factor]
    weights: ScoringModelWeights
    stakeWeights: ScoringModelStakeWeights
    tierMultipliers: ScoringModelTierMultipliers
    classes: ScoringModelClasses
    unscoredKinds: ScoringModelUnscoredKinds
    bands: List[ScoringModelBand]
    confidenceLabels: List[ScoringModelConfidenceLabel]
    components: ScoringModelComponents
    reasonCodes: ScoringModelReasonCodes
    rounding: ScoringModelRounding
    explanation: str
    limits: List[str]



class ScoringModelWeights(TypedDict):
    completion: float
    timeliness: float
    disputes: float
    verification: float



class ScoringModelStakeWeights(TypedDict):
    HIGH: float
    MEDIUM: float
    LOW: float



class ScoringModelTierMultipliers(TypedDict):
    ENTERPRISE: float
    GROWTH: float
    STARTER: float
    SELF_REPORTED: float



class ScoringModelClasses(TypedDict):
    positive: List[EventType]
    breach: List[EventType]
    contested: List[EventType]



class ScoringModelUnscoredKinds(TypedDict):
    qualification: List[EventType]
    project: List[EventType]



class ScoringModelBand(TypedDict):
    band: ScoreBand
    minimum: float



class ScoringModelConfidenceLabel(TypedDict):
    label: str
    minimum: float



class ScoringModelComponents(TypedDict):
    consistencyMonths: float
    consistencyMinimumMonths: float
    consistencySpread: float
    momentumNeutral: float
    momentumRecentDays: float
    momentumEarlierDays: float



class ScoringModelReasonCodes(TypedDict):
    limitedEvidenceBelow: float
    establishedEvidenceFrom: float
    lowCompletionBelow: float
    strongCompletionFrom: float
    lowOnTimeBelow: float
    strongOnTimeFrom: float
    lowDepthBelow: float
    independentDepthFrom: float
    inactiveAfterDays: float



class ScoringModelRounding(TypedDict):
    mode: str
    scoreDecimals: float
    factorDecimals: float
    componentDecimals: float
    confidenceDecimals: float
    tolerance: float



class ReasonCodes(TypedDict):
    reasonCodesVersion: str
    formulaVersion: str
    keyFactorLimit: int
    disclosures: List[str]
    codes: List[ReasonCodesCode]



class ReasonCodesCode(TypedDict):
    code: str
    factor: str
    direction: Literal['adverse', 'supporting']
    title: str
    description: str



class Enums(TypedDict):
    eventType: List[EnumsEventTypeItem]
    stakeLevel: List[EnumsStakeLevelItem]
    scoreBand: List[EnumsScoreBandItem]
    confidenceLabel: List[EnumsConfidenceLabelItem]
    disputeStatus: List[EnumsDisputeStatusItem]
    confirmationRequestStatus: List[EnumsConfirmationRequestStatusItem]
    referenceRequestStatus: List[EnumsConfirmationRequestStatusItem]
    subjectType: List[EnumsSubjectTypeItem]
    platformTier: List[EnumsPlatformTierItem]
    planTier: List[EnumsPlanTierItem]
    witnessType: List[EnumsWitnessTypeItem]
    warningCode: List[EnumsWarningCodeItem]
    importStatus: List[EnumsImportStatusItem]
    screeningStatus: List[EnumsImportStatusItem]
    deliveryStatus: List[EnumsDeliveryStatusItem]
    disabledReason: List[EnumsDisabledReasonItem]
    itemStatus: List[EnumsItemStatusItem]
    disputeOutcome: List[EnumsDisputeOutcomeItem]
    reviewStatus: List[EnumsReviewStatusItem]
    reviewOutcome: List[EnumsReviewOutcomeItem]
    requestDecision: List[EnumsRequestDecisionItem]
    reminderStage: List[EnumsReminderStageItem]
    answerChannel: List[EnumsAnswerChannelItem]
    browserFamily: List[EnumsBrowserFamilyItem]
    referenceKind: List[EnumsReferenceKindItem]
    qualificationStatus: List[EnumsQualificationStatusItem]
    monitorCondition: List[EnumsMonitorConditionItem]
    policyMetric: List[EnumsPolicyMetricItem]
    policyDirection: List[EnumsPolicyDirectionItem]
    component: List[EnumsComponentItem]
    factor: List[EnumsFactorItem]
    riskSignal: List[EnumsRiskSignalItem]
    riskLevel: List[EnumsRiskLevelItem]
    benchmarkDimension: List[EnumsBenchmarkDimensionItem]
    notificationChannelType: List[EnumsNotificationChannelTypeItem]
    webhookEventType: List[EnumsWebhookEventTypeItem]
    activityAction: List[EnumsActivityActionItem]
    mappingTransform: List[EnumsMappingTransformItem]
    keyMode: List[EnumsKeyModeItem]
    userRole: List[EnumsUserRoleItem]
    scope: List[EnumsScopeItem]



class EnumsEventTypeItem(TypedDict):
    value: EventType
    kind: Literal['outcome', 'qualification', 'project']
    ingestible: bool
    effect: str
    description: str



class EnumsStakeLevelItem(TypedDict):
    value: StakeLevel
    weight: float
    description: str



class EnumsScoreBandItem(TypedDict):
    value: ScoreBand
    minimum: float
    description: str



class EnumsConfidenceLabelItem(TypedDict):
    value: ConfidenceLabel
    minimum: float
    description: str



class EnumsDisputeStatusItem(TypedDict):
    value: DisputeStatus
    terminal: bool
    description: str



class EnumsConfirmationRequestStatusItem(TypedDict):
    value: ConfirmationRequestStatus
    terminal: bool
    writes: Optional[str]
    description: str



class EnumsSubjectTypeItem(TypedDict):
    value: SubjectType
    description: str



class EnumsPlatformTierItem(TypedDict):
    value: PlatformTier
    trustMultiplier: float
    description: str



class EnumsPlanTierItem(TypedDict):
    value: PlanTier
    name: str
    description: str



class EnumsWitnessTypeItem(TypedDict):
    value: WitnessType
    label: str
    description: str



class EnumsWarningCodeItem(TypedDict):
    value: WarningCode
    description: str



class EnumsImportStatusItem(TypedDict):
    value: ImportStatus
    description: str



class EnumsDeliveryStatusItem(TypedDict):
    value: DeliveryStatus
    description: str



class EnumsDisabledReasonItem(TypedDict):
    value: DisabledReason
    description: str



class EnumsItemStatusItem(TypedDict):
    value: ItemStatus
    description: str



class EnumsDisputeOutcomeItem(TypedDict):
    value: DisputeOutcome
    description: str



class EnumsReviewStatusItem(TypedDict):
    value: ReviewStatus
    terminal: bool
    description: str



class EnumsReviewOutcomeItem(TypedDict):
    value: ReviewOutcome
    description: str



class EnumsRequestDecisionItem(TypedDict):
    value: RequestDecision
    description: str



class EnumsReminderStageItem(TypedDict):
    value: ReminderStage
    description: str



class EnumsAnswerChannelItem(TypedDict):
    value: AnswerChannel
    description: str



class EnumsBrowserFamilyItem(TypedDict):
    value: BrowserFamily
    description: str



class EnumsReferenceKindItem(TypedDict):
    value: ReferenceKind
    description: str



class EnumsQualificationStatusItem(TypedDict):
    value: QualificationStatus
    description: str



class EnumsMonitorConditionItem(TypedDict):
    value: MonitorCondition
    description: str



class EnumsPolicyMetricItem(TypedDict):
    value: PolicyMetric
    description: str



class EnumsPolicyDirectionItem(TypedDict):
    value: PolicyDirection
    description: str



class EnumsComponentItem(TypedDict):
    value: Component
    description: str



class EnumsFactorItem(TypedDict):
    value: Factor
    description: str



class EnumsRiskSignalItem(TypedDict):
    value: RiskSignalValue
    title: str
    description: str



class EnumsRiskLevelItem(TypedDict):
    value: RiskLevel
    description: str



class EnumsBenchmarkDimensionItem(TypedDict):
    value: BenchmarkDimensionValue
    description: str



class EnumsNotificationChannelTypeItem(TypedDict):
    value: NotificationChannelType
    description: str



class EnumsWebhookEventTypeItem(TypedDict):
    value: WebhookEventType
    description: str



class EnumsActivityActionItem(TypedDict):
    value: ActivityAction
    description: str



class EnumsMappingTransformItem(TypedDict):
    value: MappingTransform
    description: str



class EnumsKeyModeItem(TypedDict):
    value: KeyMode
    description: str



class EnumsUserRoleItem(TypedDict):
    value: UserRole
    description: str



class EnumsScopeItem(TypedDict):
    value: Scope
    description: str



class ErrorCatalogue(TypedDict):
    errors: List[ErrorCatalogueError]



class ErrorCatalogueError(TypedDict):
    code: str
    status: int
    retryable: bool
    description: str



class Changelog(TypedDict):
    entries: List[ChangelogEntrie]



class ChangelogEntrie(TypedDict):
    id: str
    date: str
    category: Literal['added', 'changed', 'deprecated', 'fixed', 'security']
    summary: str
    endpoints: List[str]
    reference: str



class PlanCatalogue(TypedDict):
    plans: List[PlanCataloguePlan]
    anonymousRateLimitPerMinute: int
    note: str



class PlanCataloguePlan(TypedDict):
    key: PlanTier
    name: str
    rateLimitPerMinute: int
    monthlyQuota: Optional[int]
    limits: PlanCataloguePlanLimits
    features: List[Literal['campaigns', 'screenings', 'agents']]



class PlanCataloguePlanLimits(TypedDict):
    monitors: int
    policies: int
    notificationChannels: int
    streams: int
    webhookEndpoints: int



class OutcomeTemplates(TypedDict):
    version: str
    note: str
    industries: List[OutcomeTemplatesIndustrie]
    witnessTypes: List[DocumentAnalysisWitnessGuideWitnessType]
    fieldGuide: List[OutcomeTemplatesFieldGuideItem]
    notTheWorkersOutcome: List[OutcomeTemplatesNotTheWorkersOutcomeItem]
    templates: List[OutcomeTemplatesTemplate]
    disclosures: List[str]



class OutcomeTemplatesIndustrie(TypedDict):
    industry: str
    label: str



class OutcomeTemplatesFieldGuideItem(TypedDict):
    field: str
    guidance: str



class OutcomeTemplatesNotTheWorkersOutcomeItem(TypedDict):
    key: str
    cause: str
    instead: str



class OutcomeTemplatesTemplate(TypedDict):
    industry: str
    label: str
    description: str
    templates: List[OutcomeTemplatesTemplateTemplate]



class OutcomeTemplatesTemplateTemplate(TypedDict):
    key: str
    label: str
    description: str
    eventType: EventType
    positive: bool
    suggestedStake: StakeLevel
    witness: str
    witnessType: str
    confirmationHint: str
    timingBasis: str



class ListOutcomeTemplatesQuery(TypedDict):
    industry: NotRequired[Literal['dental_clinical', 'trades_home_services', 'skilled_trades_licensed', 'automotive_repair', 'home_care_personal_care', 'healthcare_clinical', 'veterinary', 'hospitality_food', 'retail_customer_service', 'logistics_delivery', 'transportation_freight', 'warehouse_manufacturing', 'cleaning_facilities', 'landscaping_grounds', 'staffing_shift_work', 'security_services', 'events_production', 'childcare', 'beauty_wellness', 'education_tutoring', 'professional_services', 'legal', 'finance_accounting', 'creative_design', 'engineering', 'consulting', 'real_estate', 'software_engineering']]



class Alive(TypedDict):
    status: Literal['ok']



class Ready(TypedDict):
    status: Literal['ready']
    checks: HealthChecks



class HealthChecks(TypedDict):
    database: HealthChecksDatabase
    worker: HealthChecksWorker
    outbox: HealthChecksOutbox
    log: HealthChecksLog



class HealthChecksDatabase(TypedDict):
    status: Literal['ok', 'busy', 'failed', 'wrong_server']
    latencyMs: Optional[float]
    unreachableGroups: Optional[int]



class HealthChecksWorker(TypedDict):
    status: Literal['ok', 'lagging', 'absent', 'unknown']
    lastBeatAt: Optional[str]
    queueLagSeconds: Optional[float]
    failingRecords: Optional[int]



class HealthChecksOutbox(TypedDict):
    status: Literal['ok', 'lagging', 'unknown']
    waitingSeconds: Optional[float]



class HealthChecksLog(TypedDict):
    status: Literal['ok', 'lagging', 'halted', 'contradicted', 'unknown']
    treeSize: Optional[int]
    signedSize: Optional[int]
    publishedSize: Optional[int]
    waitingSeconds: Optional[float]
    unpublishedSeconds: Optional[float]
    witnesses: List[HealthChecksLogWitnesse]



class HealthChecksLogWitnesse(TypedDict):
    key: str
    status: Literal['ok', 'failing', 'contradicting']
    cosignedSize: int
    cosignedAt: Optional[str]



class Status(TypedDict):
    status: Literal['operational', 'degraded', 'outage']
    checks: HealthChecks
    history: Optional[StatusHistory]
    processes: StatusProcesses
    storage: StatusStorage


StatusHistory = TypedDict('StatusHistory', {
    '24h': "Uptime",
    '7d': "Uptime",
})


class Uptime(TypedDict):
    uptime: Optional[float]
    samples: int



class StatusProcesses(TypedDict):
    configured: int
    running: int



class StatusStorage(TypedDict):
    engine: Literal['pglite', 'postgresql']
    durability: str



class OpenApiDocument(TypedDict):
    openapi: str
    info: OpenApiDocumentInfo
    paths: Dict[str, Any]



class OpenApiDocumentInfo(TypedDict):
    title: str
    version: str



class ScoreUpdatedEnvelope(TypedDict):
    id: str
    type: Literal['score.updated']
    livemode: bool
    createdAt: str
    data: ScoreUpdatedEnvelopeData



class ScoreUpdatedEnvelopeData(TypedDict):
    user: ScoreUpdatedEnvelopeDataUser
    score: float
    band: ScoreBand
    previousScore: Optional[float]
    previousBand: Optional[ScoreBand]
    confidence: float
    totalEvents: int
    verifiedEvents: int
    behavioralQuality: float
    formulaVersion: str
    computedAt: str
    reason: Optional[str]



class ScoreUpdatedEnvelopeDataUser(TypedDict):
    externalId: str



class ScoreBandChangedEnvelope(TypedDict):
    id: str
    type: Literal['score.band_changed']
    livemode: bool
    createdAt: str
    data: ScoreUpdatedEnvelopeData



class DisputeResolvedEnvelope(TypedDict):
    id: str
    type: Literal['dispute.resolved']
    livemode: bool
    createdAt: str
    data: DisputeResolvedEnvelopeData



class DisputeResolvedEnvelopeData(TypedDict):
    disputeId: str
    eventId: str
    user: ScoreUpdatedEnvelopeDataUser
    outcome: DisputeOutcome
    status: DisputeStatus
    lapsed: bool
    resolvedAt: str



class MonitorTriggeredEnvelope(TypedDict):
    id: str
    type: Literal['monitor.triggered']
    livemode: bool
    createdAt: str
    data: MonitorTriggeredEnvelopeData



class MonitorTriggeredEnvelopeData(TypedDict):
    monitorId: str
    userId: str
    previousScore: Optional[float]
    newScore: float
    previousBand: Optional[ScoreBand]
    newBand: ScoreBand
    condition: MonitorCondition
    threshold: Optional[float]
    formulaVersion: str



class PolicyThresholdCrossedEnvelope(TypedDict):
    id: str
    type: Literal['policy.threshold_crossed']
    livemode: bool
    createdAt: str
    data: PolicyThresholdCrossedEnvelopeData



class PolicyThresholdCrossedEnvelopeData(TypedDict):
    policyId: str
    policyName: str
    subject: ScoreUpdatedEnvelopeDataUser
    metric: PolicyMetric
    condition: PolicyCondition
    observed: PolicyThresholdCrossedEnvelopeDataObserved
    score: float
    previousScore: Optional[float]
    band: ScoreBand
    previousBand: Optional[ScoreBand]
    reason: PolicyThresholdCrossedEnvelopeDataReason
    decision_input: PolicyThresholdCrossedEnvelopeDataDecisionInput
    note: str
    formulaVersion: str
    computedAt: str



class PolicyThresholdCrossedEnvelopeDataObserved(TypedDict):
    previous: Optional[Union[ScoreBand, float]]
    current: Optional[Union[ScoreBand, float]]



class PolicyThresholdCrossedEnvelopeDataReason(TypedDict):
    scoreBefore: Optional[float]
    scoreAfter: float
    scoreDelta: Optional[float]
    direction: Literal['up', 'down', 'unchanged']
    topDriver: Optional[ScoreChangeTopDriver]



class PolicyThresholdCrossedEnvelopeDataDecisionInput(TypedDict):
    subject_external_id: str
    metric: PolicyMetric
    direction: PolicyDirection
    threshold: Optional[float]
    component: Optional[Component]
    band: Optional[ScoreBand]
    observed_previous: Optional[Union[ScoreBand, float]]
    observed_current: Optional[Union[ScoreBand, float]]
    score: float
    previous_score: Optional[float]
    score_band: ScoreBand
    previous_band: Optional[ScoreBand]
    components: ScoreComponentsComponents
    verified_events: int
    confidence: float
    formula_version: str
    computed_at: str
    crossed_at: str



class UsageQuotaWarningEnvelope(TypedDict):
    id: str
    type: Literal['usage.quota_warning']
    livemode: bool
    createdAt: str
    data: UsageQuotaWarningEnvelopeData



class UsageQuotaWarningEnvelopeData(TypedDict):
    used: int
    cap: int
    remaining: int
    ratio: float
    threshold: float
    periodEnd: str



class ImportCompletedEnvelope(TypedDict):
    id: str
    type: Literal['import.completed']
    livemode: bool
    createdAt: str
    data: ImportCompletedEnvelopeData



class ImportCompletedEnvelopeData(TypedDict):
    importJobId: str
    status: Literal['COMPLETED', 'FAILED']
    createdCount: int
    skippedCount: int
    failedCount: int
    error: Optional[str]
    completedAt: str



class ScreeningCompletedEnvelope(TypedDict):
    id: str
    type: Literal['screening.completed']
    livemode: bool
    createdAt: str
    data: ScreeningCompletedEnvelopeData



class ScreeningCompletedEnvelopeData(TypedDict):
    screeningJobId: str
    status: Literal['COMPLETED', 'FAILED']
    total: int
    foundCount: int
    error: Optional[str]
    completedAt: str



class ConfirmationAwaitingResponseEnvelope(TypedDict):
    id: str
    type: Literal['confirmation.awaiting_response']
    livemode: bool
    createdAt: str
    data: ConfirmationAwaitingResponseEnvelopeData



class ConfirmationAwaitingResponseEnvelopeData(TypedDict):
    confirmationId: str
    stage: ReminderStage
    subject: ScoreUpdatedEnvelopeDataUser
    eventType: Literal['TRANSACTION_COMPLETED', 'TRANSACTION_DISPUTED', 'TRANSACTION_CANCELLED', 'REVIEW_VERIFIED', 'CONTRACT_FULFILLED', 'CONTRACT_CANCELLED', 'CONTRACT_BREACHED']
    stakeLevel: StakeLevel
    description: str
    counterpartyRef: str
    counterpartyName: Optional[str]
    campaignId: Optional[str]
    status: ConfirmationRequestStatus
    createdAt: str
    expiresAt: str
    ageHours: float
    hoursUntilExpiry: float
    confirmUrlTemplate: str
    previewUrlTemplate: str
    note: str



class ConfirmationExpiringSoonEnvelope(TypedDict):
    id: str
    type: Literal['confirmation.expiring_soon']
    livemode: bool
    createdAt: str
    data: ConfirmationAwaitingResponseEnvelopeData



class ReviewRequestedEnvelope(TypedDict):
    id: str
    type: Literal['review.requested']
    livemode: bool
    createdAt: str
    data: ReviewRequestedEnvelopeData



class ReviewRequestedEnvelopeData(TypedDict):
    reviewId: str
    user: ScoreUpdatedEnvelopeDataUser
    eventId: Optional[str]
    openedAt: str
    respondBy: str
    reminder: bool



class ReviewAnsweredEnvelope(TypedDict):
    id: str
    type: Literal['review.answered']
    livemode: bool
    createdAt: str
    data: ReviewAnsweredEnvelopeData



class ReviewAnsweredEnvelopeData(TypedDict):
    reviewId: str
    user: ScoreUpdatedEnvelopeDataUser
    eventId: Optional[str]
    openedAt: str
    respondBy: str
    outcome: ReviewOutcome
    inTime: bool
    answeredAt: str



class ReviewOverdueEnvelope(TypedDict):
    id: str
    type: Literal['review.overdue']
    livemode: bool
    createdAt: str
    data: ReviewOverdueEnvelopeData



class ReviewOverdueEnvelopeData(TypedDict):
    reviewId: str
    user: ScoreUpdatedEnvelopeDataUser
    eventId: Optional[str]
    openedAt: str
    respondBy: str



class KeyCreatedEnvelope(TypedDict):
    id: str
    type: Literal['key.created']
    livemode: bool
    createdAt: str
    data: KeyCreatedEnvelopeData



class KeyCreatedEnvelopeData(TypedDict):
    keyId: str
    label: Optional[str]
    scopes: List[str]
    isTest: bool
    createdBy: Optional[str]
    createdAt: str
    expiresAt: Optional[str]
    rotatedFrom: Optional[str]
    allowedCidrs: List[str]



class KeyExpiringEnvelope(TypedDict):
    id: str
    type: Literal['key.expiring']
    livemode: bool
    createdAt: str
    data: KeyExpiringEnvelopeData



class KeyExpiringEnvelopeData(TypedDict):
    keyId: str
    label: Optional[str]
    scopes: List[str]
    isTest: bool
    createdBy: Optional[str]
    createdAt: str
    expiresAt: str
    lastUsedAt: Optional[str]
    hoursUntilExpiry: float



class ValidationDetail(TypedDict):
    path: str
    message: str
    code: str
    expected: NotRequired[Any]
    received: NotRequired[Any]


Envelope = Union['ScoreUpdatedEnvelope', 'ScoreBandChangedEnvelope', 'DisputeResolvedEnvelope', 'MonitorTriggeredEnvelope', 'PolicyThresholdCrossedEnvelope', 'UsageQuotaWarningEnvelope', 'ImportCompletedEnvelope', 'ScreeningCompletedEnvelope', 'ConfirmationAwaitingResponseEnvelope', 'ConfirmationExpiringSoonEnvelope', 'ReviewRequestedEnvelope', 'ReviewAnsweredEnvelope', 'ReviewOverdueEnvelope', 'KeyCreatedEnvelope', 'KeyExpiringEnvelope']


class Reset(TypedDict):
    """Envelopes were missed: read the current data, then go on."""
    type: Literal['reset']
    reason: str
