import type { ConfidenceLabel, EventType, PlatformTier, ScoreBand, StakeLevel } from '@reliability/scoring';
import type { PlanKey } from '../../../domain/catalogues/plans.js';

/** The effect of each event type on a score, in plain words. */
export const effects: Record<EventType, string> = {
  TRANSACTION_COMPLETED: 'Helps the score: it counts as finished work.',
  TRANSACTION_DISPUTED:
    'Opens a dispute and lowers the score until the dispute ends. Until then the dispatch read does not count it as a broken agreement.',
  TRANSACTION_CANCELLED: 'Does not affect the score.',
  REVIEW_VERIFIED: 'Helps the score: it counts as finished work.',
  CONTRACT_FULFILLED: 'Helps the score: it counts as finished work.',
  CONTRACT_CANCELLED: 'Does not affect the score.',
  CONTRACT_BREACHED: 'Lowers the score more than anything else.',
  DISPUTE_FILED: 'Lowers the score until the dispute ends. Only the service writes it.',
  DISPUTE_RESOLVED_FOR_USER:
    'Helps the score and offsets part of other disputes. The service writes it when a dispute ends this way.',
  DISPUTE_RESOLVED_AGAINST_USER:
    'Lowers the score as much as a broken agreement. Only the service writes it.',
  EDUCATION_VERIFIED: 'Appears in the verified profile. It never changes a score.',
  SKILL_VERIFIED: 'Appears in the verified profile. It never changes a score.',
  CERTIFICATION_VERIFIED: 'Appears in the verified profile. It never changes a score.',
  EMPLOYMENT_VERIFIED: 'Appears in the verified profile. It never changes a score.',
  PROJECT_LOGGED: 'Never changes a score. The service does not open the link.',
};

/**
 * The meaning of each value of `GET /enums`, in plain words: people look up there what a platform
 * says about them. `enumsCatalog.ts` does not compile if a value has no text.
 */
