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
  /** for the person the record is about: what the code states, no advice and no verdict */
  readonly description: string;
}

const limits = model.reasonCodes;
const percent = (share: number) => `${Math.round(share * 100)} %`;

const codes = [
  {
    code: 'CLEAN_DISPUTE_RECORD',
    factor: 'disputes',
    direction: 'supporting',
    title: 'No disputes on record',
    description:
      'No outcome on this record is contested, and no dispute was decided against its holder. Verified outcomes are present.',
  },
  {
    code: 'DISPUTED_OUTCOMES_ON_RECORD',
    factor: 'disputes',
    direction: 'adverse',
    title: 'Disputed outcomes on record',
    description:
      'At least one outcome is contested, or a dispute was decided against the holder of this record.',
  },
  {
    code: 'ESTABLISHED_VERIFIED_HISTORY',
    factor: 'evidence',
    direction: 'supporting',
    title: 'Established verified history',
    description: `Outcomes confirmed by other parties add up to at least ${limits.establishedEvidenceFrom} units of evidence, weighted by stake, reporter and age.`,
  },
  {
    code: 'INACTIVE_RECORD',
    factor: 'recency',
    direction: 'adverse',
    title: 'No recent outcomes',
    description: `The latest outcome lies more than ${limits.inactiveAfterDays} days back. Older outcomes weigh less with every day.`,
  },
  {
    code: 'INDEPENDENTLY_VERIFIED_RECORD',
    factor: 'verification',
    direction: 'supporting',
    title: 'Mostly confirmed by others',
    description: `Parties other than the holder confirmed at least ${percent(limits.independentDepthFrom)} of the completed work on this record, by weight.`,
  },
  {
    code: 'LIMITED_VERIFIED_HISTORY',
    factor: 'evidence',
    direction: 'adverse',
    title: 'Short verified history',
    description: `Some outcomes are confirmed by other parties, but they add up to less than ${limits.limitedEvidenceBelow} units of evidence, weighted by stake, reporter and age.`,
  },
  {
    code: 'LOW_COMPLETION_RATE',
    factor: 'completion',
    direction: 'adverse',
    title: 'Completion rate below the usual mark',
    description: `Completed outcomes make up less than ${percent(limits.lowCompletionBelow)} of the weighted outcomes. A breach weighs ${model.breachSeverity} times as much as a completed outcome.`,
  },
  {
    code: 'LOW_ONTIME_RATE',
    factor: 'timeliness',
    direction: 'adverse',
    title: 'On-time rate below the usual mark',
    description: `Of the completed outcomes that carry both a due date and a completion date, less than ${percent(limits.lowOnTimeBelow)} by weight were on time.`,
  },
  {
    code: 'LOW_VERIFICATION_DEPTH',
    factor: 'verification',
    direction: 'adverse',
    title: 'Few outcomes confirmed by others',
    description: `Parties other than the holder confirmed less than ${percent(limits.lowDepthBelow)} of the completed work on this record, by weight.`,
  },
  {
    code: 'NO_VERIFIED_HISTORY',
    factor: 'evidence',
    direction: 'adverse',
    title: 'No verified history yet',
    description: `No completed or breached outcome on this record is confirmed by another party. Until one is, the score stays at or below ${model.unprovenCeiling}.`,
  },
  {
    code: 'RECORD_UNDER_VELOCITY_REVIEW',
    factor: 'integrity',
    direction: 'adverse',
    title: 'Score paused for a volume check',
    description:
      'An unusual number of events arrived in a short time. The score stands still until the operator has looked at them.',
  },
  {
    code: 'STRONG_COMPLETION_RATE',
    factor: 'completion',
    direction: 'supporting',
    title: 'High completion rate',
    description: `Completed outcomes make up at least ${percent(limits.strongCompletionFrom)} of the weighted outcomes that other parties confirmed.`,
  },
  {
    code: 'STRONG_ONTIME_RATE',
    factor: 'timeliness',
    direction: 'supporting',
    title: 'High on-time rate',
    description: `Of the confirmed outcomes that carry both a due date and a completion date, at least ${percent(limits.strongOnTimeFrom)} by weight were on time.`,
  },
] as const satisfies readonly ReasonCodeEntry[];

export type ReasonCode = (typeof codes)[number]['code'];

/** What `GET /reason-codes` serves: every code in the order of INTERFACE 2.3, and what holds for all of them. */
export const reasonCodeCatalog = {
  reasonCodesVersion: REASON_CODES_VERSION,
  formulaVersion: FORMULA_VERSION,
  keyFactorLimit: KEY_FACTOR_LIMIT,
  disclosures: [
    `Every score is computed from recorded outcomes alone, by formula ${FORMULA_VERSION}. No person and no AI model changes it.`,
    'Reason codes state which recorded facts moved the score. They recommend nothing and decide nothing.',
    'This output is evidence. It is neither a consumer report nor an income verification for a credit decision.',
    'Whoever takes an adverse action on the strength of it is responsible for that action and for any notice it calls for.',
    `Adverse reasons are ranked by the points they cost. The first ${KEY_FACTOR_LIMIT} are the key factors; all that apply are listed.`,
  ],
  codes,
} as const;
