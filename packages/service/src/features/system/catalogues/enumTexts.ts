import type { ConfidenceLabel, EventType, PlatformTier, ScoreBand, StakeLevel } from '@reliability/scoring';
import type { PlanKey } from '../../../domain/catalogues/plans.js';

/** What an event of a type does to a score, in everyday words. */
export const effects: Record<EventType, string> = {
  TRANSACTION_COMPLETED: 'Helps the score: it counts as finished work.',
  TRANSACTION_DISPUTED:
    'Opens a dispute and lowers the score until that ends. Until then the dispatch read does not count it as a broken agreement.',
  TRANSACTION_CANCELLED: 'Changes nothing: it counts neither for nor against anybody.',
  REVIEW_VERIFIED: 'Helps the score: it counts as finished work.',
  CONTRACT_FULFILLED: 'Helps the score: it counts as finished work.',
  CONTRACT_CANCELLED: 'Changes nothing: it counts neither for nor against anybody.',
  CONTRACT_BREACHED: 'Lowers the score more than anything else.',
  DISPUTE_FILED: 'Lowers the score until the dispute ends. Only the service writes it.',
  DISPUTE_RESOLVED_FOR_USER:
    'Helps the score and makes up for part of other disputes. The service writes it when a dispute ends this way.',
  DISPUTE_RESOLVED_AGAINST_USER:
    'Lowers the score as much as a broken agreement. Only the service writes it.',
  EDUCATION_VERIFIED: 'Shows in the verified profile and never moves a score.',
  SKILL_VERIFIED: 'Shows in the verified profile and never moves a score.',
  CERTIFICATION_VERIFIED: 'Shows in the verified profile and never moves a score.',
  EMPLOYMENT_VERIFIED: 'Shows in the verified profile and never moves a score.',
  PROJECT_LOGGED: 'Never moves a score. The service does not open the link.',
};

/**
 * What each value of `GET /enums` means, in everyday words: people look up there what a platform says about them. That none is
 * missing is checked where they are put together.
 */