export const enumTexts = {
  eventType: {
    TRANSACTION_COMPLETED: 'A job, order or booking was completed.',
    TRANSACTION_DISPUTED: 'The work was delivered, and the other party contests it.',
    TRANSACTION_CANCELLED: 'A job, order or booking was cancelled.',
    REVIEW_VERIFIED: 'Someone reviewed the work and found it in order.',
    CONTRACT_FULFILLED: 'Everything that was agreed was delivered.',
    CONTRACT_CANCELLED: 'An agreement ended early, without fault on either side.',
    CONTRACT_BREACHED: 'Something that was agreed was not done.',
    DISPUTE_FILED: 'Someone contested a result.',
    DISPUTE_RESOLVED_FOR_USER: 'A dispute was resolved in favour of the person or business.',
    DISPUTE_RESOLVED_AGAINST_USER: 'A dispute was resolved against the person or business.',
    EDUCATION_VERIFIED: 'A degree or a course that another party confirmed.',
    SKILL_VERIFIED: 'A skill that another party confirmed.',
    CERTIFICATION_VERIFIED: 'A certificate or licence that another party confirmed.',
    EMPLOYMENT_VERIFIED: 'A period of employment that another party confirmed.',
    PROJECT_LOGGED: 'A link to a project, shown as its owner describes it.',
  } satisfies Record<EventType, string>,
  stakeLevel: {
    HIGH: 'Much was at stake: safety, rights or a lot of money.',
    MEDIUM: 'A usual job. This is the default.',
    LOW: 'A small everyday job.',
  } satisfies Record<StakeLevel, string>,
  scoreBand: {
    Excellent: 'The top band: plenty of confirmed work and few problems.',
    Good: 'A strong score based on confirmed work.',
    Fair: 'A medium score based on confirmed work.',
    Building: 'A score that begins to rise, based on the first confirmed work.',
    Unproven: 'The band in which every score starts. Little is confirmed yet, or much went wrong.',
    'High Risk': 'Confirmed broken agreements lowered the score below its start.',
  } satisfies Record<ScoreBand, string>,
  confidenceLabel: {
    high: 'Much confirmed work supports the score.',
    medium: 'Some confirmed work supports the score.',
    low: 'Little confirmed work supports the score so far.',
  } satisfies Record<ConfidenceLabel, string>,
  disputeStatus: {
    OPEN: 'Not resolved yet.',
    RESOLVED_FOR_USER: 'Resolved in favour of the person or business.',
    RESOLVED_AGAINST_USER: 'Resolved against the person or business.',
  },
  requestStatus: {
    PENDING: 'The other party has not answered yet.',
    CONFIRMED: 'The other party said yes, and an event was recorded.',
    DECLINED: 'The other party said no. Nothing was recorded.',
    EXPIRED: 'There was no answer in time. Nothing was recorded.',
    CANCELLED: 'The request was cancelled by its sender. Nothing was recorded.',
  },
  subjectType: {
    PERSON: 'A human being. This is the default.',
    AGENT: 'Software that acts by itself, with a person or business responsible for it.',
    ORGANIZATION: 'A business or another organization.',
  },
  platformTier: {
    ENTERPRISE: 'A fully trusted platform: its reports count in full.',
    GROWTH: 'A well trusted platform: its reports count a little less.',
    STARTER: 'A platform new to the service: its reports count less.',
    SELF_REPORTED: 'People report about themselves: these reports count least.',
  } satisfies Record<PlatformTier, string>,
  planTier: {
    starter: 'The first plan. It never changes a score.',
    growth: 'The plan with more calls and campaigns. It never changes a score.',
    enterprise: 'The plan with all features. It never changes a score.',
  } satisfies Record<PlanKey, string>,
  warningCode: {
    VERIFICATION_DOWNGRADED: 'Recorded as unverified, because nobody else confirmed it.',
    STAKE_CAPPED: 'HIGH was recorded as MEDIUM, because imports cannot set the highest stake.',
    UNKNOWN_FIELD: 'An unknown field was ignored. Check its spelling: recorded events cannot be edited.',
    IDEMPOTENCY_KEY_REUSED:
      'This key was already used for a different event. The original is unchanged, and nothing was written.',
    KEY_EXPIRY_CLAMPED:
      'The new key expires earlier than requested: with the key that created it, or after the maximum lifetime of the platform.',
    KEY_OPENS_CONFIRMATIONS:
      'The new key has read scopes only, but any valid key can open confirmations unless the platform sets `confirmationsRequireWrite`.',
    RECEIPT_PENDING: 'The log took longer than 5 s. Read the receipt later.',
    TEST_MODE_NOT_ALLOWED: 'Test events are not in the log, so they have no receipt.',
  },
  importStatus: {
    QUEUED: 'The file waits in the queue.',
    RUNNING: 'The rows of the file are being recorded.',
    COMPLETED: 'Every row was processed. Failed rows are listed.',
    FAILED: 'The import stopped early. Rows recorded before that remain.',
  },
  screeningStatus: {
    QUEUED: 'The list waits in the queue.',
    RUNNING: 'The scores are being looked up.',
    COMPLETED: 'The results are ready.',
    FAILED: 'The screening stopped early. There are no results.',
  },
  deliveryStatus: {
    succeeded: 'The receiver accepted the message.',
    failed: 'The receiver did not accept the message in this attempt.',
  },
  disabledReason: {
    gone: 'The receiver answered 410 Gone.',
    failing: 'The receiver accepted nothing for days.',
  },
  itemStatus: {
    created: 'Newly recorded.',
    skipped: 'Already recorded, so nothing was written.',
    duplicate: 'Already asked, so nobody is asked twice.',
    failed: 'The item was refused. Its error gives the reason.',
  },
  disputeOutcome: {
    FOR_USER: 'Resolved in favour of the person or business.',
    AGAINST_USER: 'Resolved against the person or business.',
  },
  requestDecision: {
    confirm: 'Yes, it happened as described.',
    decline: 'No, or not as described.',
  },
  reminderStage: {
    awaiting_response: 'The other party has not answered for a while.',
    expiring_soon: 'The request expires soon.',
  },
  answerChannel: {
    page: 'On the page of this service.',
    api: 'Through the API.',
  },
  browserFamily: {
    chrome: 'Chrome, or a browser that identifies as Chrome.',
    safari: 'Safari.',
    firefox: 'Firefox.',
    edge: 'Edge.',
    other: 'Another browser, or a program.',
  },
  referenceKind: {
    employment: 'A period of employment.',
    education: 'A degree or a course.',
    certification: 'A certificate or licence.',
    skill: 'A skill.',
  },
  qualificationStatus: {
    current: 'Valid today.',
    expired: 'No longer valid.',
  },
  monitorCondition: {
    below_score: 'The score fell below the number of the monitor.',
    above_score: 'The score rose above the number of the monitor.',
    band_change: 'The score moved into another band.',
  },
  policyMetric: {
    score: 'The score itself.',
    component: 'One of the six components.',
    verified_events: 'The number of verified outcomes.',
    band: 'The band of the score.',
    largest_attester_share:
      'The share of the verified outcomes that one party confirmed, 0 to 1. It is 0 with fewer than five.',
    distinct_attesters: 'The number of parties that confirmed outcomes.',
  },
  policyDirection: {
    below: 'It falls below the number of the policy.',
    above: 'It rises above the number of the policy.',
    enter: 'It enters the band.',
    leave: 'It leaves the band.',
  },
  component: {
    reliability: 'How much of the work was done as agreed.',
    timeliness: 'How much of it was done on time.',
    trustworthiness: 'How little of it was disputed.',
    verification: 'How much of it others confirmed.',
    consistency: 'How consistent the work was over time.',
    momentum: 'How recent results compare with earlier ones.',
  },
  factor: {
    completion: 'Completed work compared with work that was not done.',
    timeliness: 'Work completed by its due date.',
    disputes: 'Work that was disputed.',
    verification: 'Work that others confirmed.',
    gate: 'How far the score can move from its start. Confirmed and recent work lets it move further.',
  },
  riskLevel: {
    none: 'Nothing unusual was found.',
    low: 'Something is a little unusual.',
    elevated: 'Something is unusual. Take a look.',
    high: 'Something is very unusual. Take a close look.',
  },
  benchmarkDimension: {
    all: 'Compared with every record that has a score.',
    subjectType: 'Compared with records of the same kind: people, software or businesses.',
    verificationDepthBand: 'Compared with records that have a similar share of verified outcomes.',
    activityVolumeBand: 'Compared with records that have a similar number of events.',
    tenureBand: 'Compared with records that started about the same time ago.',
  },
  notificationChannelType: {
    slack: 'Messages to a Slack channel through an incoming webhook.',
    email: 'Messages to one email address.',
  },
  mappingTransform: {
    cents_to_units: 'Divides by a hundred.',
    iso_date: 'Reads a date, with or without a time.',
    lowercase: 'Converts to lower case.',
    trim: 'Removes spaces at both ends.',
    boolean: 'Reads yes or no from values such as `true`, `no` or `1`.',
  },
  keyMode: {
    live: 'Real people and real work.',
    test: 'Sample data of one platform, separate from all live data.',
  },
};
