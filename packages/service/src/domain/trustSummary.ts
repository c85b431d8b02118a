import type { ConfidenceLabel, Factor, ReasonFactor, ScoreBand } from '@reliability/scoring';
import { type Evidence, reasonText } from './reasonTexts.js';
import { type ScoreTrend, trendText } from './scoreTrend.js';
import { type ReasonEntry, reasonEntryOf, type StoredReason, withReview } from './storedReasons.js';

/** The stored fields of a score that a summary uses. */
export interface ScoreFacts {
  finalScore: number;
  scoreBand: ScoreBand;
  confidenceLabel: ConfidenceLabel;
  totalEvents: number;
  verifiedEvents: number;
  /** Set while the score is frozen for review. */
  frozenAt: Date | null;
  factors: readonly { name: Factor; contribution: number }[];
  /** Most costly first. */
  adverse: readonly StoredReason[];
  supporting: readonly StoredReason[];
  /** Null: no outcome is old enough. */
  trend: ScoreTrend | null;
}

/** One reason in one or two sentences, with its figures. */
export interface TrustPoint {
  code: string;
  text: string;
  evidence: Evidence;
}

export interface TrustSummary {
  summary: string;
  /** Most significant first, like the risks. */
  strengths: TrustPoint[];
  risks: TrustPoint[];
  trend: (ScoreTrend & { text: string }) | null;
}

/**
 * A stored score in plain words (RULES R4): its value, its trend, its evidence, its strengths and
 * its risks. Deterministic. It describes and never recommends. It uses figures only, so it names
 * nobody.
 */
export function trustSummaryOf(facts: ScoreFacts): TrustSummary {
  const strengths = bySignificance(facts);
  const risks = known(withReview(facts.adverse, facts.frozenAt && {}));
  const trend = facts.trend && { ...facts.trend, text: trendText(facts.trend) };
  const sentences = [
    `The score is ${facts.finalScore.toFixed(2)} of 100, in the band ${facts.scoreBand}.`,
    trend?.text ?? '',
    foundationOf(facts),
    backing[facts.confidenceLabel],
    facts.frozenAt ? 'It is frozen while a burst of new entries is checked.' : '',
    leadOf('Biggest plus', strengths),
    leadOf('Biggest minus', risks),
  ];
  return {
    summary: sentences.filter((sentence) => sentence !== '').join(' '),
    strengths: strengths.map(toPoint),
    risks: risks.map(toPoint),
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

function foundationOf({ totalEvents, verifiedEvents }: ScoreFacts): string {
  if (totalEvents === 1) {
    return `It rests on one entry, which others have ${verifiedEvents === 1 ? 'confirmed' : 'not confirmed'}.`;
  }
  return `It rests on ${totalEvents} entries. Others confirmed ${verifiedEvents} of them.`;
}

const backing: Record<ConfidenceLabel, string> = {
  high: 'Much confirmed work supports it.',
  medium: 'Some confirmed work supports it.',
  low: 'Little confirmed work supports it so far.',
};

function leadOf(label: string, [first]: readonly KnownReason[]): string {
  if (!first) return '';
  const { title } = first.entry;
  return `${label}: ${title.charAt(0).toLowerCase()}${title.slice(1)}.`;
}

function toPoint({ entry, evidence }: KnownReason): TrustPoint {
  return { code: entry.code, text: reasonText(entry.code, evidence) ?? entry.description, evidence };
}
