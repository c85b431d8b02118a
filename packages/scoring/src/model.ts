/** Version of the formula. A change of any constant below changes it (RULES S16). */
export const FORMULA_VERSION = '5.3';
/** Version of the reason-code catalogue. */
export const REASON_CODES_VERSION = '1.0';
/** How many adverse reasons a reader should consider at least. The list itself is never cut. */
export const KEY_FACTOR_LIMIT = 4;

/** Every event type. The order is part of the tally code: append, never reorder. */
export const eventTypes = [
  'TRANSACTION_COMPLETED',
  'TRANSACTION_DISPUTED',
  'TRANSACTION_CANCELLED',
  'REVIEW_VERIFIED',
  'CONTRACT_FULFILLED',
  'CONTRACT_CANCELLED',
  'CONTRACT_BREACHED',
  'DISPUTE_FILED',
  'DISPUTE_RESOLVED_FOR_USER',
  'DISPUTE_RESOLVED_AGAINST_USER',
  'EDUCATION_VERIFIED',
  'SKILL_VERIFIED',
  'CERTIFICATION_VERIFIED',
  'EMPLOYMENT_VERIFIED',
  'PROJECT_LOGGED',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Order is part of the tally code: append, never reorder. */
export const stakeLevels = ['HIGH', 'MEDIUM', 'LOW'] as const;
export type StakeLevel = (typeof stakeLevels)[number];

/** Trust tiers of a reporting platform. Order is part of the tally code: append, never reorder. */
export const platformTiers = ['ENTERPRISE', 'GROWTH', 'STARTER', 'SELF_REPORTED'] as const;
export type PlatformTier = (typeof platformTiers)[number];

/** Order is part of the tally code: append, never reorder. */
export const timelinessValues = ['on_time', 'late', 'untimed'] as const;
export type Timeliness = (typeof timelinessValues)[number];

/** Highest first. */
export const scoreBands = ['Excellent', 'Good', 'Fair', 'Building', 'Unproven', 'High Risk'] as const;
export type ScoreBand = (typeof scoreBands)[number];

export const confidenceLabels = ['low', 'medium', 'high'] as const;
export type ConfidenceLabel = (typeof confidenceLabels)[number];

/** The four weighted factors and, last, the combined effect of ceiling and floor. */
export const factorNames = ['completion', 'timeliness', 'disputes', 'verification', 'gate'] as const;
export type Factor = (typeof factorNames)[number];
export type WeightedFactor = Exclude<Factor, 'gate'>;
export const weightedFactors = factorNames.slice(0, 4) as readonly WeightedFactor[];

export type OutcomeClass = 'positive' | 'breach' | 'contested' | 'none';
export type EventKind = 'outcome' | 'qualification' | 'project';

/**
 * Every constant of formula 5.3 in one frozen, JSON-compatible object, served by `GET /scoring/model`. The code takes numbers from
 * nowhere else. Values are points unless the name says days. Shares and rates are 0 to 1 (RULES S6).
 */
export const model = deepFreeze({
  formulaVersion: FORMULA_VERSION,
  reasonCodesVersion: REASON_CODES_VERSION,
  keyFactorLimit: KEY_FACTOR_LIMIT,
  scoreMinimum: 0,
  scoreMaximum: 100,
  anchor: 20,
  halfLifeDays: 180,
  breachSeverity: 4,
  timelinessPrior: 1,
  disputeMultiplier: 3,
  disputeOffset: 0.75,
  evidenceHalf: 3,
  unverifiedGateMax: 0.2,
  unverifiedHalf: 20,
  confidenceHalf: 5,
  // derived, not a rule: the start of a record whose unverified half is perfect (model.test.ts checks it)
  unprovenCeiling: 34,
  fairCeiling: 64.99,
  factors: factorNames,
  weights: { completion: 0.4, timeliness: 0.35, disputes: 0.15, verification: 0.1 },
  stakeWeights: { HIGH: 1.5, MEDIUM: 1, LOW: 0.5 },
  tierMultipliers: { ENTERPRISE: 1, GROWTH: 0.85, STARTER: 0.7, SELF_REPORTED: 0.4 },
  classes: {
    positive: ['TRANSACTION_COMPLETED', 'REVIEW_VERIFIED', 'CONTRACT_FULFILLED', 'DISPUTE_RESOLVED_FOR_USER'],
    breach: ['CONTRACT_BREACHED', 'DISPUTE_RESOLVED_AGAINST_USER'],
    contested: ['TRANSACTION_DISPUTED', 'DISPUTE_FILED'],
  },
  unscoredKinds: {
    qualification: ['EDUCATION_VERIFIED', 'SKILL_VERIFIED', 'CERTIFICATION_VERIFIED', 'EMPLOYMENT_VERIFIED'],
    project: ['PROJECT_LOGGED'],
  },
  bands: [
    { band: 'Excellent', minimum: 80 },
    { band: 'Good', minimum: 65 },
    { band: 'Fair', minimum: 50 },
    { band: 'Building', minimum: 35 },
    { band: 'Unproven', minimum: 20 },
    { band: 'High Risk', minimum: 0 },
  ],
  confidenceLabels: [
    { label: 'high', minimum: 0.7 },
    { label: 'medium', minimum: 0.35 },
    { label: 'low', minimum: 0 },
  ],
  components: {
    consistencyMonths: 12,
    consistencyMinimumMonths: 2,
    consistencySpread: 2,
    momentumNeutral: 50,
    momentumRecentDays: 90,
    momentumEarlierDays: 365,
  },
  reasonCodes: {
    limitedEvidenceBelow: 5,
    establishedEvidenceFrom: 10,
    lowCompletionBelow: 0.8,
    strongCompletionFrom: 0.95,
    lowOnTimeBelow: 0.75,
    strongOnTimeFrom: 0.9,
    lowDepthBelow: 0.5,
    independentDepthFrom: 0.8,
    inactiveAfterDays: 180,
  },
  rounding: {
    mode: 'half up',
    scoreDecimals: 2,
    factorDecimals: 2,
    componentDecimals: 2,
    confidenceDecimals: 4,
    tolerance: 1e-9,
  },
} as const satisfies ModelShape);

/** The constants that a score depends on. `model` has those of the published formula; a backtest compares others with it. */
export interface FormulaConstants {
  readonly anchor: number;
  /** whole days */
  readonly halfLifeDays: number;
  readonly breachSeverity: number;
  readonly timelinessPrior: number;
  readonly disputeMultiplier: number;
  readonly disputeOffset: number;
  readonly evidenceHalf: number;
  readonly unverifiedGateMax: number;
  readonly unverifiedHalf: number;
  readonly confidenceHalf: number;
  readonly fairCeiling: number;
  readonly weights: Readonly<Record<WeightedFactor, number>>;
  readonly stakeWeights: Readonly<Record<StakeLevel, number>>;
  readonly tierMultipliers: Readonly<Record<PlatformTier, number>>;
  /** highest first */
  readonly bands: readonly { readonly band: ScoreBand; readonly minimum: number }[];
}

/** How the formula treats an event type. `none`: cancelled entries, qualifications and projects, which are in no sum. */
export function outcomeClassOf(eventType: EventType): OutcomeClass {
  return classByType[eventType];
}

/** `outcome` for outcome events. Qualifications and projects never count, not even as events (RULES E11). */
export function eventKindOf(eventType: EventType): EventKind {
  return kindByType[eventType];
}

/** The highest band whose minimum the rounded score reaches. */
export function scoreBandOf(score: number, bands: FormulaConstants['bands'] = model.bands): ScoreBand {
  return bands.find((entry) => score >= entry.minimum)?.band ?? 'High Risk';
}

/** The label of a rounded confidence, so that label and number never contradict each other. */
export function confidenceLabelOf(confidence: number): ConfidenceLabel {
  return model.confidenceLabels.find((entry) => confidence >= entry.minimum)?.label ?? 'low';
}

interface ModelShape extends FormulaConstants {
  readonly classes: Record<Exclude<OutcomeClass, 'none'>, readonly EventType[]>;
  readonly unscoredKinds: Record<Exclude<EventKind, 'outcome'>, readonly EventType[]>;
  readonly confidenceLabels: readonly { label: ConfidenceLabel; minimum: number }[];
  readonly [constant: string]: unknown;
}

const classByType = labelTypes<OutcomeClass>(model.classes, 'none');
const kindByType = labelTypes<EventKind>(model.unscoredKinds, 'outcome');

function labelTypes<L extends string>(groups: { [label in L]?: readonly EventType[] }, otherwise: L) {
  const labels = Object.fromEntries(eventTypes.map((type) => [type, otherwise])) as Record<EventType, L>;
  for (const label of Object.keys(groups) as L[]) {
    for (const type of groups[label] ?? []) labels[type] = label;
  }
  return labels;
}

// The formula has no configuration. A writable model would be one.
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