export const enumTexts = {
  eventType: {
    TRANSACTION_COMPLETED: 'A job, order or booking was done.',
    TRANSACTION_DISPUTED: 'The work was delivered, and the other side disagrees with it.',
    TRANSACTION_CANCELLED: 'A job, order or booking was called off.',
    REVIEW_VERIFIED: 'Somebody looked at the work and found it in order.',
    CONTRACT_FULFILLED: 'All that was agreed was delivered.',
    CONTRACT_CANCELLED: 'An agreement ended early, and nobody failed in it.',
    CONTRACT_BREACHED: 'Something that was agreed was not done.',
    DISPUTE_FILED: 'Somebody asked to have a result looked into.',
    DISPUTE_RESOLVED_FOR_USER: 'A dispute ended in favour of the person whose record it is.',
    DISPUTE_RESOLVED_AGAINST_USER: 'A dispute ended against the person whose record it is.',
    EDUCATION_VERIFIED: 'A degree or a course that somebody else confirmed.',
    SKILL_VERIFIED: 'A skill that somebody else confirmed.',
    CERTIFICATION_VERIFIED: 'A certificate or licence that somebody else confirmed.',
    EMPLOYMENT_VERIFIED: 'A time in a job that somebody else confirmed.',
    PROJECT_LOGGED: 'A link to own work, shown the way its owner presents it.',
  } satisfies Record<EventType, string>,
  stakeLevel: {
    HIGH: 'A lot hung on the job: safety, rights or much money.',
    MEDIUM: 'A usual job. It is taken where nothing is said.',
    LOW: 'A small everyday job.',
  } satisfies Record<StakeLevel, string>,
  scoreBand: {
    Excellent: 'The top band: plenty of confirmed work and few problems.',
    Good: 'A strong score that rests on confirmed work.',
    Fair: 'A middling score that rests on confirmed work.',
    Building: 'A score on its way, with the first confirmed work behind it.',
    Unproven: 'Where each record starts. Little is confirmed yet, or much went wrong.',
    'High Risk': 'Broken agreements that others confirmed took the score below where it started.',
  } satisfies Record<ScoreBand, string>,
  confidenceLabel: {
    high: 'Much confirmed work stands behind the score.',
    medium: 'Some confirmed work stands behind the score.',
    low: 'Little confirmed work stands behind the score so far.',
  } satisfies Record<ConfidenceLabel, string>,
  disputeStatus: {
    OPEN: 'Not settled yet.',
    RESOLVED_FOR_USER: 'Settled in favour of the person whose record it is.',
    RESOLVED_AGAINST_USER: 'Settled against the person whose record it is.',
  },
  requestStatus: {
    PENDING: 'The other side has not answered yet.',
    CONFIRMED: 'The other side said yes, and it went on record.',
    DECLINED: 'The other side said no. Nothing went on record.',
    EXPIRED: 'No answer came in time. Nothing went on record.',
    CANCELLED: 'Whoever asked took the question back. Nothing went on record.',
  },
  subjectType: {
    PERSON: 'A human being. It is taken where nothing is said.',
    AGENT: 'A piece of software that acts by itself, with somebody who answers for it.',
    ORGANIZATION: 'A business, or another body with a name of its own.',
  },
  platformTier: {
    ENTERPRISE: 'A platform trusted in full: its reports count whole.',
    GROWTH: 'A platform trusted well: its reports count a little less.',
    STARTER: 'A platform that is new to the service: its reports count less.',
    SELF_REPORTED: 'People report about themselves here: these reports count least.',
  } satisfies Record<PlatformTier, string>,
  planTier: {
    starter: 'The plan to begin with. It changes no score.',
    growth: 'The plan for more calls and campaigns. It changes no score.',
    enterprise: 'The plan that opens everything. It changes no score.',
  } satisfies Record<PlanKey, string>,
  warningCode: {
    VERIFICATION_DOWNGRADED:
      'Recorded as not confirmed, since nobody but the person it is about stood behind it.',
    STAKE_CAPPED: 'HIGH was recorded as MEDIUM, since an import cannot carry the highest stake.',
    UNKNOWN_FIELD:
      'A field that no event has was left out. Look for a typing mistake: what is on record is never edited.',
    IDEMPOTENCY_KEY_REUSED:
      'This key came before with other content. The first event stands, and nothing new was written.',
    KEY_EXPIRY_CLAMPED:
      'The new key ends earlier than asked for: with the key that made it, or after the longest life that the platform allows.',
    KEY_OPENS_CONFIRMATIONS:
      'The new key has read scopes only, but any valid key can open confirmations unless the platform sets `confirmationsRequireWrite`.',
  },
  importStatus: {
    QUEUED: 'The file waits for its turn.',
    RUNNING: 'The rows of the file are being recorded.',
    COMPLETED: 'Every row was looked at. Those that failed are listed.',
    FAILED: 'The import ended early. What was recorded before stays on record.',
  },
  screeningStatus: {
    QUEUED: 'The list of people waits for its turn.',
    RUNNING: 'The scores are being looked up.',
    COMPLETED: 'The results are there to be read.',
    FAILED: 'The look-up ended early. There are no results.',
  },
  deliveryStatus: {
    succeeded: 'The receiver took the message.',
    failed: 'The receiver did not take the message in this attempt.',
  },
  disabledReason: {
    gone: 'The receiver answered that it is gone.',
    failing: 'The receiver took nothing for days.',
  },
  itemStatus: {
    created: 'New, and now on record.',
    skipped: 'On record before, so nothing was written.',
    duplicate: 'Asked before, so nobody is asked twice.',
    failed: 'Something is wrong with it. The error next to it says what.',
  },
  disputeOutcome: {
    FOR_USER: 'It ended in favour of the person whose record it is.',
    AGAINST_USER: 'It ended against the person whose record it is.',
  },
  requestDecision: {
    confirm: 'Yes, it happened as described.',
    decline: 'No, or not as described.',
  },
  reminderStage: {
    awaiting_response: 'The other side has not answered for a while.',
    expiring_soon: 'The time to answer ends soon.',
  },
  answerChannel: {
    page: 'On the page of this service.',
    api: 'By a program, through the API.',
  },
  browserFamily: {
    chrome: 'Chrome, or another browser that calls itself so.',
    safari: 'Safari.',
    firefox: 'Firefox.',
    edge: 'Edge.',
    other: 'Another browser, or a program.',
  },
  referenceKind: {
    employment: 'A time in a job.',
    education: 'A degree or a course.',
    certification: 'A certificate or licence.',
    skill: 'A skill.',
  },
  qualificationStatus: {
    current: 'It holds today.',
    expired: 'Its last day is over.',
  },
  monitorCondition: {
    below_score: 'The score fell below the number of the monitor.',
    above_score: 'The score rose above the number of the monitor.',
    band_change: 'The score moved into another band.',
  },
  policyMetric: {
    score: 'The score itself.',
    component: 'One of the six parts of a score.',
    verified_events: 'How many outcomes others confirmed.',
    band: 'The band of the score.',
  },
  policyDirection: {
    below: 'It falls below the number.',
    above: 'It rises above the number.',
    enter: 'It comes into the band.',
    leave: 'It goes out of the band.',
  },
  component: {
    reliability: 'How much of the work was done as agreed.',
    timeliness: 'How much of it was done on time.',
    trustworthiness: 'How little of it was disputed.',
    verification: 'How much of it others confirmed.',
    consistency: 'How even the work was over time.',
    momentum: 'Where the record has been heading of late.',
  },
  factor: {
    completion: 'Work that was done against work that was not.',
    timeliness: 'Work that was done by its due date.',
    disputes: 'Work that was disputed.',
    verification: 'Work that others confirmed.',
    gate: 'How far the score may leave its start: confirmed and recent work opens the way.',
  },
  riskLevel: {
    none: 'Nothing unusual was found.',
    low: 'Something is a little unusual.',
    elevated: 'Something is unusual. It is worth a look.',
    high: 'Something is very unusual. It is worth a close look.',
  },
  benchmarkDimension: {
    all: 'Among every record that has a score.',
    subjectType: 'Among records of the same kind: people, software or businesses.',
    verificationDepthBand: 'Among records of which others confirmed a like share.',
    activityVolumeBand: 'Among records with a like number of events.',
    tenureBand: 'Among records that began about as long ago.',
  },
  notificationChannelType: {
    slack: 'Messages in a Slack channel, by an incoming webhook.',
    email: 'Messages to one mail address.',
  },
  mappingTransform: {
    cents_to_units: 'Divides by a hundred.',
    iso_date: 'Reads a date, with or without a time.',
    lowercase: 'Turns capitals into small letters.',
    trim: 'Takes away spaces at both ends.',
    boolean: 'Reads yes or no from words and digits such as `true`, `no` or `1`.',
  },
  keyMode: {
    live: 'Real people and real work.',
    test: 'Sample data of one platform, kept apart from all that is real.',
  },
};
