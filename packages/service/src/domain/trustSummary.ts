import type { ConfidenceLabel, Factor, ReasonFactor, ScoreBand } from '@reliability/scoring';
import { fill } from './fill.js';
import { recordWords } from './languages.js';
import {
  type Evidence,
  type ReasonEntry,
  type RecordWords,
  reasonEntryOf,
  reasonText,
  type StoredReason,
  withReview,
} from './recordWords.js';
import { type ScoreTrend, TREND_DAYS } from './scoreCourse.js';

export interface ScoreFacts {
  finalScore: number;
  scoreBand: ScoreBand;
  confidenceLabel: ConfidenceLabel;
  totalEvents: number;
  verifiedEvents: number;
  frozenAt: Date | null;
  factors: readonly { name: Factor; contribution: number }[];
  /** Most costly first. */
  adverse: readonly StoredReason[];
  supporting: readonly StoredReason[];
  /** Null: no outcome is old enough. */
  trend: ScoreTrend | null;
}

/** In plain words, from figures only: it names nobody, and never recommends (RULES R4). */
export function trustSummaryOf(facts: ScoreFacts, words: RecordWords = recordWords.en) {
  const strengths = bySignificance(facts);
  const risks = known(withReview(facts.adverse, facts.frozenAt && {}));
  const trend = facts.trend && { ...facts.trend, text: trendText(facts.trend, words) };
  const score = pointsText(facts.finalScore, words);
  const { totalEvents, verifiedEvents } = facts;
  const one = verifiedEvents === 1 ? 'oneConfirmed' : 'oneUnconfirmed';
  const foundation = words.foundation[totalEvents === 1 ? one : 'several'];
  const sentences = [
    fill(words.score, { score, band: words.bandName(facts.scoreBand) }),
    trend?.text ?? '',
    fill(foundation, { totalEvents, verifiedEvents }),
    words.backing[facts.confidenceLabel],
    facts.frozenAt ? words.frozen : '',
    strengths[0] ? fill(words.plus, { title: words.titleWithin(strengths[0].entry) }) : '',
    risks[0] ? fill(words.minus, { title: words.titleWithin(risks[0].entry) }) : '',
  ];
  return {
    summary: sentences.filter((sentence) => sentence !== '').join(' '),
    strengths: strengths.map((reason) => toPoint(reason, words)),
    risks: risks.map((reason) => toPoint(reason, words)),
    trend,
  };
}

function trendText({ finalScore, change }: ScoreTrend, words: RecordWords): string {
  const direction = change === 0 ? 'same' : change > 0 ? 'rose' : 'fell';
  const [then, points] = [pointsText(finalScore, words), pointsText(Math.abs(change), words)];
  return fill(words.trend[direction], { days: TREND_DAYS, then, points });
}

function pointsText(value: number, { decimalPoint }: RecordWords): string {
  return value.toFixed(2).replace('.', decimalPoint);
}

interface KnownReason {
  entry: ReasonEntry;
  evidence: Evidence;
}

/** Omits unknown codes: a newer version may have stored them. */
function known(reasons: readonly StoredReason[]): KnownReason[] {
  return reasons.flatMap(({ code, evidence }) => {
    const entry = reasonEntryOf(code);
    return entry ? [{ entry, evidence }] : [];
  });
}

/**
 * Supporting reasons are stored without a rank. A long confirmed history comes first, because it
 * limits the weight of everything else; then by the contribution of the factor, then by code.
 */
function bySignificance({ supporting, factors }: ScoreFacts): KnownReason[] {
  const given = new Map<string, number>(factors.map(({ name, contribution }) => [name, contribution]));
  const weightOf = (factor: ReasonFactor) =>
    factor === 'evidence' ? Number.MAX_VALUE : (given.get(factor) ?? 0);
  return known(supporting).sort(
    (left, right) =>
      weightOf(right.entry.factor) - weightOf(left.entry.factor) ||
      (left.entry.code < right.entry.code ? -1 : 1),
  );
}

export type TrustPoint = ReturnType<typeof toPoint>;

function toPoint({ entry, evidence }: KnownReason, words: RecordWords) {
  const { code } = entry;
  const text = reasonText(code, evidence, words) ?? words.meaning(entry);
  return { code, title: words.title(entry), text, evidence };
}
