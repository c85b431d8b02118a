import { model, type ReasonCode, reasonCodeCatalog, type ScoreBand } from '@reliability/scoring';
import type en from '../../data/recordWords.en.json';
import { fill } from './fill.js';

/** What describes a record in one language (RULES R4): the sentences of `data/`, and texts of the formula. */
export type RecordWords = typeof en & {
  bandName(band: ScoreBand): string;
  title(entry: ReasonEntry): string;
  titleWithin(entry: ReasonEntry): string;
  meaning(entry: ReasonEntry): string;
  /** @param description of a factor, as it is stored with the score. */
  factor(description: string): string;
  readonly disclosures: readonly string[];
};

/** A reason as stored with a score. Texts are added on reading. */
export interface StoredReason {
  code: string;
  evidence: Evidence;
}

const UNDER_REVIEW = 'RECORD_UNDER_VELOCITY_REVIEW';

/**
 * A freeze starts and ends without a recompute, so stored reasons lack it. Null: not frozen. It ranks first.
 */
export function withReview(adverse: readonly StoredReason[], review: Evidence | null): StoredReason[] {
  const computed = adverse.filter(({ code }) => code !== UNDER_REVIEW);
  return review ? [{ code: UNDER_REVIEW, evidence: review }, ...computed] : computed;
}

export type ReasonEntry = (typeof reasonCodeCatalog.codes)[number];

const entryByCode = new Map<string, ReasonEntry>(reasonCodeCatalog.codes.map((entry) => [entry.code, entry]));

/** The catalogue's entry; undefined for a code that a newer version stored. */
export function reasonEntryOf(code: string): ReasonEntry | undefined {
  return entryByCode.get(code);
}

/** The counts and rates behind a reason, by name. */
export type Evidence = Readonly<Record<string, number | string | null>>;

/** A sentence; with the name of a figure one that has it, with those of part, whole and rate of a share. */
type Sentence = readonly [
  text: keyof RecordWords['reasons'],
  figure?: string,
  whole?: string,
  rate?: string,
  whyWeighed?: keyof RecordWords['reasons'],
];

const COMPLETED = ['completed', 'completedOutcomes', 'outcomes', 'completionRate'] as const;
const ON_TIME = ['onTime', 'onTimeOutcomes', 'datedOutcomes', 'onTimeRate'] as const;
const CONFIRMED = [
  'confirmed',
  'verifiedCompletedOutcomes',
  'completedOutcomes',
  'verificationDepth',
] as const;

const sentencesOf: Readonly<Record<ReasonCode, readonly Sentence[]>> = {
  NO_VERIFIED_HISTORY: [['nothingConfirmed'], ['unconfirmed', 'unverifiedOutcomes']],
  LIMITED_VERIFIED_HISTORY: [['shortHistory', 'verifiedOutcomes']],
  ESTABLISHED_VERIFIED_HISTORY: [['longHistory', 'verifiedOutcomes']],
  LOW_COMPLETION_RATE: [[...COMPLETED, 'breachWeighs']],
  STRONG_COMPLETION_RATE: [COMPLETED],
  LOW_ONTIME_RATE: [ON_TIME],
  STRONG_ONTIME_RATE: [ON_TIME],
  DISPUTED_OUTCOMES_ON_RECORD: [
    ['disputed', 'contestedOutcomes'],
    ['lost', 'disputesDecidedAgainst'],
  ],
  CLEAN_DISPUTE_RECORD: [['noDispute', 'outcomes']],
  LOW_VERIFICATION_DEPTH: [CONFIRMED],
  INDEPENDENTLY_VERIFIED_RECORD: [CONFIRMED],
  INACTIVE_RECORD: [['inactive', 'daysSinceLastOutcome']],
  RECORD_UNDER_VELOCITY_REVIEW: [['underReview']],
};

/**
 * A reason as a sentence with its figures. Null if it has no figures: use the catalogue's text.
 * Rates are rounded down, so that none seems to reach a threshold that it missed.
 */
export function reasonText(code: ReasonCode, evidence: Evidence, words: RecordWords): string | null {
  const figureOf = (name: string) => {
    const value = evidence[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  };
  const texts = sentencesOf[code].flatMap(([text, figure, whole, rate, whyWeighed]): string[] => {
    const sentence = words.reasons[text];
    if (figure === undefined) return [sentence];
    const part = figureOf(figure);
    if (whole === undefined || rate === undefined) return part ? [fill(sentence, placesOf(part, words))] : [];
    const [all, weighted] = [figureOf(whole), figureOf(rate)];
    if (part === null || !all || weighted === null) return [];
    const plain = fill(sentence, { ...placesOf(all, words), part });
    // The rate is said only where the weights of the formula change it.
    if (percent(part / all) === percent(weighted)) return [plain];
    const why = whyWeighed && fill(words.reasons[whyWeighed], { breachSeverity: model.breachSeverity });
    return [plain, ...(why ? [why] : []), fill(words.reasons.weighed, { rate: percent(weighted) })];
  });
  return texts.join(' ') || null;
}

/** What a sentence may have for a number of things. */
function placesOf(count: number, { counts }: RecordWords): Record<string, string | number> {
  const texts = Object.entries(counts).map(([name, { one, several }]) => [
    name,
    count === 1 ? one : fill(several, { count }),
  ]);
  return { count, ...Object.fromEntries(texts) };
}

/** Rates have four decimals. Rounding to basis points first keeps 0.57 from becoming 56 %. */
function percent(share: number): string {
  return `${Math.floor(Math.round(share * 10_000) / 100)} %`;
}
