import type { ConfidenceLabel, ScoreBand } from '@reliability/scoring';
import type { ReasonWords } from './reasonTexts.js';
import type { ScoreTrend } from './scoreTrend.js';
import type { ReasonEntry } from './storedReasons.js';

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
  /** What a reason means, without figures. */
  meaning(entry: ReasonEntry): string;
  readonly reasons: ReasonWords;
  /** @param description of a factor, as it is stored with the score. */
  factor(description: string): string;
  readonly disclosures: readonly string[];
}
