import { FORMULA_VERSION, KEY_FACTOR_LIMIT, model, REASON_CODES_VERSION } from './model.js';

export type ReasonFactor =
  | 'completion'
  | 'timeliness'
  | 'disputes'
  | 'verification'
  | 'evidence'
  | 'recency'
  | 'integrity';
export type ReasonDirection = 'adverse' | 'supporting';

export interface ReasonCodeEntry {
  readonly code: string;
  readonly factor: ReasonFactor;
  readonly direction: ReasonDirection;
  readonly title: string;
  /** everyday words for the person the record is about: a statement, no advice, no verdict */
  readonly description: string;
}

const limits = model.reasonCodes;
const percent = (share: number) => `${Math.round(share * 100)} %`;

const codes = [
  {
    code: 'CLEAN_DISPUTE_RECORD',
    factor: 'disputes',
    direction: 'supporting',
    title: 'No disputes',
    description:
      'Nobody has disputed a result on this record, and no dispute went against its owner. Others have confirmed some of its work.',
  },
  {
    code: 'DISPUTED_OUTCOMES_ON_RECORD',
    factor: 'disputes',
    direction: 'adverse',
    title: 'Disputes on the record',
    description: 'At least one result was disputed, or a dispute went against the owner of this record.',
  },
  {
    code: 'ESTABLISHED_VERIFIED_HISTORY',
    factor: 'evidence',
    direction: 'supporting',
    title: 'Long confirmed history',
    description: `Others have confirmed many results. Together they count at least as much as ${limits.establishedEvidenceFrom} new results of usual size from a fully trusted platform.`,
  },
  {
    code: 'INACTIVE_RECORD',
    factor: 'recency',
    direction: 'adverse',
    title: 'No recent results',
    description: `The last result is more than ${limits.inactiveAfterDays} days old. Old results count less every day.`,
  },
  {
    code: 'INDEPENDENTLY_VERIFIED_RECORD',
    factor: 'verification',
    direction: 'supporting',
    title: 'Mostly confirmed by others',
    description: `Someone other than the owner of this record confirmed at least ${percent(limits.independentDepthFrom)} of the finished work. Recent and bigger jobs count for more.`,
  },
  {
    code: 'LIMITED_VERIFIED_HISTORY',
    factor: 'evidence',
    direction: 'adverse',
    title: 'Short confirmed history',
    description: `Others have confirmed only a few results so far. Together they count less than ${limits.limitedEvidenceBelow} new results of usual size from a fully trusted platform.`,
  },
  {
    code: 'LOW_COMPLETION_RATE',
    factor: 'completion',
    direction: 'adverse',
    title: 'Low completion rate',
    description: `Less than ${percent(limits.lowCompletionBelow)} of the results count as finished. A broken agreement weighs ${model.breachSeverity} times as much as finished work.`,
  },
  {
    code: 'LOW_ONTIME_RATE',
    factor: 'timeliness',
    direction: 'adverse',
    title: 'Low on-time rate',
    description: `Less than ${percent(limits.lowOnTimeBelow)} of the finished jobs were on time. Only jobs with both a due date and a finish date count here.`,
  },
  {
    code: 'LOW_VERIFICATION_DEPTH',
    factor: 'verification',
    direction: 'adverse',
    title: 'Little confirmed by others',
    description: `Someone other than the owner of this record confirmed less than ${percent(limits.lowDepthBelow)} of the finished work. Recent and bigger jobs count for more.`,
  },
  {
    code: 'NO_VERIFIED_HISTORY',
    factor: 'evidence',
    direction: 'adverse',
    title: 'No confirmed history yet',
    description: `Nobody else has confirmed a finished or broken agreement on this record. Until someone does, the score stays at ${model.unprovenCeiling} or below.`,
  },
  {
    code: 'RECORD_UNDER_VELOCITY_REVIEW',
    factor: 'integrity',
    direction: 'adverse',
    title: 'Score paused for a check',
    description:
      'Very many entries came in within a short time. The score is paused until the operator has checked them.',
  },
  {
    code: 'STRONG_COMPLETION_RATE',
    factor: 'completion',
    direction: 'supporting',
    title: 'High completion rate',
    description: `At least ${percent(limits.strongCompletionFrom)} of the confirmed results count as finished. Recent and bigger jobs count for more.`,
  },
  {
    code: 'STRONG_ONTIME_RATE',
    factor: 'timeliness',
    direction: 'supporting',
    title: 'High on-time rate',
    description: `At least ${percent(limits.strongOnTimeFrom)} of the confirmed, finished jobs were on time. Only jobs with both a due date and a finish date count here.`,
  },
] as const satisfies readonly ReasonCodeEntry[];

export type ReasonCode = (typeof codes)[number]['code'];

/** The answer of `GET /reason-codes`: every code in a fixed order, and the disclosures for all of them. */
export const reasonCodeCatalog = {
  reasonCodesVersion: REASON_CODES_VERSION,
  formulaVersion: FORMULA_VERSION,
  keyFactorLimit: KEY_FACTOR_LIMIT,
  disclosures: [
    `Formula ${FORMULA_VERSION} calculates every score from recorded results alone. No person and no AI changes it.`,
    'Reason codes name the recorded facts that moved the score. They are not advice and not a decision.',
    'A score is evidence. It is not a consumer report and not proof of income for a credit decision.',
    'If you act against a person because of a score, you are responsible for that step and for any notice the law requires.',
    `Reasons that lower a score are listed by the points they cost. The first ${KEY_FACTOR_LIMIT} are the key reasons. Every reason that applies is listed.`,
  ],
  codes,
} as const;
