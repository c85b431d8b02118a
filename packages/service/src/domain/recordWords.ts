import {
  type ConfidenceLabel,
  type ReasonCode,
  reasonCodeCatalog,
  type ScoreBand,
} from '@reliability/scoring';
import type { ScoreTrend } from './scoreCourse.js';

/** The fixed sentences that describe a record in one language (RULES R4). */
export interface RecordWords {
  score(finalScore: number, band: ScoreBand): string;
  trend(trend: ScoreTrend): string;
  foundation(counts: { totalEvents: number; verifiedEvents: number }): string;
  readonly backing: Readonly<Record<ConfidenceLabel, string>>;
  readonly frozen: string;
  plus(title: string): string;
  minus(title: string): string;
  title(entry: ReasonEntry): string;
  meaning(entry: ReasonEntry): string;
  readonly reasons: ReasonWords;
  /** @param description of a factor, as it is stored with the score. */
  factor(description: string): string;
  readonly disclosures: readonly string[];
}

/** A reason as stored with a score. Texts are added on reading. */
export interface StoredReason {
  code: string;
  evidence: Evidence;
}

const UNDER_REVIEW = 'RECORD_UNDER_VELOCITY_REVIEW';

/**
 * The current adverse reasons of a score. A freeze starts and ends without a recompute, so the
 * stored reasons lack it. It ranks first.
 * @param review the evidence of a freeze; null: not frozen.
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

interface ReasonWords {
  readonly nothingConfirmed: string;
  unconfirmed(outcomes: number): string;
  shortHistory(outcomes: number): string;
  longHistory(outcomes: number): string;
  completed(part: number, whole: number): string;
  readonly breachWeighs: string;
  onTime(part: number, whole: number): string;
  confirmed(part: number, whole: number): string;
  /** @param rate weighted by the formula: "67 %". */
  weighed(rate: string): string;
  disputed(outcomes: number): string;
  lost(disputes: number): string;
  noDispute(outcomes: number): string;
  inactive(days: number): string;
  readonly underReview: string;
}

/**
 * A reason as a sentence with its figures. Null if it has no figures: use the catalogue's text.
 * Rates are rounded down, so that none seems to reach a threshold that it missed.
 */
export function reasonText(code: ReasonCode, evidence: Evidence, words: ReasonWords): string | null {
  const sentences = sentencesOf[code]((name) => {
    const value = evidence[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  }, words);
  return sentences.join(' ') || null;
}

type Figures = (name: string) => number | null;
type Sentences = (figures: Figures, words: ReasonWords) => string[];

type ShareNames = readonly [part: string, whole: string, rate: string];
const COMPLETION: ShareNames = ['completedOutcomes', 'outcomes', 'completionRate'];
const ON_TIME: ShareNames = ['onTimeOutcomes', 'datedOutcomes', 'onTimeRate'];
const CONFIRMED: ShareNames = ['verifiedCompletedOutcomes', 'completedOutcomes', 'verificationDepth'];

const onTime: Sentences = (figures, words) => shareText(figures, ON_TIME, words, words.onTime);
const confirmed: Sentences = (figures, words) => shareText(figures, CONFIRMED, words, words.confirmed);

const sentencesOf: Record<ReasonCode, Sentences> = {
  NO_VERIFIED_HISTORY: (figures, words) => [
    words.nothingConfirmed,
    ...ifAny(figures('unverifiedOutcomes'), words.unconfirmed),
  ],
  LIMITED_VERIFIED_HISTORY: (figures, words) => ifAny(figures('verifiedOutcomes'), words.shortHistory),
  ESTABLISHED_VERIFIED_HISTORY: (figures, words) => ifAny(figures('verifiedOutcomes'), words.longHistory),
  LOW_COMPLETION_RATE: (figures, words) =>
    shareText(figures, COMPLETION, words, words.completed, words.breachWeighs),
  STRONG_COMPLETION_RATE: (figures, words) => shareText(figures, COMPLETION, words, words.completed),
  LOW_ONTIME_RATE: onTime,
  STRONG_ONTIME_RATE: onTime,
  DISPUTED_OUTCOMES_ON_RECORD: (figures, words) => [
    ...ifAny(figures('contestedOutcomes'), words.disputed),
    ...ifAny(figures('disputesDecidedAgainst'), words.lost),
  ],
  CLEAN_DISPUTE_RECORD: (figures, words) => ifAny(figures('outcomes'), words.noDispute),
  LOW_VERIFICATION_DEPTH: confirmed,
  INDEPENDENTLY_VERIFIED_RECORD: confirmed,
  INACTIVE_RECORD: (figures, words) => ifAny(figures('daysSinceLastOutcome'), words.inactive),
  RECORD_UNDER_VELOCITY_REVIEW: (_, words) => [words.underReview],
};

function ifAny(count: number | null, sentence: (count: number) => string): string[] {
  return count ? [sentence(count)] : [];
}

/** The rate is said only where the weights of the formula change it. */
function shareText(
  figures: Figures,
  [part, whole, rate]: ShareNames,
  words: ReasonWords,
  sentence: (part: number, whole: number) => string,
  ...why: string[]
): string[] {
  const [counted, all, weighted] = [figures(part), figures(whole), figures(rate)];
  if (counted === null || !all || weighted === null) return [];
  const isPlain = percent(counted / all) === percent(weighted);
  return [sentence(counted, all), ...(isPlain ? [] : [...why, words.weighed(percent(weighted))])];
}

/** Rates have four decimals. Rounding to basis points first keeps 0.57 from becoming 56 %. */
function percent(share: number): string {
  return `${Math.floor(Math.round(share * 10_000) / 100)} %`;
}
