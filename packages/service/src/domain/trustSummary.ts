import type { ConfidenceLabel, Factor, ReasonFactor, ScoreBand } from '@reliability/scoring';
import { recordWordsEn } from './languages.js';
import type { RecordWords } from './recordWords.js';
import {
  type Evidence,
  type ReasonEntry,
  reasonEntryOf,
  reasonText,
  type StoredReason,
  withReview,
} from './recordWords.js';
import type { ScoreTrend } from './scoreCourse.js';

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

/**
 * A stored score in plain words (RULES R4): its value, its trend, its evidence, its strengths and its risks.
 * Deterministic. It describes and never recommends. It uses figures only, so it names nobody.
 */
export function trustSummaryOf(facts: ScoreFacts, words: RecordWords = recordWordsEn) {
  const strengths = bySignificance(facts);
  const risks = known(withReview(facts.adverse, facts.frozenAt && {}));
  const trend = facts.trend && { ...facts.trend, text: words.trend(facts.trend) };
  const sentences = [
    words.score(facts.finalScore, facts.scoreBand),
    trend?.text ?? '',
    words.foundation(facts),
    words.backing[facts.confidenceLabel],
    facts.frozenAt ? words.frozen : '',
    strengths[0] ? words.plus(words.title(strengths[0].entry)) : '',
    risks[0] ? words.minus(words.title(risks[0].entry)) : '',
  ];
  return {
    summary: sentences.filter((sentence) => sentence !== '').join(' '),
    strengths: strengths.map((reason) => toPoint(reason, words)),
    risks: risks.map((reason) => toPoint(reason, words)),
    trend,
  };
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
  const text = reasonText(code, evidence, words.reasons) ?? words.meaning(entry);
  return { code, title: words.title(entry), text, evidence };
}
